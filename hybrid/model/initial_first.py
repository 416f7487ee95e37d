"""Whether it makes a difference that a model puts the initial writes before other events.

Some models say so by a product of sets, as RC11 does by `po | (IW * (_ \\ IW))`, after its paper's
definitions. Such pairs are many, one for each initial write and event, and mostly nothing depends
on them: no relation leads back to an initial write, which has nothing before it.

Here it is worked out which pairs of each relation may be others if these products are left out: of
an initial write and another event, or the other way round. If other pairs might be, or if a test
depends on such pairs, the model may tell. As in untouched.py, the answer may be that it tells where
in truth it cannot, never the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple, assert_never

from hybrid.model import core
from hybrid.model.places import (
    BOTH_WAYS,
    FROM_IT,
    INSIDE,
    OUTSIDE,
    Binary,
    Places,
    Tells,
    Unary,
    Whereabouts,
    group_of,
    is_from_read,
)

_PLACES: Final = {
    **dict.fromkeys(("po", "addr", "data", "ctrl", "pick", "amo", "lxsx", "rmw"), OUTSIDE),
    **dict.fromkeys(("rf", "co"), FROM_IT),
    **dict.fromkeys(("loc", "int"), BOTH_WAYS),
    "id": INSIDE,
    "ext": Whereabouts(False, False, True, True),
    "FW": Whereabouts(True, False),
}


class _Changed(NamedTuple):
    """Which pairs of a relation may be others."""

    out: bool  # those from initial writes to other events
    into: bool  # those from other events to initial writes


_NOTHING: Final = _Changed(False, False)


@lru_cache(maxsize=64)
def ignores_initial_first(model: core.Model) -> bool:
    """Whether axioms, flags and the look-ahead say the same without the products that
    `is_initial_first` names; False if there are none."""
    if not any(is_initial_first(expr, model) for expr in _expressions(model)):
        return False
    try:
        changes = _Changes(model)
        for axiom in model.axioms:
            changed, place = changes.of(axiom.expr), changes.places.of(axiom.expr)
            if changes.matter(axiom.test, changed, place):
                return False
        return model.look_ahead is None or changes.of(model.look_ahead) == _NOTHING
    except Tells:
        return False


def is_initial_first(expr: core.Expr, model: core.Model) -> bool:
    """Whether the expression is a product of initial writes and other events."""
    return (
        isinstance(expr, core.Product)
        and _within_initial(expr.left, model)
        and not Places(model.definitions, _PLACES).of(expr.right).may
    )


def _within_initial(expr: core.Expr, model: core.Model) -> bool:
    """Whether there are initial writes alone in a set, for certain."""
    if isinstance(expr, core.Ref):
        definition = model.definitions[expr.index]
        return definition.group is None and _within_initial(definition.expr, model)
    if isinstance(expr, core.Inter):
        return _within_initial(expr.left, model) or _within_initial(expr.right, model)
    if isinstance(expr, core.Diff):
        return _within_initial(expr.left, model)
    return isinstance(expr, core.Base) and expr.name == "IW"


def _expressions(model: core.Model) -> Iterator[core.Expr]:
    """All that there are in the definitions and axioms, with their operands."""
    todo = [*(d.expr for d in model.definitions), *(axiom.expr for axiom in model.axioms)]
    while todo:
        expr = todo.pop()
        yield expr
        todo.extend(core.children(expr))


class _Changes:
    def __init__(self, model: core.Model) -> None:
        self.places = Places(model.definitions, _PLACES)
        self._model = model
        self._known: dict[int, _Changed] = {}  # by index of a definition

    def matter(self, test: core.Test, changed: _Changed, place: Whereabouts) -> bool:
        """Whether the answer of a test may depend on what is changed."""
        if test is core.Test.EMPTY:
            return changed != _NOTHING
        if test is core.Test.ACYCLIC:
            return (changed.out and place.into) or (changed.into and place.out)
        if test is core.Test.IRREFLEXIVE:
            return False  # no event is related to itself by what is changed
        assert_never(test)

    def of(self, expr: core.Expr) -> _Changed:
        if isinstance(expr, core.Ref):
            return self._reference(expr.index)
        if isinstance(expr, core.Base | core.Empty) or is_from_read(expr):
            return _NOTHING
        if is_initial_first(expr, self._model):
            return _Changed(True, False)
        if isinstance(expr, core.Seq):
            return self._of_composition(expr)
        if isinstance(expr, core.Union | core.Inter | core.Diff | core.Product):
            return self._of_two(expr)
        return self._of_one(expr)

    def _reference(self, index: int) -> _Changed:
        if index not in self._known:
            definitions = self._model.definitions
            members = group_of(definitions, index)
            self._known.update(dict.fromkeys(members, _NOTHING))
            while True:
                found = {i: self.of(definitions[i].expr) for i in members}
                if all(self._known[i] == changed for i, changed in found.items()):
                    break
                self._known.update(found)
        return self._known[index]

    def _of_composition(self, expr: core.Seq) -> _Changed:
        """A pair of an initial write u and x, and one that leads on from x: it must not lead to u;
        and the same the other way round. A pair of x and u leads on to what u is related to: that
        must be u itself."""
        left, right = self.of(expr.left), self.of(expr.right)
        first, second = self.places.of(expr.left), self.places.of(expr.right)
        if (
            (left.out and second.into)
            or (left.into and second.out)
            or (right.out and first.into)
            or (right.into and first.out)
        ):
            raise Tells
        return _Changed(
            left.out or (right.out and first.may), right.into or (left.into and second.may)
        )

    def _of_two(self, expr: Binary) -> _Changed:
        left, right = self.of(expr.left), self.of(expr.right)
        if isinstance(expr, core.Union):
            return _Changed(left.out or right.out, left.into or right.into)
        first = self.places.of(expr.left)
        if isinstance(expr, core.Inter | core.Diff):
            second = self.places.of(expr.right) if isinstance(expr, core.Inter) else BOTH_WAYS
            return _Changed(
                (left.out and second.out) or (right.out and first.out),
                (left.into and second.into) or (right.into and first.into),
            )
        return _NOTHING  # sets stay as they are

    def _of_one(self, expr: Unary) -> _Changed:
        changed = self.of(expr.operand)
        if isinstance(expr, core.Inverse):
            return _Changed(changed.into, changed.out)
        if changed == _NOTHING or isinstance(expr, core.Complement | core.Opt):
            return changed
        if isinstance(expr, core.Plus | core.Star):
            place = self.places.of(expr.operand)
            if not (changed.out and place.into) and not (changed.into and place.out):
                return changed
        raise Tells  # a closure through initial writes, or sets that would be others
