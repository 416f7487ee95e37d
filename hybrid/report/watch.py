"""Beside an exploration: an estimate of how many executions there are, made in a small share of the
time.

Short runs pay nothing: the estimator is made only when a run has lasted some seconds. It works
between two executions that the engine yields, in slices, so that everything stays in one thread and
a time limit ends it as it ends the exploration.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, Protocol

from hybrid.engine.api import Counters, Limits, Stopped
from hybrid.engine.probes.estimate import Estimate, executions
from hybrid.model.core import Model
from hybrid.program.program import Program
from hybrid.report.result import Result

# In seconds of computing, or where other processes compute, of the clock on the wall:
DELAY: Final = 2.0  # what an exploration takes before the estimator begins
AT_FIRST: Final = 0.1  # of the time that it may take, …
FIRST: Final = 1.0  # … up to so many seconds
SHARE: Final = 0.02  # of the time that it may take in the end
SLICE: Final = 0.02  # seconds that it takes at a time
_OFTEN, _RARELY = 0.005, 0.02  # seconds between looks at the clock, about


class Estimating(Protocol):
    """An estimator."""

    @property
    def estimate(self) -> Estimate | None: ...

    def work(self, until: float) -> None:
        """Works up to that time of time.monotonic()."""
        ...


class Watch:
    """Is told of each execution (`tick`), or of the counters now and then (`look`)."""

    def __init__(
        self,
        make: Callable[[], Estimating | None],
        clock: Callable[[], float] = time.monotonic,
        computing: Callable[[], float] = time.thread_time,
    ) -> None:
        """The estimator gets a share of what `computing` counts."""
        self.estimate: Estimate | None = None
        self.after = 0.0  # seconds of exploration that had passed when it was made
        self.before = 0  # executions that were explored when the run began
        self.trouble = ""  # why there is no estimate, if that is a fault of hybrid
        self._make = make
        self._clock = clock
        self._computing = computing
        self._start = self._looked = clock()
        self._zero = computing()
        self._spent = 0.0  # seconds
        self._estimator: Estimating | None = None
        self._given_up = False
        self._ticks = 0
        self._next = 1  # the tick at which the clock is looked at
        self._stride = 1  # ticks between two looks

    @property
    def seconds(self) -> float:
        """Since the run began."""
        return self._clock() - self._start

    def tell(self, result: Result) -> None:
        """Puts the estimate into the result of the exploration, whose counters it has."""
        if self.estimate is not None:
            result.estimate = self.estimate.at_least(executions(result.counters))
            result.estimated_after = self.after
        if self.trouble:
            result.messages.append(self.trouble)

    def begin(self, counters: Counters) -> None:
        """The exploration goes on from one that has counted this."""
        self.before = executions(counters)

    def tick(self) -> None:
        """The engine has yielded an execution."""
        self._ticks += 1
        if self._ticks >= self._next:
            now = self._clock()
            if now - self._looked < _OFTEN:
                self._stride *= 2
            elif now - self._looked > _RARELY and self._stride > 1:
                self._stride //= 2
            self.look()
            self._looked = self._clock()
            self._next = self._ticks + self._stride

    def look(self) -> None:
        """Lets the estimator work, if it is its turn."""
        begun = self._computing()
        allowed = allowance(begun - self._zero) - self._spent
        if self._given_up or allowed <= 0:
            return
        try:
            if self._estimator is None:
                self._estimator = self._make()
            if self._estimator is None:
                self._given_up = True
                return
            self._estimator.work(self._clock() + min(allowed, SLICE))
            self.estimate = self._estimator.estimate
            self.after = self.seconds
        except (Stopped, MemoryError):
            raise
        except Exception as error:
            self._given_up = True
            self.trouble = (
                "the number of executions could not be estimated (a bug in hybrid, please report "
                f"it): {type(error).__name__}: {error}"
            )
        finally:
            self._spent += self._computing() - begun


def allowance(seconds: float) -> float:
    """How much of the first `seconds` of an exploration the estimator may take."""
    if seconds < DELAY:
        return 0.0
    return min(AT_FIRST * seconds, max(FIRST, SHARE * seconds))


def watch_for(
    program: Program,
    model: Model,
    limits: Limits,
    equivalence: str,
    seed: int | None,
    elsewhere: bool = False,
) -> Watch:
    """For an exploration that begins now; `elsewhere`: by other processes, so that the time that
    passes counts and not what this one computes."""

    def make() -> Estimating | None:
        from hybrid.engine.probes.make import make_estimator

        return make_estimator(program, model, limits, equivalence, seed or 0)

    return Watch(make, computing=time.monotonic if elsewhere else time.thread_time)
