"""Values while a program is lowered: numbers where they are known, else expressions over registers.

An integer of n bits is kept as the signed number of n bits that it is congruent to, an i1 as 0 or
1, a pointer as its byte address. An expression is one of hybrid.program.expr and keeps to the same
rule, so that memory cells and registers hold the same numbers whichever way they were computed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hybrid.program import values as arithmetic
from hybrid.program.expr import Binary, Const, Expr, Register, Unary
from hybrid.source import nowhere

SPAN: Final = nowhere("<compiled>")
TRUTH: Final = "b"  # how the names of registers begin that hold 0 or 1


@dataclass(frozen=True, slots=True)
class Unset:
    """What has never been written, or `undef`."""


@dataclass(frozen=True, slots=True)
class Aggregate:
    """The fields of a struct or the elements of an array that is a value."""

    fields: tuple[LlvmValue, ...]


Scalar = int | Expr  # what can be computed with
LlvmValue = int | Expr | Unset | Aggregate
UNSET_VALUE: Final = Unset()

_LEAST = -(2**63)


def is_known(value: LlvmValue) -> bool:
    return isinstance(value, int)


def constant(value: int) -> Const:
    return Const(SPAN, value)


def register(name: str) -> Register:
    return Register(SPAN, name)


def as_expr(value: Scalar) -> Expr:
    return constant(value) if isinstance(value, int) else value


def size_of(expr: Scalar) -> int:
    """How many nodes an expression has."""
    if isinstance(expr, Binary):
        return 1 + size_of(expr.left) + size_of(expr.right)
    if isinstance(expr, Unary):
        return 1 + size_of(expr.operand)
    return 1


def constants(expr: Expr) -> list[int]:
    """The constants in an expression."""
    if isinstance(expr, Const):
        return [expr.value]
    if isinstance(expr, Unary):
        return constants(expr.operand)
    if isinstance(expr, Binary):
        return constants(expr.left) + constants(expr.right)
    return []


def terms(expr: Expr, factor: int = 1) -> list[tuple[int, Expr | int]]:
    """The terms of a sum, each with what it is multiplied by."""
    if isinstance(expr, Const):
        return [(factor, expr.value)]
    if isinstance(expr, Binary):
        if expr.op == "+":
            return terms(expr.left, factor) + terms(expr.right, factor)
        if expr.op == "-":
            return terms(expr.left, factor) + terms(expr.right, -factor)
        if expr.op == "*" and isinstance(expr.right, Const):
            return terms(expr.left, factor * expr.right.value)
        if expr.op == "*" and isinstance(expr.left, Const):
            return terms(expr.right, factor * expr.left.value)
        if expr.op == "<<" and isinstance(expr.right, Const) and 0 <= expr.right.value < 32:
            return terms(expr.left, factor << expr.right.value)
    return [(factor, expr)]


# ---- arithmetic of 64 bits


def binary(op: str, left: Scalar, right: Scalar) -> Scalar:
    """`left op right`, one of hybrid.program.values.BINARY_OPERATORS; sums collect their constants
    on the right."""
    if isinstance(left, int) and isinstance(right, int):
        return arithmetic.binary(op, left, right)
    if op in ("+", "-", "|", "^", "<<", ">>", ">>>") and right == 0:
        return left
    if op == "*" and right == 1:
        return left
    if op == "-" and isinstance(right, int):
        return binary("+", left, arithmetic.unary("-", right))
    if op == "+" and isinstance(left, int):
        left, right = right, left
    if op == "+" and isinstance(left, Binary) and left.op == "+":
        inner = left.right
        if isinstance(inner, Const) and isinstance(right, int):
            return binary("+", left.left, arithmetic.binary("+", inner.value, right))
        if isinstance(inner, Const) and not isinstance(right, int):
            return binary("+", binary("+", left.left, right), inner.value)
    if (
        op == "+"
        and isinstance(right, Binary)
        and right.op == "+"
        and isinstance(right.right, Const)
    ):
        return binary("+", binary("+", left, right.left), right.right.value)
    return Binary(SPAN, op, as_expr(left), as_expr(right))


def unary(op: str, operand: Scalar) -> Scalar:
    if isinstance(operand, int):
        return arithmetic.unary(op, operand)
    if isinstance(operand, Unary) and operand.op == op and op in arithmetic.EXTENSIONS:
        return operand
    return Unary(SPAN, op, operand)


def replaced(expr: Expr, held: Mapping[str, Scalar]) -> Scalar:
    """An expression with some registers replaced by what they hold."""
    if isinstance(expr, Const):
        return expr.value
    if isinstance(expr, Register):
        return held.get(expr.name, expr)
    if isinstance(expr, Unary):
        return unary(expr.op, replaced(expr.operand, held))
    return binary(expr.op, replaced(expr.left, held), replaced(expr.right, held))


# ---- arithmetic of n bits


def is_truth(expr: Scalar) -> bool:
    """Whether an expression is 0 or 1 for sure."""
    if isinstance(expr, Binary):
        truths = (*arithmetic.COMPARISONS, "&&", "||")
        joins = expr.op in ("&", "|", "^") and is_truth(expr.left) and is_truth(expr.right)
        return expr.op in truths or joins
    if isinstance(expr, Const):
        return expr.value in (0, 1)
    if isinstance(expr, int):
        return expr in (0, 1)
    if isinstance(expr, Register):
        return expr.name.startswith(TRUTH)
    return isinstance(expr, Unary) and expr.op == "!"


def wrapped(value: Scalar, bits: int) -> Scalar:
    """The signed number of so many bits; 0 or 1 for one bit."""
    if bits == 1:
        return value if is_truth(value) else binary("&", value, 1)
    if bits >= 64 or is_truth(value):
        return value
    if f"s{bits}" in arithmetic.EXTENSIONS:
        return unary(f"s{bits}", value)
    return binary(">>", binary("<<", value, 64 - bits), 64 - bits)


def unsigned(value: Scalar, bits: int) -> Scalar:
    """The unsigned number of so many bits; of 64 it stays signed."""
    if bits >= 64 or bits == 1 or is_truth(value):
        return value
    if f"u{bits}" in arithmetic.EXTENSIONS:
        return unary(f"u{bits}", value)
    return binary("&", value, (1 << bits) - 1)


_PLAIN = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^"}


def llvm_binary(op: str, left: Scalar, right: Scalar, bits: int) -> Scalar:
    """An LLVM instruction on two integers of so many bits."""
    if op in ("and", "or", "xor"):
        return binary(_PLAIN[op], left, right)
    if op in _PLAIN:
        return wrapped(binary(_PLAIN[op], left, right), bits)
    if op == "shl":
        return wrapped(binary("<<", left, unsigned(right, bits)), bits)
    if op == "ashr":
        return binary(">>", left, unsigned(right, bits))
    if op == "lshr":
        return wrapped(binary(">>>", unsigned(left, bits), unsigned(right, bits)), bits)
    if op == "sdiv":
        return wrapped(binary("/", left, right), bits)
    if op == "srem":
        return wrapped(binary("%", left, right), bits)
    if bits < 64:
        operator = {"udiv": "/", "urem": "%"}[op]
        return wrapped(binary(operator, unsigned(left, bits), unsigned(right, bits)), bits)
    quotient = _unsigned_quotient(left, right)
    if op == "udiv":
        return quotient
    return binary("-", left, binary("*", quotient, right))


def _unsigned_quotient(left: Scalar, right: Scalar) -> Scalar:
    """Of 64 bits: by halves, since there is no unsigned division. By a divisor of 2**63 or more,
    which is a negative number here, it is 0 or 1."""
    if isinstance(left, int) and isinstance(right, int):
        if right == 0:
            return 0
        return arithmetic.wrap((left % 2**64) // (right % 2**64))
    half = binary("<<", binary("/", binary(">>>", left, 1), right), 1)
    rest = binary("-", left, binary("*", half, right))
    whole = binary("+", half, compare("uge", rest, right, 64))
    if isinstance(right, int) and right > 0:
        return whole
    large = binary("<", right, 0)
    once = binary("*", large, compare("uge", left, right, 64))
    return binary("+", once, binary("*", negated(large), whole))


_SIGNED = {"eq": "==", "ne": "!=", "sgt": ">", "sge": ">=", "slt": "<", "sle": "<="}
_NEGATED = {"==": "!=", "!=": "==", ">": "<=", ">=": "<", "<": ">=", "<=": ">"}


def compare(predicate: str, left: Scalar, right: Scalar, bits: int) -> Scalar:
    """icmp of integers of so many bits."""
    if predicate in _SIGNED:
        if predicate == "ne" and right == 0 and is_truth(left):
            return left
        if predicate == "eq" and right == 0 and is_truth(left):
            return negated(left)
        return binary(_SIGNED[predicate], left, right)
    operator = _SIGNED["s" + predicate[1:]]
    if bits < 64:
        return binary(operator, unsigned(left, bits), unsigned(right, bits))
    return binary(operator, binary("^", left, _LEAST), binary("^", right, _LEAST))


def negated(truth: Scalar) -> Scalar:
    """Not, of 0 or 1."""
    if isinstance(truth, int):
        return int(truth == 0)
    if isinstance(truth, Binary) and truth.op in _NEGATED:
        return Binary(SPAN, _NEGATED[truth.op], truth.left, truth.right)
    if isinstance(truth, Unary) and truth.op == "!" and is_truth(truth.operand):
        return truth.operand
    return unary("!", truth)


def cast(op: str, value: Scalar, source: int, target: int) -> Scalar:
    """trunc, zext, sext between integers of so many bits."""
    if op == "trunc":
        return wrapped(value, target)
    if op == "zext":
        return unsigned(value, source)
    if op == "sext" and source == 1:
        return unary("-", value)
    return value
