"""An estimate of the number of executions, and what counts as one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hybrid.engine.api import Counters

LEAST: Final = 4  # walks from which an estimate is made
NINETY: Final = 1.645  # standard deviations on both sides in which 90 % lie


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number of executions with a 90 % interval."""

    executions: float
    low: float
    high: float
    walks: int  # that it is made from

    def at_least(self, done: int) -> Estimate:
        """The same, knowing that there are so many."""
        return Estimate(
            max(self.executions, done), max(self.low, done), max(self.high, done), self.walks
        )


def executions(counters: Counters) -> int:
    """The runs that every engine finds once: all but the blocked ones."""
    waiting = counters.deadlocks + counters.livelocks
    return counters.complete + waiting + counters.cut + counters.errors


def estimate_from(counted: Sequence[tuple[int, float]]) -> Estimate | None:
    """From walks, each given by its width and the number of executions that it says: their mean,
    wider walks counting for more; and an interval by the spread among them, for a number whose
    logarithm is normally distributed. None: too few walks, or none that met an execution."""
    number = len(counted)
    if number < LEAST or not any(found for _, found in counted):
        return None
    weights = sum(width for width, _ in counted)
    mean = sum(width * found for width, found in counted) / weights
    squares = sum((width * (found - mean)) ** 2 for width, found in counted)
    error = math.sqrt(squares * number / (number - 1)) / weights / mean  # relative
    factor = math.exp(NINETY * math.sqrt(math.log1p(error * error)))
    return Estimate(mean, mean / factor, mean * factor, number)
