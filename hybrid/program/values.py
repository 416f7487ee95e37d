"""Values: 64-bit two's complement integers, kept as Python ints in [-2**63, 2**63)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

BITS: Final = 64
_SIGN: Final = 1 << (BITS - 1)
_MASK: Final = (1 << BITS) - 1
_SMALL: Final = 1 << 60  # below it native code has numbers without allocating them


def wrap(value: int) -> int:
    """The 64-bit two's complement number congruent to `value`."""
    if -_SMALL < value < _SMALL or -_SIGN <= value < _SIGN:
        return value
    return ((value + _SIGN) & _MASK) - _SIGN


def narrow(value: int, bits: int) -> int:
    """The two's complement number of `bits` bits congruent to `value`."""
    half = 1 << (bits - 1)
    return ((value + half) & ((1 << bits) - 1)) - half


def _divide(left: int, right: int) -> int:
    """Towards zero, as C does; by zero it is 0, as on Arm, so that arithmetic is total."""
    if right == 0:
        return 0
    quotient = abs(left) // abs(right)
    return wrap(quotient if (left < 0) == (right < 0) else -quotient)


def _unsigned_less(left: int, right: int) -> bool:
    return left & _MASK < right & _MASK


# Comparisons give 0 or 1; shifts count modulo 64.
_BINARY: dict[str, Callable[[int, int], int]] = {
    "+": lambda left, right: wrap(left + right),
    "-": lambda left, right: wrap(left - right),
    "*": lambda left, right: wrap(left * right),
    "/": _divide,
    "%": lambda left, right: wrap(left - _divide(left, right) * right),
    "&": int.__and__,
    "|": int.__or__,
    "^": int.__xor__,
    "<<": lambda left, right: wrap(left << (right & (BITS - 1))),
    ">>": lambda left, right: left >> (right & (BITS - 1)),  # arithmetic: the sign is kept
    "==": lambda left, right: int(left == right),
    "!=": lambda left, right: int(left != right),
    "<": lambda left, right: int(left < right),
    "<=": lambda left, right: int(left <= right),
    ">": lambda left, right: int(left > right),
    ">=": lambda left, right: int(left >= right),
    "&&": lambda left, right: int(left != 0 and right != 0),
    "||": lambda left, right: int(left != 0 or right != 0),
    "min": min,
    "max": max,
    ">>>": lambda left, right: wrap((left & _MASK) >> (right & (BITS - 1))),  # zeros come in
    "umin": lambda left, right: left if _unsigned_less(left, right) else right,
    "umax": lambda left, right: right if _unsigned_less(left, right) else left,
    "nand": lambda left, right: ~(left & right),
}


def binary(op: str, left: int, right: int) -> int:
    """The value of `left op right`."""
    # the most frequent ones, without a call
    if op == "==":
        return 1 if left == right else 0
    if op == "!=":
        return 1 if left != right else 0
    if op == "+":
        return wrap(left + right)
    operator = _BINARY.get(op)
    if operator is None:
        raise ValueError(f"no binary operator {op!r}")
    return operator(left, right)


def unary(op: str, operand: int) -> int:
    """The value of `op operand`."""
    if op == "-":
        return wrap(-operand)
    if op == "~":
        return ~operand
    if op == "!":
        return int(operand == 0)
    bits = EXTENSIONS.get(op)
    if bits is None:
        raise ValueError(f"no unary operator {op!r}")
    return narrow(operand, bits) if op[0] == "s" else operand & ((1 << bits) - 1)


BINARY_OPERATORS = tuple(_BINARY)
# Functions of one operand: the low bits alone, with their sign (s) or without (u).
EXTENSIONS = {f"{sign}{bits}": bits for sign in "su" for bits in (8, 16, 32)}
UNARY_OPERATORS = ("-", "~", "!", *EXTENSIONS)
FUNCTIONS = ("min", "max", "umin", "umax", "nand")  # binary operators that are written as calls
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
# each with the one that is true where it is not
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
# the same with the operands exchanged
MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
