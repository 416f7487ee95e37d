"""Relations whose new pairs all end in the event that comes, where events come in an order with
which po and rf agree: what is made of po, dependencies, rf and rmw by unions, compositions,
closures and restrictions, as happens-before of C is.

The column of an event is computed once, when the event comes, from the columns of those before it.
It stays as it is until the event goes, and what is left there then is not read by anybody: so
nothing is logged. Columns are kept where they are asked for later: of closures, of what others are
composed with, and of what axioms look at; what is in between is computed on the way. Where the text
of a relation says that its pairs end in events of another kind, there is nothing to compute.
"""

from __future__ import annotations

from hybrid.errors import InternalError
from hybrid.oracle.columns import GROW, POINT, STATIC, Node, Op, RelationBuilder
from hybrid.oracle.onward_columns import (
    ClosureColumns,
    Columns,
    DiffColumns,
    FetchedColumns,
    FromColumns,
    InterColumns,
    IntoColumns,
    KeptColumns,
    OptionalColumns,
    PointColumns,
    RangeColumns,
    SeqColumns,
    UnionColumns,
)
from hybrid.oracle.onward_nodes import KINDS, LOADS, OTHERS, STORES, ends, is_strict
from hybrid.oracle.pointwise import Points

_LEAVES = (Op.RF, Op.AMO, Op.LXSX)


