"""Arithmetic expressions over registers, literals and addresses of locations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from hybrid.program import values
from hybrid.source import Span


@dataclass(frozen=True, slots=True)
class Const:
    """A literal, or an address already resolved: then `name` is what it is printed as."""

    span: Span
    value: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Register:
    span: Span
    name: str


@dataclass(frozen=True, slots=True)
class Unary:
    span: Span
    op: str  # one of values.UNARY_OPERATORS
    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary:
    span: Span
    op: str  # one of values.BINARY_OPERATORS
    left: Expr
    right: Expr


Expr = Const | Register | Unary | Binary


def registers(expr: Expr) -> frozenset[str]:
    """The names of the registers that occur in `expr`: dependencies are syntactic, `r ^ r` has
    r."""
    if isinstance(expr, Register):
        return frozenset((expr.name,))
    if isinstance(expr, Unary):
        return registers(expr.operand)
    if isinstance(expr, Binary):
        return registers(expr.left) | registers(expr.right)
    if isinstance(expr, Const):
        return frozenset()
    assert_never(expr)


def evaluate(expr: Expr, environment: Mapping[str, int]) -> int:
    """The value of `expr` where registers hold what `environment` says."""
    if isinstance(expr, Const):
        return expr.value
    if isinstance(expr, Register):
        return environment[expr.name]
    if isinstance(expr, Unary):
        return values.unary(expr.op, evaluate(expr.operand, environment))
    if isinstance(expr, Binary):
        left, right = evaluate(expr.left, environment), evaluate(expr.right, environment)
        return values.binary(expr.op, left, right)
    assert_never(expr)


def substituted(expr: Expr, environment: Mapping[str, int]) -> Expr:
    """`expr` with the values of the registers that `environment` has."""
    if isinstance(expr, Register):
        held = environment.get(expr.name)
        return expr if held is None else Const(expr.span, held)
    if isinstance(expr, Unary):
        return replace(expr, operand=substituted(expr.operand, environment))
    if isinstance(expr, Binary):
        left, right = (substituted(each, environment) for each in (expr.left, expr.right))
        return replace(expr, left=left, right=right)
    if isinstance(expr, Const):
        return expr
    assert_never(expr)


def show(expr: Expr, level: int = 0) -> str:
    """`expr` as the .prog language spells it; parentheses only around operands."""
    if isinstance(expr, Const):
        return expr.name or str(expr.value)
    if isinstance(expr, Register):
        return expr.name
    if isinstance(expr, Unary):
        if expr.op in values.EXTENSIONS:
            return f"{expr.op}({show(expr.operand)})"
        return f"{expr.op}{show(expr.operand, 1)}"
    if isinstance(expr, Binary):
        if expr.op in values.FUNCTIONS:
            return f"{expr.op}({show(expr.left)}, {show(expr.right)})"
        op = "=" if expr.op == "==" else expr.op
        text = f"{show(expr.left, 1)} {op} {show(expr.right, 1)}"
        return f"({text})" if level else text
    assert_never(expr)
