"""The operators on relations of the ground truth, against their definitions, pair by pair."""

from __future__ import annotations

import random

import pytest

from hybrid.engine.enumerate import relations as rel

Pairs = set[tuple[int, int]]


def drawn(rng: random.Random, size: int) -> rel.Relation:
    """Rows that several events share are frequent, as among initial writes."""
    rows = [rng.getrandbits(size) & rng.getrandbits(size) for _ in range(3)]
    return [rng.choice((0, 0, *rows, 1 << rng.randrange(size))) for _ in range(size)]


def pairs(relation: rel.Relation) -> Pairs:
    return {(i, j) for i, row in enumerate(relation) for j in rel.members(row)}


def composed(one: Pairs, two: Pairs) -> Pairs:
    return {(a, d) for a, b in one for c, d in two if b == c}


@pytest.mark.parametrize("seed", range(100))
def test_operators(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.randrange(1, 9)
    one, two = drawn(rng, size), drawn(rng, size)
    assert pairs(rel.compose(one, two)) == composed(pairs(one), pairs(two))
    assert pairs(rel.inverse(one)) == {(b, a) for a, b in pairs(one)}
    closure = pairs(one)
    while closure != (more := closure | composed(closure, closure)):
        closure = more
    assert pairs(rel.plus(one)) == closure
