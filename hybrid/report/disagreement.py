"""A disagreement as text and as JSON: who differs, the trace in question, what two judges say of
it; and its shrunk reproducer."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hybrid.crosscheck.compare import DUPLICATE, OUTCOME, Comparison, Difference
from hybrid.crosscheck.disputes import Dispute, dispute
from hybrid.crosscheck.found import count, final_terms
from hybrid.crosscheck.shrink import (
    Disagreement,
    Quarrel,
    Shrunk,
    described,
    free_path,
    save,
    shrink,
)
from hybrid.engine.configuration import Configuration
from hybrid.errors import InputError
from hybrid.execution.trace import EventId, TraceData
from hybrid.frontend.prog_print import print_program
from hybrid.model.core import Model
from hybrid.program.program import Program
from hybrid.report.output import check_writable
from hybrid.report.screen import draw
from hybrid.witness.recheck import recheck
from hybrid.witness.steps import steps_of
from hybrid.witness.text import trace_text

TICK = 0.2  # seconds between changes of a line on the terminal


def disagreement_text(comparison: Comparison) -> str:
    """Every difference, each with its smallest trace; a trace that several are about is shown
    once."""
    lines: list[str] = []
    shown: dict[object, str] = {}  # keys to the configuration under which they stand
    for difference in comparison.differences:
        if lines:
            lines.append("")
        lines.append(difference.text)
        found = dispute(comparison, difference)
        if found is None:
            continue
        if found.key in shown:
            lines.append(f"  the trace shown above, at {shown[found.key]}")
            continue
        shown[found.key] = difference.name
        lines += [f"  {line}".rstrip() for line in _dispute_lines(comparison, difference, found)]
    return "\n".join(lines) + "\n"


def _dispute_lines(comparison: Comparison, difference: Difference, found: Dispute) -> list[str]:
    lines = []
    if len(difference.keys) > 1:
        lines.append(f"the smallest of {len(difference.keys)}:")
    if difference.kind == OUTCOME:
        lines += _outcomes(comparison, difference)
    elif difference.kind != DUPLICATE:
        lacks = f"; not in {', '.join(found.lacks)}" if found.lacks else ""
        lines.append(f"in {', '.join(found.has) or 'none'}{lacks}")
    lines += judgement(found)
    if found.data is not None:
        lines += ["", *trace_text(found.data).rstrip("\n").split("\n")]
    else:
        lines.append(f"key: {found.key}")
    return lines


def _outcomes(comparison: Comparison, difference: Difference) -> list[str]:
    """What each configuration that has the very trace makes of it, where they differ."""
    key, lines = difference.keys[0], []
    terms = final_terms(comparison.program)
    spell = comparison.program.addresses.show
    facts = {f.name: f.traces[key] for f in comparison.findings if key in f.traces}
    for name, fact in facts.items():
        state = [f"{t.name} = {spell(t, v)}" for t, v in zip(terms, fact.finals, strict=True)]
        state += [f"{label} fails" for label in fact.failed]
        state += [f"flag {flag}" for flag in fact.flags]
        lines.append(f"{name}: {', '.join(state)}")
    return lines


def judgement(found: Dispute) -> list[str]:
    """What the two judges say."""
    data = found.data
    if data is None:
        reason = found.replayed.reason if found.replayed is not None else ""
        return [f"no run of the program is so, whatever the model: {reason}"]
    if found.allowed:
        return ["the model allows it: replayed from its key, and judged by the graph"]
    if found.replayed is None:
        by_key = "allowed"
    else:
        by_key = found.replayed.reason
        if found.replayed.cycle:
            by_key += f": {_events(data, found.replayed.cycle)}"
    if found.explained is None:
        by_graph = "allowed"
    else:
        names = steps_of(data)
        edges = found.explained.edges
        cycle = "".join(f"{names[edge.start].name} --{edge.label}--> " for edge in edges)
        cycle += names[edges[-1].end].name if edges else ""
        by_graph = f"{found.explained.axiom} ({found.explained.test}): {cycle}"
    head = "the judges contradict each other" if found.allowed is None else "the model forbids it"
    return [head, f"  replayed from its key: {by_key}", f"  judged by the graph: {by_graph}"]


def _events(data: TraceData, events: Sequence[EventId]) -> str:
    names = steps_of(data)
    return " -> ".join(names[event].name for event in (*events, events[0]))


def disagreement_json(comparison: Comparison) -> list[dict[str, object]]:
    """One object a difference."""
    found: list[dict[str, object]] = []
    for difference in comparison.differences:
        about = dispute(comparison, difference)
        fields: dict[str, object] = {
            "kind": difference.kind,
            "configuration": difference.name,
            "against": difference.against or None,
            "text": difference.text,
            "traces": len(difference.keys),
        }
        if about is not None:
            fields["trace"] = {
                "key": about.key,
                "in": about.has,
                "not_in": about.lacks,
                "allowed": about.allowed,
                "judgement": judgement(about),
            }
        found.append(fields)
    return found


# ---- the reproducer


@dataclass(frozen=True, slots=True)
class Reproducer:
    """A shrunk program, saved and checked again."""

    path: Path
    shrunk: Shrunk
    difference: Difference  # what the saved file shows

    def text(self) -> str:
        result = self.shrunk
        size = sum(len(thread.code) for thread in result.program.threads)
        unfinished = "" if result.finished else "; stopped before it was minimal"
        return (
            f"shrunk to {count(len(result.program.threads), 'thread')} and "
            f"{count(size, 'instruction')} ({count(result.kept, 'step')}, "
            f"{count(result.tried, 'program')} tried, "
            f"{result.seconds:.1f} s{unfinished}), saved as {self.path}\n"
            f"it still shows: {self.difference.text}\n\n{print_program(result.program)}"
        )

    def as_json(self) -> dict[str, object]:
        result = self.shrunk
        return {
            "file": str(self.path),
            "threads": len(result.program.threads),
            "instructions": sum(len(thread.code) for thread in result.program.threads),
            "tried": result.tried,
            "finished": result.finished,
            "difference": self.difference.text,
        }


def reproduce(
    comparison: Comparison,
    configurations: Sequence[Configuration],
    output: str | None,
    seconds: float,
    seed: int = 0,
) -> Reproducer:
    """Shrinks the first difference and saves the result: at `output`, else in the working directory
    under a new name."""
    difference = comparison.differences[0]
    quarrel = Quarrel.about(difference, comparison, configurations, seed, recheck)
    return reproduced(comparison.program, comparison.model, quarrel, output, seconds)


def reproduced(
    program: Program, model: Model, quarrel: Disagreement, output: str | None, seconds: float
) -> Reproducer:
    """The same for any disagreement that the program shows."""
    with _Line() as line:
        result = shrink(program, quarrel, seconds=seconds, on_progress=line.show)
    now = quarrel.differences(result.program)
    if now:
        result.program = described(result.program, now[0], model)
    path = free_path(program.name, Path()) if output is None else Path(output)
    return Reproducer(path, result, save(result.program, quarrel, path)[0])


def check_output(output: str | None) -> None:
    """Complains before the work, not after it."""
    if output is None:
        return
    if Path(output).exists():
        raise InputError(f"cannot write {output}: it exists", hint="give another name with -o")
    check_writable(output)


class _Line:
    """A line on the terminal while shrinking."""

    def __init__(self) -> None:
        self._last = 0.0
        self._shown = False

    def __enter__(self) -> _Line:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            draw(sys.stderr, "")

    def show(self, result: Shrunk) -> None:
        now = time.monotonic()
        if now - self._last < TICK or not sys.stderr.isatty():
            return
        self._last, self._shown = now, True
        size = sum(len(thread.code) for thread in result.program.threads)
        draw(
            sys.stderr,
            f"shrinking: {len(result.program.threads)} threads, {size} instructions, "
            f"{result.tried} programs tried",
        )
