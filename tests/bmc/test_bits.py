"""Vectors of literals compute what hybrid.program.values does."""

from __future__ import annotations

import random

import pytest

from hybrid.bmc.bits import Bits, Vector, constant, extend, known, number, shorten
from hybrid.encoding.clauses import FALSE, TRUE
from hybrid.encoding.sat_logic import SatLogic
from hybrid.program import values

pytestmark = pytest.mark.large

SPECIAL = (0, 1, -1, 2, -2, 3, 7, 63, 64, 65, 2**31, -(2**31), 2**62, 2**63 - 1, -(2**63))


def unknowns(logic: SatLogic, name: str, size: int) -> Vector:
    return tuple(logic.variable((name, i)) for i in range(size))


def fixed(vector: Vector, value: int) -> list[int]:
    """Assumptions that give a vector of variables a value."""
    return [bit if value >> i & 1 else -bit for i, bit in enumerate(vector)]


def read(logic: SatLogic, vector: Vector) -> int:
    return number([logic.value(bit) for bit in vector])


@pytest.mark.parametrize("op", values.BINARY_OPERATORS)
@pytest.mark.parametrize("sizes", [(1, 3), (3, 2), (3, 3)])
def test_small_numbers(op: str, sizes: tuple[int, int]) -> None:
    logic = SatLogic()
    left, right = unknowns(logic, "a", sizes[0]), unknowns(logic, "b", sizes[1])
    result = Bits(logic).binary(op, left, right)
    assert len(result) <= values.BITS
    for a in range(-(1 << sizes[0] - 1), 1 << sizes[0] - 1):
        for b in range(-(1 << sizes[1] - 1), 1 << sizes[1] - 1):
            assert logic.solve([*fixed(left, a), *fixed(right, b)])
            assert read(logic, result) == values.binary(op, a, b), (a, b)


@pytest.mark.parametrize("op", values.BINARY_OPERATORS)
def test_64_bits(op: str) -> None:
    logic = SatLogic()
    left, right = unknowns(logic, "a", 64), unknowns(logic, "b", 64)
    result = Bits(logic).binary(op, left, right)
    rng = random.Random(op)
    pairs = [(rng.choice(SPECIAL), rng.choice(SPECIAL)) for _ in range(20)]
    pairs += [
        (values.wrap(rng.getrandbits(64)), values.wrap(rng.getrandbits(64))) for _ in range(4)
    ]
    pairs += [(-(2**63), -1), (-(2**63), 1), (5, 0), (-(2**63), -(2**63))]
    for a, b in pairs:
        assert logic.solve([*fixed(left, a), *fixed(right, b)])
        assert read(logic, result) == values.binary(op, a, b), (a, b)


@pytest.mark.parametrize("op", values.BINARY_OPERATORS)
def test_constants_need_no_clause(op: str) -> None:
    logic = SatLogic()
    bits = Bits(logic)
    before = logic.clauses
    for a in SPECIAL:
        for b in SPECIAL:
            assert known(bits.binary(op, constant(a), constant(b))) == values.binary(op, a, b)
    assert logic.clauses == before


@pytest.mark.parametrize("op", values.UNARY_OPERATORS)
@pytest.mark.parametrize("size", [1, 4, 64])
def test_unary(op: str, size: int) -> None:
    logic = SatLogic()
    operand = unknowns(logic, "a", size)
    result = Bits(logic).unary(op, operand)
    low, high = -(1 << size - 1), (1 << size - 1) - 1
    for a in {low, low + 1, -1, 0, min(1, high), high}:
        assert logic.solve(fixed(operand, a))
        assert read(logic, result) == values.unary(op, a)


def test_choose_and_compare_vectors_of_different_sizes() -> None:
    logic = SatLogic()
    bits = Bits(logic)
    left, right, which = unknowns(logic, "a", 2), unknowns(logic, "b", 4), logic.variable("which")
    chosen = bits.choose(which, left, right)
    equal, less = bits.equal(left, right), bits.less(left, right)
    for a in range(-2, 2):
        for b in range(-8, 8):
            for way in (which, -which):
                assert logic.solve([*fixed(left, a), *fixed(right, b), way])
                assert read(logic, chosen) == (a if way > 0 else b)
                assert logic.value(equal) == (a == b)
                assert logic.value(less) == (a < b)


def test_signs() -> None:
    assert constant(0) == (FALSE,)
    assert constant(-1) == (TRUE,)
    assert constant(5) == (TRUE, FALSE, TRUE, FALSE)
    assert known(extend(constant(-3), 10)) == -3
    assert shorten(extend(constant(6), 30)) == constant(6)
    assert known((TRUE, 5)) is None
