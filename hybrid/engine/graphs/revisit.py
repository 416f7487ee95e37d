"""Stateless exploration of graphs with revisit sets: Lahav and Vafeiadis, "Model checking for weak
memory models" (slides, 2017), "Graph-based stateless model checking" and "Revisit sets".

The slides' names: G is the graph of `Visit.units`; T, the set of revisitable reads, is
`Visit.revisitable`; R is a `Change.loads`; Add(G, a) is a child of `_children`. The next event is
always that of the first thread that can go on.

- A load is revisitable in one child only, the one in which it reads from the last of the stores
  that are before it in po and rf; in all others, all loads before it and before its source are
  taken out of T.
- A store revisits every set R of revisitable loads of its location, none before another nor before
  the store; they read from it, what is after them goes, and R and all loads before it are taken out
  of T.

The slides are silent on these:
- A store that does not come last in coherence fixes its place before the next store for good: what
  is before either of the two is taken out of T. In the same way a store-conditional fails in the
  child that keeps T, and a choice (a weak cas) goes its first way.
- A load that reads from what is before it may be at odds with the rest of the graph, where
  consistency looks beyond the past of an event: under sc, or if two rmws have the same source. A
  revisit can still mend that, and some graphs are reached only so. Therefore such a graph stays, as
  long as the model allows the past of each event, and all that no revisit can change any more. The
  run is blocked if nothing comes to mend it. Where consistency is a matter of each event's past (ra
  without rmws), there is no such graph.
- An rmw is one unit: its load and, directly after the load's source, its store. One that is
  revisited stores anew, and this store revisits in turn.
- An await that does not accept the value waits, revisitable; the thread stands. One that accepts it
  can wait all the same, for good: what stays in memory may be another value. This is one more
  source for it, and takes all loads before it out of T.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hybrid.engine.api import Counters, Limits
from hybrid.engine.graphs.later_stores import LaterStores
from hybrid.engine.graphs.workbench import GraphUnit, Units, Workbench
from hybrid.engine.trust import engine as trust_engine
from hybrid.engine.trust.graph import dense_unfolding
from hybrid.execution.bits import members
from hybrid.execution.execution import FAIL
from hybrid.execution.step import CONDITIONAL, LOAD, RMW, Step
from hybrid.execution.trace import Trace
from hybrid.model import core
from hybrid.oracle.make import check_oracle
from hybrid.program.program import Program


class Visit(NamedTuple):
    """A graph to be extended."""

    units: Units
    revisitable: int  # loads, as bits
    allowed: bool = True  # the model allows it
    known: int = 0  # so many units at its beginning are known to be allowed
    revisited: bool = False  # some loads were revisited on the way here from its parent
    first: bool = False  # what a maximal extension does: it must be possible
    rmw: int = -1  # the load of an rmw that was revisited: its store is new, and revisits in turn


class RevisitExploration:
    """The algorithm with a stack of its own."""

    def __init__(
        self,
        program: Program,
        model: core.Model,
        limits: Limits,
        counters: Counters,
        threads: Sequence[int],
        oracle: str,
        sat_solver: str,
    ) -> None:
        self.limits = limits
        self.counters = counters
        self.threads = threads
        unfolding = dense_unfolding(program, model, limits.unroll, limits.max_steps, oracle)
        self.bench = Workbench(unfolding, model, oracle, sat_solver, limits, counters)
        # for parts of a graph that the model refuses
        self.part = Workbench(unfolding, model, oracle, sat_solver, limits, counters)
        self.later = LaterStores(program, unfolding.numbering)

    def run(self) -> Iterator[Trace]:
        stack = [Visit((), 0)]
        bench = self.bench
        while stack:
            self.limits.check_time()
            visit = stack.pop()
            bench.build(visit.units, len(visit.units) if visit.allowed else 0)
            step = bench.next(self.threads)
            candidates = [] if visit.rmw < 0 else list(self._revisits_in_turn(visit))
            if step is None:
                yield from bench.end()
            else:
                candidates += self._children(visit, step)
            children = [child for child in map(self._judged, candidates) if child is not None]
            if step is not None and not children:
                if visit.allowed:
                    self.counters.stuck += 1
                else:
                    self.counters.blocked += 1
            stack += reversed(children)

    # ---- children

    def _children(self, visit: Visit, step: Step) -> list[Visit]:
        """All graphs with one access more, allowed or not."""
        access = self.bench.access(step)
        if access.kind == LOAD or access.kind == RMW:
            return self._with_load(visit, step, access)
        found: list[Visit] = []
        revisitable = visit.revisitable
        if access.kind == CONDITIONAL:
            unit = GraphUnit(access.event, FAIL)
            found.append(self._child(visit, (*visit.units, unit), revisitable, first=True))
            if not self.bench.graph.may_succeed(access):
                return found
            revisitable &= ~self.bench.graph.thread_past[access.thread]
        return found + self._with_store(visit, access, revisitable)

    def _with_load(self, visit: Visit, step: Step, access: Step) -> list[Visit]:
        """A load with every source; an rmw is a store too."""
        bench, graph = self.bench, self.bench.graph
        event = access.event
        own = graph.thread_past[access.thread]
        order = graph.co[graph.location[event]]
        prior = own | bench.graph.numbering.initial_writes
        default = next(store for store in reversed(order) if prior >> store & 1)
        found: list[Visit] = []
        for source in (default, *(store for store in reversed(order) if store != default)):
            outcomes = bench.outcomes(step, graph.stored[source])
            if not outcomes and source == default:
                unit = GraphUnit(event, order[0], waits=True)
                revisitable = visit.revisitable | 1 << event
                found.append(self._child(visit, (*visit.units, unit), revisitable))
            elif source == default and access.is_await:
                unit = GraphUnit(event, order[0], waits=True)
                found.append(self._child(visit, (*visit.units, unit), visit.revisitable & ~own))
            for outcome in outcomes:
                first = source == default and outcome == outcomes[0]
                if first:
                    revisitable = visit.revisitable | 1 << event
                else:
                    revisitable = visit.revisitable & ~(own | bench.past(source))
                unit = GraphUnit(event, source, outcome)
                found.append(self._child(visit, (*visit.units, unit), revisitable, first=first))
                if bench.stores(step, outcome, graph.stored[source]):
                    found += self._rmw_revisits(visit, access, unit, revisitable)
        return found

    def _rmw_revisits(
        self, visit: Visit, access: Step, unit: GraphUnit, revisitable: int
    ) -> Iterator[Visit]:
        """The children in which the store of an rmw revisits loads."""
        bench, graph = self.bench, self.bench.graph
        location = graph.location[unit.event]
        past = graph.thread_past[access.thread] | bench.past(unit.parameter) | 1 << unit.event
        value = graph.rmw_value(access, graph.stored[unit.parameter])
        loads = revisitable & graph.reads[location] & ~past
        for change in bench.changes(access.second, location, value, loads, False):
            kept = bench.kept(change.kept)
            left = revisitable & change.kept & ~self._before(change.loads, past)
            yield self._revisited(visit, kept, (unit, *change.again), left, change.rmw)

    def _revisits_in_turn(self, visit: Visit) -> Iterator[Visit]:
        """The same for an rmw that was itself revisited and is on the graph."""
        bench, graph = self.bench, self.bench.graph
        store = bench.frame_of[visit.rmw].step.second
        location = graph.location[store]
        past = graph.past[store]
        loads = visit.revisitable & graph.reads[location] & ~past
        for change in bench.changes(store, location, graph.stored[store], loads, False):
            kept = bench.kept(change.kept)
            left = visit.revisitable & change.kept & ~self._before(change.loads, past)
            yield self._revisited(visit, kept, change.again, left, change.rmw)

    def _with_store(self, visit: Visit, access: Step, revisitable: int) -> list[Visit]:
        """A store at every place, with every set of loads that it revisits."""
        bench, graph = self.bench, self.bench.graph
        event = access.event
        location = graph.location[event]
        past = graph.thread_past[access.thread]
        value = access.value.evaluate(graph.result)
        order = graph.co[location]
        found = [
            self._child(
                visit,
                (*visit.units, GraphUnit(event, place)),
                revisitable & ~self._fixed(order, place, past),
                first=place == len(order) and access.kind != CONDITIONAL,
            )
            for place in bench.places(access, graph.present)
        ]
        loads = revisitable & graph.reads[location] & ~past
        for change in bench.changes(event, location, value, loads, False):
            kept = bench.kept(change.kept)
            left = revisitable & change.kept & ~self._before(change.loads, past)
            stores = change.kept | bench.graph.numbering.initial_writes
            order = [store for store in graph.co[location] if stores >> store & 1]
            found += [
                self._revisited(
                    visit,
                    kept,
                    (GraphUnit(event, place), *change.again),
                    left & ~self._fixed(order, place, past),
                    change.rmw,
                )
                for place in bench.places(access, change.kept)
            ]
        return found

    def _child(self, parent: Visit, units: Units, revisitable: int, first: bool = False) -> Visit:
        known = len(parent.units) if parent.allowed else 0
        return Visit(units, revisitable, True, known, False, first)

    def _revisited(
        self, parent: Visit, kept: list[GraphUnit], new: Units, revisitable: int, rmw: int
    ) -> Visit:
        known = len(kept) if parent.allowed else 0
        return Visit((*kept, *new), revisitable, True, known, True, False, rmw)

    def _fixed(self, order: list[int], place: int, past: int) -> int:
        """What a store at a place in the order before the end makes final."""
        return past | self.bench.past(order[place]) if place < len(order) else 0

    def _before(self, loads: int, past: int) -> int:
        """What is before the revisited loads, now that they read from a store with this past."""
        for load in members(loads):
            past |= self.bench.frame_of[load].thread_past
        return past

    # ---- consistency

    def _judged(self, visit: Visit) -> Visit | None:
        """The visit as it is allowed, or None where it is not and no revisit can mend that."""
        bench, part = self.bench, self.part
        allowed = bench.build(visit.units, visit.known)
        if not allowed:
            final = self._final(visit)
            if not part.build(bench.kept(final), 0):
                return None
            past = bench.past(visit.units[-1].event)
            if past & ~final and not part.build(bench.kept(past), 0):
                self.counters.stuck += visit.first
                return None
        self.counters.revisits += visit.revisited
        return visit._replace(allowed=allowed)

    def _final(self, visit: Visit) -> int:
        """The events that no revisit can take away: not after a revisitable load to whose location
        something may still be stored."""
        bench, graph = self.bench, self.bench.graph
        stored = 0 if visit.rmw < 0 else 1 << graph.location[visit.rmw]
        for thread, step in enumerate(graph.next):
            if graph.moving >> thread & 1 and isinstance(step, Step):
                stored |= self.later.at(step)
        live, final, added = 0, 0, True
        while added:
            new = sum(
                1 << load
                for load in members(visit.revisitable & ~live)
                if stored >> graph.location[load] & 1
            )
            live |= new
            added = bool(new)
            final = 0
            for frame in bench.frames:
                bits = bench.past(frame.event)
                if bits & new:
                    stored |= self.later.at(frame.choice or frame.step)
                if not bits & live:
                    final |= bits
        return final


class Revisit:
    """Explores all traces of models in which po ∪ rf is acyclic."""

    name = "revisit"

    def __init__(
        self, oracle: str = "graph", policy: str = "first", seed: int = 0, sat_solver: str = ""
    ) -> None:
        check_oracle(oracle, sat_solver)
        self.oracle = oracle
        self.threads = trust_engine.Trust(policy=policy, seed=seed).threads
        self.sat_solver = sat_solver  # of the pysat oracle; empty: the default one
        self.counters = Counters()

    def explore(self, program: Program, model: core.Model, limits: Limits) -> Iterator[Trace]:
        self.counters = Counters()
        threads = self.threads(program)
        return RevisitExploration(
            program, model, limits, self.counters, threads, self.oracle, self.sat_solver
        ).run()
