"""Program order that a model's tests contain whatever the solution.

Of each expression, some pairs are found that hold in every run in which both events happen. Where
`acyclic a` is asked, and such pairs of `a` are a part of program order that is transitive, they can
be added to `a` for events that do not happen, too: if `a` relates no such events, a cycle that
leads through one comes to it and leaves it by this order, and so can go around it. So
`acyclic a | order` means the same, and an order that is always there makes its formula smaller.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from hybrid.bmc.slots import Slot
from hybrid.encoding.alternatives import Map
from hybrid.encoding.clauses import TRUE
from hybrid.model import core

Rows = dict[int, int]  # by slot: bits of the slots to which it is related


def with_given_order(
    model: core.Model, tight: frozenset[int], slots: Sequence[Slot], relations: dict[str, Map]
) -> core.Model:
    """The model in which the axioms at these places, which relate only events that happen, have the
    order in them as a base relation, which is added to `relations`."""
    given = _Given(model, slots, relations)
    axioms: list[core.Axiom] = []
    for place, axiom in enumerate(model.axioms):
        order = given.order(axiom.expr) if place in tight else {}
        if order:
            name = f"order {place} of {axiom.name}"
            relations[name] = order
            base = core.Base(axiom.span, core.Kind.RELATION, name)
            union = core.Union(axiom.span, core.Kind.RELATION, axiom.expr, base)
            axiom = replace(axiom, expr=union)
        axioms.append(axiom)
    return replace(model, axioms=tuple(axioms))


class _Given:
    """Relations by rows of bits, sets as one."""

    def __init__(self, model: core.Model, slots: Sequence[Slot], relations: dict[str, Map]) -> None:
        self.model = model
        self.slots = slots
        self.relations = relations
        self.all = sum(1 << slot.number for slot in slots)
        self.identity = {slot.number: 1 << slot.number for slot in slots}
        self.known: dict[int, Rows] = {}  # by definition

    def order(self, expr: core.Expr) -> Map:
        """The part of program order; empty if it is not transitive."""
        given, po = self.rows(expr), self._base("po")
        order = {a: both for a, row in given.items() if (both := row & po.get(a, 0))}
        numbers = {a: _members(row) for a, row in order.items()}
        if any(order.get(b, 0) & ~order[a] for a, row in numbers.items() for b in row):
            return {}
        return {(a, b): TRUE for a, row in numbers.items() for b in row}

    def rows(self, expr: core.Expr) -> Rows:
        """Pairs of a relation that hold where both events happen."""
        match expr:
            case core.Ref():
                return self._definition(expr.index)
            case core.Base():
                return self._base(expr.name)
            case core.Union():
                left, right = self.rows(expr.left), self.rows(expr.right)
                return {a: left.get(a, 0) | right.get(a, 0) for a in left.keys() | right.keys()}
            case core.Inter():
                left, right = self.rows(expr.left), self.rows(expr.right)
                return {a: left[a] & right[a] for a in left.keys() & right.keys()}
            case core.Seq():
                return self._sequence(self.rows(expr.left), self.rows(expr.right))
            case core.Inverse():
                return _turned(self.rows(expr.operand))
            case core.Plus():
                return self.rows(expr.operand)
            case core.Star() | core.Opt():
                found = self.rows(expr.operand)
                return {a: found.get(a, 0) | bit for a, bit in self.identity.items()}
            case core.Product():
                right_, members = self.members(expr.right), self.members(expr.left)
                return dict.fromkeys(_members(members), right_)
            case core.Identity():
                return {a: 1 << a for a in _members(self.members(expr.operand))}
            case core.Empty() | core.Diff() | core.Complement() | core.Domain() | core.Range():
                return {}  # not looked into
            case _:
                assert_never(expr)

    def _definition(self, index: int) -> Rows:
        if index not in self.known:
            definition = self.model.definitions[index]
            self.known[index] = {}  # of those that lead back to themselves
            if definition.group is None:
                self.known[index] = self.rows(definition.expr)
        return self.known[index]

    def _base(self, name: str) -> Rows:
        if name == "id":
            return self.identity
        found: Rows = {}
        if name in ("po", "int", "ext", "loc"):
            for (a, b), literal in self.relations.get(name, {}).items():
                if literal == TRUE:
                    found[a] = found.get(a, 0) | 1 << b
        return found

    def _sequence(self, left: Rows, right: Rows) -> Rows:
        """By way of the first event, or the last, which happen."""
        found: Rows = {}
        loops = sum(1 << b for b, row in right.items() if row >> b & 1)
        for a, row in left.items():
            there = row & loops
            if row >> a & 1:
                there |= right.get(a, 0)
            found[a] = there
        return found

    def members(self, expr: core.Expr, most: bool = False) -> int:
        """The events that are in a set if they happen; with `most`, those that can be in it."""
        match expr:
            case core.Ref():
                definition = self.model.definitions[expr.index]
                if definition.group is None:
                    return self.members(definition.expr, most)
            case core.Union():
                return self.members(expr.left, most) | self.members(expr.right, most)
            case core.Inter():
                return self.members(expr.left, most) & self.members(expr.right, most)
            case core.Diff():
                return self.members(expr.left, most) & ~self.members(expr.right, not most)
            case core.Complement():
                return self.all & ~self.members(expr.operand, not most)
            case core.Base():
                if expr.name not in ("RMW", "FW"):
                    return sum(
                        1 << slot.number for slot in self.slots if _is_in(slot, expr.name, most)
                    )
            case _:
                pass
        return self.all if most else 0


def _is_in(slot: Slot, name: str, most: bool) -> bool:
    """Whether its event is in a base set, if it happens."""
    kinds = {"_": True, "M": slot.kind in "RW", "IW": slot.thread < 0}
    failed = slot.tags if slot.failed_tags is None else slot.failed_tags
    if name in kinds:
        return kinds[name]
    if name == slot.kind:
        return True
    return name in slot.tags | failed if most else name in slot.tags & failed


def _members(bits: int) -> list[int]:
    found: list[int] = []
    while bits:
        low = bits & -bits
        bits ^= low
        found.append(low.bit_length() - 1)
    return found


def _turned(rows: Rows) -> Rows:
    found: Rows = {}
    for a, row in rows.items():
        for b in _members(row):
            found[b] = found.get(b, 0) | 1 << a
    return found
