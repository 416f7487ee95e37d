"""The models of a formula, decoded, and the traces of an explorer."""

from __future__ import annotations

from pysat.solvers import Solver

from hybrid.batch.explore import Explorer, Exploring
from hybrid.bmc.solution import BmcTrace, blocking, read
from hybrid.catalogue.choice import AUTO
from hybrid.catalogue.engines import make
from hybrid.certificate.claim import Subject
from hybrid.certificate.expectation import expected_runs
from hybrid.certificate.formulas import COMPLETE, make_formula
from hybrid.crosscheck.complete import literals_of
from hybrid.engine.configuration import Configuration
from hybrid.engine.estimate import estimated_candidates
from hybrid.execution.trace import Key, Status
from hybrid.model.core import Model
from hybrid.program.program import Program

FEW = 5.0  # the logarithm of the candidates that brute force goes through in a test
MOST = 500  # traces that are compared
BRUTE_FORCE = "enumerate"

Traces = set[tuple[Status, Key]]


def solutions(about: Subject, acyclicity: str = "") -> Traces:
    """The models of the CNF, decoded, one for each trace."""
    made = make_formula(about, COMPLETE, acyclicity)
    found: Traces = set()
    with Solver(name="cadical195", bootstrap_with=list(made.logic.each())) as solver:
        while solver.solve():
            chosen = set(solver.get_model())
            made.logic.value = lambda literal, chosen=chosen: literal in chosen  # type: ignore
            solution = read(made.formula)
            trace = BmcTrace(about.program, made.formula.program, solution)
            assert not trace.circular
            key = (trace.status, trace.key())
            assert key not in found
            found.add(key)
            solver.add_clause(blocking(made.formula, solution))
    return found


def differences(about: Subject, engine: str) -> list[str]:
    """How the solutions of the formula about what is expected differ from the traces of an
    explorer; empty: they are the same, and nothing unexpected is possible."""
    expected = expected_runs(about, Configuration(engine))
    made = make_formula(about, COMPLETE, "", expected=expected)
    found: list[str] = []
    with Solver(name="cadical195", bootstrap_with=list(made.logic.each())) as solver:
        for status, key in sorted(traces(about, engine), key=str):
            literals = literals_of(made.formula, made.formula.program, key)
            if literals is None or not solver.solve(assumptions=literals):
                found.append(f"{status.value} {key} is not a solution")
            else:
                solver.add_clause([-literal for literal in literals])
        if solver.solve():
            found.append("there is another solution")
    return found


def traces(about: Subject, engine: str = BRUTE_FORCE) -> Traces:
    """What an explorer finds."""
    found = make(Configuration(engine)).explore(about.program, about.model, about.limits)
    return {(t.status, t.key()) for t in found if t.status in (Status.COMPLETE, Status.WAITING)}


def explored(program: Program, under: Model) -> tuple[Subject, str] | None:
    """The program as `verify` has it, mapped to the machine of the model, its loops treated; and
    who is to list its traces: brute force, or where that has too much to do the engine that `auto`
    chooses. None where there are more than MOST."""
    result = Explorer(Exploring(Configuration(AUTO))).explore(program, under, None)
    counters = result.counters
    if result.traces + result.filtered + counters.deadlocks + counters.livelocks > MOST:
        return None
    about = Subject(result.program, under, result.limits, result.races, False)
    small = estimated_candidates(about.program, about.limits.unroll) <= FEW
    return about, BRUTE_FORCE if small else result.engine
