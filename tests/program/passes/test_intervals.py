"""Unions of intervals, against sets of small numbers."""

from __future__ import annotations

import random

import pytest

from hybrid.program import values
from hybrid.program.passes.intervals import (
    ALL,
    HIGHEST,
    LOWEST,
    NONE,
    Intervals,
    compared,
    joined,
    single,
)

SMALL = range(-4, 9)


def drawn(rng: random.Random) -> Intervals:
    ends = [sorted(rng.choices(SMALL, k=2)) for _ in range(rng.randint(0, 3))]
    found = joined((low, high) for low, high in ends)
    return ~found if rng.random() < 0.3 else found


def members(where: Intervals) -> set[int]:
    return {value for value in SMALL if value in where}


def test_operations_are_those_of_sets() -> None:
    rng = random.Random(1)
    for _ in range(500):
        one, other = drawn(rng), drawn(rng)
        assert members(one & other) == members(one) & members(other)
        assert members(one | other) == members(one) | members(other)
        assert members(~one) == set(SMALL) - members(one)
        assert (one <= other) == (one & other == one)
        assert ~~one == one
        assert bool(one) == bool(one.parts)


def test_the_form_is_canonical() -> None:
    assert joined(((1, 2), (3, 4))) == joined(((1, 4),)) == joined(((2, 4), (1, 3), (9, 8)))
    assert ~NONE == ALL == joined(((LOWEST, HIGHEST),))
    assert single(3).only == 3
    assert joined(((3, 4),)).only is None


@pytest.mark.parametrize("op", values.COMPARISONS)
def test_comparisons(op: str) -> None:
    for value in (LOWEST, -1, 0, 2, HIGHEST):
        where = compared(op, value)
        for other in (LOWEST, LOWEST + 1, -2, -1, 0, 1, 2, 3, HIGHEST - 1, HIGHEST):
            assert (other in where) == bool(values.binary(op, other, value))


def test_comparisons_say_the_same() -> None:
    """What intervals are spelled as holds of their members alone."""
    rng = random.Random(2)
    for _ in range(300):
        where = drawn(rng)
        if where in (ALL, NONE):
            assert where.comparisons == ()
            continue
        for value in SMALL:
            said = any(
                values.binary(first, value, low)
                and (not second or values.binary(second, value, high))
                for first, low, second, high in where.comparisons
            )
            assert said == (value in where)
