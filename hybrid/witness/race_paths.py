"""What leads from one access of a data race to the other: the loads on the way that read what
another thread has stored. Such a load and the store that it reads from do not order the accesses,
where a stronger order of one of them might."""

from __future__ import annotations

from typing import Final

from hybrid.execution.trace import EventId, TraceData

Read = tuple[EventId, EventId]  # a store, and a load that reads from it

_MOST: Final = 6  # loads on a way


def reads_between(data: TraceData, one: EventId, other: EventId) -> tuple[Read, ...]:
    """The loads on the way from either access to the other by program order and reads-from: the
    fewest that will do; among them those on which what comes after them depends, and then the
    nearest. None where there is no way. What races itself leads nowhere. The start and the end of
    threads are no loads of the program's."""
    found = _Ways(data, one).to(other) or _Ways(data, other).to(one)
    edges = data.program.thread_edges
    return tuple(read for read in found if data.by_id[read[1]].label not in edges)


class _Ways:
    """Ways that begin at an event."""

    def __init__(self, data: TraceData, start: EventId) -> None:
        self._rf = data.rf
        self._dependencies = (data.data, data.addr)
        self._races = frozenset(data.races)
        self._start = start
        self._none: set[tuple[EventId, int]] = set()  # no way to there by so many loads

    def to(self, end: EventId) -> list[Read]:
        for most in range(1, _MOST + 1):
            found = self._back(end, most)
            if found is not None:
                return found
        return []

    def _back(self, end: EventId, most: int) -> list[Read] | None:
        """A way with at most so many loads."""
        thread, index = end
        if thread == self._start[0] and index > self._start[1]:
            return []
        if most == 0 or (end, most) in self._none:
            return None
        self._none.add((end, most))
        loads = [(thread, before) for before in range(index - 1, -1, -1)]
        for load in sorted(loads, key=lambda each: self._distance(each, end)):
            store = self._rf.get(load)
            if store is None or store[0] in (-1, thread) or self._is_race(store, load):
                continue
            found = self._back(store, most - 1)
            if found is not None:
                return [*found, (store, load)]
        return None

    def _distance(self, load: EventId, event: EventId) -> tuple[bool, ...]:
        """What is stored depends on a load before where it is stored does."""
        return tuple((load, event) not in pairs for pairs in self._dependencies)

    def _is_race(self, store: EventId, load: EventId) -> bool:
        return (store, load) in self._races or (load, store) in self._races
