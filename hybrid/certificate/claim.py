"""What a certificate claims: an answer, and what must be impossible for it to be the right one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hybrid.engine.api import Limits
from hybrid.engine.races import Races
from hybrid.model.core import Model
from hybrid.program.condition import Quantifier
from hybrid.program.program import Program
from hybrid.verdict import Verdict

# What a formula says cannot be, in the words of a certificate.
ERRORS: Final = "errors"  # a failing assert, an access to no object, a store to freed memory
CONDITION: Final = "condition"  # a complete run that reaches it; of forall: that does not
WAITING: Final = "waiting"  # a run in which threads wait for ever
RACES: Final = "races"  # a run in which accesses race
BOUND: Final = "bound"  # a run that comes to the bound on loops or on steps
EXCLUDABLE: Final = (ERRORS, CONDITION, WAITING, RACES, BOUND)

BY_WITNESS: Final = (Verdict.ALLOWED, Verdict.VIOLATED)
BY_PROOF: Final = (Verdict.HOLDS, Verdict.FORBIDDEN, Verdict.BOUNDED)
CERTIFIABLE: Final = (*BY_WITNESS, *BY_PROOF)


@dataclass(frozen=True, slots=True)
class Subject:
    """What an answer is about: the program as engines see it, the model, and what counts."""

    program: Program
    model: Model
    limits: Limits
    races: Races
    liveness: bool

    @property
    def is_question(self) -> bool:
        condition = self.program.condition
        return condition is not None and condition.quantifier is Quantifier.EXISTS


def needs_witness(answer: Verdict, reached: bool) -> bool:
    """Whether a run has to show the answer. `reached`: some run satisfies the condition."""
    return answer in BY_WITNESS or reached


def may_be_reached(subject: Subject, answer: Verdict) -> bool:
    """Whether some run may satisfy the condition though the answer is not VIOLATED: a question that
    is reached is ALLOWED, or still open where threads must not wait for ever."""
    if not subject.is_question:
        return False
    return answer is Verdict.ALLOWED or (answer is Verdict.BOUNDED and subject.liveness)


def excluded(subject: Subject, answer: Verdict, reached: bool) -> tuple[str, ...]:
    """What has to be impossible for the answer to be right; empty: a witness says it all. `reached`
    may be true where `may_be_reached` is."""
    if answer is Verdict.VIOLATED or (answer is Verdict.ALLOWED and not subject.liveness):
        return ()
    found = {ERRORS}
    if not reached:
        found.add(CONDITION)
        if subject.races is Races.ERROR:
            found.add(RACES)
    if subject.liveness:
        found.add(WAITING)
    if answer is not Verdict.BOUNDED:
        found.add(BOUND)
    return tuple(word for word in EXCLUDABLE if word in found)
