"""Each kind of relation of Horn clauses by itself, against sets of pairs: which pairs follow from
any choice of what is assumed, while events and pairs are added."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from naive_relations import Pairs, closed, compose, identity, turned

from hybrid.encoding import horn as h
from hybrid.encoding import horn_axioms as axioms
from hybrid.encoding.sat_logic import SatLogic
from hybrid.encoding.z3_logic import Z3Logic

EVENTS = 7
MEMBERS = 0b1011001  # of the set of restrictions
# Events that cannot be in one execution
APART = {(1, 4), (4, 1), (2, 6), (6, 2)}
EXECUTIONS = [{0, 1, 2, 3, 5}, {0, 2, 3, 4, 5}, {0, 3, 4, 5, 6}, {0, 1, 3, 5, 6}]


def in_set(event: int) -> bool:
    return bool(MEMBERS >> event & 1)


def masked(a: int, b: int) -> bool:
    return (2 * a + b) % 3 != 0 and (a, b) not in APART


class _Collected(h.HornRelation):
    """The pairs of a relation with their literals."""

    def __init__(self, horn: h.Horn, source: h.HornRelation) -> None:
        super().__init__(horn, [source])
        self.pairs: list[tuple[int, int, int]] = []

    def receive(self, which: int, a: int, b: int, literal: int) -> None:
        self.pairs.append((a, b, literal))


class Facts:
    """Events and pairs of two leaves, added bit by bit; each pair has a variable of its own."""

    def __init__(self, rng: random.Random, logic: SatLogic | Z3Logic) -> None:
        self.rng = rng
        self.logic = logic
        self.horn = h.Horn(logic)
        self.leaves = [h.HornRelation(self.horn) for _ in range(2)]
        self.mask: list[int] = []
        self.known: list[dict[tuple[int, int], int]] = [{}, {}]

    def grow(self) -> None:
        """One more event, and pairs between it and those before."""
        event = len(self.mask)
        others = [e for e in range(event) if (e, event) not in APART]
        assert self.horn.add_event(sum(1 << e for e in others)) == event
        self.mask.append(sum(1 << b for b in (*others, event) if masked(event, b)))
        for a in others:
            self.mask[a] |= masked(a, event) << event
        pairs = [(event, event)] + [p for e in others for p in ((e, event), (event, e))]
        for which, leaf in enumerate(self.leaves):
            for a, b in pairs:
                if self.rng.random() < 0.35:
                    literal = self.logic.variable((which, a, b))
                    self.known[which][(a, b)] = literal
                    self.horn.queue.append((leaf, a, b, literal))
        self.horn.run()

    def assumed(self) -> tuple[list[int], list[Pairs]]:
        """Some of the pairs between events of one execution: their literals, and they by leaf."""
        inside = self.rng.choice(EXECUTIONS)
        given: list[Pairs] = []
        literals: list[int] = []
        for known in self.known:
            possible = [pair for pair in known if set(pair) <= inside]
            chosen = {pair for pair in possible if self.rng.random() < 0.6}
            given.append(chosen)
            literals += [known[pair] for pair in chosen]
        return literals, given


Make = Callable[[Facts], h.HornRelation]
Naive = Callable[[list[Pairs]], Pairs]

RELATIONS: dict[str, tuple[Make, Naive]] = {
    "union": (lambda f: h.HornUnion(f.horn, f.leaves), lambda g: g[0] | g[1]),
    "merge": (lambda f: h.Merge(f.horn, f.leaves), lambda g: g[0] | g[1]),
    "masked": (
        lambda f: h.Masked(f.horn, f.leaves[0], f.mask, True),
        lambda g: {(a, b) for a, b in g[0] if masked(a, b)},
    ),
    "masked out": (
        lambda f: h.Masked(f.horn, f.leaves[0], f.mask, False),
        lambda g: {(a, b) for a, b in g[0] if not masked(a, b)},
    ),
    "from": (
        lambda f: h.HornRestriction(f.horn, f.leaves[0], [MEMBERS], 0, True),
        lambda g: {(a, b) for a, b in g[0] if in_set(a)},
    ),
    "into": (
        lambda f: h.HornRestriction(f.horn, f.leaves[0], [MEMBERS], 0, False),
        lambda g: {(a, b) for a, b in g[0] if in_set(b)},
    ),
    "inverse": (lambda f: h.HornInverse(f.horn, [f.leaves[0]]), lambda g: turned(g[0])),
    "domain": (
        lambda f: h.EndsOf(f.horn, f.leaves[0], False),
        lambda g: identity(a for a, _ in g[0]),
    ),
    "range": (
        lambda f: h.EndsOf(f.horn, f.leaves[0], True),
        lambda g: identity(b for _, b in g[0]),
    ),
    "inter": (lambda f: h.HornIntersection(f.horn, *f.leaves), lambda g: g[0] & g[1]),
    "seq": (lambda f: h.HornSequence(f.horn, *f.leaves), lambda g: compose(g[0], g[1])),
    "masked seq": (
        lambda f: h.HornSequence(f.horn, *f.leaves, f.mask),
        lambda g: {(a, b) for a, b in compose(g[0], g[1]) if masked(a, b)},
    ),
    "seq of itself": (
        lambda f: h.HornSequence(f.horn, f.leaves[0], f.leaves[0]),
        lambda g: compose(g[0], g[0]),
    ),
    "plus": (lambda f: h.HornClosure(f.horn, f.leaves), lambda g: closed(g[0] | g[1])),
    "plus of a union of a seq": (
        lambda f: h.HornClosure(f.horn, [h.HornSequence(f.horn, *f.leaves), f.leaves[0]]),
        lambda g: closed(compose(g[0], g[1]) | g[0]),
    ),
}


@pytest.mark.parametrize("kind", RELATIONS)
def test_relation(kind: str) -> None:
    make, naive = RELATIONS[kind]
    found = 0
    for seed in range(15):
        logic = SatLogic()
        facts = Facts(random.Random(seed), logic)
        collected = _Collected(facts.horn, make(facts))
        while len(facts.mask) < EVENTS:
            facts.grow()
            for _ in range(4):
                literals, given = facts.assumed()
                implied = set(logic.implied(literals) or ())
                pairs = {(a, b) for a, b, literal in collected.pairs if literal in implied}
                assert pairs == naive(given)
                found += len(pairs)
        assert not {(a, b) for a, b, _ in collected.pairs} & APART
    assert found > 100


Axiom = Callable[[Facts, int], object]
Holds = Callable[[list[Pairs]], bool]


def is_acyclic(pairs: Pairs) -> bool:
    return not any(a == b for a, b in closed(pairs))


AXIOMS: dict[str, tuple[Axiom, Holds]] = {
    "acyclic": (
        lambda f, active: axioms.Acyclic(f.horn, f.leaves, active),
        lambda g: is_acyclic(g[0] | g[1]),
    ),
    "irreflexive": (
        lambda f, active: axioms.Irreflexive(f.horn, f.leaves, active),
        lambda g: not any(a == b for a, b in g[0] | g[1]),
    ),
    "irreflexive seq": (
        lambda f, active: axioms.NoWayBack(f.horn, *f.leaves, active),
        lambda g: not any(a == b for a, b in compose(g[0], g[1])),
    ),
    "empty": (
        lambda f, active: axioms.HornEmpty(f.horn, [h.HornIntersection(f.horn, *f.leaves)], active),
        lambda g: not g[0] & g[1],
    ),
}


@pytest.mark.parametrize("kind", AXIOMS)
def test_axiom(kind: str) -> None:
    make, holds = AXIOMS[kind]
    answers: list[bool] = []
    for seed in range(15):
        logic = SatLogic()
        facts = Facts(random.Random(seed), logic)
        active = logic.variable("axiom")
        make(facts, active)
        while len(facts.mask) < EVENTS:
            facts.grow()
            for _ in range(4):
                literals, given = facts.assumed()
                assert logic.propagate(literals)  # without the axiom nothing is refused
                assert logic.propagate([active, *literals]) == holds(given)
                answers.append(holds(given))
    assert answers.count(True) > 15
    assert answers.count(False) > 15


def test_cycles_found_later() -> None:
    """Edges: the axiom by looking for cycles in what is implied."""
    answers: list[bool] = []
    for seed in range(15):
        logic = SatLogic()
        facts = Facts(random.Random(seed), logic)
        active = logic.variable("axiom")
        edges = axioms.Edges(facts.horn, facts.leaves, active)
        while len(facts.mask) < EVENTS:
            facts.grow()
            for _ in range(4):
                literals, given = facts.assumed()
                implied = logic.implied([active, *literals])
                acyclic = implied is not None and not (cycles := edges.cycles(implied))
                if implied is not None and not acyclic:
                    for clause in cycles:
                        logic.add(clause)
                    assert not logic.propagate([active, *literals])
                assert acyclic == is_acyclic(given[0] | given[1])
                answers.append(acyclic)
    assert answers.count(True) > 15
    assert answers.count(False) > 15


def test_order_of_the_logic() -> None:
    """Ordered: the axiom by the integers of Z3."""
    answers: list[bool] = []
    for seed in range(4):
        logic = Z3Logic("difference")
        facts = Facts(random.Random(seed), logic)
        active = logic.variable("axiom")
        axioms.Ordered(facts.horn, facts.leaves, active)
        while len(facts.mask) < EVENTS:
            facts.grow()
            for _ in range(3):
                literals, given = facts.assumed()
                acyclic = is_acyclic(given[0] | given[1])
                assert logic.solve([active, *literals]) == acyclic
                answers.append(acyclic)
    assert answers.count(True) > 5
    assert answers.count(False) > 5
