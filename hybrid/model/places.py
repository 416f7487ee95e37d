"""Where an initial write can be in the sets and relations of a model.

For each set and relation it is worked out whether the write, here u, is in it (a relation: related
to itself), surely, perhaps or not, and whether a relation may lead from u to other events, or from
them to u. `perhaps` and `may` can be too much, never too little.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, assert_never

from hybrid.model import core
from hybrid.model.core import Kind

Binary = core.Union | core.Inter | core.Diff | core.Seq | core.Product
Unary = (
    core.Complement
    | core.Inverse
    | core.Plus
    | core.Star
    | core.Opt
    | core.Identity
    | core.Domain
    | core.Range
)


class Whereabouts(NamedTuple):
    """Where u is in a set or relation."""

    may: bool  # it may be in the set, or related to itself
    must: bool  # it surely is
    out: bool = False  # it may be related to other events …
    into: bool = False  # … and other events to it


OUTSIDE: Final = Whereabouts(False, False)
INSIDE: Final = Whereabouts(True, True)
FROM_IT: Final = Whereabouts(False, False, out=True)
BOTH_WAYS: Final = Whereabouts(True, True, True, True)

_SETS_WITH: Final = frozenset(("_", "W", "M", "IW"))


class Tells(Exception):
    """The model may tell a difference."""


class Places:
    """`bases` has the place of u in base relations; those of which it says nothing are not known
    and raise `Tells`; and in FW."""

    def __init__(
        self, definitions: Sequence[core.Definition], bases: Mapping[str, Whereabouts]
    ) -> None:
        self._definitions = definitions
        self._bases = bases
        self._known: dict[int, Whereabouts] = {}  # by index of a definition

    def of(self, expr: core.Expr) -> Whereabouts:
        if isinstance(expr, core.Ref):
            return self._reference(expr.index)
        if isinstance(expr, core.Base):
            return self._base(expr)
        if isinstance(expr, core.Empty):
            return OUTSIDE
        if isinstance(expr, core.Union | core.Inter | core.Diff | core.Seq | core.Product):
            if is_from_read(expr):
                return OUTSIDE  # nothing is co-before an initial write, and it reads nothing
            return self.of_two(expr, self.of(expr.left), self.of(expr.right))
        return self.of_one(expr, self.of(expr.operand))

    def _reference(self, index: int) -> Whereabouts:
        if index not in self._known:
            members = group_of(self._definitions, index)
            self._known.update(dict.fromkeys(members, OUTSIDE))
            while True:  # the least fixpoint; a definition that is not recursive is there at once
                found = {i: self.of(self._definitions[i].expr) for i in members}
                if all(self._known[i] == place for i, place in found.items()):
                    break
                self._known.update(found)
        return self._known[index]

    def _base(self, base: core.Base) -> Whereabouts:
        if base.name in self._bases:
            return self._bases[base.name]
        if base.kind is Kind.RELATION:
            raise Tells
        # others are sets of loads, of fences, of branches, or tags
        return INSIDE if base.name in _SETS_WITH else OUTSIDE

    def of_two(self, expr: Binary, left: Whereabouts, right: Whereabouts) -> Whereabouts:
        both = Whereabouts(
            left.may and right.may,
            left.must and right.must,
            left.out and right.out,
            left.into and right.into,
        )
        if isinstance(expr, core.Inter):
            return both
        if isinstance(expr, core.Union):
            return Whereabouts(
                left.may or right.may,
                left.must or right.must,
                left.out or right.out,
                left.into or right.into,
            )
        if isinstance(expr, core.Diff):
            may, must = left.may and not right.must, left.must and not right.may
            return Whereabouts(may, must, left.out, left.into)
        if isinstance(expr, core.Seq):
            return Whereabouts(
                both.may or (left.out and right.into),
                both.must,
                left.out or (left.may and right.out),
                right.into or (right.may and left.into),
            )
        if isinstance(expr, core.Product):
            return Whereabouts(both.may, both.must, left.may, right.may)
        assert_never(expr)

    def of_one(self, expr: Unary, operand: Whereabouts) -> Whereabouts:
        may, must, out, into = operand
        if isinstance(expr, core.Complement):
            pairs = expr.kind is Kind.RELATION
            return Whereabouts(not must, not may, pairs, pairs)
        if isinstance(expr, core.Identity):
            return operand
        if isinstance(expr, core.Inverse):
            return Whereabouts(may, must, into, out)
        if isinstance(expr, core.Opt | core.Star):
            return Whereabouts(True, True, out, into)
        if isinstance(expr, core.Plus):
            return Whereabouts(may or (out and into), must, out, into)
        if isinstance(expr, core.Domain):
            return Whereabouts(may or out, must)
        if isinstance(expr, core.Range):
            return Whereabouts(may or into, must)
        assert_never(expr)


def group_of(definitions: Sequence[core.Definition], index: int) -> list[int]:
    """The definitions that are made together with this one: those of its recursive group."""
    group = definitions[index].group
    if group is None:
        return [index]
    return [i for i, definition in enumerate(definitions) if definition.group == group]


def is_from_read(expr: core.Expr) -> bool:
    """Whether the expression is `rf^-1 ; co`, which executions keep as fr."""
    return (
        isinstance(expr, core.Seq)
        and isinstance(expr.left, core.Inverse)
        and isinstance(expr.left.operand, core.Base)
        and expr.left.operand.name == "rf"
        and isinstance(expr.right, core.Base)
        and expr.right.name == "co"
    )
