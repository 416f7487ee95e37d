"""`enumerate`: brute force, the ground truth that other engines are compared with.

Every combination of one control-flow path a thread, every source for each load, every coherence order of each
location's stores: a candidate execution. Those are yielded that all axioms of the model allow. This is how herd works
(Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014, section 8).

Nothing about the model is assumed. An axiom is judged as soon as all that it speaks of is fixed (paths, then rf, then
addresses, then co). While co is fixed location by location, an axiom over an expression that can only grow with
co is judged on what is there already: if broken then, it is broken in every completion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product

from hybrid.engine.api import Counters, Limits
from hybrid.engine.enumerate.evaluate import (
    CO,
    LOC,
    PATH,
    RF,
    Evaluation,
    Plan,
)
from hybrid.engine.enumerate.paths import Path, paths
from hybrid.engine.enumerate.solve import Combination, Solution
from hybrid.engine.enumerate.terms import Terms
from hybrid.engine.enumerate.trace import Candidate, Layout
from hybrid.execution.trace import Status, Trace
from hybrid.model.core import Model
from hybrid.program.program import Program

Order = tuple[int, ...]  # stores of one location in co order, the initial write first, as positions


class Enumerate:
    """The engine."""

    name = "enumerate"

    def __init__(self) -> None:
        self.counters = Counters()

    def explore(self, program: Program, model: Model, limits: Limits) -> Iterator[Trace]:
        """All allowed complete traces, each once, and the CUT and ERROR ones."""
        self.counters = Counters()
        terms = Terms()
        plans = {fixed: Plan(model, fixed) for fixed in (False, True)}
        choices = [list(paths(program, t, terms, limits)) for t in range(len(program.threads))]
        for chosen in product(*choices):
            status = overall(chosen)
            if status is Status.BLOCKED:
                continue
            combination = Combination(program, terms, chosen)
            for trace in self._allowed(program, combination, status, plans, limits):
                if status is Status.COMPLETE:
                    self.counters.complete += 1
                elif status is Status.CUT:
                    self.counters.cut += 1
                else:
                    self.counters.errors += 1
                yield trace

    def _allowed(
        self,
        program: Program,
        combination: Combination,
        status: Status,
        plans: Mapping[bool, Plan],
        limits: Limits,
    ) -> Iterator[Trace]:
        """The allowed executions along one combination of paths."""
        layout: Layout | None = None
        evaluation: Evaluation | None = None
        for solution in combination.solutions(limits):
            if layout is None or evaluation is None:
                layout = Layout(program, combination, status)
                plan = plans[layout.fixed_addresses]
                evaluation = Evaluation(plan, len(layout.ids), layout.base())
                if layout.fixed_addresses:
                    evaluation.set_addresses(layout.addresses(solution.values))
                if not evaluation.all_satisfied(plan.constraints[PATH]):
                    return
            self.counters.checks += 1
            evaluation.set_rf(layout.rf(solution))
            if not evaluation.all_satisfied(evaluation.plan.constraints[RF]):
                continue
            if solution.circular:
                if self._circle_allowed(layout, evaluation, solution, limits):
                    self.counters.thin_air += 1
                continue
            for co in self._coherence(layout, evaluation, solution.values, limits):
                yield Candidate(layout, solution, co, evaluation.raised())

    def _circle_allowed(
        self, layout: Layout, evaluation: Evaluation, solution: Solution, limits: Limits
    ) -> bool:
        """Whether the axioms allow a circle of values with any locations for the addresses that have no value."""
        values = solution.values
        unknown = sorted({t for t in layout.address_terms if t is not None and t not in values})
        places = [place.address for place in layout.program.locations]
        for guess in product(places, repeat=len(unknown)):
            limits.check_time()
            guessed = {**values, **dict(zip(unknown, guess, strict=True))}
            if not layout.combination.possible(guessed, solution.sources):
                continue
            for _ in self._coherence(layout, evaluation, guessed, limits):
                return True
        return False

    def _coherence(
        self, layout: Layout, evaluation: Evaluation, values: Mapping[int, int], limits: Limits
    ) -> Iterator[tuple[Order, ...]]:
        """The coherence orders that the axioms allow, with rf set: one order a location."""
        plan = evaluation.plan
        addresses = layout.addresses(values)
        if not layout.fixed_addresses:
            evaluation.set_addresses(addresses)
            if not evaluation.all_satisfied(plan.constraints[LOC]):
                return
        stores = sorted(layout.stores_by_location(addresses), key=len)
        orders: list[Order] = []
        frames: list[Iterator[Order]] = []  # one a location that has an order: what is left to try
        while True:
            complete = len(orders) == len(stores)
            limits.check_time()
            self.counters.checks += 1
            evaluation.set_co(*co_rows(orders, stores[len(orders) :], len(layout.ids)))
            if evaluation.all_satisfied(plan.constraints[CO] if complete else plan.final):
                if complete:
                    yield tuple(orders)
                else:
                    frames.append(all_orders(stores[len(orders)]))
                    orders.append(next(frames[-1]))
                    while len(orders) < len(stores) and len(stores[len(orders)]) <= 2:
                        frames.append(all_orders(stores[len(orders)]))
                        orders.append(next(frames[-1]))  # the only one: judged with the next
                    continue
            while frames:  # to the next order of the last location that has one
                following = next(frames[-1], None)
                orders.pop()
                if following is not None:
                    orders.append(following)
                    break
                frames.pop()
            if not frames:
                return


def overall(chosen: Sequence[Path]) -> Status:
    """How a run along these paths ends."""
    endings = {path.status for path in chosen}
    for status in (Status.ERROR, Status.CUT, Status.BLOCKED):
        if status in endings:
            return status
    return Status.COMPLETE


def all_orders(stores: Sequence[int]) -> Iterator[Order]:
    """Every order of one location's stores, the initial write first."""
    return ((stores[0], *others) for others in permutations(stores[1:]))


def co_rows(
    orders: Sequence[Order], unordered: Sequence[Sequence[int]], size: int
) -> tuple[list[int], int]:
    """co as a relation, and the set of co-last stores. Of locations that are still unordered there is only what
    holds in every order: the initial write is before the others."""
    rows = [0] * size
    last = 0
    for order in orders:
        later = 0
        last |= 1 << order[-1]
        for store in reversed(order):
            rows[store] = later
            later |= 1 << store
    for initial, *others in unordered:
        rows[initial] = sum(1 << store for store in others)
    return rows, last
