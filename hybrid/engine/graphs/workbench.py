"""One execution graph at a time, built from its description and judged while it is built: for
explorers whose graphs are data.

A graph is described by its units (an access; an rmw is one unit of two events) in an order that
respects po and rf. From one graph to the next the units that both begin with stay where they are.

A graph may also stand here that the model refuses: the oracle is then not told of the unit that
made it so, nor of what came after.
"""

from __future__ import annotations

from bisect import bisect, insort
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

from hybrid.engine.api import Counters, Limits
from hybrid.engine.end_of_run import end_of_run
from hybrid.engine.trust.frame import UnitFrame
from hybrid.engine.trust.graph import ExecutionGraph
from hybrid.execution.bits import members
from hybrid.execution.execution import FAIL
from hybrid.execution.step import CHOICE, LOAD, RMW, Step
from hybrid.execution.trace import Trace
from hybrid.execution.unfolding import Unfolding
from hybrid.model import core
from hybrid.oracle.coherence import coherent
from hybrid.oracle.make import make_oracle


class GraphUnit(NamedTuple):
    """One unit of a graph, as data."""

    event: int
    # source, place in co among the units before it, or FAIL; the initial write where an await waits
    parameter: int
    outcome: int = -1  # of the choice before it, if there is one
    waits: bool = False  # an await that reads nothing yet: no event of the trace


Units = tuple[GraphUnit, ...]


class Change(NamedTuple):
    """A way to revisit a set of loads: what stays, and how the loads come back when the store is
    there."""

    loads: int
    kept: int  # the events that stay
    again: Units  # the loads, reading from the store
    rmw: int  # of an rmw among them that stores: its load; -1: there is none


