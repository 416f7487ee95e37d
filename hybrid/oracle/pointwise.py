"""FIXED and POINT relations over committed events: columns and rows computed from the events at
hand, nothing stored."""

from __future__ import annotations

from hybrid.execution.execution import Execution
from hybrid.execution.step import CONDITIONAL, LOAD, RMW
from hybrid.oracle.plan import STATIC, Node, Op
from hybrid.oracle.static import StaticTable


class Points:
    """Answers may hold bits of events that are not committed; callers mask them."""

    def __init__(self, execution: Execution, table: StaticTable) -> None:
        self.execution = execution
        self.members = table.members
        self.columns = table.columns
        self.committed = 0  # the events that count, the one being committed included
        self.by_location = [0] * len(execution.co)  # those of them that access each location

    def _thread(self, event: int) -> int:
        """The events of the event's thread, as far as numbers can tell; the initial writes for one
        of them."""
        step = self.execution.steps[event]
        if step is None:
            return self.execution.unfolding.initial_writes
        return self.execution.thread_bits[step.thread]

    def column(self, node: Node, event: int) -> int:
        """The events that the relation relates to `event`."""
        if node.level == STATIC:
            return self.columns[node.index][event]
        op = node.op
        args = node.args
        if op == Op.LOC:
            return self.same_location(event)
        if op == Op.INTER:
            return self.column(args[0], event) & self.column(args[1], event)
        if op == Op.EXT:
            return ~self._thread(event)
        if op == Op.INT:
            return self._thread(event)
        if op == Op.PRODUCT:
            return self.members[args[0].index] if self.members[args[1].index] >> event & 1 else 0
        if op == Op.UNION:
            return self.column(args[0], event) | self.column(args[1], event)
        if op == Op.DIFF:
            return self.column(args[0], event) & ~self.column(args[1], event)
        if op == Op.COMPLEMENT:
            return ~self.column(args[0], event)
        if op == Op.FROM:
            return self.column(args[1], event) & self.members[args[0].index]
        if op == Op.INTO:
            inside = self.members[args[1].index] >> event & 1
            return self.column(args[0], event) if inside else 0
        if op == Op.AMO:
            step = self.execution.steps[event]
            if step is not None and step.kind == RMW and step.second == event:
                return 1 << step.event
            if step is not None and step.amo and step.reserve is not None:
                return 1 << step.reserve.event
            return 0
        if op == Op.LXSX:
            step = self.execution.steps[event]
            if step is not None and step.kind == CONDITIONAL and step.reserve is not None:
                return 0 if step.amo else 1 << step.reserve.event
            return 0
        return self.row(args[0], event)  # INVERSE

    def row(self, node: Node, event: int) -> int:
        """The events to which the relation relates `event`."""
        op = node.op
        args = node.args
        if node.level == STATIC or op == Op.LXSX:
            return self._later(node, event)
        if op == Op.LOC:
            return self.same_location(event)
        if op == Op.INTER:
            first = self.row(args[0], event)
            return first & self.row(args[1], event) if first else 0
        if op == Op.EXT:
            return ~self._thread(event)
        if op == Op.INT:
            return self._thread(event)
        if op == Op.PRODUCT:
            return self.members[args[1].index] if self.members[args[0].index] >> event & 1 else 0
        if op == Op.UNION:
            return self.row(args[0], event) | self.row(args[1], event)
        if op == Op.DIFF:
            first = self.row(args[0], event)
            return first & ~self.row(args[1], event) if first else 0
        if op == Op.COMPLEMENT:
            return ~self.row(args[0], event)
        if op == Op.FROM:
            return self.row(args[1], event) if self.members[args[0].index] >> event & 1 else 0
        if op == Op.INTO:
            return self.row(args[0], event) & self.members[args[1].index]
        if op == Op.AMO:
            step = self.execution.steps[event]
            if step is not None and step.kind == RMW and step.event == event:
                return 1 << step.second
            if step is not None and step.kind == LOAD and step.rmw_op:
                return self._later(node, event)
            return 0
        return self.column(args[0], event)  # INVERSE

    def same_location(self, event: int) -> int:
        """The committed accesses of the location that the event accesses, itself included; none for
        a fence or branch."""
        location = self.execution.location[event]
        if location < 0:
            return 0
        accesses = self.by_location[location]
        return accesses if accesses >> event & 1 else 0

    def _later(self, node: Node, event: int) -> int:
        """The row of a part of po ∪ id: only the event itself and po-later ones come into question."""
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
