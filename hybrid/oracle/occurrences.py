"""Occurrences: what a solver oracle numbers in place of events, whose numbers other paths use
again.

An occurrence is an event of one step (so of one path) at one location. Whether two of them are in
one of the relations that depend on the events alone (STATIC, FIXED and POINT in the plan) is the
same in all executions that have both.
"""

from __future__ import annotations

from collections.abc import Iterable

from hybrid.encoding.horn import Horn
from hybrid.errors import InternalError
from hybrid.execution.execution import Execution
from hybrid.execution.step import CONDITIONAL, RMW, Step
from hybrid.oracle.plan import STATIC, Node, Op
from hybrid.oracle.static import StaticTable


class Occurrence:
    __slots__ = ("columns", "event", "location", "number", "step", "thread")

    def __init__(
        self, number: int, event: int, step: Step | None, location: int, columns: dict[int, int]
    ) -> None:
        self.number = number
        self.event = event
        self.step = step  # None for an initial write
        self.location = location  # -1 for a fence or branch
        self.thread = -1 if step is None else step.thread
        self.columns = columns  # by index of a STATIC relation: events that it relates to this one


class Occurrences:
    """Bits in the results are numbers of occurrences."""

    def __init__(self, execution: Execution, table: StaticTable, horn: Horn) -> None:
        self.execution = execution
        self.table = table
        self.horn = horn
        self.all: list[Occurrence] = []
        self._known: dict[tuple[Step | None, int, int], Occurrence] = {}
        self._above: dict[Step, frozenset[Step]] = {}  # the steps before a step on its path
        self._static: list[int] = []  # indices of the STATIC relations in use
        self._sets: list[int] = []  # indices of the sets in use
        self.members: dict[int, int] = {}  # by index of a set
        self.threads: dict[int, int] = {}
        self.locations: dict[int, int] = {}

    def prepare(self, nodes: Iterable[Node]) -> None:
        """Tells which nodes of the plan will be asked for; before the first occurrence."""
        static: set[int] = set()
        sets: set[int] = set()
        todo = list(nodes)
        while todo:
            node = todo.pop()
            if node.is_set:
                sets.add(node.index)
            elif node.level == STATIC:
                static.add(node.index)
            else:
                todo.extend(node.args)
        self._static = sorted(static)
        self._sets = sorted(sets)
        self.members.update(dict.fromkeys(self._sets, 0))

    def find(self, event: int) -> Occurrence | None:
        """The occurrence of a fetched event whose location, if it has one, is known."""
        execution = self.execution
        return self._known.get((execution.steps[event], event, execution.location[event]))

    def make(self, event: int) -> Occurrence:
        """The same, when there is none yet."""
        execution, table = self.execution, self.table
        step, location = execution.steps[event], execution.location[event]
        compatible = self._compatible(event, step, location)
        columns = {index: table.columns[index][event] for index in self._static}
        number = self.horn.add_event(compatible)
        made = Occurrence(number, event, step, location, columns)
        self.all.append(made)
        self._known[(step, event, location)] = made
        bit = 1 << number
        for index in self._sets:
            if table.members[index] >> event & 1:
                self.members[index] |= bit
        self.threads[made.thread] = self.threads.get(made.thread, 0) | bit
        if location >= 0:
            self.locations[location] = self.locations.get(location, 0) | bit
        return made

    def _compatible(self, event: int, step: Step | None, location: int) -> int:
        """The occurrences that can be in one execution with a new one."""
        if step is None:
            return (1 << len(self.all)) - 1
        above = self._above.get(step)
        if above is None:
            above = self._above[step] = self._path(step)
        found = 0
        for other in self.all:
            if other.step is step:
                possible = other.event != event and other.location == location
            elif other.step is None or other.thread != step.thread:
                possible = True
            else:
                possible = other.step in above or step in self._above[other.step]
            if possible:
                found |= 1 << other.number
        return found

    def _path(self, step: Step) -> frozenset[Step]:
        """The steps before one that is fetched now, in po order; deciding steps that are no events
        of the trace need not be there."""
        steps = self.execution.steps
        found: list[Step] = []
        past = step.po
        while past:
            low = past & -past
            past ^= low
            earlier = steps[low.bit_length() - 1]
            if earlier is None:
                raise InternalError("a step was fetched before its past")
            found.append(earlier)
        return frozenset(found)

    # ---- relations between an occurrence and those before it, itself included

    def column(self, node: Node, of: Occurrence) -> int:
        """The occurrences that the relation relates to this one."""
        op, args = node.op, node.args
        if node.level == STATIC:
            return self._earlier(node.index, of)
        if op == Op.INVERSE:
            return self.row(args[0], of)
        if op == Op.PRODUCT:
            return self.members[args[0].index] if self._in(args[1], of) else 0
        if op == Op.FROM:
            return self.column(args[1], of) & self.members[args[0].index]
        if op == Op.INTO:
            return self.column(args[0], of) if self._in(args[1], of) else 0
        if op == Op.AMO or op == Op.LXSX:
            return self._pair_of(op, of, False)
        if op in (Op.UNION, Op.INTER, Op.DIFF):
            return _combined(op, self.column(args[0], of), self.column(args[1], of))
        if op == Op.COMPLEMENT:
            return ~self.column(args[0], of)
        return self._either_way(op, of)

    def row(self, node: Node, of: Occurrence) -> int:
        """The occurrences to which the relation relates this one."""
        op, args = node.op, node.args
        if node.level == STATIC:
            return self._later(node.index, of)
        if op == Op.INVERSE:
            return self.column(args[0], of)
        if op == Op.PRODUCT:
            return self.members[args[1].index] if self._in(args[0], of) else 0
        if op == Op.FROM:
            return self.row(args[1], of) if self._in(args[0], of) else 0
        if op == Op.INTO:
            return self.row(args[0], of) & self.members[args[1].index]
        if op == Op.AMO or op == Op.LXSX:
            return self._pair_of(op, of, True)
        if op in (Op.UNION, Op.INTER, Op.DIFF):
            return _combined(op, self.row(args[0], of), self.row(args[1], of))
        if op == Op.COMPLEMENT:
            return ~self.row(args[0], of)
        return self._either_way(op, of)

    def _in(self, node: Node, of: Occurrence) -> bool:
        return bool(self.members[node.index] >> of.number & 1)

    def _either_way(self, op: Op, of: Occurrence) -> int:
        if op == Op.LOC:
            return self.locations[of.location] if of.location >= 0 else 0
        if op == Op.INT:
            return self.threads[of.thread]
        if op == Op.EXT:
            return ~self.threads[of.thread]
        raise InternalError(f"{op.name} does not depend on the events alone")

    def _near(self, of: Occurrence) -> list[Occurrence]:
        """Those of the thread that can be with this one, itself included."""
        bits = self.threads[of.thread] & self.horn.compatible[of.number]
        return [o for o in self.all if bits >> o.number & 1]

    def _earlier(self, index: int, of: Occurrence) -> int:
        events = of.columns[index]
        found = 0
        if events:
            for other in self._near(of):
                if events >> other.event & 1:
                    found |= 1 << other.number
        return found

    def _later(self, index: int, of: Occurrence) -> int:
        found = 0
        for other in self._near(of):
            if other.columns[index] >> of.event & 1:
                found |= 1 << other.number
        return found

    def _pair_of(self, op: Op, of: Occurrence, forward: bool) -> int:
        """The other event of a read-modify-write, or the exclusive that belongs to this one."""
        found = 0
        for other in self._near(of):
            load, store = (of, other) if forward else (other, of)
            first, second = load.step, store.step
            if first is None or second is None:
                continue
            if op == Op.AMO:
                paired = first is second and first.kind == RMW and store.event == first.second
                paired = paired and load.event == first.event
                paired = paired or (second.amo and second.reserve is first)
            else:
                paired = second.kind == CONDITIONAL and second.reserve is first and not second.amo
            if paired:
                found |= 1 << other.number
        return found


def _combined(op: Op, first: int, second: int) -> int:
    if op == Op.UNION:
        return first | second
    return first & second if op == Op.INTER else first & ~second
