"""`bmc`: the bounded program and the model as one formula, answered by a solver.

`explore` takes one solution after another, each time excluding the rf and co that it has seen
(AllSAT by blocking clauses, projected on rf and co). `Witnesses` asks for the few runs that decide
the verdict, and for no more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hybrid.bmc.flags import raised
from hybrid.bmc.formula import Formula
from hybrid.bmc.question import satisfied
from hybrid.bmc.ranges import Ranges
from hybrid.bmc.solution import BmcTrace, blocking, read
from hybrid.bmc.solvers import SAT, SOLVERS, Z3
from hybrid.bmc.symbolic import symbolic
from hybrid.bmc.terms import FALSE, TRUE
from hybrid.bmc.thin_air import allows_circle, can_be_circular, circle_clause, has_circle
from hybrid.encoding.clauses import FALSE as UNTRUE
from hybrid.encoding.logic import Logic
from hybrid.engine.api import Counters, Limits, Stopped
from hybrid.engine.races import Races, default_races
from hybrid.errors import InputError
from hybrid.execution.trace import DataTrace, Status, Trace, TraceData
from hybrid.model.core import RACE, Model
from hybrid.program.condition import Quantifier
from hybrid.program.program import Program


def make_logic(solver: str, sat_solver: str = "") -> Logic:
    """A new Logic over Z3 or over a SAT solver of PySAT."""
    if solver == Z3:
        from hybrid.bmc.z3_bulk import BulkZ3Logic

        return BulkZ3Logic()
    if solver == SAT:
        from hybrid.encoding.sat_logic import DEFAULT_SAT_SOLVER, SatLogic

        return SatLogic(sat_solver or DEFAULT_SAT_SOLVER)
    raise InputError(f"no solver is called '{solver}'", hint=f"known: {', '.join(SOLVERS)}")


class _Search:
    """One formula, asked again and again."""

    def __init__(
        self,
        program: Program,
        model: Model,
        limits: Limits,
        solver: str,
        sat_solver: str,
        flags: bool,
    ) -> None:
        self.program = program
        self.model = model
        self.limits = limits
        self.thin_air = 0
        self.checks = 0
        self.symbolic = symbolic(program, limits)
        condition = program.condition
        self.condition = FALSE if condition is None else satisfied(self.symbolic, condition.formula)
        self.filter = TRUE if program.filter is None else satisfied(self.symbolic, program.filter)
        suspects = can_be_circular(self.symbolic, model, limits)
        wide = Ranges(self.symbolic, limits, suspects) if suspects else None
        ranges = Ranges(self.symbolic, limits)
        logic = make_logic(solver, sat_solver)
        self.formula = Formula(self.symbolic, ranges, model, logic, limits, flags, wide)
        self.circles = bool(suspects) and allows_circle(self.formula)
        if self.circles:
            logic = make_logic(solver, sat_solver)
            self.thin_air += has_circle(self.symbolic, model, logic, limits)

    @property
    def failing(self) -> int:
        """The literal of some assert's failure, those aside that only tell of a leak."""
        leaks = self.program.leaks
        truth = self.symbolic.terms.disjunction(
            fails
            for listed in self.symbolic.asserts
            for label, fails in listed
            if label not in leaks
        )
        return self.literal(truth)

    @property
    def late(self) -> int:
        """The literal of some store's writing to freed memory."""
        return self.formula.logic.disjunction(self.formula.late)

    def literal(self, truth: int) -> int:
        return self.formula.truth(truth)

    def solve(self, *assumptions: int) -> BmcTrace | None:
        """A run to be looked at in which these literals are true."""
        return self._solve((self.formula.tells, *assumptions))

    def one(self, literal: int) -> BmcTrace | None:
        """The same for one literal, if it can be true."""
        return None if literal == UNTRUE else self.solve(literal)

    def race(self) -> BmcTrace | None:
        """A run in which accesses race, however it ends."""
        literal = self.formula.model.flags.get(RACE, UNTRUE)
        return None if literal == UNTRUE else self._solve((literal,))

    def _solve(self, assumptions: tuple[int, ...]) -> BmcTrace | None:
        while True:
            self.limits.check_time()
            self.checks += 1
            answer = self.formula.logic.solve(assumptions, self.limits.deadline)
            if answer is None:
                raise Stopped
            if not answer:
                return None
            trace = BmcTrace(self.program, self.symbolic, read(self.formula))
            if not self.circles or not trace.circular:
                trace.flags = self._flags(trace)
                return trace
            self.formula.logic.add(circle_clause(self.formula, trace))

    def _flags(self, trace: BmcTrace) -> tuple[str, ...]:
        """Those that a run raises. The formula only says which can be raised at all."""
        if all(literal == UNTRUE for literal in self.formula.model.flags.values()):
            return ()
        return raised(trace.data(), self.model, make_logic(SAT))

    def exclude(self, trace: BmcTrace) -> None:
        self.formula.logic.add(blocking(self.formula, trace.solution))


