"""The execution graph of TruSt: events with reads-from, coherence and the order of insertion,
changed at one end and undone.

A graph is a stack of units (an access; an rmw is one unit of two events) in an order that respects
po and rf. Each unit is a `UnitFrame`, which keeps what is needed to undo it and, for the explorer,
which choices are left. A thread is never run again: what follows a step is found in the shared
Unfolding, with the thread's state.

The paper's names: <_G is in `before`; porf is `past`; a deletion in the middle is a removal of
units from the top and a return of those that stay (`_restrict` in trust.py), so the work is in
proportion to what was added since.

Fences and branches belong to the access before them: they come and go with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hybrid.execution.bound import Bound
from hybrid.execution.execution import FAIL, Execution
from hybrid.execution.step import ADDRESS, BRANCH, CHOICE, CONDITIONAL, FENCE, LOAD, RMW, End, Step
from hybrid.execution.unfolding import RESERVED, Unfolding
from hybrid.program import instructions as ins
from hybrid.program.loops import DEFAULT_MAX_STEPS
from hybrid.program.program import Program

TAKE: Final = 0  # the unit with a source, a place in co or FAIL
# an await that reads from a store whose value it does not accept: no event, the thread stands
WAIT: Final = 1
REVISIT: Final = 2  # the unit as a store that an earlier load now reads from

# (TAKE, parameter, outcome of a choice or -1), (WAIT, source, -1), (REVISIT, load, source of an rmw
# or -1)
Option = tuple[int, int, int]


class DenseUnfolding(Unfolding):
    """Numbers events thread by thread as far as a thread runs through its code once, so that
    bitsets are short; what loops add comes after."""

    def __init__(self, program: Program, unroll: int, max_steps: int = DEFAULT_MAX_STEPS) -> None:
        self._start: list[int] = []  # the number of each thread's first event
        self._length: list[int] = []  # and how many follow it
        self._rank: list[int] = []  # the place of a thread among those with loops
        self._loops = 0  # how many these are
        number = RESERVED + len(program.locations)
        for thread in program.threads:
            length = sum(map(_slots, thread.code))
            self._start.append(number)
            self._length.append(length)
            self._rank.append(self._loops)
            self._loops += _has_loop(thread.code)
            number += length
        self._rest = number
        super().__init__(program, unroll, False, max_steps=max_steps)

    def _event(self, thread: int, slot: int) -> int:
        if slot < self._length[thread]:
            return self._start[thread] + slot
        return self._rest + (slot - self._length[thread]) * self._loops + self._rank[thread]


def _has_loop(code: Sequence[ins.Instruction]) -> bool:
    jumps = ((i, at) for at, i in enumerate(code) if isinstance(i, ins.Branch | ins.Goto))
    return any(jump.target <= at for jump, at in jumps)


def _slots(instruction: ins.Instruction) -> int:
    """How many slots an instruction takes at most."""
    if isinstance(instruction, ins.Rmw):
        return 3 if instruction.op == "cas" else 2
    nothing = isinstance(instruction, ins.Assign | ins.Select | ins.Goto | ins.Assert)
    return 0 if nothing else 1


# committed, fetched, pending, present, stale, moving; the next step of the thread; the number of
# errors
Saved = tuple[int, int, int, int, int, int, Step | End | None, int]

_NOTHING: Final[Saved] = (0, 0, 0, 0, 0, 0, None, 0)


class UnitFrame:
    """A unit that is, or is about to be, on the stack."""

    __slots__ = (
        "before",
        "below",
        "choice",
        "deleted",
        "event",
        "forced",
        "found",
        "given",
        "load_before",
        "on",
        "option",
        "options",
        "outcome",
        "own_before",
        "parameter",
        "place",
        "places",
        "revisits",
        "saved",
        "second_before",
        "step",
        "thread_past",
        "tried",
        "waits",
    )

    def __init__(self, step: Step, before: int, forced: int = -1) -> None:
        self.choice: Step | None = None  # of a cas of which it is chosen whether it stores
        if step.kind == CHOICE:
            self.choice = step
            access = step.after[1]
            assert isinstance(access, Step)
            step = access
        self.step = step  # after a choice: the access that it led to
        self.event = step.event
        self.before = before  # what is <_G before it
        self.second_before = before | 1 << step.event  # of an rmw: what is <_G before its store
        self.forced = forced  # the store that a revisited load reads from; -1: a new unit
        # how it stands on the stack
        self.parameter = 0  # source, place in co, or FAIL
        self.outcome = -1  # of the choice
        self.waits = False  # it is there as a WAIT
        self.on = False
        # the graph's state below it
        self.saved: Saved = _NOTHING
        self.thread_past = 0
        # what the explorer has tried
        self.options: list[Option] = []
        self.given = False  # it was there before the exploration and stays
        self.found = False  # some TAKE or WAIT was possible
        self.tried = 0  # how many of the options
        self.option: Option = (TAKE, -1, -1)  # the one that it is in
        self.revisits = -1  # the load that it revisits now
        self.places: list[int] = []  # its own parameters while it does …
        self.place = 0  # … and how many of them were tried
        self.own_before = 0  # its `before` when it does not
        self.load_before = 0  # what is <_G before that load
        self.below = 0  # the height of the stack below what the revisit deletes
        self.deleted: list[
            UnitFrame
        ] = []  # what stood on the stack from the load on, before the revisit


class ExecutionGraph(Execution):
    """Entries of per-event lists mean something only for events that are there. `pending` holds the
    next access of each thread."""

    def __init__(self, unfolding: Unfolding, classes: bool) -> None:
        # reads-from classes: `co` lists the stores in the order of insertion
        self.classes = classes
        # accesses on the stack, failed store-conditionals and waiting awaits included
        self.present = 0
        self.stale = 0  # those of them that can be no part of a maximal extension any more
        self.moving = 0  # threads that stand before an access and do not wait at it
        self.before: list[
            int
        ] = []  # what is <_G before an event; the bits of absent events mean nothing
        self.past: list[int] = []  # porf-before, initial writes left out
        self.thread_past = [
            0
        ] * unfolding.threads  # of a thread: its events and what is porf-before them
        self.reads = [0] * len(
            unfolding.program.locations
        )  # loads and waiting awaits of each location
        self._has_asserts = any(
            isinstance(i, ins.Assert) for thread in unfolding.program.threads for i in thread.code
        )
        super().__init__(unfolding)

    # ---- growing

    def choose(self, frame: UnitFrame, outcome: int) -> None:
        """Makes a choice's access the one that the outcome leads to."""
        assert frame.choice is not None
        frame.outcome = outcome
        step = self.unfolding.follow(frame.choice, outcome)
        assert isinstance(step, Step)
        frame.step = step
        self.steps[step.event] = step
        self.fetched |= 1 << step.event

    def unchoose(self, frame: UnitFrame) -> None:
        self.fetched &= ~(1 << frame.event)

    def enter(self, frame: UnitFrame, parameter: int, waits: bool) -> None:
        """Puts a unit on top, with what its thread does up to its next access; after a choice, that
        must have been made."""
        step = frame.step
        event = step.event
        thread = step.thread
        bit = 1 << event
        frame.thread_past = past = self.thread_past[thread]
        frame.saved = (
            self.committed,
            self.fetched,
            self.pending,
            self.present,
            self.stale,
            self.moving,
            self.next[thread],
            len(self.errors),
        )
        frame.parameter = parameter
        frame.waits = waits
        self.before[event] = frame.before
        self.present |= bit
        kind = step.kind
        if kind == LOAD or kind == RMW:
            if not self.unfolding.initial_writes >> parameter & 1:
                past |= self.past[parameter] | 1 << parameter
            self.past[event] = past
            self.source[event] = parameter
            location = self.location[event]
            self.reads[location] |= bit
            order = self.co[location]
            if not self.classes and order[-1] != parameter:
                self.stale |= bit
            if frame.forced >= 0:
                self.stale |= 1 << parameter  # it revisits a load, so it stays
            if waits:
                self.moving &= ~(1 << thread)
                return
            self.run.append((event, parameter))
            value = self.stored[parameter]
            self.result[event] = value
            self.readers[parameter] |= bit
            self.committed |= bit
            past |= bit
            if kind == RMW and self.rmw_stores(step, value):
                store = step.second
                if frame.choice is not None and self._may_fail(frame.choice, value):
                    self.stale |= bit | 1 << store  # a maximal extension has it fail
                self.stored[store] = self.rmw_value(step, value)
                if self.classes or order[-1] == parameter:
                    order.append(store)
                else:
                    order.insert(order.index(parameter) + 1, store)
                    self.stale |= 1 << store
                self.before[store] = frame.second_before
                self.past[store] = past
                both = 1 << store
                self.present |= both
                self.committed |= both
                self.fetched |= both
                past |= both
        else:
            self.past[event] = past
            self.run.append((event, parameter))
            past |= bit
            if parameter == FAIL:
                self.result[event] = 1
            else:
                if kind == CONDITIONAL:
                    self.result[event] = 0
                    self.stale |= bit  # a maximal extension has it fail, which is always possible
                self.stored[event] = step.value.evaluate(self.result)
                order = self.co[self.location[event]]
                if parameter != len(order) and not self.classes:
                    self.stale |= bit
                order.insert(parameter, event)
                self.committed |= bit
        self.thread_past[thread] = past
        self.pending ^= bit if frame.choice is None else 1 << frame.choice.event
        if step.decides:
            if kind == CONDITIONAL:
                outcome = 1 - self.result[event]
            else:
                outcome = self.committed >> step.second & 1
            self._go(thread, self.unfolding.follow(step, outcome))
        else:
            self._go(thread, self.unfolding.follow(step, 0))

    def leave(self, frame: UnitFrame) -> None:
        """Takes the top unit away."""
        step = frame.step
        event = step.event
        kind = step.kind
        if kind == LOAD or kind == RMW:
            location = self.location[event]
            self.reads[location] &= ~(1 << event)
            if not frame.waits:
                self.run.pop()
                self.readers[frame.parameter] &= ~(1 << event)
                if kind == RMW and self.committed >> step.second & 1:
                    order = self.co[location]
                    if order[-1] == step.second:
                        order.pop()
                    else:
                        order.remove(step.second)
        else:
            self.run.pop()
            if frame.parameter != FAIL:
                del self.co[self.location[event]][frame.parameter]
        thread = step.thread
        (
            self.committed,
            self.fetched,
            self.pending,
            self.present,
            self.stale,
            self.moving,
            self.next[thread],
            errors,
        ) = frame.saved
        self.thread_past[thread] = frame.thread_past
        if len(self.errors) > errors:
            del self.errors[errors:]

    def _fetch(self, thread: int) -> None:
        """Runs a thread from its start to its first access."""
        following = self.next[thread]
        assert following is not None
        self._go(thread, following)

    def _go(self, thread: int, following: Step | End) -> None:
        """Runs a thread over fences and branches to its next access or its end."""
        while isinstance(following, Step):
            step = following
            event = step.event
            last = event if step.second < 0 else step.second
            if last >= len(self.past):
                self._grow(last + 1)
            bit = 1 << event
            self.steps[event] = step
            self.thread_bits[thread] |= bit
            kind = step.kind
            if kind == ADDRESS:
                address = step.address.evaluate(self.result)
                if address not in self.unfolding.location_of:
                    self._err(step, address)
                    return
                following = self.unfolding.follow(step, 0)
            elif kind == FENCE:
                self.fetched |= bit
                self.committed |= bit
                following = self.unfolding.follow(step, 0)
            elif kind == BRANCH:
                self.fetched |= bit
                self.committed |= bit
                outcome = 1 if step.condition.evaluate(self.result) else 0
                following = self.unfolding.follow(step, outcome)
            else:
                self._reach(step)
                return
        self.next[thread] = following
        self.moving &= ~(1 << thread)

    def _reach(self, step: Step) -> None:
        """The thread stands before an access, or before the choice how it goes."""
        access = step
        if step.kind == CHOICE:
            found = self.unfolding.follow(step, 1)
            assert isinstance(found, Step)
            access = found
            if access.second >= len(self.past):
                self._grow(access.second + 1)
        event, thread = access.event, step.thread
        address = access.address_value
        if not access.address_known:
            address = access.address.evaluate(self.result)
        location = self.unfolding.location_of.get(address, -1)
        if location < 0:
            self._err(access, address)
            return
        self.steps[event] = access
        self.location[event] = location
        self.readers[event] = 0
        second = access.second
        if second >= 0:
            self.steps[second] = access
            self.location[second] = location
            self.readers[second] = 0
            self.thread_bits[thread] |= 1 << event | 1 << second
        if access is step:
            self.fetched |= 1 << event
        self.pending |= 1 << step.event
        self.next[thread] = step
        self.moving |= 1 << thread

    def _err(self, step: Step, address: int) -> None:
        """The thread ends before an access to no location."""
        self.steps[step.event] = step
        self.errors.append((step, address))
        self.next[step.thread] = None
        self.moving &= ~(1 << step.thread)

    def _grow(self, size: int) -> None:
        grow = size - len(self.steps)
        if grow > 0:
            self.steps.extend([None] * grow)
            for numbers in (self.result, self.stored, self.readers):
                numbers.extend([0] * grow)
            self.location.extend([-1] * grow)
            self.source.extend([-1] * grow)
        for numbers in (self.before, self.past):
            numbers.extend([0] * (size - len(numbers)))

    # ---- looking

    def reached_asserts(self) -> list[tuple[str, Bound]]:
        return super().reached_asserts() if self._has_asserts else []

    def unfounded(self) -> int:
        return 0  # a load comes after its source

    def _may_fail(self, choice: Step, value: int) -> bool:
        """Whether a cas may read `value` and not store."""
        step = self.unfolding.follow(choice, 0)
        assert isinstance(step, Step)
        return self.satisfies(step, value)

    def taken(self, store: int, thread: int) -> bool:
        """Whether an rmw of another thread has read from `store` and stored: no second one can."""
        readers = self.readers[store]
        while readers:
            low = readers & -readers
            readers ^= low
            step = self.steps[low.bit_length() - 1]
            if (
                step is not None
                and step.kind == RMW
                and step.thread != thread
                and self.committed >> step.second & 1
            ):
                return True
        return False

    def may_succeed(self, step: Step) -> bool:
        """Whether a store-conditional's address is that of its load-reserve."""
        reserve = step.reserve
        return (
            reserve is not None
            and self.committed >> reserve.event & 1 == 1
            and self.location[reserve.event] == self.location[step.event]
        )

    def last_inserted(self, stores: int) -> int:
        """The store of these that was inserted last."""
        found = -1
        while stores:
            low = stores & -stores
            stores ^= low
            event = low.bit_length() - 1
            if found < 0 or self.before[event] >> found & 1:
                found = event
        return found
