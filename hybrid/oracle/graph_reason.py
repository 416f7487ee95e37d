"""Why a graph oracle refuses what it has: the trace as it stands, judged afresh."""

from __future__ import annotations

from hybrid.execution.bits import members
from hybrid.execution.execution import FAIL, Execution
from hybrid.execution.step import CHOICE, LOAD, RMW, Step
from hybrid.model import core
from hybrid.oracle.from_scratch import Fresh
from hybrid.oracle.pointwise import Points
from hybrid.oracle.reason import Reason
from hybrid.oracle.reasons import find_reason, full_plan
from hybrid.oracle.static import StaticTable


def reason_now(
    model: core.Model,
    execution: Execution,
    points: Points,
    base: list[list[int]] | None,
    event: int,
    candidate: int,
) -> Reason | None:
    """Of the committed events of `points`. `base` are the columns of rf, co and fr, if they are
    kept; else they are those of the execution, and of the event that is tried (-1: none)."""
    plan = full_plan(model)
    table = StaticTable(plan, execution.numbering.initial_writes)
    for step in _fetched_steps(execution):
        table.fetch(step)
    own = Points(execution, table)
    own.committed = points.committed
    own.by_location = points.by_location
    if base is None:
        base = base_columns(execution, points.committed, event, candidate)
    return find_reason(model, plan, Fresh(own, base[0], base[1], base[2]))


def base_columns(
    execution: Execution, committed: int, event: int, candidate: int
) -> list[list[int]]:
    rf, co, fr = ([0] * len(execution.steps) for _ in range(3))
    orders = [order.copy() for order in execution.co]
    readers = execution.readers.copy()
    if event >= 0:
        step = execution.steps[event]
        assert step is not None
        order = orders[execution.location[event]]
        if step.kind in (LOAD, RMW):
            readers[candidate] |= 1 << event
            if step.kind == RMW and execution.rmw_stores(step, execution.stored[candidate]):
                order.insert(order.index(candidate) + 1, step.second)
        elif step.kind != CHOICE and candidate != FAIL:
            order.insert(candidate, event)
    for order in orders:
        before = reading = 0
        for store in order:
            co[store], fr[store] = before, reading
            before |= 1 << store
            reading |= readers[store] & committed
    for store in members(committed):
        for load in members(readers[store] & committed):
            rf[load] |= 1 << store
    return [rf, co, fr]


def _fetched_steps(execution: Execution) -> list[Step]:
    """In po order a thread."""
    numbers = members(execution.fetched)
    found = [(n, execution.steps[n]) for n in numbers]
    return [s for n, s in found if s is not None and n == s.event]
