"""Conditions as disjunctions of conjunctions, against their values."""

from __future__ import annotations

import random
from itertools import product

import pytest

from hybrid.program import expr as ex
from hybrid.program.passes import conditions as cn
from hybrid.program.passes.intervals import compared, joined, single
from hybrid.program.passes.ssa import HERE

A, B = ex.Register(HERE, "a"), ex.Register(HERE, "b")
SMALL = range(-2, 4)


def drawn(rng: random.Random, depth: int) -> ex.Expr:
    kind = rng.random()
    if depth == 0 or kind < 0.2:
        return rng.choice((A, B, A, B, ex.Const(HERE, rng.randint(-1, 2))))
    if kind < 0.3:
        return ex.Unary(HERE, "!", drawn(rng, depth - 1))
    ops = ("&&", "||", "==", "!=", "<", "<=", ">", ">=", "+", "-", "^", "&")
    return ex.Binary(HERE, rng.choice(ops), drawn(rng, depth - 1), drawn(rng, depth - 1))


def holds(dnf: cn.Dnf, held: dict[str, int]) -> bool:
    return any(
        all(ex.evaluate(term, held) in where for term, where in each.items()) for each in dnf
    )


@pytest.mark.large
def test_a_condition_is_what_it_says() -> None:
    rng = random.Random(3)
    tried = 0
    for _ in range(1500):
        term = drawn(rng, 3)
        truth = rng.random() < 0.5
        try:
            dnf = cn.condition(term, truth)
        except cn.TooManyError:
            continue
        tried += 1
        for a, b in product(SMALL, SMALL):
            held = {"a": a, "b": b}
            assert holds(dnf, held) == ((ex.evaluate(term, held) != 0) == truth), ex.show(term)
            for each in dnf:
                said = ex.evaluate(cn.formula(each), held) != 0
                assert said == holds((each,), held)
                assert (ex.evaluate(cn.formula(each, False), held) != 0) != said
    assert tried > 1400


def test_parts_become_one_where_they_can() -> None:
    assert cn.either(({A: single(1)},), ({A: single(2)},)) == ({A: joined(((1, 2),))},)
    assert cn.either(({A: single(1)},), ({A: ~single(1)},)) == cn.TRUE
    wide, narrow = {A: compared(">", 1)}, {A: single(3), B: single(0)}
    assert cn.either((wide,), (narrow,)) == (wide,) == cn.either((narrow,), (wide,))
    assert len(cn.either(({A: single(1)},), ({B: single(1)},))) == 2


def test_one_comparison_is_not_enough() -> None:
    """`r != 0 && r = 1`, and `a >= 4 && a != 4`, are about one union of intervals each."""
    both = ex.Binary(
        HERE,
        "&&",
        ex.Binary(HERE, ">=", A, ex.Const(HERE, 4)),
        ex.Binary(HERE, "!=", A, ex.Const(HERE, 4)),
    )
    assert cn.condition(both) == ({A: compared(">", 4)},)
    assert cn.show(cn.condition(both)[0]) == "a > 4"
    assert cn.condition(both, False) == ({A: compared("<=", 4)},)


def test_too_many_ways_are_not_followed() -> None:
    parts = [{ex.Register(HERE, f"r{i}"): single(i)} for i in range(cn.MOST + 1)]
    with pytest.raises(cn.TooManyError):
        cn.either(tuple(parts))
