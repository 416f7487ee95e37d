"""A model in which `po`, `int`, `ext` and `loc` may be given loosely.

They hold for nearly all pairs of a thread, or of all events. What they are between events that do
not happen does not matter to an execution, and costs no variables if they hold there as the code
has it: `po` between slots of a thread of which one can be reached from the other, and `loc` between
accesses of one constant address. All other base sets and relations have only events that happen.

The text of a model must then mean the same. Call a relation tight at its left (right) if its pairs
begin (end) with events that happen. What operators give, restricted to pairs of events that happen,
is what they give of operands so restricted, but for

- `a ; b`, where a middle may be an event that does not happen: unless `a` is tight at the right or
  `b` at the left;
- `domain(a)`, `range(a)`: unless `a` is tight at both ends;
- `a+`, `a*`: unless `a` is tight at one end. Or unless it is `po | b` with `b` tight at both ends:
  `po` is transitive, so that events of it that do not happen can be left out of a path;
- the tests: `empty a` unless `a` is tight at both ends; `irreflexive a` and `acyclic a` unless it
  is tight at one. Or, of `acyclic`, unless it is `po | b` as above, for `po` alone has no cycle.
  (Else `acyclic a` is made tight at both ends, which given_order.py asks for.)

There `loosened` writes `a ; [_] ; b`, and so on, which changes nothing about the meaning of the
text, and makes `a` tight: `_` has only events that happen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import assert_never

from hybrid.bmc.communication import without_closure
from hybrid.model import core
from hybrid.model.core import Kind

LOOSE = frozenset(("po", "int", "ext", "loc"))
Ends = tuple[bool, bool]  # whether it is tight at its left, and at its right
_TIGHT: Ends = (True, True)


@lru_cache(maxsize=32)
def loosened(model: core.Model, flags: bool) -> LooseModel:
    """A model that means the same where LOOSE are loose, with its axioms (and flags)."""
    axioms = tuple(axiom for axiom in model.axioms if flags or not axiom.flag)
    work = _Loosening(model)
    loose = work.run(axioms)
    return LooseModel(loose, _used(model, axioms), frozenset(work.tight))


@dataclass(frozen=True, slots=True)
class LooseModel:
    model: core.Model
    used: frozenset[str]  # the names of base relations and sets
    tight: frozenset[int]  # places of axioms `acyclic a` with an `a` that is tight at both ends


def _used(model: core.Model, axioms: tuple[core.Axiom, ...]) -> frozenset[str]:
    used: set[str] = set()
    seen: set[int] = set()
    todo = [axiom.expr for axiom in axioms]
    while todo:
        expr = todo.pop()
        if isinstance(expr, core.Ref):
            if expr.index not in seen:
                seen.add(expr.index)
                todo.append(model.definitions[expr.index].expr)
        elif isinstance(expr, core.Base):
            used.add(expr.name)
        todo += core.children(expr)
    return frozenset(used)


class _Loosening:
    def __init__(self, model: core.Model) -> None:
        self.model = model
        self.ends: dict[int, Ends] = {}  # of definitions
        self.tight: set[int] = set()  # places of axioms

    def run(self, axioms: tuple[core.Axiom, ...]) -> core.Model:
        model = self.model
        groups: dict[int | None, list[int]] = {}
        definitions = list(model.definitions)
        for index, definition in enumerate(model.definitions):
            groups.setdefault(definition.group, []).append(index)
        for index, definition in enumerate(model.definitions):
            if definition.group is not None:
                self._settle(groups[definition.group])
            expr, self.ends[index] = self.at(definition.expr)
            definitions[index] = replace(definition, expr=expr)
        tests = tuple(replace(axiom, expr=self._test(i, axiom)) for i, axiom in enumerate(axioms))
        return replace(model, definitions=tuple(definitions), axioms=tests)

    def _settle(self, members: list[int]) -> None:
        """What is tight of the definitions of a recursive group: what stays so, round by round, if
        it is taken for granted at first, as it is of empty relations."""
        if members[0] in self.ends:
            return
        self.ends.update(dict.fromkeys(members, _TIGHT))
        while True:
            found = {i: self.at(self.model.definitions[i].expr)[1] for i in members}
            kept = {i: _both(self.ends[i], found[i]) for i in members}
            if all(self.ends[i] == kept[i] for i in members):
                return
            self.ends.update(kept)

    # ---- expressions

    def at(self, expr: core.Expr) -> tuple[core.Expr, Ends]:
        """The expression as it is to be written, and how tight it then is."""
        if isinstance(expr, core.Base):
            return expr, (False, False) if expr.name in LOOSE else _TIGHT
        if isinstance(expr, core.Ref):
            return expr, self.ends[expr.index]
        if isinstance(expr, core.Empty):
            return expr, _TIGHT
        if isinstance(expr, core.Union | core.Inter | core.Diff):
            left, ours = self.at(expr.left)
            right, theirs = self.at(expr.right)
            written = replace(expr, left=left, right=right)
            if isinstance(expr, core.Union):
                return written, _both(ours, theirs)
            if isinstance(expr, core.Inter):
                return written, (ours[0] or theirs[0], ours[1] or theirs[1])
            return written, ours
        if isinstance(expr, core.Seq):
            return self._sequence(expr)
        if isinstance(expr, core.Plus | core.Star | core.Opt):
            return self._closure(expr)
        if isinstance(expr, core.Inverse):
            operand, ends = self.at(expr.operand)
            return replace(expr, operand=operand), (ends[1], ends[0])
        if isinstance(expr, core.Domain | core.Range):
            return replace(expr, operand=_within(*self.at(expr.operand))), _TIGHT
        if isinstance(expr, core.Product):
            left, right = self.at(expr.left)[0], self.at(expr.right)[0]
            return replace(expr, left=left, right=right), _TIGHT
        if isinstance(expr, core.Complement | core.Identity):
            return replace(expr, operand=self.at(expr.operand)[0]), _TIGHT
        assert_never(expr)

    def _sequence(self, expr: core.Seq) -> tuple[core.Expr, Ends]:
        left, ours = self.at(expr.left)
        right, theirs = self.at(expr.right)
        if not ours[1] and not theirs[0]:
            left = core.Seq(expr.span, left, _happening(expr))
        return replace(expr, left=left, right=right), (ours[0], theirs[1])

    def _closure(self, expr: core.Plus | core.Star | core.Opt) -> tuple[core.Expr, Ends]:
        if not isinstance(expr, core.Opt):
            union = without_closure(self.model, expr)
            if union is not expr:
                return self.at(union)
        operand, ends = self.at(expr.operand)
        if not isinstance(expr, core.Opt) and not any(ends) and not self._is_po_or_tight(expr):
            operand, ends = core.Seq(expr.span, _happening(expr), operand), (True, ends[1])
        return replace(expr, operand=operand), ends

    def _is_po_or_tight(self, expr: core.Expr) -> bool:
        """Whether it is the union, or the closure of the union, of `po` and of relations that are
        tight at both ends."""
        while isinstance(expr, core.Ref) and self.model.definitions[expr.index].group is None:
            expr = self.model.definitions[expr.index].expr
        if isinstance(expr, core.Union):
            return self._is_po_or_tight(expr.left) and self._is_po_or_tight(expr.right)
        if isinstance(expr, core.Plus | core.Star):
            return self._is_po_or_tight(expr.operand)
        if isinstance(expr, core.Base) and expr.name == "po":
            return True
        return self.at(expr)[1] == _TIGHT

    def _test(self, place: int, axiom: core.Axiom) -> core.Expr:
        expr, ends = self.at(axiom.expr)
        if axiom.test is core.Test.ACYCLIC:
            if not any(ends) and self._is_po_or_tight(axiom.expr):
                return expr
            if not axiom.negated:
                self.tight.add(place)
            return _within(expr, ends)
        if axiom.test is core.Test.EMPTY:
            return _within(expr, ends)
        if any(ends):
            return expr
        if isinstance(expr, core.Seq):  # of which only loops are made
            left = core.Seq(expr.span, _happening(axiom), expr.left)
            return replace(expr, left=left)
        return core.Seq(axiom.span, _happening(axiom), expr)


def _both(ours: Ends, theirs: Ends) -> Ends:
    return (ours[0] and theirs[0], ours[1] and theirs[1])


def _happening(at: core.Expr | core.Axiom) -> core.Expr:
    """`[_]`"""
    return core.Identity(at.span, core.Base(at.span, Kind.SET, "_"))


def _within(expr: core.Expr, ends: Ends) -> core.Expr:
    """The part of a relation that is between events that happen."""
    if not ends[0]:
        expr = core.Seq(expr.span, _happening(expr), expr)
    if not ends[1]:
        expr = core.Seq(expr.span, expr, _happening(expr))
    return expr
