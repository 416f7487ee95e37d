"""A memory model as constraints: `encode_model` turns every definition into a sparse map from
members or pairs to literals.

A definition that is only used where more of it can do no good (in axioms, by monotone operators) is
encoded in one direction: what derives a pair implies its literal (D. Plaisted and S. Greenbaum, "A
structure-preserving clause form translation", 1986). The others, which stand under a difference, a
complement, a flag or a negated axiom, are exact. A recursive group that must be exact has, besides,
a reason for every pair that is there, and these reasons form no circle (F. Lin and J. Zhao,
"ASSAT", AIJ 2004, on answer sets), so that no pair justifies itself.

Keys of maps: an event for a set, a pair for a relation. What is true whatever the solution costs no
clause.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hybrid.encoding.alternatives import (
    Alternatives,
    Item,
    Map,
    add,
    alternatives_of,
    by_start,
    is_loop,
    join,
    merge,
    reach,
    unless,
)
from hybrid.encoding.clauses import FALSE, TRUE
from hybrid.encoding.logic import Logic
from hybrid.errors import InternalError
from hybrid.model import core

Event = Any  # whatever names an event; hashable

_REQUIRED = frozenset(
    {"po", "rf", "co", "loc", "int", "ext", "addr", "data", "ctrl", "pick", "amo", "lxsx"}
)


@dataclass(frozen=True, slots=True)
class EncodedModel:
    axioms: Mapping[str, int]  # name -> activation literal: assume it, and the axiom holds
    flags: Mapping[str, int]  # name -> literal: whether the flag is raised
    definitions: Mapping[int, Mapping[Item, int]]  # those in use, by index in Model.definitions
    exact: frozenset[
        int
        # definitions whose literals are true exactly where they hold; others may be true elsewhere too
    ]


def encode_model(
    model: core.Model,
    logic: Logic,
    events: Sequence[Event],
    sets: Mapping[str, Mapping[Event, int]],
    relations: Mapping[str, Mapping[tuple[Event, Event], int]],
    flags: bool = True,
) -> EncodedModel:
    """The model's constraints over the base sets and relations given, in which absent members and
    pairs are false.

    `relations` has all base relations of core.py but for `id` and `rmw`, which are made here when
    they are missing, as are the sets `_` (all events), `M`, `RMW` and `FW`; other sets that are
    missing are empty. An axiom holds when its activation literal is assumed. Without `flags` these
    are left out.
    """
    encoder = _Encoder(model, logic, events, sets, relations)
    wanted = [axiom for axiom in model.axioms if flags or not axiom.flag]
    for axiom in wanted:
        encoder.require(axiom.expr, axiom.flag or axiom.negated)
    axioms: dict[str, int] = {}
    raised: dict[str, int] = {}
    for axiom in wanted:
        if axiom.flag:
            raised[axiom.name] = encoder.truth(axiom)
        else:
            axioms[axiom.name] = encoder.axiom(axiom)
    return EncodedModel(axioms, raised, encoder.definitions, frozenset(encoder.exact))


class _Group:
    """A recursive group at work, or a closure in it: maps that grow until nothing is added, then
    get their clauses."""

    def __init__(self, members: set[int], exact: bool) -> None:
        self.members = members
        self.exact = exact
        self.closures: dict[core.Expr, Map] = {}
        self.heads: set[int] = set()
        self.grown = False


class _Encoder:
    def __init__(
        self,
        model: core.Model,
        logic: Logic,
        events: Sequence[Event],
        sets: Mapping[str, Mapping[Event, int]],
        relations: Mapping[str, Mapping[tuple[Event, Event], int]],
    ) -> None:
        self.model = model
        self.logic = logic
        self.events = events
        self.sets = sets
        self.relations = relations
        self.definitions: dict[int, Map] = {}
        self.exact: set[int] = set()  # definitions that must be
        self._seen: set[tuple[int, bool]] = set()
        self._maps: dict[tuple[core.Expr, bool], Map] = {}
        self._members: dict[int, set[int]] = {}  # of recursive groups
        for index, definition in enumerate(model.definitions):
            if definition.group is not None:
                self._members.setdefault(definition.group, set()).add(index)
        self._group: _Group | None = None  # at work
        self._within: dict[core.Expr, bool] = {}  # whether an expression leads into that group
        self._made = 0

    # ---- what must be exact

    def require(self, expr: core.Expr, exact: bool) -> None:
        todo = [(expr, exact)]
        while todo:
            at, exact = todo.pop()
            if isinstance(at, core.Ref):
                group = self.model.definitions[at.index].group
                for index in {at.index} if group is None else self._members[group]:
                    if exact:
                        self.exact.add(index)
                    if (index, exact) not in self._seen:
                        self._seen.add((index, exact))
                        todo.append((self.model.definitions[index].expr, exact))
            elif isinstance(at, core.Diff):
                todo += [(at.left, exact), (at.right, True)]
            elif isinstance(at, core.Complement):
                todo.append((at.operand, True))
            elif isinstance(at, core.Base) and at.name == "FW":
                continue
            else:
                todo += [(child, exact) for child in core.children(at)]

    # ---- axioms

    def axiom(self, axiom: core.Axiom) -> int:
        logic = self.logic
        active = logic.variable(("axiom", axiom.name))
        if axiom.negated:
            logic.add((-active, self.truth(axiom)))
            return active
        expr, test = axiom.expr, axiom.test
        expr, test = self._without_closure(expr, test)
        if test is core.Test.ACYCLIC:
            edges: dict[tuple[Hashable, Hashable], int] = self.literals(expr, False)
            logic.acyclic(edges, ("axiom", axiom.name), active)
            return active
        loops = test is core.Test.IRREFLEXIVE
        for key, ways in self._derive(self._resolved(expr), False, loops=loops).items():
            if not loops or is_loop(key):
                for premises in ways:
                    logic.add((-active, *[-x for x in premises]))
        return active

    def truth(self, axiom: core.Axiom) -> int:
        """A literal that is true exactly when the axiom or flag, its negation included, holds."""
        expr, test = self._without_closure(axiom.expr, axiom.test)
        if test is core.Test.ACYCLIC:
            expr = core.Plus(expr.span, expr)
        found = self.literals(expr, True)
        broken = self.logic.disjunction(
            [x for key, x in found.items() if test is core.Test.EMPTY or is_loop(key)]
        )
        return broken if axiom.negated else -broken

    def _without_closure(self, expr: core.Expr, test: core.Test) -> tuple[core.Expr, core.Test]:
        """`acyclic r+` and `irreflexive r+` are `acyclic r`."""
        bare = self._resolved(expr)
        if test is not core.Test.EMPTY and isinstance(bare, core.Plus):
            return self._without_closure(bare.operand, core.Test.ACYCLIC)
        return expr, test

    def _resolved(self, expr: core.Expr) -> core.Expr:
        """The expression behind names that are not recursive."""
        while isinstance(expr, core.Ref) and self.model.definitions[expr.index].group is None:
            if expr.index in self.definitions:
                return expr
            expr = self.model.definitions[expr.index].expr
        return expr

    # ---- maps

    def literals(self, expr: core.Expr, exact: bool) -> Map:
        """What an expression, not of the group at work, holds."""
        if isinstance(expr, core.Ref):
            index = expr.index
            if index not in self.definitions:
                definition = self.model.definitions[index]
                if definition.group is None:
                    inner = definition.expr
                    ways = self._derive(inner, index in self.exact)
                    self.definitions[index] = self._fold(
                        ways, index in self.exact, self._name(index)
                    )
                else:
                    self._encode_group(definition.group)
            return self.definitions[index]
        key = (expr, exact)
        found = self._maps.get(key)
        if found is None:
            if isinstance(expr, core.Base):
                found = self._base(expr)
            elif isinstance(expr, core.Plus):
                found = self._closure(self.literals(expr.operand, exact), exact)
            else:
                found = self._fold(self._derive(expr, exact), exact, self._new_name())
            self._maps[key] = found
        return found

    def _name(self, index: int) -> tuple[Hashable, ...]:
        name = self.model.definitions[index].name
        others = self.model.definitions[:index]
        return ("def", name, index) if any(d.name == name for d in others) else ("def", name)

    def _new_name(self) -> tuple[Hashable, ...]:
        self._made += 1
        return ("part", self._made)

    def _fold(self, alternatives: Alternatives, exact: bool, name: tuple[Hashable, ...]) -> Map:
        """One literal a key, in place of its alternatives."""
        logic = self.logic
        found: Map = {}
        for key, ways in alternatives.items():
            if () in ways:
                found[key] = TRUE
            elif exact:
                found[key] = logic.disjunction([logic.conjunction(p) for p in ways])
            elif len(ways) == 1 and len(first := next(iter(ways))) == 1:
                found[key] = first[0]
            else:
                head = found[key] = logic.variable((*name, key))
                for premises in ways:
                    logic.add((*[-x for x in premises], head))
        return found

    def _closure(self, edges: Map, exact: bool) -> Map:
        """The transitive closure: by steps of one edge, or, exactly, by doubling the length of
        paths."""
        certain = {key for key, x in edges.items() if x == TRUE}
        reach(certain)
        if all(x == TRUE for x in edges.values()):
            return dict.fromkeys(certain, TRUE)
        if exact:
            paths = {**edges, **dict.fromkeys(certain, TRUE)}
            nodes = {node for key in edges for node in key}
            for _ in range((len(nodes) - 1).bit_length() if nodes else 0):
                ways = alternatives_of(paths)
                join(alternatives_of(paths), by_start(alternatives_of(paths)), ways)
                paths = self._fold(ways, True, ())
            return paths
        closure: Map = {}
        ways = {}
        ahead = by_start(alternatives_of(edges))
        closure.update(dict.fromkeys(certain, TRUE))
        name = self._new_name()
        todo = list(edges)
        reached = set(todo)
        while todo:
            key = todo.pop()
            start, middle = key
            if key not in closure:
                closure[key] = self.logic.variable((*name, key))
            for end, _ in ahead.get(middle, ()):
                if (start, end) not in reached:
                    reached.add((start, end))
                    todo.append((start, end))
        merge(ways, alternatives_of(edges))
        join(alternatives_of(closure), ahead, ways)
        self._imply(closure, ways)
        return closure

    # ---- recursive groups

    def _encode_group(self, number: int) -> None:
        members = self._members[number]
        for index in sorted(members):  # groups that this one builds on come first
            self._visit_below(self.model.definitions[index].expr, members)
        outer, outer_within = self._group, self._within
        group = self._group = _Group(members, bool(members & self.exact))
        self._within = {}
        for index in members:
            self.definitions[index] = {}
        while True:
            group.grown = False
            bodies = {
                index: self._derive(self.model.definitions[index].expr, group.exact, inside=True)
                for index in sorted(members)
            }
            closures = {expr: self._closure_ways(expr, group) for expr in list(group.closures)}
            for index in sorted(members):
                self._grow(self.definitions[index], bodies[index], self._name(index), group)
            for expr, ways in closures.items():
                self._grow(group.closures[expr], ways, ("closure", number, expr), group)
            if not group.grown:
                break
        derived = [(self.definitions[index], bodies[index]) for index in sorted(members)]
        derived += [(group.closures[expr], ways) for expr, ways in closures.items()]
        for found, ways in derived:
            self._imply(found, ways)
        if group.exact:
            self._justify(derived, number)
        self._group, self._within = outer, outer_within

    def _visit_below(self, expr: core.Expr, members: set[int]) -> None:
        """Encodes what stands below a group, so that none is at work when another one is begun."""
        if isinstance(expr, core.Ref):
            if expr.index not in members:
                self.literals(expr, expr.index in self.exact)
            return
        for child in core.children(expr):
            self._visit_below(child, members)

    def _grow(
        self, found: Map, alternatives: Alternatives, name: tuple[Hashable, ...], group: _Group
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

    def _imply(self, found: Map, alternatives: Alternatives) -> None:
        add = self.logic.add
        for key, ways in alternatives.items():
            head = found[key]
            if head != TRUE:
                for premises in ways:
                    if head not in premises:
                        add((*[-x for x in premises], head))

    def _justify(self, derived: list[tuple[Map, Alternatives]], number: int) -> None:
        """What is there was derived, by premises that came before it."""
        logic, group = self.logic, self._group
        assert group is not None
        edges: dict[tuple[Hashable, Hashable], int] = {}
        for found, alternatives in derived:
            for key, ways in alternatives.items():
                head = found[key]
                if head == TRUE:
                    continue
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
                logic.add((-head, *reasons))
        logic.acyclic(edges, ("group", number))

    def _leads_inside(self, expr: core.Expr) -> bool:
        known = self._within.get(expr)
        if known is None:
            if isinstance(expr, core.Ref):
                known = self._group is not None and expr.index in self._group.members
            else:
                known = any(self._leads_inside(child) for child in core.children(expr))
            self._within[expr] = known
        return known

    def _closure_ways(self, expr: core.Expr, group: _Group) -> Alternatives:
        """Of a closure over members of the group: an edge, or a path and an edge."""
        assert isinstance(expr, core.Plus | core.Star)
        edges = self._part(expr.operand, group.exact, True)
        ways: Alternatives = {}
        merge(ways, edges)
        join(alternatives_of(group.closures[expr]), by_start(edges), ways)
        return ways

    # ---- operators

    def _part(self, expr: core.Expr, exact: bool, inside: bool) -> Alternatives:
        if inside and self._leads_inside(expr):
            if isinstance(expr, core.Ref):
                return alternatives_of(self.definitions[expr.index])
            return self._derive(expr, exact, inside=True)
        return alternatives_of(self.literals(expr, exact))

    def _derive(
        self, expr: core.Expr, exact: bool, inside: bool = False, loops: bool = False
    ) -> Alternatives:
        """How the members or pairs of an expression are derived from its operands; with `loops`,
        only loops are needed."""
        found: Alternatives = {}
        if isinstance(expr, core.Union):
            for side in (expr.left, expr.right):
                if isinstance(side, core.Union):
                    merge(found, self._derive(side, exact, inside, loops))
                else:
                    merge(found, self._part(side, exact, inside))
        elif isinstance(expr, core.Inter):
            self._intersect(expr, exact, inside, found)
        elif isinstance(expr, core.Diff):
            removed = self.literals(expr.right, True)
            for key, ways in self._part(expr.left, exact, inside).items():
                add(found, key, ways, unless(removed.get(key, FALSE)))
        elif isinstance(expr, core.Complement):
            self._complement(expr, found)
        elif isinstance(expr, core.Seq):
            left = self._part(expr.left, exact, inside)
            ahead = by_start(self._part(expr.right, exact, inside))
            join(left, ahead, found, loops=loops)
        elif isinstance(expr, core.Inverse):
            for key, ways in self._part(expr.operand, exact, inside).items():
                found[(key[1], key[0])] = ways
        elif isinstance(expr, core.Star | core.Opt | core.Plus):
            if inside and not isinstance(expr, core.Opt):
                merge(found, self._growing_closure(expr))
            elif isinstance(expr, core.Opt):
                merge(found, self._part(expr.operand, exact, inside))
            else:
                plus = core.Plus(expr.span, expr.operand)
                merge(found, alternatives_of(self.literals(plus, exact)))
            if not isinstance(expr, core.Plus):
                merge(found, alternatives_of(self._identity()))
        elif isinstance(expr, core.Product):
            right = self._part(expr.right, exact, inside)
            for a, first in self._part(expr.left, exact, inside).items():
                for b, second in right.items():
                    add(found, (a, b), first, second)
        elif isinstance(expr, core.Identity):
            for a, ways in self._part(expr.operand, exact, inside).items():
                found[(a, a)] = ways
        elif isinstance(expr, core.Domain | core.Range):
            which = 0 if isinstance(expr, core.Domain) else 1
            for key, ways in self._part(expr.operand, exact, inside).items():
                found.setdefault(key[which], {}).update(ways)
        elif not isinstance(expr, core.Empty):
            merge(found, self._part(expr, exact, inside))
        return found

    def _growing_closure(self, expr: core.Plus | core.Star) -> Alternatives:
        group = self._group
        assert group is not None
        if expr not in group.closures:
            group.closures[expr] = {}
            group.grown = True
        return alternatives_of(group.closures[expr])

    def _intersect(self, expr: core.Inter, exact: bool, inside: bool, found: Alternatives) -> None:
        left, right = expr.left, expr.right
        if isinstance(left, core.Seq):
            left, right = right, left
        first = self._part(left, exact, inside)
        if isinstance(right, core.Seq) and (right, exact) not in self._maps and first:
            # Only those pairs of the composition are needed that the other side has.
            before = self._part(right.left, exact, inside)
            ahead = by_start(self._part(right.right, exact, inside))
            second: Alternatives = {}
            join(before, ahead, second, only=first)
        else:
            second = self._part(right, exact, inside) if first else {}
        for key, ways in first.items():
            if key in second:
                add(found, key, ways, second[key])

    def _complement(self, expr: core.Complement, found: Alternatives) -> None:
        removed = self.literals(expr.operand, True)
        present = alternatives_of(self._base_set("_"))
        if expr.kind is core.Kind.SET:
            for a, ways in present.items():
                add(found, a, ways, unless(removed.get(a, FALSE)))
            return
        for a, first in present.items():
            for b, second in present.items():
                both: Alternatives = {}
                add(both, 0, first, second)
                add(found, (a, b), both.get(0, {}), unless(removed.get((a, b), FALSE)))

    # ---- base sets and relations

    def _identity(self) -> Map:
        return {(a, a): x for a, x in self._base_set("_").items()}

    def _base(self, base: core.Base) -> Map:
        if base.kind is core.Kind.SET:
            return self._base_set(base.name)
        if base.name in self.relations:
            return {key: x for key, x in self.relations[base.name].items() if x != FALSE}
        if base.name == "id":
            return self._identity()
        if base.name == "rmw":
            return self._either(self.relations["amo"], self.relations["lxsx"])
        if base.name in _REQUIRED:
            raise InternalError(f"the relation {base.name} was not given")
        raise InternalError(f"the base relation {base.name} is unknown")

    def _base_set(self, name: str) -> Map:
        if name in self.sets:
            return {key: x for key, x in self.sets[name].items() if x != FALSE}
        if name == "_":
            return dict.fromkeys(self.events, TRUE)
        if name == "M":
            return self._either(self._base_set("R"), self._base_set("W"))
        if name == "RMW":
            pairs = self._either(self.relations["amo"], self.relations["lxsx"])
            ways: Alternatives = {}
            for key, x in pairs.items():
                for event in key:
                    ways.setdefault(event, {})[() if x == TRUE else (x,)] = None
            return self._fold(ways, True, ())
        if name == "FW":
            followed: dict[Hashable, list[int]] = {}
            for (a, _), x in self.relations["co"].items():
                followed.setdefault(a, []).append(-x)
            return {
                a: self.logic.conjunction([x, *followed.get(a, [])])
                for a, x in self._base_set("W").items()
            }
        return {}

    def _either(self, first: Mapping[Item, int], second: Mapping[Item, int]) -> Map:
        return {
            key: self.logic.disjunction([first.get(key, FALSE), second.get(key, FALSE)])
            for key in [*first, *second]
        }
