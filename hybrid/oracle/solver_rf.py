"""Solver oracles for reads-from classes: a partial trace is allowed when the solver finds a
coherence order that allows it.

Coherence is left open: of two committed stores of a location one comes first, transitively, the
initial write before all. These clauses are not Horn, so the solver has to search.

Stores that a model's look-ahead names take part before they are committed; see graph_rf.py.
"""

from __future__ import annotations

from hybrid.encoding.horn import key_of
from hybrid.execution.bits import members
from hybrid.execution.execution import Execution
from hybrid.execution.step import LOAD, RMW
from hybrid.oracle.api import Candidate
from hybrid.oracle.reason import Reason
from hybrid.oracle.solver import SolverOracle

Orders = list[list[int]]  # a total order of stores for each location, the initial write first


class RfSolverOracle(SolverOracle):
    """Unless `ordered`, the execution's own `co` only lists the stores here; `witness` orders
    them."""

    _ordered: set[int]  # occurrences of stores whose coherence clauses are there

    @property
    def ordered(self) -> bool:
        return False

    # ---- what the engine asks for at the end of a run

    def witness(self, last: dict[int, int]) -> Orders | None:
        self._forget()
        assumed = list(self._assumed)
        for location, store in last.items():
            final = self._store(store)
            others = [other for other in self.execution.co[location] if other != store]
            assumed += [self._before(self._store(other), final) for other in others]
        return self._orders() if self.logic.decide(assumed) else None

    def flags_of(self, orders: Orders) -> tuple[str, ...]:
        self._forget()
        assumed = list(self._assumed)
        for stores in orders:
            numbers = [self._store(store) for store in stores]
            for place, later in enumerate(numbers):
                assumed += [self._before(earlier, later) for earlier in numbers[:place]]
        return self._raised(orders, assumed)

    def _orders(self) -> Orders:
        """The coherence orders of the solution, of committed stores."""
        found: Orders = []
        for stores in self.execution.co:
            before: list[tuple[int, int, int]] = []  # how many come before, place here, store
            numbers = [self._store(store) for store in stores]
            for place, store in enumerate(stores):
                own = numbers[place]
                earlier = [x for x in numbers if x != own and self._is_before(x, own)]
                before.append((len(earlier), place, store))
            found.append([store for _, _, store in sorted(before)])
        return found

    def _is_before(self, first: int, second: int) -> bool:
        """In the solution."""
        return self.logic.value(self._before(first, second))

    # ---- one commit

    def _add(self, event: int, candidate: Candidate) -> None:
        execution = self.execution
        step = execution.steps[event]
        assert step is not None
        if step.kind not in (LOAD, RMW):
            self._assumed.append(self._here[self._store(event)])
            if self.ordered:
                self._place(event, candidate)
            self._look_ahead(event)
            return
        if not execution.committed >> candidate & 1:
            self._store(candidate)  # forwarded: its place in coherence is open
        self._add_load(step, candidate)
        if step.kind == RMW and execution.rmw_stores(step, execution.stored[candidate]):
            second = self._store(step.second)
            self._assumed.append(self._here[second])
            self._assumed.append(self._before(self._store(candidate), second))
            if self.ordered:
                order = execution.co[execution.location[event]]
                self._place(step.second, order.index(candidate) + 1)
        self._look_ahead(event)

    def _place(self, event: int, place: int) -> None:
        """Orders a store among the committed ones."""
        number = self._store(event)
        for i, other in enumerate(self.execution.co[self.execution.location[event]]):
            pair = (self._store(other), number) if i < place else (number, self._store(other))
            self._assumed.append(self._before(*pair))

    def _look_ahead(self, event: int) -> None:
        """Takes in the stores for which the event must leave a place."""
        step = self.execution.steps[event]
        if self.ahead is None or step is None:
            return
        for store in members(self.ahead.before(step) & self.execution.pending):
            if store != event:
                self._assumed.append(self._here[self._store(store)])

    def _store(self, event: int) -> int:
        """The occurrence of a store, with its place in coherence open."""
        number = self._occurrence(event).number
        if number in self._ordered:
            return number
        here = self._here[number]
        add = self.logic.add
        location = self.execution.location[event]
        possible = self.horn.compatible[number] & self.occurrences.locations[location]
        others = [other for other in members(possible) if other in self._ordered]
        self._ordered.add(number)
        initial = self._occurrence(self.execution.co[location][0]).number
        for other in others:
            first, second = self._before(other, number), self._before(number, other)
            add((-first, -second))
            add((-here, -self._here[other], first, second))
            if other == initial:
                add((-second,))
            for third in others:
                if third != other and self.horn.compatible[other] >> third & 1:
                    add((-self._before(other, third), -self._before(third, number), first))
                    add((-second, -self._before(other, third), self._before(number, third)))
                    add((-first, -self._before(number, third), self._before(other, third)))
        return number

    # ---- judging

    def _judge(self) -> bool:
        return self.logic.decide(self._assumed)

    def _start(self, execution: Execution) -> None:
        self._ordered = set()
        for order in execution.co:
            self._assumed.append(self._here[self._store(order[0])])

    def _reason_now(self) -> Reason:
        """The reason of a core; when that leaves coherence open, what is wrong with one order, as
        an example."""
        needed = self._small_core()
        facts = [x for x in needed if x not in self._active]
        self.logic.solve(facts)
        events = self._events_in(facts)
        order = [
            self._before(a, b)
            for a in events
            for b in events
            if key_of(a, b) in self._co_of and self.logic.value(self._co_of[key_of(a, b)])
        ]
        return self._reason_in(self.logic.small_core([*needed, *order]))

    def _events_in(self, literals: list[int]) -> list[int]:
        found: dict[int, None] = {}
        for literal in literals:
            name = self.logic.name_of(literal)
            assert isinstance(name, tuple)
            if name[0] in ("here", "rf", "co"):
                found |= dict.fromkeys(name[1:])
        return list(found)


class OrderedSolverOracle(RfSolverOracle):
    """For traces, where a model looks ahead: only the places of stores that are not committed are
    left open."""

    @property
    def ordered(self) -> bool:
        return True
