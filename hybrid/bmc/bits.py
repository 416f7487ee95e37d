"""Arithmetic as clauses: numbers in two's complement, of as many bits as they need, over the gates
of a Logic.

A vector is a tuple of literals, lowest first; the last is the sign and stands for all that would
follow. Results are as wide as they have to be, at most 64 bits, where they wrap; so they are those
of hybrid.program.values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hybrid.encoding.clauses import FALSE, TRUE
from hybrid.encoding.logic import Logic
from hybrid.errors import InternalError
from hybrid.program.values import BITS, EXTENSIONS

Vector = tuple[int, ...]

_SHIFT_BITS: Final = BITS.bit_length() - 1


def constant(value: int) -> Vector:
    size = max(value, -value - 1).bit_length() + 1
    return tuple(TRUE if value >> i & 1 else FALSE for i in range(size))


def known(vector: Vector) -> int | None:
    """The value of a vector of constants, else None."""
    if any(bit not in (TRUE, FALSE) for bit in vector):
        return None
    return number([bit == TRUE for bit in vector])


def number(bits: list[bool]) -> int:
    """The number in two's complement."""
    value = sum(1 << i for i, bit in enumerate(bits) if bit)
    return value - (1 << len(bits)) if bits[-1] else value


def extend(vector: Vector, size: int) -> Vector:
    """With `size` bits: sign bits added, or the upper ones left out."""
    return vector[:size] if len(vector) >= size else vector + vector[-1:] * (size - len(vector))


def shorten(vector: Vector) -> Vector:
    """Without sign bits that say nothing new."""
    size = len(vector)
    while size > 1 and vector[size - 1] == vector[size - 2]:
        size -= 1
    return vector[:size]


