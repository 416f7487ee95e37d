"""Evaluation of a plan's nodes from scratch over the committed events: for parts that are not
monotone, flags and reasons."""

from __future__ import annotations

from hybrid.execution.bits import members
from hybrid.model.core import Test
from hybrid.oracle.columns import GROW, ColumnEvaluator, Node, Op
from hybrid.oracle.pointwise import Points


def possible_ends(node: Node, points: Points) -> int:
    """The committed events that the sets in it leave as ends of pairs."""
    op, args = node.op, node.args
    if node.is_set:
        return points.members[node.index] & points.committed
    if op == Op.PRODUCT or op == Op.FROM:
        return possible_ends(args[1], points) if possible_ends(args[0], points) else 0
    if op == Op.INTER or op == Op.INTO:
        ends = possible_ends(args[0], points)
        return ends & possible_ends(args[1], points) if ends else 0
    if op == Op.UNION:
        return possible_ends(args[0], points) | possible_ends(args[1], points)
    if op == Op.DIFF or op == Op.IDENTITY:
        return possible_ends(args[0], points)
    return points.committed


class Fresh(ColumnEvaluator):
    """Values are kept for the life of the object: make a new one after every change. `known` are
    columns of nodes, by index, that somebody keeps up to date; entries 0 and 1 mean nothing."""

    def __init__(
        self,
        points: Points,
        rf: list[int],
        co: list[int],
        fr: list[int],
        known: dict[int, list[int]] | None = None,
    ) -> None:
        super().__init__(points.members)
        self.points = points
        self.events = list(members(points.committed))
        self._size = points.committed.bit_length()
        # columns by index of the node
        self._values: dict[int, list[int]] = {} if known is None else known.copy()
        self._rows: dict[int, list[int]] = {}  # the same of rows, where they are asked for
        self._overwritten = -1  # the stores that are co-before another; -1: not asked for yet
        self._base = {Op.RF: rf, Op.CO: co, Op.FR: fr}
        # of recursive nodes: the round in which a pair came in
        self.stages: dict[int, dict[tuple[int, int], int]] = {}

    def columns(self, node: Node) -> list[int]:
        """The columns of a relation (of a set: of the identity on it)."""
        value = self._values.get(node.index)
        if value is None:
            if node.op == Op.RECURSIVE:
                self._fixpoint(node)
                return self._values[node.index]
            value = self._compute(node)
            self._values[node.index] = value
        return value

    def satisfies(self, test: Test, negated: bool, node: Node) -> bool:
        columns = self.columns(node)
        if test is Test.EMPTY:
            holds = not any(columns[e] for e in self.events)
        elif test is Test.IRREFLEXIVE:
            holds = not any(columns[e] >> e & 1 for e in self.events)
        else:
            closure = self._closure(columns)
            holds = not any(closure[e] >> e & 1 for e in self.events)
        return holds != negated

    def _compute(self, node: Node) -> list[int]:
        committed = self.points.committed
        if node.op == Op.PLUS or node.op == Op.STAR:
            return self._closure_of(node)
        result = [0] * self._size
        ends = possible_ends(node, self.points)
        if node.level < GROW and not node.is_set:
            for e in members(ends):
                result[e] = self.points.column(node, e) & committed
        elif node.op in (Op.INTER, Op.DIFF) and node.args[1].op == Op.INVERSE and ends:
            self._fill_by_pairs(node, ends, result)
        else:
            for e in members(ends):
                result[e] = node.column(self, e) & committed
        return result

    def _fill_by_pairs(self, node: Node, ends: int, result: list[int]) -> None:
        """r & s^-1 or r \\ s^-1: pair by pair of r, mostly few, and without s^-1."""
        pairs, turned = self.columns(node.args[0]), self.columns(node.args[1].args[0])
        inside = node.op == Op.INTER
        for e in members(ends):
            bits = pairs[e]
            while bits:
                low = bits & -bits
                bits ^= low
                if (turned[low.bit_length() - 1] >> e & 1 == 1) is inside:
                    result[e] |= low

    def _closure_of(self, node: Node) -> list[int]:
        """The columns of a PLUS or STAR, all at once: cheaper than event by event."""
        result = self._closure(self.columns(node.args[0]))
        if node.op == Op.STAR:
            for e in self.events:
                result[e] |= 1 << e
        return result

    # ---- the evaluator: columns of operands are whole relations

    def column(self, node: Node, event: int) -> int:
        value = self._values.get(node.index)
        if value is None:
            value = self.columns(node)
        return value[event]

    def row(self, node: Node, event: int) -> int:
        rows = self._rows.get(node.index)
        if rows is None:
            columns = self.columns(node)
            rows = [0] * self._size
            for e in self.events:
                for m in members(columns[e]):
                    rows[m] |= 1 << e
            self._rows[node.index] = rows
        return rows[event]

    def image(self, node: Node, events: int) -> int:
        columns = self.columns(node)
        union = 0
        for event in members(events):
            union |= columns[event]
        return union

    def base(self, node: Node, event: int) -> int:
        if node.op == Op.FINAL:
            return 1 << event if self._is_last(event) else 0
        known = self._base.get(node.op)
        return super().base(node, event) if known is None else known[event]

    def _is_last(self, event: int) -> bool:
        """Whether the event is a store that is co-before none."""
        co = self._base[Op.CO]
        if self._overwritten < 0:
            self._overwritten = 0
            for e in self.events:
                self._overwritten |= co[e]
        if self._overwritten >> event & 1:
            return False
        return bool(co[event]) or any(event in order for order in self.points.execution.co)

    def _closure(self, columns: list[int]) -> list[int]:
        result = list(columns)
        for middle in self.events:
            past = result[middle]
            for e in self.events:
                if result[e] >> middle & 1:
                    result[e] |= past
        return result

    def _fixpoint(self, node: Node) -> None:
        """Least fixpoint of the recursive names that `node` leads to, by rounds from the empty
        relation."""
        names: dict[int, Node] = {}
        inside: dict[int, Node] = {}
        todo = [node]
        while todo:
            found = todo.pop()
            if (
                found.index in inside
                or found.index in self._values
                or not (found.recursive or found.op == Op.RECURSIVE)
            ):
                continue
            inside[found.index] = found
            if found.op == Op.RECURSIVE:
                names[found.index] = found
            todo.extend(found.args)
        for name in names.values():
            self._values[name.index] = [0] * self._size
            self.stages[name.index] = {}
        changed = True
        stage = 0
        while changed:
            changed = False
            stage += 1
            for index in inside:
                self._rows.pop(index, None)
                if index not in names:
                    self._values.pop(index, None)
            bodies = {name.index: list(self.columns(name.args[0])) for name in names.values()}
            for name in names.values():
                body = bodies[name.index]
                value = self._values[name.index]
                for e in self.events:
                    for m in members(body[e] & ~value[e]):
                        self.stages[name.index][(m, e)] = stage
                        changed = True
                self._values[name.index] = body
