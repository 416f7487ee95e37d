"""A witness, races and waiting threads in words, for every format that shows them to people."""

from __future__ import annotations

from hybrid.engine.api import Limits
from hybrid.engine.races import Races
from hybrid.execution.trace import Status, Trace
from hybrid.execution.wait_text import over_text, waits_text
from hybrid.model.core import RACE
from hybrid.report.result import Result
from hybrid.verdict import Verdict
from hybrid.witness.failed_asserts import failed_texts
from hybrid.witness.races import Race, races_of
from hybrid.witness.run import run_table, run_text


def race_lines(result: Result) -> list[str]:
    """The accesses that race, unless the user does not want to know."""
    if result.race is None or result.races is Races.IGNORE:
        return []
    status = result.race.status
    how = "" if status is Status.COMPLETE else f" (in a {status.value} run)"
    found = [
        line for race in races_of(result.race) for line in (f"Race: {race}{how}", *calls_of(race))
    ]
    return found or [f"Race: the flag {RACE} of {result.model.name}, which names no accesses"]


def calls_of(race: Race) -> list[str]:
    """Of a compiled program: how each access is reached; and what does not order them."""
    accesses = [access for access in (race.first, race.second) if access.stack]
    calls = [f"  {access.thread}: in {', called from '.join(access.stack)}" for access in accesses]
    return [*calls, f"  not ordered by: {race.reads}"] if race.reads else calls


def waiting_line(result: Result) -> str:
    """That threads can wait for ever, for formats without notes; empty: they cannot."""
    if result.waiting is None:
        return ""
    return (
        "a run in which threads wait for ever: "
        f"{waits_text(result.program, result.waiting.data().waiting)}"
    )


def witness_lines(result: Result) -> list[str]:
    lines: list[str] = []
    if result.witness is not None:
        if result.witness is result.waiting and not result.witness.failed:
            head = "Witness: a run in which threads wait for ever"
        elif result.race is not None and result.witness.data() is result.race:
            head = "Witness: an execution with a data race"
        elif result.answer is Verdict.VIOLATED:
            head = "Witness: an execution that violates the claim"
        else:
            head = "Witness: an execution that satisfies the condition"
        lines += ["", head, *trace_lines(result.witness, result.limits)]
    if result.waiting is not None and result.waiting is not result.witness:
        head = "Waiting: a run in which threads wait for ever"
        lines += ["", head, *trace_lines(result.waiting, result.limits)]
    return lines


def trace_lines(trace: Trace, limits: Limits) -> list[str]:
    """A trace, found under `limits`, as its run and the table of the run, indented."""
    data = trace.data()
    lines = run_table(data).rstrip("\n").split("\n")
    if not data.program.compiled:  # there the names in a run are long, and the table has all of it
        lines = [run_text(data), "", *lines]
    if trace.status is Status.ERROR and not data.program.compiled:
        lines += ["", f"error: {data.error}"]
    if data.waiting:
        text = over_text if data.status is Status.COMPLETE else waits_text
        lines += ["", text(data.program, data.waiting)]
    failed = failed_texts(data, limits)
    if failed:
        lines += ["", *failed]
    return [f"  {line}".rstrip() for line in lines]
