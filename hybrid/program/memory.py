"""Where the memory of a program lies: cells with addresses, objects made of cells, and gaps between
the objects.

An object is a location or an array. Every front end places objects by a MemoryLayout, in the
unit of its own addresses: cells in a .prog, bytes in a litmus test. No object has address 0, which
is null; none lies among small numbers, unless the text puts it there; and none touches another. So
an access through null, past the end of an array or through a number that was never an address hits
nothing, and is an error of the program.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from hybrid.source import Span

FIRST = 0x1000  # the first address that a layout gives
GAP = 0x40  # it leaves at least so much free before and after an object …
STEP = 0x40  # … and puts objects at multiples of this
LOWEST, HIGHEST = -(2**63), 2**63 - 1
# of a program, cells of arrays and single locations; each has an initial write, and relations are
# quadratic
MAX_CELLS = 4096

_CELL = re.compile(r"(.+)\[(0|[1-9][0-9]*)\]")


@dataclass(frozen=True, slots=True)
class Location:
    """One memory cell."""

    span: Span
    name: str  # as printed: `x`, `a[1]`
    address: int  # never 0
    initial: int
    initial_name: str = ""  # where the initial value is an address: how that is printed, `&x`


class MemoryLayout:
    """Gives addresses to objects, one after the other."""

    def __init__(self) -> None:
        self._starts: list[int] = []  # of the objects placed so far, in order; they do not overlap
        self._ends: list[int] = []  # of the same; an end is the first address behind an object
        self._next = FIRST

    def clash(self, start: int, size: int) -> int | None:
        """The first of the addresses `start`, … that another object has."""
        place = bisect_right(self._starts, start)
        if place and self._ends[place - 1] > start:
            return start
        if place < len(self._starts) and self._starts[place] < start + size:
            return self._starts[place]
        return None

    def put(self, start: int, size: int) -> None:
        """Places an object where its author wants it: nothing else is there, and it does not cover
        0."""
        assert size > 0 and self.clash(start, size) is None and not start <= 0 < start + size
        place = bisect_right(self._starts, start)
        self._starts.insert(place, start)
        self._ends.insert(place, start + size)

    def place(self, size: int) -> int:
        """Places an object behind those placed so, clear of all others; gives its address."""
        start = self._next
        while (other := self.clash(start - GAP, size + 2 * GAP)) is not None:
            start = _round_up(self._ends[bisect_right(self._starts, other) - 1] + GAP)
        self.put(start, size)
        self._next = _round_up(start + size + GAP)
        return start


def _round_up(address: int) -> int:
    return -(-address // STEP) * STEP


def addresses(sizes: Sequence[int]) -> tuple[int, ...]:
    """The addresses of objects of these sizes, placed in order."""
    layout = MemoryLayout()
    return tuple(layout.place(size) for size in sizes)


@dataclass(frozen=True, slots=True)
class MemoryObject:
    """A location, or the cells of an array, which lie `stride` apart."""

    name: str  # `x`, `a`
    address: int  # of its first cell
    cells: int | None  # None: no array
    stride: int  # 1 where there are no two cells to tell it

    @property
    def last(self) -> int:
        """The address of its last cell."""
        return self.address + ((self.cells or 1) - 1) * self.stride

    def spell(self, address: int) -> str:
        """An address at or near this object: `&x`, `&a[1]`, `&a+9`, `&x-1`."""
        offset = address - self.address
        if self.cells is not None and self.address <= address <= self.last:
            index, rest = divmod(offset, self.stride)
            if not rest:
                return f"&{self.name}[{index}]"
        return f"&{self.name}" if offset == 0 else f"&{self.name}{offset:+d}"


def objects(locations: Sequence[Location]) -> tuple[MemoryObject, ...]:
    """The objects that locations are cells of, by address. Cells `a[0]`, `a[1]`, … at equal
    distances are an array."""
    arrays: dict[str, list[Location]] = {}
    found: list[MemoryObject] = []
    for location in locations:
        match = _CELL.fullmatch(location.name)
        cells = arrays.setdefault(match[1], []) if match else []
        if match and int(match[2]) == len(cells) and _continues(cells, location):
            cells.append(location)
        else:
            found.append(MemoryObject(location.name, location.address, None, 1))
    for name, cells in arrays.items():
        if cells:
            stride = cells[1].address - cells[0].address if len(cells) > 1 else 1
            found.append(MemoryObject(name, cells[0].address, len(cells), stride))
    return tuple(sorted(found, key=lambda each: each.address))


class Objects:
    """The objects of a program, to be found by address."""

    def __init__(self, locations: Sequence[Location]) -> None:
        self.all = objects(locations)  # by address
        self._starts = [each.address for each in self.all]

    def near(self, address: int) -> MemoryObject | None:
        """The object at an address, or the nearest one where the address lies in the gap beside it.
        A small number is near no object: it is only an address where an object was put."""
        place = bisect_right(self._starts, address)
        before = self.all[place - 1] if place else None
        if before is not None and address <= before.last:
            return before
        if abs(address) < FIRST - GAP:
            return None
        after = self.all[place] if place < len(self.all) else None
        behind = GAP if before is None else address - before.last
        ahead = GAP if after is None else after.address - address
        found = before if behind <= ahead else after
        return found if min(behind, ahead) < GAP else None


def _continues(cells: Sequence[Location], location: Location) -> bool:
    """Whether a location follows the cells of an array as they follow each other."""
    if not cells:
        return True
    stride = location.address - cells[-1].address
    return stride > 0 and (len(cells) == 1 or stride == cells[1].address - cells[0].address)
