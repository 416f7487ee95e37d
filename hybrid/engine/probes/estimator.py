"""How many executions a program has, estimated by thinned walks through its tree of commits
(thinned_walk.py, commit_tree.py).

The first walks are Knuth's. They tell roughly how many nodes the tree has at each depth, and the
walks after them keep so many of them (the *width*) that this number, divided by the width, is the
weight of each. Walks of the full width count; these become wider the longer the exploration lasts.
As what a walk keeps depends on walks before it alone, the estimate has no bias, but for walks that
are given up since they become far longer than they should.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Final

from hybrid.engine.probes.commit_tree import CommitTree
from hybrid.engine.probes.thinned_walk import ThinnedWalk

FIRST: Final = (1, 1, 1, 1, 2, 4)  # the widths of the walks that do not count
WIDTH: Final = 8  # of the first that do
ROUNDS: Final = 8  # walks of one width, after which it doubles
WIDEST: Final = 1024
LEAST: Final = 4  # walks from which an estimate is made
NINETY: Final = 1.645  # standard deviations, on both sides, of a 90 % interval
_ENOUGH: Final = 32  # times as many nodes as a walk should look at: it is given up


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


class Estimator:
    """`work` as long as there is time; `estimate` is the best one so far."""

    def __init__(self, tree: CommitTree, seed: int = 0) -> None:
        self._tree = tree
        self._random = random.Random(seed)
        self._walk: ThinnedWalk | None = None  # the one under way
        self._width = 1  # its width
        self._begun = 0  # walks
        self._counted: list[tuple[int, float]] = []  # widths and what the walks say
        self._sizes: list[float] = []  # by depth: nodes, summed over walks, times their widths
        self._widths = 0  # the sum of these
        self._given_up = 0

    @property
    def estimate(self) -> Estimate | None:
        """None: not enough walks yet, or none that met an execution."""
        return estimate_from(self._counted)

    def work(self, until: float) -> None:
        """Walks until that time of time.monotonic(), at least one step."""
        while True:
            if self._walk is None:
                self._walk = self._next()
            walk = self._walk
            if walk.work(until):
                self._count(walk)
                self._walk = None
                continue
            depths = max(len(walk.sizes), len(self._sizes))
            if walk.nodes > _ENOUGH * (self._width + 4) * (depths + 4):
                walk.give_up()
                self._give_up(walk)
                self._walk = None
            return

    def _next(self) -> ThinnedWalk:
        number = self._begun
        self._begun += 1
        if number < len(FIRST):
            self._width = FIRST[number]
        else:
            doubled = (number - len(FIRST)) // ROUNDS
            self._width = min(WIDTH << min(doubled, 32), WIDEST)
        if number == 0 or self._width == 1:
            targets = []
        else:
            scale = (1 << self._given_up) / (self._widths * self._width)
            targets = [size * scale for size in self._sizes]
        return ThinnedWalk(self._tree, self._random, targets)

    def _count(self, walk: ThinnedWalk) -> None:
        if self._begun > len(FIRST):
            self._counted.append((self._width, walk.leaves))
        self._learn(walk)

    def _learn(self, walk: ThinnedWalk) -> None:
        while len(self._sizes) < len(walk.sizes):
            self._sizes.append(0.0)
        for depth, size in enumerate(walk.sizes):
            self._sizes[depth] += self._width * size
        self._widths += self._width

    def _give_up(self, walk: ThinnedWalk) -> None:
        """What was learned so far is too little: the next walks keep less."""
        self._given_up += 1
        self._learn(walk)


def estimate_from(counted: list[tuple[int, float]]) -> Estimate | None:
    """From walks, each given by its width and the number of leaves that it says: their mean, wider
    walks counting for more; and an interval by the spread among them, for a number whose logarithm
    is normally distributed."""
    weights = sum(width for width, _ in counted)
    if len(counted) < LEAST or not any(leaves for _, leaves in counted):
        return None
    mean = sum(width * leaves for width, leaves in counted) / weights
    squares = sum((width * (leaves - mean)) ** 2 for width, leaves in counted)
    number = len(counted)
    error = math.sqrt(squares * number / (number - 1)) / weights / mean  # relative
    factor = math.exp(NINETY * math.sqrt(math.log1p(error * error)))
    return Estimate(mean, mean / factor, mean * factor, number)
