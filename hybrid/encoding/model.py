"""A memory model as constraints: `encode_model` turns every definition into a sparse map from
members or pairs to literals.

A definition that is only used where more of it can do no good (in axioms, by monotone operators) is
encoded in one direction: what derives a pair implies its literal (D. Plaisted and S. Greenbaum, "A
structure-preserving clause form translation", 1986). The others, which stand under a difference, a
complement, a flag or a negated axiom, are exact.

The operators are in derivations.py, recursive definitions in groups.py.

Keys of maps: an event for a set, a pair for a relation. What is true whatever the solution costs no
clause.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from hybrid.encoding.alternatives import Item, is_loop
from hybrid.encoding.base_maps import BaseMaps, Event
from hybrid.encoding.groups import RecursiveGroups
from hybrid.encoding.logic import Logic
from hybrid.model import core


@dataclass(frozen=True, slots=True)
class EncodedModel:
    axioms: Mapping[str, int]  # name -> activation literal: assume it, and the axiom holds
    flags: Mapping[str, int]  # name -> literal: whether the flag is raised
    definitions: Mapping[int, Mapping[Item, int]]  # those in use, by index in Model.definitions
    # definitions whose literals are true exactly where they hold; others may be true elsewhere too
    exact: frozenset[int]


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

    `relations` has all base relations of core.py but for `id` and `rmw`; base_maps.py says what is
    made when it is missing. An axiom holds when its activation literal is assumed. Without `flags`
    these are left out.
    """
    encoder = _Encoder(model, logic, BaseMaps(logic, events, sets, relations))
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


class _Encoder(RecursiveGroups):
    def __init__(self, model: core.Model, logic: Logic, base: BaseMaps) -> None:
        super().__init__(model, logic, base)
        self._seen: set[tuple[int, bool]] = set()  # definitions that `require` has been to

    # ---- what must be exact

    def require(self, expr: core.Expr, exact: bool) -> None:
        todo = [(expr, exact)]
        while todo:
            at, exact = todo.pop()
            if isinstance(at, core.Ref):
                group = self.model.definitions[at.index].group
                for index in {at.index} if group is None else self.members[group]:
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
        for key, ways in self.derive(self._resolved(expr), False, loops=loops).items():
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
