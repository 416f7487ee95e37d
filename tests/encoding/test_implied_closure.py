"""Closures and compositions in one direction, against those of sets of pairs: a literal is implied
exactly where there is a path."""

from __future__ import annotations

import random

import pytest

from hybrid.encoding.alternatives import Map, alternatives_of, reach
from hybrid.encoding.clauses import TRUE
from hybrid.encoding.compose import compose
from hybrid.encoding.folding import certain_paths, fold
from hybrid.encoding.implied_closure import implied_closure
from hybrid.encoding.sat_logic import SatLogic

Pair = tuple[int, int]


def random_edges(rng: random.Random, logic: SatLogic, size: int, loops: bool) -> Map:
    """Some are always there: going up, unless there may be loops of these."""
    edges: Map = {}
    for a in range(size):
        for b in range(size):
            if rng.random() < 0.25:
                always = rng.random() < 0.5 and (a < b or loops)
                edges[(a, b)] = TRUE if always else logic.variable((a, b))
    return edges


def chosen(rng: random.Random, edges: Map) -> tuple[set[Pair], list[int]]:
    """Edges that are there, and the assumptions that make them so."""
    free = [pair for pair, x in edges.items() if x != TRUE]
    there = {pair for pair in free if rng.random() < 0.4}
    assumed = [edges[pair] if pair in there else -edges[pair] for pair in free]
    return there | (edges.keys() - set(free)), assumed


def check(logic: SatLogic, found: Map, wanted: set[Pair], assumed: list[int], size: int) -> None:
    for a in range(size):
        for b in range(size):
            literal = found.get((a, b))
            implied = literal is not None and logic.solve([*assumed, -literal]) is False
            assert implied == ((a, b) in wanted), (a, b)


@pytest.mark.parametrize("loops", [False, True])
def test_a_closure_is_implied_where_there_is_a_path(loops: bool) -> None:
    rng = random.Random(7)
    for _ in range(40):
        size = rng.choice((4, 7, 9))
        logic = SatLogic()
        edges = random_edges(rng, logic, size, loops)
        found = implied_closure(logic, edges, ("closure",))
        for _ in range(4):
            wanted, assumed = chosen(rng, edges)
            reach(wanted)
            check(logic, found, wanted, assumed, size)


def test_a_chain_shares_the_literals_of_its_ends() -> None:
    """Two threads of n events and one edge from the last of one to the first of the other: no
    clauses at all."""
    logic = SatLogic()
    first, second = range(10), range(10, 20)
    edges: Map = {(a, b): TRUE for t in (first, second) for a in t for b in t if a < b}
    edges[(9, 10)] = logic.variable("edge")
    before = logic.clauses
    found = implied_closure(logic, edges, ("closure",))
    across = {found[(a, b)] for a in first for b in second}
    assert len(across) == 1
    assert logic.clauses - before == 1


@pytest.mark.large
def test_compositions_along_an_order() -> None:

    rng = random.Random(9)
    done = 0
    for _ in range(6):
        logic = SatLogic()
        size = 60
        order = certain_paths({(a, a + 1): TRUE for a in range(size - 1)})
        guards = [TRUE if rng.random() < 0.2 else logic.variable(("g", a)) for a in range(size)]
        left = {(a, b): guards[a] for a, b in order if rng.random() < 0.995}
        right = {
            (a, b): logic.variable(("r", a, b))
            for a in range(size)
            for b in range(size)
            if rng.random() < 0.9
        }
        if rng.random() < 0.5:
            left, right = ({(b, a): x for (a, b), x in each.items()} for each in (right, left))
        middles = {a: logic.variable(("m", a)) for a in range(size)} if rng.random() < 0.5 else None
        ways = compose(
            logic,
            alternatives_of(left),
            None if middles is None else alternatives_of(middles),
            alternatives_of(right),
            order,
            ("part",),
        )
        if ways is None:
            continue
        done += 1
        found = fold(logic, ways, False, ("found",))
        everything = {**left, **right, **{(a,): x for a, x in (middles or {}).items()}}
        variables = sorted({x for x in everything.values() if x != TRUE})
        true = {TRUE, *(x for x in variables if rng.random() < 0.5)}
        assumed = [x if x in true else -x for x in variables]
        wanted = {
            (a, c)
            for (a, b), x in left.items()
            for (m, c), y in right.items()
            if b == m and {x, y, TRUE if middles is None else middles[m]} <= true
        }
        check(logic, found, wanted, assumed, size)
    assert done > 2


def test_a_composition_along_an_order_is_small() -> None:

    logic = SatLogic()
    size = 40
    order: Map = {(a, b): TRUE for a in range(size) for b in range(a + 1, size)}
    right = {(a, b): logic.variable((a, b)) for a in range(size) for b in range(size)}
    before = logic.clauses
    ways = compose(logic, alternatives_of(order), None, alternatives_of(right), order, ("part",))
    assert ways is not None
    fold(logic, ways, False, ("found",))
    assert logic.clauses - before < 4 * size * size
