"""What a model makes of fetched events alone: membership in sets, and columns of STATIC relations.

`columns[k][e]` holds the events that relation k relates to e: a part of e's po-past and e itself.
All of it depends on the path to e only, so it is computed once per step and kept there; fetching
the same step again copies it, unless it is what stands there already.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from hybrid.execution.step import CHOICE, NO_DEPENDENCIES, Dependencies, Step
from hybrid.oracle.columns import STATIC, ColumnEvaluator, Node, Op
from hybrid.oracle.plan import Plan
from hybrid.oracle.sets import contains

_owners = count()


class FetchedEvent:
    """What is known of an event when it is fetched, its past as bits."""

    __slots__ = ("depends", "event", "initial", "kind", "past", "po", "tags")

    def __init__(
        self, event: int, kind: str, tags: frozenset[str], po: int, depends: Dependencies
    ) -> None:
        self.event = event
        self.kind = kind  # R, W, F or B
        self.tags = tags
        self.initial = False  # it is an initial write
        self.po = po
        self.depends = depends
        self.past = po | 1 << event  # its po-past and itself


class StaticTable(ColumnEvaluator):
    """`columns` by node index for STATIC relations, `members` by node index for sets."""

    def __init__(
        self, plan: Plan, initial_writes: int, roots: Sequence[Node] | None = None
    ) -> None:
        """With `roots` only what these are made of is asked for."""
        super().__init__([0] * len(plan.nodes))
        self._owner = next(_owners)
        asked = plan.nodes if roots is None else _made_of(roots)
        self._sets = [n for n in asked if n.is_set]
        self._relations = [n for n in asked if n.level == STATIC and not n.is_set]
        self.columns: list[list[int]] = [[] for _ in plan.nodes]
        # by index of a relation: the events whose columns hold something, on some path
        self._ends = [0] * len(plan.nodes)
        self._entered: list[list[int] | None] = []  # by event: what of a step's cache stands there
        self._grow(initial_writes.bit_length())
        # the event whose columns are made
        self._current = FetchedEvent(0, "", frozenset(), 0, NO_DEPENDENCIES)
        for event in range(initial_writes.bit_length()):
            if initial_writes >> event & 1:
                self.add_initial_write(event)

    def add_initial_write(self, event: int) -> None:
        """An initial write has no po-past."""
        self._grow(event + 1)
        write = FetchedEvent(event, "W", frozenset(), 0, NO_DEPENDENCIES)
        write.initial = True
        self._add(write)

    def _grow(self, size: int) -> None:
        self._entered.extend([None] * (size - len(self._entered)))
        for node in self._relations:
            column = self.columns[node.index]
            if len(column) < size:
                column.extend([0] * (size - len(column)))

    # ---- fetching

    def fetch(self, step: Step) -> None:
        """Makes `columns` and `members` right for the events of a step."""
        if step.kind == CHOICE:
            return
        last = max(step.event, step.second)
        entered = self._entered
        if last >= len(entered):
            self._grow(last + 1)
        cached = step.cache.get(self._owner)
        if cached is None:
            cached = self._compute(step)
            step.cache[self._owner] = cached
        elif entered[step.event] is cached and entered[last] is cached:
            return
        else:
            self._enter(step.event, cached, 0)
            if step.second >= 0:
                self._enter(step.second, cached, len(cached) // 2)
        entered[step.event] = entered[last] = cached

    def _enter(self, event: int, cached: list[int], at: int) -> None:
        bit = 1 << event
        members = self.members
        for node in self._sets:
            if cached[at]:
                members[node.index] |= bit
            else:
                members[node.index] &= ~bit
            at += 1
        columns = self.columns
        for node in self._relations:
            columns[node.index][event] = cached[at]
            at += 1

    def _compute(self, step: Step) -> list[int]:
        """What `_enter` copies, for the events of a step that is fetched for the first time."""
        kind = "RWRWFB"[step.kind]
        cached = self._add(FetchedEvent(step.event, kind, step.tags, step.po, step.depends))
        if step.second >= 0:
            po = step.po | 1 << step.event
            second = FetchedEvent(step.second, "W", step.tags, po, step.second_depends)
            cached += self._add(second)
        return cached

    def _add(self, fetched: FetchedEvent) -> list[int]:
        """Computes membership and columns of an event, those of its past being known."""
        event = fetched.event
        bit = 1 << event
        members = self.members
        cached: list[int] = []
        for node in self._sets:
            if contains(node, fetched.kind, fetched.tags, fetched.initial):
                members[node.index] |= bit
                cached.append(1)
            else:
                members[node.index] &= ~bit
                cached.append(0)
        self._current = fetched
        for node in self._relations:  # operands come before their users
            column = node.column(self, event) & fetched.past
            self.columns[node.index][event] = column
            if column:
                self._ends[node.index] |= bit
            cached.append(column)
        return cached

    # ---- columns of the event that is added; of earlier ones they are known

    def column(self, node: Node, event: int) -> int:
        if node.level == STATIC:
            return self.columns[node.index][event]
        return node.column(self, event) & self._current.past

    def row(self, node: Node, event: int) -> int:
        """Within the po-past, only the event itself can be related back."""
        return self.column(node, event) & 1 << event

    def base(self, node: Node, event: int) -> int:
        op, current = node.op, self._current
        if op == Op.PO:
            return current.po
        if op == Op.ADDR:
            return current.depends.addr
        if op == Op.DATA:
            return current.depends.data
        if op == Op.CTRL:
            return current.depends.ctrl
        if op == Op.PICK:
            return current.depends.pick
        return super().base(node, event)

    def same_thread(self, event: int) -> int:
        return self._current.past

    def image(self, node: Node, events: int) -> int:
        if node.level != STATIC:
            return super().image(node, events)
        return _image(events & self._ends[node.index], self.columns[node.index])

    def closure(self, node: Node, event: int) -> int:
        """By the columns of the closure itself, which are complete for earlier events."""
        first = self.column(node.args[0], event)
        return first | self.image(node, first & ~(1 << event))


def _made_of(roots: Sequence[Node]) -> list[Node]:
    """These nodes and their operands, operands before their users; of sets no operands."""
    found: dict[int, Node] = {}
    todo = list(roots)
    while todo:
        node = todo.pop()
        if node.index not in found:
            found[node.index] = node
            if not node.is_set:
                todo += node.args
    return [found[index] for index in sorted(found)]


def _image(events: int, columns: list[int]) -> int:
    """The union of the columns of `events`."""
    union = 0
    while events:
        low = events & -events
        events ^= low
        union |= columns[low.bit_length() - 1]
    return union
