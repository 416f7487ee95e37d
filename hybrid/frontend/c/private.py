"""Memory that only the lowering knows: pieces by address, each with a size and a value.

What is read with the size with which it was written is that value. Otherwise bytes are taken apart
and put together again, little end first.
"""

from __future__ import annotations

from hybrid.frontend.c.values import (
    UNSET_VALUE,
    Aggregate,
    LlvmValue,
    Scalar,
    Unset,
    binary,
    unsigned,
    wrapped,
)

Pieces = dict[int, tuple[int, LlvmValue]]  # by address: size in bytes and value, a scalar or Unset
_LARGEST = 16


def read(memory: Pieces, address: int, size: int, zeroed: bool) -> LlvmValue:
    """So many bytes from an address on; what is in no piece is 0 or not set. A value of which some
    bytes are not set is not set."""
    piece = memory.get(address)
    if piece is not None and piece[0] == size:
        return piece[1]
    value: Scalar = 0
    at = address
    while at < address + size:
        found = _piece_at(memory, at)
        if found is None:
            if not zeroed:
                return UNSET_VALUE
            at += 1
            continue
        start, (length, held) = found
        if isinstance(held, Unset | Aggregate):
            return UNSET_VALUE
        count = min(start + length, address + size) - at
        part = _bytes_of(held, length, at - start, count)
        value = binary("|", value, binary("<<", part, 8 * (at - address)))
        at += count
    return wrapped(value, 8 * size)


def write(memory: Pieces, address: int, size: int, value: LlvmValue) -> None:
    """Puts a value there; of pieces that it covers in part the rest stays."""
    piece = memory.get(address)
    if piece is None or piece[0] != size:
        clear(memory, address, size)
    memory[address] = (size, value)


def clear(memory: Pieces, address: int, size: int) -> None:
    """Takes so many bytes out."""
    at = address - _LARGEST + 1
    if size > 4 * len(memory) + 64:  # look through what is there, rather than at each byte
        starts = sorted(s for s, (n, _) in memory.items() if s < address + size and s + n > address)
    else:
        starts = [s for s in range(at, address + size) if s in memory]
    for start in starts:
        length, held = memory[start]
        if start + length <= address:
            continue
        del memory[start]
        for rest in (*range(start, address), *range(address + size, start + length)):
            byte = (
                held
                if isinstance(held, Unset | Aggregate)
                else _bytes_of(held, length, rest - start, 1)
            )
            memory[rest] = (1, byte if isinstance(byte, Unset | Aggregate) else wrapped(byte, 8))


def _piece_at(memory: Pieces, address: int) -> tuple[int, tuple[int, LlvmValue]] | None:
    """The piece that a byte is in, with its address."""
    for start in range(address, address - _LARGEST, -1):
        piece = memory.get(start)
        if piece is not None:
            return (start, piece) if start + piece[0] > address else None
    return None


def _bytes_of(value: Scalar, length: int, first: int, count: int) -> Scalar:
    """Some bytes of a value of so many, as an unsigned number."""
    shifted = binary(">>>", unsigned(value, 8 * length), 8 * first)
    return unsigned(shifted, 8 * count) if count < 8 else shifted


def pieces_in(memory: Pieces, address: int, size: int) -> list[tuple[int, int, LlvmValue]]:
    """The pieces within so many bytes: (offset, size, value), those that stick out left out."""
    if len(memory) < size:
        starts = sorted(start for start in memory if address <= start < address + size)
    else:
        starts = [start for start in range(address, address + size) if start in memory]
    found = [(start - address, *memory[start]) for start in starts]
    return [(offset, length, held) for offset, length, held in found if offset + length <= size]
