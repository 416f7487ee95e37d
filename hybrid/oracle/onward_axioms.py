"""Axioms that are decided event by event, where events come in an order with which po and rf agree.

- A test of one onward relation (onward.py): the column of the new event tells. A cycle would have
  to lead from the new event back to an earlier one, and nothing leads from it yet.
- `irreflexive r ; s`, with r onward and s made of communication: rf, co and fr, their unions and
  closures (as `eco`), with `?` or without. Only the new event can be at the end of a new pair of r,
  and s leads from it to the stores that come after it, or after its source, in coherence, and to
  those who read from them: so none of these may be before it in r. Where the new event is last in
  coherence there are none. That s gains pairs that end in the new event does not matter, as r has
  none yet that start there; and pairs of other events it does not gain.
- `acyclic` of a union of onward relations, co and fr (as `po | com`): a new cycle leads from the
  new event by co or fr to one of these later stores, and from there to the new event. So there is
  none where the new event is last; elsewhere what is before it is looked through.

Where an axiom asks whether an event is related to itself, the onward relation has to exclude that
by its text: initial writes are related to themselves as well, and they do not come as others do.
"""

from __future__ import annotations

from hybrid.execution.execution import Execution
from hybrid.model import core
from hybrid.oracle.coherence import hides_places, hides_sources
from hybrid.oracle.columns import GROW, Node, Op
from hybrid.oracle.onward import Onward
from hybrid.oracle.onward_nodes import is_strict
from hybrid.oracle.pointwise import Points

# What communication leads to from a new event: later stores from a store, from a load; those who
# read from them, from a store, from a load.
_STORE_TO_STORES = 1
_LOAD_TO_STORES = 2
_STORE_TO_READERS = 4
_LOAD_TO_READERS = 8
_NOT_COMMUNICATION = -1


class OnwardAxiom:
    __slots__ = ("_columns", "_empty", "axiom", "reach")

    def __init__(self, axiom: core.Axiom, order: list[int], reach: int) -> None:
        """`order`: the columns of an onward relation."""
        self.axiom = axiom
        self._columns = order
        self._empty = axiom.test is core.Test.EMPTY  # no pair at all …
        self.reach = reach  # … or none of an event to which communication leads back

    def holds(self, event: int, is_store: bool, later: int, readers: int) -> bool:
        """Whether it holds with the new event, before the `later` stores in coherence, which have
        the `readers`, given that it held before. Of an rmw the load comes first."""
        if self._empty:
            return not self._columns[event]
        if not later:
            return True
        column = self._columns[event]
        reach = self.reach if is_store else self.reach >> 1
        if reach & _STORE_TO_STORES and column & later:
            return False
        return not (reach & _STORE_TO_READERS and column & readers)


class AcyclicOrders(OnwardAxiom):
    """The order is the closure of the onward relations. Coherence, and who reads before a store, is
    looked up in the execution."""

    __slots__ = ("_execution", "_points")

    def __init__(
        self, axiom: core.Axiom, order: list[int], execution: Execution, points: Points
    ) -> None:
        super().__init__(axiom, order, 0)
        self._execution = execution
        self._points = points

    def holds(self, event: int, is_store: bool, later: int, readers: int) -> bool:
        if not later:
            return True
        columns, points, execution = self._columns, self._points, self._execution
        past = columns[event]
        found = 0
        if is_store:
            order = execution.co[execution.location[event]]
            place = len(order) - 1
            while later >> order[place] & 1:
                place -= 1
            # an rmw's own load, which reads before it too, has had the same later stores
            found = self._up_to(order, place)
        met = 0  # stores before which all is taken in
        while True:
            found &= ~past
            while found:
                low = found & -found
                past |= low | columns[low.bit_length() - 1]
                found &= ~past
            if past & later:
                return False
            left = past & points.stores & ~met
            if not left:
                return True
            store = left.bit_length() - 1
            order = execution.co[execution.location[store]]
            place = order.index(store)
            for at in range(place + 1):
                met |= 1 << order[at]
            found = self._up_to(order, place - 1)

    def _up_to(self, order: list[int], last: int) -> int:
        """The stores up to a place in a coherence order, and those who read from them."""
        readers = self._execution.readers
        found = 0
        for at in range(last, -1, -1):
            found |= 1 << order[at] | readers[order[at]]
        return found & self._points.committed


def onward_axiom(
    axiom: core.Axiom, node: Node, onward: Onward, execution: Execution, points: Points
) -> OnwardAxiom | None:
    """The axiom as one of these, if it is."""
    if axiom.negated or node.level > GROW:
        return None
    if onward.takes(node):
        return OnwardAxiom(axiom, onward.keep(node), 0) if is_strict(node) else None
    if axiom.test is core.Test.ACYCLIC:
        parts = _united(node)
        others = [part for part in parts if not onward.takes(part)]
        orders = [part for part in parts if part not in others]
        if {part.op for part in others} != {Op.CO, Op.FR} or not all(map(is_strict, orders)):
            return None
        return AcyclicOrders(axiom, onward.keep_closure(orders), execution, points)
    composed = _composed(axiom, node, onward)
    if composed is None:
        return None
    before, communication = composed
    if communication.op == Op.OPT:
        if not is_strict(before):
            return None
        communication = communication.args[0]
    return OnwardAxiom(axiom, onward.keep(before), _reach(communication))


def _composed(axiom: core.Axiom, node: Node, onward: Onward) -> tuple[Node, Node] | None:
    """The order and the communication of which an axiom says that they do not lead back."""
    if axiom.test is not core.Test.IRREFLEXIVE or node.op != Op.SEQ:
        return None
    one, two = node.args
    for order, communication in ((one, two), (two, one)):
        if onward.takes(order) and order.op != Op.OPT:
            inner = communication.args[0] if communication.op == Op.OPT else communication
            if _reach(inner) != _NOT_COMMUNICATION:
                return order, communication
    return None


def hiding(axiom: core.Axiom, node: Node, onward: Onward) -> tuple[Node | None, Node | None]:
    """The order of such an axiom if it hides sources from loads, and if it hides places from
    stores, as coherence.py says."""
    found = None if axiom.negated else _composed(axiom, node, onward)
    if found is None or onward.takes(node):
        return None, None
    order = found[0]
    sources, places = hides_sources(*found), hides_places(*found)
    return order if sources else None, order if places else None


def is_kept_by_order(axiom: core.Axiom, node: Node, onward: Onward) -> bool:
    """Whether the axiom holds of whatever comes in such an order."""
    if axiom.negated or axiom.test is core.Test.EMPTY:
        return False
    return onward.takes(node) and is_strict(node)


def _united(node: Node) -> list[Node]:
    if node.op == Op.UNION:
        return [part for arg in node.args for part in _united(arg)]
    return [node]


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
