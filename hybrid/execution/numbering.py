"""The numbers of threads, locations and events.

Events are small numbers, so that sets of them are `int` bitsets; 0 and 1 are never used (see
hybrid.oracle.relations). A numbering knows what each number stands for and what number each thing
has: a thread, a location by its address, the initial write of a location, the event at a slot of a
thread. (Slots are po indices, except that a choice takes one too.)

Numbers are given in this order: first the initial writes of the locations that are known at the
start; then, with `straight`, so many slots of each thread, thread by thread; then rounds, of which
each gives one more slot to every thread that may need one. Without `straight`, and as long as all
threads need more, the event at `slot` of `thread` is therefore `first + slot * threads + thread`.

A thread or a location can also be added later. What holds then:

- a number, once given, keeps its meaning, so what was computed with it stays right;
- within a thread, numbers grow with the slots;
- numbers leave no gaps, so that bitsets stay short;
- lists by location or by event have to grow before the new number is used;
- numbers depend on the order of additions alone. Where they leave the process (parallel
  exploration), that order must follow from the program and not from the run.

A location that no access can reach (`Program.reached`) has no number, no initial write among the
events and no cost. `numbering_for` gives it one all the same where the model could tell the
difference.

Where accesses compute their addresses, any of many locations may be reached, and few are. Such a
location can wait: it gets its number when an access first goes there (`touch`), and keeps it. Its
initial write takes one of the numbers that are kept for that, blocks which the events of threads
pass over: a short one at the beginning, then a longer one whenever numbers have grown fourfold, as
long as there are locations that have no number in an earlier one. So
the numbers of the threads' events do not depend on the run, though those of these locations and of
their initial writes do; other processes are told of such a write by the location (`portable`).
"""

from __future__ import annotations

import sys
from bisect import insort
from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from hybrid.errors import InternalError
from hybrid.model.core import Model
from hybrid.model.untouched import ignores_untouched
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.condition import LocationTerm
from hybrid.program.loops import is_backward
from hybrid.program.program import Location, Program

RESERVED: Final = 2  # event numbers that are never used
_INITIAL: Final = -1  # the thread of initial writes
_FEW: Final = 16  # so many locations need not wait
_FIRST_BLOCK: Final = 8  # the length of the first block for the initial writes of those that wait
_NEXT_BLOCK: Final = 64  # where the next begins; it is as long as that
_CODES: Final = -16  # portable names of initial writes, from there down; no parameter is so low


class Numbering:
    """See above. Reading the public fields is free; only the `add_…` methods change them."""

    def __init__(self) -> None:
        self.threads = 0  # how many there are
        self.locations: list[Location] = []  # by number
        self.declared: list[int] = []  # by number of a location: its index in Program.locations
        self.location_of: dict[int, int] = {}  # from addresses to numbers of locations
        self.by_address: list[int] = []  # numbers of locations in the order of their addresses
        self.initial_writes = 0  # the events that are initial writes
        self.lazy = False  # some locations wait, or have waited, for their numbers
        self._waiting: dict[int, tuple[Location, int]] = {}  # these, by address, with their indices
        self._next = 0  # the next number for the initial write of one …
        self._end = 0  # … the end of its block …
        self._block = 0  # … and the block after that
        self._blockless = 0  # how many that wait have no number in a block up to there
        self._pass_over = 0  # the next block that events of threads pass over, and …
        self._without = 0  # … how many have no number in those passed over
        self._initial_write: list[int] = []  # by number of a location
        self._events: list[list[int]] = []  # by thread, then slot
        self._most: list[int] = []  # by thread, how many slots it has at most
        self._growing: list[int] = []  # threads that take part in rounds
        # by event: thread and slot; of initial writes nothing that counts
        self._meaning: list[tuple[int, int]] = [(-2, 0)] * RESERVED
        self._location_at: dict[int, int] = {}  # from initial writes to numbers of locations

    # ---- adding

    def add_location(self, location: Location, index: int) -> int:
        """The number of a location that had none, the `index`-th of the program's."""
        if location.address in self.location_of:
            raise InternalError(f"the location {location.name} has a number already")
        return self._add(location, index, self._new(_INITIAL, index))

    def _add(self, location: Location, index: int, event: int) -> int:
        number = len(self.locations)
        self.locations.append(location)
        self.declared.append(index)
        self.location_of[location.address] = number
        insort(self.by_address, number, key=lambda each: self.locations[each].address)
        self._initial_write.append(event)
        self._location_at[event] = number
        self.initial_writes |= 1 << event
        return number

    def let_wait(self, locations: Iterable[tuple[Location, int]]) -> None:
        """These get their numbers when they are touched. Once, before threads are added."""
        self._waiting = {location.address: (location, index) for location, index in locations}
        self.lazy = True
        self._next = len(self._meaning)
        length = min(_FIRST_BLOCK, len(self._waiting))
        self._end = self._next + length
        self._meaning.extend([(-2, 0)] * length)
        self._blockless = self._without = len(self._waiting) - length
        self._block = _NEXT_BLOCK
        while self._block < len(self._meaning):
            self._block *= 4
        self._pass_over = self._block

    def touch(self, address: int) -> int:
        """The number of the location at an address, now if it has waited for it; -1 if there is
        none."""
        number = self.location_of.get(address, -1)
        if number < 0 and address in self._waiting:
            location, index = self._waiting.pop(address)
            if self._next == self._end:
                length = min(self._block, self._blockless)
                self._blockless -= length
                self._next = self._block
                self._end = self._block + length
                self._block *= 4
            self._next += 1
            return self._add(location, index, self._next - 1)
        return number

    def add_thread(self, straight: int = 0, most: int = sys.maxsize) -> int:
        """The number of a new thread, whose first `straight` slots get their numbers at once, and
        which has `most` of them at most."""
        thread = self.threads
        self.threads += 1
        self._events.append([self._new(thread, slot) for slot in range(straight)])
        self._most.append(most)
        if straight < most:
            self._growing.append(thread)
        return thread

    def _new(self, thread: int, slot: int) -> int:
        if self._without and len(self._meaning) == self._pass_over:
            length = min(self._pass_over, self._without)
            self._without -= length
            self._meaning.extend([(-2, 0)] * length)
            self._pass_over *= 4
        self._meaning.append((thread, slot))
        return len(self._meaning) - 1

    # ---- from things to numbers

    def event(self, thread: int, slot: int) -> int:
        """The event at a slot of a thread."""
        events = self._events[thread]
        while slot >= len(events):
            if thread not in self._growing:
                raise InternalError(f"thread {thread} has more events than its code")
            for each in self._growing:
                self._events[each].append(self._new(each, len(self._events[each])))
            self._growing = [t for t in self._growing if len(self._events[t]) < self._most[t]]
        return events[slot]

    def initial_write(self, location: int) -> int:
        """The event that is the initial write of a location."""
        return self._initial_write[location]

    def number_of(self, address: int) -> int:
        """The number of the location at an address; -1 if there is none, or it waits for one."""
        return self.location_of.get(address, -1)

    def is_location(self, address: int) -> bool:
        return address in self.location_of or address in self._waiting

    def here(self, source: int) -> int:
        """The event that is meant by what `portable` gave, here or in another process."""
        if source > _CODES:
            return source
        return self._initial_write[self.declared.index(_CODES - source)]

    # ---- and back

    def slot_of(self, event: int) -> tuple[int, int]:
        """The thread and the slot of an event that is not an initial write."""
        return self._meaning[event]

    def initial_id(self, event: int) -> tuple[int, int]:
        """What traces call an initial write."""
        return _INITIAL, self.declared[self._location_at[event]]

    def portable(self, source: int) -> int:
        """A source as other processes know it: an initial write by the index of its location."""
        if self.lazy and self.initial_writes >> source & 1:
            return _CODES - self.declared[self._location_at[source]]
        return source


