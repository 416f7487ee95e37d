"""The flags of a model on the committed events of a graph oracle."""

from __future__ import annotations

from typing import Final

from hybrid.model import core
from hybrid.oracle.columns import GROW, Node, Op
from hybrid.oracle.from_scratch import Fresh, possible_ends
from hybrid.oracle.network import Network
from hybrid.oracle.onward import Onward
from hybrid.oracle.pointwise import Points

_EMPTY: Final = core.Test.EMPTY  # looked up once


class _Flag:
    __slots__ = ("empty", "flag", "name", "negated", "node")

    def __init__(self, flag: core.Axiom, node: Node) -> None:
        self.flag = flag
        self.name = flag.name
        self.node = node
        self.empty = flag.test is _EMPTY
        self.negated = flag.negated


class GraphFlags:
    """What the oracle keeps up to date of the relations that flags are made of is used."""

    __slots__ = ("_flags", "_known", "_points", "needs_base")

    def __init__(
        self,
        flags: list[tuple[core.Axiom, Node]],
        points: Points,
        network: Network,
        onward: Onward | None,
    ) -> None:
        self._flags = [_Flag(flag, node) for flag, node in flags]
        self._points = points
        self.needs_base = False  # rf, co or fr must be kept for them
        self._known: dict[int, list[int]] = {}  # columns that are kept, by index of the node
        seen: set[int] = set()
        todo = [node for _, node in flags]
        while todo:
            node = todo.pop()
            relation = network.built.get(node.index)
            if onward is not None and node.level == GROW and onward.takes(node):
                self._known[node.index] = onward.keep(node)
            elif node.op in (Op.RF, Op.CO, Op.FR, Op.FINAL):
                self.needs_base = True
            elif relation is not None and relation.stored and node.level == GROW:
                self._known[node.index] = relation.columns
            elif node.index not in seen:
                seen.add(node.index)
                todo.extend(node.args)

    def raised(self, rf: list[int], co: list[int], fr: list[int]) -> tuple[str, ...]:
        """The names of those that the trace raises."""
        names: list[str] = []
        fresh: Fresh | None = None
        for each in self._flags:
            if each.empty and not possible_ends(each.node, self._points):
                holds = not each.negated
            else:
                if fresh is None:
                    fresh = Fresh(self._points, rf, co, fr, self._known)
                holds = fresh.satisfies(each.flag.test, each.negated, each.node)
            if holds:
                names.append(each.name)
        return tuple(names)
