"""Maximal extensions: when a store may revisit a load (Definition 3.3 of the TruSt paper, and lines
15 to 17 and 23 to 27 of Algorithm 1; explorer.py has its name).

A revisit of a load by a store deletes what was added after the load, unless it is porf-before the
store. It is made only from the one graph in which the load and all that goes were added maximally:
stores at the end of coherence, loads reading from its last store, and nothing revisited by what
goes.

The paper's names: r is `load`; w, the store, is known by its `past`, the events porf-before it;
Deleted ∪ {r} is `deleted_by_revisit`, Previous is `previous`, IsMaximallyAdded is
`is_maximally_added`.

Some answers are known when a unit is added, and never change, as Previous only grows. They are kept
in `graph.not_maximal`: a load that did not read from the co-last store of its time, a store that
was not put last, a store that revisited a load (line 25), a store-conditional or a weak
compare-and-swap that succeeds although a maximal extension has it fail.
"""

from __future__ import annotations

from hybrid.engine.trust.graph import ExecutionGraph
from hybrid.execution.bits import bit_of
from hybrid.execution.step import LOAD, RMW


def is_maximal_extension(graph: ExecutionGraph, load: int, past: int) -> bool:
    """Whether the load and all that a revisit of it deletes were added maximally (line 17)."""
    deleted = deleted_by_revisit(graph, load, past)
    if deleted & graph.not_maximal:
        return False
    while deleted:
        low = deleted & -deleted
        deleted ^= low
        if not is_maximally_added(graph, low.bit_length() - 1, past):
            return False
    return True


def deleted_by_revisit(graph: ExecutionGraph, load: int, past: int) -> int:
    """The load and what goes when it is revisited (line 16)."""
    return graph.present & ~graph.before[load] & ~past


def is_maximally_added(graph: ExecutionGraph, event: int, past: int) -> bool:
    """Whether the event, or the store that it reads from, is the co-last one of what was there
    before it or stays. It must not be in `graph.not_maximal`."""
    step = graph.steps[event]
    assert step is not None
    previous = graph.before[event] | bit_of(event) | past | graph.numbering.initial_writes
    store = event
    if event == step.event:
        if step.kind == LOAD or step.kind == RMW:
            store = graph.source[event]
            if was_revisited_by_one_that_goes(store, previous):
                return False
        elif not graph.committed >> event & 1:
            return True  # a store-conditional that fails
    return co_last(graph.co[graph.location[event]], previous) == store


def was_revisited_by_one_that_goes(source: int, previous: int) -> bool:
    """Whether a load with this source reads from a store that was added later and does not stay:
    a revisit has made it so."""
    return not previous >> source & 1


def co_last(order: list[int], among: int) -> int:
    """The last store of a coherence order that is among these events; there must be one."""
    place = len(order) - 1
    while not among >> order[place] & 1:
        place -= 1
    return order[place]
