"""The memory of a litmus test: where locations lie, how wide they are, what they hold first.

Locations that the initial state does not declare begin to exist when it or the code names them, and
hold 0; the final part names no new ones. Addresses are those of bytes; variables lie apart from
each other (see hybrid.program.memory). The cells of an array follow each other at the size of its
type. A location narrower than 64 bits holds its value as a signed number of its width.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hybrid.errors import InputError, Unsupported
from hybrid.frontend.litmus import syntax as sx
from hybrid.frontend.litmus.read_initial import is_translation
from hybrid.parsing import did_you_mean
from hybrid.program import values
from hybrid.program.memory import Location, MemoryLayout
from hybrid.source import Span

INT = 32  # bits of a location of which nothing tells the width
MOST_CELLS = 4096


@dataclass(slots=True)
class Variable:
    """A location, or an array of them."""

    span: Span
    name: str
    type: sx.CType | None
    cells: int | None  # None: no array
    address: int
    cell_bytes: int
    initial: dict[int, tuple[int, Span]]  # by cell; others hold 0

    @property
    def bits(self) -> int | None:
        """The width that its type tells; None for a pointer or without a type."""
        return None if self.type is None or self.type.pointers else self.type.bits

    def cell_name(self, index: int) -> str:
        return self.name if self.cells is None else f"{self.name}[{index}]"

    def show(self) -> str:
        """The variable and its type, for messages."""
        if self.type is None:
            return f"`{self.name}`"
        return f"`{self.name}` of type {self.type.name}{'*' * self.type.pointers}"


class Memory:
    """The variables of a test, in the order in which they are first named."""

    def __init__(self, initial: tuple[sx.Init, ...]) -> None:
        self.variables: dict[str, Variable] = {}
        self.named: dict[int, str] = {}  # addresses among initial values: how they are printed
        self._layout = MemoryLayout()
        self._closed = False  # no further variable may begin to exist
        declared = [init for init in initial if isinstance(init, sx.LocationInit)]
        for init in declared:
            self._declare(init, declared)
        for init in declared:
            self._initialise(init)

    def _declare(self, init: sx.LocationInit, declared: list[sx.LocationInit]) -> None:
        if init.name in self.variables:
            if init.type is not None or init.length is not None:
                raise InputError(f"`{init.name}` is declared twice", init.span)
            return
        cells = init.length
        if init.index is not None:  # `a[1]=2` alone: an array just long enough
            cells = 1 + max(d.index or 0 for d in declared if d.name == init.name)
        self._add(init.span, init.name, init.type, cells)

    def _add(self, span: Span, name: str, type_: sx.CType | None, cells: int | None) -> Variable:
        if is_translation(name):
            raise Unsupported(f"unsupported location `{name}`: page tables", span)
        size = INT // 8
        if type_ is not None:
            size = 8 if type_.pointers else type_.bits // 8
        address = self._layout.place(max(1, cells or 1) * size)
        variable = Variable(span, name, type_, cells, address, size, {})
        self.variables[name] = variable
        if sum(v.cells if v.cells is not None else 1 for v in self.variables.values()) > MOST_CELLS:
            raise InputError(f"more than {MOST_CELLS} locations", span)
        return variable

    def _initialise(self, init: sx.LocationInit) -> None:
        if init.values is None:
            return
        variable = self.variables[init.name]
        first = init.index or 0
        if variable.cells is None and len(init.values) != 1:
            raise InputError(f"`{init.name}` is not an array", init.span)
        if variable.cells is not None and init.index is None and init.length is None:
            raise InputError(f"`{init.name}` is an array", init.span, f"write `{init.name}[0]=…`")
        if first + len(init.values) > (variable.cells if variable.cells is not None else 1):
            raise InputError(f"`{init.name}` has {variable.cells or 1} cells only", init.span)
        for index, value in enumerate(init.values, first):
            if index in variable.initial:
                message = f"`{variable.cell_name(index)}` has two initial values"
                raise InputError(message, init.span)
            variable.initial[index] = (self.value(value), value.span)

    def variable(self, name: str, span: Span) -> Variable:
        """The variable of that name, which begins to exist if it did not."""
        found = self.variables.get(name)
        if found is None and self._closed:
            expected = "expected one that the initial state or the code names"
            guess = did_you_mean(name, self.variables)
            hint = f"{expected}; {guess}" if guess else expected
            raise InputError(f"the test has no location `{name}`", span, hint)
        return found or self._add(span, name, None, None)

    def close(self) -> None:
        """All that may name new locations has been read: the initial state and the code."""
        self._closed = True

    def cell(self, name: str, index: int | None, span: Span) -> tuple[int, str]:
        """Address and name of a location or a cell."""
        variable = self.variable(name, span)
        if index is None:
            if variable.cells is not None:
                raise InputError(f"`{name}` is an array", span, f"name a cell: `{name}[0]`")
            return variable.address, name
        if not 0 <= index < (variable.cells if variable.cells is not None else 1):
            message = f"`{name}` has no cell {index}"
            raise InputError(message, span, did_you_mean(name, self.variables.keys() - {name}))
        return variable.address + index * variable.cell_bytes, variable.cell_name(index)

    def address(self, name: str, index: int | None, offset: int, span: Span) -> tuple[int, str]:
        """An address as a number, and how it is written; that of an array is that of its first
        cell."""
        variable = self.variable(name, span)
        if index is not None:
            number, name = self.cell(name, index, span)
        else:
            number = variable.address
        return values.wrap(number + offset), f"{name}+{offset}" if offset else name

    def value(self, value: sx.Value) -> int:
        """The number that an initial value stands for."""
        if isinstance(value, sx.Number):
            return value.value
        number, name = self.address(value.name, value.index, value.offset, value.span)
        self.named[number] = f"&{name}"
        return number

    def names_of(self, start: Mapping[str, int]) -> dict[str, str]:
        """Of the registers that start so, those that start with an address: how it is printed."""
        return {name: self.named[value] for name, value in start.items() if value in self.named}

    def at(self, address: int) -> Variable | None:
        """The variable within which an address lies."""
        for variable in self.variables.values():
            size = (variable.cells or 1) * variable.cell_bytes
            if variable.address <= address < variable.address + size:
                return variable
        return None

    def locations(self, bits: dict[str, int]) -> tuple[Location, ...]:
        """The memory cells, where each variable has the width that `bits` tells (else that of its
        type, else INT)."""
        found: list[Location] = []
        for variable in self.variables.values():
            width = bits.get(variable.name) or variable.bits or INT
            for index in range(1 if variable.cells is None else variable.cells):
                value, span = variable.initial.get(index, (0, variable.span))
                name = variable.cell_name(index)
                address = variable.address + index * variable.cell_bytes
                if variable.bits is None and width < INT and not fits(value, width):
                    message = f"unsupported: `{name}` is {value} and has accesses of {width} bits"
                    raise Unsupported(message, span, "mixed sizes are not supported")
                stored = narrow(value, width, span)
                found.append(Location(span, name, address, stored, self.named.get(stored, "")))
        return tuple(found)


def fits(value: int, bits: int) -> bool:
    """Whether a number is one of `bits`, signed or not."""
    return bits >= values.BITS or -(1 << (bits - 1)) <= value < 1 << bits


def narrow(value: int, bits: int, span: Span) -> int:
    """`value` as a signed number of `bits`; it must be one of that width, signed or not."""
    if not fits(value, bits):
        raise InputError(f"{value} does not fit {bits} bits", span)
    return values.narrow(value, bits)
