"""The growing relations of a plan as a network: from pointwise leaves and rf, co, fr up to what the
axioms speak of.

A round adds events: `insert` fills the leaves, `propagate` carries the gains through the network,
`settle` forgets them.
"""

from __future__ import annotations

from hybrid.execution.bits import bit_of
from hybrid.oracle.columns import GROW, STATIC, Node, Op, RelationBuilder, growing_parts
from hybrid.oracle.onward import Onward
from hybrid.oracle.pointwise import Points
from hybrid.oracle.relations import (
    SOURCES,
    TARGETS,
    DomainOf,
    Filtered,
    InterOf,
    InverseOf,
    Log,
    PlusOf,
    RangeOf,
    Relation,
    Restricted,
    Round,
    SeqOf,
    UnionOf,
)


class _Leaf:
    """A stored pointwise relation. Most are unions of STATIC relations and products of sets, or
    such a union restricted to equal locations: these are `plain`."""

    __slots__ = ("located", "node", "plain", "products", "relation", "static", "statics")

    def __init__(self, relation: Relation, node: Node) -> None:
        self.relation = relation
        self.node = node
        self.statics: list[Node] = []
        self.products: list[tuple[int, int]] = []  # indices of the sets
        self.located = node.op == Op.INTER and node.args[1].op == Op.LOC
        self.plain = self._flatten(node.args[0] if self.located else node)
        # the index of the STATIC relation, if it is made of one alone
        self.static = self.statics[0].index if self.plain and len(self.statics) == 1 else -1
        if self.products:
            self.static = -1

    def _flatten(self, node: Node) -> bool:
        """Takes a union apart; False where something else is in it."""
        if node.level == STATIC:
            self.statics.append(node)
        elif node.op == Op.PRODUCT:
            self.products.append((node.args[0].index, node.args[1].index))
        elif node.op == Op.UNION:
            return all(self._flatten(arg) for arg in node.args)
        else:
            return False
        return True


def _cover(joined: Node) -> Node | None:
    """For a composition left ; right a relation that left absorbs when it follows: left itself if
    it is a closure, or what it follows left with where left is defined so, the right side rather
    than another."""
    left, right = joined.args
    if left.op == Op.PLUS or left.op == Op.STAR:
        return left
    found: Node | None = None
    if left.op == Op.RECURSIVE:
        for part in growing_parts(left.args[0]):
            if (
                part.op == Op.SEQ
                and part.args[0] is left
                and (found is None or part.args[1] is right)
            ):
                found = part.args[1]
    return found


