"""Sets and relations as nodes of a plan, and those who take nodes apart: evaluators and builders.

An operator of the models is a subclass of `Node` in operators.py. It says what its column and its
row are, given those of its operands, and which method of a builder makes it. So a new operator is
one class there, and whatever it leaves out or a builder lacks is an error of the type checker.

The *column* of an event is the set of events that a relation relates to it, its *row* the set of
those to which the relation relates it; both are bits. Evaluators differ in their leaves: which
events count, what the base relations hold, what is remembered. `ColumnEvaluator` has the rest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import IntEnum
from typing import Final, Generic, TypeVar

from mypy_extensions import mypyc_attr

from hybrid.errors import InternalError

# What a node depends on; plan.py tells them apart.
STATIC: Final = 0
FIXED: Final = 1
POINT: Final = 2
GROW: Final = 3
FREE: Final = 4


class Op(IntEnum):
    # sets known at fetch
    SET_BASE = 0
    SET_UNION = 1
    SET_INTER = 2
    SET_DIFF = 3
    SET_COMPLEMENT = 4
    SET_EMPTY = 5
    # relations that an execution gives
    PO = 10
    ADDR = 11
    DATA = 12
    CTRL = 13
    ID = 14
    INT = 15
    EXT = 16
    LOC = 17
    AMO = 18
    LXSX = 19
    RF = 20
    CO = 21
    FR = 22
    EMPTY = 23
    PICK = 24
    # operators on relations
    UNION = 30
    INTER = 31
    DIFF = 32
    COMPLEMENT = 33
    SEQ = 34
    INVERSE = 35
    PLUS = 36
    STAR = 37
    OPT = 38
    PRODUCT = 39  # of two sets known at fetch
    IDENTITY = 40  # on a set known at fetch
    DOMAIN = 41  # as an identity
    RANGE = 42  # as an identity
    FROM = 43  # the pairs of a relation (second) that start in a set (first)
    INTO = 44  # the pairs of a relation (first) that end in a set (second)
    RECURSIVE = 45  # a name defined by `let rec`; its one argument is the body
    FINAL = 46  # the identity on the co-last stores


class Node(ABC):
    """A set or relation of the plan; equal expressions share one."""

    __slots__ = ("args", "index", "is_set", "level", "name", "op", "recursive")

    def __init__(self, index: int, op: Op, args: tuple[Node, ...], level: int, name: str) -> None:
        self.index = index
        self.op = op
        self.args = args
        self.level = level
        self.name = name  # of a base set
        self.is_set = op <= Op.SET_EMPTY
        self.recursive = False  # it lies on a cycle of recursive definitions

    def __repr__(self) -> str:
        inner = ", ".join(repr(a) for a in self.args) if self.op != Op.RECURSIVE else self.name
        return f"{self.op.name}{self.name}({inner})"

    @abstractmethod
    def column(self, of: ColumnEvaluator, event: int) -> int:
        """The column of `event`, from what the evaluator has of the operands."""

    @abstractmethod
    def row(self, of: ColumnEvaluator, event: int) -> int:
        """The same for the row."""

    @abstractmethod
    def build(self, builder: RelationBuilder[R]) -> R:
        """What stands for this node, made by the builder's method for the operator."""


@mypyc_attr(allow_interpreted_subclasses=True)
class ColumnEvaluator:
    """Columns and rows of relations over some events. What the answers hold besides these events
    (a complement has all other numbers) is for the caller to mask.

    A subclass overrides the leaves that it has, and `column` and `row` where it knows answers that
    need not be computed. A leaf that it has not cannot be asked for.
    """

    def __init__(self, members: list[int]) -> None:
        self.members = members  # by index of a set: its events

    def column(self, node: Node, event: int) -> int:
        """The events that the relation relates to `event`."""
        return node.column(self, event)

    def row(self, node: Node, event: int) -> int:
        """The events to which the relation relates `event`."""
        return node.row(self, event)

    # ---- leaves

    def base(self, node: Node, event: int) -> int:
        """The column of a base relation that is not one of those below."""
        raise InternalError(f"{type(self).__name__} has no columns of {node!r}")

    def base_row(self, node: Node, event: int) -> int:
        raise InternalError(f"{type(self).__name__} has no rows of {node!r}")

    def same_thread(self, event: int) -> int:
        raise InternalError(f"{type(self).__name__} has no int and ext")

    def same_location(self, event: int) -> int:
        raise InternalError(f"{type(self).__name__} has no loc")

    # ---- what several operators have in common

    def image(self, node: Node, events: int) -> int:
        """The union of the columns of `events`."""
        union = 0
        while events:
            low = events & -events
            events ^= low
            union |= self.column(node, low.bit_length() - 1)
        return union

    def image_of_rows(self, node: Node, events: int) -> int:
        """The union of the rows of `events`."""
        union = 0
        while events:
            low = events & -events
            events ^= low
            union |= self.row(node, low.bit_length() - 1)
        return union

    def closure(self, node: Node, event: int) -> int:
        """The column of the transitive closure of the operand of `node`, a PLUS or STAR."""
        operand = node.args[0]
        reached = found = self.column(operand, event)
        while found:
            found = self.image(operand, found) & ~reached
            reached |= found
        return reached

    def closure_row(self, node: Node, event: int) -> int:
        operand = node.args[0]
        reached = found = self.row(operand, event)
        while found:
            found = self.image_of_rows(operand, found) & ~reached
            reached |= found
        return reached


R = TypeVar("R")


@mypyc_attr(allow_interpreted_subclasses=True)
class RelationBuilder(Generic[R], ABC):
    """Turns growing nodes into relations that are kept up to date, one method for each operator.
    Nodes below GROW are leaves: `relation` makes them without asking the node."""

    @abstractmethod
    def relation(self, node: Node) -> R:
        """What stands for a node; equal nodes share it."""

    @abstractmethod
    def rf(self) -> R: ...

    @abstractmethod
    def co(self) -> R: ...

    @abstractmethod
    def fr(self) -> R: ...

    @abstractmethod
    def union(self, node: Node) -> R: ...

    @abstractmethod
    def intersection(self, node: Node) -> R: ...

    @abstractmethod
    def difference(self, node: Node) -> R: ...

    @abstractmethod
    def sequence(self, node: Node) -> R: ...

    @abstractmethod
    def inverse(self, node: Node) -> R: ...

    @abstractmethod
    def plus(self, node: Node) -> R: ...

    @abstractmethod
    def star(self, node: Node) -> R: ...

    @abstractmethod
    def optional(self, node: Node) -> R: ...

    @abstractmethod
    def domain(self, node: Node) -> R: ...

    @abstractmethod
    def range(self, node: Node) -> R: ...

    @abstractmethod
    def restricted_start(self, node: Node) -> R: ...

    @abstractmethod
    def restricted_end(self, node: Node) -> R: ...

    @abstractmethod
    def recursive(self, node: Node) -> R: ...


def growing_parts(node: Node) -> list[Node]:
    """The operands of nested unions that are not pointwise as a whole."""
    if node.op != Op.UNION or node.level < GROW:
        return [node]
    return [part for arg in node.args for part in growing_parts(arg)]
