"""Whether a model can tell that there are initial writes of locations that no access touches.

Such a write, here u, is in no po, rf, co or dependency, and at the same location as itself alone.
Most models therefore say the same with it and without. One that tells speaks of it alone (`~empty
[IW]`), or relates it to other events, by a product of sets (`IW * R`), by `int`, `ext` or a
complement, in a way that leads back to it or through it. (RC11 puts all initial writes before
everything else: no way leads back, so it cannot tell.)

For each set and relation it is worked out whether u is in it (a relation: related to itself),
surely, perhaps or not, and whether a relation may lead from u to other events, or from them to u.
What relates other events to each other must never depend on u: a composition, a closure, a domain
or a range that could lead through u counts as telling. The answer may be that a model tells where
in truth it cannot, never the other way round.
"""

from __future__ import annotations

from typing import Final, NamedTuple, assert_never

from hybrid.model import core
from hybrid.model.core import Kind, Test

_SELF_ONLY: Final = frozenset(("id", "loc"))
_SETS_WITH: Final = frozenset(("_", "W", "M", "IW", "FW"))
_WITHOUT: Final = frozenset(
    ("po", "rf", "co", "addr", "data", "ctrl", "pick", "amo", "lxsx", "rmw")
)


class _Place(NamedTuple):
    """Where u is in a set or relation."""

    may: bool  # it may be in the set, or related to itself
    must: bool  # it surely is
    out: bool = False  # it may be related to other events …
    into: bool = False  # … and other events to it


_OUTSIDE: Final = _Place(False, False)
_INSIDE: Final = _Place(True, True)


class _Tells(Exception):
    """The model may tell."""


def ignores_untouched(model: core.Model) -> bool:
    """Whether axioms, flags and annotations say the same with and without such initial writes."""
    try:
        places = _Places(model)
        for axiom in model.axioms:
            place = places.of(axiom.expr)
            if place.may or _matters(axiom.test, place):
                return False
        for expr in (model.commit_before, model.forward, model.look_ahead):
            if expr is not None:
                places.of(expr)
    except _Tells:
        return False
    return True


class _Places:
    def __init__(self, model: core.Model) -> None:
        self._definitions = model.definitions
        self._known: dict[int, _Place] = {}  # by index of a definition

    def of(self, expr: core.Expr) -> _Place:
        if isinstance(expr, core.Ref):
            return self._reference(expr.index)
        if isinstance(expr, core.Base):
            return _base(expr)
        if isinstance(expr, core.Empty):
            return _OUTSIDE
        if isinstance(expr, core.Union | core.Inter | core.Diff | core.Seq | core.Product):
            return _of_two(expr, self.of(expr.left), self.of(expr.right))
        return _of_one(expr, self.of(expr.operand))

    def _reference(self, index: int) -> _Place:
        if index not in self._known:
            group = self._definitions[index].group
            members = [index]
            if group is not None:
                members = [i for i, d in enumerate(self._definitions) if d.group == group]
            self._known.update(dict.fromkeys(members, _OUTSIDE))
            while True:  # the least fixpoint; a definition that is not recursive is there at once
                found = {i: self.of(self._definitions[i].expr) for i in members}
                if all(self._known[i] == place for i, place in found.items()):
                    break
                self._known.update(found)
        return self._known[index]


def _matters(test: Test, place: _Place) -> bool:
    """Whether the answer may depend on the pairs of u and other events."""
    if test is Test.EMPTY:
        return place.out or place.into
    return test is Test.ACYCLIC and place.out and place.into


def _base(base: core.Base) -> _Place:
    if base.kind is Kind.SET:  # others are sets of loads, of fences, of branches, or tags
        return _INSIDE if base.name in _SETS_WITH else _OUTSIDE
    if base.name in _WITHOUT:
        return _OUTSIDE
    if base.name in _SELF_ONLY:
        return _INSIDE
    if base.name == "int":  # the initial writes count as one thread
        return _Place(True, True, True, True)
    if base.name == "ext":
        return _Place(False, False, True, True)
    raise _Tells


def _of_two(
    expr: core.Union | core.Inter | core.Diff | core.Seq | core.Product, left: _Place, right: _Place
) -> _Place:
    both = _Place(
        left.may and right.may,
        left.must and right.must,
        left.out and right.out,
        left.into and right.into,
    )
    if isinstance(expr, core.Inter):
        return both
    if isinstance(expr, core.Union):
        return _Place(
            left.may or right.may,
            left.must or right.must,
            left.out or right.out,
            left.into or right.into,
        )
    if isinstance(expr, core.Diff):
        may, must = left.may and not right.must, left.must and not right.may
        return _Place(may, must, left.out, left.into)
    if isinstance(expr, core.Seq):
        if left.into and right.out:
            raise _Tells
        return _Place(
            both.may or (left.out and right.into),
            both.must,
            left.out or (left.may and right.out),
            right.into or (right.may and left.into),
        )
    if isinstance(expr, core.Product):
        return _Place(both.may, both.must, left.may, right.may)
    assert_never(expr)


def _of_one(
    expr: core.Complement
    | core.Inverse
    | core.Plus
    | core.Star
    | core.Opt
    | core.Identity
    | core.Domain
    | core.Range,
    operand: _Place,
) -> _Place:
    may, must, out, into = operand
    if isinstance(expr, core.Complement):
        pairs = expr.kind is Kind.RELATION
        return _Place(not must, not may, pairs, pairs)
    if isinstance(expr, core.Identity):
        return operand
    if isinstance(expr, core.Inverse):
        return _Place(may, must, into, out)
    if isinstance(expr, core.Opt):
        return _Place(True, True, out, into)
    if isinstance(expr, core.Plus | core.Star):
        if out and into:
            raise _Tells
        return _Place(True, True, out, into) if isinstance(expr, core.Star) else operand
    if isinstance(expr, core.Domain | core.Range):
        there, back = (out, into) if isinstance(expr, core.Domain) else (into, out)
        if back:
            raise _Tells
        return _Place(may or there, must)
    assert_never(expr)
