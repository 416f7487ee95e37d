"""Complete traces: Shasha–Snir traces (E, po, co, rf) with values, their canonical keys and their
outcomes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from hybrid.program.condition import RegisterTerm, Term
from hybrid.program.expr import evaluate, show, substituted
from hybrid.program.instructions import Assume, Load, Rmw, test_of
from hybrid.program.loops import CutPlace
from hybrid.program.program import Program

EventId = tuple[int, int]  # (thread, po index); initial writes are (-1, index in Program.locations)

# Canonical: ((load, source) sorted), (per location that is stored to, by address: (address, stores
# in co order, the initial write left out)).
Key = tuple[tuple[tuple[EventId, EventId], ...], tuple[tuple[int, tuple[EventId, ...]], ...]]


class Status(Enum):
    """How a run ended. When several hold, the first of ERROR, CUT, BLOCKED does; a blocked run is
    WAITING if no assume fails in it and what each of its other threads waits for never comes."""

    # every thread reached its end; or the program is over, and what the others wait for never comes
    COMPLETE = "complete"
    BLOCKED = "blocked"  # a thread stands at a failed assume or an await that nothing satisfies
    WAITING = "waiting"  # threads wait for ever at awaits, all others reached their ends
    CUT = "cut"  # a thread reached the loop bound or the bound on steps
    ERROR = "error"  # a thread accesses an address that is not a location


@dataclass(frozen=True, slots=True)
class Event:
    id: EventId
    kind: str  # R, W, F or B
    label: str  # of its instruction; `init x` for an initial write
    address: int | None  # of R and W
    value: int | None  # read or written
    tags: frozenset[str]

    @property
    def thread(self) -> int:
        return self.id[0]


@dataclass(frozen=True, slots=True)
class Wait:
    """A thread that waits for ever: the value that stays in memory is not the awaited one."""

    thread: int
    label: str  # of the await
    address: int | None  # of the location that it would read; None: it waits at an assume
    op: str  # it waits until the value there stands in this relation …
    wanted: int  # … to this one
    locks: bool  # it waits at a read-modify-write, as one does for a lock, or sleeps
    # where that does not say it: what the value read, `_`, or an assume's registers must satisfy
    test: str = ""


def wait_at(
    thread: int, instruction: Load | Rmw | Assume, address: int | None, held: Mapping[str, int]
) -> Wait:
    """The wait of a thread that stands at an await or an assume for ever, where registers hold
    this."""
    if isinstance(instruction, Assume):
        return Wait(thread, instruction.label, None, "", 0, False, show(instruction.condition))
    guard = instruction.guard
    assert guard is not None
    locks = isinstance(instruction, Rmw) or guard.sleeps
    test = "" if guard.of is None else show(substituted(test_of(guard), held))
    wanted = evaluate(guard.value, held)
    return Wait(thread, instruction.label, address, guard.op, wanted, locks, test)


@dataclass(frozen=True, slots=True)
class StrayAccess:
    """An access to an address that is not a location: the thread ends with it."""

    thread: int
    label: str
    address: int


def is_deadlock(waiting: tuple[Wait, ...]) -> bool:
    """Whether a run with these waiting threads counts as a deadlock: each of them waits at a
    read-modify-write, or sleeps. With one that waits at a plain load it is a livelock."""
    return all(wait.locks for wait in waiting)


Pairs = frozenset[tuple[EventId, EventId]]


@dataclass(frozen=True, slots=True)
class TraceData:
    """All about a trace, spelled out: for witnesses, drawings, replay; not for inner loops."""

    program: Program
    events: tuple[Event, ...]  # sorted by id, initial writes first
    rf: Mapping[EventId, EventId]  # from loads to their sources
    co: Mapping[
        int, tuple[EventId, ...]
    ]  # by address, initial write left out; addresses without stores too
    addr: Pairs
    data: Pairs
    ctrl: Pairs
    amo: Pairs
    lxsx: Pairs
    registers: tuple[Mapping[str, int], ...]  # final values a thread
    memory: Mapping[int, int]  # final values by address
    failed: tuple[str, ...]  # as in Trace
    status: Status = Status.COMPLETE
    error: str = ""  # of status ERROR: what happened where
    run: tuple[tuple[EventId, EventId | int | None], ...] = ()  # memory events in commit order with
    # their parameter: a load's source, a store's place in co; empty when the engine has no such
    # order
    flags: tuple[str, ...] = ()  # names of the model's flags that are raised
    pick: Pairs = frozenset()  # a part of addr and data: by selection alone
    races: tuple[tuple[EventId, EventId], ...] = field(default=(), compare=False)  # accesses that
    # race, sorted; empty where nobody has asked which they are
    cut: tuple[CutPlace, ...] = ()  # of the threads that reached a bound: where, and which
    # of status WAITING: the threads that wait, in order; also of COMPLETE, where the program is
    # over before they go on
    waiting: tuple[Wait, ...] = ()
    strays: tuple[StrayAccess, ...] = field(default=(), compare=False)  # of status ERROR: what
    # `error` tells, by thread
    by_id: Mapping[EventId, Event] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        if not self.by_id:
            object.__setattr__(self, "by_id", {event.id: event for event in self.events})


class Trace(ABC):
    """What an engine yields. Cheap to make; `data` spells it out on demand, also after the engine
    has moved on."""

    status: Status
    # Labels of the asserts that do not hold, however often in a loop: each once, by thread and
    # place in its code.
    failed: tuple[str, ...]
    flags: tuple[str, ...]  # names of the model's flags that are raised

    @abstractmethod
    def key(self) -> Key: ...

    def goes_before(self, other: Trace) -> bool:
        """Whether its key is smaller than the other's."""
        return self.key() < other.key()

    @abstractmethod
    def value_of(self, term: Term) -> int:
        """The final value of a register or location."""

    @abstractmethod
    def data(self) -> TraceData: ...

    @abstractmethod
    def cut(self) -> tuple[CutPlace, ...]:
        """Where threads reached a bound, in their order."""

    def strays(self) -> tuple[StrayAccess, ...]:
        """Of status ERROR: the accesses to no location, by thread."""
        return self.data().strays

    def outcome(self, terms: tuple[Term, ...]) -> tuple[int, ...]:
        return tuple(self.value_of(term) for term in terms)

    def late_stores(self) -> tuple[str, ...]:
        """The labels of stores to memory that was freed, in the order of the program."""
        return late_stores(self.data())


