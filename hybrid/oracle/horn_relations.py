"""The growing relations of a plan as relations of Horn clauses, for the solver oracles.

Pointwise nodes are grounded as occurrences appear: where they are operands of monotone operators as
leaves, whose pairs have literals; where they only filter, as masks.
"""

from __future__ import annotations

from hybrid.encoding import horn as h
from hybrid.execution.bits import members
from hybrid.oracle.columns import GROW, Node, Op, RelationBuilder, growing_parts
from hybrid.oracle.occurrences import Occurrence, Occurrences


class HornRelations(RelationBuilder[h.HornRelation]):
    def __init__(self, horn: h.Horn, occurrences: Occurrences) -> None:
        self.horn = horn
        self.occurrences = occurrences
        self.reads_from = h.HornRelation(horn)
        self.coherence = h.HornRelation(horn)
        self.identity: h.HornRelation | None = None  # all events that are there, if it is in use
        self._built: dict[int, h.HornRelation] = {}
        self._pointwise: dict[int, Node] = {}  # those that occurrences are asked for
        self._masks: dict[int, list[int]] = {}  # by index of such a node: its rows
        self._leaves: dict[int, h.HornRelation] = {}  # by index of such a node: its pairs
        self._sets: list[Node] = []  # in use, besides those in `_pointwise`

    def prepare(self) -> None:
        """Tells the occurrences what they will be asked for, once all relations are made."""
        self.occurrences.prepare([*self._pointwise.values(), *self._sets])

    def ground(self, new: Occurrence) -> list[tuple[h.HornRelation, int, int]]:
        """The pairs of leaves between a new occurrence and those that are there; masks are
        extended."""
        occurrences = self.occurrences
        number = new.number
        bit = 1 << number
        possible = self.horn.compatible[number]
        pairs: list[tuple[h.HornRelation, int, int]] = []
        for index, node in self._pointwise.items():
            row = occurrences.row(node, number) & possible
            column = occurrences.column(node, number) & possible & ~bit
            mask = self._masks.get(index)
            if mask is not None:
                mask.append(row)
                for start in members(column):
                    mask[start] |= bit
            leaf = self._leaves.get(index)
            if leaf is not None:
                pairs += [(leaf, number, end) for end in members(row)]
                pairs += [(leaf, start, number) for start in members(column)]
        return pairs

    # ---- building

    def relation(self, node: Node) -> h.HornRelation:
        relation = self._built.get(node.index)
        if relation is None:
            if node.level < GROW:
                relation = h.HornRelation(self.horn)
                self._pointwise[node.index] = node
                self._leaves[node.index] = relation
            else:
                relation = node.build(self)
            self._built[node.index] = relation
        return relation

    def parts(self, node: Node) -> list[h.HornRelation]:
        """The relations whose union the node is."""
        return [self.relation(part) for part in growing_parts(node)]

    def mask(self, node: Node) -> list[int]:
        """The rows of a pointwise relation, by number of an occurrence, kept for looking up."""
        self._pointwise[node.index] = node
        return self._masks.setdefault(node.index, [])

    def _identity(self) -> h.HornRelation:
        if self.identity is None:
            self.identity = h.HornRelation(self.horn)
        return self.identity

    # ---- one method for each operator

    def rf(self) -> h.HornRelation:
        return self.reads_from

    def co(self) -> h.HornRelation:
        return self.coherence

    def fr(self) -> h.HornRelation:
        turned = h.HornInverse(self.horn, [self.reads_from])
        return h.HornSequence(self.horn, turned, self.coherence)

    def union(self, node: Node) -> h.HornRelation:
        return h.HornUnion(self.horn, self.parts(node))

    def intersection(self, node: Node) -> h.HornRelation:
        first, second = node.args
        if first.level >= GROW:
            return h.HornIntersection(self.horn, self.relation(first), self.relation(second))
        mask = self.mask(first)
        if second.op == Op.SEQ and second.index not in self._built:
            left, right = (self.relation(arg) for arg in second.args)
            return h.HornSequence(self.horn, left, right, mask)
        return h.Masked(self.horn, self.relation(second), mask, True)

    def difference(self, node: Node) -> h.HornRelation:
        first, second = node.args
        return h.Masked(self.horn, self.relation(first), self.mask(second), False)

    def restricted_start(self, node: Node) -> h.HornRelation:
        return self._restricted(node.args[1], node.args[0], True)

    def restricted_end(self, node: Node) -> h.HornRelation:
        return self._restricted(node.args[0], node.args[1], False)

    def _restricted(self, node: Node, inside: Node, start: bool) -> h.HornRelation:
        self._sets.append(inside)
        sets = self.occurrences.members
        return h.HornRestriction(self.horn, self.relation(node), sets, inside.index, start)

    def sequence(self, node: Node) -> h.HornRelation:
        left, right = node.args
        return h.HornSequence(self.horn, self.relation(left), self.relation(right))

    def plus(self, node: Node) -> h.HornRelation:
        return h.HornClosure(self.horn, self.parts(node.args[0]))

    def star(self, node: Node) -> h.HornRelation:
        return h.Merge(self.horn, [self.plus(node), self._identity()])

    def optional(self, node: Node) -> h.HornRelation:
        return h.Merge(self.horn, [self.relation(node.args[0]), self._identity()])

    def inverse(self, node: Node) -> h.HornRelation:
        return h.HornInverse(self.horn, [self.relation(node.args[0])])

    def domain(self, node: Node) -> h.HornRelation:
        return h.EndsOf(self.horn, self.relation(node.args[0]), False)

    def range(self, node: Node) -> h.HornRelation:
        return h.EndsOf(self.horn, self.relation(node.args[0]), True)

    def recursive(self, node: Node) -> h.HornRelation:
        """It can be found before what it is made of."""
        relation = self._built[node.index] = h.HornUnion(self.horn)
        for part in growing_parts(node.args[0]):
            self.relation(part).users.append((relation, 0))
        return relation
