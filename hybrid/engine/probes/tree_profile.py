"""What walks through a tree have found out about it: how many nodes of each kind it has, and how
many leaves are below these.

Nodes are of one kind, a **stratum**, if they have the same depth and the same number of loads that
were passed and wait for their store (commit_tree.py): each of these multiplies what can follow. (P.
C. Chen, "Heuristic sampling", 1992, is the origin of strata in Knuth's estimator.)
"""

from __future__ import annotations

from typing import Final

Stratum = tuple[int, int]  # depth, loads that were passed

_FEW: Final = 2.0  # so many nodes of a stratum count as much as all of their depth
_LEAST: Final = 0.05  # of what a node of that depth has below it


class TreeProfile:
    """Sums over nodes that were met, each counted by its weight; of several walks, by their widths
    too."""

    def __init__(self) -> None:
        self.nodes: dict[Stratum, float] = {}
        self.leaves: dict[Stratum, float] = {}
        self.met: dict[Stratum, int] = {}
        self._nodes_at: list[float] = []  # by depth
        self._leaves_at: list[float] = []
        self._widths = 0

    def meet(self, stratum: Stratum, weight: float) -> None:
        """A node of this weight is kept."""
        self.nodes[stratum] = self.nodes.get(stratum, 0.0) + weight
        self.met[stratum] = self.met.get(stratum, 0) + 1

    def finish(self, stratum: Stratum, leaves: float) -> None:
        """So many leaves, with their weights, were found below a node."""
        self.leaves[stratum] = self.leaves.get(stratum, 0.0) + leaves

    def add(self, other: TreeProfile, width: int) -> None:
        """Takes in what a walk of this width has found."""
        self._widths += width
        for stratum, weight in other.nodes.items():
            depth = stratum[0]
            while len(self._nodes_at) <= depth:
                self._nodes_at.append(0.0)
                self._leaves_at.append(0.0)
            leaves = width * other.leaves.get(stratum, 0.0)
            self.nodes[stratum] = self.nodes.get(stratum, 0.0) + width * weight
            self.leaves[stratum] = self.leaves.get(stratum, 0.0) + leaves
            self.met[stratum] = self.met.get(stratum, 0) + other.met[stratum]
            self._nodes_at[depth] += width * weight
            self._leaves_at[depth] += leaves

    @property
    def depths(self) -> int:
        return len(self._nodes_at)

    def target(self, stratum: Stratum, width: int) -> float:
        """The weight that nodes should have for each of them to stand for the same number of
        leaves, and for `width` of them to stand for all; while no leaf is known, for `width` nodes
        of each depth to be kept; 0 where nothing is known."""
        depth = stratum[0]
        if depth >= len(self._nodes_at):
            return 0.0
        if not self._leaves_at[depth]:
            return self._nodes_at[depth] / (self._widths * width)
        usual = self._leaves_at[depth] / self._nodes_at[depth]
        below = usual
        met = self.met.get(stratum, 0)
        if met:
            own = self.leaves[stratum] / self.nodes[stratum]
            below = (met * own + _FEW * usual) / (met + _FEW)
        all_leaves = self._leaves_at[0] / self._widths
        return all_leaves / (width * max(below, _LEAST * usual))