class DataTrace(Trace):
    """A trace that is spelled out already."""

    def __init__(self, data: TraceData) -> None:
        self._data = data
        self.status = data.status
        self.failed = data.failed
        self.flags = data.flags

    def key(self) -> Key:
        return key_of(self._data)

    def value_of(self, term: Term) -> int:
        if isinstance(term, RegisterTerm):
            return self._data.registers[term.thread].get(term.register, 0)
        return self._data.memory[term.address]

    def data(self) -> TraceData:
        return self._data

    def cut(self) -> tuple[CutPlace, ...]:
        return self._data.cut


def late_stores(data: TraceData) -> tuple[str, ...]:
    """The labels of stores that come, in coherence, after one that frees the memory, or to memory
    that is freed from the start."""
    frees, from_start = data.program.frees, data.program.freed_from_start
    found: set[tuple[EventId, str]] = set()
    for address, stores in data.co.items() if frees or from_start else ():
        freed = address in from_start
        for event in stores:
            label = data.by_id[event].label
            if freed and label not in frees:
                found.add((event, label))
            freed |= label in frees
    return tuple(dict.fromkeys(label for _, label in sorted(found)))


def key_of(data: TraceData) -> Key:
    """The canonical key of a trace."""
    co = tuple((address, stores) for address, stores in sorted(data.co.items()) if stores)
    return tuple(sorted(data.rf.items())), co


def class_key(key: Key, addresses: set[int]) -> Key:
    """The key of a trace's reads-from class: the sources of loads, and of co only which stores
    there are and, at the given addresses, which is the last (it comes once more at the end)."""
    rf, co = key
    return rf, tuple(
        (address, tuple(sorted(stores)) + (stores[-1:] if address in addresses else ()))
        for address, stores in co
    )
