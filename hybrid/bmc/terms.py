"""What a bounded program computes, as terms: numbers and truths over the values that loads read.

A term is a number; equal terms have equal numbers, operands have smaller ones. There are two sorts.
Values: `const` (the operand is its value), `load` (what the load of a slot reads), `final` (what is
in a location at the end), the operators of hybrid.program.values, and `mux`, whose operands are
guards and values in turn: it is the value whose guard is true; the guards exclude each other, and
when none is true nobody looks. Truths: `false`, `true`, `not`, `and`, `or`, `test` (a value is not
0), `located` (a value is the address of a location), `choice` (free: whether the store-conditional
of a slot succeeds, whether a weak cas stores if it can, whether the await of a slot waits for
ever).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, assert_never

from hybrid.program import values
from hybrid.program.expr import Binary, Const, Expr, Register, Unary

FALSE: Final = 0
TRUE: Final = 1
LEAVES: Final = ("const", "load", "final", "choice")  # their operands are no terms
_MANY: Final = 24  # alternatives, beyond which a disjunction is not simplified


class FormulaTerms:
    """All terms of one program."""

    def __init__(self, locations: Iterable[int]) -> None:
        self.locations = frozenset(locations)  # addresses
        self.ops: list[str] = ["false", "true"]
        self.args: list[tuple[int, ...]] = [(), ()]
        self._known: dict[tuple[str, tuple[int, ...]], int] = {}
        self._users: list[list[int]] = []

    def users(self) -> list[list[int]]:
        """For each term those of which it is an operand."""
        for term in range(len(self._users), len(self.ops)):
            self._users.append([])
            if self.ops[term] not in LEAVES:
                for arg in dict.fromkeys(self.args[term]):
                    self._users[arg].append(term)
        return self._users

    # ---- values

    def constant(self, value: int) -> int:
        return self._term("const", (value,))

    def load(self, slot: int) -> int:
        return self._term("load", (slot,))

    def final(self, address: int) -> int:
        return self._term("final", (address,))

    def value(self, term: int) -> int | None:
        """The value of a constant, else None."""
        return self.args[term][0] if self.ops[term] == "const" else None

    def unary(self, op: str, operand: int) -> int:
        known = self.value(operand)
        if known is not None:
            return self.constant(values.unary(op, known))
        return self._term(op, (operand,))

    def binary(self, op: str, left: int, right: int) -> int:
        a, b = self.value(left), self.value(right)
        if a is not None and b is not None:
            return self.constant(values.binary(op, a, b))
        return self._term(op, (left, right))

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

    def mux(self, cases: Sequence[tuple[int, int]]) -> int:
        """The value of the case whose guard is true."""
        by_value: dict[int, list[int]] = {}
        for guard, value in cases:
            if guard != FALSE:
                by_value.setdefault(value, []).append(guard)
        if not by_value:
            return self.constant(0)
        if len(by_value) == 1:
            return next(iter(by_value))
        return self._term(
            "mux",
            tuple(
                part
                for value, guards in by_value.items()
                for part in (self.disjunction(guards), value)
            ),
        )

    # ---- truths

    def test(self, value: int) -> int:
        known = self.value(value)
        if known is not None:
            return TRUE if known else FALSE
        return self._term("test", (value,))

    def located(self, address: int) -> int:
        known = self.value(address)
        if known is not None:
            return TRUE if known in self.locations else FALSE
        return self._term("located", (address,))

    def choice(self, slot: int) -> int:
        return self._term("choice", (slot,))

    def negation(self, truth: int) -> int:
        if truth in (FALSE, TRUE):
            return TRUE - truth
        if self.ops[truth] == "not":
            return self.args[truth][0]
        return self._term("not", (truth,))

    def conjunction(self, *truths: int) -> int:
        parts: set[int] = set()
        for truth in truths:
            parts.update(self._conjuncts(truth))
        return self._and(frozenset(parts))

    def disjunction(self, truths: Iterable[int]) -> int:
        """Simplified where alternatives contain each other or differ in one truth only: after both
        ways of a branch have met, what was true before it is what is true after."""
        found = {self._conjuncts(truth) for truth in truths if truth != FALSE}
        while len(found) <= _MANY:
            pair = self._joined(found)
            if pair is None:
                break
            found -= pair[0]
            found.add(pair[1])
        parts = sorted(self._and(part) for part in found)
        if not parts:
            return FALSE
        if len(parts) == 1:
            return parts[0]
        there = set(parts)
        if any(self.negation(part) in there for part in parts):
            return TRUE
        return self._term("or", tuple(parts))

    def _joined(
        self, found: set[frozenset[int]]
    ) -> tuple[set[frozenset[int]], frozenset[int]] | None:
        """Two alternatives that are one, and that one."""
        ordered = sorted(found, key=len)
        for i, small in enumerate(ordered):
            for large in ordered[i + 1 :]:
                only = small - large
                if not only:
                    return {small, large}, small
                if len(only) == 1:
                    (single,) = only
                    opposite = self.negation(single)
                    if opposite in large:
                        shorter = large - {opposite}
                        if shorter == small - {single}:
                            return {small, large}, shorter
                        if small - {single} <= shorter:
                            return {large}, shorter
        return None

    def _conjuncts(self, truth: int) -> frozenset[int]:
        if truth == TRUE:
            return frozenset()
        if self.ops[truth] == "and":
            return frozenset(self.args[truth])
        return frozenset((truth,))

    def _and(self, parts: frozenset[int]) -> int:
        if FALSE in parts or any(self.negation(part) in parts for part in parts):
            return FALSE
        if not parts:
            return TRUE
        if len(parts) == 1:
            return next(iter(parts))
        return self._term("and", tuple(sorted(parts)))

    def _term(self, op: str, args: tuple[int, ...]) -> int:
        key = (op, args)
        term = self._known.get(key)
        if term is None:
            term = self._known[key] = len(self.ops)
            self.ops.append(op)
            self.args.append(args)
        return term
