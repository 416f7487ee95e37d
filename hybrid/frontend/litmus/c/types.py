"""Types of herd's C dialect, and values with their types.

An expression of a signed type, or of an unsigned one of fewer than 64 bits, is the number that C
means; one of an unsigned type with 64 bits is the signed number with the same bits. Memory holds
signed numbers of the location's width.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hybrid.program import expr as ex
from hybrid.program import values
from hybrid.source import Span

INT_BITS = 32


@dataclass(frozen=True, slots=True)
class Type:
    name: str  # as messages call it
    bits: int  # 0: void
    signed: bool = True
    pointee: Type | None = None  # of a pointer
    atomic: bool = False
    truth: bool = False  # bool, which holds 0 or 1

    @property
    def bytes(self) -> int:
        return self.bits // 8


INT = Type("int", INT_BITS)
VOID = Type("void", 0)


def pointer_to(type_: Type) -> Type:
    return Type(f"{type_.name}{'' if type_.name.endswith('*') else ' '}*", 64, False, type_)


@dataclass(frozen=True, slots=True)
class Typed:
    """A value: it is computed without memory accesses."""

    expr: ex.Expr
    type: Type


def constant(span: Span, value: int, type_: Type = INT) -> Typed:
    return Typed(ex.Const(span, value), type_)


def promoted(type_: Type) -> Type:
    """Integer promotion: what is narrower than int becomes int."""
    return INT if type_.bits < INT_BITS or type_.truth else replace(type_, atomic=False)


def common(left: Type, right: Type) -> Type:
    """The usual arithmetic conversions."""
    left, right = promoted(left), promoted(right)
    if left.bits != right.bits:
        return left if left.bits > right.bits else right
    return right if left.signed else left


def unary(span: Span, op: str, operand: ex.Expr) -> ex.Expr:
    if isinstance(operand, ex.Const) and not operand.name:
        return ex.Const(span, values.unary(op, operand.value))
    return ex.Unary(span, op, operand)


def binary(span: Span, op: str, left: ex.Expr, right: ex.Expr) -> ex.Expr:
    if isinstance(left, ex.Const) and isinstance(right, ex.Const):
        value = values.binary(op, left.value, right.value)
        return replace(left, span=span) if value == left.value else ex.Const(span, value)
    return ex.Binary(span, op, left, right)


def fit(span: Span, expr: ex.Expr, type_: Type) -> ex.Expr:
    """Any number, brought into the range of a type."""
    if type_.truth:
        return binary(span, "!=", expr, ex.Const(span, 0))
    if type_.bits == values.BITS:
        return expr
    return unary(span, f"{'s' if type_.signed else 'u'}{type_.bits}", expr)


def convert(span: Span, value: Typed, type_: Type) -> Typed:
    """C's conversion to another type."""
    old = value.type
    widens = old.bits <= type_.bits if old.signed == type_.signed else old.bits < type_.bits
    if type_.truth:
        kept = old.truth
    else:
        kept = widens and (type_.signed or not old.signed)
    return Typed(value.expr if kept else fit(span, value.expr, type_), type_)


def held(span: Span, value: Typed, type_: Type) -> ex.Expr:
    """What a location of this type holds when it has the value."""
    expr = convert(span, value, type_).expr
    if type_.signed or type_.bits == values.BITS or type_.truth:
        return expr
    return unary(span, f"s{type_.bits}", expr)


def read(span: Span, register: ex.Expr, type_: Type) -> Typed:
    """The value of a location of this type that holds what is in the register."""
    if type_.signed or type_.bits == values.BITS or type_.truth:
        return Typed(register, type_)
    return Typed(unary(span, f"u{type_.bits}", register), type_)
