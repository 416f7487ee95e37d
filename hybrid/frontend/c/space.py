"""The memory of a C program: its objects, each with a place of its own among the addresses.

An object is known by a key that says which one it is, not by when it was made: a global by its
name, a variable of a function by the calls that lead to it, what malloc gives by the call of it. So
its address is the same in every pass over the program, and no address is used twice.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Final

from hybrid.frontend.c.demangle import demangled
from hybrid.frontend.llvm.module import DebugPlace, Type
from hybrid.program.origin import FUNCTION, GLOBAL, HEAP, INTERNAL, STACK, Frame

GAP: Final = 0x40  # at least so many bytes are free behind an object
_FIRST: Final = {  # where the objects of a kind begin
    FUNCTION: 0x40_0000,
    GLOBAL: 0x60_0000,
    INTERNAL: 0x8000_0000,
    HEAP: 0x10_0000_0000,
    STACK: 0x7000_0000_0000,
}

LINK_HINT: Final = "--link makes one program of several files"

ThreadKey = Hashable
ObjectKey = Hashable


@dataclass(slots=True)
class CObject:
    key: ObjectKey
    name: str
    address: int
    size: int
    kind: str  # one of hybrid.program.origin
    owner: (
        ThreadKey | None
    )  # the thread that has it for itself, as long as nobody else can reach it
    zeroed: bool  # what was never written is 0; else it is not set
    type: Type | None = None
    place: str = ""
    constant: bool = False  # it is never written
    instances: int = 1  # equal parts, one for each time that it is allocated; they do not touch
    stride: int = 0  # between them
    used: int = 1  # how many of the instances there may be
    undefined: bool = False  # a variable that the program declares and does not define
    local: tuple[str, str] | None = None  # of a variable: its function, and what it is there
    shapes: set[tuple[int, Type]] = field(default_factory=set)  # (offset, type) as it was used
    made: DebugPlace | None = None  # of what is allocated: where, …
    calls: tuple[Frame, ...] = ()  # … and by which calls

    @property
    def end(self) -> int:
        """The first byte behind it."""
        return self.address + (self.instances - 1) * self.stride + self.size

    @property
    def not_defined(self) -> str:
        return f"the variable {demangled(self.name)}, which this program does not define"


class Space:
    """All objects."""

    def __init__(self) -> None:
        self.by_key: dict[ObjectKey, CObject] = {}
        self._next = dict(_FIRST)
        self._starts: list[int] = []
        self._by_start: dict[int, CObject] = {}
        self._names: dict[str, str] = {}  # with the thread that has it

    def add(
        self,
        key: ObjectKey,
        name: str,
        size: int,
        kind: str,
        *,
        owner: ThreadKey | None = None,
        thread: str = "",
        zeroed: bool = False,
        type: Type | None = None,
        place: str = "",
        constant: bool = False,
        instances: int = 1,
        align: int = 16,
    ) -> CObject:
        """The object with a key, made if it is new. `thread` is the name of the owner."""
        found = self.by_key.get(key)
        if found is not None:
            return found
        name = self._unique(name, thread)
        unit = max(align, GAP)
        stride = -(-(max(size, 1) + GAP) // unit) * unit
        start = -(-self._next[kind] // unit) * unit
        self._next[kind] = start + instances * stride
        made = CObject(
            key, name, start, size, kind, owner, zeroed, type, place, constant, instances, stride
        )
        self.by_key[key] = made
        self._by_start[start] = made
        insort(self._starts, start)
        return made

    def _unique(self, name: str, thread: str) -> str:
        """A name that no other object has: with its thread, where another thread has one of the
        name, and a number."""
        found = name
        if thread and self._names.get(found, thread) != thread:
            found = name = f"{name} of {thread}"
        number = 2
        while found in self._names:
            found, number = f"{name} #{number}" if " " in name else f"{name}.{number}", number + 1
        self._names[found] = thread
        return found

    def find(self, address: int) -> CObject | None:
        """The object that an address is in, or just behind; None if there is none."""
        place = bisect_right(self._starts, address)
        if not place:
            return None
        found = self._by_start[self._starts[place - 1]]
        if address > found.end:
            return None
        if found.instances > 1 and (address - found.address) % found.stride > found.size:
            return None
        return found

    def holding(self, address: int, size: int) -> CObject | None:
        """The object that so many bytes from an address on are in."""
        found = self.find(address)
        if found is None or size < 1:
            return None
        offset = (address - found.address) % found.stride if found.stride else 0
        return found if offset + size <= found.size else None

    @property
    def all(self) -> list[CObject]:
        """By address."""
        return [self._by_start[start] for start in self._starts]
