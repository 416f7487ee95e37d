"""When an estimator works beside an exploration: not at all in short runs, a small share of long
ones; and what becomes of what it says."""

from __future__ import annotations

import time

import pytest
from support import make_engine, model, program

from hybrid.engine.api import Counters, Limits, Stopped
from hybrid.engine.probes.estimate import Estimate
from hybrid.engine.probes.make import make_estimator
from hybrid.frontend.generators import fib_bench
from hybrid.report.how_far import percent, told
from hybrid.report.result import Result
from hybrid.report.summary import summarise
from hybrid.report.watch import DELAY, Estimating, Watch, allowance, watch_for

FOUND = Estimate(1000.0, 500.0, 2000.0, 8)


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Toy:
    """An estimator that takes all the time that it is given."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.estimate: Estimate | None = None
        self.worked = 0.0

    def work(self, until: float) -> None:
        self.worked += until - self.clock.now
        self.clock.now = until
        self.estimate = FOUND


def watched(clock: Clock) -> tuple[Watch, list[Toy]]:
    made: list[Toy] = []

    def make() -> Estimating:
        made.append(Toy(clock))
        return made[-1]

    return Watch(make, clock, clock), made


def test_short_runs_pay_nothing() -> None:
    clock = Clock()
    watch, made = watched(clock)
    for _ in range(int(DELAY / 0.01) - 1):
        watch.tick()
        clock.now += 0.01
    assert made == []
    assert watch.estimate is None


def test_a_real_run_that_is_short_makes_no_estimator(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(*_: object) -> None:
        raise AssertionError("an estimator was made")

    monkeypatch.setattr("hybrid.engine.probes.make.make_estimator", make)
    source, under = program(fib_bench(1)), model("sc")
    watch = watch_for(source, under, Limits(), "trace", None)
    result = summarise(source, under, make_engine("rsmc"), Limits(), watch=watch)
    assert result.estimate is None
    assert result.traces == 11
    assert result.messages == []


@pytest.mark.large
@pytest.mark.parametrize("pause", [0.0001, 0.01, 1.0])
def test_the_share_of_a_long_run(pause: float) -> None:
    clock = Clock()
    watch, made = watched(clock)
    while watch.seconds < 200:
        watch.tick()
        clock.now += pause
        if made:
            assert made[0].worked <= allowance(watch.seconds) + 1e-9
    assert len(made) == 1
    assert 0.9 * allowance(200) < made[0].worked or pause == 1.0
    assert watch.estimate == FOUND


def test_allowance() -> None:
    found = [(seconds, round(allowance(seconds), 3)) for seconds in (0, 1.9, 2, 4, 10, 25, 100)]
    assert found == [(0, 0), (1.9, 0), (2, 0.2), (4, 0.4), (10, 1.0), (25, 1.0), (100, 2.0)]


def test_what_is_there_is_not_an_estimate() -> None:
    """No estimator for this exploration."""
    clock = Clock()
    asked = []
    watch = Watch(lambda: asked.append(1), clock, clock)  # type: ignore[func-returns-value]
    for _ in range(100):
        clock.now += 1
        watch.tick()
    assert asked == [1]
    assert watch.estimate is None


class Broken(Toy):
    error: Exception = ValueError("so it is")

    def work(self, until: float) -> None:
        raise self.error


def test_a_fault_of_the_estimator_is_told_and_ends_nothing() -> None:
    clock = Clock()
    watch = Watch(lambda: Broken(clock), clock, clock)
    clock.now += 10
    watch.look()
    watch.look()
    source, under = program(fib_bench(1)), model("sc")
    result = summarise(source, under, make_engine("rsmc"), Limits(), watch=watch)
    assert result.messages == [
        "the number of executions could not be estimated (a bug in hybrid, please report it): "
        "ValueError: so it is"
    ]
    assert result.traces == 11


def test_a_time_out_while_estimating_ends_the_exploration() -> None:
    clock = Clock()
    late = Broken(clock)
    late.error = Stopped()
    watch = Watch(lambda: late, clock, clock)
    clock.now += 10
    source, under = program(fib_bench(1)), model("sc")
    result = summarise(source, under, make_engine("rsmc"), Limits(), watch=watch)
    assert result.partial.startswith("time-out")
    assert result.traces == 1


class Eager:
    """The real estimator, which works until it has something to say."""

    def __init__(self, text: str, clock: Clock) -> None:
        made = make_estimator(program(text), model("sc"), Limits(), "trace", 5)
        assert made is not None
        self.made = made
        self.clock = clock

    @property
    def estimate(self) -> Estimate | None:
        return self.made.estimate

    def work(self, until: float) -> None:
        while self.made.estimate is None or self.made.estimate.walks < 16:
            self.made.work(time.monotonic())
        self.clock.now += 100  # its turn is over


def watched_eagerly(text: str, most: int | None) -> Result:
    clock = Clock()
    watch = Watch(lambda: Eager(text, clock), clock, clock)
    clock.now += 10
    engine, source, under = make_engine("rsmc"), program(text), model("sc")
    return summarise(source, under, engine, Limits(), max_traces=most, watch=watch)


def test_a_real_estimate() -> None:
    result = watched_eagerly(fib_bench(3), 200)
    assert result.estimate is not None
    assert 1698 / 2 < result.estimate.executions < 1698 * 2
    assert result.explored == 200
    assert result.estimated_after == 110
    (message,) = result.messages
    assert message == (
        f"{percent(200 / result.estimate.executions)} explored: 200 of {told(result.estimate)}, "
        "by an estimate with its 90 % interval"
    )


def test_a_finished_run_says_nothing_of_its_estimate() -> None:
    result = watched_eagerly(fib_bench(2), None)
    assert result.estimate is not None
    assert result.estimate.high >= result.traces == 140
    assert result.messages == []


def test_an_exploration_that_goes_on() -> None:
    watch, _ = watched(Clock())
    watch.begin(Counters(complete=30, cut=2))
    assert watch.before == 32
