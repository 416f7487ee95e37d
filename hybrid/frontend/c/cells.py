"""Which cells the objects have that threads share: those that accesses name, and those that
accesses through pointers may go to."""

from __future__ import annotations

from collections.abc import Iterator

from hybrid.errors import Unsupported
from hybrid.frontend.c.space import LINK_HINT, CObject, ObjectKey
from hybrid.frontend.c.world import Cell, Reach, World
from hybrid.frontend.llvm.module import ArrayType, DebugPlace, IntType, StructType, Type
from hybrid.printable import number_of
from hybrid.program.origin import FUNCTION

_MOST_ELEMENTS = 65536

Cells = dict[int, int]  # by byte address: the size of the cell that begins there


class SharedCells:
    """The cells of a pass."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.cells: dict[ObjectKey, Cells] = {}
        self._fits: dict[tuple[ObjectKey, int], set[int] | None] = {}  # by object and size
        self._taken: dict[ObjectKey, dict[int, int]] = {}  # by byte: the cell that has it
        # where accesses were followed to: the object, the first offset, size, stride, do they write
        self._followed: set[tuple[ObjectKey, int, int, int, bool]] = set()
        for (key, offset, size), place in self._touched():
            found = world.space.by_key[key]
            fits = self._add(found, found.address + offset, size)
            if not fits and (key, offset, size) not in world.guessed:
                self._refuse(found, found.address + offset, size, place)
        for reach in self._preferred():
            for found, address in self._targets(reach):
                self._add(found, address, reach.size)
                if reach.writes:
                    offset = address - found.address
                    world.learnt.written.update(
                        (found.key, offset + at) for at in range(reach.size)
                    )

    def _touched(self) -> list[tuple[Cell, DebugPlace | None]]:
        """The cells that accesses name, those that are guessed last: they give way."""
        world = self.world
        return sorted(world.touched.items(), key=lambda each: each[0] in world.guessed)

    def _add(self, found: CObject, address: int, size: int) -> bool:
        """Adds a cell; False where another one is in its way."""
        cells = self.cells.setdefault(found.key, {})
        if cells.get(address) == size:
            return True
        taken = self._taken.setdefault(found.key, {})
        if any(at in taken for at in range(address, address + size)):
            return False
        cells[address] = size
        for at in range(address, address + size):
            taken[at] = address
        return True

    def _refuse(self, found: CObject, address: int, size: int, place: DebugPlace | None) -> None:
        world = self.world
        taken = self._taken[found.key]
        other = next(taken[at] for at in range(address, address + size) if at in taken)
        other_size = self.cells[found.key][other]
        offset = other - found.address
        where = world.captions.place(world.touched.get((found.key, offset, other_size)))
        name = world.cell_name(address, size)
        raise Unsupported(
            f"unsupported: mixed sizes: {name} is accessed with {number_of(size, 'byte')} here and "
            f"with {number_of(other_size, 'byte')} at {where or 'another place'}",
            world.captions.span(place),
        )

    def _preferred(self) -> list[Reach]:
        """The accesses through pointers, those that compute with a known address first."""
        return sorted(self.world.reaches, key=lambda each: each.base is None)

    def _targets(self, reach: Reach) -> Iterator[tuple[CObject, int]]:
        """Where an access may go: in objects whose address may be where it takes it from."""
        space = self.world.space
        if reach.base is not None:
            found = space.find(reach.base)
            if found is not None and found.undefined:
                span = self.world.captions.span(self.world.reaches[reach])
                raise Unsupported(f"unsupported: {found.not_defined}", span, LINK_HINT)
            if found is not None:
                yield from self._within(found, reach.base, reach)
            return
        known = self.world.addresses_in(*reach.held) if reach.held is not None else None
        for pointer in sorted(self.world.pointers if known is None else known):
            found = space.find(pointer)
            if found is not None:
                yield from self._within(found, pointer + reach.offset, reach)

    def _within(self, found: CObject, start: int, reach: Reach) -> Iterator[tuple[CObject, int]]:
        """Where in an object; nothing where another access was followed just so."""
        if found.kind == FUNCTION or (found.constant and reach.writes):
            return
        if self.world.is_owned(found) or found.undefined:
            return
        first = (start - found.address) % found.stride if found.stride else 0
        if start < found.address:
            first = start - found.address
        step = reach.stride
        if step:
            first %= step
        way = (found.key, first, reach.size, step, reach.writes)
        if way in self._followed:
            return
        self._followed.add(way)
        known = (found.key, reach.size)
        if known not in self._fits:
            self._fits[known] = self._fitting(found, reach.size)
        fits = self._fits[known]
        offsets = range(first, found.size, step) if step else [first]
        for instance in range(found.used):
            base = found.address + instance * found.stride
            for offset in offsets:
                inside = offset >= 0 and offset + reach.size <= found.size
                inside = inside and (base + offset) % reach.size == 0
                if inside and (fits is None or offset in fits):
                    yield found, base + offset

    def _fitting(self, found: CObject, size: int) -> set[int] | None:
        """Where an object whose type is known has numbers of so many bytes; None: its type is not
        known."""
        types = (
            [(0, found.type)]
            if found.type is not None
            else sorted(found.shapes, key=lambda each: each[0])
        )
        whole = [
            (at, each)
            for at, each in types
            if isinstance(self.world.layout.resolve(each), StructType | ArrayType)
        ]
        if not whole or (found.type is None and whole[0][0] != 0):
            return None
        fits: set[int] = set()
        for at, each in whole:
            length = self.world.layout.stride(each)
            repeats = length and found.type is None and not self._is_part(at, length, whole)
            count = max(1, found.size // length) if repeats else 1
            for number in range(min(count, 4096)):
                self._leaves(each, at + number * length, size, fits, found.size)
        return fits

    def _is_part(self, at: int, length: int, types: list[tuple[int, Type]]) -> bool:
        """Whether a type of so many bytes at an offset is a part of another one: then the object is
        not an array of it."""
        for start, each in types:
            size = self.world.layout.stride(each)
            if start <= at and at + length <= start + size and length < size:
                return True
        return False

    def _leaves(self, type: Type, offset: int, size: int, found: set[int], end: int) -> None:
        """Where a type at an offset has numbers of so many bytes; an array without a length goes on
        to the end of the object."""
        layout = self.world.layout
        resolved = layout.resolve(type)
        if isinstance(resolved, StructType):
            for at, kind in enumerate(resolved.fields):
                self._leaves(kind, offset + layout.offset(resolved, at), size, found, end)
            if not resolved.name:
                found.update(offset + at for at in self._bit_fields(resolved, size))
        elif isinstance(resolved, ArrayType):
            stride = layout.stride(resolved.element)
            count = resolved.count or (max(0, end - offset) // stride if stride else 0)
            for at in range(min(count, _MOST_ELEMENTS)):
                self._leaves(resolved.element, offset + at * stride, size, found, end)
        elif layout.size(resolved) == size:
            found.add(offset)

    def _bit_fields(self, type: StructType, size: int) -> Iterator[int]:
        """Where a struct that stands for an initialiser may have so many bytes of bit fields: it
        has them byte by byte."""
        layout = self.world.layout
        bytes_ = {
            layout.offset(type, at) for at, each in enumerate(type.fields) if each == IntType(8)
        }
        for start in sorted(bytes_):
            if start % size == 0 and bytes_.issuperset(range(start, start + size)):
                yield start

    def by_object(self) -> dict[ObjectKey, tuple[tuple[int, int], ...]]:
        """The cells of each object, of all its instances alike: (offset, size)."""
        made: dict[ObjectKey, tuple[tuple[int, int], ...]] = {}
        for key, cells in self.cells.items():
            found = self.world.space.by_key[key]
            offsets = {((at - found.address) % found.stride, size) for at, size in cells.items()}
            made[key] = tuple(sorted(offsets))
        return made
