"""Final conditions: a quantifier over complete executions and a formula over their final states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import assert_never

from hybrid.program import values
from hybrid.source import Span


class Quantifier(Enum):
    EXISTS = "exists"  # a question: is there such an execution?
    NOT_EXISTS = "~exists"  # a claim: there is none
    FORALL = "forall"  # a claim: all are so


@dataclass(frozen=True, slots=True)
class Look:
    """The type in which a value is printed: that of its declaration."""

    bits: int = values.BITS
    signed: bool = True

    def cast(self, value: int) -> int:
        """`value` as a number of the type; one that is too large for it stays as it is."""
        if not -(1 << (self.bits - 1)) <= value < 1 << self.bits:
            return value
        return values.narrow(value, self.bits) if self.signed else value & ((1 << self.bits) - 1)


_WHOLE = Look()


@dataclass(frozen=True, slots=True)
class RegisterTerm:
    """The final value of a register of a thread."""

    span: Span
    thread: int  # index into Program.threads
    register: str
    name: str  # as printed: `P:r0`
    look: Look = field(default=_WHOLE, compare=False)


@dataclass(frozen=True, slots=True)
class LocationTerm:
    """The final value of a location."""

    span: Span
    address: int
    name: str  # as printed: `x`, `a[1]`
    look: Look = field(default=_WHOLE, compare=False)
    array: str = field(default="", compare=False)  # it is one of all cells of this array: `a={1,2}`


@dataclass(frozen=True, slots=True)
class Value:
    """A literal or, with a name, the address of a location."""

    span: Span
    value: int
    name: str = ""


Term = RegisterTerm | LocationTerm
Operand = Term | Value


@dataclass(frozen=True, slots=True)
class Compare:
    span: Span
    op: str  # one of values.COMPARISONS
    left: Operand
    right: Operand


@dataclass(frozen=True, slots=True)
class Not:
    span: Span
    operand: Formula


@dataclass(frozen=True, slots=True)
class And:
    span: Span
    operands: tuple[Formula, ...]  # of none it is true


@dataclass(frozen=True, slots=True)
class Or:
    span: Span
    operands: tuple[Formula, ...]  # of none it is false


Formula = Compare | Not | And | Or


@dataclass(frozen=True, slots=True)
class Condition:
    span: Span
    quantifier: Quantifier
    formula: Formula
    # The formula as herd spells it, in a litmus test: a comparison may stand for several of ours.
    text: str = field(default="", compare=False)

    @property
    def asks_nothing(self) -> bool:
        """`forall (true)`, which herd has for a test that states no condition."""
        return self.quantifier is Quantifier.FORALL and self.formula == And(self.formula.span, ())


def terms(formula: Formula) -> tuple[Term, ...]:
    """The registers and locations that `formula` speaks of, in order of appearance, each once."""
    found: dict[str, Term] = {}
    for term in every_term(formula):
        found.setdefault(term.name, term)
    return tuple(found.values())


def every_term(formula: Formula) -> list[Term]:
    """The registers and locations that `formula` speaks of, as often as it does."""
    if isinstance(formula, Compare):
        return [side for side in (formula.left, formula.right) if not isinstance(side, Value)]
    if isinstance(formula, Not):
        return every_term(formula.operand)
    if isinstance(formula, And | Or):
        return [term for operand in formula.operands for term in every_term(operand)]
    assert_never(formula)


def holds(formula: Formula, value_of: Callable[[Term], int]) -> bool:
    """Whether `formula` is true of the final state that `value_of` reads."""
    if isinstance(formula, Compare):
        left = formula.left.value if isinstance(formula.left, Value) else value_of(formula.left)
        right = formula.right.value if isinstance(formula.right, Value) else value_of(formula.right)
        return values.binary(formula.op, left, right) != 0
    if isinstance(formula, Not):
        return not holds(formula.operand, value_of)
    if isinstance(formula, And):
        return all(holds(operand, value_of) for operand in formula.operands)
    if isinstance(formula, Or):
        return any(holds(operand, value_of) for operand in formula.operands)
    assert_never(formula)


def show_condition(
    condition: Condition, spell: Callable[[Term], str] = lambda term: term.name
) -> str:
    """`exists (0:r1=1 /\\ x=2)`, as its author wrote it where that is known."""
    return f"{condition.quantifier.value} ({condition.text or show(condition.formula, spell)})"


def show(formula: Formula, spell: Callable[[Term], str] = lambda term: term.name) -> str:
    """`formula` in herd's spelling; `spell` gives the names of registers and locations."""

    def side(operand: Operand) -> str:
        return (
            (operand.name or str(operand.value)) if isinstance(operand, Value) else spell(operand)
        )

    if isinstance(formula, Compare):
        op = "=" if formula.op == "==" else formula.op
        return f"{side(formula.left)}{op}{side(formula.right)}"
    if isinstance(formula, Not):
        return f"~({show(formula.operand, spell)})"
    if isinstance(formula, And | Or):
        if not formula.operands:
            return "true" if isinstance(formula, And) else "false"
        joint = " /\\ " if isinstance(formula, And) else " \\/ "
        parts = [
            f"({show(o, spell)})" if isinstance(o, And | Or) and o.operands else show(o, spell)
            for o in formula.operands
        ]
        return joint.join(parts)
    assert_never(formula)
