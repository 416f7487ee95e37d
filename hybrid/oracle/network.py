"""The growing relations of a plan as a network: from pointwise leaves and rf, co, fr up to what the
axioms speak of.

A round adds events: `insert` fills the leaves, `propagate` carries the gains through the network,
`settle` forgets them.
"""

from __future__ import annotations

from hybrid.errors import InternalError
from hybrid.oracle.plan import GROW, STATIC, Node, Op
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
    SeqOf,
    UnionOf,
)


class _Leaf:
    """A stored pointwise relation; most are a STATIC one, or one restricted to equal locations."""

    __slots__ = ("forward", "located", "node", "relation", "static")

    def __init__(self, relation: Relation, node: Node) -> None:
        self.relation = relation
        self.node = node
        self.static = -1  # index of the STATIC node, if it is one of the two
        self.located = False
        if node.level == STATIC:
            self.static = node.index
        elif node.op == Op.INTER and node.args[0].level == STATIC and node.args[1].op == Op.LOC:
            self.static = node.args[0].index
            self.located = True
        self.forward = self.static >= 0  # it is within po and the identity


class Network:
    def __init__(self, points: Points) -> None:
        self.points = points
        self.order: list[Relation] = []  # of updates: inputs before users, recursion apart
        self.built: dict[int, Relation] = {}  # by index of the node
        self.rf = self._leaf()
        self.co = self._leaf()
        self.fr = self._leaf()
        self._leaves: list[_Leaf] = []  # pointwise relations that are stored
        self._identity: Relation | None = None
        self._size = 0
        self._dirty = 0  # positions of relations to be updated
        self._touched: list[Relation] = []  # may have gained something in this round
        self.new = 0  # events that this round adds

    # ---- building

    def _leaf(self) -> Relation:
        relation = Relation([], False)
        self.order.append(relation)
        return relation

    def relation(self, node: Node) -> Relation:
        """The growing relation of a node; pointwise nodes become leaves."""
        relation = self.built.get(node.index)
        if relation is not None:
            return relation
        op = node.op
        if op == Op.RF:
            return self.rf
        if op == Op.CO:
            return self.co
        if op == Op.FR:
            return self.fr
        if node.level < GROW:
            relation = self._leaf()
            self._leaves.append(_Leaf(relation, node))
        elif op == Op.RECURSIVE:
            relation = UnionOf([], True)
            self.order.append(relation)
            self.built[node.index] = relation
            relation.inputs = [self.relation(part) for part in parts(node.args[0])]
            relation.read = [0] * len(relation.inputs)
            return relation
        else:
            relation = self._operator(node)
            self.order.append(relation)
        self.built[node.index] = relation
        return relation

    def _operator(self, node: Node) -> Relation:
        op, args, recursive = node.op, node.args, node.recursive
        if op == Op.UNION:
            return UnionOf([self.relation(part) for part in parts(node)], recursive)
        if op == Op.INTER:
            if args[0].level < GROW:
                inner = self.relation(args[1])
                return Filtered(inner, self.points, args[0], True, recursive)
            return InterOf([self.relation(args[0]), self.relation(args[1])], recursive)
        if op == Op.DIFF:
            return Filtered(self.relation(args[0]), self.points, args[1], False, recursive)
        if op == Op.FROM:
            inner = self.relation(args[1])
            return Restricted(inner, self.points.members, args[0], True, recursive)
        if op == Op.INTO:
            inner = self.relation(args[0])
            return Restricted(inner, self.points.members, args[1], False, recursive)
        if op == Op.SEQ:
            return SeqOf([self.relation(args[0]), self.relation(args[1])], recursive)
        inner = self.relation(args[0])
        if op == Op.PLUS:
            return PlusOf([inner], recursive)
        if op == Op.STAR:
            return PlusOf([inner, self._identity_leaf()], recursive)
        if op == Op.OPT:
            return UnionOf([inner, self._identity_leaf()], recursive)
        if op == Op.INVERSE:
            return InverseOf([inner], recursive)
        if op == Op.DOMAIN:
            return DomainOf([inner], recursive)
        if op == Op.RANGE:
            return RangeOf([inner], recursive)
        raise InternalError(f"no growing relation for {node!r}")

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

    def grow(self, size: int) -> None:
        if size > self._size:
            self._size = size
            for relation in self.order:
                relation.grow(size)

    # ---- a round

    def leaf_gains(self, leaf: Relation, event: int, bits: int, log: Log) -> None:
        """Adds pairs from `bits` to `event` to a leaf."""
        columns = leaf.columns
        old = columns[event]
        new = bits & ~old
        if not new:
            return
        gained = leaf.gained
        if not gained:
            self._touched.append(leaf)
            self._dirty |= leaf.users
        log.append((columns, event, old))
        columns[event] = old | new
        gained.append((event, new))
        sources = columns[SOURCES]
        if new & ~sources:
            log.append((columns, SOURCES, sources))
            columns[SOURCES] = sources | new
        if not old and leaf.users:
            targets = columns[TARGETS]
            log.append((columns, TARGETS, targets))
            columns[TARGETS] = targets | 1 << event

    def insert(self, event: int, log: Log) -> None:
        """The new event in the stored pointwise relations."""
        bit = 1 << event
        self.new |= bit
        points = self.points
        committed = points.committed
        step = points.execution.steps[event]
        later = 0
        if step is not None:
            later = committed & points.execution.thread_bits[step.thread] & -(bit << 1)
        for leaf in self._leaves:
            if leaf.static >= 0:
                column = points.columns[leaf.static][event]
                if leaf.located and column:
                    column &= points.same_location(event)
            else:
                column = points.column(leaf.node, event)
            column &= committed
            if column:
                self.leaf_gains(leaf.relation, event, column, log)
            if later or not leaf.forward:
                row = points.row(leaf.node, event) & committed & ~bit
                while row:
                    low = row & -row
                    row ^= low
                    self.leaf_gains(leaf.relation, low.bit_length() - 1, bit, log)
        if self._identity is not None:
            self.leaf_gains(self._identity, event, bit, log)

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
            if relation.gained:
                relation.gained = []
            if relation.recursive:
                relation.read = [0] * len(relation.read)
        self._touched = []
        self.new = 0


def parts(node: Node) -> list[Node]:
    """The operands of nested unions that are not stored as a whole."""
    if node.op != Op.UNION or node.level < GROW:
        return [node]
    return [part for arg in node.args for part in parts(arg)]
