"""Counts the traces of an exploration, then draws the conclusion: answer, observation, witness.

A claim (`~exists`, `forall`, an assert, no access to an address that is not a location, with
`liveness` no thread that waits for ever) is violated as soon as one execution shows it, and holds
only when the exploration went to its end with nothing cut, no run stuck and no execution left out.
A question (`exists`) is allowed and forbidden by the same rule.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from hybrid.engine.races import Races
from hybrid.errors import InternalError
from hybrid.execution.trace import DataTrace, Key, Status, Trace, TraceData
from hybrid.model.core import RACE
from hybrid.oracle.of_trace import racing
from hybrid.program.condition import Quantifier, Term, holds
from hybrid.program.loops import CutPlace
from hybrid.report.expectation import compare
from hybrid.report.notes import notes
from hybrid.report.result import FORALL_BROKEN, NOT_EXISTS_BROKEN, Outcome, Result
from hybrid.verdict import Verdict


@dataclass(slots=True)
class Counts:
    """What a part of an exploration adds to a Result."""

    outcomes: dict[Outcome, int]
    traces: int
    filtered: int
    satisfying: int
    failing: int
    flags: dict[str, int]
    offence: TraceData | None  # a trace that violates a claim, …
    offence_is: str  # … and how
    example: TraceData | None  # one that satisfies the condition's formula
    race: TraceData | None  # one in which accesses race
    cuts: dict[tuple[CutPlace, ...], int] = field(default_factory=dict)
    waiting: TraceData | None = None  # one in which threads wait for ever


class Tally:
    """Counts traces into a Result, then draws the conclusion.

    The traces that it keeps to show are the first; with `smallest` those with the smallest keys,
    which are the same however the exploration is shared out.
    """

    def __init__(self, result: Result, duplicates: bool = False, smallest: bool = False) -> None:
        self.result = result
        self.smallest = smallest
        self.keys: set[Key] | None = set() if duplicates else None
        self.offence: Trace | None = None  # the first that violates a claim
        self.offence_is = ""
        self.example: Trace | None = None  # the first that satisfies the condition's formula
        self.race: Trace | None = None  # the first in which accesses race
        self.waiting: Trace | None = None  # the first in which threads wait for ever
        self.terms = result.program.terms
        condition = result.program.condition
        self.formula = None if condition is None else condition.formula
        self.filter = result.program.filter
        self.quantifier = None if condition is None else condition.quantifier
        self.place = {term.name: i for i, term in enumerate(self.terms)}
        if duplicates:
            result.duplicates = 0

    @property
    def answered(self) -> bool:
        if self.result.liveness:
            if self.waiting is not None:
                return True
        elif self.quantifier is Quantifier.EXISTS and self.example is not None:
            return True
        return self.offence is not None or (
            # a question may yet be ALLOWED
            self.wrong_race and self.quantifier is not Quantifier.EXISTS
        )

    @property
    def wrong_race(self) -> bool:
        """Whether there is a race, and a program with one has no meaning."""
        return self.race is not None and self.result.races is Races.ERROR

    def add(self, trace: Trace) -> None:
        raced = RACE in trace.flags
        if raced and self._goes_before(trace, self.race):
            self.race = trace
        if trace.status is Status.CUT:
            cut = trace.cut()
            self.result.cuts[cut] = self.result.cuts.get(cut, 0) + 1
        if trace.status is Status.COMPLETE:
            self._add_complete(trace)
        elif trace.status is Status.ERROR:
            self._offend(trace, lambda: trace.data().error)
        elif trace.status is Status.WAITING:
            if self._goes_before(trace, self.waiting):
                self.waiting = trace
            if trace.failed:
                self._fail(trace)
        elif trace.failed:
            self._fail(trace)  # reached before the bound, the assume or the await
        elif trace.status is Status.BLOCKED and not raced:
            raise InternalError(f"{self.result.engine} yields a blocked run as a trace")

    def _add_complete(self, trace: Trace) -> None:
        result = self.result
        if self.filter is not None and not holds(self.filter, trace.value_of):
            result.filtered += 1
            if trace.failed:
                self._fail(trace)
            return
        result.traces += 1
        satisfied = self._add_outcome(trace.outcome(self.terms))
        if satisfied:
            result.satisfying += 1
            if self._goes_before(trace, self.example):
                self.example = trace
        if self.quantifier is Quantifier.NOT_EXISTS and satisfied:
            self._offend(trace, lambda: NOT_EXISTS_BROKEN)
        elif self.quantifier is Quantifier.FORALL and not satisfied:
            self._offend(trace, lambda: FORALL_BROKEN)
        if trace.failed:
            self._fail(trace)
        for flag in trace.flags:
            result.flags[flag] = result.flags.get(flag, 0) + 1
        if self.keys is not None and result.duplicates is not None:
            before = len(self.keys)
            self.keys.add(trace.key())
            result.duplicates += len(self.keys) == before

    def _add_outcome(self, outcome: Outcome) -> bool:
        """Whether it satisfies the condition's formula."""
        result = self.result
        seen = result.outcomes.get(outcome, 0)
        result.outcomes[outcome] = seen + 1
        if not seen and self._satisfies(outcome):
            result.marked.add(outcome)
        return outcome in result.marked

    def _fail(self, trace: Trace) -> None:
        self.result.failing += 1
        self._offend(trace, lambda: f"the assert {', '.join(trace.failed)} fails")

    def _satisfies(self, outcome: Outcome) -> bool:
        def value_of(term: Term) -> int:
            return outcome[self.place[term.name]]

        return self.formula is not None and holds(self.formula, value_of)

    def _offend(self, trace: Trace, what: Callable[[], str]) -> None:
        if self._goes_before(trace, self.offence):
            self.offence = trace
            self.offence_is = what()

    def _goes_before(self, trace: Trace, other: Trace | None) -> bool:
        """Whether `trace` is to be shown rather than the other."""
        return other is None or (self.smallest and trace.goes_before(other))

    def counts(self) -> Counts:
        """What was counted so far, to be sent elsewhere."""
        result = self.result
        return Counts(
            result.outcomes,
            result.traces,
            result.filtered,
            result.satisfying,
            result.failing,
            result.flags,
            None if self.offence is None else self.offence.data(),
            self.offence_is,
            None if self.example is None else self.example.data(),
            None if self.race is None else self.race.data(),
            result.cuts,
            None if self.waiting is None else self.waiting.data(),
        )

    def merge(self, counts: Counts) -> None:
        """Adds what was counted elsewhere."""
        result = self.result
        for outcome, traces in counts.outcomes.items():
            if outcome not in result.outcomes and self._satisfies(outcome):
                result.marked.add(outcome)
            result.outcomes[outcome] = result.outcomes.get(outcome, 0) + traces
        result.traces += counts.traces
        result.filtered += counts.filtered
        result.satisfying += counts.satisfying
        result.failing += counts.failing
        for flag, traces in counts.flags.items():
            result.flags[flag] = result.flags.get(flag, 0) + traces
        for cut, runs in counts.cuts.items():
            result.cuts[cut] = result.cuts.get(cut, 0) + runs
        if counts.example is not None:
            example = DataTrace(counts.example)
            if self._goes_before(example, self.example):
                self.example = example
        if counts.race is not None:
            race = DataTrace(counts.race)
            if self._goes_before(race, self.race):
                self.race = race
        if counts.waiting is not None:
            waiting = DataTrace(counts.waiting)
            if self._goes_before(waiting, self.waiting):
                self.waiting = waiting
        if counts.offence is not None:
            self._offend(DataTrace(counts.offence), lambda: counts.offence_is)

    def finish(self) -> None:
        """Answer, observation, witness; then compare with what the file expects."""
        result = self.result
        if self.quantifier is not None:
            if result.satisfying and result.negative:
                result.observation = "Sometimes"
            elif result.unfinished:
                result.observation = "Unknown"
            else:
                result.observation = "Always" if result.satisfying else "Never"
        if self.race is not None:
            raced = self.race.data()
            result.race = replace(raced, races=racing(raced, result.model))
        question = self.quantifier is Quantifier.EXISTS
        if self.offence is not None:
            result.answer, result.witness = Verdict.VIOLATED, self.offence
            result.offence = self.offence_is
            result.messages.append(self.offence_is)
        elif result.liveness and self.waiting is not None:
            result.answer, result.witness = Verdict.VIOLATED, self.waiting
        elif question and self.example is not None:
            result.answer, result.witness = Verdict.ALLOWED, self.example
        elif result.race is not None and self.wrong_race:
            result.answer, result.witness = Verdict.VIOLATED, DataTrace(result.race)
            result.offence = "a program with a data race has no meaning"
            result.messages.append(result.offence)
        else:
            result.answer = self._unless_open(Verdict.FORBIDDEN if question else Verdict.HOLDS)
        result.verdict = result.answer
        result.waiting = self.waiting
        result.messages += notes(result, self.wrong_race)
        compare(result)

    def _unless_open(self, answer: Verdict) -> Verdict:
        """`answer`, which needs the whole exploration, or why it cannot be given."""
        if self.result.unfinished:
            return Verdict.INCONCLUSIVE
        return Verdict.BOUNDED if self.result.counters.cut else answer
