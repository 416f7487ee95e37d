"""What a model makes of fetched events alone: membership in sets, and columns of STATIC relations.

`columns[k][e]` holds the events that relation k relates to e: a part of e's po-past and e itself.
All of it depends on the path to e only, so it is computed once a step and kept there; fetching the
same step again copies it, unless it is what stands there already.
"""

from __future__ import annotations

from itertools import count

from hybrid.execution.step import CHOICE, Step
from hybrid.oracle.plan import STATIC, Node, Op, Plan

_owners = count()
_NO_TAGS: frozenset[str] = frozenset()


class StaticTable:
    """`columns` by node index for STATIC relations, `members` by node index for sets."""

    def __init__(self, plan: Plan, initial_writes: int) -> None:
        self._owner = next(_owners)
        self._sets = [n for n in plan.nodes if n.is_set]
        self._relations = [n for n in plan.nodes if n.level == STATIC and not n.is_set]
        self.members: list[int] = [0] * len(plan.nodes)
        self.columns: list[list[int]] = [[] for _ in plan.nodes]
        self._entered: list[list[int] | None] = []  # by event: what of a step's cache stands there
        for node in self._sets:
            if self._contains(node, "W", _NO_TAGS, True):
                self.members[node.index] = initial_writes
        identity = [n for n in self._relations if self._self_related(n)]
        self._grow(initial_writes.bit_length())
        for event in range(initial_writes.bit_length()):
            if initial_writes >> event & 1:
                for node in identity:
                    self.columns[node.index][event] = self._initial_column(node, event)

    def _self_related(self, node: Node) -> bool:
        return node.op not in (Op.PO, Op.ADDR, Op.DATA, Op.CTRL, Op.PICK, Op.EMPTY)

    def _initial_column(self, node: Node, event: int) -> int:
        """The column of an initial write, which has no po-past."""
        return self._column(node, event, 0, 0, 0, 0, 0, 1 << event)

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
        kind = "RWRWFB"[step.kind]
        cached = self._event(
            step.event, kind, step.tags, step.po, step.addr, step.data, step.ctrl, step.pick
        )
        if step.second >= 0:
            own = 1 << step.event
            data = step.data if step.rmw_op == "xchg" else step.data | own
            pick = step.pick | own if step.rmw_op == "cas" else step.pick
            cached += self._event(
                step.second, "W", step.tags, step.po | own, step.addr, data, step.second_ctrl, pick
            )
        return cached

    def _event(
        self,
        event: int,
        kind: str,
        tags: frozenset[str],
        po: int,
        addr: int,
        data: int,
        ctrl: int,
        pick: int,
    ) -> list[int]:
        cached: list[int] = []
        bit = 1 << event
        for node in self._sets:
            if self._contains(node, kind, tags, False):
                self.members[node.index] |= bit
                cached.append(1)
            else:
                self.members[node.index] &= ~bit
                cached.append(0)
        for node in self._relations:
            column = self._column(node, event, po, addr, data, ctrl, pick, po | bit)
            self.columns[node.index][event] = column
            cached.append(column)
        return cached

    # ---- sets

    def _contains(self, node: Node, kind: str, tags: frozenset[str], initial: bool) -> bool:
        op = node.op
        if op == Op.SET_BASE:
            name = node.name
            if name == "_":
                return True
            if name == "M":
                return kind in ("R", "W")
            if name == "IW":
                return initial
            if name in ("R", "W", "F", "B"):
                return kind == name
            return name in tags
        if op == Op.SET_EMPTY:
            return False
        left = self._contains(node.args[0], kind, tags, initial)
        if op == Op.SET_COMPLEMENT:
            return not left
        right = self._contains(node.args[1], kind, tags, initial)
        if op == Op.SET_UNION:
            return left or right
        if op == Op.SET_INTER:
            return left and right
        return left and not right

    # ---- relations

    def _column(
        self, node: Node, event: int, po: int, addr: int, data: int, ctrl: int, pick: int, past: int
    ) -> int:
        """The events related to `event`; its columns of earlier nodes are known already. `past` is
        its po-past and itself."""
        op = node.op
        bit = 1 << event
        if op == Op.PO:
            return po
        if op == Op.ADDR:
            return addr
        if op == Op.DATA:
            return data
        if op == Op.CTRL:
            return ctrl
        if op == Op.PICK:
            return pick
        if op == Op.ID:
            return bit
        if op == Op.EMPTY:
            return 0
        if op == Op.IDENTITY:
            return bit & self.members[node.args[0].index]
        first = self._part(node.args[0], event, past)
        if op == Op.UNION:
            return first | self._part(node.args[1], event, past)
        if op == Op.INTER:
            return first & self._part(node.args[1], event, past)
        if op == Op.DIFF:
            return first & ~self._part(node.args[1], event, past)
        if op == Op.SEQ:
            earlier = self.columns[node.args[0].index]
            return _image(self.columns[node.args[1].index][event], earlier)
        if op == Op.OPT:
            return first | bit
        # PLUS and STAR: the closure's own columns of earlier events are complete
        closure = first | _image(first & ~bit, self.columns[node.index])
        return closure | bit if op == Op.STAR else closure

    def _part(self, node: Node, event: int, past: int) -> int:
        """The column of an argument, restricted to the po-past and the event itself."""
        if node.level == STATIC:
            return self.columns[node.index][event]
        bit = 1 << event
        op = node.op
        if op == Op.PRODUCT:
            if not self.members[node.args[1].index] & bit:
                return 0
            return self.members[node.args[0].index] & past
        if op == Op.INT:
            return past
        if op == Op.EXT:
            return 0
        if op == Op.INVERSE:  # within the po-past, only the event itself can be related back
            return bit & self._part(node.args[0], event, past)
        if op == Op.COMPLEMENT:
            return past & ~self._part(node.args[0], event, past)
        if op == Op.FROM:
            return self._part(node.args[1], event, past) & self.members[node.args[0].index]
        if op == Op.INTO:
            inside = self.members[node.args[1].index] & bit
            return self._part(node.args[0], event, past) if inside else 0
        first = self._part(node.args[0], event, past)
        second = self._part(node.args[1], event, past)
        if op == Op.UNION:
            return first | second
        if op == Op.INTER:
            return first & second
        return first & ~second


def _image(events: int, columns: list[int]) -> int:
    """The union of the columns of `events`."""
    union = 0
    while events:
        low = events & -events
        events ^= low
        union |= columns[low.bit_length() - 1]
    return union
