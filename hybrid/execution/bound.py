"""Expressions bound to events: registers are replaced by the results of the loads that they hold.

A bound expression is evaluated over `results`, a list that gives each event's result: the value a
load read, the status of a store-conditional. An expression that grows large (registers reassigned
in a loop) is cut into definitions, evaluated one after another, so that neither time nor Python's
stack grows with sharing or depth.
"""

from __future__ import annotations

from typing import Final

from hybrid.program import values

_LARGE: Final = 40  # nodes in one tree; a larger one becomes a definition


class Bound:
    """A bound expression: `slots` holds a bit for each event whose result it needs."""

    __slots__ = ("defs", "size", "slots")

    def __init__(self, slots: int, size: int, defs: tuple[SharedExpression, ...]) -> None:
        self.slots = slots
        self.size = size  # of the tree below, definitions counting 1
        self.defs = defs  # those it stands on, each after what it needs itself

    def tree(self, results: list[int]) -> int:
        """Its value, when the definitions are evaluated already."""
        raise NotImplementedError

    def evaluate(self, results: list[int]) -> int:
        for definition in self.defs:
            definition.value = definition.body.tree(results)
        return self.tree(results)


class Constant(Bound):
    __slots__ = ("value",)

    def __init__(self, value: int) -> None:
        super().__init__(0, 1, ())
        self.value = value

    def tree(self, results: list[int]) -> int:
        return self.value


class EventResult(Bound):
    """The result of an event."""

    __slots__ = ("event",)

    def __init__(self, event: int) -> None:
        super().__init__(1 << event, 1, ())
        self.event = event

    def tree(self, results: list[int]) -> int:
        return results[self.event]


class ValueRead(Bound):
    """What a load would read; `value` is scratch, as that of a shared expression."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        super().__init__(0, 1, ())
        self.value = 0

    def tree(self, results: list[int]) -> int:
        return self.value


class SharedExpression(Bound):
    """A shared expression; `value` is scratch, valid while its user is being evaluated."""

    __slots__ = ("body", "value")

    def __init__(self, body: Bound) -> None:
        super().__init__(body.slots, 1, ())
        self.defs = (*body.defs, self)
        self.body = body
        self.value = 0

    def tree(self, results: list[int]) -> int:
        return self.value


class UnaryOp(Bound):
    __slots__ = ("op", "operand")

    def __init__(self, op: str, operand: Bound) -> None:
        super().__init__(operand.slots, operand.size + 1, operand.defs)
        self.op = op
        self.operand = operand

    def tree(self, results: list[int]) -> int:
        return values.unary(self.op, self.operand.tree(results))


class BinaryOp(Bound):
    __slots__ = ("left", "op", "right")

    def __init__(self, op: str, left: Bound, right: Bound) -> None:
        defs = left.defs
        if right.defs and right.defs is not defs:
            defs = tuple(dict.fromkeys(left.defs + right.defs))
        super().__init__(left.slots | right.slots, left.size + right.size + 1, defs)
        self.op = op
        self.left = left
        self.right = right

    def tree(self, results: list[int]) -> int:
        return values.binary(self.op, self.left.tree(results), self.right.tree(results))


def make_unary(op: str, operand: Bound) -> Bound:
    if isinstance(operand, Constant):
        return Constant(values.unary(op, operand.value))
    return _small(UnaryOp(op, operand))


def make_binary(op: str, left: Bound, right: Bound) -> Bound:
    """Only constants are folded: `r ^ r` still needs r, as the dependency does."""
    if isinstance(left, Constant) and isinstance(right, Constant):
        return Constant(values.binary(op, left.value, right.value))
    return _small(BinaryOp(op, left, right))


def _small(expr: Bound) -> Bound:
    return SharedExpression(expr) if expr.size > _LARGE else expr
