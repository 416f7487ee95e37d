"""Relations within a thread that are known once the addresses of its accesses are: made of po,
dependencies, sets and loc, differences included. They are evaluated over fetched events, committed
or not.

The answer for an event is final when all accesses before it in program order have their addresses;
so commit-before must contain `addr ; po`. Where the addresses are constants it depends on the path
alone and is kept with the step.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from hybrid.errors import InputError
from hybrid.execution.bound import Constant
from hybrid.execution.execution import Execution
from hybrid.execution.step import CONDITIONAL, RMW, Step
from hybrid.oracle.columns import GROW, STATIC, ColumnEvaluator, Node, Op
from hybrid.oracle.pointwise import Points
from hybrid.oracle.static import StaticTable

_owners = count(-1, -1)  # apart from those of StaticTable
_POINTS = (Op.LOC, Op.INT, Op.EXT, Op.PRODUCT, Op.AMO, Op.LXSX)
_OPERATORS = (
    Op.UNION,
    Op.INTER,
    Op.DIFF,
    Op.SEQ,
    Op.PLUS,
    Op.STAR,
    Op.OPT,
    Op.FROM,
    Op.INTO,
)


def is_local(node: Node) -> bool:
    """Whether the relation lies within a thread's po and identity and can be evaluated here."""
    return _within(node) and _evaluable(node)


def _within(node: Node) -> bool:
    op, args = node.op, node.args
    if node.level == STATIC or op in (Op.AMO, Op.LXSX, Op.DOMAIN, Op.RANGE):
        return True
    if op == Op.INTER:
        return any(map(_within, args))
    if op in (Op.DIFF, Op.INTO, Op.PLUS, Op.STAR, Op.OPT):
        return _within(args[0])
    if op == Op.FROM:
        return _within(args[1])
    if op == Op.SEQ:
        # What comes before the store of an rmw comes before its load too, itself apart.
        return all(map(_within, args)) or (_within(args[0]) and args[1].op == Op.INVERSE)
    return op == Op.UNION and all(map(_within, args))


def _evaluable(node: Node) -> bool:
    op, args = node.op, node.args
    if node.is_set or node.level == STATIC or op in _POINTS:
        return True
    if op == Op.INVERSE:
        return args[0].op in (Op.AMO, Op.LXSX)
    if op == Op.DOMAIN or op == Op.RANGE:
        return args[0].level < GROW
    return op in _OPERATORS and all(map(_evaluable, args))


class WithinThread(ColumnEvaluator):
    """The union of some local relations of a plan."""

    def __init__(self, execution: Execution, table: StaticTable, nodes: Sequence[Node]) -> None:
        super().__init__(table.members)
        self.execution = execution
        self._table = table
        self._points = Points(execution, table)
        self._nodes = nodes
        self._owner = next(_owners)
        self._known: dict[tuple[int, int], int] = {}  # columns of the question at hand

    def before(self, step: Step) -> int:
        """The events that the union of the relations relates to those of a step."""
        cached = step.cache.get(self._owner)
        if cached is not None:
            return cached[0]
        self._points.committed = self.execution.fetched
        self._known.clear()
        found = 0
        for node in self._nodes:
            found |= self.column(node, step.event)
            if step.kind == RMW:
                found |= self.column(node, step.second)
        if self._constant(step):
            step.cache[self._owner] = [found]
        return found

    def _constant(self, step: Step) -> bool:
        """Whether all addresses up to the step are constants; an error when one is not known
        yet."""
        execution = self.execution
        constant = isinstance(step.address, Constant)
        past = step.po
        while past:
            low = past & -past
            past ^= low
            earlier = execution.steps[low.bit_length() - 1]
            if (
                earlier is not None
                and earlier.kind <= CONDITIONAL
                and not isinstance(earlier.address, Constant)
            ):
                constant = False
                if not execution.resolved >> earlier.event & 1:
                    raise InputError(
                        "the model's commit-before asks for locations of accesses "
                        "whose addresses are not known",
                        hint="It must contain addr ; po.",
                    )
        return constant

    # ---- the evaluator: over fetched events; only loc differs from what Points has

    def column(self, node: Node, event: int) -> int:
        if node.level == STATIC:
            return self._table.columns[node.index][event]
        key = (node.index, event)
        known = self._known.get(key)
        if known is None:
            if node.op == Op.DOMAIN or node.op == Op.RANGE:
                known = self._points.column(node, event)
            else:
                known = node.column(self, event)
            self._known[key] = known
        return known

    def row(self, node: Node, event: int) -> int:
        return self._points.row(node, event)

    def base(self, node: Node, event: int) -> int:
        return self._points.base(node, event)

    def same_thread(self, event: int) -> int:
        return self._points.same_thread(event)

    def same_location(self, event: int) -> int:
        """The accesses of the event's location in its thread, up to the event itself."""
        execution = self.execution
        step = execution.steps[event]
        if step is None or not execution.resolved >> step.event & 1:
            return 0
        location = execution.location[event]
        found = 1 << event | 1 << step.event
        past = step.po & execution.resolved
        while past:
            low = past & -past
            past ^= low
            if execution.location[low.bit_length() - 1] == location:
                found |= low
        return found
