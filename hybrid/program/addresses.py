"""What addresses are called, and which values are shown as addresses.

A value is shown by name, `&x`, `&a[1]`, `&a+9`, where it stands in a place that may hold addresses
(see pointers.py) and lies at an object or near it. 0 is null and keeps its number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from hybrid.program.condition import LocationTerm, RegisterTerm, Term
from hybrid.program.memory import Location, MemoryObject, Objects
from hybrid.program.origin import STRAY
from hybrid.program.pointers import Pointers
from hybrid.program.thread import Thread


class Addresses:
    """The names of a program's addresses."""

    def __init__(self, locations: Sequence[Location], threads: Sequence[Thread]) -> None:
        self.objects = Objects(locations)
        self._pointers = Pointers(locations, self.objects, threads)

    # ---- addresses

    def near(self, address: int) -> MemoryObject | None:
        """The object at an address, or the nearest one where the address lies in the gap beside
        it."""
        return self.objects.near(address)

    def split(self, address: int) -> tuple[str, int] | None:
        """The name of the object at or near an address, and how far the address lies from its
        beginning: what herd prints as `x+4`."""
        found = self.near(address)
        return None if found is None else (found.name, address - found.address)

    def name(self, address: int) -> str | None:
        """`&x`, `&a[1]`, `&a+9`; None where there is no object near."""
        found = self.near(address)
        return None if found is None else found.spell(address)

    def stray(self, address: int) -> str:
        """An address to which there is no access, and why."""
        if address == 0:
            return "address 0 (null)"
        found = self.near(address)
        if found is None:
            return f"address {address}, which is not a location"
        if address > found.last:
            where = f"past the end of {found.name}"
        elif address < found.address:
            where = f"before {found.name}"
        else:
            where = f"within {found.name}, but not where a cell begins"
        return f"{found.spell(address)}, which is {where}"

    def stray_kind(self, address: int) -> str:
        """What kind of fault an access to an address is that is not a location."""
        return STRAY

    def error(self, thread: str, label: str, address: int) -> str:
        """What an engine says of an access to no location."""
        return f"thread {thread}, {label}: access to {self.stray(address)}"

    # ---- values

    def name_in(self, term: Term, value: int) -> str | None:
        """The name of a value that a register or location holds, where it may be an address."""
        if isinstance(term, RegisterTerm):
            return self.name_in_register(term.thread, term.register, value)
        if isinstance(term, LocationTerm):
            return self.name_in_cell(term.address, value)
        assert_never(term)

    def name_in_register(self, thread: int, register: str, value: int) -> str | None:
        return self.name(value) if self._pointers.registers.get((thread, register)) else None

    def name_in_cell(self, address: int, value: int) -> str | None:
        return self.name(value) if self._pointers.cells.get(address) else None

    def names(self, terms: Sequence[Term], outcome: Sequence[int]) -> dict[str, str]:
        """The values of an outcome that are addresses: their names, by the names of the terms."""
        found = {t.name: self.name_in(t, v) for t, v in zip(terms, outcome, strict=True)}
        return {term: name for term, name in found.items() if name is not None}

    def show(self, term: Term, value: int) -> str:
        """A final value: by name where it is an address."""
        return self.name_in(term, value) or str(value)

    def show_in_register(self, thread: int, register: str, value: int) -> str:
        return self.name_in_register(thread, register, value) or str(value)

    def show_in_cell(self, address: int | None, value: int | None) -> str:
        """What an event at `address` reads or writes."""
        if address is None or value is None:
            return str(value)
        return self.name_in_cell(address, value) or str(value)
