"""How many executions a program has, estimated by thinned walks through its tree of commits
(thinned_walk.py, commit_tree.py).

The first walks are Knuth's. They tell roughly what the tree is like, and the walks after them keep
about so many nodes of each depth, their *width*, as many as possible where many leaves are. Walks
of the full width count; these become wider the longer the exploration lasts, and the narrower ones
then count no more. As what a walk keeps depends on walks before it alone, the estimate has no bias.
"""

from __future__ import annotations

import random
from typing import Final

from hybrid.engine.probes.commit_tree import CommitTree
from hybrid.engine.probes.estimate import Estimate, estimate_from
from hybrid.engine.probes.thinned_walk import ThinnedWalk
from hybrid.engine.probes.tree_profile import TreeProfile

FIRST: Final = (1, 1, 1, 1, 2, 4)  # the widths of the walks that do not count
WIDTH: Final = 8  # of the first that do
ROUNDS: Final = 8  # walks of one width, after which it doubles
WIDEST: Final = 1024


class Estimator:
    """`work` as long as there is time; `estimate` is the best one so far."""

    def __init__(self, tree: CommitTree, seed: int = 0) -> None:
        self._tree = tree
        self._random = random.Random(seed)
        self._walk: ThinnedWalk | None = None  # the one under way
        self._width = 1  # its width
        self._begun = 0  # walks
        self._counted: list[tuple[int, float]] = []  # widths and what the walks say
        self._known = TreeProfile()

    @property
    def estimate(self) -> Estimate | None:
        """By the widest walks, down to a quarter of their width. None: there are not enough walks
        yet, or none that met an execution."""
        widest = max((width for width, _ in self._counted), default=0)
        return estimate_from([walk for walk in self._counted if 4 * walk[0] >= widest])

    def work(self, until: float) -> None:
        """Walks until that time of time.monotonic(), at least one step."""
        while True:
            if self._walk is None:
                self._walk = self._next()
            if not self._walk.work(until):
                return
            self._take_in(self._walk)
            self._walk = None

    def _next(self) -> ThinnedWalk:
        number = self._begun
        self._begun += 1
        if number < len(FIRST):
            self._width = FIRST[number]
        else:
            doubled = (number - len(FIRST)) // ROUNDS
            self._width = min(WIDTH << min(doubled, 32), WIDEST)
        return ThinnedWalk(self._tree, self._random, self._known, self._width)

    def _take_in(self, walk: ThinnedWalk) -> None:
        """What a walk that is over tells."""
        if self._begun > len(FIRST):
            self._counted.append((self._width, walk.leaves))
        self._known.add(walk.profile, self._width)
