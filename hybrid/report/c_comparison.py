"""A program and its C: what is said of them, and the shrunk program of a disagreement."""

from __future__ import annotations

from hybrid.catalogue.spelling import parse_configurations, spelled
from hybrid.crosscheck.c_compare import CComparison, CQuarrel
from hybrid.crosscheck.found import count
from hybrid.crosscheck.fuzz import Task
from hybrid.crosscheck.shrink import EACH
from hybrid.engine.api import TRACE
from hybrid.errors import InputError
from hybrid.frontend.c.clang import find_compiler
from hybrid.frontend.c_print import c_text
from hybrid.frontend.compiler_options import NO_OPTIONS
from hybrid.frontend.prog_print import print_program
from hybrid.report.disagreement import reproduced
from hybrid.witness.text import trace_text


def check_c_engines(engines: str) -> None:
    """Complains of configurations whose results cannot be compared run by run, and where there is
    no compiler."""
    find_compiler(NO_OPTIONS)
    for each in parse_configurations(engines):
        if each.equivalence != TRACE:
            raise InputError(f"--language c compares traces, and {spelled(each)} has classes")


def c_comparison_text(comparison: CComparison) -> str:
    """Both texts, then what came of them."""
    lines = [print_program(comparison.program), comparison.text.text]
    if comparison.unfinished:
        lines.append(f"not finished: {comparison.unfinished}")
    lines += [f"not applicable: {name}: {reason}" for name, reason in comparison.left_out]
    if not comparison.differences and comparison.compared:
        lines.append(f"the program and its C have the same {count(comparison.traces, 'trace')}")
    lines += [difference.text for difference in comparison.differences]
    for side, run in comparison.shown[:2]:
        lines += ["", f"a run of {side} in question:", "", trace_text(run).rstrip("\n")]
    return "\n".join(lines) + "\n"


def c_reproducer(comparison: CComparison, task: Task, output: str | None, seconds: float) -> str:
    """Shrinks the program as long as its C differs in the same way, saves it and tells of it."""
    quarrel = CQuarrel(
        comparison.model,
        task.configurations,
        comparison.differences[0].kind,
        comparison.limits,
        EACH,
    )
    small = reproduced(comparison.program, comparison.model, quarrel, output, seconds)
    return f"{small.text()}\nits C:\n\n{c_text(small.shrunk.program).text}"
