"""Stateful exploration of graphs: Lahav and Vafeiadis, "Model checking for weak memory models"
(slides, 2017), "Graph-based stateful model checking", with the improvement that events are added in
a fixed order, and with the visited graphs in a trie.

The slides' names: V is `visited`; Add(G, a) is a child of `_children`; the order in which events
are added is that of the threads, always the first that can go on. A graph's string in the trie is
its list of units, in an order that the graph alone fixes and that is like that of addition: a load
has its source, a store its place in mo (coherence) among the stores before it in the list.

- A load reads from any store; a store takes any place and revisits any set of loads of its
  location, none before another nor before the store: they read from it, and what is after them
  goes.
- Only graphs that the model allows are kept. That is enough where a graph can be extended
  maximally: in the part of a target that is there already, extended maximally by all that the
  target has otherwise, the next event of the target fits, with the loads that have to follow it
  revisited.

The slides are silent on these:
- An rmw is one unit: its load and, directly after the load's source, its store; it has to revisit
  an rmw that reads from the same source. One that is revisited stores anew, and this store revisits
  in turn.
- An await that does not accept the value of the last store in coherence waits: it is not an event,
  and the thread stands. A new last store makes an await wait again if it does not have the value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hybrid.engine.api import Counters, Limits
from hybrid.engine.graphs.trie import Trie
from hybrid.engine.graphs.workbench import GraphUnit, Units, Workbench
from hybrid.engine.trust import engine as trust_engine
from hybrid.engine.trust.graph import dense_unfolding
from hybrid.execution.execution import FAIL
from hybrid.execution.step import CONDITIONAL, LOAD, RMW, Step
from hybrid.execution.trace import Trace
from hybrid.model import core
from hybrid.oracle.make import check_oracle
from hybrid.program.program import Program


class Child(NamedTuple):
    units: Units
    known: int  # so many units at its beginning are known to be allowed
    rmw: int = -1  # the load of an rmw that was revisited: its store is new, and revisits in turn


class StatefulExploration:
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
        self.visited: Trie[GraphUnit] = Trie()

    def run(self) -> Iterator[Trace]:
        bench, counters = self.bench, self.counters
        stack: list[Units] = [()]
        self.visited.add(())
        counters.stored = 1
        while stack:
            self.limits.check_time()
            units = stack.pop()
            bench.build(units, len(units))
            step = bench.next(self.threads)
            if step is None:
                yield from bench.end()
                continue
            found = False
            added, revisited = self._children(units, step)
            for child in added:
                if bench.build(child.units, child.known):
                    found = True
                    self._visit(stack)
            for child in revisited:  # grows
                if bench.build(child.units, child.known):
                    found = True
                    counters.revisits += self._visit(stack)
                    if child.rmw >= 0:
                        revisited += self._revisits_in_turn(child.rmw)
            counters.stuck += not found

    def _visit(self, stack: list[Units]) -> bool:
        """Puts the graph at hand on the stack, if it is new."""
        units = tuple(self.bench.in_order(self.threads))
        new = self.visited.add(units)
        self.counters.stored = len(self.visited)
        if new:
            stack.append(units)
        return new

    # ---- children

    def _children(self, units: Units, step: Step) -> tuple[list[Child], list[Child]]:
        """All graphs with one access more, allowed or not; and those in which it revisits loads."""
        access = self.bench.access(step)
        if access.kind == LOAD or access.kind == RMW:
            return self._with_load(units, step, access)
        added: list[Child] = []
        if access.kind == CONDITIONAL:
            added.append(Child((*units, GraphUnit(access.event, FAIL)), len(units)))
            if not self.bench.graph.may_succeed(access):
                return added, []
        places = self.bench.places(access, self.bench.graph.present)
        added += [Child((*units, GraphUnit(access.event, place)), len(units)) for place in places]
        return added, list(self._store_revisits(access))

    def _with_load(self, units: Units, step: Step, access: Step) -> tuple[list[Child], list[Child]]:
        bench, graph = self.bench, self.bench.graph
        event = access.event
        order = graph.co[graph.location[event]]
        added: list[Child] = []
        revisited: list[Child] = []
        for source in reversed(order):
            value = graph.stored[source]
            outcomes = bench.outcomes(step, value)
            if not outcomes and source == order[-1]:
                added.append(Child((*units, GraphUnit(event, order[0], waits=True)), len(units)))
            for outcome in outcomes:
                unit = GraphUnit(event, source, outcome)
                added.append(Child((*units, unit), len(units)))
                if bench.stores(step, outcome, value):
                    revisited += self._rmw_revisits(access, unit)
        return added, revisited

    def _rmw_revisits(self, access: Step, unit: GraphUnit) -> Iterator[Child]:
        bench, graph = self.bench, self.bench.graph
        location = graph.location[unit.event]
        past = graph.thread_past[access.thread] | bench.past(unit.parameter)
        loads = graph.reads[location] & ~past
        value = graph.rmw_value(access, graph.stored[unit.parameter])
        for change in bench.changes(access.second, location, value, loads, True):
            kept = bench.kept(change.kept)
            yield Child((*kept, unit, *change.again), len(kept), change.rmw)

    def _revisits_in_turn(self, rmw: int) -> Iterator[Child]:
        """The same for an rmw that was itself revisited and is on the graph."""
        bench, graph = self.bench, self.bench.graph
        store = bench.frame_of[rmw].step.second
        location = graph.location[store]
        loads = graph.reads[location] & ~graph.past[store]
        for change in bench.changes(store, location, graph.stored[store], loads, True):
            kept = bench.kept(change.kept)
            yield Child((*kept, *change.again), len(kept), change.rmw)

    def _store_revisits(self, access: Step) -> Iterator[Child]:
        bench, graph = self.bench, self.bench.graph
        event = access.event
        location = graph.location[event]
        loads = graph.reads[location] & ~graph.thread_past[access.thread]
        value = access.value.evaluate(graph.result)
        for change in bench.changes(event, location, value, loads, True):
            kept = bench.kept(change.kept)
            for place in bench.places(access, change.kept):
                yield Child((*kept, GraphUnit(event, place), *change.again), len(kept), change.rmw)


class Stateful:
    """Explores all traces of models in which po ∪ rf is acyclic."""

    name = "stateful"

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
        return StatefulExploration(
            program, model, limits, self.counters, threads, self.oracle, self.sat_solver
        ).run()
