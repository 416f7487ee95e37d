"""The formulas behind a certificate. Each has no solution if what the certificate claims is so.

- `verdict`: a run of the bounded program that the model allows, and that is one of those which the
  answer excludes.
- `complete`: the same, or any run to its end or that waits for ever, but none of those listed.
- `circles`: a run whose values justify themselves in a circle, values aside; `circles-values`: the
  same, the values included. Such runs are no executions, and the first two leave them out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from hybrid.bmc.expected import Expected
from hybrid.bmc.formula import Formula
from hybrid.bmc.question import satisfied
from hybrid.bmc.ranges import Ranges
from hybrid.bmc.symbolic import symbolic
from hybrid.bmc.terms import FALSE, TRUE
from hybrid.bmc.thin_air import can_be_circular, circle_literal, exclude_circles
from hybrid.certificate.claim import BOUND, CONDITION, ERRORS, RACES, WAITING, Subject
from hybrid.certificate.cnf import CnfLogic
from hybrid.certificate.meaning import variable_table
from hybrid.crosscheck.complete import literals_of
from hybrid.errors import InputError
from hybrid.execution.trace import Key, Status
from hybrid.model.commit_before import po_rf_acyclic
from hybrid.model.untouched import ignores_untouched
from hybrid.program.condition import Quantifier

VERDICT: Final = "verdict"
COMPLETE: Final = "complete"
CIRCLES: Final = "circles"
CIRCLES_OF_VALUES: Final = "circles-values"
STATEMENTS: Final = (VERDICT, COMPLETE, CIRCLES, CIRCLES_OF_VALUES)


class UnplacedTrace(InputError):
    """The formula does not tell which of its runs a trace is."""


@dataclass(frozen=True, slots=True)
class MadeFormula:
    logic: CnfLogic
    formula: Formula

    def table(self, subject: Subject) -> str:
        """What its variables mean."""
        runs = self.formula.program
        return variable_table(self.logic, runs, subject.program, subject.model)


def may_be_circular(subject: Subject) -> bool:
    """Whether values could justify themselves in a circle, for all that the texts show."""
    model = subject.model
    if po_rf_acyclic(model.axioms, model.definitions):
        return False  # without having made the terms of all runs, which may be many
    return bool(can_be_circular(symbolic(subject.program, subject.limits), model, subject.limits))


def make_formula(
    subject: Subject,
    statement: str,
    acyclicity: str,
    excluded: tuple[str, ...] = (),
    keys: Iterable[Key] = (),
    expected: Expected | None = None,
) -> MadeFormula:
    """The formula of a statement. `keys`: of `complete`, the runs that are listed. `expected`: what
    is expected of runs; the formula then says as well that one does something else."""
    logic = CnfLogic(acyclicity)
    if statement in (CIRCLES, CIRCLES_OF_VALUES):
        return _circular(subject, logic, statement == CIRCLES_OF_VALUES)
    program, model, limits = subject.program, subject.model, subject.limits
    runs = symbolic(program, limits, expected)
    condition = program.condition
    reached = FALSE if condition is None else satisfied(runs, condition.formula)
    if condition is not None and condition.quantifier is Quantifier.FORALL:
        reached = runs.terms.negation(reached)
    kept = TRUE if program.filter is None else satisfied(runs, program.filter)
    looked_for = model.races if RACES in excluded else ()
    asked = replace(model, axioms=(*model.constraints, *looked_for))
    ranges = Ranges(runs, limits)
    touched = expected is not None and ignores_untouched(asked)
    formula = Formula(runs, ranges, asked, logic, limits, bool(looked_for), touched=touched)
    if can_be_circular(runs, model, limits):
        exclude_circles(formula)
    surprise = [] if expected is None else [formula.truth(runs.unexpected)]
    goal = _goal(subject, formula, excluded)
    if CONDITION in excluded:
        goal.append(formula.truth(runs.terms.conjunction(runs.complete, kept, reached)))
    if statement == COMPLETE:
        goal += [formula.truth(runs.complete), formula.truth(runs.waiting())]
        for key in keys:
            limits.check_time()
            literals = literals_of(formula, runs, key)
            if literals is None:
                raise UnplacedTrace("a trace that is listed has no place in the formula")
            # a run with a surprise may have all that tells this one from others
            logic.add([*surprise, *(-literal for literal in literals)])
    if surprise:
        logic.add((-formula.truth(runs.stopped), *surprise))
        goal += surprise
    logic.add(list(dict.fromkeys(goal)))
    return MadeFormula(logic, formula)


def _goal(subject: Subject, formula: Formula, excluded: tuple[str, ...]) -> list[int]:
    """The literals of what the answer excludes, the condition aside; one of them is true."""
    runs, leaks = formula.program, subject.program.leaks
    found: list[int] = []
    if ERRORS in excluded:
        failing = runs.terms.disjunction(
            fails for listed in runs.asserts for label, fails in listed if label not in leaks
        )
        found += [formula.truth(runs.status(Status.ERROR)), formula.truth(failing), *formula.late]
    if WAITING in excluded:
        found.append(formula.truth(runs.waiting()))
    if RACES in excluded:
        found += formula.model.flags.values()
    if BOUND in excluded:
        found.append(formula.truth(runs.bounded))
    return found


def _circular(subject: Subject, logic: CnfLogic, values: bool) -> MadeFormula:
    model, limits = subject.model, subject.limits
    runs = symbolic(subject.program, limits)
    suspects = can_be_circular(runs, model, limits)
    if values:
        everything = frozenset(slot.number for slot in runs.slots if slot.kind == "R")
        wide = Ranges(runs, limits, everything)
        formula = Formula(runs, wide, model, logic, limits, False)
        if not model.races:  # these count in runs that are only blocked, too
            logic.add((formula.tells,))
    else:
        wide = Ranges(runs, limits, suspects)
        formula = Formula(runs, Ranges(runs, limits), model, logic, limits, False, wide)
    logic.add((circle_literal(formula),))
    if not values:
        logic.add((-formula.valued,))
    return MadeFormula(logic, formula)
