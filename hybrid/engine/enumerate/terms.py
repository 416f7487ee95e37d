"""Symbolic values: what a register holds on a control-flow path, as a term over the values that
loads will read.

A term is a number; equal terms have equal numbers, operands have smaller ones. Terms of constants
only are folded into a constant. Nothing else is simplified: `r ^ r` stays a term over r.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from hybrid.execution.trace import EventId
from hybrid.program import values
from hybrid.program.expr import Binary, Const, Expr, Register, Unary


class Terms:
    """All terms of one exploration."""

    def __init__(self) -> None:
        self.op: list[str] = []  # "const", "load" or the operator
        self.left: list[int] = []  # an operand; the value of a constant
        self.right: list[int] = []  # the second operand, or -1
        self._known: dict[tuple[object, ...], int] = {}

    def constant(self, value: int) -> int:
        return self._term("const", value, -1)

    def load(self, event: EventId) -> int:
        """The value that the load `event` reads."""
        key = ("load", event)
        if key not in self._known:
            self._known[key] = self._append("load", -1, -1)
        return self._known[key]

    def unary(self, op: str, operand: int) -> int:
        if self.op[operand] == "const":
            return self.constant(values.unary(op, self.left[operand]))
        return self._term(op, operand, -1)

    def binary(self, op: str, left: int, right: int) -> int:
        if self.op[left] == "const" and self.op[right] == "const":
            return self.constant(values.binary(op, self.left[left], self.left[right]))
        return self._term(op, left, right)

    def expression(self, expr: Expr, registers: Mapping[str, int]) -> int:
        """The term of `expr` where registers hold the terms given; others hold 0."""
        if isinstance(expr, Const):
            return self.constant(expr.value)
        if isinstance(expr, Register):
            held = registers.get(expr.name)
            return self.constant(0) if held is None else held
        if isinstance(expr, Unary):
            return self.unary(expr.op, self.expression(expr.operand, registers))
        if isinstance(expr, Binary):
            left = self.expression(expr.left, registers)
            return self.binary(expr.op, left, self.expression(expr.right, registers))
        assert_never(expr)

    def value(self, term: int) -> int | None:
        """The value of a constant; None of a term that depends on loads."""
        return self.left[term] if self.op[term] == "const" else None

    def step(self, term: int, known: Mapping[int, int]) -> int | None:
        """The value of an operator term when its operands are `known`, else None. A load has none
        of its own."""
        op = self.op[term]
        if op == "const":
            return self.left[term]
        if op == "load":
            return None
        left = known.get(self.left[term])
        if left is None:
            return None
        if self.right[term] < 0:
            return values.unary(op, left)
        right = known.get(self.right[term])
        return None if right is None else values.binary(op, left, right)

    def closure(self, roots: set[int]) -> tuple[int, ...]:
        """`roots` and everything they are made of, operands first."""
        found = set(roots)
        pending = list(roots)
        while pending:
            term = pending.pop()
            if self.op[term] in ("const", "load"):
                continue
            for operand in (self.left[term], self.right[term]):
                if operand >= 0 and operand not in found:
                    found.add(operand)
                    pending.append(operand)
        return tuple(sorted(found))

    def _term(self, op: str, left: int, right: int) -> int:
        key = (op, left, right)
        if key not in self._known:
            self._known[key] = self._append(op, left, right)
        return self._known[key]

    def _append(self, op: str, left: int, right: int) -> int:
        self.op.append(op)
        self.left.append(left)
        self.right.append(right)
        return len(self.op) - 1