class Workbench:
    """The graph of `units`."""

    def __init__(
        self,
        unfolding: Unfolding,
        model: core.Model,
        oracle: str,
        sat_solver: str,
        limits: Limits,
        counters: Counters,
    ) -> None:
        self.unfolding = unfolding
        self.limits = limits
        self.counters = counters
        self.graph = ExecutionGraph(unfolding, False)
        self.oracle = make_oracle(oracle, model, self.graph, sat_solver)
        self.coherent = coherent(model)
        self.has_flags = bool(model.flags)
        self.units: list[GraphUnit] = []
        self.frames: list[UnitFrame] = []  # of the units
        self.frame_of: dict[int, UnitFrame] = {}  # by event
        self._refused = -1  # the number of the first unit that the model refuses; -1: none

    @property
    def allowed(self) -> bool:
        return self._refused < 0

    # ---- building

    def build(self, units: Sequence[GraphUnit], known: int) -> bool:
        """Makes this the graph; so many units at its beginning are known to be allowed. Whether it
        is allowed."""
        same = 0
        for old, new in zip(self.units, units, strict=False):
            if old != new:
                break
            same += 1
        while len(self.units) > same:
            self._pop()
        for number in range(same, len(units)):
            self._push(units[number], number < known)
        return self.allowed

    def _push(self, unit: GraphUnit, known: bool) -> None:
        graph, oracle = self.graph, self.oracle
        following = graph.next[self.thread_of(unit.event)]
        assert isinstance(following, Step)
        frame = UnitFrame(following, 0)
        if not unit.waits:
            told = self.allowed
            if frame.choice is not None:
                if told and known:
                    oracle.recommit(graph, frame.choice.event, unit.outcome)
                elif told:
                    told = oracle.settled(graph)
                    if told:
                        oracle.commit(frame.choice.event, unit.outcome)
                graph.choose(frame, unit.outcome)
            if told and not self._commit(unit, known):
                told = False
                if frame.choice is not None:
                    oracle.rollback()
            if not told and self._refused < 0:
                self._refused = len(self.units)
        graph.enter(frame, unit.parameter, unit.waits)
        self.units.append(unit)
        self.frames.append(frame)
        self.frame_of[unit.event] = frame

    def _commit(self, unit: GraphUnit, known: bool) -> bool:
        graph, oracle = self.graph, self.oracle
        if known:
            oracle.recommit(graph, unit.event, unit.parameter)
            return True
        if unit.parameter == FAIL:
            if not oracle.settled(graph):
                return False
        else:
            self.counters.checks += 1
            if not oracle.allows(graph, unit.event, unit.parameter):
                self.counters.refused += 1
                return False
        oracle.commit(unit.event, unit.parameter)
        return True

    def _pop(self) -> None:
        unit, frame = self.units.pop(), self.frames.pop()
        del self.frame_of[unit.event]
        self.graph.leave(frame)
        if unit.waits:
            return
        if self.allowed:
            self.oracle.rollback()
            if frame.choice is not None:
                self.oracle.rollback()
        elif self._refused == len(self.units):
            self._refused = -1
        if frame.choice is not None:
            self.graph.unchoose(frame)

    # ---- looking

    def thread_of(self, event: int) -> int:
        step = self.graph.steps[event]
        assert step is not None
        return step.thread

    def next(self, threads: Sequence[int]) -> Step | None:
        """The next access, or the choice before it: of the first of the threads that can go on."""
        graph = self.graph
        for thread in threads:
            step = graph.next[thread]
            if graph.moving >> thread & 1 and isinstance(step, Step):
                return step
        return None

    def access(self, step: Step) -> Step:
        """The access itself, where a choice comes before it."""
        found = self.unfolding.follow(step, 1) if step.kind == CHOICE else step
        assert isinstance(found, Step)
        return found

    def past(self, event: int) -> int:
        """What is before it in po and rf, and itself; an initial write has nothing."""
        if self.graph.numbering.initial_writes >> event & 1:
            return 0
        return self.graph.past[event] | 1 << event

    def events(self, unit: GraphUnit) -> int:
        second = self.frame_of[unit.event].step.second
        bits = 1 << unit.event
        if second >= 0 and not unit.waits and self.graph.committed >> second & 1:
            bits |= 1 << second
        return bits

    def outcomes(self, step: Step, value: int) -> list[int]:
        """With which outcomes of the choice before it (-1: there is none) an access can read
        `value`; with none it waits."""
        if step.kind != CHOICE:
            return [-1] if self.graph.satisfies(step, value) else []
        ways = ((outcome, self.unfolding.follow(step, outcome)) for outcome in (0, 1))
        return [o for o, way in ways if isinstance(way, Step) and self.graph.satisfies(way, value)]

    def stores(self, step: Step, outcome: int, value: int) -> bool:
        """Whether an access, after its choice, stores when it reads `value`."""
        access = self.unfolding.follow(step, outcome) if step.kind == CHOICE else step
        assert isinstance(access, Step)
        return access.kind == RMW and self.graph.rmw_stores(access, value)

    def places(self, step: Step, kept: int) -> range:
        """The places that a store can take in the coherence order of the events that stay, the last
        first; not before its own predecessors where the model's text forbids that."""
        graph = self.graph
        there = kept | self.graph.numbering.initial_writes
        order = [s for s in graph.co[graph.location[step.event]] if there >> s & 1]
        first = 1
        if self.coherent:
            for place in range(len(order) - 1, 0, -1):
                if step.po >> order[place] & 1:
                    first = place + 1
                    break
        return range(len(order), first - 1, -1)

    def kept(self, events: int) -> list[GraphUnit]:
        """The units of these events, which are closed under po and rf."""
        return self._placed(u for u in self.units if events >> u.event & 1)

    def in_order(self, threads: Sequence[int]) -> list[GraphUnit]:
        """The units in an order that depends on the graph alone: always the first thread whose next
        unit reads nothing that comes later."""
        waiting: list[list[GraphUnit]] = [[] for _ in range(self.graph.numbering.threads)]
        for unit in reversed(self.units):
            waiting[self.thread_of(unit.event)].append(unit)
        found: list[GraphUnit] = []
        there = self.graph.numbering.initial_writes
        while len(found) < len(self.units):
            for thread in threads:
                if waiting[thread] and self._ready(waiting[thread][-1], there):
                    unit = waiting[thread].pop()
                    found.append(unit)
                    there |= self.events(unit)
                    break
        return self._placed(found)

    def _ready(self, unit: GraphUnit, there: int) -> bool:
        kind = self.frame_of[unit.event].step.kind
        return (kind != LOAD and kind != RMW) or there >> unit.parameter & 1 == 1

    def _placed(self, units: Iterator[GraphUnit] | list[GraphUnit]) -> list[GraphUnit]:
        """The same with places among each other."""
        graph = self.graph
        ranks = [{store: i for i, store in enumerate(order)} for order in graph.co]
        there = [[0] for _ in graph.co]  # the ranks of stores so far, by location, sorted
        found: list[GraphUnit] = []
        for unit in units:
            step = self.frame_of[unit.event].step
            location = graph.location[unit.event]
            store = unit.event
            if step.kind == LOAD or step.kind == RMW:
                store = step.second
            elif unit.parameter != FAIL:
                place = bisect(there[location], ranks[location][store])
                unit = GraphUnit(unit.event, place, unit.outcome)
            rank = -1 if unit.waits or unit.parameter == FAIL else ranks[location].get(store, -1)
            if rank > 0:
                insort(there[location], rank)
            found.append(unit)
        return found

    # ---- revisits

    def changes(
        self, store: int, location: int, value: int, candidates: int, waiting: bool
    ) -> Iterator[Change]:
        """All ways in which a new store, which writes `value`, revisits some of the candidates,
        loads of its location that are not before it: sets of loads of which none is before another.
        With `waiting`, an await that does not accept the value comes to wait again."""
        ways = {
            load: self._ways(load, store, location, value, waiting) for load in members(candidates)
        }
        loads = [load for load, units in ways.items() if units]
        for size in range(1, len(loads) + 1):
            for chosen in combinations(loads, size):
                self.limits.check_time()
                bits = sum(1 << load for load in chosen)
                if any(self.graph.past[load] & bits for load in chosen):
                    continue
                kept = self._without(bits)
                for again in product(*(ways[load] for load in chosen)):
                    rmws = [unit.event for unit in again if self._stores_again(unit, value)]
                    if len(rmws) < 2:
                        yield Change(bits, kept, again, rmws[0] if rmws else -1)

    def _ways(
        self, load: int, store: int, location: int, value: int, waiting: bool
    ) -> list[GraphUnit]:
        frame = self.frame_of[load]
        outcomes = self.outcomes(frame.choice or frame.step, value)
        if not outcomes and waiting:
            return [GraphUnit(load, self.graph.co[location][0], waits=True)]
        return [GraphUnit(load, store, outcome) for outcome in outcomes]

    def _stores_again(self, unit: GraphUnit, value: int) -> bool:
        frame = self.frame_of[unit.event]
        return not unit.waits and self.stores(frame.choice or frame.step, unit.outcome, value)

    def _without(self, loads: int) -> int:
        """The events that are not after these loads in po and rf, nor are they."""
        kept = 0
        for unit in self.units:
            bits = self.events(unit)
            if not (self.graph.past[unit.event] | bits) & loads:
                kept |= bits
        return kept

    # ---- the end of a run

    def end(self) -> Sequence[Trace]:
        """Counts a full graph and shows it, unless it is blocked and no assert fails in it."""
        if not self.allowed:
            self.counters.blocked += 1
            return ()
        return end_of_run(self.graph, self.oracle, self.counters, self.has_flags)
