"""The reason in an unsat core: its events, reads-from and coherence pairs alone, and how they break
the axiom that it names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from hybrid.errors import InternalError
from hybrid.execution.bits import members
from hybrid.execution.execution import Execution
from hybrid.model import core
from hybrid.oracle.from_scratch import Fresh
from hybrid.oracle.pointwise import Points
from hybrid.oracle.reason import Reason
from hybrid.oracle.reasons import find_reason, full_plan
from hybrid.oracle.static import StaticTable

Pairs = Iterable[tuple[int, int]]


def core_reason(
    model: core.Model,
    axioms: Sequence[core.Axiom],
    execution: Execution,
    events: Iterable[int],
    rf: Pairs,
    co: Pairs,
) -> Reason:
    """The cycle that these events and pairs, all of them needed, make against one of the axioms."""
    plan = full_plan(model)
    table = StaticTable(plan, execution.numbering.initial_writes)
    for event in members(execution.fetched):
        step = execution.steps[event]
        if step is not None and event == step.event:
            table.fetch(step)
    points = Points(execution, table)
    for event in events:
        points.committed |= 1 << event
        if execution.location[event] >= 0:
            points.by_location[execution.location[event]] |= 1 << event
    size = len(execution.steps)
    reads, before, after_read = [0] * size, [0] * size, [0] * size
    for store, load in rf:
        reads[load] |= 1 << store
    for first, second in co:
        before[second] |= 1 << first
        for load in range(size):
            if reads[load] >> first & 1:
                after_read[second] |= 1 << load
    fresh = Fresh(points, reads, before, after_read)
    reason = find_reason(replace(model, axioms=tuple(axioms)), plan, fresh)
    if reason is None:
        raise InternalError("an unsat core breaks no axiom")
    return reason
