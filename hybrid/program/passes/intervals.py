"""Sets of 64-bit values as unions of intervals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hybrid.program.values import BITS

LOWEST = -(1 << (BITS - 1))
HIGHEST = (1 << (BITS - 1)) - 1


@dataclass(frozen=True, slots=True)
class Intervals:
    """Disjoint, not adjacent, ascending; both ends belong to an interval."""

    parts: tuple[tuple[int, int], ...]

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __contains__(self, value: int) -> bool:
        return any(low <= value <= high for low, high in self.parts)

    def __and__(self, other: Intervals) -> Intervals:
        return joined(
            (max(low, least), min(high, most))
            for low, high in self.parts
            for least, most in other.parts
        )

    def __or__(self, other: Intervals) -> Intervals:
        return joined((*self.parts, *other.parts))

    def __invert__(self) -> Intervals:
        found: list[tuple[int, int]] = []
        start = LOWEST
        for low, high in self.parts:
            found.append((start, low - 1))
            start = high + 1
        return joined((*found, (start, HIGHEST)))

    def __le__(self, other: Intervals) -> bool:
        """Whether it is a part of the other."""
        return self & other == self

    @property
    def only(self) -> int | None:
        """Its only value, if it has just one."""
        if len(self.parts) == 1 and self.parts[0][0] == self.parts[0][1]:
            return self.parts[0][0]
        return None

    @property
    def comparisons(self) -> tuple[tuple[str, int, str, int], ...]:
        """Comparisons, one or two at a time (`> low` and `<= high`, a second that is not needed is
        empty): a value that satisfies both of some pair is in it. None: every value is."""
        missing = (~self).only
        if missing is not None:
            return (("!=", missing, "", 0),)
        found: list[tuple[str, int, str, int]] = []
        for low, high in self.parts:
            if low == high:
                found.append(("==", low, "", 0))
            elif low > LOWEST and high < HIGHEST:
                found.append((">", low - 1, "<=", high))
            elif low > LOWEST:
                found.append((">", low - 1, "", 0))
            elif high < HIGHEST:
                found.append(("<=", high, "", 0))
        return tuple(found)


def joined(parts: Iterable[tuple[int, int]]) -> Intervals:
    """The union of intervals, of which some may be empty."""
    found: list[tuple[int, int]] = []
    for low, high in sorted(part for part in parts if part[0] <= part[1]):
        if found and low <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(high, found[-1][1]))
        else:
            found.append((low, high))
    return Intervals(tuple(found))


def single(value: int) -> Intervals:
    return Intervals(((value, value),))


def compared(op: str, value: int) -> Intervals:
    """The values that stand in that relation to `value`."""
    if op == "==":
        return single(value)
    if op == "!=":
        return ~single(value)
    if op in ("<", "<="):
        return joined(((LOWEST, value - (op == "<")),))
    if op in (">", ">="):
        return joined(((value + (op == ">"), HIGHEST),))
    raise ValueError(f"no comparison {op!r}")


NONE = Intervals(())
ALL = ~NONE
ZERO = single(0)
ONE = single(1)
TRUTHS = joined(((0, 1),))
