"""From traces to a verdict: every rule of the summary, with an engine whose traces the test
chooses."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator

import pytest
from support import choose_engine

from hybrid.catalogue.engines import engines_for, make
from hybrid.engine.api import Counters, Limits, Stopped
from hybrid.engine.configuration import Configuration
from hybrid.errors import InputError, InternalError
from hybrid.execution.trace import DataTrace, Status, TraceData
from hybrid.model import core
from hybrid.model.core import Axiom, Base, Empty, Kind, Model
from hybrid.program.condition import Compare, Condition, LocationTerm, Quantifier, Value
from hybrid.program.program import Expectation, Location, Program
from hybrid.report.result import Result
from hybrid.report.summary import summarise
from hybrid.source import nowhere
from hybrid.verdict import Verdict

HERE = nowhere()
X = LocationTerm(HERE, 0, "x")
MODEL = Model("m", "", "", (), (), Base(HERE, Kind.RELATION, "po"), "default")
FLAG = Axiom(HERE, core.Test.EMPTY, True, Empty(HERE, Kind.RELATION), "odd", flag=True)


def program(quantifier: Quantifier | None = None, **changes: object) -> Program:
    """A program with one location x and the condition `quantifier (x = 1)`."""
    condition = None
    if quantifier is not None:
        condition = Condition(HERE, quantifier, Compare(HERE, "==", X, Value(HERE, 1)))
    plain = Program("p", (Location(HERE, "x", 0, 0),), (), condition, (X,))
    return dataclasses.replace(plain, **changes)  # type: ignore[arg-type]


def trace(x: int = 0, **changes: object) -> DataTrace:
    none: frozenset[object] = frozenset()
    data = TraceData(
        program(), (), {}, {0: ((x, 0),)}, none, none, none, none, none, (), {0: x}, ()
    )  # type: ignore[arg-type]
    return DataTrace(dataclasses.replace(data, **changes))  # type: ignore[arg-type]


def expecting(verdict: str, traces: int | None = None) -> tuple[Expectation, ...]:
    return (Expectation(HERE, "m", verdict, traces),)


class Fake:
    """Yields what it is given; an exception among the traces is raised when its turn comes."""

    name = "fake"

    def __init__(self, *items: DataTrace | BaseException, **counts: int) -> None:
        self.items = items
        self.counters = Counters()
        self.counts = counts
        self.taken = 0

    def explore(self, program: Program, model: Model, limits: Limits) -> Iterator[DataTrace]:
        self.counters = Counters(**self.counts)
        for item in self.items:
            if isinstance(item, BaseException):
                raise item
            self.taken += 1
            self.counters.complete += item.status is Status.COMPLETE
            yield item


def summary(of: Program, *items: DataTrace | BaseException, **counts: int) -> Result:
    return summarise(of, MODEL, Fake(*items, **counts), Limits())


E, N, F = Quantifier.EXISTS, Quantifier.NOT_EXISTS, Quantifier.FORALL
CUT = trace(status=Status.CUT)
BAD = trace(status=Status.ERROR, error="P accesses 7")


@pytest.mark.parametrize(
    ("quantifier", "items", "counts", "verdict", "observation"),
    [
        (E, [trace(0), trace(1)], {}, "ALLOWED", "Sometimes"),
        (E, [trace(1)], {}, "ALLOWED", "Always"),
        (E, [trace(0)], {}, "FORBIDDEN", "Never"),
        (E, [trace(0)], {"cut": 1}, "BOUNDED", "Never"),
        (E, [trace(1)], {"cut": 1}, "ALLOWED", "Always"),
        (E, [trace(0)], {"stuck": 1}, "INCONCLUSIVE", "Unknown"),
        (E, [trace(0)], {"thin_air": 1, "cut": 1}, "INCONCLUSIVE", "Unknown"),
        (E, [trace(1)], {"thin_air": 1}, "ALLOWED", "Unknown"),
        (E, [trace(1), BAD], {}, "VIOLATED", "Always"),
        (E, [trace(1, failed=("A",))], {}, "VIOLATED", "Always"),
        (E, [trace(0), KeyboardInterrupt()], {}, "INCONCLUSIVE", "Unknown"),
        (E, [trace(1), KeyboardInterrupt()], {}, "ALLOWED", "Unknown"),
        (E, [trace(1), trace(0), KeyboardInterrupt()], {}, "ALLOWED", "Sometimes"),
        (E, [], {}, "FORBIDDEN", "Never"),
        (N, [trace(0)], {}, "HOLDS", "Never"),
        (N, [trace(0), trace(1)], {}, "VIOLATED", "Sometimes"),
        (N, [trace(1), Stopped()], {}, "VIOLATED", "Unknown"),
        (N, [trace(0), Stopped()], {}, "INCONCLUSIVE", "Unknown"),
        (N, [CUT, trace(0)], {"cut": 1}, "BOUNDED", "Never"),
        (F, [trace(1)], {}, "HOLDS", "Always"),
        (F, [trace(1), trace(0)], {}, "VIOLATED", "Sometimes"),
        (F, [trace(1)], {"stuck": 2}, "INCONCLUSIVE", "Unknown"),
        (None, [trace(1)], {}, "HOLDS", None),
        (None, [trace(1, failed=("A",))], {}, "VIOLATED", None),
        (None, [BAD], {}, "VIOLATED", None),
        (None, [trace(1)], {"cut": 3}, "BOUNDED", None),
        (None, [trace(1), Stopped()], {}, "INCONCLUSIVE", None),
    ],
)
def test_verdict_and_observation(
    quantifier: Quantifier | None,
    items: list[DataTrace | BaseException],
    counts: dict[str, int],
    verdict: str,
    observation: str | None,
) -> None:
    result = summary(program(quantifier), *items, **counts)
    assert (result.verdict.value, result.observation) == (verdict, observation)
    assert result.answer is result.verdict
    assert result.as_expected is None


@pytest.mark.parametrize(
    ("quantifier", "items", "counts", "told"),
    [
        (F, [], {"blocked": 1}, True),
        (E, [], {"blocked": 1}, True),
        (None, [], {}, True),
        (F, [trace(1)], {"blocked": 1}, False),
        (F, [], {"cut": 1}, False),
        (F, [BAD], {}, False),
        (F, [Stopped()], {}, False),
    ],
)
def test_an_answer_about_no_execution_says_so(
    quantifier: Quantifier | None,
    items: list[DataTrace | BaseException],
    counts: dict[str, int],
    told: bool,
) -> None:
    result = summary(program(quantifier), *items, **counts)
    assert any("the answer is about none" in message for message in result.messages) == told


def test_cut_and_error_runs_are_no_outcomes() -> None:
    result = summary(program(E), CUT, trace(1), BAD, trace(1), trace(2), cut=1, errors=1)
    assert result.outcomes == {(1,): 2, (2,): 1}
    assert result.marked == {(1,)}
    assert (result.traces, result.satisfying, result.negative) == (3, 2, 1)


def test_the_witness_is_the_first_offence_else_the_first_that_satisfies() -> None:
    one, other, bad = trace(1), trace(1), trace(1, failed=("A", "B"))
    assert summary(program(E), trace(0), one, other).witness is one
    result = summary(program(E), one, bad)
    assert result.witness is bad
    assert result.messages == ["the assert A, B fails"]
    assert result.failing == 1
    assert summary(program(N), trace(0), one, bad).witness is one
    assert summary(program(N), trace(0)).witness is None
    assert summary(program(E), BAD).messages == ["P accesses 7"]


@pytest.mark.parametrize(
    ("stop", "partial"),
    [
        (KeyboardInterrupt(), "interrupted"),
        (MemoryError(), "out of memory"),
        (
            RecursionError(),
            "out of stack: something in the program or the model is nested too deeply",
        ),
    ],
)
def test_an_exploration_that_breaks_off_gives_a_partial_result(
    stop: BaseException, partial: str
) -> None:
    result = summary(program(F), trace(1), stop, trace(0))
    assert result.partial == partial
    assert result.traces == result.counters.complete == 1
    assert result.exit_code == 3


def test_a_time_out_says_how_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    limits = Limits(deadline=102.5)
    result = summarise(program(E), MODEL, Fake(trace(0), Stopped()), limits)
    assert result.partial == "time-out after 2.5 s"


def test_first_stops_at_an_answer_and_at_nothing_else() -> None:
    engine = Fake(trace(0), trace(1), trace(1))
    result = summarise(program(E), MODEL, engine, Limits(), first=True)
    assert (result.partial, engine.taken) == ("stopped at the first answer", 2)
    assert result.verdict is Verdict.ALLOWED
    engine = Fake(trace(0), trace(1, failed=("A",)), trace(1))
    assert summarise(program(), MODEL, engine, Limits(), first=True).verdict is Verdict.VIOLATED
    assert engine.taken == 2
    engine = Fake(trace(1), trace(1))  # satisfies forall: no answer yet
    result = summarise(program(F), MODEL, engine, Limits(), first=True)
    assert (result.partial, result.verdict, engine.taken) == ("", Verdict.HOLDS, 2)


def test_the_limit_counts_complete_traces() -> None:
    engine = Fake(trace(0), CUT, trace(0), trace(1))
    result = summarise(program(E), MODEL, engine, Limits(), max_traces=2)
    assert (result.partial, result.traces) == ("limit of 2 traces", 2)
    assert result.verdict is Verdict.INCONCLUSIVE


def test_flags_are_counted() -> None:
    items = (trace(0, flags=("odd",)), trace(1), trace(2, flags=("odd",)))
    flagging = dataclasses.replace(MODEL, axioms=(FLAG,))
    assert summarise(program(), flagging, Fake(*items), Limits()).flags == {"odd": 2}


def test_duplicates_are_counted_on_demand() -> None:
    items = (trace(0), trace(1), trace(0), trace(0))
    result = summarise(program(), MODEL, Fake(*items), Limits(), duplicates=True)
    assert result.duplicates == 2
    assert result.messages == ["2 traces found more than once"]
    assert summary(program(), *items).duplicates is None


def test_a_blocked_run_among_the_traces_is_a_bug() -> None:
    with pytest.raises(InternalError, match="blocked run"):
        summary(program(), trace(status=Status.BLOCKED))


@pytest.mark.parametrize(
    ("expected", "items", "counts", "verdict", "as_expected", "exit_code"),
    [
        (expecting("ALLOWED"), [trace(1)], {}, "ALLOWED", True, 0),
        (expecting("ALLOWED", 2), [trace(1), trace(0)], {}, "ALLOWED", True, 0),
        (expecting("ALLOWED", 3), [trace(1), trace(0)], {}, "VIOLATED", False, 1),
        (expecting("ALLOWED", 3), [trace(1), Stopped()], {}, "ALLOWED", True, 0),
        (expecting("FORBIDDEN"), [trace(1)], {}, "VIOLATED", False, 1),
        (expecting("ALLOWED"), [trace(0)], {}, "VIOLATED", False, 1),
        (expecting("ALLOWED"), [trace(0)], {"cut": 1}, "BOUNDED", None, 3),
        (expecting("FORBIDDEN"), [trace(0), Stopped()], {}, "INCONCLUSIVE", None, 3),
        (expecting("BOUNDED"), [trace(0)], {"cut": 1}, "BOUNDED", True, 0),
        (expecting("BOUNDED"), [trace(0)], {}, "VIOLATED", False, 1),
        (expecting("INCONCLUSIVE"), [trace(0)], {"thin_air": 1}, "INCONCLUSIVE", True, 0),
        (expecting("INCONCLUSIVE"), [trace(0), Stopped()], {}, "INCONCLUSIVE", None, 3),
        (expecting("VIOLATED"), [BAD], {}, "VIOLATED", True, 0),
        (expecting("VIOLATED", 0), [BAD], {}, "VIOLATED", True, 0),
        (expecting("VIOLATED", 1), [BAD], {}, "VIOLATED", False, 1),
        (expecting("VIOLATED"), [trace(1)], {}, "VIOLATED", False, 1),
    ],
)
def test_expectations(
    expected: tuple[Expectation, ...],
    items: list[DataTrace | BaseException],
    counts: dict[str, int],
    verdict: str,
    as_expected: bool | None,
    exit_code: int,
) -> None:
    result = summary(program(E, expectations=expected), *items, **counts)
    assert (result.verdict.value, result.as_expected) == (verdict, as_expected)
    assert result.exit_code == exit_code


def test_a_wrong_expectation_is_told() -> None:
    result = summary(program(E, expectations=expecting("FORBIDDEN", 5)), trace(1))
    assert result.messages == [
        "the file expects FORBIDDEN, the answer is ALLOWED",
        "the file expects 5 traces, there are 1",
    ]
    assert result.answer is Verdict.ALLOWED


def test_an_expectation_for_another_model_does_not_count() -> None:
    other = (Expectation(HERE, "other", "FORBIDDEN", 5),)
    result = summary(program(E, expectations=other), trace(1))
    assert (result.verdict, result.as_expected, result.expected) == (Verdict.ALLOWED, None, None)


def test_a_trace_count_is_for_the_default_bound() -> None:
    def at(unroll: int) -> Result:
        of = program(E, expectations=expecting("ALLOWED", 9))
        return summarise(of, MODEL, Fake(trace(1), CUT, cut=1), Limits(unroll=unroll))

    assert at(2).as_expected is True
    assert at(5).as_expected is False


NO_ORDER = dataclasses.replace(
    MODEL, commit_before=None, commit_before_origin="po and rf may cycle"
)


NEGATED = dataclasses.replace(MODEL, axioms=(dataclasses.replace(FLAG, name="some", flag=False),))


def test_the_default_engine_follows_from_the_model() -> None:
    assert choose_engine(None, MODEL, program()) == ("rsmc", "")
    name, note = choose_engine(None, NO_ORDER, program())
    assert name == "enumerate"
    assert "po and rf may cycle" in note
    name, note = choose_engine(None, NEGATED, program())
    assert name == "enumerate"
    assert "axiom some" in note
    assert choose_engine("enumerate", MODEL, program()) == ("enumerate", "")
    assert engines_for(NO_ORDER) == engines_for(NEGATED) == ("enumerate", "bmc")
    assert engines_for(MODEL) == ("enumerate", "rsmc", "bmc")


@pytest.mark.parametrize(
    ("call", "parts"),
    [
        (
            lambda: choose_engine("rsmc", NO_ORDER, program()),
            ["po and rf may cycle", "engines that take it: enumerate"],
        ),
        (
            lambda: choose_engine("rsmc", NEGATED, program()),
            ["axiom some", "engines that take it: enumerate"],
        ),
        (lambda: choose_engine("best", MODEL, program()), ["'best'", "enumerate, rsmc"]),
        (lambda: make(Configuration("best")), ["'best'", "enumerate, rsmc"]),
        (lambda: make(Configuration("rsmc", oracle="delphi")), ["'delphi'", "graph"]),
        (lambda: make(Configuration("rsmc", policy="none")), ["'none'", "first, last, random"]),
    ],
)
def test_unknown_names_list_the_known(call: Callable[[], object], parts: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        call()
    for part in parts:
        assert part in caught.value.render()
