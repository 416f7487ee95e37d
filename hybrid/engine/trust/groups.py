"""The order of threads in which TruSt goes on: threads that meet at some location come one directly
after the other.

The paper leaves <_next open (explorer.py has its name), and any order is right. What differs is the
work: when a store revisits a load, all that was inserted between the two and does not lead to the
store is removed and explored once more. Between threads that meet there should be none that does
not meet them, so threads are put into groups, connected by locations that some thread writes. The
smallest group comes first: the last threads make most of the steps, and in a group of one they have
nothing to revisit.

Where a thread goes is tried, by one execution in which the threads run one after the other. What it
misses makes the order less good and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hybrid.engine.trust.frame import UnitFrame
from hybrid.engine.trust.graph import ExecutionGraph
from hybrid.execution.bits import bit_of
from hybrid.execution.execution import FAIL
from hybrid.execution.step import CONDITIONAL, LOAD, RMW, Step

_LONGEST: Final = 1000  # units of a thread that are tried


def in_groups(graph: ExecutionGraph, threads: Sequence[int]) -> list[int]:
    """These threads by groups, in the given order within each; the graph is empty, and stays."""
    if len(threads) < 3:
        return list(threads)
    touched, written = _tried_locations(graph, threads)
    groups: list[list[int]] = []
    locations: list[int] = []  # those at which a group meets others, as bits
    for thread in threads:
        mine = touched[thread] & written
        together = [thread]
        others: list[list[int]] = []
        apart: list[int] = []
        for group, its in zip(groups, locations, strict=True):
            if its & mine:
                together += group
                mine |= its
            else:
                others.append(group)
                apart.append(its)
        groups = [*others, together]
        locations = [*apart, mine]
    place = {thread: number for number, thread in enumerate(threads)}
    for group in groups:
        group.sort(key=place.__getitem__)
    groups.sort(key=lambda group: (len(group), place[group[0]]))
    return [thread for group in groups for thread in group]


def accepts(graph: ExecutionGraph, unit: UnitFrame, value: int) -> bool:
    """Whether a load or rmw goes on with this value; a choice before it is made, the first way
    that fits."""
    step = unit.step
    if unit.choice is None:
        return not step.guards or graph.satisfies(step, value)
    for outcome in (0, 1):
        way = graph.unfolding.follow(unit.choice, outcome)
        if isinstance(way, Step) and graph.satisfies(way, value):
            graph.choose(unit, outcome)
            return True
    return False


def _tried_locations(graph: ExecutionGraph, threads: Sequence[int]) -> tuple[list[int], int]:
    """The locations that each thread touches, and those that some thread writes, as bits."""
    touched = [0] * len(threads)
    written = 0
    units: list[UnitFrame] = []
    for thread in threads:
        tried = 0
        while graph.moving >> thread & 1 and tried < _LONGEST:
            following = graph.next[thread]
            assert isinstance(following, Step)
            unit = UnitFrame(following, graph.present)
            location = graph.location[unit.event]
            touched[thread] |= bit_of(location)
            if unit.step.kind != LOAD:
                written |= bit_of(location)
            if not _enter(graph, unit, location):
                break
            units.append(unit)
            tried += 1
    for unit in reversed(units):
        graph.leave(unit)
        if unit.choice is not None:
            graph.unchoose(unit)
    return touched, written


def _enter(graph: ExecutionGraph, unit: UnitFrame, location: int) -> bool:
    """Puts a unit on the graph as an execution in order has it; False when it waits."""
    order = graph.co[location]
    kind = unit.step.kind
    parameter = len(order)
    if kind == CONDITIONAL:
        parameter = FAIL
    elif kind == LOAD or kind == RMW:
        parameter = order[-1]
        if not accepts(graph, unit, graph.stored[parameter]):
            return False
    graph.enter(unit, parameter, False)
    return True
