"""What the threads of a C program have in common while it is lowered, and what one pass over the
program learns for the next.

A pass takes it that memory of a thread is reached by that thread alone, and that plain variables
are not written any more once threads run, unless an earlier pass has seen otherwise (`Learnt`).
Passes are repeated until nothing new is learnt.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from math import gcd
from typing import Final

from hybrid.errors import Unsupported
from hybrid.frontend.c.captions import Captions
from hybrid.frontend.c.cell_names import CellNames
from hybrid.frontend.c.flow import Flow
from hybrid.frontend.c.private import Pieces
from hybrid.frontend.c.space import CObject, ObjectKey, Space, ThreadKey
from hybrid.frontend.c.state import Path, Variable
from hybrid.frontend.c.values import Scalar, terms
from hybrid.frontend.llvm.layout import TypeLayout
from hybrid.frontend.llvm.module import (
    BytesConst,
    DebugPlace,
    GlobalName,
    GlobalVariable,
    LlvmFunction,
    Module,
)
from hybrid.printable import escaped, on_one_line
from hybrid.program.expr import Expr, Register
from hybrid.program.origin import FUNCTION, GLOBAL, STACK

RECURSION: Final = 8  # of one function within itself, unless the file says otherwise
_FAR: Final = 4096  # by so much a pointer is moved at most, as far as is looked
_MOVES: Final = 3  # so often
_MOST_POINTERS: Final = 4096  # into one object

# Variables of the library: what they hold is only handed on to functions, or is 0.
_OF_LIBRARY: Final = frozenset({"stdin", "stdout", "stderr", "__libc_single_threaded"})

_LONG_TEXT: Final = 20  # characters of a text without a name that stand for it
Cell = tuple[ObjectKey, int, int]  # object, offset, size


@dataclass(slots=True)
class ConditionUse:
    """How threads use a condition variable."""

    waiting: dict[ThreadKey, None] = field(default_factory=dict)  # the threads that wait there
    mutexes: set[int | None] = field(default_factory=set)  # with which they do; None: not known
    signalled: bool = False  # somebody wakes one of them, not all
    open: bool = False  # or does so without such a mutex

    def size(self) -> tuple[object, ...]:
        return (len(self.waiting), len(self.mutexes), self.signalled, self.open)


@dataclass(slots=True)
class Learnt:
    """What passes have seen so far; it only grows."""

    space: Space = field(default_factory=Space)
    reached: set[ObjectKey] = field(default_factory=set)  # objects that other threads may reach
    written: set[tuple[ObjectKey, int]] = field(default_factory=set)  # bytes (object, offset)
    cells: dict[ObjectKey, tuple[tuple[int, int], ...]] = field(default_factory=dict)  # (offset,
    # size) of each object, by offset
    barriers: dict[int, frozenset[ThreadKey]] = field(default_factory=dict)  # who waits at them
    counted: set[int] = field(default_factory=set)  # barriers whose arrivals have to be counted
    # condition variables by address; None: all whose addresses are not known
    conditions: dict[int | None, ConditionUse] = field(default_factory=dict)
    joined: set[ThreadKey] = field(default_factory=set)  # threads whose end somebody waits for
    joins_any: bool = False  # somebody waits for the end of a thread that is not known
    results: bool = False  # somebody wants what a thread returns
    # threads by the one that starts them, where it may be that it does not
    children: dict[ThreadKey, tuple[ThreadKey, ...]] = field(default_factory=dict)
    idle: set[ThreadKey] = field(default_factory=set)  # threads that do nothing once they wait for
    # others to end
    busy: set[ThreadKey] = field(default_factory=set)  # threads of which that is not so
    # by thread and meeting: what ways did not agree on; this only saves work
    apart: dict[ThreadKey, dict[Path, dict[Variable, None]]] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)  # functions whose address gets into memory
    tables: set[int] = field(default_factory=set)  # addresses in constants that get there
    frees: bool = False  # something is freed that several threads may reach
    ended: set[ObjectKey] = field(default_factory=set)  # variables that end while others run
    reentered: set[ObjectKey] = field(default_factory=set)  # those that begin again in a loop
    starts_later: bool = False  # a thread is started after variables have ended
    nested: bool = False  # threads start threads
    kinds: dict[int, int] = field(default_factory=dict)  # of mutexes, where it is not the usual one
    # keys of thread-specific data, by where they are made: the number, the destructor or 0
    keys: dict[Hashable, tuple[int, int]] = field(default_factory=dict)
    unset: bool = False  # there are cells that several threads may reach and nobody has set

    def size(self) -> tuple[object, ...]:
        """Something that changes whenever there is more."""
        return (
            len(self.space.by_key),
            len(self.reached),
            len(self.written),
            dict(self.cells),
            dict(self.barriers),
            len(self.counted),
            {key: use.size() for key, use in self.conditions.items()},
            len(self.joined),
            self.joins_any,
            self.results,
            dict(self.children),
            len(self.idle),
            len(self.busy),
            len(self.taken),
            len(self.tables),
            self.frees,
            len(self.ended),
            len(self.reentered),
            self.starts_later,
            self.nested,
            self.unset,
            dict(self.keys),
            dict(self.kinds),
        )


@dataclass(frozen=True, slots=True)
class Spawned:
    """A thread to be lowered."""

    key: ThreadKey
    name: str
    number: int  # 0: main
    function: int  # its address
    argument: Scalar
    start: int | None  # the byte address of the cell that starts it; None: it starts at once
    parent: ThreadKey | None = None
    memory: Pieces = field(default_factory=dict)  # what it has for itself from the start
    place: DebugPlace | None = None  # where it is started


@dataclass(frozen=True, slots=True)
class Reach:
    """An access whose address is not known: which cells it may go to."""

    base: int | None  # an address that it computes with; None: that comes from memory
    offset: int  # without a base: what is added to the address that comes from memory
    stride: int  # it goes to multiples of this; 0: there is nothing that varies
    size: int
    writes: bool
    held: tuple[ThreadKey, str] | None = None  # the register that the address from memory is in


class World:
    """One pass over a program."""

    def __init__(
        self,
        module: Module,
        layout: TypeLayout,
        learnt: Learnt,
        captions: Captions,
        most_steps: int,
        recursion: int = RECURSION,
    ) -> None:
        self.module = module
        self.layout = layout
        self.learnt = learnt
        self.captions = captions
        # What a pass finds to be reached is the owner's up to its end: its memory is there.
        self._reached = frozenset(learnt.reached)
        self.most_steps = most_steps  # LLVM instructions that one thread may run
        # how often a function may be within itself, where memory decides about that
        self.recursion = recursion
        self.hurried = False  # some thread was not given more
        self.space = learnt.space
        self._names = CellNames(learnt.space, layout, module.parts)
        self.flows: dict[str, Flow] = {}
        self.image: Pieces = {}  # what memory holds when threads begin to run
        self.threads: list[Spawned] = []
        self.touched: dict[Cell, DebugPlace | None] = {}  # cells that accesses name, and where
        self.guessed: set[Cell] = set()  # cells of which only the bytes count, not the size
        self.reaches: dict[Reach, DebugPlace | None] = {}
        self.pointers: set[int] = set()  # addresses that may get into memory or into registers
        # by thread, of registers in which ways meet: what each may hold; None: anything
        self.held: dict[tuple[ThreadKey, str], set[Scalar] | None] = {}
        self.steps: set[int] = set()  # by which addresses from memory are moved
        self.waits: dict[int, set[ThreadKey]] = {}  # at barriers
        self.functions: dict[int, LlvmFunction] = {}
        self.endings: dict[ThreadKey, list[set[ThreadKey]]] = {}  # by thread: at each of its ends,
        # the threads that it has started
        self.unknown_sizes: set[str] = set()  # where objects are made whose size is not known
        # nondeterministic values: the least and the greatest that each cell of one may hold
        self.nondet: dict[ObjectKey, tuple[int, int]] = {}
        self.edges: set[str] = set()  # labels of the accesses by which threads start and end
        # by thread: those for whose end it has left out to wait; None: one that is not known
        self.left_out: dict[ThreadKey, set[ThreadKey | None]] = {}
        self.joins: set[str] = set()  # of those by which one waits for the end of another
        for function in module.functions.values():
            self._add_function(function)
        for each in module.globals.values():
            if not each.thread_local:
                self._add_global(each)

    def _add_function(self, function: LlvmFunction) -> None:
        made = self.space.add(("function", function.name), function.name, 1, FUNCTION)
        self.functions[made.address] = function

    def _add_global(self, each: GlobalVariable) -> None:
        made = self.space.add(
            ("global", each.name),
            each.source_name or _text_name(each) or each.name,
            max(1, self.layout.size(each.type)),
            GLOBAL,
            zeroed=True,
            type=each.type,
            place=self.captions.place(each.place),
            constant=each.constant,
            align=max(16, min(each.align, 4096)),
        )
        made.undefined = _is_undefined(each)

    # ---- looking things up

    def flow(self, function: LlvmFunction) -> Flow:
        found = self.flows.get(function.name)
        if found is None:
            found = self.flows[function.name] = Flow(function)
        return found

    def address_of(self, name: str, thread: ThreadKey) -> int:
        """Of a function or a global variable; of one that each thread has, the thread's own."""
        seen: set[str] = set()
        while name in self.module.aliases and name not in seen:
            seen.add(name)
            target = self.module.aliases[name]
            if not isinstance(target, GlobalName):
                raise Unsupported(f"unsupported: the alias {name} of something computed")
            name = target.name
        if name in self.module.functions:
            return self.space.by_key["function", name].address
        each = self.module.globals.get(name)
        if each is None:
            raise Unsupported(f"unsupported: {name}, which is not defined in this program")
        if each.thread_local:
            return self.thread_local(each, thread).address
        return self.space.by_key["global", name].address

    def thread_local(self, each: GlobalVariable, thread: ThreadKey) -> CObject:
        made = self.space.add(
            ("thread-local", thread, each.name),
            each.source_name or each.name,
            max(1, self.layout.size(each.type)),
            STACK,
            owner=thread,
            zeroed=True,
            type=each.type,
            place=self.captions.place(each.place),
        )
        made.undefined = _is_undefined(each)
        return made

    def is_private(self, found: CObject, thread: ThreadKey) -> bool:
        """Whether a thread has an object for itself, as far as is known."""
        return found.owner is not None and found.owner == thread and found.key not in self._reached

    def is_owned(self, found: CObject) -> bool:
        """Whether some thread has it for itself."""
        return found.owner is not None and found.key not in self.learnt.reached

    def is_data(self, address: int, size: int) -> bool:
        """Whether an object other than a function has these bytes."""
        found = self.space.holding(address, size)
        return found is not None and found.kind != FUNCTION

    # ---- what is learnt

    def touch(self, address: int, size: int, writes: bool, place: DebugPlace | None) -> None:
        """An access to a known address, which an object has."""
        found = self.space.holding(address, size)
        assert found is not None
        offset = address - found.address
        self.touched.setdefault((found.key, offset, size), place)
        if writes:
            self.learnt.written.update((found.key, offset + at) for at in range(size))

    def is_written(self, found: CObject, address: int, size: int) -> bool:
        """Whether some of these bytes are written once threads run, as far as is known."""
        offset = address - found.address
        return any((found.key, offset + at) in self.learnt.written for at in range(size))

    def escapes(self, value: int) -> None:
        """A number gets where others may read it, or where it is not known any more: if it is an
        address, the object can be reached from now on."""
        found = self.space.find(value)
        if found is not None:
            self.pointers.add(value)
            if found.owner is not None:
                self.learnt.reached.add(found.key)
            if found.kind == FUNCTION:
                self.learnt.taken.add(self.functions[found.address].name)
            if found.constant:
                self.learnt.tables.add(value)

    def hold(self, thread: ThreadKey, name: str, value: Scalar) -> None:
        """A register may hold a value."""
        known = self.held.setdefault((thread, name), set())
        if known is not None and not isinstance(value, int | Register):
            self.held[thread, name] = None
        elif known is not None:
            known.add(value)

    def addresses_in(self, thread: ThreadKey, name: str) -> set[int] | None:
        """The numbers that a register may hold; None: others, too."""
        found: set[int] = set()
        seen = {name}
        todo = [name]
        while todo:
            values = self.held.get((thread, todo.pop()))
            if values is None:
                return None
            found.update(each for each in values if isinstance(each, int))
            names = {each.name for each in values if isinstance(each, Register)} - seen
            seen |= names
            todo += sorted(names)
        return found

    def reach(self, thread: ThreadKey, pointer: Expr, size: int, writes: bool) -> Reach:
        """Where an access of a thread may go whose address is computed."""
        base: int | None = None
        offset = 0
        factors: list[int] = []
        held: tuple[ThreadKey, str] | None = None
        for factor, term in terms(pointer):
            if isinstance(term, Register) and factor == 1 and (thread, term.name) in self.held:
                held = thread, term.name
            if not isinstance(term, int):
                factors.append(factor)
                continue
            found = self.space.find(term) if factor == 1 else None
            if base is None and found is not None and found.kind != FUNCTION:
                base = term
            else:
                offset += factor * term
        if base is not None:
            return Reach(base + offset, 0, abs(gcd(*factors)), size, writes)
        scaled = [factor for factor in factors if abs(factor) != 1]
        single = len(factors) - len(scaled)
        stride = 1 if single > 1 else abs(gcd(*scaled))
        return Reach(None, offset, stride, size, writes, held if single == 1 else None)

    def points(self, value: Expr) -> None:
        """A value that is computed gets where others may read it: the addresses that it may be."""
        base: int | None = None
        offset = 0
        factors: list[int] = []
        for factor, term in terms(value):
            if not isinstance(term, int):
                factors.append(factor)
            elif base is None and factor == 1 and self.space.find(term) is not None:
                base = term
            else:
                offset += factor * term
        if base is None:
            if factors == [1] and offset and offset % 4 == 0 and abs(offset) < _FAR:
                self.steps.add(offset)
            return
        found = self.space.find(base)
        step = abs(gcd(*factors))
        if found is None or not step or found.kind == FUNCTION:
            return
        start = base + offset
        first = found.address + (start - found.address) % step
        for at in range(first, found.end, step)[:_MOST_POINTERS]:
            self.pointers.add(at)

    def follow_pointers(self) -> None:
        """Adds the addresses that are so far from known ones as pointers are moved somewhere."""
        for _ in range(_MOVES):
            for pointer in sorted(self.pointers):
                found = self.space.find(pointer)
                for step in self.steps:
                    if found is not None and self.space.holding(pointer + step, 1) is found:
                        self.pointers.add(pointer + step)

    def cell_name(self, address: int, size: int) -> str:
        """What the cell at an address is called: `x`, `a[2]`, `q.head`."""
        return self._names.name(address, size)


def _text_name(each: GlobalVariable) -> str:
    """What a text is called that has no name in the program."""
    if not each.name.startswith(".str") or not isinstance(each.initial, BytesConst):
        return ""
    text = each.initial.data.rstrip(b"\0").decode("ascii", "replace")
    short = text if len(text) <= _LONG_TEXT else text[:_LONG_TEXT] + "…"
    return f'the text "{on_one_line(escaped(short))}"'


def _is_undefined(each: GlobalVariable) -> bool:
    return each.initial is None and each.name not in _OF_LIBRARY
