"""How the members and pairs of an expression are derived from those of its operands: one method for
each operator of the models."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from enum import IntFlag
from typing import assert_never

from hybrid.encoding.alternatives import (
    Alternatives,
    Map,
    add,
    alternatives_of,
    by_start,
    join,
    merge,
    unless,
)
from hybrid.encoding.base_maps import BaseMaps
from hybrid.encoding.clauses import FALSE, TRUE
from hybrid.encoding.compose import compose
from hybrid.encoding.folding import Name, certain_paths, exact_closure, fold
from hybrid.encoding.implied_closure import implied_closure
from hybrid.encoding.logic import Logic
from hybrid.model import core


class Need(IntFlag):
    """What must be so of the literals of an expression."""

    WHERE = 1  # they are true where the expression holds
    ONLY_WHERE = 2  # they are true nowhere else
    EXACTLY = 3

    @property
    def only(self) -> bool:
        return bool(self & Need.ONLY_WHERE)

    @property
    def negated(self) -> Need:
        """The same of what is taken away."""
        if self == Need.EXACTLY:
            return self
        return Need.WHERE if self == Need.ONLY_WHERE else Need.ONLY_WHERE


class Derivations(ABC):
    """`need` in what follows: what must be so of the literals; the rest may be so as well.
    `inside`: the expression may lead into the recursive group that is at work, whose maps still
    grow."""

    def __init__(self, model: core.Model, logic: Logic, base: BaseMaps) -> None:
        self.model = model
        self.logic = logic
        self.base = base
        self.definitions: dict[int, Map] = {}
        self.needs: dict[int, Need] = {}  # of definitions
        self._maps: dict[tuple[core.Expr, Need], Map] = {}
        self._made = 0

    # ---- recursive groups: groups.py

    @abstractmethod
    def encode_group(self, number: int) -> None:
        """Makes the maps of the definitions of a recursive group."""

    @abstractmethod
    def leads_inside(self, expr: core.Expr) -> bool:
        """Whether the expression depends on the group at work."""

    @abstractmethod
    def growing_closure(self, expr: core.Plus | core.Star) -> Alternatives:
        """The closure of an expression of the group at work."""

    # ---- maps

    def literals(self, expr: core.Expr, need: Need) -> Map:
        """What an expression, not of the group at work, holds."""
        if isinstance(expr, core.Ref):
            return self._definition(expr.index)
        key = (expr, need)
        found = self._maps.get(key)
        if found is None:
            if isinstance(expr, core.Base):
                found = self.base.of(expr)
            elif isinstance(expr, core.Plus):
                found = self._closed(self.literals(expr.operand, need), need)
            else:
                ways = self.derive(expr, need)
                found = fold(self.logic, ways, need.only, self._new_name())
            self._maps[key] = found
        return found

    def _definition(self, index: int) -> Map:
        if index not in self.definitions:
            definition = self.model.definitions[index]
            if definition.group is None:
                need = self.needs.get(index, Need.WHERE)
                ways = self.derive(definition.expr, need)
                self.definitions[index] = fold(self.logic, ways, need.only, self.name(index))
            else:
                self.encode_group(definition.group)
        return self.definitions[index]

    def name(self, index: int) -> Name:
        name = self.model.definitions[index].name
        others = self.model.definitions[:index]
        return ("def", name, index) if any(d.name == name for d in others) else ("def", name)

    def _new_name(self) -> tuple[Hashable, ...]:
        self._made += 1
        return ("part", self._made)

    def _closed(self, edges: Map, need: Need) -> Map:
        if all(x == TRUE for x in edges.values()):
            return certain_paths(edges)
        if need.only:
            return exact_closure(self.logic, edges)
        return implied_closure(self.logic, edges, self._new_name())

    # ---- operators

    def part(self, expr: core.Expr, need: Need, inside: bool) -> Alternatives:
        """The ways of an operand: by its literals, or derived again where these still grow."""
        if inside and self.leads_inside(expr):
            if isinstance(expr, core.Ref):
                return alternatives_of(self.definitions[expr.index])
            return self.derive(expr, need, inside=True)
        return alternatives_of(self.literals(expr, need))

    def derive(
        self, expr: core.Expr, need: Need, inside: bool = False, loops: bool = False
    ) -> Alternatives:
        """How the members or pairs of an expression are derived from its operands; with `loops`,
        only loops are needed."""
        if isinstance(expr, core.Base | core.Ref):
            return self.part(expr, need, inside)
        if isinstance(expr, core.Empty):
            return {}
        if isinstance(expr, core.Union):
            return self._union(expr, need, inside, loops)
        if isinstance(expr, core.Inter):
            return self._intersection(expr, need, inside)
        if isinstance(expr, core.Diff):
            return self._difference(expr, need, inside)
        if isinstance(expr, core.Complement):
            return self._complement(expr, need)
        if isinstance(expr, core.Seq):
            return self._sequence(expr, need, inside, loops)
        if isinstance(expr, core.Inverse):
            return self._inverse(expr, need, inside)
        if isinstance(expr, core.Plus | core.Star):
            return self._closure(expr, need, inside)
        if isinstance(expr, core.Opt):
            return self._optional(expr, need, inside)
        if isinstance(expr, core.Product):
            return self._product(expr, need, inside)
        if isinstance(expr, core.Identity):
            return self._identity_on(expr, need, inside)
        if isinstance(expr, core.Domain | core.Range):
            return self._ends(expr, need, inside)
        assert_never(expr)

    def _union(self, expr: core.Union, need: Need, inside: bool, loops: bool) -> Alternatives:
        found: Alternatives = {}
        for side in (expr.left, expr.right):
            if isinstance(side, core.Union):
                merge(found, self.derive(side, need, inside, loops))
            else:
                merge(found, self.part(side, need, inside))
        return found

    def _intersection(self, expr: core.Inter, need: Need, inside: bool) -> Alternatives:
        left, right = expr.left, expr.right
        if isinstance(left, core.Seq):
            left, right = right, left
        first = self.part(left, need, inside)
        second: Alternatives = {}
        if isinstance(right, core.Seq) and (right, need) not in self._maps and first:
            # Only those pairs of the composition are needed that the other side has.
            before = self.part(right.left, need, inside)
            ahead = by_start(self.part(right.right, need, inside))
            join(before, ahead, second, only=first)
        elif first:
            second = self.part(right, need, inside)
        found: Alternatives = {}
        for key, ways in first.items():
            if key in second:
                add(found, key, ways, second[key])
        return found

    def _difference(self, expr: core.Diff, need: Need, inside: bool) -> Alternatives:
        kept = self.part(expr.left, need, inside)
        removed = self.literals(expr.right, need.negated) if kept else {}
        found: Alternatives = {}
        for key, ways in kept.items():
            add(found, key, ways, unless(removed.get(key, FALSE)))
        return found

    def _complement(self, expr: core.Complement, need: Need) -> Alternatives:
        removed = self.literals(expr.operand, need.negated)
        present = alternatives_of(self.base.set_of("_"))
        found: Alternatives = {}
        if expr.kind is core.Kind.SET:
            for a, ways in present.items():
                add(found, a, ways, unless(removed.get(a, FALSE)))
            return found
        for a, first in present.items():
            for b, second in present.items():
                both: Alternatives = {}
                add(both, 0, first, second)
                add(found, (a, b), both.get(0, {}), unless(removed.get((a, b), FALSE)))
        return found

    def _sequence(self, expr: core.Seq, need: Need, inside: bool, loops: bool) -> Alternatives:
        if not (inside or loops or need.only):
            found = self._along_order(expr, need)
            if found is not None:
                return found
        left = self.part(expr.left, need, inside)
        ahead = by_start(self.part(expr.right, need, inside))
        found = {}
        join(left, ahead, found, loops=loops)
        return found

    def _along_order(self, expr: core.Seq, need: Need) -> Alternatives | None:
        """The same by fewer ways, where that is worth it."""
        left, middles = expr.left, None
        if isinstance(left, core.Seq) and isinstance(left.right, core.Identity):
            middles = self.part(left.right.operand, need, False)
            left = left.left
        before, after = self.part(left, need, False), self.part(expr.right, need, False)
        return compose(self.logic, before, middles, after, self.base.order, self._new_name())

    def _inverse(self, expr: core.Inverse, need: Need, inside: bool) -> Alternatives:
        operand = self.part(expr.operand, need, inside)
        return {(key[1], key[0]): ways for key, ways in operand.items()}

    def _closure(self, expr: core.Plus | core.Star, need: Need, inside: bool) -> Alternatives:
        found: Alternatives = {}
        if inside:
            merge(found, self.growing_closure(expr))
        else:
            plus = core.Plus(expr.span, expr.operand)
            merge(found, alternatives_of(self.literals(plus, need)))
        if isinstance(expr, core.Star):
            merge(found, alternatives_of(self.base.identity()))
        return found

    def _optional(self, expr: core.Opt, need: Need, inside: bool) -> Alternatives:
        found: Alternatives = {}
        merge(found, self.part(expr.operand, need, inside))
        merge(found, alternatives_of(self.base.identity()))
        return found

    def _product(self, expr: core.Product, need: Need, inside: bool) -> Alternatives:
        right = self.part(expr.right, need, inside)
        found: Alternatives = {}
        for a, first in self.part(expr.left, need, inside).items():
            for b, second in right.items():
                add(found, (a, b), first, second)
        return found

    def _identity_on(self, expr: core.Identity, need: Need, inside: bool) -> Alternatives:
        operand = self.part(expr.operand, need, inside)
        return {(a, a): ways for a, ways in operand.items()}

    def _ends(self, expr: core.Domain | core.Range, need: Need, inside: bool) -> Alternatives:
        which = 0 if isinstance(expr, core.Domain) else 1
        found: Alternatives = {}
        for key, ways in self.part(expr.operand, need, inside).items():
            found.setdefault(key[which], {}).update(ways)
        return found
