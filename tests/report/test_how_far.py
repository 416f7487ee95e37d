"""Estimates in words."""

from __future__ import annotations

import math

import pytest

from hybrid.engine.api import Counters
from hybrid.engine.probes.estimate import Estimate
from hybrid.report.how_far import HowFar, duration, how_far, percent, rounded, told
from hybrid.report.watch import Watch

FOUND = Estimate(10_349.0, 8_877.0, 12_064.0, 8)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.4, "0"),
        (1, "1"),
        (999, "999"),
        (1234, "1,230"),
        (123_456, "123,000"),
        (999_999, "1,000,000"),
        (2.54e12, "2.5e12"),
        (1e100, "1.0e100"),
    ],
)
def test_rounded(number: float, text: str) -> None:
    assert rounded(number) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.4, "0 s"),
        (119, "119 s"),
        (300, "5 min"),
        (7200, "2 h"),
        (200_000, "2 days"),
        (10**9, "32 years"),
        (1e30, "3e+22 years"),
    ],
)
def test_duration(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("part", "text"),
    [
        (0.0, "less than 0.001 %"),
        (0.00012, "0.01 %"),
        (0.123, "12 %"),
        (0.999, "99 %"),
        (1.0, "100 %"),
        (1.5, "100 %"),
    ],
)
def test_percent(part: float, text: str) -> None:
    assert percent(part) == text


def test_in_words() -> None:
    assert told(FOUND) == "about 10,300 executions (8,880 to 12,100)"
    text = str(HowFar(1234, FOUND, 410.2))
    assert text == "12 %, 1,234 of about 10,300 executions (8,880 to 12,100), 410/s, 22 s left"
    text = str(HowFar(0, FOUND, 0.0))
    assert text == ("less than 0.001 %, 0 of about 10,300 executions (8,880 to 12,100), 0/s")
    assert HowFar(0, FOUND, 0.0).left == math.inf


def test_how_far() -> None:
    now = [50.0]
    watch = Watch(lambda: None, lambda: now[0])
    counters = Counters(complete=990, livelocks=10)
    assert how_far(counters, None) is None
    assert how_far(counters, watch) is None
    watch.estimate = FOUND
    watch.begin(Counters(complete=200))
    now[0] += 4
    far = how_far(counters, watch)
    assert far is not None
    assert (far.done, far.estimate, far.rate) == (1000, FOUND, 200.0)  # 800 in four seconds
    counters.complete = 20_000
    far = how_far(counters, watch)
    assert far is not None
    assert (far.part, far.left) == (1.0, 0.0)  # there are at least as many as were found
