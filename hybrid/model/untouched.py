"""Whether a model can tell that there are initial writes of locations that no access touches.

Such a write, here u, is in no po, rf, co or dependency, and at the same location as itself alone.
Most models therefore say the same with it and without. One that tells speaks of it alone (`~empty
[IW]`), or relates it to other events, by a product of sets (`IW * R`), by `int`, `ext` or a
complement, in a way that leads back to it or through it. (RC11 puts all initial writes before
everything else: no way leads back, so it cannot tell.)

What relates other events to each other must never depend on u: a composition, a closure, a domain
or a range that could lead through u counts as telling. The answer may be that a model tells where
in truth it cannot, never the other way round.
"""

from __future__ import annotations

from typing import Final

from hybrid.model import core
from hybrid.model.core import Test
from hybrid.model.places import (
    BOTH_WAYS,
    INSIDE,
    OUTSIDE,
    Binary,
    Places,
    Tells,
    Unary,
    Whereabouts,
)

_PLACES: Final = {
    **dict.fromkeys(
        ("po", "rf", "co", "addr", "data", "ctrl", "pick", "amo", "lxsx", "rmw"), OUTSIDE
    ),
    **dict.fromkeys(("id", "loc", "FW"), INSIDE),
    "int": BOTH_WAYS,  # the initial writes count as one thread
    "ext": Whereabouts(False, False, True, True),
}


def ignores_untouched(model: core.Model) -> bool:
    """Whether axioms, flags and annotations say the same with and without such initial writes."""
    try:
        places = _Untouched(model.definitions, _PLACES)
        for axiom in model.axioms:
            place = places.of(axiom.expr)
            if place.may or _matters(axiom.test, place):
                return False
        for expr in (model.commit_before, model.forward, model.look_ahead):
            if expr is not None:
                places.of(expr)
    except Tells:
        return False
    return True


class _Untouched(Places):
    def of_two(self, expr: Binary, left: Whereabouts, right: Whereabouts) -> Whereabouts:
        if isinstance(expr, core.Seq) and left.into and right.out:
            raise Tells
        return super().of_two(expr, left, right)

    def of_one(self, expr: Unary, operand: Whereabouts) -> Whereabouts:
        out, into = operand.out, operand.into
        if (
            (isinstance(expr, core.Plus | core.Star) and out and into)
            or (isinstance(expr, core.Domain) and into)
            or (isinstance(expr, core.Range) and out)
        ):
            raise Tells
        return super().of_one(expr, operand)


def _matters(test: Test, place: Whereabouts) -> bool:
    """Whether the answer may depend on the pairs of u and other events."""
    if test is Test.EMPTY:
        return place.out or place.into
    return test is Test.ACYCLIC and place.out and place.into
