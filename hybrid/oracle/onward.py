"""Relations whose new pairs all end in the event that comes, where events come in an order with
which po and rf agree: what is made of po, dependencies, rf and rmw by unions, compositions,
closures and restrictions, as happens-before of C is.

The column of an event is computed once, when the event comes, from the columns of those before it.
It stays as it is until the event goes, and what is left there then is not read by anybody: so
nothing is logged. Columns are kept where they are asked for later: of closures, of what others are
composed with, and of what axioms look at; what is in between is computed on the way.
"""

from __future__ import annotations

from hybrid.oracle.columns import GROW, POINT, STATIC, ColumnEvaluator, Node, Op
from hybrid.oracle.pointwise import Points

_LEAVES = (Op.RF, Op.AMO, Op.LXSX)


def _index(node: Node) -> int:
    return node.index


class Onward(ColumnEvaluator):
    def __init__(self, points: Points, size: int) -> None:
        super().__init__(points.members)
        self._points = points
        self._size = size
        self.rf = [0] * size
        self._kept: dict[int, list[int]] = {}  # columns, by index of the node
        self._order: list[Node] = []  # the nodes that are kept, operands before their users
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
        if op == Op.DIFF:
            return self.takes(args[0]) and (args[1].level <= POINT or self.takes(args[1]))
        if op in (Op.UNION, Op.SEQ, Op.PLUS, Op.STAR, Op.OPT, Op.RANGE):
            return all(map(self.takes, args))
        if op == Op.FROM:
            return self.takes(args[1])
        return op == Op.INTO and self.takes(args[0])

    def keep(self, node: Node) -> list[int]:
        """Sees to it that the columns of such a relation are kept from now on; gives them."""
        if node.op == Op.RF:
            return self.rf
        if node.level == STATIC:
            return self._points.columns[node.index]
        columns = self._kept.get(node.index)
        if columns is None:
            self._keep_operands(node)
            columns = self._kept[node.index] = [0] * self._size
            self._order.append(node)
            self._order.sort(key=_index)
        return columns

    def _keep_operands(self, node: Node) -> None:
        """Keeps what the column of this one asks of earlier events."""
        for arg in node.args:
            if arg.level < GROW:
                continue
            if arg.op in (Op.PLUS, Op.STAR) or (node.op == Op.SEQ and arg is node.args[0]):
                self.keep(arg)
            elif arg.index not in self._kept:
                self._keep_operands(arg)

    # ---- events come, go and come back

    def grow(self, size: int) -> None:
        more = size - self._size
        if more > 0:
            self._size = size
            self.rf.extend([0] * more)
            for columns in self._kept.values():
                columns.extend([0] * more)

    def come(self, event: int, sources: int) -> None:
        """A committed event has come, which reads from `sources`."""
        self.rf[event] = sources
        for node in self._order:
            self._kept[node.index][event] = node.column(self, event)

    def lift(self, events: int) -> list[int]:
        """What is kept of these events, which go and may come back."""
        found: list[int] = []
        while events:
            low = events & -events
            events ^= low
            event = low.bit_length() - 1
            found.append(self.rf[event])
            found += [columns[event] for columns in self._kept.values()]
        return found

    def put_back(self, events: int, lifted: list[int]) -> None:
        at = 0
        while events:
            low = events & -events
            events ^= low
            event = low.bit_length() - 1
            self.rf[event] = lifted[at]
            at += 1
            for columns in self._kept.values():
                columns[event] = lifted[at]
                at += 1

    # ---- the evaluator

    def column(self, node: Node, event: int) -> int:
        if node.level == STATIC:
            return self._points.columns[node.index][event] & self._points.committed
        if node.op == Op.RF:
            return self.rf[event]
        if node.level <= POINT:
            return self._points.column(node, event) & self._points.committed
        kept = self._kept.get(node.index)
        return node.column(self, event) if kept is None else kept[event]

    def row(self, node: Node, event: int) -> int:
        return super().row(node, event) if node.level > POINT else self._points.row(node, event)

    def image(self, node: Node, events: int) -> int:
        columns = self._kept.get(node.index)
        if columns is None:
            return super().image(node, events)
        union = 0
        while events:
            low = events & -events
            events ^= low
            union |= columns[low.bit_length() - 1]
        return union

    def closure(self, node: Node, event: int) -> int:
        """By the columns of the closure itself, which are complete for earlier events."""
        columns = self._kept[node.index]
        found = self.column(node.args[0], event)
        middle = found & ~(1 << event)
        while middle:  # what a later one leads from need not be asked; later ones have high numbers
            last = middle.bit_length() - 1
            column = columns[last]
            found |= column
            middle &= ~(column | 1 << last)
        return found
