"""Where the instructions and the memory of a compiled program come from in its source: what
messages, witnesses and drawings say instead of registers and numbers.

A program that was written instruction by instruction has none of this. A compiled one has an Origin
for the label of every instruction that a person may get to see, and all objects of its memory.

The cells of a compiled program have sizes, and an access finds a cell only with its own size: the
address of a cell, as accesses compute it, is `cell_address(byte, size)`, while pointers are numbers
of bytes. So an access of another size than the cell's goes to no location, and is reported.
"""

from __future__ import annotations

from dataclasses import dataclass

from hybrid.program.values import wrap

# What an assert, or an access to no location, is about: the kinds of violations of a C program.
ASSERTION = "assertion"
NULL = "null pointer"
WILD = "wild pointer"
BOUNDS = "out of bounds"
CONSTANT = "write to a constant"
FREED = "use after free"
DOUBLE_FREE = "double free"
INVALID_FREE = "invalid free"
UNINITIALISED = "uninitialised read"
JOINING = "invalid join"  # of no thread, or of one that was joined or detached before
LOCKING = "wrong unlock"  # of a mutex that the thread does not hold
DESTROYED = "destroyed lock"  # used after its end, or destroyed while it is in use
MIXED_SIZES = "mixed sizes"  # not a fault of the program, but something hybrid does not take
UNREACHABLE = "unreachable code"  # undefined behaviour that the compiler found
DIVISION = "division by zero"
STRAY = "stray access"  # to an address that is not a location, of a program that is not compiled
LEAK = "memory leak"  # not a fault either: it is told, and violates nothing

GLOBAL = "global"  # kinds of objects
HEAP = "heap"
STACK = "stack"
FUNCTION = "function"
INTERNAL = "internal"  # a cell of ours: a thread's start or end, a nondeterministic value

# How nondeterministic values are called, and the thread is that makes them.
ANY_VALUE = "any value"

# What cells hold that the program has not written, that it has freed, or that are variables of a
# function which has returned: numbers that no program has by accident, in 64 bits.
UNSET = 0x5EED0BADF00D0001
RELEASED = 0x5EEDF4EEDF4EED01
ENDED = 0x5EEDE4DEDE4DED01
SHOWN_AS = {UNSET: "uninitialised", RELEASED: "freed", ENDED: "gone"}

_NULL_PAGE = 0x1000  # addresses below are null with a field's offset


@dataclass(frozen=True, slots=True)
class Frame:
    """One level of a call stack: a function, and where it calls the next one or stands."""

    function: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.function} ({self.file}:{self.line})"


@dataclass(frozen=True, slots=True)
class Origin:
    """What an instruction is in the source."""

    file: str  # as the user named it
    line: int  # 0: unknown
    column: int
    text: str  # the source from the column on, one expression or statement of it; or other words
    stack: tuple[Frame, ...]  # innermost first; the function that it stands in is the first
    kind: str = ""  # of an assert: what it checks, one of the kinds above
    # Of an assert: what to say where it fails. Of an await: what the thread does there, `waits for
    # the lock m`. Of a jump at which runs are cut: why, and what shows more.
    message: str = ""

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file

    def __str__(self) -> str:
        return f"{self.place} {self.text}".rstrip()


@dataclass(frozen=True, slots=True)
class MemoryBlock:
    """An object of a compiled program, in bytes."""

    name: str  # `x`, `t[2]`, `malloc at queue.c:30`
    address: int  # of its first byte
    size: int
    kind: str  # GLOBAL, HEAP, STACK, FUNCTION, INTERNAL
    place: str = ""  # where it is declared or allocated, `queue.c:30`


def cell_address(byte: int, size: int) -> int:
    """The address of the cell of so many bytes (1, 2, 4 or 8) that begins at a byte; a wild pointer
    loses its highest bits."""
    return wrap(byte << 2 | (size.bit_length() - 1))


def byte_of(address: int) -> int:
    """The first byte of the cell with an address."""
    return address >> 2


def size_of(address: int) -> int:
    """The size in bytes of the cell with an address."""
    return 1 << (address & 3)


def is_null(byte: int) -> bool:
    return 0 <= byte < _NULL_PAGE
