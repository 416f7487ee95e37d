"""Small helpers for `int` bitsets; hot loops spell them out."""

from __future__ import annotations

from collections.abc import Iterator


def members(bits: int) -> Iterator[int]:
    """The numbers whose bits are set, ascending."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
