"""Reasons for traces that are spelled out: why a whole candidate execution is refused, whoever
found it."""

from __future__ import annotations

from hybrid.execution.bits import members
from hybrid.execution.execution import Execution
from hybrid.execution.numbering import RESERVED
from hybrid.execution.step import (
    BRANCH,
    CONDITIONAL,
    FENCE,
    LOAD,
    RMW,
    STORE,
    Cursor,
    Dependencies,
    Step,
)
from hybrid.execution.trace import EventId, Pairs, TraceData
from hybrid.execution.unfolding import Unfolding
from hybrid.model import core
from hybrid.oracle.from_scratch import Fresh
from hybrid.oracle.plan import Plan
from hybrid.oracle.pointwise import Points
from hybrid.oracle.reason import Reason
from hybrid.oracle.reasons import FenceName, find_reason, find_reasons, full_plan
from hybrid.oracle.static import StaticTable

_KINDS = {"R": LOAD, "W": STORE, "F": FENCE, "B": BRANCH}


class TracedExecution(Execution):
    """A trace laid out as an execution in which everything is committed; it cannot grow."""

    def __init__(self, data: TraceData) -> None:
        program = data.program
        self.unfolding = Unfolding(program, 0, False)
        self.data = data
        self.numbering = numbering = self.unfolding.numbering
        size = 1 + max((self.number(e.id) for e in data.events), default=RESERVED)
        self.steps = [None] * size
        self.location = [-1] * size
        self.thread_bits = [0] * numbering.threads
        self.co = []
        for number, location in enumerate(numbering.locations):
            order = [self.number(store) for store in data.co.get(location.address, ())]
            self.co.append([numbering.initial_write(number), *order])
        for event in data.events:
            number = self.number(event.id)
            if event.address is not None:
                self.location[number] = numbering.location_of[event.address]
            if event.thread >= 0:
                self.thread_bits[event.thread] |= 1 << number
        self.fetched = numbering.initial_writes
        for bits in self.thread_bits:
            self.fetched |= bits
        self.committed = self.fetched
        self.in_po_order: list[Step] = []
        self._make_steps()

    def number(self, event: EventId) -> int:
        thread, index = event
        if thread < 0:
            return self.numbering.initial_write(index)
        return self.numbering.event(thread, index)

    def event_id(self, event: int) -> EventId:
        if self.numbering.initial_writes >> event & 1:
            return self.numbering.initial_id(event)
        return self.numbering.slot_of(event)

    def _make_steps(self) -> None:
        data = self.data
        nowhere = Cursor({})  # a trace does not tell what is between its events
        seconds = {store: load for load, store in data.amo}
        reserves = {store: load for load, store in data.lxsx}
        for event in data.events:  # sorted by id, so in po order a thread
            if event.thread < 0:
                continue
            number = self.number(event.id)
            step = Step(event.thread, event.id[1], number, _KINDS[event.kind], nowhere)
            step.tags = event.tags
            step.po = self.thread_bits[event.thread] & ((1 << number) - 1)
            step.depends = Dependencies(
                self._sources(data.addr, event.id),
                self._sources(data.data, event.id),
                self._sources(data.ctrl, event.id),
                self._sources(data.pick, event.id),
            )
            if event.id in reserves:
                step.kind = CONDITIONAL
                step.reserve = self.steps[self.number(reserves[event.id])]
            self.in_po_order.append(step)
            self.steps[number] = step
        for step in self.in_po_order:
            # Both events of an rmw have a step of their own here; each must answer for the pair.
            load = seconds.get(self.event_id(step.event))
            if load is not None:
                pair = Step(step.thread, load[1], self.number(load), RMW, nowhere)
                pair.second = step.event
                self.steps[step.event] = pair
                self.steps[pair.event] = pair

    def _sources(self, pairs: frozenset[tuple[EventId, EventId]], target: EventId) -> int:
        bits = 0
        for source, end in pairs:
            if end == target:
                bits |= 1 << self.number(source)
        return bits


def explain_trace(data: TraceData, model: core.Model) -> Reason | None:
    """The first axiom of `model` that the trace violates; None when it is allowed."""
    plan = full_plan(model)
    return find_reason(model, plan, _fresh(TracedExecution(data), plan))


def shortest_reason(
    data: TraceData, model: core.Model, plan: Plan, fence_name: FenceName
) -> Reason | None:
    """Of the axioms of `model` that the trace violates the one with the shortest cycle; None when
    it is allowed. `plan` is the full one of the model."""
    reasons = list(find_reasons(model, plan, _fresh(TracedExecution(data), plan), fence_name))
    return min(reasons, key=length_of) if reasons else None


def length_of(reason: Reason) -> tuple[bool, int, int]:
    """Orders reasons by the length of their cycles, told in full; of the same length one of many
    edges, none of them long, is the easier to read. One without edges says least."""
    edges = reason.edges
    return not edges, sum(max(1, len(edge.steps)) for edge in edges), -len(edges)


def racing(data: TraceData, model: core.Model) -> tuple[tuple[EventId, EventId], ...]:
    """The accesses that race, by the flags of `model` that say so: each pair once, sorted. A flag
    that is raised where something is missing names none."""
    execution = TracedExecution(data)
    plan = full_plan(model)
    fresh = _fresh(execution, plan)
    found: set[tuple[EventId, EventId]] = set()
    for flag in model.races:
        columns = fresh.columns(plan.node(flag.expr))
        if flag.test is core.Test.EMPTY and flag.negated:
            for event in fresh.events:
                for other in members(columns[event]):
                    pair = sorted((execution.event_id(other), execution.event_id(event)))
                    found.add((pair[0], pair[1]))
    return tuple(sorted(found))


def own_relations(data: TraceData, model: core.Model) -> list[tuple[core.Definition, Pairs]]:
    """The relations that the text of `model` names itself, its library aside, in the trace; where
    it names one twice, the later one."""
    execution = TracedExecution(data)
    plan = full_plan(model)
    fresh = _fresh(execution, plan)
    found: dict[str, tuple[core.Definition, Pairs]] = {}
    for index, definition in enumerate(model.definitions):
        if definition.kind is core.Kind.RELATION and definition.span.source.name == model.path:
            node = plan.node(core.Ref(definition.span, definition.kind, index))
            columns = fresh.columns(node)
            pairs: set[tuple[EventId, EventId]] = set()
            for event in fresh.events:
                for source in members(columns[event]):
                    pairs.add((execution.event_id(source), execution.event_id(event)))
            found[definition.name] = definition, frozenset(pairs)
    return list(found.values())


def _fresh(execution: TracedExecution, plan: Plan) -> Fresh:
    """The relations of a whole trace."""
    data = execution.data
    table = StaticTable(plan, execution.numbering.initial_writes)
    for step in execution.in_po_order:
        table.fetch(step)
    points = Points(execution, table)
    points.committed = execution.committed
    size = len(execution.steps)
    rf, co, fr = [0] * size, [0] * size, [0] * size
    for event in data.events:
        if event.address is not None:
            number = execution.number(event.id)
            points.by_location[execution.location[number]] |= 1 << number
    readers: dict[int, int] = {}
    for load, source in data.rf.items():
        rf[execution.number(load)] = 1 << execution.number(source)
        store = execution.number(source)
        readers[store] = readers.get(store, 0) | 1 << execution.number(load)
    for order in execution.co:
        before = 0
        for store in order:
            co[store] = before
            for earlier in members(before):
                fr[store] |= readers.get(earlier, 0)
            before |= 1 << store
    return Fresh(points, rf, co, fr)
