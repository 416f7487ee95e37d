"""The accesses of a data race, named: thread, label, instruction, place in the text, location."""

from __future__ import annotations

from dataclasses import dataclass

from hybrid.execution.trace import EventId, TraceData
from hybrid.source import Span
from hybrid.witness.steps import WitnessStep, location_name, steps_of


@dataclass(frozen=True, slots=True)
class RacingAccess:
    """One side of a race."""

    thread: str
    label: str  # `L1#2` for the second time in its thread
    text: str  # the instruction
    kind: str  # R or W; `RW` when both events of a read-modify-write race
    location: str
    line: int  # in the text of the program; 0: it has none

    def __str__(self) -> str:
        return f"{self.thread}'s {self.label} ({self.text})"


@dataclass(frozen=True, slots=True)
class Race:
    """Two accesses of one location that race."""

    first: RacingAccess
    second: RacingAccess

    def __str__(self) -> str:
        lines = [str(line) for line in (self.first.line, self.second.line) if line]
        where = f", line{'s' * (len(lines) > 1)} {' and '.join(lines)}" if lines else ""
        return f"{self.first} and {self.second} on {self.first.location}{where}"


def races_of(data: TraceData) -> tuple[Race, ...]:
    """The races of a trace whose `races` are known, one per pair of executed instructions."""
    steps = steps_of(data)
    kinds: dict[tuple[EventId, EventId], tuple[set[str], set[str]]] = {}
    for first, second in data.races:
        found = kinds.setdefault((steps[first].id, steps[second].id), (set(), set()))
        found[0].add(data.by_id[first].kind)
        found[1].add(data.by_id[second].kind)
    return tuple(
        Race(_access(data, steps[a], first), _access(data, steps[b], second))
        for (a, b), (first, second) in kinds.items()
    )


def _access(data: TraceData, step: WitnessStep, kinds: set[str]) -> RacingAccess:
    event = step.events[0]
    thread = "the start" if step.initial else data.program.threads[step.thread].name
    return RacingAccess(
        thread,
        step.name,
        step.text,
        "".join(sorted(kinds)),
        location_name(data, event.address),
        0 if step.initial else _line(_span(data, step)),
    )


def _span(data: TraceData, step: WitnessStep) -> Span:
    label = step.name.split("#", 1)[0]
    code = data.program.threads[step.thread].code
    return next(instruction.span for instruction in code if instruction.label == label)


def _line(span: Span) -> int:
    return span.line if span.source.text else 0