class Bmc:
    """The engine."""

    name = "bmc"

    def __init__(self, solver: str = Z3, sat_solver: str = "") -> None:
        make_logic(solver, sat_solver)  # an unknown name is refused at once
        self.counters = Counters()
        self.solver = solver
        self.sat_solver = sat_solver

    def explore(self, program: Program, model: Model, limits: Limits) -> Iterator[Trace]:
        """All allowed complete traces and WAITING runs, each once; the CUT and ERROR ones; BLOCKED
        ones in which an assert fails or freed memory is written; and one in which accesses race,
        when none of these tells of a race."""
        counters = self.counters = Counters()
        search = _Search(program, model, limits, self.solver, self.sat_solver, True)
        counters.thin_air = search.thin_air
        raced = False
        while (trace := search.solve()) is not None:
            counters.checks = search.checks
            search.exclude(trace)
            _count(counters, trace)
            raced = raced or RACE in trace.flags
            yield trace
        blocked = None if raced else search.race()
        counters.checks = search.checks
        if blocked is not None:
            yield blocked


def _count(counters: Counters, trace: BmcTrace) -> None:
    if trace.status is Status.COMPLETE:
        counters.complete += 1
    elif trace.status is Status.CUT:
        counters.cut += 1
    elif trace.status is Status.ERROR:
        counters.errors += 1
    elif trace.status is Status.WAITING:
        counters.count_waiting(trace.waiting)


class Witnesses:
    """Answers without enumerating traces. It finds at most one run of each kind that matters: an
    error, a failing assert, a store to freed memory, a complete run that satisfies the condition
    and one that does not, a deadlock and a livelock, one that reaches the loop bound, and one in
    which accesses race."""

    name = "bmc"

    def __init__(self, solver: str, sat_solver: str = "", races: Races | None = None) -> None:
        self.counters = Counters()
        self.solver = solver
        self.sat_solver = sat_solver
        self.races = races  # of all flags these alone are looked for, unless they are ignored

    def explore(self, program: Program, model: Model, limits: Limits) -> Iterator[Trace]:
        counters = self.counters = Counters()
        ignored = (self.races or default_races(program)) is Races.IGNORE
        asked = replace(model, axioms=(*model.constraints, *(() if ignored else model.races)))
        search = _Search(program, asked, limits, self.solver, self.sat_solver, True)
        counters.thin_air = search.thin_air
        raced = False
        for literal in _wanted(search):
            trace = search.one(literal)
            counters.checks = search.checks
            if trace is not None:
                _count(counters, trace)
                raced = raced or RACE in trace.flags
                yield DataTrace(_judged(trace, model))
        race = None if raced else search.race()
        counters.checks = search.checks
        if race is not None:
            _count(counters, race)
            yield DataTrace(_judged(race, model))


def _wanted(search: _Search) -> list[int]:
    """The literals of the kinds of runs that matter, but for races."""
    program, runs, terms = search.program, search.symbolic, search.symbolic.terms
    error, cut = runs.status(Status.ERROR), runs.status(Status.CUT)
    complete = terms.conjunction(runs.complete, search.filter)
    ends = [complete]
    if program.condition is not None:
        answers = [search.condition, terms.negation(search.condition)]
        if program.condition.quantifier is Quantifier.FORALL:
            answers.reverse()
        ends = [terms.conjunction(complete, answer) for answer in answers]
    ends += [runs.waiting(deadlock=True), runs.waiting(deadlock=False)]
    ends.append(terms.conjunction(cut, terms.negation(error)))
    wrong = [search.literal(error), search.failing, search.late]
    return wrong + [search.literal(truth) for truth in ends]


class Reaching:
    """All runs that satisfy the program's condition and filter, one after the other: the solver is
    asked for these alone. With `asserts`, instead, all in which some assert fails, whether they
    come to their end or not, or freed memory is written."""

    name = "bmc"

    def __init__(self, asserts: bool = False, solver: str = SAT) -> None:
        self.counters = Counters()
        self.asserts = asserts
        self.solver = solver

    def explore(self, program: Program, model: Model, limits: Limits) -> Iterator[Trace]:
        """The runs that `model` allows. Whether one reaches the loop bound (`counters.cut`) is
        looked at last."""
        counters = self.counters = Counters()
        search = _Search(program, model, limits, self.solver, "", False)
        counters.thin_air = search.thin_air
        runs, terms = search.symbolic, search.symbolic.terms
        if self.asserts:
            wanted = search.formula.logic.disjunction((search.failing, search.late))
        else:
            reached = terms.conjunction(runs.complete, search.filter, search.condition)
            wanted = search.literal(reached)
        while (trace := search.one(wanted)) is not None:
            search.exclude(trace)
            counters.complete += trace.status is Status.COMPLETE
            yield trace
        cut = runs.status(Status.CUT)
        if cut != FALSE and search.solve(search.literal(cut)) is not None:
            counters.cut = 1


def _judged(trace: BmcTrace, model: Model) -> TraceData:
    """The trace spelled out, with the flags that it raises."""
    data = trace.data()
    return replace(data, flags=raised(data, model, make_logic(SAT)))
