"""Whether a model can tell that branches are events: if not, they need not be any, which makes
bitsets shorter and spares a round of the oracle for each.

Sound, not complete. A branch b is related to others by po (and int, ext, id, products of sets that
hold it, ctrl into it). So what a model says of other events stays the same without b if nothing
that it says leads through b: a composition whose first part may end where its second may start
does, unless it is a closure, or a union without cycles, in which po alone touches branches: there
po leads from the event before b to the one behind it as well.
"""

from __future__ import annotations

from typing import Final

from hybrid.model import core
from hybrid.oracle.columns import Node, Op
from hybrid.oracle.plan import Plan, shared_plan

_START: Final = 1  # pairs may start in a branch
_END: Final = 2  # pairs may end in one
_BOTH: Final = _START | _END

_BASE: Final = {
    Op.PO: _BOTH,
    Op.ID: _BOTH,
    Op.INT: _BOTH,
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
            return _BOTH if node.name in ("_", "B") else 0
        if op in (Op.SET_UNION, Op.UNION):
            return self.of(args[0]) | self.of(args[1])
        if op in (Op.SET_INTER, Op.INTER):
            return self.of(args[0]) & self.of(args[1])
        if op in (Op.SET_DIFF, Op.DIFF):
            self.of(args[1])
            return self.of(args[0])
        if op in (Op.IDENTITY, Op.OPT):
            return self.of(args[0])
        if op in (Op.PRODUCT, Op.SEQ, Op.FROM, Op.INTO):
            return self._two(node)
        if op == Op.INVERSE:
            inner = self.of(args[0])
            return (_END if inner & _START else 0) | (_START if inner & _END else 0)
        if op in (Op.PLUS, Op.STAR):
            return self.through_po(args[0])
        if op in (Op.DOMAIN, Op.RANGE):
            return _BOTH if self.of(args[0]) & (_START if op == Op.DOMAIN else _END) else 0
        raise _Seen  # a complement, which has all that is not related; a recursive name

    def _two(self, node: Node) -> int:
        first, second = (self.of(arg) for arg in node.args)
        if node.op != Op.PRODUCT and first & _END and second & _START:
            raise _Seen
        return (first & _START) | (second & _END)

    def through_po(self, node: Node) -> int:
        """Of a relation that is closed, or has no cycle: po alone may touch branches."""
        parts = _united(node)
        if any(part.op != Op.PO and self.of(part) for part in parts):
            raise _Seen
        return _BOTH if any(part.op == Op.PO for part in parts) else 0


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
        ends.through_po(node)
    elif ends.of(node) and (axiom.test is core.Test.EMPTY or ends.of(node) == _BOTH):
        raise _Seen
