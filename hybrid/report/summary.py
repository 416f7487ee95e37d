"""From an exploration to a verdict: outcomes with counts, the answer, and a trace that shows it.

A claim (`~exists`, `forall`, an assert, no access to an address that is no location, with
`liveness` no thread that waits for ever) is violated as soon as one execution shows it, and holds
only when the exploration went to its end with nothing cut, no run stuck and no execution left out.
A question (`exists`) is allowed and forbidden by the same rule.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import InitVar, dataclass, field, replace

from hybrid.engine.api import DEFAULT_UNROLL, Counters, Engine, Limits, Stopped
from hybrid.engine.races import Races, default_races
from hybrid.errors import InternalError
from hybrid.execution.trace import DataTrace, Key, Status, Trace, TraceData
from hybrid.execution.wait_text import waiting_note
from hybrid.memory import out_of_memory
from hybrid.model.core import RACE, Model
from hybrid.oracle.of_trace import racing
from hybrid.program.condition import Quantifier, Term, holds
from hybrid.program.loops import DEFAULT_MAX_STEPS, MAX_STEPS, UNROLL, CutPlace
from hybrid.program.program import Expectation, Program
from hybrid.verdict import Verdict

_PLACES = 5  # as many places are named at which runs are cut
INTERRUPTED = "interrupted"  # the `partial` of a result after Ctrl-C
TIME_OUT = "time-out"  # how it begins when the time was over

Outcome = tuple[int, ...]  # the values of Program.terms


@dataclass(slots=True)
class Result:
    """What one exploration of a program under a model says."""

    program: Program
    model: Model
    engine: str
    oracle: str  # empty for an engine that asks none
    equivalence: str
    limits: Limits
    answer: Verdict = Verdict.INCONCLUSIVE  # what was computed, whatever the file expects
    verdict: Verdict = Verdict.INCONCLUSIVE  # the answer; VIOLATED when the file expects another
    expected: Expectation | None = None
    as_expected: bool | None = None  # None: the file expects nothing, or the answer is open
    liveness: bool = False  # a run in which a thread waits for ever violates a claim
    demanded: str = ""  # the verdict that the caller expects (`--expect`), whatever the file says
    # Always, Sometimes, Never; Unknown when the exploration is unfinished
    observation: str | None = None
    # and does not show it; None without a condition
    outcomes: dict[Outcome, int] = field(default_factory=dict)  # to the number of traces
    marked: set[Outcome] = field(default_factory=set)  # the outcomes that satisfy the formula
    traces: int = 0  # complete ones that the program's filter lets through
    filtered: int = 0  # complete ones that it leaves out
    satisfying: int = 0  # traces that satisfy the condition's formula
    failing: int = 0  # runs in which some assert fails
    counters: Counters = field(default_factory=Counters)
    seconds: float = 0.0
    witness: Trace | None = None  # what violates, else the first that satisfies an `exists`
    waiting: Trace | None = None  # a run in which threads wait for ever
    partial: str = ""  # why the exploration did not reach its end; empty if it did
    continued: str = ""  # the checkpoint whose counts are taken over; empty: none
    saved: str = ""  # the checkpoint that has what is left to be explored; empty: none
    flags: dict[str, int] = field(default_factory=dict)  # raised flags to the number of traces
    cuts: dict[tuple[CutPlace, ...], int] = field(
        default_factory=dict
    )  # where threads reached a bound, to the number of runs
    duplicates: int | None = None  # traces whose key came before; None: not counted
    messages: list[str] = field(default_factory=list)
    compared: list[str] = field(default_factory=list)  # those of them that `compare` has written
    asked_races: InitVar[Races | None] = None  # None: what suits the program
    races: Races = field(init=False)  # what a race does to the answer
    race: TraceData | None = None  # a run with a race, whatever else is wrong with it; its `races`
    # are the accesses; None: none was found

    def __post_init__(self, asked_races: Races | None) -> None:
        self.races = asked_races or default_races(self.program)

    @property
    def negative(self) -> int:
        return self.traces - self.satisfying

    @property
    def unfinished(self) -> bool:
        """There may be traces that were not seen, the loop bound aside."""
        return bool(self.partial or self.counters.stuck or self.counters.thin_air)

    @property
    def counted(self) -> Verdict:
        """The verdict as it counts for exit codes: one that is expected is a good one, any other a
        violation."""
        if self.as_expected is None:
            return self.verdict
        return Verdict.HOLDS if self.as_expected else Verdict.VIOLATED

    @property
    def exit_code(self) -> int:
        return self.counted.exit_code


def summarise(
    program: Program,
    model: Model,
    engine: Engine,
    limits: Limits,
    *,
    oracle: str = "",
    equivalence: str = "trace",
    first: bool = False,
    max_traces: int | None = None,
    duplicates: bool = False,
    races: Races | None = None,
    liveness: bool = False,
) -> Result:
    """Explore to the end, to the first answer (`first`), to `max_traces` complete traces or to the
    deadline.

    A time-out, Ctrl-C and a lack of memory give a partial result, never an exception. `races` is by
    default what suits the program.
    """
    result = Result(program, model, engine.name, oracle, equivalence, limits, asked_races=races)
    result.liveness = liveness
    tally = Tally(result, duplicates)
    start = time.monotonic()
    try:
        for trace in engine.explore(program, model, limits):
            tally.add(trace)
            if first and tally.answered:
                result.partial = "stopped at the first answer"
                break
            if max_traces is not None and result.traces >= max_traces:
                result.partial = f"limit of {_count(max_traces, 'trace')}"
                break
    except Stopped as stop:
        given = (limits.deadline or start) - start
        result.partial = stop.told or f"{TIME_OUT} after {max(given, 0.0):.3g} s"
    except KeyboardInterrupt:
        result.partial = INTERRUPTED
    except RecursionError:
        result.partial = "out of stack: something in the program or the model is nested too deeply"
    except Exception as error:
        result.partial = out_of_memory(error)
        if not result.partial:
            raise
    result.seconds = time.monotonic() - start
    result.counters = engine.counters
    tally.finish()
    return result


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
        outcome = trace.outcome(self.terms)
        seen = result.outcomes.get(outcome, 0)
        result.outcomes[outcome] = seen + 1
        if not seen and self._satisfies(outcome):
            result.marked.add(outcome)
        satisfied = outcome in result.marked
        if satisfied:
            result.satisfying += 1
            if self._goes_before(trace, self.example):
                self.example = trace
        if self.quantifier is Quantifier.NOT_EXISTS and satisfied:
            self._offend(trace, lambda: "an execution satisfies the condition of ~exists")
        elif self.quantifier is Quantifier.FORALL and not satisfied:
            self._offend(trace, lambda: "an execution does not satisfy the condition of forall")
        if trace.failed:
            self._fail(trace)
        for flag in trace.flags:
            result.flags[flag] = result.flags.get(flag, 0) + 1
        if self.keys is not None and result.duplicates is not None:
            before = len(self.keys)
            self.keys.add(trace.key())
            result.duplicates += len(self.keys) == before

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
            result.messages.append(self.offence_is)
        elif result.liveness and self.waiting is not None:
            result.answer, result.witness = Verdict.VIOLATED, self.waiting
        elif question and self.example is not None:
            result.answer, result.witness = Verdict.ALLOWED, self.example
        elif result.race is not None and self.wrong_race:
            result.answer, result.witness = Verdict.VIOLATED, DataTrace(result.race)
            result.messages.append("a program with a data race has no meaning")
        else:
            result.answer = self._unless_open(Verdict.FORBIDDEN if question else Verdict.HOLDS)
        result.verdict = result.answer
        result.waiting = self.waiting
        self._explain_waiting()
        self._explain_counters()
        compare(result)

    def _unless_open(self, answer: Verdict) -> Verdict:
        """`answer`, which needs the whole exploration, or why it cannot be given."""
        if self.result.unfinished:
            return Verdict.INCONCLUSIVE
        return Verdict.BOUNDED if self.result.counters.cut else answer

    def _explain_waiting(self) -> None:
        result, counters = self.result, self.result.counters
        if self.waiting is not None:
            data = self.waiting.data()
            counted = result.equivalence != "witness"
            deadlocks, livelocks = counters.deadlocks, counters.livelocks
            result.messages.append(
                waiting_note(result.program, deadlocks, livelocks, data.waiting, counted)
            )

    def _explain_counters(self) -> None:
        result, counters = self.result, self.result.counters
        none = not result.traces and not result.filtered
        if self.wrong_race and result.answer is Verdict.ALLOWED:
            result.messages.append(
                "a program with a data race has no meaning: the answer is about the model alone"
            )
        if none and result.answer in (Verdict.HOLDS, Verdict.FORBIDDEN):
            result.messages.append(
                "no execution comes to its end (an await, an assume or the model stops each): "
                "the answer is about none"
            )
        if result.filtered:
            left_out = _count(result.filtered, "execution")
            result.messages.append(f"{left_out} left out by the filter")
        if counters.cut:
            result.messages += _cut_messages(result)
        if counters.stuck:
            result.messages.append(
                f"{_count(counters.stuck, 'stuck run')}: an event without any allowed parameter; "
                f"the commit-before of {result.model.name} does not fit its axioms"
            )
        if counters.thin_air:
            result.messages.append(
                f"{_count(counters.thin_air, 'allowed execution')} left out: values that justify themselves in a circle"
            )
        if result.duplicates:
            result.messages.append(f"{_count(result.duplicates, 'trace')} found more than once")


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
    if result.traces != expected.traces:
        wanted = _count(expected.traces, "trace")
        _contradict(result, f"the file expects {wanted}, there are {result.traces}")


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


def _cut_messages(result: Result) -> list[str]:
    """Which bounds were reached, where, and what shows more."""
    limits, found = result.limits, []
    for bound in (UNROLL, MAX_STEPS):
        runs = sum(n for cut, n in result.cuts.items() if any(b == bound for _, _, b in cut))
        if not runs:
            continue
        places = sorted({place[:2] for cut in result.cuts for place in cut if place[2] == bound})
        threads = result.program.threads
        named = [f"{threads[thread].name}: {label}" for thread, label in places[:_PLACES]]
        where = ", ".join(named) + (", …" if len(places) > _PLACES else "")
        if bound == UNROLL:
            more = limits.unroll * 2 or 1
            found.append(
                f"{_count(runs, 'run')} cut at the loop bound (--unroll {limits.unroll}) at {where}; "
                f"--unroll {more} goes further"
            )
        else:
            found.append(
                f"{_count(runs, 'run')} cut after {_count(limits.max_steps, 'instruction')} of a thread (--max-steps "
                f"{limits.max_steps}) at {where}: a loop without end, or one that needs a larger --max-steps"
            )
    return found


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
