"""The asserts that fail in an execution: their text, where they stand, what their registers held.

A trace keeps the final registers alone, so the thread is run again with what its loads read. The
registers of a compiled program mean nothing to its author: there the fault is told.
"""

from __future__ import annotations

from dataclasses import dataclass

from hybrid.engine.api import Limits
from hybrid.engine.enumerate.rerun import Given, rerun
from hybrid.execution.trace import TraceData
from hybrid.program.expr import registers
from hybrid.program.instructions import Assert
from hybrid.program.loops import loops_of
from hybrid.program.origin import MIXED_SIZES
from hybrid.witness.faults import faults_of, span_text


@dataclass(frozen=True, slots=True)
class FailedAssert:
    label: str
    text: str  # as it is written; empty where the source is not to be shown
    place: str  # `SB.prog:7`
    values: tuple[tuple[str, str], ...]  # of its registers, when it failed first

    def __str__(self) -> str:
        """`A: assert r = 0 (SB.prog:7), where r is 1`"""
        named = f"{self.label}: {self.text}" if self.text else self.label
        held = ", ".join(f"{name} is {value}" for name, value in self.values)
        return f"{named} ({self.place})" + (f", where {held}" if held else "")


def failed_texts(data: TraceData, limits: Limits) -> list[str]:
    """What is said of the asserts that fail in a trace, which was found under `limits`; of a
    compiled program also of accesses to no location."""
    if data.program.compiled:
        return [
            f"{'not taken' if fault.kind == MIXED_SIZES else 'violation'}: {fault}"
            for fault in faults_of(data)
        ]
    return [f"failed: {each}" for each in failed_asserts(data, limits)]


def failed_asserts(data: TraceData, limits: Limits) -> list[FailedAssert]:
    """Those of the trace, in the order of the program. `limits` are those under which it was
    found."""
    if not data.failed:
        return []
    given = Given(
        data.program,
        limits.unroll,
        limits.max_steps,
        frozenset(data.rf),
        frozenset(event.id for event in data.events if event.kind == "W" and event.thread >= 0),
        {load: data.by_id[source].value or 0 for load, source in data.rf.items()},
        {},
        [loops_of(thread.code) for thread in data.program.threads],
    )
    found: list[FailedAssert] = []
    for index, thread in enumerate(data.program.threads):
        asserts = [i for i in thread.code if isinstance(i, Assert) and i.label in data.failed]
        held = rerun(given, index).failed if asserts else {}
        for instruction in asserts:
            values = held.get(instruction.label, {})
            shown = [
                (name, _shown(data, index, name, values[name]))
                for name in sorted(registers(instruction.condition))
                if name in values
            ]
            place = f"{instruction.span.source.name}:{instruction.span.line}"
            text = span_text(instruction.span)
            found.append(FailedAssert(instruction.label, text, place, tuple(shown)))
    return found


def _shown(data: TraceData, thread: int, register: str, value: int) -> str:
    return data.program.addresses.name_in_register(thread, register, value) or str(value)
