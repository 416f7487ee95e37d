"""Axioms that are decided event by event, where events come in an order with which po and rf agree.

- A test of one onward relation (onward.py): the column of the new event tells. A cycle would have
  to lead from the new event back to an earlier one, and nothing leads from it yet.
- `irreflexive r ; s`, with r onward and s made of communication: rf, co and fr, their unions and
  closures (as `eco`), with `?` or without. Only the new event can be at the end of a new pair of r,
  and s leads from it to the stores that come after it, or after its source, in coherence, and to
  those who read from them: so none of these may be before it in r. Where the new event is last in
  coherence there are none. That s gains pairs that end in the new event does not matter, as r has
  none yet that start there; and pairs of other events it does not gain.
"""

from __future__ import annotations

from hybrid.model import core
from hybrid.oracle.coherence import hides_places, hides_sources
from hybrid.oracle.columns import GROW, Node, Op
from hybrid.oracle.onward import Onward

# What communication leads to from a new event: later stores from a store, from a load; those who
# read from them, from a store, from a load.
_STORE_TO_STORES = 1
_LOAD_TO_STORES = 2
_STORE_TO_READERS = 4
_LOAD_TO_READERS = 8
_NOT_COMMUNICATION = -1


class OnwardAxiom:
    __slots__ = ("_columns", "_empty", "_reflexive", "axiom", "order", "reach")

    def __init__(
        self, axiom: core.Axiom, order: Node, onward: Onward, reflexive: bool, reach: int
    ) -> None:
        self.axiom = axiom
        self.order = order
        self._columns = onward.keep(order)
        self._empty = axiom.test is core.Test.EMPTY  # no pair at all …
        self._reflexive = reflexive  # … or none of an event and itself …
        self.reach = reach  # … or of one to which communication leads back

    def holds(self, event: int, is_store: bool, later: int, readers: int) -> bool:
        """Whether it holds with the new event, before the `later` stores in coherence, which have
        the `readers`, given that it held before."""
        if not self._empty and not self._reflexive and not later:
            return True
        column = self._columns[event]
        if self._empty:
            return not column
        if self._reflexive and column >> event & 1:
            return False
        reach = self.reach if is_store else self.reach >> 1
        if reach & _STORE_TO_STORES and column & later:
            return False
        return not (reach & _STORE_TO_READERS and column & readers)


def onward_axiom(axiom: core.Axiom, node: Node, onward: Onward) -> OnwardAxiom | None:
    """The axiom as one of these, if it is."""
    if axiom.negated or node.level > GROW:
        return None
    if onward.takes(node):
        return OnwardAxiom(axiom, node, onward, True, 0)
    if axiom.test is not core.Test.IRREFLEXIVE or node.op != Op.SEQ:
        return None
    one, two = node.args
    for order, communication in ((one, two), (two, one)):
        if not onward.takes(order) or order.op == Op.OPT:
            continue
        reflexive = communication.op == Op.OPT
        reach = _reach(communication.args[0] if reflexive else communication)
        if reach != _NOT_COMMUNICATION:
            return OnwardAxiom(axiom, order, onward, reflexive and not is_strict(order), reach)
    return None


def is_kept_by_order(axiom: core.Axiom, node: Node, onward: Onward) -> bool:
    """Whether the axiom holds of whatever comes in such an order."""
    if axiom.negated or axiom.test is core.Test.EMPTY:
        return False
    return onward.takes(node) and is_strict(node)


def is_strict(node: Node) -> bool:
    """Whether such a relation relates no event to itself for certain."""
    op, args = node.op, node.args
    if op in (Op.PO, Op.RF, Op.ADDR, Op.DATA, Op.CTRL, Op.PICK, Op.AMO, Op.LXSX, Op.EMPTY):
        return True
    if op == Op.UNION:
        return all(map(is_strict, args))
    if op in (Op.SEQ, Op.INTER):
        return any(map(is_strict, args))
    if op in (Op.DIFF, Op.PLUS, Op.INTO):
        return is_strict(args[0])
    return op == Op.FROM and is_strict(args[1])


def hiding(found: OnwardAxiom, node: Node) -> tuple[bool, bool]:
    """Whether the order of such an axiom hides sources from loads, and places from stores, as
    coherence.py says."""
    order = found.order
    if not found.reach:
        return False, False
    other = node.args[1] if node.args[0] is order else node.args[0]
    return hides_sources(order, other), hides_places(order, other)


def _reach(node: Node) -> int:
    """Where a union of communication and its closures leads from a new event."""
    op = node.op
    if op == Op.CO:
        return _STORE_TO_STORES
    if op == Op.FR:
        return _LOAD_TO_STORES
    if op == Op.RF:
        return 0  # nobody has read from a new store yet
    if op == Op.UNION:
        left, right = (_reach(arg) for arg in node.args)
        return _NOT_COMMUNICATION if min(left, right) < 0 else left | right
    if op == Op.PLUS:
        bases = _bases(node.args[0])
        if bases is None or bases == {Op.RF, Op.FR}:  # rf ; fr relates earlier events anew
            return _NOT_COMMUNICATION
        reach = _reach(node.args[0])
        return reach | reach << 2 if Op.RF in bases else reach
    return _NOT_COMMUNICATION


def _bases(node: Node) -> set[Op] | None:
    """The base relations whose union it is; None if it is something else."""
    if node.op in (Op.RF, Op.CO, Op.FR):
        return {node.op}
    if node.op != Op.UNION:
        return None
    left, right = (_bases(arg) for arg in node.args)
    return None if left is None or right is None else left | right
