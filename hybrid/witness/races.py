"""The accesses of a data race, named: thread, label, instruction, place in the text, location."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hybrid.execution.trace import EventId, TraceData
from hybrid.source import Span
from hybrid.witness.race_paths import reads_between
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
    file: str = ""  # of a compiled program: where the line is
    stack: tuple[str, ...] = ()  # of a compiled program: the calls that lead there, innermost first

    def __str__(self) -> str:
        return f"{self.thread}'s {self.label}" + (f" ({self.text})" if self.text else "")


@dataclass(frozen=True, slots=True)
class Race:
    """Two accesses of one location that race."""

    first: RacingAccess
    second: RacingAccess
    # loads on the way from one to the other, each with the store of another thread that it reads
    # from: they do not order the two
    between: tuple[tuple[RacingAccess, RacingAccess], ...] = ()

    @property
    def known_by(self) -> tuple[object, ...]:
        """What tells a race from others: of a compiled program the pieces of source, each of which
        may be several instructions."""
        if self.first.file and self.second.file:
            return tuple(
                (each.thread, each.file, each.line, each.text, each.location, each.stack)
                for each in (self.first, self.second)
            )
        return (self.first, self.second)

    @property
    def reads(self) -> str:
        """What leads from one access to the other without ordering them; empty: nothing does."""
        return "; ".join(f"{load} reads from {store}" for load, store in self.between)

    def __str__(self) -> str:
        told = self.first.file or self.second.file  # the names are the places
        lines = [str(line) for line in (self.first.line, self.second.line) if line and not told]
        where = f", line{'s' * (len(lines) > 1)} {' and '.join(lines)}" if lines else ""
        return f"{self.first} and {self.second} on {self.first.location}{where}"


def races_of(data: TraceData) -> tuple[Race, ...]:
    """The races of a trace whose `races` are known, one per pair of executed instructions."""
    steps = steps_of(data)
    kinds: dict[tuple[EventId, EventId], tuple[set[str], set[str]]] = {}
    events: dict[tuple[EventId, EventId], tuple[EventId, EventId]] = {}
    for first, second in data.races:
        events.setdefault((steps[first].id, steps[second].id), (first, second))
        found = kinds.setdefault((steps[first].id, steps[second].id), (set(), set()))
        found[0].add(data.by_id[first].kind)
        found[1].add(data.by_id[second].kind)
    races = [
        Race(
            _access(data, steps[a], first),
            _access(data, steps[b], second),
            tuple(
                (_access(data, steps[load], {"R"}), _access(data, steps[store], {"W"}))
                for store, load in reads_between(data, *events[a, b])
            ),
        )
        for (a, b), (first, second) in kinds.items()
    ]
    alike: dict[tuple[object, ...], list[Race]] = {}
    for race in races:
        alike.setdefault(race.known_by, []).append(race)
    return tuple(_together(found) for found in alike.values())


def _together(races: list[Race]) -> Race:
    """The first of races that are alike, with the kinds of accesses of all."""
    first, second = (
        replace(side, kind="".join(sorted({kind for each in others for kind in each.kind})))
        for side, others in (
            (races[0].first, [race.first for race in races]),
            (races[0].second, [race.second for race in races]),
        )
    )
    return Race(first, second, races[0].between)


def _access(data: TraceData, step: WitnessStep, kinds: set[str]) -> RacingAccess:
    event = step.events[0]
    thread = "the start" if step.initial else data.program.threads[step.thread].name
    line = 0 if step.initial else _line(_span(data, step))
    file = ""
    stack: tuple[str, ...] = ()
    if step.origin is not None:
        line, file = step.origin.line, step.origin.file
        stack = tuple(map(str, step.origin.stack))
    return RacingAccess(
        thread,
        step.name,
        step.text,
        "".join(sorted(kinds)),
        location_name(data, event.address),
        line,
        file,
        stack,
    )


def _span(data: TraceData, step: WitnessStep) -> Span:
    code = data.program.threads[step.thread].code
    return next(instruction.span for instruction in code if instruction.label == step.label)


def _line(span: Span) -> int:
    return span.line if span.source.text else 0