class Bits:
    """Gates and operators over one Logic."""

    def __init__(self, logic: Logic) -> None:
        self.logic = logic
        self._gates: dict[tuple[str, int, int, int], int] = {}
        self._operators: dict[str, Callable[[Vector, Vector], Vector]] = {
            "+": lambda a, b: self.add(a, b),
            "-": lambda a, b: self.add(a, self.invert(b), TRUE),
            "*": self.multiply,
            "/": lambda a, b: self.divide(a, b)[0],
            "%": lambda a, b: self.divide(a, b)[1],
            "&": lambda a, b: self._each(a, b, self.both),
            "|": lambda a, b: self._each(a, b, self.either),
            "^": lambda a, b: self._each(a, b, self.xor),
            "<<": self.shift_left,
            ">>": self.shift_right,
            "==": lambda a, b: self.truth(self.equal(a, b)),
            "!=": lambda a, b: self.truth(-self.equal(a, b)),
            "<": lambda a, b: self.truth(self.less(a, b)),
            "<=": lambda a, b: self.truth(-self.less(b, a)),
            ">": lambda a, b: self.truth(self.less(b, a)),
            ">=": lambda a, b: self.truth(-self.less(a, b)),
            "&&": lambda a, b: self.truth(self.both(self.nonzero(a), self.nonzero(b))),
            "||": lambda a, b: self.truth(self.either(self.nonzero(a), self.nonzero(b))),
            "min": lambda a, b: self.choose(self.less(a, b), a, b),
            "max": lambda a, b: self.choose(self.less(a, b), b, a),
            ">>>": lambda a, b: self.shift_right(extend(a, BITS), b, FALSE),
            "umin": lambda a, b: self.choose(self.below(a, b), a, b),
            "umax": lambda a, b: self.choose(self.below(a, b), b, a),
            "nand": lambda a, b: self.invert(self._each(a, b, self.both)),
        }

    # ---- gates

    def both(self, a: int, b: int) -> int:
        return self.logic.conjunction((a, b))

    def either(self, a: int, b: int) -> int:
        return self.logic.disjunction((a, b))

    def xor(self, a: int, b: int) -> int:
        if abs(a) == TRUE:
            return -b if a == TRUE else b
        if abs(b) == TRUE:
            return -a if b == TRUE else a
        if abs(a) == abs(b):
            return FALSE if a == b else TRUE
        sign = 1 if (a < 0) == (b < 0) else -1
        a, b = sorted((abs(a), abs(b)))
        return sign * self._gate("xor", a, b, 0)

    def ite(self, a: int, b: int, c: int) -> int:
        """If a then b else c."""
        if a < 0:
            a, b, c = -a, c, b
        if a == TRUE or b == c:
            return b
        if b == -c:
            return -self.xor(a, b)
        if b in (TRUE, a):
            return self.either(a, c)
        if b in (FALSE, -a):
            return self.both(-a, c)
        if c in (TRUE, -a):
            return self.either(-a, b)
        if c in (FALSE, a):
            return self.both(a, b)
        return self._gate("ite", a, b, c)

    def majority(self, a: int, b: int, c: int) -> int:
        for x, y, z in ((a, b, c), (a, c, b), (b, c, a)):
            if x == y:
                return x
            if x == -y:
                return z
            if z == TRUE:
                return self.either(x, y)
            if z == FALSE:
                return self.both(x, y)
        a, b, c = sorted((a, b, c))
        return self._gate("majority", a, b, c)

    def _gate(self, kind: str, a: int, b: int, c: int) -> int:
        key = (kind, a, b, c)
        out = self._gates.get(key)
        if out is None:
            out = self._gates[key] = self.logic.variable(key)
            add = self.logic.add
            if kind == "xor":
                for clause in ((a, b, -out), (-a, -b, -out), (a, -b, out), (-a, b, out)):
                    add(clause)
            elif kind == "ite":
                for clause in ((-a, -b, out), (-a, b, -out), (a, -c, out), (a, c, -out)):
                    add(clause)
                add((-b, -c, out))
                add((b, c, -out))
            else:
                for x, y in ((a, b), (a, c), (b, c)):
                    add((-x, -y, out))
                    add((x, y, -out))
        return out

    # ---- operators

    def unary(self, op: str, operand: Vector) -> Vector:
        if op == "-":
            return self.negate(operand)
        if op == "~":
            return self.invert(operand)
        if op == "!":
            return self.truth(-self.nonzero(operand))
        size = EXTENSIONS.get(op)
        if size is None:
            raise InternalError(f"no unary operator {op!r}")
        low = extend(operand, size)
        return low if op[0] == "s" else (*low, FALSE)

    def binary(self, op: str, left: Vector, right: Vector) -> Vector:
        return shorten(self._operators[op](left, right))

    def truth(self, literal: int) -> Vector:
        """0 or 1."""
        return literal, FALSE

    def nonzero(self, vector: Vector) -> int:
        return self.logic.disjunction(vector)

    def equal(self, left: Vector, right: Vector) -> int:
        size = max(len(left), len(right))
        pairs = zip(extend(left, size), extend(right, size), strict=True)
        return self.logic.conjunction([-self.xor(a, b) for a, b in pairs])

    def less(self, left: Vector, right: Vector) -> int:
        """Compared from the lowest bit upwards; with the signs it is the other way round."""
        size = max(len(left), len(right))
        a, b = extend(left, size), extend(right, size)
        result = FALSE
        for x, y in zip(a[:-1], b[:-1], strict=True):
            result = self.majority(-x, y, result)
        return self.majority(a[-1], -b[-1], result)

    def below(self, left: Vector, right: Vector) -> int:
        """Less as numbers without a sign: of different signs the negative one is the larger."""
        return self.ite(self.xor(left[-1], right[-1]), right[-1], self.less(left, right))

    def choose(self, condition: int, yes: Vector, no: Vector) -> Vector:
        return self._each(yes, no, lambda a, b: self.ite(condition, a, b))

    def _each(self, left: Vector, right: Vector, gate: Callable[[int, int], int]) -> Vector:
        size = max(len(left), len(right))
        pairs = zip(extend(left, size), extend(right, size), strict=True)
        return tuple(gate(a, b) for a, b in pairs)

    def invert(self, vector: Vector) -> Vector:
        return tuple(-bit for bit in vector)

    def negate(self, vector: Vector) -> Vector:
        return self.add(constant(0), self.invert(vector), TRUE)

    def add(self, left: Vector, right: Vector, carry: int = FALSE) -> Vector:
        return self._sum(left, right, carry, min(BITS, max(len(left), len(right)) + 1))

    def _sum(self, left: Vector, right: Vector, carry: int, size: int) -> Vector:
        """Modulo 2 to the power of `size`."""
        total = []
        for a, b in zip(extend(left, size), extend(right, size), strict=True):
            total.append(self.xor(self.xor(a, b), carry))
            carry = self.majority(a, b, carry)
        return tuple(total)

    def multiply(self, left: Vector, right: Vector) -> Vector:
        """Modulo a power of two large enough."""
        size = min(BITS, len(left) + len(right))
        a, b = extend(left, size), extend(right, size)
        if sum(bit == FALSE for bit in a) > sum(bit == FALSE for bit in b):
            a, b = b, a
        total: Vector = constant(0)
        for i, bit in enumerate(b):
            if bit != FALSE:
                row = (FALSE,) * i + tuple(self.both(bit, x) for x in a[: size - i])
                total = extend(self.add(extend(total, size), row), size)
        return extend(total, size)

    def divide(self, left: Vector, right: Vector) -> tuple[Vector, Vector]:
        """Quotient towards zero and remainder with the sign of `left`; by zero the quotient is 0,
        the remainder `left`."""
        size = max(len(left), len(right)) + 1  # room for the smallest number without its sign
        a, b = extend(left, size), extend(right, size)
        top, bottom = self._signed(a[-1], a, size), self._signed(b[-1], b, size + 1)
        rest: Vector = constant(0)
        digits: list[int] = []
        for bit in reversed(top):  # as on paper, in base 2
            rest = extend((bit, *rest), size + 1)
            fits = -self.less(rest, bottom)
            digits.append(fits)
            reduced = self._sum(rest, self.invert(bottom), TRUE, size + 1)
            rest = self.choose(fits, reduced, rest)
        quotient = self._signed(self.xor(a[-1], b[-1]), (*reversed(digits), FALSE), size + 1)
        remainder = self._signed(a[-1], rest, size + 1)
        divisible = self.nonzero(right)
        quotient = self.choose(divisible, quotient, constant(0))
        remainder = self.choose(divisible, remainder, left)
        return extend(quotient, min(size, BITS)), extend(remainder, min(size, BITS))

    def _signed(self, negative: int, vector: Vector, size: int) -> Vector:
        """The vector, or minus it."""
        opposite = self._sum(constant(0), self.invert(vector), TRUE, size)
        return self.choose(negative, opposite, extend(vector, size))

    def shift_left(self, left: Vector, right: Vector) -> Vector:
        vector = extend(left, BITS)
        for i, bit in enumerate(extend(right, _SHIFT_BITS)):
            moved = ((FALSE,) * (1 << i) + vector)[:BITS]
            vector = self.choose(bit, moved, vector)
        return vector

    def shift_right(self, left: Vector, right: Vector, zero: int | None = None) -> Vector:
        """The sign comes in from above; or, of a whole number of bits, `zero`."""
        vector = left
        for i, bit in enumerate(extend(right, _SHIFT_BITS)):
            moved = vector[1 << i :] or vector[-1:]
            if zero is not None:
                moved = vector[1 << i :] + (zero,) * (1 << i)
            vector = self.choose(bit, moved, vector)
        return vector
