"""A memory model as constraints: `encode_model` turns every definition into a sparse map from
members or pairs to literals.

A definition that is only used where more of it can do no good (in axioms, by monotone operators) is
encoded in one direction: what derives a pair implies its literal (D. Plaisted and S. Greenbaum, "A
structure-preserving clause form translation", 1986). Those that are taken away by a difference or a
complement there, and those in a negated axiom or in a flag, have literals that are true only where
they hold; a difference in these turns the direction round again.

The operators are in derivations.py, recursive definitions in groups.py.

Keys of maps: an event for a set, a pair for a relation. What is true whatever the solution costs no
clause.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from hybrid.encoding.alternatives import is_loop
from hybrid.encoding.base_maps import BaseMaps, Event
from hybrid.encoding.derivations import Need
from hybrid.encoding.groups import RecursiveGroups
from hybrid.encoding.logic import Logic
from hybrid.model import core


class Flags(Enum):
    """How a model's flags are encoded."""

    NONE = auto()
    ASKED = auto()  # assume the literal, and the flag is raised; nothing is said where it is false
    EXACT = auto()  # it is true exactly when the flag is raised


@dataclass(frozen=True, slots=True)
class EncodedModel:
    axioms: Mapping[str, int]  # name -> activation literal: assume it, and the axiom holds
    flags: Mapping[str, int]  # name -> literal, as `Flags` says


def encode_model(
    model: core.Model,
    logic: Logic,
    events: Sequence[Event],
    sets: Mapping[str, Mapping[Event, int]],
    relations: Mapping[str, Mapping[tuple[Event, Event], int]],
    flags: Flags = Flags.EXACT,
) -> EncodedModel:
    """The model's constraints over the base sets and relations given, in which absent members and
    pairs are false.

    `relations` has all base relations of core.py but for `id` and `rmw`; base_maps.py says what is
    made when it is missing. An axiom holds when its activation literal is assumed.
    """
    encoder = _Encoder(model, logic, BaseMaps(logic, events, sets, relations))
    wanted = [axiom for axiom in model.axioms if flags is not Flags.NONE or not axiom.flag]
    for axiom in wanted:
        encoder.require(axiom.expr, _need(axiom, flags))
    axioms: dict[str, int] = {}
    raised: dict[str, int] = {}
    for axiom in wanted:
        if axiom.flag:
            raised[axiom.name] = encoder.truth(axiom, _need(axiom, flags))
        else:
            axioms[axiom.name] = encoder.axiom(axiom)
    return EncodedModel(axioms, raised)


def _need(axiom: core.Axiom, flags: Flags) -> Need:
    """What must be so of the expression's literals."""
    if axiom.flag and flags is Flags.EXACT:
        return Need.EXACTLY
    return Need.ONLY_WHERE if axiom.negated else Need.WHERE


class _Encoder(RecursiveGroups):
    def __init__(self, model: core.Model, logic: Logic, base: BaseMaps) -> None:
        super().__init__(model, logic, base)
        self._seen: set[tuple[int, Need]] = set()  # definitions that `require` has been to

    # ---- what must be so of definitions

    def require(self, expr: core.Expr, need: Need) -> None:
        todo = [(expr, need)]
        while todo:
            at, need = todo.pop()
            if isinstance(at, core.Ref):
                group = self.model.definitions[at.index].group
                for index in {at.index} if group is None else self.members[group]:
                    self.needs[index] = need | self.needs.get(index, need)
                    if (index, need) not in self._seen:
                        self._seen.add((index, need))
                        todo.append((self.model.definitions[index].expr, need))
            elif isinstance(at, core.Diff):
                todo += [(at.left, need), (at.right, need.negated)]
            elif isinstance(at, core.Complement):
                todo.append((at.operand, need.negated))
            elif isinstance(at, core.Base) and at.name == "FW":
                continue
            else:
                todo += [(child, need) for child in core.children(at)]

    # ---- axioms

    def axiom(self, axiom: core.Axiom) -> int:
        logic = self.logic
        active = logic.variable(("axiom", axiom.name))
        if axiom.negated:
            logic.add((-active, self.truth(axiom, Need.ONLY_WHERE)))
            return active
        expr, test = axiom.expr, axiom.test
        expr, test = self._without_closure(expr, test)
        if test is core.Test.ACYCLIC:
            edges: dict[tuple[Hashable, Hashable], int] = self.literals(expr, Need.WHERE)
            logic.acyclic(edges, ("axiom", axiom.name), active)
            return active
        loops = test is core.Test.IRREFLEXIVE
        for key, ways in self.derive(self._resolved(expr), Need.WHERE, loops=loops).items():
            if not loops or is_loop(key):
                for premises in ways:
                    logic.add((-active, *[-x for x in premises]))
        return active

    def truth(self, axiom: core.Axiom, need: Need) -> int:
        """A literal that is true only when the axiom or flag, its negation included, holds; if
        `need` is EXACTLY, always then."""
        expr, test = self._without_closure(axiom.expr, axiom.test)
        if test is core.Test.ACYCLIC:
            expr = core.Plus(expr.span, expr)
        found = self.literals(expr, need)
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