def numbering_of(
    program: Program,
    locations: Iterable[int],
    straight: Sequence[int] = (),
    waiting: Sequence[int] = (),
    most: Sequence[int] = (),
) -> Numbering:
    """The threads of a program and these of its locations, by index; others may wait for their
    numbers. With `straight`, so many slots of each thread come first. With `most`, a thread has no
    more than so many."""
    made = Numbering()
    for index in locations:
        made.add_location(program.locations[index], index)
    if waiting:
        made.let_wait((program.locations[index], index) for index in waiting)
    for number in range(len(program.threads)):
        first = straight[number] if straight else 0
        made.add_thread(first, most[number] if most else sys.maxsize)
    return made


def numbering_for(
    program: Program,
    model: Model,
    by_thread: bool = False,
    lazy: bool = False,
    branches: bool = True,
) -> Numbering:
    """The numbers for exploring a program under a model. `by_thread`: events are numbered thread by
    thread as far as a thread runs through its code once, which makes for shorter bitsets; nothing
    is guessed then but what always is. `lazy`: locations that only computed addresses lead to may
    wait for their numbers. `branches`: these are events."""
    places: Iterable[int] = program.reached
    waiting: list[int] = []
    if ignores_untouched(model):
        if lazy and len(program.reached) > _FEW:
            named = _named(program)
            waiting = [i for i in program.reached if program.locations[i].address not in named]
            if len(waiting) > _FEW:
                places = [i for i in program.reached if program.locations[i].address in named]
            else:
                waiting = []
    elif len(program.reached) < len(program.locations):
        places = range(len(program.locations))
    slots = [
        sum(_slots(i, branches, not by_thread) for i in thread.code) for thread in program.threads
    ]
    most = [
        sys.maxsize if any(is_backward(thread.code, at) for at in range(len(thread.code))) else each
        for thread, each in zip(program.threads, slots, strict=True)
    ]
    return numbering_of(program, places, slots if by_thread else (), waiting, most)


def _named(program: Program) -> set[int]:
    """The addresses that the text of the program gives to accesses, or asks for at the end."""
    found = {term.address for term in program.asked if isinstance(term, LocationTerm)}
    for thread in program.threads:
        for instruction in thread.code:
            if isinstance(instruction, ins.Access) and isinstance(instruction.address, ex.Const):
                found.add(instruction.address.value)
    return found


def _slots(instruction: ins.Instruction, branches: bool, guesses: bool) -> int:
    """How many slots an instruction takes at most, with a choice where one must be made or, with
    `guesses`, may be."""
    if isinstance(instruction, ins.Select):
        return 1 if guesses else 0
    if isinstance(instruction, ins.Assign | ins.Goto | ins.Assert):
        return 0
    if isinstance(instruction, ins.Rmw):
        chooses = instruction.is_choice or (guesses and instruction.op == "cas")
        return 3 if chooses else 2  # its choice, its load and its store
    if isinstance(instruction, ins.Branch | ins.Assume):
        return 1 if branches else 0
    if isinstance(instruction, ins.StoreConditional):
        return 2 if guesses else 1
    if isinstance(instruction, ins.Load | ins.Store | ins.Fence):
        return 1
    assert_never(instruction)
