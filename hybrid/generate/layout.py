"""The test of a cycle before it is printed: threads, locations, values, and the condition that
tells the cycle's execution from all others.

CycleEvent i is the source of the cycle's edge i. Locations are named along the cycle (x, y, z, a,
…). The writes to a location get 1, 2, … in the coherence order that the cycle asks for; a read at
the end of Rf, or at the start of Fr, must see the value that makes it so.

That coherence order must be seen, too. It is, for neighbours v and v+1, when a thread touches both
in program order (coherence then forbids the opposite), or when v+1 is the last and the final value
is checked. For other neighbours the thread that writes v reads the location once more at its end,
and must see v+1 or later: a read after which nothing comes, and which may always see the last
write, so it takes no execution of the cycle away.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from hybrid.generate.cycle import Cycle
from hybrid.generate.vocabulary import BACK, EXTERNAL, FR, LEAVE, RF, RMW, CycleEdge

_NAMES = "xyzabcdefghijklmnopqrstuvw"


@dataclass(slots=True)
class CycleEvent:
    index: int
    direction: str
    annotation: str
    thread: int
    location: str
    # The edge from the event before it in its thread, where the cycle has one.
    incoming: CycleEdge | None
    previous: CycleEvent | None  # that event
    value: int | None = None  # written, or to be read; None: a read of anything
    before: int = 0  # of a write: the value that its place in coherence order follows
    rmw: CycleEvent | None = None  # of the read of a read-modify-write: its write


@dataclass(frozen=True, slots=True)
class Observer:
    """A read at the end of a thread."""

    thread: int
    location: str
    values: tuple[int, ...]  # one of which it must see


@dataclass(slots=True)
class CycleLayout:
    cycle: Cycle
    threads: list[list[CycleEvent]]  # each in program order
    finals: list[tuple[str, int]] = field(default_factory=list)  # sorted by location
    observers: list[Observer] = field(default_factory=list)

    @property
    def locations(self) -> list[str]:
        found = {event.location for thread in self.threads for event in thread}
        return sorted(found, key=_name_order)


def _name_order(name: str) -> tuple[int, str]:
    return (_NAMES.index(name), "") if name in _NAMES else (len(_NAMES), name)


def lay_out(cycle: Cycle) -> CycleLayout:
    events = _events(cycle)
    _values(cycle, events)
    threads: list[list[CycleEvent]] = [[] for _ in range(1 + max(e.thread for e in events))]
    for event in events:
        threads[event.thread].append(event)
    layout = CycleLayout(cycle, threads)
    for location in sorted(layout.locations):
        _make_visible(layout, location)
    return layout


def _events(cycle: Cycle) -> list[CycleEvent]:
    edges = cycle.edges
    changes = sum(not edge.same for edge in edges)
    places = _location_names(max(changes, 1))
    events: list[CycleEvent] = []
    thread, home, threads, place = 0, 0, 1, 0
    for at, edge in enumerate(edges):
        before = edges[at - 1] if at else None  # a canonical cycle begins a thread
        inside = before is not None and before.place not in (EXTERNAL, LEAVE, BACK)
        event = CycleEvent(
            at,
            edge.source,
            edge.before,
            thread,
            places[place],
            before if inside else None,
            events[-1] if inside else None,
        )
        if before is not None and before.kind == RMW:
            events[-1].rmw = event
        events.append(event)
        if edge.place in (EXTERNAL, LEAVE):
            home, thread, threads = thread, threads, threads + 1
        elif edge.place == BACK:
            thread = home
        if not edge.same:
            place = (place + 1) % changes
    return events


def _location_names(count: int) -> list[str]:
    return [_NAMES[i] if i < len(_NAMES) else f"x{i}" for i in range(count)]


def _values(cycle: Cycle, events: list[CycleEvent]) -> None:
    """Gives writes their values and reads the ones to be seen, one location after the other."""
    edges, size = cycle.edges, len(events)
    starts = [at + 1 for at, edge in enumerate(edges) if not edge.same]
    if not starts:  # one location: coherence begins after the last edge of program order
        starts = [max(at for at, edge in enumerate(edges) if edge.ordered) + 1]
    start = starts[0]
    count = 0  # writes so far, to this location
    for step in range(size):
        at = (start + step) % size
        event, edge = events[at], edges[at]
        incoming = edges[at - 1]
        if at in {s % size for s in starts}:
            count = 0
        if event.direction == "W":
            event.before = count
            count += 1
            event.value = count
        elif incoming.kind == RF or edge.kind in (FR, RMW):
            event.value = count


def _make_visible(layout: CycleLayout, location: str) -> None:
    """Adds what the condition needs to tell the coherence order of one location."""
    accesses = [[e for e in thread if e.location == location] for thread in layout.threads]
    writers = {e.value: e for thread in accesses for e in thread if e.direction == "W"}
    last = len(writers)
    if last < 2:
        return
    seen: dict[int, set[int]] = defaultdict(set)  # which values are known to come after this one
    for thread in accesses:
        for at, event in enumerate(thread):
            for later in thread[at + 1 :]:
                if event.value and later.value and event.value < later.value:
                    seen[event.value].add(later.value)
    missing = [v for v in range(1, last) if v + 1 not in seen[v]]
    if not missing:
        return
    layout.finals.append((location, last))
    for value in missing:
        if value + 1 < last:
            values = tuple(range(value + 1, last + 1))
            layout.observers.append(Observer(writers[value].thread, location, values))
