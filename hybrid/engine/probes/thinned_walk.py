"""A walk through a part of a tree that estimates how many leaves the whole has.

D. E. Knuth, "Estimating the efficiency of backtrack programs" (1975): go down from the root, at
each node to a child chosen at random; the product of the numbers of children is, on average, the
number of leaves. On trees as skewed as those of executions its spread is far too large. So the walk
here keeps several nodes of each depth, as R. Vaisman and D. P. Kroese do ("Stochastic enumeration
method for counting trees", 2017), but depth first, and chosen by what is known of the tree.

A node that is kept stands for `weight` nodes, itself included. Each node has a target, the weight
that it should have (tree_profile.py). A child of a node of weight v is kept always, with weight v,
if v has reached its target; else with probability v / target, and then its weight is the target. So
the expected sum of the weights of the leaves that are met is the number of leaves, whatever the
targets are, provided that they are known before the walk begins.

Which children are kept is drawn by systematic sampling, one random number for each depth: the
probabilities are added up as children come, beginning with a random fraction of one, and one is
kept whenever the sum passes a whole number. The nodes that are kept are then spread evenly over the
tree.

Where there is no target the walk is Knuth's: one child of each node on average. Where targets turn
out to be too small, as far more nodes would be kept than the `width` of the walk, they grow with
the sum of the probabilities at their depth. This sum, the random fraction left out, depends on what
was drawn at smaller depths alone, so that there is still no bias.
"""

from __future__ import annotations

import random
import time
from typing import Final

from hybrid.engine.probes.commit_tree import CommitNode, CommitTree
from hybrid.engine.probes.tree_profile import Stratum, TreeProfile

_USUAL: Final = 4  # times its width: so many nodes of a depth a walk keeps as a rule at most


class WalkedNode:
    """A node on the way from the root."""

    __slots__ = ("entered", "leaves", "next", "node", "stratum", "weight")

    def __init__(self, node: CommitNode, stratum: Stratum, weight: float) -> None:
        self.node = node
        self.stratum = stratum
        self.weight = weight
        self.next = 0  # the first child that was not looked at
        self.entered = False  # the walk is below the child before that one
        self.leaves = 0.0  # that were found below, with their weights


class ThinnedWalk:
    """`leaves` is the estimate once `work` says that the walk is over."""

    def __init__(
        self, tree: CommitTree, draw: random.Random, known: TreeProfile, width: int
    ) -> None:
        """`known`: what earlier walks have found, of which nothing is used if the `width` is 1."""
        self.leaves = 0.0
        self.profile = TreeProfile()
        self.nodes = 0  # that were looked at
        self._tree = tree
        self._random = draw
        self._known = known
        self._width = width
        self._firsts: list[float] = []  # by depth: what was drawn, …
        self._sums: list[float] = []  # … and it with the probabilities so far
        self._path: list[WalkedNode] = []
        self._begun = False

    def work(self, until: float) -> bool:
        """Walks on until that time of time.monotonic(), at least one step; whether the walk is
        over."""
        if not self._begun:
            self._begun = True
            self._look((0, 0), 1.0, False)
        while self._path:
            self._step()
            if self._path and time.monotonic() > until:
                return False
        return True

    def _step(self) -> None:
        """To the next child of the last node that is kept, or back from that node."""
        top = self._path[-1]
        self._back(top)
        children = top.node.children
        while top.next < len(children):
            child = children[top.next]
            top.next += 1
            stratum = (len(self._path), child.waiting.bit_count())
            weight = max(self._target(stratum, top), top.weight)
            if self._keeps(stratum[0], top.weight / weight):
                self._tree.enter(top.node, child)
                top.entered = True
                self._look(stratum, weight, child.frame is None)
                return
        self._finish(self._path.pop())

    def _keeps(self, depth: int, probability: float) -> bool:
        before = self._sums[depth]
        after = self._sums[depth] = before + probability
        return int(after) > int(before)

    def _target(self, stratum: Stratum, above: WalkedNode) -> float:
        depth = stratum[0]
        found = 0.0 if self._width == 1 else self._known.target(stratum, self._width)
        beyond = self._sums[depth] - self._firsts[depth] - _USUAL * self._width
        if beyond > 0:
            found *= 2.0 ** (beyond / self._width)
        return found or above.weight * len(above.node.children)

    def _look(self, stratum: Stratum, weight: float, ends: bool) -> None:
        """At the node at hand; `ends`: what led there ends the run."""
        self.nodes += 1
        self.profile.meet(stratum, weight)
        walked = WalkedNode(CommitNode() if ends else self._tree.expand(), stratum, weight)
        if not walked.node.children:
            walked.leaves = weight * self._tree.ends()
        self._path.append(walked)
        while len(self._sums) <= len(self._path):
            drawn = self._random.random()
            self._firsts.append(drawn)
            self._sums.append(drawn)

    def _back(self, top: WalkedNode) -> None:
        if top.entered:
            self._tree.leave(top.node.children[top.next - 1])
            top.entered = False

    def _finish(self, walked: WalkedNode) -> None:
        self.profile.finish(walked.stratum, walked.leaves)
        if self._path:
            self._path[-1].leaves += walked.leaves
        else:
            self.leaves = walked.leaves
