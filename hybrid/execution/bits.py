"""Small helpers for `int` bitsets; hot loops spell them out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

_MADE: Final = [1 << number for number in range(512)]


def bit_of(number: int) -> int:
    """1 << number, which takes long where the number is large."""
    return _MADE[number] if number < 512 else 1 << number


def members(bits: int) -> Iterator[int]:
    """The numbers whose bits are set, ascending."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
