"""The base relations of models and the operators on relations, one class each; those on sets are in
sets.py. `NODES` is the table of all."""

from __future__ import annotations

from typing import Final, TypeVar

from hybrid.errors import InternalError
from hybrid.oracle.columns import ColumnEvaluator, Node, Op, RelationBuilder
from hybrid.oracle.sets import (
    BaseSet,
    ComplementOfSet,
    DifferenceOfSets,
    EmptySet,
    IntersectionOfSets,
    UnionOfSets,
)

R = TypeVar("R")


# ---- relations that an execution gives


class Pointwise(Node):
    """Relations that are always below GROW: builders take them as leaves."""

    __slots__ = ()

    def build(self, builder: RelationBuilder[R]) -> R:
        raise InternalError(f"{self!r} does not grow")


class BaseRelation(Pointwise):
    """What only the evaluator knows: po, addr, data, ctrl, pick, amo, lxsx, the co-last stores."""

    __slots__ = ()

    def column(self, of: ColumnEvaluator, event: int) -> int:
        return of.base(self, event)

    def row(self, of: ColumnEvaluator, event: int) -> int:
        return of.base_row(self, event)


class ReadsFrom(BaseRelation):
    __slots__ = ()

    def build(self, builder: RelationBuilder[R]) -> R:
        return builder.rf()


class Coherence(BaseRelation):
    __slots__ = ()

    def build(self, builder: RelationBuilder[R]) -> R:
        return builder.co()


class FromRead(BaseRelation):
    __slots__ = ()

    def build(self, builder: RelationBuilder[R]) -> R:
        return builder.fr()


class SameEvent(Pointwise):
    """id"""

    __slots__ = ()

    def column(self, of: ColumnEvaluator, event: int) -> int:
        return 1 << event

    def row(self, of: ColumnEvaluator, event: int) -> int:
        return 1 << event


class SameThread(Pointwise):
    """int"""

    __slots__ = ()

    def column(self, of: ColumnEvaluator, event: int) -> int:
        return of.same_thread(event)

    def row(self, of: ColumnEvaluator, event: int) -> int:
        return of.same_thread(event)


class OtherThread(Pointwise):
    """ext"""

    __slots__ = ()

    def column(self, of: ColumnEvaluator, event: int) -> int:
        return ~of.same_thread(event)

    def row(self, of: ColumnEvaluator, event: int) -> int:
        return ~of.same_thread(event)


class SameLocation(Pointwise):
    """loc"""

    __slots__ = ()

    def column(self, of: ColumnEvaluator, event: int) -> int:
        return of.same_location(event)

    def row(self, of: ColumnEvaluator, event: int) -> int:
        return of.same_location(event)


class EmptyRelation(Pointwise):
    __slots__ = ()

    def column(self, of: ColumnEvaluator, event: int) -> int:
        return 0

    def row(self, of: ColumnEvaluator, event: int) -> int:
        return 0


# ---- operators on relations


class UnionNode(Node):
    __slots__ = ()

    def column(self, of: ColumnEvaluator, event: int) -> int:
        args = self.args
        return of.column(args[0], event) | of.column(args[1], event)

    def row(self, of: ColumnEvaluator, event: int) -> int:
        args = self.args
        return of.row(args[0], event) | of.row(args[1], event)

    def build(self, builder: RelationBuilder[R]) -> R:
        return builder.union(self)


class IntersectionNode(Node):
    __slots__ = ()

    def column(self, of: ColumnEvaluator, event: int) -> int:
        args = self.args
        first = of.column(args[0], event)
        return first & of.column(args[1], event) if first else 0

    def row(self, of: ColumnEvaluator, event: int) -> int:
        args = self.args
        first = of.row(args[0], event)
        return first & of.row(args[1], event) if first else 0

    def build(self, builder: RelationBuilder[R]) -> R:
        return builder.intersection(self)


class DifferenceNode(Node):
    __slots__ = ()

    def column(self, of: ColumnEvaluator, event: int) -> int:
        args = self.args
        first = of.column(args[0], event)
        return first & ~of.column(args[1], event) if first else 0

    def row(self, of: ColumnEvaluator, event: int) -> int:
        args = self.args
        first = of.row(args[0], event)
        return first & ~of.row(args[1], event) if first else 0

    def build(self, builder: RelationBuilder[R]) -> R:
        return builder.difference(self)


class ComplementNode(Pointwise):
    __slots__ = ()

    def column(self, of: ColumnEvaluator, event: int) -> int:
        return ~of.column(self.args[0], event)

    def row(self, of: ColumnEvaluator, event: int) -> int:
        return ~of.row(self.args[0], event)


class SequenceNode(Node):
    """left ; right"""

    __slots__ = ()

    def column(self, of: ColumnEvaluator, event: int) -> int:
        args = self.args
        return of.image(args[0], of.column(args[1], event))

    def row(self, of: ColumnEvaluator, event: int) -> int:
        args = self.args
        return of.image_of_rows(args[1], of.row(args[0], event))

    def build(self, builder: RelationBuilder[R]) -> R:
        return builder.sequence(self)


class InverseNode(Node):
    __slots__ = ()

    def column(self, of: ColumnEvaluator, event: int) -> int:
        return of.row(self.args[0], event)

    def row(self, of: ColumnEvaluator, event: int) -> int:
        return of.column(self.args[0], event)

    def build(self, builder: RelationBuilder[R]) -> R:
        return builder.inverse(self)


class PlusNode(Node):
    __slots__ = ()

    def column(self, of: ColumnEvaluator, event: int) -> int:
        return of.closure(self, event)

    def row(self, of: ColumnEvaluator, event: int) -> int:
        return of.closure_row(self, event)

    def build(self, builder: RelationBuilder[R]) -> R:
        return builder.plus(self)


