"""Bound expressions: values, needed events, sharing."""

from __future__ import annotations

import random

from hybrid.execution.bound import Bound, Constant, EventResult, make_binary, make_unary
from hybrid.program import values


def test_constants_are_folded_and_results_are_not() -> None:
    assert make_binary("+", Constant(2), Constant(3)).evaluate([]) == 5
    assert make_unary("!", Constant(0)).slots == 0
    same = make_binary("^", EventResult(1), EventResult(1))
    assert same.slots == 0b10  # a false dependency is one
    assert same.evaluate([0, 17]) == 0


def test_a_register_doubled_many_times_costs_little() -> None:
    """As a tree it would have 2**200 nodes."""
    value: Bound = EventResult(0)
    for _ in range(200):
        value = make_binary("+", value, value)
    assert value.slots == 1
    assert value.evaluate([3]) == values.wrap(3 << 200)
    assert make_binary("-", value, value).evaluate([1]) == 0


def test_a_long_chain_does_not_recurse() -> None:
    value: Bound = EventResult(0)
    for _ in range(20_000):
        value = make_binary("+", value, Constant(1))
    assert value.evaluate([5]) == 20_005


def test_random_expressions_equal_direct_evaluation() -> None:
    rng = random.Random(4)
    for _ in range(200):
        results = [rng.randint(-(2**63), 2**63 - 1) for _ in range(4)]
        bound: list[tuple[Bound, int]] = [(EventResult(i), r) for i, r in enumerate(results)]
        for _ in range(60):
            op = rng.choice(values.BINARY_OPERATORS)
            (left, a), (right, b) = rng.choice(bound), rng.choice(bound)
            bound.append((make_binary(op, left, right), values.binary(op, a, b)))
            unary = rng.choice(values.UNARY_OPERATORS)
            bound.append((make_unary(unary, left), values.unary(unary, a)))
        for expr, value in bound:
            assert expr.evaluate(results) == value
