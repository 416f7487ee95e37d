"""A walk through a part of a tree that estimates how many leaves the whole has.

D. E. Knuth, "Estimating the efficiency of backtrack programs" (1975): go down from the root, at
each node to a child chosen at random; the product of the numbers of children is, on average, the
number of leaves. On trees as skewed as those of executions its spread is far too large. So the walk
here keeps several nodes of each depth, as in R. Vaisman and D. P. Kroese, "Stochastic enumeration
method for counting trees" (2017), but depth first.

A node that is kept stands for `weight` nodes of its depth, itself included. Each depth has a
target, the weight that nodes there should have. A child of a node of weight v is kept always, with
weight v, if v has reached the target of its depth; else with probability v / target, and then its
weight is the target. So the expected sum of the weights of the leaves that are met is the number of
leaves, whatever the targets are, provided that they are known before the walk begins.

Which children are kept is drawn by systematic sampling, one random number for each depth: the
probabilities are added up as children come, and one is kept whenever the sum passes a whole number
(the first time after a random fraction of one). The nodes that are kept are then spread evenly over
the tree.

Where there is no target the walk is Knuth's: one child of each node on average.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

from hybrid.engine.probes.commit_tree import CommitNode, CommitTree


class WalkedNode:
    """A node on the way from the root."""

    __slots__ = ("entered", "next", "node", "weight")

    def __init__(self, node: CommitNode, weight: float) -> None:
        self.node = node
        self.weight = weight
        self.next = 0  # the first child that was not looked at
        self.entered = False  # the walk is below the child before that one


class ThinnedWalk:
    """`leaves` is the estimate once `work` says that the walk is over."""

    def __init__(self, tree: CommitTree, draw: random.Random, targets: Sequence[float]) -> None:
        """`targets`: by depth, from that of the root."""
        self.leaves = 0.0
        self.sizes: list[float] = [1.0]  # by depth: how many nodes the tree has, estimated
        self.nodes = 0  # that were looked at
        self._tree = tree
        self._random = draw
        self._targets = targets
        self._sums: list[float] = [0.0]  # by depth, of probabilities, without their whole part
        self._path: list[WalkedNode] = []
        self._begun = False

    def work(self, until: float) -> bool:
        """Walks on until that time of time.monotonic(); whether the walk is over."""
        if not self._begun:
            self._begun = True
            self._look(1.0)
        while self._path:
            if time.monotonic() > until:
                return False
            self._step()
        return True

    def give_up(self) -> None:
        """Goes back to the root."""
        while self._path:
            self._back(self._path.pop())

    def _step(self) -> None:
        """To the next child of the last node that is kept, or back from that node."""
        top = self._path[-1]
        self._back(top)
        children = top.node.children
        depth = len(self._path)
        target = max(self._target(depth, top), top.weight)
        share = top.weight / target
        while top.next < len(children):
            child = children[top.next]
            top.next += 1
            if share < 1.0:
                self._sums[depth] += share
                if self._sums[depth] < 1.0:
                    continue
                self._sums[depth] -= 1.0
            self._tree.enter(top.node, child)
            top.entered = True
            self._look(target)
            return
        self._path.pop()

    def _back(self, top: WalkedNode) -> None:
        if top.entered:
            self._tree.leave(top.node.children[top.next - 1])
            top.entered = False

    def _target(self, depth: int, node: WalkedNode) -> float:
        if depth < len(self._targets):
            return self._targets[depth]
        return node.weight * len(node.node.children)

    def _look(self, weight: float) -> None:
        """At the node at hand, whose weight this is."""
        self.nodes += 1
        ends = bool(self._path) and self._is_end()
        node = CommitNode() if ends else self._tree.expand()
        if not node.children:
            self.leaves += weight * self._tree.ends()
            return
        self._path.append(WalkedNode(node, weight))
        depth = len(self._path)
        while len(self.sizes) <= depth:
            self.sizes.append(0.0)
            self._sums.append(self._random.random())
        self.sizes[depth] += weight * len(node.children)

    def _is_end(self) -> bool:
        """Whether the child that was entered ends the run by itself."""
        top = self._path[-1]
        return top.node.children[top.next - 1].frame is None