class StarNode(Node):
    __slots__ = ()

    def column(self, of: ColumnEvaluator, event: int) -> int:
        return of.closure(self, event) | 1 << event

    def row(self, of: ColumnEvaluator, event: int) -> int:
        return of.closure_row(self, event) | 1 << event

    def build(self, builder: RelationBuilder[R]) -> R:
        return builder.star(self)


class OptionalNode(Node):
    __slots__ = ()

    def column(self, of: ColumnEvaluator, event: int) -> int:
        return of.column(self.args[0], event) | 1 << event

    def row(self, of: ColumnEvaluator, event: int) -> int:
        return of.row(self.args[0], event) | 1 << event

    def build(self, builder: RelationBuilder[R]) -> R:
        return builder.optional(self)


class ProductNode(Pointwise):
    __slots__ = ()

    def column(self, of: ColumnEvaluator, event: int) -> int:
        members, args = of.members, self.args
        return members[args[0].index] if members[args[1].index] >> event & 1 else 0

    def row(self, of: ColumnEvaluator, event: int) -> int:
        members, args = of.members, self.args
        return members[args[1].index] if members[args[0].index] >> event & 1 else 0


class IdentityNode(Pointwise):
    """The identity on a set."""

    __slots__ = ()

    def column(self, of: ColumnEvaluator, event: int) -> int:
        return 1 << event & of.members[self.args[0].index]

    def row(self, of: ColumnEvaluator, event: int) -> int:
        return 1 << event & of.members[self.args[0].index]


class DomainNode(Node):
    """The identity on the events that the operand relates to something."""

    __slots__ = ()

    def column(self, of: ColumnEvaluator, event: int) -> int:
        return 1 << event if of.row(self.args[0], event) else 0

    def row(self, of: ColumnEvaluator, event: int) -> int:
        return 1 << event if of.row(self.args[0], event) else 0

    def build(self, builder: RelationBuilder[R]) -> R:
        return builder.domain(self)


class RangeNode(Node):
    """The identity on the events to which the operand relates something."""

    __slots__ = ()

    def column(self, of: ColumnEvaluator, event: int) -> int:
        return 1 << event if of.column(self.args[0], event) else 0

    def row(self, of: ColumnEvaluator, event: int) -> int:
        return 1 << event if of.column(self.args[0], event) else 0

    def build(self, builder: RelationBuilder[R]) -> R:
        return builder.range(self)


class FromNode(Node):
    """The pairs of the second operand, a relation, that start in the first, a set."""

    __slots__ = ()

    def column(self, of: ColumnEvaluator, event: int) -> int:
        args = self.args
        return of.column(args[1], event) & of.members[args[0].index]

    def row(self, of: ColumnEvaluator, event: int) -> int:
        args = self.args
        return of.row(args[1], event) if of.members[args[0].index] >> event & 1 else 0

    def build(self, builder: RelationBuilder[R]) -> R:
        return builder.restricted_start(self)


class IntoNode(Node):
    """The pairs of the first operand, a relation, that end in the second, a set."""

    __slots__ = ()

    def column(self, of: ColumnEvaluator, event: int) -> int:
        args = self.args
        return of.column(args[0], event) if of.members[args[1].index] >> event & 1 else 0

    def row(self, of: ColumnEvaluator, event: int) -> int:
        args = self.args
        return of.row(args[0], event) & of.members[args[1].index]

    def build(self, builder: RelationBuilder[R]) -> R:
        return builder.restricted_end(self)


class RecursiveNode(Node):
    """A name of a recursive group. Only an evaluator that computes fixpoints knows its columns."""

    __slots__ = ()

    def column(self, of: ColumnEvaluator, event: int) -> int:
        return of.base(self, event)

    def row(self, of: ColumnEvaluator, event: int) -> int:
        return of.base_row(self, event)

    def build(self, builder: RelationBuilder[R]) -> R:
        return builder.recursive(self)


NODES: Final[dict[Op, type[Node]]] = {
    Op.SET_BASE: BaseSet,
    Op.SET_UNION: UnionOfSets,
    Op.SET_INTER: IntersectionOfSets,
    Op.SET_DIFF: DifferenceOfSets,
    Op.SET_COMPLEMENT: ComplementOfSet,
    Op.SET_EMPTY: EmptySet,
    Op.PO: BaseRelation,
    Op.ADDR: BaseRelation,
    Op.DATA: BaseRelation,
    Op.CTRL: BaseRelation,
    Op.PICK: BaseRelation,
    Op.AMO: BaseRelation,
    Op.LXSX: BaseRelation,
    Op.FINAL: BaseRelation,
    Op.RF: ReadsFrom,
    Op.CO: Coherence,
    Op.FR: FromRead,
    Op.ID: SameEvent,
    Op.INT: SameThread,
    Op.EXT: OtherThread,
    Op.LOC: SameLocation,
    Op.EMPTY: EmptyRelation,
    Op.UNION: UnionNode,
    Op.INTER: IntersectionNode,
    Op.DIFF: DifferenceNode,
    Op.COMPLEMENT: ComplementNode,
    Op.SEQ: SequenceNode,
    Op.INVERSE: InverseNode,
    Op.PLUS: PlusNode,
    Op.STAR: StarNode,
    Op.OPT: OptionalNode,
    Op.PRODUCT: ProductNode,
    Op.IDENTITY: IdentityNode,
    Op.DOMAIN: DomainNode,
    Op.RANGE: RangeNode,
    Op.FROM: FromNode,
    Op.INTO: IntoNode,
    Op.RECURSIVE: RecursiveNode,
}