class Network(RelationBuilder[Relation]):
    def __init__(self, points: Points, onward: Onward | None = None) -> None:
        """Relations that `onward` takes are leaves too, fed by it."""
        self.points = points
        self._onward = onward
        self._fed: list[tuple[Relation, list[int]]] = []  # those, with their columns there
        self.order: list[Relation] = []  # of updates: inputs before users, recursion apart
        self.built: dict[int, Relation] = {}  # by index of the node
        self.reads_from = self._leaf()
        self.coherence = self._leaf()
        self.from_read = self._leaf()
        self._leaves: list[_Leaf] = []  # pointwise relations that are stored
        self._joins: list[tuple[SeqOf, Node]] = []
        self._identity: Relation | None = None
        self._size = 0
        self._dirty = 0  # positions of relations to be updated
        self._touched: list[Relation] = []  # may have gained something in this round
        self.now = Round()

    # ---- building

    def _leaf(self) -> Relation:
        relation = Relation([], False)
        self.order.append(relation)
        return relation

    def relation(self, node: Node) -> Relation:
        """The growing relation of a node; pointwise nodes become leaves."""
        relation = self.built.get(node.index)
        if relation is None:
            if node.level < GROW:
                relation = self._leaf()
                self._leaves.append(_Leaf(relation, node))
            elif self._onward is not None and node.op != Op.RF and self._onward.takes(node):
                relation = self._leaf()
                self._fed.append((relation, self._onward.keep(node)))
            else:
                relation = node.build(self)
            self.built[node.index] = relation
        return relation

    def _inputs(self, node: Node) -> list[Relation]:
        return [self.relation(part) for part in growing_parts(node)]

    def _parts(self, node: Node) -> list[Relation]:
        """Relations whose union it is: itself, if it is stored already."""
        found = self.built.get(node.index)
        return self._inputs(node) if found is None else [found]

    def _ordered(self, relation: Relation) -> Relation:
        """Puts a relation behind its inputs in the order of updates."""
        self.order.append(relation)
        return relation

    # ---- one method for each operator

    def rf(self) -> Relation:
        return self.reads_from

    def co(self) -> Relation:
        return self.coherence

    def fr(self) -> Relation:
        return self.from_read

    def union(self, node: Node) -> Relation:
        return self._ordered(UnionOf(self._inputs(node), node.recursive))

    def intersection(self, node: Node) -> Relation:
        first, second = node.args
        if first.level < GROW:
            inner = self.relation(second)
            return self._ordered(Filtered(inner, self.points, first, True, node.recursive))
        inputs = [self.relation(first), self.relation(second)]
        return self._ordered(InterOf(inputs, node.recursive))

    def difference(self, node: Node) -> Relation:
        first, second = node.args
        inner = self.relation(first)
        return self._ordered(Filtered(inner, self.points, second, False, node.recursive))

    def restricted_start(self, node: Node) -> Relation:
        inside, inner = node.args[0], self.relation(node.args[1])
        return self._ordered(Restricted(inner, self.points.members, inside, True, node.recursive))

    def restricted_end(self, node: Node) -> Relation:
        inside, inner = node.args[1], self.relation(node.args[0])
        return self._ordered(Restricted(inner, self.points.members, inside, False, node.recursive))

    def sequence(self, node: Node) -> Relation:
        joined = SeqOf([self.relation(arg) for arg in node.args], node.recursive, self.now)
        self._joins.append((joined, node))
        return self._ordered(joined)

    def plus(self, node: Node) -> Relation:
        return self._ordered(PlusOf(self._parts(node.args[0]), node.recursive, self.now))

    def star(self, node: Node) -> Relation:
        inputs = [*self._parts(node.args[0]), self._identity_leaf()]
        return self._ordered(PlusOf(inputs, node.recursive, self.now))

    def optional(self, node: Node) -> Relation:
        inputs = [self.relation(node.args[0]), self._identity_leaf()]
        return self._ordered(UnionOf(inputs, node.recursive))

    def inverse(self, node: Node) -> Relation:
        return self._ordered(InverseOf([self.relation(node.args[0])], node.recursive))

    def domain(self, node: Node) -> Relation:
        return self._ordered(DomainOf([self.relation(node.args[0])], node.recursive))

    def range(self, node: Node) -> Relation:
        return self._ordered(RangeOf([self.relation(node.args[0])], node.recursive))

    def recursive(self, node: Node) -> Relation:
        """It stands in the order, and can be found, before what it is made of."""
        relation = UnionOf([], True)
        self.built[node.index] = self._ordered(relation)
        relation.inputs = self._inputs(node.args[0])
        relation.read = [0] * len(relation.inputs)
        return relation

    def _identity_leaf(self) -> Relation:
        if self._identity is None:
            self._identity = self._leaf()
        return self._identity

    def number(self) -> None:
        for index, relation in enumerate(self.order):
            relation.index = index
        for relation in self.order:
            for source in relation.inputs:
                source.users |= 1 << relation.index
        for joined, node in self._joins:
            cover = _cover(node)
            joined.cover = None if cover is None else self.built.get(cover.index)
        for relation in self.order:
            relation.number(self.order)

    def joined(self, relations: list[Relation]) -> tuple[Relation, list[Relation]]:
        """A leaf that stands for the leaves among these from now on, and which these are. Nobody
        else may look at them."""
        base = [self.reads_from, self.coherence, self.from_read]
        leaves = [leaf.relation for leaf in self._leaves]
        leaves += [relation for relation, _ in self._fed]
        found = [r for r in relations if r in base or r in leaves]
        joint = self._leaf()
        joint.stored = joint.asked = True
        joint.index = len(self.order) - 1
        if self.reads_from in found:
            self.reads_from = joint
        if self.coherence in found:
            self.coherence = joint
        if self.from_read in found:
            self.from_read = joint
        for leaf in self._leaves:
            if leaf.relation in found:
                leaf.relation = joint
        self._fed = [(joint if r in found else r, columns) for r, columns in self._fed]
        for node, relation in self.built.items():
            if relation in found:
                self.built[node] = joint
        return joint, found

    def grow(self, size: int) -> None:
        if size > self._size:
            self._size = size
            for relation in self.order:
                relation.grow(size)

    # ---- a round

    def leaf_gains(self, leaf: Relation, event: int, bits: int, log: Log) -> None:
        """Adds pairs from `bits` to `event` to a leaf."""
        gained = leaf.gained
        if not leaf.stored:
            if not leaf.users:
                return
            if not gained:
                self._touched.append(leaf)
                self._dirty |= leaf.users
            gained.append(event)
            leaf.gained_bits.append(bits)
            return
        columns = leaf.columns
        old = columns[event]
        new = bits & ~old if old else bits
        if not new:
            return
        if not gained:
            self._touched.append(leaf)
            self._dirty |= leaf.users
        if not old or not self.now.new >> event & 1:  # else it is noted already
            log.note(columns, event)
        columns[event] = old | new if old else new
        gained.append(event)
        leaf.gained_bits.append(new)
        sources = columns[SOURCES] | new
        if sources != columns[SOURCES]:
            log.note(columns, SOURCES)
            columns[SOURCES] = sources
        if not old and leaf.asked:
            targets = columns[TARGETS]
            log.note(columns, TARGETS)
            columns[TARGETS] = targets | bit_of(event)

    def insert(self, event: int, log: Log) -> None:
        """The new event in the stored pointwise relations."""
        bit = bit_of(event)
        self.now.new |= bit
        if not self._leaves and self._identity is None:
            return
        points = self.points
        committed = points.committed
        step = points.execution.steps[event]
        later = 0
        if step is not None:
            later = committed & points.execution.thread_bits[step.thread]
            later = later & -(bit << 1) if later.bit_length() - 1 > event else 0
        for leaf in self._leaves:
            row = 0
            if leaf.static >= 0:  # it is within po and the identity
                column = points.columns[leaf.static][event]
                if leaf.located and column:
                    column &= points.same_location(event)
                if later:
                    row = points.row(leaf.node, event)
            elif leaf.plain:
                column, row = self._plain(leaf, event, later)
            else:
                column = points.column(leaf.node, event)
                row = points.row(leaf.node, event)
            column &= committed
            if column:
                self.leaf_gains(leaf.relation, event, column, log)
            if row:
                row &= committed & ~bit
            while row:
                low = row & -row
                row ^= low
                self.leaf_gains(leaf.relation, low.bit_length() - 1, bit, log)
        if self._identity is not None:
            self.leaf_gains(self._identity, event, bit, log)

    def feed(self, event: int, log: Log) -> None:
        """The new event in the relations that come from elsewhere."""
        for relation, columns in self._fed:
            if columns[event]:
                self.leaf_gains(relation, event, columns[event], log)

    def _plain(self, leaf: _Leaf, event: int, later: int) -> tuple[int, int]:
        """The column and the row of an event in a plain relation, of whose thread `later` events
        are there already."""
        points = self.points
        members = points.members
        column = row = 0
        for node in leaf.statics:
            column |= points.columns[node.index][event]
            if later:
                row |= points.row(node, event)
        for first, second in leaf.products:
            if members[second] >> event & 1:
                column |= members[first]
            if members[first] >> event & 1:
                row |= members[second]
        if leaf.located and (column or row):
            same = points.same_location(event)
            column &= same
            row &= same
        return column, row

    def propagate(self, log: Log) -> None:
        order = self.order
        dirty = self._dirty
        if not dirty:
            return
        touched = self._touched
        while dirty:
            low = dirty & -dirty
            dirty ^= low
            relation = order[low.bit_length() - 1]
            before = len(relation.gained)
            relation.update(log)
            if not before:
                touched.append(relation)
            if len(relation.gained) > before:
                dirty |= relation.users
        self._dirty = 0

    def settle(self) -> None:
        """Forgets what this round has gained."""
        for relation in self._touched:
            relation.forget()
        self._touched.clear()
        self.now.new = 0
