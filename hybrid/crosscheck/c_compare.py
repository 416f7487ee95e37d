"""A program and the C that it can be written as: both must have the same runs.

The C is compiled, read and explored as any file is; c_form.py says which programs can be compared
so, c_runs.py what is compared.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from hybrid.catalogue.engines import make
from hybrid.catalogue.spelling import not_applicable, spelled
from hybrid.crosscheck.c_form import is_in_c_form
from hybrid.crosscheck.c_runs import Named, Runs, View, runs_of, view_of_c, view_of_program
from hybrid.crosscheck.compare import CRASH, DUPLICATE, ENDING, EXTRA, MISSING, OUTCOME, Difference
from hybrid.crosscheck.found import count
from hybrid.engine.api import TRACE, Limits, Stopped
from hybrid.engine.configuration import Configuration
from hybrid.errors import InputError
from hybrid.execution.trace import Status, TraceData
from hybrid.frontend.c.clang import NoCompilerError
from hybrid.frontend.c_print import CText, c_text
from hybrid.frontend.load import load_program
from hybrid.memory import out_of_memory
from hybrid.model.core import Model
from hybrid.model.orders import mapped
from hybrid.program.program import Program

REFUSED_C = "refused"  # the compiler, or the reading, does not take it
DIFFERENT = "different"  # a run of both is not the same
C, PROG = "C", ".prog"


@dataclass(slots=True)
class CComparison:
    """Empty `differences` mean agreement."""

    program: Program
    model: Model
    limits: Limits
    text: CText
    traces: int = 0
    blocked: int = 0
    compared: int = 0  # configurations
    left_out: list[tuple[str, str]] = field(default_factory=list)  # configuration, why
    differences: list[Difference] = field(default_factory=list)
    shown: list[tuple[str, TraceData]] = field(default_factory=list)  # runs in question, with the
    # side that has each
    unfinished: str = ""


def compile_text(text: str, name: str) -> Program:
    """The program that a text in C is."""
    with tempfile.TemporaryDirectory(prefix="hybrid-") as folder:
        path = Path(folder, f"{name}.c")
        path.write_text(text, encoding="utf-8")
        return load_program(path)


def compare_with_c(
    program: Program, model: Model, configurations: Sequence[Configuration], limits: Limits
) -> CComparison:
    """The program, which is in C's form, and its C, by each of the configurations, which are to
    have traces and not classes."""
    text = c_text(program)
    result = CComparison(program, model, limits, text)
    compiled = _compiled(result)
    if compiled is None:
        return result
    sides = (
        (PROG, mapped(True, program, model)[0], view_of_program(program)),
        (C, mapped(None, compiled, model)[0], view_of_c(compiled, program, text)),
    )
    for configuration in configurations:
        name = spelled(configuration)
        reason = next(
            (r for _, p, _ in sides if (r := not_applicable(configuration, model, p))), ""
        )
        if configuration.equivalence != TRACE:
            reason = "it has classes, not traces"
        if reason:
            result.left_out.append((name, reason))
            continue
        _by(result, configuration, sides)
    return result


def _compiled(result: CComparison) -> Program | None:
    """None: that is a difference."""
    try:
        return compile_text(result.text.text, "program")
    except NoCompilerError:
        raise
    except InputError as error:
        said = error.render()
        result.differences.append(Difference(REFUSED_C, C, "", f"C is not taken: {said}"))
    except Exception as error:
        memory = out_of_memory(error)
        if memory:
            result.unfinished = memory
        else:
            result.differences.append(_crash(C, error))
    return None


def _crash(who: str, error: Exception) -> Difference:
    text = f"{who} fails: {type(error).__name__}: {error}".rstrip(": ")
    return Difference(CRASH, who, "", text)


def _by(
    result: CComparison,
    configuration: Configuration,
    sides: Sequence[tuple[str, Program, View]],
) -> None:
    found: list[Runs] = []
    name = spelled(configuration)
    for who, program, view in sides:
        try:
            engine = make(configuration)
            found.append(runs_of(program, view, result.model, engine, result.limits))
        except Stopped as stop:
            result.unfinished = stop.told or "time-out"
            return
        except InputError as error:
            result.left_out.append((name, error.message))
            return
        except Exception as error:
            memory = out_of_memory(error)
            if memory:
                result.unfinished = memory
            else:
                result.differences.append(_crash(f"{name} on {who}", error))
            return
    left, right = found
    if left.counters.thin_air or right.counters.thin_air:
        result.unfinished = "values that justify themselves in a circle"
        return
    if not result.compared:
        result.traces = left.complete
        result.blocked = left.counters.blocked + right.counters.blocked
    result.compared += 1
    _differ(result, name, left, right)


def _differ(result: CComparison, name: str, left: Runs, right: Runs) -> None:
    def differ(kind: str, text: str, runs: Sequence[tuple[str, TraceData]] = ()) -> None:
        result.differences.append(Difference(kind, C, PROG, f"{name}: {text}"))
        result.shown += runs

    for word, keep in (("trace", _is_complete), ("other run", _is_other)):
        ours, theirs = set(filter(keep, left.found)), set(filter(keep, right.found))
        head = f"{PROG} has {count(len(ours), word)}, C has {len(theirs)}"
        missing, extra = ours - theirs, theirs - ours
        whole = word == "trace"
        if missing:
            text = f"{head}: {len(missing)} missing{_ends(missing)}"
            first = min(missing, key=_size)
            differ(MISSING if whole else ENDING, text, [(PROG, left.data[first])])
        if extra:
            text = f"{head}: {len(extra)} extra{_ends(extra)}"
            first = min(extra, key=_size)
            differ(EXTRA if whole else ENDING, text, [(C, right.data[first])])
    if right.again:
        differ(DUPLICATE, f"C has {count(right.again, 'trace')} twice")
    others = [key for key in left.found.keys() & right.found.keys() if _differs(left, right, key)]
    if others:
        first = min(others, key=_size)
        what = _differs(left, right, first)
        ours, theirs = (getattr(runs.found[first], what) for runs in (left, right))
        text = f"{count(len(others), 'run')} of both with other {what}: {ours} is {theirs} in C"
        kind = OUTCOME if what in ("memory", "failed", "flags") else DIFFERENT
        differ(kind, text, [(PROG, left.data[first]), (C, right.data[first])])
    if left.raced != right.raced:
        differ(ENDING, f"{PROG if left.raced else C} alone has runs with a race")


def _differs(left: Runs, right: Runs, key: Named) -> str:
    return left.found[key].differs_in(right.found[key])


def _is_complete(run: Named) -> bool:
    return run[0] == Status.COMPLETE.value


def _is_other(run: Named) -> bool:
    return not _is_complete(run)


def _ends(runs: set[Named]) -> str:
    kinds = sorted({status for status, *_ in runs} - {Status.COMPLETE.value})
    return f" ({', '.join(kinds)})" if kinds else ""


def _size(run: Named) -> tuple[int, Named]:
    _, (rf, co), _ = run
    return len(rf) + sum(len(stores) for _, stores in co), run


@dataclass(frozen=True, slots=True)
class CQuarrel:
    """What must stay while shrinking: a difference of the same kind between a program and its C."""

    model: Model
    configurations: tuple[Configuration, ...]
    kind: str
    limits: Limits
    seconds: float

    def differences(self, program: Program) -> list[Difference]:
        if not is_in_c_form(program):
            return []
        limits = replace(self.limits, deadline=time.monotonic() + self.seconds)
        try:
            result = compare_with_c(program, self.model, self.configurations, limits)
        except InputError:  # it cannot be written in C
            return []
        return [each for each in result.differences if each.kind == self.kind]
