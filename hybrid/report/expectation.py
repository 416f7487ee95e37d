"""Compares an answer with what the file, or the caller, expects."""

from __future__ import annotations

from hybrid.engine.api import DEFAULT_UNROLL
from hybrid.engine.prepare import default_loops
from hybrid.printable import number_of
from hybrid.program.loops import DEFAULT_MAX_STEPS, has_loops
from hybrid.program.program import Expectation, Program
from hybrid.report.result import Result
from hybrid.verdict import Verdict


def compare(result: Result, demanded: str = "") -> None:
    """Compares the answer with what the file expects or, if given, with the verdict that the caller
    demands.

    The file's expectation: another answer is a violation, an open one contradicts nothing. A
    demanded verdict takes its place: any other answer, an open one included, is not as expected.
    """
    result.messages = [told for told in result.messages if told not in result.compared]
    result.compared = []
    result.verdict, result.as_expected, result.demanded = result.answer, None, demanded
    result.expected = result.program.expectation(result.model.name)
    if result.answer is Verdict.ERROR:  # it is not one that anybody can expect
        result.demanded = ""
        return
    if demanded:
        _compare_demanded(result, demanded)
    elif result.expected is not None:
        _compare_expected(result, result.expected)


def _compare_demanded(result: Result, demanded: str) -> None:
    answer = result.answer
    result.as_expected = answer.value == demanded
    if demanded == Expectation.RACE:  # whatever the answer is
        result.as_expected = result.race is not None
    if not result.as_expected and answer not in (Verdict.BOUNDED, Verdict.INCONCLUSIVE):
        result.verdict = Verdict.VIOLATED


def _compare_expected(result: Result, expected: Expectation) -> None:
    answer = result.answer
    if expected.verdict == Expectation.RACE:
        _compare_race(result)
    elif answer.value == expected.verdict:
        # An exploration that was stopped has not shown that the answer is open.
        result.as_expected = None if answer is Verdict.INCONCLUSIVE and result.partial else True
    elif answer in (Verdict.BOUNDED, Verdict.INCONCLUSIVE):
        _tell(result, f"the file expects {expected.verdict}: not decided")
    else:
        _contradict(result, f"the file expects {expected.verdict}, the answer is {answer.value}")
    if expected.traces is None or result.partial or result.equivalence != "trace":
        return
    bounds = (result.limits.unroll, result.limits.max_steps)
    if result.counters.cut and bounds != (DEFAULT_UNROLL, DEFAULT_MAX_STEPS):
        return  # the number that the file gives is for the default bound
    if not _usual_loops(result.program):
        return  # … and for the usual treatment of loops
    if result.traces != expected.traces:
        wanted = number_of(expected.traces, "trace")
        _contradict(result, f"the file expects {wanted}, there are {result.traces}")


def _usual_loops(program: Program) -> bool:
    """Whether its loops, if it has some, were treated as they are if nobody says how."""
    treated = default_loops(program) in program.loops[:1]
    return treated or not any(has_loops(thread.code) for thread in program.threads)


def _compare_race(result: Result) -> None:
    """The file expects a race, whatever the answer is."""
    if result.race is not None:
        result.as_expected = True
    elif result.unfinished or result.counters.cut:
        _tell(result, "the file expects a race: not decided")
    else:
        _contradict(result, "the file expects a race, there is none")


def _contradict(result: Result, message: str) -> None:
    result.verdict = Verdict.VIOLATED
    result.as_expected = False
    _tell(result, message)


def _tell(result: Result, message: str) -> None:
    result.messages.append(message)
    result.compared.append(message)
