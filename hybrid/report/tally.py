"""Counts the traces of an exploration, then draws the conclusion: answer, observation, witness.

A claim (`~exists`, `forall`, an assert, no access to an address that is not a location, with
`liveness` no thread that waits for ever) is violated as soon as one execution shows it, and holds
only when the exploration went to its end with nothing cut, no run stuck and no execution left out.
A question (`exists`) is allowed and forbidden by the same rule. Where a run of a compiled program
ends with an access of another size than the cell's, and nothing else is wrong with it, there is no
answer: whatever would come after is not known.
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
from hybrid.program.origin import MIXED_SIZES
from hybrid.program.program import Program
from hybrid.report.expectation import compare
from hybrid.report.notes import notes
from hybrid.report.result import FORALL_BROKEN, NOT_EXISTS_BROKEN, Outcome, Result
from hybrid.report.sightings import Sighting, Sightings, Site
from hybrid.report.violations import mixed_text, notes_beside, told_beside, violations_of
from hybrid.verdict import Verdict
from hybrid.witness.faults import failed_faults, faults_of


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
    sites: dict[Site, Sighting] = field(default_factory=dict)  # where runs go wrong
    mixed: int = 0  # as in Result
    mixing: TraceData | None = None  # one of these runs
    sighted: dict[Site, TraceData] = field(default_factory=dict)  # one run for each of the sites


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
        self.mixing: Trace | None = None  # the first that mixes sizes, with no other fault
        self.sightings = Sightings(result.program, smallest)
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
        late = trace.late_stores() if self.result.program.freed_by else ()
        if trace.status is Status.COMPLETE:
            self._add_complete(trace, late)
        elif trace.status is Status.ERROR:
            self._add_erring(trace, late)
        else:
            if trace.status is Status.WAITING and self._goes_before(trace, self.waiting):
                self.waiting = trace
            if trace.failed or late:
                self._fail(trace, late)  # reached before the bound, the assume or the await
            elif trace.status is Status.BLOCKED and not raced:
                raise InternalError(f"{self.result.engine} yields a blocked run as a trace")

    def _add_erring(self, trace: Trace, late: tuple[str, ...]) -> None:
        kind_of = self.result.program.addresses.stray_kind
        kinds = {kind_of(stray.address) for stray in trace.strays()}
        if kinds != {MIXED_SIZES}:
            self.sightings.add(trace, late)
            self._offend(trace, lambda: error_text(trace))
            return
        self.result.mixed += 1
        if self._goes_before(trace, self.mixing):
            self.mixing = trace
        self._fail(trace, late)  # something else that is wrong

    def _add_complete(self, trace: Trace, late: tuple[str, ...]) -> None:
        result = self.result
        if self.filter is not None and not holds(self.filter, trace.value_of):
            result.filtered += 1
            if trace.failed or late:
                self._fail(trace, late)
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
        if trace.failed or late:
            self._fail(trace, late)
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

    def _fail(self, trace: Trace, late: tuple[str, ...]) -> None:
        self.sightings.add(trace, late)
        program = self.result.program
        failed = (*program.faults(trace.failed), *late)
        if failed:
            self.result.failing += 1
            self._offend(trace, lambda: failure_text(program, failed))

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
            self.sightings.found,
            result.mixed,
            None if self.mixing is None else self.mixing.data(),
            {site: trace.data() for site, trace in self.sightings.traces.items()},
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
        result.mixed += counts.mixed
        sighted = {site: DataTrace(data) for site, data in counts.sighted.items()}
        self.sightings.merge(counts.sites, sighted)
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
        if counts.mixing is not None:
            mixing = DataTrace(counts.mixing)
            if self._goes_before(mixing, self.mixing):
                self.mixing = mixing
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
            # that no thread waits for ever is a claim, which needs the whole exploration
            result.answer, result.witness = Verdict.ALLOWED, self.example
            if result.liveness:
                result.answer = self._unless_open(Verdict.ALLOWED)
        elif result.race is not None and self.wrong_race:
            result.answer, result.witness = Verdict.VIOLATED, DataTrace(result.race)
            result.offence = "a program with a data race has no meaning"
            result.messages.append(result.offence)
        else:
            result.answer = self._unless_open(Verdict.FORBIDDEN if question else Verdict.HOLDS)
        result.verdict = result.answer
        result.waiting = self.waiting
        result.violations = violations_of(result, self.sightings)
        result.beside = told_beside(result, self.sightings)
        result.messages += [*notes_beside(result), *notes(result, self.wrong_race)]
        compare(result)

    def _unless_open(self, answer: Verdict) -> Verdict:
        """`answer`, which needs the whole exploration, or why it cannot be given: what hybrid does
        not take comes first, since no bound and no time would help."""
        if self.mixing is not None:
            self.result.unsupported = mixed_text(self.mixing.data())
            return Verdict.ERROR
        if self.result.unfinished:
            return Verdict.INCONCLUSIVE
        return Verdict.BOUNDED if self.result.counters.cut else answer


def failure_text(program: Program, failed: tuple[str, ...]) -> str:
    """That these asserts fail."""
    if program.compiled:
        return "; ".join(map(str, failed_faults(program, failed)))
    return f"the assert {', '.join(failed)} fails"


def error_text(trace: Trace) -> str:
    """What goes wrong in a run that accesses no location."""
    data = trace.data()
    return "; ".join(map(str, faults_of(data))) if data.program.compiled else data.error
