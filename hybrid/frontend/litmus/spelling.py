"""Conditions of litmus tests as herd spells them: what was written, parsed and printed again.

Parentheses stand where they are needed and nowhere else: around `\\/` and `=>` within `/\\`, around
`=>` within `\\/`, around `/\\` and `\\/` within `=>`; a negation is `not (…)`. Registers keep the
names that the test gives them, numbers are decimal and of the type of what they are compared with,
addresses are a location and bytes.
"""

from __future__ import annotations

from collections.abc import Callable

from hybrid.frontend.litmus import syntax as sx
from hybrid.frontend.litmus.state import Memory

_TOP, _AND, _OR, _IMPLIES = "", "/\\", "\\/", "=>"
_IN_PARENTHESES = {
    (_AND, _OR),
    (_AND, _IMPLIES),
    (_OR, _IMPLIES),
    (_IMPLIES, _AND),
    (_IMPLIES, _OR),
}

# A number as one of the type of the operand that it is compared with.
Cast = Callable[[sx.Operand, int], int]


class Spelling:
    """Spells formulas of one test."""

    def __init__(self, memory: Memory, cast: Cast) -> None:
        self.memory = memory
        self.cast = cast

    def formula(self, formula: sx.Formula, above: str = _TOP) -> str:
        """`formula` as an operand of the operator `above`."""
        if isinstance(formula, sx.CompareClause):
            return self._compare(formula)
        if isinstance(formula, sx.Cells):
            cell = sx.Place(formula.place.span, formula.place.name, 0)
            cells = ",".join(self._value(cell, value) for value in formula.values)
            return _denied(f"{formula.place.name}={{{cells}}}", formula.op)
        if isinstance(formula, sx.NotClause):
            return f"not ({self.formula(formula.operand)})"
        if isinstance(formula, sx.Undefined):
            return "Undef"
        operands: tuple[sx.Formula, ...]
        if isinstance(formula, sx.ImpliesClause):
            here, operands = _IMPLIES, (formula.left, formula.right)
        else:
            here, operands = (_AND if isinstance(formula, sx.AndClause) else _OR), formula.operands
        if not operands:
            return "true" if here == _AND else "false"
        text = f" {here} ".join(self.formula(operand, here) for operand in operands)
        return f"({text})" if (above, here) in _IN_PARENTHESES and len(operands) > 1 else text

    def _compare(self, formula: sx.CompareClause) -> str:
        left, right = formula.left, formula.right
        if isinstance(left, sx.Number | sx.Address):
            left, right = right, left
        return _denied(f"{self._operand(left, left)}={self._operand(right, left)}", formula.op)

    def _operand(self, operand: sx.Operand, other: sx.Operand) -> str:
        if isinstance(operand, sx.RegisterPlace):
            return f"{operand.thread}:{operand.register}"
        if isinstance(operand, sx.Place):
            return operand.name if operand.index is None else f"{operand.name}[{operand.index}]"
        return self._value(other, operand)

    def _value(self, other: sx.Operand, value: sx.Value) -> str:
        if isinstance(value, sx.Number):
            return str(self.cast(other, value.value))
        size = self.memory.variables[value.name].cell_bytes
        offset = value.offset + (value.index or 0) * size
        return value.name if offset == 0 else f"{value.name}{offset:+d}"


def _denied(text: str, op: str) -> str:
    return text if op == "==" else f"not ({text})"
