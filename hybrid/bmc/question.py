"""The final condition as a truth over the terms of a program."""

from __future__ import annotations

from typing import assert_never

from hybrid.bmc.slots import Symbolic
from hybrid.execution.trace import Status
from hybrid.program.condition import (
    And,
    Compare,
    Formula,
    LocationTerm,
    Not,
    Operand,
    Or,
    RegisterTerm,
    Value,
)


def satisfied(program: Symbolic, formula: Formula) -> int:
    """The truth of `formula` at the end of a run in which every thread comes to its end."""
    terms = program.terms
    if isinstance(formula, Compare):
        left, right = _operand(program, formula.left), _operand(program, formula.right)
        return terms.test(terms.binary(formula.op, left, right))
    if isinstance(formula, Not):
        return terms.negation(satisfied(program, formula.operand))
    if isinstance(formula, And | Or):
        parts = [satisfied(program, operand) for operand in formula.operands]
        return terms.conjunction(*parts) if isinstance(formula, And) else terms.disjunction(parts)
    assert_never(formula)


def _operand(program: Symbolic, operand: Operand) -> int:
    terms = program.terms
    if isinstance(operand, Value):
        return terms.constant(operand.value)
    if isinstance(operand, LocationTerm):
        return terms.final(operand.address)
    if not isinstance(operand, RegisterTerm):
        assert_never(operand)
    for ending in program.endings[operand.thread]:
        if ending.status is Status.COMPLETE and operand.register in ending.registers:
            return ending.registers[operand.register].value
    return terms.constant(0)
