"""Final conditions: a quantifier over complete executions and a formula over their final states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from hybrid.program import values
from hybrid.source import Span


class Quantifier(Enum):
    EXISTS = "exists"  # a question: is there such an execution?
    NOT_EXISTS = "~exists"  # a claim: there is none
    FORALL = "forall"  # a claim: all are so


@dataclass(frozen=True, slots=True)
class RegisterTerm:
    """The final value of a register of a thread."""

    span: Span
    thread: int  # index into Program.threads
    register: str
    name: str  # as printed: `P:r0`


@dataclass(frozen=True, slots=True)
class LocationTerm:
    """The final value of a location."""

    span: Span
    address: int
    name: str  # as printed: `x`, `a[1]`


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

    @property
    def asks_nothing(self) -> bool:
        """`forall (true)`, which herd has for a test that states no condition."""
        return self.quantifier is Quantifier.FORALL and self.formula == And(self.formula.span, ())


def terms(formula: Formula) -> tuple[Term, ...]:
    """The registers and locations that `formula` speaks of, in order of appearance, each once."""
    found: dict[str, Term] = {}

    def walk(node: Formula) -> None:
        if isinstance(node, Compare):
            for side in (node.left, node.right):
                if not isinstance(side, Value):
                    found.setdefault(side.name, side)
        elif isinstance(node, Not):
            walk(node.operand)
        else:
            for operand in node.operands:
                walk(operand)

    walk(formula)
    return tuple(found.values())


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
    return any(holds(operand, value_of) for operand in formula.operands)


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
    if not formula.operands:
        return "true" if isinstance(formula, And) else "false"
    joint = " /\\ " if isinstance(formula, And) else " \\/ "
    parts = [
        f"({show(o, spell)})" if isinstance(o, And | Or) and o.operands else show(o, spell)
        for o in formula.operands
    ]
    return joint.join(parts)
