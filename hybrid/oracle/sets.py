"""The sets of models that are known at fetch, one class for each operator on them."""

from __future__ import annotations

from abc import abstractmethod
from typing import TypeVar

from hybrid.errors import InternalError
from hybrid.oracle.columns import ColumnEvaluator, Node, RelationBuilder

R = TypeVar("R")


class SetNode(Node):
    """A set that is known at fetch; as a relation, the identity on it."""

    __slots__ = ()

    @abstractmethod
    def contains(self, kind: str, tags: frozenset[str], initial: bool) -> bool:
        """Whether an event is in the set: of a kind (R, W, F or B), with tags, `initial` for an
        initial write."""

    def column(self, of: ColumnEvaluator, event: int) -> int:
        return 1 << event & of.members[self.index]

    def row(self, of: ColumnEvaluator, event: int) -> int:
        return 1 << event & of.members[self.index]

    def build(self, builder: RelationBuilder[R]) -> R:
        raise InternalError(f"{self!r} does not grow")


def contains(node: Node, kind: str, tags: frozenset[str], initial: bool) -> bool:
    """The same for a node that is known to be a set."""
    assert isinstance(node, SetNode)
    return node.contains(kind, tags, initial)


class BaseSet(SetNode):
    __slots__ = ()

    def contains(self, kind: str, tags: frozenset[str], initial: bool) -> bool:
        name = self.name
        if name == "_":
            return True
        if name == "M":
            return kind in ("R", "W")
        if name == "IW":
            return initial
        if name in ("R", "W", "F", "B"):
            return kind == name
        return name in tags


class UnionOfSets(SetNode):
    __slots__ = ()

    def contains(self, kind: str, tags: frozenset[str], initial: bool) -> bool:
        left, right = self.args
        return contains(left, kind, tags, initial) or contains(right, kind, tags, initial)


class IntersectionOfSets(SetNode):
    __slots__ = ()

    def contains(self, kind: str, tags: frozenset[str], initial: bool) -> bool:
        left, right = self.args
        return contains(left, kind, tags, initial) and contains(right, kind, tags, initial)


class DifferenceOfSets(SetNode):
    __slots__ = ()

    def contains(self, kind: str, tags: frozenset[str], initial: bool) -> bool:
        left, right = self.args
        return contains(left, kind, tags, initial) and not contains(right, kind, tags, initial)


class ComplementOfSet(SetNode):
    __slots__ = ()

    def contains(self, kind: str, tags: frozenset[str], initial: bool) -> bool:
        return not contains(self.args[0], kind, tags, initial)


class EmptySet(SetNode):
    __slots__ = ()

    def contains(self, kind: str, tags: frozenset[str], initial: bool) -> bool:
        return False
