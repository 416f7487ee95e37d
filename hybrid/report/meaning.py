"""What a verdict means, in one sentence."""

from __future__ import annotations

from typing import assert_never

from hybrid.engine.races import Races
from hybrid.program.condition import Condition, Quantifier, show
from hybrid.program.instructions import Assert
from hybrid.program.program import Program
from hybrid.report.result import FORALL_BROKEN, NOT_EXISTS_BROKEN, Result
from hybrid.verdict import Verdict

_WIDE = 60  # a condition with more characters is not said again


def meaning(result: Result) -> str:
    """As `Under tso, some execution ends with P:r0=0 /\\ Q:r1=0.`"""
    contradicted = "" if result.verdict is result.answer else "; this is not as expected"
    return f"Under {result.model.name}, {_said(result)}{contradicted}."


def _said(result: Result) -> str:
    program, answer = result.program, result.answer
    match answer:
        case Verdict.ALLOWED:
            return f"some execution {_ends(program.condition)}"
        case Verdict.FORBIDDEN:
            return f"no execution {_ends(program.condition)}"
        case Verdict.HOLDS:
            return _kept(result)
        case Verdict.VIOLATED:
            return _broken(result)
        case Verdict.BOUNDED:
            return f"{_found(program)}; runs that were cut at a bound might"
        case Verdict.INCONCLUSIVE:
            return f"{_found(program)}; executions that were not looked at might"
        case Verdict.ERROR if result.unsupported:
            return f"there is no answer: hybrid does not take {result.unsupported}"
        case Verdict.DISAGREE | Verdict.ERROR:
            return "there is no answer"
    assert_never(answer)


def _ends(condition: Condition | None, negated: bool = False) -> str:
    """`ends with x=1`, `does not end with x=1`."""
    text = "" if condition is None else condition.text or show(condition.formula)
    verb = "does not end" if negated else "ends"
    if not text or len(text) > _WIDE:
        return f"{verb} in a state that satisfies the condition"
    return f"{verb} with {text}"


def _kept(result: Result) -> str:
    program, condition = result.program, result.program.condition
    parts: list[str] = []
    if condition is not None and condition.quantifier is Quantifier.NOT_EXISTS:
        parts.append(f"no execution {_ends(condition)}")
    elif condition is not None and not condition.asks_nothing:
        parts.append(f"every execution {_ends(condition)}")
    if program.compiled:
        parts += ["no assertion fails", "no access to memory goes wrong"]
        if result.races is Races.ERROR and result.model.races:
            parts.append("no accesses race")
    elif _asserts(program):
        parts.append("no assert fails")
    if result.liveness:
        parts.append("no thread waits for ever")
    if not parts:
        return "no execution goes wrong"
    if condition is not None and len(parts) == 1:
        return f"{parts[0]}, as the program claims"
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _broken(result: Result) -> str:
    """How the witness violates a claim."""
    condition, witness = result.program.condition, result.witness
    if witness is not None and witness is result.waiting and not result.offence:
        return "threads can wait for ever"
    if result.race is not None and witness is not None and witness.data() is result.race:
        return f"accesses race: {result.offence}"
    if condition is not None and result.offence == NOT_EXISTS_BROKEN:
        return f"some execution {_ends(condition)}, and the program claims that none does"
    if condition is not None and result.offence == FORALL_BROKEN:
        return (
            f"some execution {_ends(condition, negated=True)}, and the program claims that all do"
        )
    return f"some execution goes wrong: {result.offence}"


def _found(program: Program) -> str:
    """What an exploration that leaves the answer open has shown so far."""
    condition = program.condition
    if condition is not None and condition.quantifier is Quantifier.EXISTS:
        return f"no execution that was found {_ends(condition)}"
    return "no execution that was found goes wrong"


def _asserts(program: Program) -> bool:
    return any(isinstance(i, Assert) for thread in program.threads for i in thread.code)
