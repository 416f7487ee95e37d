"""What is to be explained: an outcome, a failing assert, or whatever goes wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hybrid.errors import InputError
from hybrid.execution.trace import Trace
from hybrid.frontend.outcome import parse_outcome
from hybrid.program.condition import And, Formula, Not, Quantifier, holds, show
from hybrid.program.instructions import Assert
from hybrid.program.program import Program
from hybrid.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be explained."""

    text: str
    reached: Callable[[Trace], bool]
    formula: Formula | None  # None: some assert fails, or nothing is claimed
    nothing: bool = False  # the file has no condition and no assert: only what goes wrong is shown

    @property
    def if_reached(self) -> Verdict:
        """An assert that fails violates what the program claims."""
        return Verdict.VIOLATED if self.formula is None else Verdict.ALLOWED


def target_of(program: Program, outcome: str | None, option: str = "--outcome") -> Target:
    """The given formula, else what would answer or violate the file's condition, else a failing
    assert. `option` is where the user wrote the formula."""
    formula: Formula
    if outcome is not None:
        formula = parse_outcome(outcome, program, option)
    elif program.condition is not None and not program.condition.asks_nothing:
        formula = program.condition.formula
        if program.condition.quantifier is Quantifier.FORALL:
            formula = Not(formula.span, formula)
    elif program.freed_by or any(isinstance(i, Assert) for t in program.threads for i in t.code):
        text = "some assert fails" + (", or freed memory is written" if program.freed_by else "")
        return Target(text, lambda trace: _is_wrong(program, trace), None)
    else:
        return Target("what goes wrong", lambda trace: False, None, nothing=True)
    text, wanted = show(formula), formula
    if program.filter is not None:  # what it leaves out does not count
        wanted = And(formula.span, (program.filter, formula))
    return Target(text, lambda trace: holds(wanted, trace.value_of), formula)


def _is_wrong(program: Program, trace: Trace) -> bool:
    """Whether an assert fails that is no note, or freed memory is written."""
    late = program.freed_by and trace.late_stores()
    return bool(program.faults(trace.failed) or late)


def nothing_to_explain(program: Program, option: str = "--outcome") -> InputError:
    return InputError(
        f"{program.name} has no final condition and no assert, and no run errs or waits for ever: "
        "there is nothing to explain",
        hint=f"say what to explain: {option} 'P:r0=1'",
    )
