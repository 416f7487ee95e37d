"""Whether a model can tell that branches are events: if not, they need not be any, which makes
bitsets shorter and spares a round of the oracle for each.

Sound, not complete. A branch b is related to others by po (and int, ext, products of sets that hold
it, ctrl into it). So what a model says of other events stays the same without b if nothing that it
says leads through b: a composition whose first part may end where its second may start does, unless
it is a closure, or a union without cycles, in which po alone touches branches: there po leads from
the event before b to the one behind it as well. That b is related to itself, by an identity, leads
nowhere; but an axiom may say that nothing is.
"""

from __future__ import annotations

from typing import Final

from hybrid.model import core
from hybrid.oracle.columns import Node, Op
from hybrid.oracle.plan import Plan, shared_plan

_START: Final = 1  # pairs may start in a branch and end elsewhere
_END: Final = 2  # pairs may end in one and start elsewhere
_SELF: Final = 4  # a branch may be related to itself
_BOTH: Final = _START | _END

_BASE: Final = {
    Op.PO: _BOTH,
    Op.ID: _SELF,
    Op.INT: _BOTH | _SELF,
    Op.EXT: _BOTH,
    Op.CTRL: _END,
    Op.ADDR: 0,
    Op.DATA: 0,
    Op.PICK: 0,
    Op.LOC: 0,
    Op.AMO: 0,
    Op.LXSX: 0,
    Op.RF: 0,
    Op.CO: 0,
    Op.FR: 0,
    Op.EMPTY: 0,
    Op.FINAL: 0,
    Op.SET_EMPTY: 0,
}


class _Seen(Exception):
    """Something leads through branches, or may."""


class _Ends:
    """Where branches may be in the relations of a plan; a set counts as the identity on it."""

    def __init__(self) -> None:
        self._known: dict[int, int] = {}

    def of(self, node: Node) -> int:
        found = self._known.get(node.index)
        if found is None:
            found = self._known[node.index] = self._compute(node)
        return found

    def _compute(self, node: Node) -> int:
        op, args = node.op, node.args
        if op in _BASE:
            return _BASE[op]
        if op == Op.SET_BASE:
            return _SELF if node.name in ("_", "B") else 0
        if op in (Op.SET_UNION, Op.UNION):
            return self.of(args[0]) | self.of(args[1])
        if op in (Op.SET_INTER, Op.INTER):
            return self.of(args[0]) & self.of(args[1])
        if op in (Op.SET_DIFF, Op.DIFF):
            self.of(args[1])
            return self.of(args[0])
        if op == Op.IDENTITY:
            return self.of(args[0])
        if op == Op.OPT:
            return self.of(args[0]) | _SELF
        if op == Op.PRODUCT:
            first, second = (self.of(arg) & _SELF for arg in args)
            return first & second | (_START if first else 0) | (_END if second else 0)
        if op in (Op.SEQ, Op.FROM, Op.INTO):
            return self._sequence(*map(self.of, args))
        if op == Op.INVERSE:
            inner = self.of(args[0])
            turned = (_END if inner & _START else 0) | (_START if inner & _END else 0)
            return turned | inner & _SELF
        if op in (Op.PLUS, Op.STAR):
            return self.through_po(args[0]) | (_SELF if op == Op.STAR else 0)
        if op in (Op.DOMAIN, Op.RANGE):
            inner = self.of(args[0])
            here, there = (_START, _END) if op == Op.DOMAIN else (_END, _START)
            if inner & there:
                raise _Seen  # an event may be in the set because of a branch alone
            return _SELF if inner & (here | _SELF) else 0
        raise _Seen  # a complement, which has all that is not related; a recursive name

    def _sequence(self, first: int, second: int) -> int:
        if first & _END and second & _START:
            raise _Seen
        start = first | second if first & _SELF else first
        end = first | second if second & _SELF else second
        found = start & _START | end & _END
        itself = first & second & _SELF or found == _BOTH
        return found | (_SELF if itself else 0)

    def relates_itself(self, node: Node) -> bool:
        """Whether it may relate a branch to itself where it relates no other event to itself."""
        op, args = node.op, node.args
        if op == Op.UNION:
            return any(map(self.relates_itself, args))
        if op in (Op.PO, Op.PLUS):  # a cycle of po and others leads past the branch, too
            return bool(self.through_po(node if op == Op.PO else args[0]) & _SELF)
        if op == Op.SEQ:
            for one, two in (args, args[::-1]):
                if two.op == Op.OPT:  # r ; s? is r | r ; s
                    found = self._sequence(self.of(one), self.of(two.args[0]))
                    return self.relates_itself(one) or _may_relate_itself(found)
        return _may_relate_itself(self.of(node))

    def through_po(self, node: Node) -> int:
        """Of a relation that is closed, or has no cycle: po alone may touch branches."""
        parts = _united(node)
        found = 0
        for part in parts:
            ends = self.of(part)
            if part.op != Op.PO and ends & _BOTH:
                raise _Seen
            found |= ends
        return found


def _may_relate_itself(ends: int) -> bool:
    return bool(ends & _SELF) or ends & _BOTH == _BOTH


def _united(node: Node) -> list[Node]:
    if node.op == Op.UNION:
        return [part for arg in node.args for part in _united(arg)]
    return [node]


def sees_branches(model: core.Model, absent: frozenset[str]) -> bool:
    """Whether the model may tell, in programs in which these names are empty."""
    plan = shared_plan(model, absent)
    ends = _Ends()
    try:
        for axiom in model.constraints:
            _check(plan, ends, axiom)
        for flag in model.flags:
            _check(plan, ends, flag)
        if model.look_ahead is not None:
            raise _Seen
    except _Seen:
        return True
    return False


def _check(plan: Plan, ends: _Ends, axiom: core.Axiom) -> None:
    node = plan.node(axiom.expr)
    if axiom.test is core.Test.ACYCLIC:
        seen = bool(ends.through_po(node) & _SELF)
    elif axiom.test is core.Test.EMPTY:
        seen = ends.of(node) != 0
    else:
        seen = ends.relates_itself(node)
    if seen:
        raise _Seen
