"""The objects of a compiled program, found by the number of a byte: what pointers are called, and
what is wrong with an access that goes to no cell.

An access has a size, and the cells of an object have theirs (hybrid.program.origin). Beside the end
or the beginning of an object an access is out of bounds; within one, where there is no cell of its
size, the program mixes sizes, which hybrid does not take; elsewhere the pointer is a wild one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from hybrid.program.addresses import Addresses
from hybrid.program.memory import Location
from hybrid.program.origin import (
    BOUNDS,
    FUNCTION,
    MIXED_SIZES,
    NULL,
    SHOWN_AS,
    WILD,
    MemoryBlock,
    Origin,
    byte_of,
    is_null,
    size_of,
)
from hybrid.program.values import wrap

_NEAR = 0x1000  # bytes: so far beside an object an access is said to be out of its bounds
_POINTER = 8  # the size in bytes of a pointer


class CompiledAddresses(Addresses):
    """The names of a compiled program's addresses. Addresses of cells are cell addresses; values
    that are pointers are numbers of bytes."""

    def __init__(
        self,
        locations: Sequence[Location],
        blocks: Sequence[MemoryBlock],
        origins: Mapping[str, Origin],
    ) -> None:
        super().__init__(locations, ())
        self._locations = sorted(locations, key=lambda each: each.address)
        self._blocks = sorted(blocks, key=lambda each: each.address)
        self._starts = [each.address for each in self._blocks]
        self._origins = origins
        self._cells_at = {byte_of(each.address): each.name for each in locations}

    # ---- pointers

    def block(self, byte: int) -> MemoryBlock | None:
        """The object that has a byte."""
        place = bisect_right(self._starts, byte)
        found = self._blocks[place - 1] if place else None
        return found if found is not None and byte < found.address + found.size else None

    def block_near(self, byte: int) -> MemoryBlock | None:
        """The object that has a byte, or the nearest one within some distance."""
        place = bisect_right(self._starts, byte)
        beside = self._blocks[max(place - 1, 0) : place + 1]
        near = [each for each in beside if _distance(each, byte) < _NEAR]
        return min(near, key=lambda each: _distance(each, byte), default=None)

    def name(self, address: int) -> str | None:
        """Of a pointer: `&x`, `&a[2]`, `&q.next`, `&x+2` within a cell; None where it points to no
        object, nor just behind one."""
        found = self.block(address) or self.block(address - 1)
        if found is None:
            return None
        offset = address - found.address
        if offset and address in self._cells_at:
            return f"&{self._cells_at[address]}"
        name = f"({found.name})" if " " in found.name else found.name
        return f"&{name}{offset:+d}" if offset else f"&{name}"

    def name_in_register(self, thread: int, register: str, value: int) -> str | None:
        return SHOWN_AS.get(value) or self.name(value)

    def name_in_cell(self, address: int, value: int) -> str | None:
        if size_of(address) < _POINTER:
            return SHOWN_AS.get(value)
        return SHOWN_AS.get(value) or self.name(value)

    # ---- accesses to no cell

    def stray_kind(self, address: int) -> str:
        byte, size = byte_of(address), size_of(address)
        if is_null(byte):
            return NULL
        block = self.block_near(byte)
        if block is None or block.kind == FUNCTION:
            return WILD
        within = block.address <= byte and byte + size <= block.address + block.size
        return MIXED_SIZES if within else BOUNDS

    def stray(self, address: int) -> str:
        byte, what = byte_of(address), _bytes(size_of(address))
        kind, block = self.stray_kind(address), self.block_near(byte)
        if kind == NULL:
            return f"{what} {_through('a null pointer', byte)}"
        if block is None or kind == WILD:
            found = self.block(byte)
            where = _wild(byte) if found is None else f"at the function {found.name}"
            return f"{what} {where}"
        there = f"{what} at offset {byte - block.address} of {_named(block)}"
        if kind == MIXED_SIZES:
            return f"{there}, where {self._cells(address)}"
        if byte < block.address:
            side = "before its beginning"
        else:
            side = "across its end" if self.block(byte) else "past its end"
        return f"{there}, {side} ({_bytes(block.size)})"

    def overlapped(self, address: int) -> tuple[Location, ...]:
        """The cells that have bytes of an access."""
        first, last = byte_of(address), byte_of(address) + size_of(address)
        return tuple(
            each
            for each in self._locations
            if byte_of(each.address) < last
            and first < byte_of(each.address) + size_of(each.address)
        )

    def _cells(self, address: int) -> str:
        """`x is 8 bytes`, `a is 4 bytes and b is 4 bytes`."""
        found = [f"{e.name} is {_bytes(size_of(e.address))}" for e in self.overlapped(address)]
        return " and ".join(found) or "there is no cell"

    def error(self, thread: str, label: str, address: int) -> str:
        origin = self._origins.get(label)
        place = label if origin is None else origin.place
        kind = self.stray_kind(address)
        return f"{kind} at {place} in {thread}: access to {self.stray(address)}"


def _bytes(size: int) -> str:
    return "1 byte" if size == 1 else f"{size} bytes"


def _named(block: MemoryBlock) -> str:
    """`a (queue.c:12)`; the name of what is allocated says where."""
    declared = block.place and block.place not in block.name
    return f"{block.name} ({block.place})" if declared else block.name


def _distance(block: MemoryBlock, byte: int) -> int:
    """How far a byte lies from an object; 0: in it."""
    return max(block.address - byte, byte - (block.address + block.size - 1), 0)


def _through(pointer: str, offset: int) -> str:
    return f"at offset {offset} from {pointer}" if offset else f"through {pointer}"


def _wild(byte: int) -> str:
    """An address where no object is, by what it was made from where that can be seen."""
    for value, name in SHOWN_AS.items():
        offset = byte - byte_of(wrap(value << 2))  # a cell's address loses bits of the pointer
        if abs(offset) < _NEAR:
            return _through(f"a pointer that is {name}", offset)
    return f"at address {byte:#x}, where no object is"
