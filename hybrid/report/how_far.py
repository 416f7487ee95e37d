"""How far an exploration is, in words: the part that is done of an estimated number of executions,
and the time that is left."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from hybrid.engine.api import Counters
from hybrid.engine.probes.estimate import Estimate, executions
from hybrid.report.watch import Watch

_UNITS: Final = (  # from that many seconds on: a unit and its seconds
    (2 * 365 * 86400, "years", 365 * 86400),
    (2 * 86400, "days", 86400),
    (2 * 3600, "h", 3600),
    (2 * 60, "min", 60),
)
_DIGITS: Final = 3  # that are shown of an estimate
_LONG: Final = 10**9  # from here on, in powers of ten


@dataclass(frozen=True, slots=True)
class HowFar:
    done: int  # executions
    estimate: Estimate  # at least as many
    rate: float  # executions per second

    @property
    def part(self) -> float:
        """That is done, from 0 to 1."""
        return self.done / max(self.estimate.executions, 1.0)

    @property
    def left(self) -> float:
        """Seconds."""
        more = max(self.estimate.executions - self.done, 0.0)
        return more / self.rate if self.rate > 0 else math.inf

    def __str__(self) -> str:
        """`12 %, 1,234 of about 10,300 executions (8,900 to 12,000), 410/s, 22 s left`"""
        return f"{percent(self.part)}, {self.done:,} of {told(self.estimate)}, {self._speed}"

    @property
    def short(self) -> str:
        """`12 % of 10,300 (8,900 to 12,000), 410/s, 22 s left`"""
        found = self.estimate
        low, most, high = map(rounded, (found.low, found.executions, found.high))
        return f"{percent(self.part)} of {most} ({low} to {high}), {self._speed}"

    @property
    def _speed(self) -> str:
        left = f", {duration(self.left)} left" if self.left < math.inf else ""
        return f"{self.rate:.0f}/s{left}"


def how_far(counters: Counters, watch: Watch | None) -> HowFar | None:
    """None while there is no estimate."""
    if watch is None or watch.estimate is None:
        return None
    done, seconds = executions(counters), watch.seconds
    rate = (done - watch.before) / seconds if seconds > 0 else 0.0
    return HowFar(done, watch.estimate.at_least(done), max(rate, 0.0))


def told(estimate: Estimate) -> str:
    """`about 10,300 executions (8,900 to 12,000)`; the interval is one of 90 %."""
    low, high = rounded(estimate.low), rounded(estimate.high)
    return f"about {rounded(estimate.executions)} executions ({low} to {high})"


def percent(part: float) -> str:
    """`12 %`; all of it only where nothing is left."""
    if part >= 1.0:
        return "100 %"
    if part < 0.00001:
        return "less than 0.001 %"
    if part < 0.01:
        return f"{100 * part:.1g} %"
    return f"{min(100 * part, 99.0):.0f} %"


def rounded(number: float) -> str:
    """`10,300`; `2.5e12`."""
    if number < 1:
        return "0"
    if number >= _LONG:
        mantissa, exponent = f"{number:.1e}".split("e")
        return f"{mantissa}e{int(exponent)}"
    scale = 10 ** max(len(str(int(number))) - _DIGITS, 0)
    return f"{round(number / scale) * scale:,}"


def duration(seconds: float) -> str:
    """`22 s`, `5 min`, `3 h`, `12 days`."""
    for least, unit, size in _UNITS:
        if seconds >= least:
            number = seconds / size
            return f"{number:,.0f} {unit}" if number < _LONG else f"{number:.0e} {unit}"
    return f"{seconds:.0f} s"
