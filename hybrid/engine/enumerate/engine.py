"""`enumerate`: brute force, the ground truth that other engines are compared with.

Every combination of one control-flow path a thread, every source for each load, every coherence
order of each location's stores: a candidate execution. Those are yielded that all axioms of the
model allow. This is how herd works (Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014,
section 8).

Nothing about the model is assumed. An axiom is judged as soon as all that it speaks of is fixed
(paths, then rf, then addresses, then co). An axiom that forbids something of an expression that can
only grow with rf, addresses and co is judged also on what is there so far, load by load and store
by store: if broken then, it is broken in every completion. `Enumerate(early=False)` leaves this
out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from hybrid.engine.api import Counters, Limits
from hybrid.engine.enumerate.evaluate import CO, LOC, PATH, RF, Evaluation, EvaluationPlan, plan_for
from hybrid.engine.enumerate.paths import paths
from hybrid.engine.enumerate.solve import Access, Combination, Solution
from hybrid.engine.enumerate.terms import Terms
from hybrid.engine.enumerate.trace import Candidate, EventLayout
from hybrid.engine.enumerate.walk import Path
from hybrid.execution.trace import Status, Trace
from hybrid.model.core import RACE, Model
from hybrid.program.program import Program

Order = tuple[int, ...]  # stores of one location in co order, the initial write first, as positions
Partial = tuple[
    tuple[Order, Order], ...
]  # by location: the stores placed so far, in order; the rest


class Enumerate:
    """The engine."""

    name = "enumerate"

    def __init__(self, early: bool = True) -> None:
        self.counters = Counters()
        # whether an axiom that is broken for good ends a candidate in the making
        self.early = early

    def explore(self, program: Program, model: Model, limits: Limits) -> Iterator[Trace]:
        """All allowed complete traces and WAITING runs, each once; the CUT and ERROR ones; BLOCKED
        ones in which an assert fails or freed memory is written, or in which accesses race and no
        run before has told of a race."""
        self.counters = Counters()
        unraced = bool(model.races)  # a race would be news
        terms = Terms()
        plans = {fixed: plan_for(model, fixed) for fixed in (False, True)}
        choices = [list(paths(program, t, terms, limits)) for t in range(len(program.threads))]
        for chosen in product(*choices):
            status = overall(chosen)
            may_wait = status is Status.BLOCKED and only_awaits_stop(chosen)
            wrong = bool(program.freed_by) or any(path.asserts for path in chosen)
            looked_at = may_wait or unraced or wrong
            if status is Status.BLOCKED and not looked_at:
                continue
            combination = Combination(program, terms, chosen)
            for trace in self._allowed(program, combination, status, plans, limits):
                if may_wait:
                    trace.wait_for_ever()
                raced = RACE in trace.flags
                news = bool(trace.failed) or (raced and unraced)
                news = news or (bool(program.freed_by) and bool(trace.late_stores()))
                if trace.status is Status.BLOCKED and not news:
                    continue
                unraced = unraced and not raced
                self._count(trace)
                yield trace

    def _count(self, trace: Candidate) -> None:
        if trace.status is Status.COMPLETE:
            self.counters.complete += 1
        elif trace.status is Status.CUT:
            self.counters.cut += 1
        elif trace.status is Status.ERROR:
            self.counters.errors += 1
        elif trace.status is Status.WAITING:
            self.counters.count_waiting(trace.waiting)

    def _allowed(
        self,
        program: Program,
        combination: Combination,
        status: Status,
        plans: Mapping[bool, EvaluationPlan],
        limits: Limits,
    ) -> Iterator[Candidate]:
        """The allowed executions along one combination of paths."""
        layout = EventLayout(program, combination, status)
        plan = plans[layout.fixed_addresses]
        evaluation = Evaluation(plan, len(layout.ids), layout.base())
        if layout.fixed_addresses:
            evaluation.set_addresses(layout.addresses(combination.constants()))
        if not evaluation.all_satisfied(plan.constraints[PATH]):
            return

        def hopeless(sources: Sequence[Access], values: Mapping[int, int]) -> bool:
            return self.early and self._hopeless(layout, evaluation, sources, values)

        for solution in combination.solutions(limits, hopeless):
            self.counters.checks += 1
            evaluation.set_rf(layout.rf(solution.sources))
            if not evaluation.all_satisfied(plan.constraints[RF]):
                continue
            if solution.circular:
                if self._circle_allowed(layout, evaluation, solution, limits):
                    self.counters.thin_air += 1
                continue
            for co in self._coherence(layout, evaluation, solution.values, limits):
                yield Candidate(layout, solution, co, evaluation.raised())

    def _hopeless(
        self,
        layout: EventLayout,
        evaluation: Evaluation,
        sources: Sequence[Access],
        values: Mapping[int, int],
    ) -> bool:
        """Whether an axiom is broken for good when only some loads have their sources."""
        self.counters.checks += 1
        addresses = layout.addresses(values)
        evaluation.set_rf(layout.rf(sources))
        if not layout.fixed_addresses:
            evaluation.set_addresses(addresses)
        stores = unordered(layout.stores_by_location(addresses))
        evaluation.set_co(*co_rows(stores, len(layout.ids)))
        return not evaluation.all_satisfied(evaluation.plan.final)

    def _circle_allowed(
        self, layout: EventLayout, evaluation: Evaluation, solution: Solution, limits: Limits
    ) -> bool:
        """Whether the axioms allow a circle of values with any locations for the addresses that
        have no value."""
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
        self, layout: EventLayout, evaluation: Evaluation, values: Mapping[int, int], limits: Limits
    ) -> Iterator[tuple[Order, ...]]:
        """The coherence orders that the axioms allow, with rf set: one order a location."""
        plan = evaluation.plan
        addresses = layout.addresses(values)
        if not layout.fixed_addresses:
            evaluation.set_addresses(addresses)
            if not evaluation.all_satisfied(plan.constraints[LOC]):
                return
        stores = sorted(layout.stores_by_location(addresses), key=len)
        pending = [unordered(stores)]
        while pending:
            partial = pending.pop()
            limits.check_time()
            self.counters.checks += 1
            choices = next((i for i, (_, left) in enumerate(partial) if len(left) > 1), None)
            evaluation.set_co(*co_rows(partial, len(layout.ids)))
            if choices is None:
                if evaluation.all_satisfied(plan.constraints[CO]):
                    yield tuple(placed + left for placed, left in partial)
            elif not self.early or evaluation.all_satisfied(plan.final):
                placed, left = partial[choices]
                for store in left:
                    rest = tuple(other for other in left if other != store)
                    extended = ((*placed, store), rest)
                    pending.append((*partial[:choices], extended, *partial[choices + 1 :]))


def overall(chosen: Sequence[Path]) -> Status:
    """How a run along these paths ends."""
    endings = {path.status for path in chosen}
    for status in (Status.ERROR, Status.CUT, Status.BLOCKED):
        if status in endings:
            return status
    return Status.COMPLETE


def only_awaits_stop(chosen: Sequence[Path]) -> bool:
    """Whether all paths that stop before their ends stop at awaits."""
    return all(p.status is Status.COMPLETE or p.stops_at is not None for p in chosen)


def unordered(stores: Sequence[Sequence[int]]) -> Partial:
    """Nothing placed but the initial writes, which come first."""
    return tuple(((initial,), tuple(others)) for initial, *others in stores)


def co_rows(partial: Partial, size: int) -> tuple[list[int], int]:
    """co as far as it is known, and the set of co-last stores, which is right once all is known. A
    store that is placed is before all that are placed later or not yet."""
    rows = [0] * size
    last = 0
    for placed, left in partial:
        later = 0
        for store in left:
            later |= 1 << store
        last |= 1 << (left or placed)[-1]
        for store in reversed(placed):
            rows[store] = later
            later |= 1 << store
    return rows, last
