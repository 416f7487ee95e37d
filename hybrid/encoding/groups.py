"""Recursive groups of definitions: their maps grow until nothing is added, then get their clauses.

A group that must be exact has, besides, a reason for every pair that is there, and these reasons
form no circle (F. Lin and J. Zhao, "ASSAT", AIJ 2004, on answer sets), so that no pair justifies
itself.
"""

from __future__ import annotations

from collections.abc import Hashable

from hybrid.encoding.alternatives import Alternatives, Map, alternatives_of, by_start, join, merge
from hybrid.encoding.base_maps import BaseMaps
from hybrid.encoding.clauses import TRUE
from hybrid.encoding.derivations import Derivations, Need
from hybrid.encoding.folding import Name, imply
from hybrid.encoding.logic import Logic
from hybrid.model import core


class _GroupAtWork:
    """A recursive group whose maps grow, with the closures in it."""

    def __init__(self, members: set[int], need: Need) -> None:
        self.members = members
        self.need = need
        self.closures: dict[core.Expr, Map] = {}
        self.heads: set[int] = set()
        self.within: dict[core.Expr, bool] = {}  # whether an expression leads into the group
        self.grown = False


class RecursiveGroups(Derivations):
    def __init__(self, model: core.Model, logic: Logic, base: BaseMaps) -> None:
        super().__init__(model, logic, base)
        self.members: dict[int, set[int]] = {}  # indices of definitions by number of the group
        for index, definition in enumerate(model.definitions):
            if definition.group is not None:
                self.members.setdefault(definition.group, set()).add(index)
        self._group: _GroupAtWork | None = None

    def encode_group(self, number: int) -> None:
        members = self.members[number]
        for index in sorted(members):  # groups that this one builds on come first
            self._encode_below(self.model.definitions[index].expr, members)
        outer = self._group
        need = Need.WHERE
        for index in members:
            need |= self.needs.get(index, Need.WHERE)
        group = self._group = _GroupAtWork(members, need)
        for index in members:
            self.definitions[index] = {}
        while True:
            group.grown = False
            derived = self._ways(group, number)
            for found, name, ways in derived:
                self._grow(found, name, ways, group)
            if not group.grown:
                break
        for found, _, ways in derived:
            imply(self.logic, found, ways)
        if group.need.only:
            self._justify([(found, ways) for found, _, ways in derived], group, number)
        self._group = outer

    def _ways(self, group: _GroupAtWork, number: int) -> list[tuple[Map, Name, Alternatives]]:
        """How the pairs of each definition and closure are derived from the maps as they are."""
        found: list[tuple[Map, Name, Alternatives]] = []
        for index in sorted(group.members):
            body = self.derive(self.model.definitions[index].expr, group.need, inside=True)
            found.append((self.definitions[index], self.name(index), body))
        for expr, closure in list(group.closures.items()):
            ways = self._closure_ways(expr, closure, group)
            found.append((closure, ("closure", number, expr), ways))
        return found

    def _closure_ways(self, expr: core.Expr, closure: Map, group: _GroupAtWork) -> Alternatives:
        """Of a closure over members of the group: an edge, or a path and an edge."""
        assert isinstance(expr, core.Plus | core.Star)
        edges = self.part(expr.operand, group.need, True)
        ways: Alternatives = {}
        merge(ways, edges)
        join(alternatives_of(closure), by_start(edges), ways)
        return ways

    def _grow(
        self, found: Map, name: Name, alternatives: Alternatives, group: _GroupAtWork
    ) -> None:
        for key, ways in alternatives.items():
            if () in ways:
                if found.get(key) != TRUE:
                    found[key] = TRUE
                    group.grown = True
            elif key not in found:
                found[key] = self.logic.variable((*name, key))
                group.heads.add(found[key])
                group.grown = True

    def _justify(
        self, derived: list[tuple[Map, Alternatives]], group: _GroupAtWork, number: int
    ) -> None:
        """What is there was derived, by premises that came before it."""
        edges: dict[tuple[Hashable, Hashable], int] = {}
        for found, alternatives in derived:
            for key, ways in alternatives.items():
                head = found[key]
                if head != TRUE:
                    reasons = self._reasons(head, list(ways), group, edges)
                    self.logic.add((-head, *reasons))
        self.logic.acyclic(edges, ("group", number))

    def _reasons(
        self,
        head: int,
        ways: list[tuple[int, ...]],
        group: _GroupAtWork,
        edges: dict[tuple[Hashable, Hashable], int],
    ) -> list[int]:
        """One literal for each way to derive `head`, which implies its premises; `edges` gets what
        comes before it within the group."""
        logic = self.logic
        reasons: list[int] = []
        for way, premises in enumerate(ways):
            if head in premises:
                continue
            inside = [x for x in premises if x in group.heads]
            if len(premises) == 1 and not inside:
                reasons.append(premises[0])
                continue
            reason = logic.variable(("reason", head, way))
            reasons.append(reason)
            for x in premises:
                logic.add((-reason, x))
            for x in inside:
                edge = edges.setdefault((x, head), logic.variable(("by", x, head)))
                logic.add((-reason, edge))
        return reasons

    def _encode_below(self, expr: core.Expr, members: set[int]) -> None:
        """Encodes what stands below a group, so that none is at work when another one is begun."""
        if isinstance(expr, core.Ref):
            if expr.index not in members:
                self.literals(expr, self.needs.get(expr.index, Need.WHERE))
            return
        for child in core.children(expr):
            self._encode_below(child, members)

    # ---- what operators ask of the group at work

    def leads_inside(self, expr: core.Expr) -> bool:
        group = self._group
        if group is None:
            return False
        known = group.within.get(expr)
        if known is None:
            if isinstance(expr, core.Ref):
                known = expr.index in group.members
            else:
                known = any(self.leads_inside(child) for child in core.children(expr))
            group.within[expr] = known
        return known

    def growing_closure(self, expr: core.Plus | core.Star) -> Alternatives:
        group = self._group
        assert group is not None
        if expr not in group.closures:
            group.closures[expr] = {}
            group.grown = True
        return alternatives_of(group.closures[expr])
