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
from hybrid.oracle.columns import STATIC, ColumnEvaluator, Node, Op
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


class Occurrences(ColumnEvaluator):
    """Bits in the results are numbers of occurrences."""

    def __init__(self, execution: Execution, table: StaticTable, horn: Horn) -> None:
        super().__init__([0] * len(table.members))
        self.execution = execution
        self.table = table
        self.horn = horn
        self.all: list[Occurrence] = []
        self._known: dict[tuple[Step | None, int, int], Occurrence] = {}
        self._latest: list[Occurrence | None] = []  # by event: the one found last
        self._above: dict[Step, frozenset[Step]] = {}  # the steps before a step on its path
        self._static: list[int] = []  # indices of the STATIC relations in use
        self._sets: list[int] = []  # indices of the sets in use
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

    def find(self, event: int) -> Occurrence | None:
        """The occurrence of a fetched event whose location, if it has one, is known."""
        execution = self.execution
        latest = self._latest
        step, location = execution.steps[event], execution.location[event]
        if event >= len(latest):
            latest.extend([None] * (event + 1 - len(latest)))
        found = latest[event]
        if found is None or found.step is not step or found.location != location:
            found = latest[event] = self._known.get((step, event, location))
        return found

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
        """The steps before one that is fetched now, in po order; deciding steps that are not events
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

    # ---- the evaluator: events are numbers of occurrences

    def column(self, node: Node, event: int) -> int:
        if node.level == STATIC:
            return self._earlier(node.index, self.all[event])
        return node.column(self, event)

    def row(self, node: Node, event: int) -> int:
        if node.level == STATIC:
            return self._later(node.index, self.all[event])
        return node.row(self, event)

    def same_thread(self, event: int) -> int:
        return self.threads[self.all[event].thread]

    def same_location(self, event: int) -> int:
        location = self.all[event].location
        return self.locations[location] if location >= 0 else 0

    def base(self, node: Node, event: int) -> int:
        return self._pair_of(node, self.all[event], False)

    def base_row(self, node: Node, event: int) -> int:
        return self._pair_of(node, self.all[event], True)

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

    def _pair_of(self, node: Node, of: Occurrence, forward: bool) -> int:
        """The other event of a read-modify-write, or the exclusive that belongs to this one."""
        if node.op != Op.AMO and node.op != Op.LXSX:
            raise InternalError(f"{node!r} does not depend on the events alone")
        found = 0
        for other in self._near(of):
            load, store = (of, other) if forward else (other, of)
            if _is_amo(load, store) if node.op == Op.AMO else _is_lxsx(load, store):
                found |= 1 << other.number
        return found


def _is_amo(load: Occurrence, store: Occurrence) -> bool:
    first, second = load.step, store.step
    if first is None or second is None:
        return False
    if first is second and first.kind == RMW and store.event == first.second:
        return load.event == first.event
    return second.amo and second.reserve is first


def _is_lxsx(load: Occurrence, store: Occurrence) -> bool:
    first, second = load.step, store.step
    if first is None or second is None or second.amo:
        return False
    return second.kind == CONDITIONAL and second.reserve is first