class Onward(RelationBuilder[Columns]):
    def __init__(self, points: Points, size: int) -> None:
        self._points = points
        self._size = size
        self._reads_from = KeptColumns(size, Columns())
        self._sources = self._reads_from.columns
        self._kept: list[KeptColumns] = []  # what others are made of comes before them
        # by kind of an event: those of them that may, and that cannot, lead to such an event
        self._leading: list[list[KeptColumns]] = [[] for _ in range(KINDS + 1)]
        self._others: list[list[KeptColumns]] = [[] for _ in range(KINDS + 1)]
        self._built: dict[int, Columns] = {}  # by index of the node
        self._closures: dict[int, KeptColumns] = {}  # by index of what they are of
        self._answers: dict[int, bool] = {}

    # ---- which relations

    def takes(self, node: Node) -> bool:
        """Whether the node is such a relation: sound, not complete."""
        found = self._answers.get(node.index)
        if found is None:
            self._answers[node.index] = False  # of a recursive name
            found = self._answers[node.index] = self._ends_in_new(node)
        return found

    def _ends_in_new(self, node: Node) -> bool:
        op, args = node.op, node.args
        if node.level > GROW or node.is_set:
            return False
        if node.level == STATIC or op in _LEAVES:
            return True
        if op == Op.INTER:  # the other one may be known as soon as both events are there
            first, second = (self.takes(arg) for arg in args)
            return (first and (second or args[1].level <= POINT)) or (
                second and args[0].level <= POINT
            )
        if op in (Op.UNION, Op.SEQ, Op.PLUS, Op.STAR, Op.OPT, Op.RANGE):
            return all(map(self.takes, args))
        if op == Op.FROM:
            return self.takes(args[1])
        return op in (Op.INTO, Op.DIFF) and self.takes(args[0])

    def keep(self, node: Node) -> list[int]:
        """The columns of such a relation, which are kept from now on."""
        if node.level == STATIC:
            return self._points.columns[node.index]
        return self._keep(node).columns

    def keep_closure(self, nodes: list[Node]) -> list[int]:
        """The same for the transitive closure of the union of some of them."""
        union = UnionColumns([self.relation(node) for node in nodes])
        kinds = 0
        for node in nodes:
            kinds |= ends(node)
        made = ClosureColumns(union, all(map(is_strict, nodes)))
        return self._add(made.keep(self._size), kinds).columns

    def _keep(self, node: Node) -> KeptColumns:
        made = self.relation(node)
        if isinstance(made, KeptColumns):
            return made
        kept = self._add(KeptColumns(self._size, made), ends(node))
        self._built[node.index] = kept
        return kept

    def _add(self, kept: KeptColumns, kinds: int) -> KeptColumns:
        """From now on it is kept; it leads to events of these kinds alone."""
        self._kept.append(kept)
        for kind in (LOADS, STORES, OTHERS):
            (self._leading if kinds & kind else self._others)[kind].append(kept)
        return kept

    # ---- building

    def relation(self, node: Node) -> Columns:
        made = self._built.get(node.index)
        if made is None:
            if node.level == STATIC:
                made = FetchedColumns(self._points, node)
            elif node.level < GROW:
                made = PointColumns(self._points, node)
            else:
                made = node.build(self)
            self._built[node.index] = made
        return made

    def rf(self) -> Columns:
        return self._reads_from

    def union(self, node: Node) -> Columns:
        return UnionColumns([self.relation(part) for part in self._parts(node)])

    def _parts(self, node: Node) -> list[Node]:
        if node.op != Op.UNION or node.level < GROW or node.index in self._built:
            return [node]
        return [part for arg in node.args for part in self._parts(arg)]

    def intersection(self, node: Node) -> Columns:
        return InterColumns(self.relation(node.args[0]), self.relation(node.args[1]))

    def difference(self, node: Node) -> Columns:
        return DiffColumns(self.relation(node.args[0]), self.relation(node.args[1]))

    def sequence(self, node: Node) -> Columns:
        left, right = node.args
        first = self.relation(left)
        known = isinstance(first, OptionalColumns) and isinstance(first.inner, KeptColumns)
        if not known and (left.level >= GROW or (left.level > STATIC and self._ends_in_new(left))):
            first = self._keep(left)
        return SeqColumns(first, self.relation(right))

    def plus(self, node: Node) -> Columns:
        return self._closure(node.args[0])

    def star(self, node: Node) -> Columns:
        return OptionalColumns(self._closure(node.args[0]))

    def _closure(self, inner: Node) -> KeptColumns:
        kept = self._closures.get(inner.index)
        if kept is None:
            made = ClosureColumns(self.relation(inner), is_strict(inner))
            kept = self._closures[inner.index] = self._add(made.keep(self._size), ends(inner))
        return kept

    def optional(self, node: Node) -> Columns:
        return OptionalColumns(self.relation(node.args[0]))

    def range(self, node: Node) -> Columns:
        return RangeColumns(self.relation(node.args[0]))

    def restricted_start(self, node: Node) -> Columns:
        return FromColumns(self._points, node.args[0], self.relation(node.args[1]))

    def restricted_end(self, node: Node) -> Columns:
        return IntoColumns(self._points, node.args[1], self.relation(node.args[0]))

    def co(self) -> Columns:
        raise InternalError("co is not onward")

    def fr(self) -> Columns:
        raise InternalError("fr is not onward")

    def inverse(self, node: Node) -> Columns:
        raise InternalError(f"{node!r} is not onward")

    def domain(self, node: Node) -> Columns:
        raise InternalError(f"{node!r} is not onward")

    def recursive(self, node: Node) -> Columns:
        raise InternalError(f"{node!r} is not onward")

    # ---- events come, go and come back

    def grow(self, size: int) -> None:
        more = size - self._size
        if more > 0:
            self._size = size
            self._sources.extend([0] * more)
            for kept in self._kept:
                kept.columns.extend([0] * more)

    def come(self, event: int, kind: int, sources: int) -> None:
        """A committed event of this kind has come, which reads from `sources`."""
        self._sources[event] = sources
        for kept in self._others[kind]:  # others may look at these
            kept.columns[event] = 0
        for kept in self._leading[kind]:
            kept.columns[event] = kept.made_of.column(event)

    def lift(self, events: int) -> list[int]:
        """What is kept of these events, which go and may come back."""
        found: list[int] = []
        while events:
            low = events & -events
            events ^= low
            event = low.bit_length() - 1
            found.append(self._sources[event])
            found += [kept.columns[event] for kept in self._kept]
        return found

    def put_back(self, events: int, lifted: list[int]) -> None:
        at = 0
        while events:
            low = events & -events
            events ^= low
            event = low.bit_length() - 1
            self._sources[event] = lifted[at]
            at += 1
            for kept in self._kept:
                kept.columns[event] = lifted[at]
                at += 1
