"""FIXED and POINT relations over committed events: columns and rows computed from the events at
hand, nothing stored."""

from __future__ import annotations

from hybrid.errors import InternalError
from hybrid.execution.execution import Execution
from hybrid.execution.step import CONDITIONAL, LOAD, RMW
from hybrid.oracle.columns import STATIC, ColumnEvaluator, Node, Op
from hybrid.oracle.static import StaticTable


class Points(ColumnEvaluator):
    """Answers may hold bits of events that are not committed; callers mask them."""

    def __init__(self, execution: Execution, table: StaticTable) -> None:
        super().__init__(table.members)
        self.execution = execution
        self.columns = table.columns
        self.committed = 0  # the events that count, the one being committed included
        self.stores = 0  # those of them that are stores, initial writes left out; and absent events
        self.by_location = [0] * len(execution.co)  # those of them that access each location

    def column(self, node: Node, event: int) -> int:
        """The events that the relation relates to `event`."""
        if node.level == STATIC:
            return self.columns[node.index][event]
        return node.column(self, event)

    def row(self, node: Node, event: int) -> int:
        """The events to which the relation relates `event`."""
        if node.level == STATIC:
            return self._later(node, event)
        return node.row(self, event)

    def same_thread(self, event: int) -> int:
        """The events of the event's thread, as far as numbers can tell; the initial writes for one
        of them."""
        step = self.execution.steps[event]
        if step is None:
            return self.execution.numbering.initial_writes
        return self.execution.thread_bits[step.thread]

    def same_location(self, event: int) -> int:
        """The committed accesses of the location that the event accesses, itself included; none for
        a fence or branch."""
        location = self.execution.location[event]
        if not 0 <= location < len(self.by_location):
            return 0
        accesses = self.by_location[location]
        return accesses if accesses >> event & 1 else 0

    def base(self, node: Node, event: int) -> int:
        """The load of the pair whose store the event is."""
        step = self.execution.steps[event]
        if node.op == Op.AMO:
            if step is not None and step.kind == RMW and step.second == event:
                return 1 << step.event
            if step is not None and step.amo and step.reserve is not None:
                return 1 << step.reserve.event
            return 0
        if node.op == Op.LXSX:
            if step is not None and step.kind == CONDITIONAL and step.reserve is not None:
                return 0 if step.amo else 1 << step.reserve.event
            return 0
        raise InternalError(f"{node!r} is not pointwise")

    def base_row(self, node: Node, event: int) -> int:
        """The store of the pair whose load the event is."""
        if node.op == Op.AMO:
            step = self.execution.steps[event]
            if step is not None and step.kind == RMW and step.event == event:
                return 1 << step.second
            if step is not None and step.kind == LOAD and step.modifies is not None:
                return self._later(node, event)
            return 0
        if node.op == Op.LXSX:
            return self._later(node, event)
        raise InternalError(f"{node!r} is not pointwise")

    def _later(self, node: Node, event: int) -> int:
        """The row of a part of po ∪ id: only the event itself and later events of its thread come
        into question."""
        step = self.execution.steps[event]
        if step is None:
            return 1 << event & self.column(node, event)
        found = 0
        candidates = self.committed & self.execution.thread_bits[step.thread] & -(1 << event)
        while candidates:
            low = candidates & -candidates
            candidates ^= low
            if self.column(node, low.bit_length() - 1) >> event & 1:
                found |= low
        return found
