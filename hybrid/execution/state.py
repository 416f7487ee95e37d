"""The state of a growing execution, and what can be asked of it: above all how a run that goes no
further stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hybrid.execution.bound import Bound
from hybrid.execution.numbering import RESERVED
from hybrid.execution.step import CHOICE, End, Rereads, Step
from hybrid.execution.trace import EventId, Status
from hybrid.execution.unfolding import Unfolding
from hybrid.program.loops import CutPlace

# looked up once: that takes long
_COMPLETE: Final = Status.COMPLETE
_BLOCKED: Final = Status.BLOCKED
_CUT: Final = Status.CUT
_ERROR: Final = Status.ERROR


class ExecutionState:
    """A partial trace with its fetched events. Entries of per-event lists mean something only for
    fetched events."""

    def __init__(self, unfolding: Unfolding) -> None:
        self.unfolding = unfolding
        self.numbering = numbering = unfolding.numbering
        initial_writes = numbering.initial_writes
        count = max(RESERVED, initial_writes.bit_length())
        self.fetched = initial_writes
        self.committed = initial_writes
        self.pending = 0  # fetched accesses that are not committed (the store of an rmw left out)
        self.resolved = initial_writes  # accesses whose address is known
        self.unchecked = 0  # addresses of failing store-conditionals that are not known yet
        self.steps: list[Step | None] = [None] * count  # both events of an rmw have its step
        self.result = [0] * count  # the value a load read; the status of a store-conditional
        self.stored = [0] * count  # the value a store wrote
        self.location = [-1] * count  # index of the accessed location, of resolved accesses
        self.source = [-1] * count  # of committed loads
        self.readers = [0] * count  # loads that read from this store
        self.thread_bits = [0] * numbering.threads  # all event numbers a thread has ever had
        self.co: list[list[int]] = []  # by location, the initial write first
        self.accesses: list[int] = []  # by location, the committed ones, initial writes apart
        self.initial = 0  # the initial writes of these locations
        self._add_locations()
        # to be fetched or, a branch, resolved; None after an error
        self.next: list[Step | End | None] = list(unfolding.roots)
        self.errors: list[tuple[Step, int]] = []  # accesses to no location, with the address
        self.run: list[tuple[int, int]] = []  # committed (event, parameter), oldest first

    def _add_locations(self) -> None:
        """Takes in the locations that have got their numbers since. They stay, whatever is undone:
        what nobody touches makes no difference."""
        numbering = self.numbering
        for number in range(len(self.co), len(numbering.locations)):
            event = numbering.initial_write(number)
            self._grow(event + 1)
            self.stored[event] = numbering.locations[number].initial
            self.location[event] = number
            self.co.append([event])
            self.accesses.append(0)
            self.initial |= 1 << event
        self.fetched |= self.initial
        self.committed |= self.initial
        self.resolved |= self.initial

    def _grow(self, size: int) -> None:
        """Makes room for events with numbers below `size`."""
        grow = size - len(self.steps)
        if grow > 0:
            self.steps.extend([None] * grow)
            for numbers in (self.result, self.stored, self.readers):
                numbers.extend([0] * grow)
            self.location.extend([-1] * grow)
            self.source.extend([-1] * grow)

    def _locate(self, address: int) -> int:
        """The number of the location at an address that is accessed; -1 if there is none."""
        location = self.numbering.touch(address)
        if location >= len(self.co):
            self._add_locations()
        return location

    def known(self, events: int) -> bool:
        """Whether the results of all these events (loads, store-conditionals) are known."""
        return not events & (self.pending | ~self.fetched)

    def event_id(self, event: int) -> EventId:
        step = self.steps[event]
        if step is None:
            return self.numbering.initial_id(event)
        return (step.thread, step.index + (event == step.second))

    def satisfies(self, step: Step, value: int, late: bool = True) -> bool:
        """Whether a load may read `value`, by its guards; late ones, unless they are to be left
        out, as far as their operands are known."""
        for test in step.guards:
            if not test.accepts(value, self.result):
                return False
        for test in step.late if late else ():
            if self.known(test.slots) and not test.accepts(value, self.result):
                return False
        return True

    def unfounded(self) -> int:
        """The committed loads whose sources are not; in a complete trace there are none."""
        found = 0
        waiting = self.pending
        while waiting:
            low = waiting & -waiting
            waiting ^= low
            found |= self.readers[low.bit_length() - 1]
        return found

    def fits(self) -> bool:
        """Whether all committed loads have read values that satisfy what is known of their guards
        by now, and the selects have gone as was guessed."""
        for event, _ in self.run:
            step = self.steps[event]
            if step is not None and step.late and not self.satisfies(step, self.result[event]):
                return False
        return all(
            not self.known(condition.slots)
            or (condition.evaluate(self.result) != 0) == (outcome == 1)
            for condition, outcome in self._reached_claims()
        )

    def _reached_claims(self) -> list[tuple[Bound, int]]:
        """What was guessed of selects up to where the threads stand."""
        found: list[tuple[Bound, int]] = []
        for thread, following in enumerate(self.next):
            step = self.stands_at(thread)
            if step is not None and step.cursor is not None:
                found.extend(step.cursor.said.claims)
            elif isinstance(following, End):
                found.extend(following.said.claims)
            elif isinstance(following, Step) and following.cursor is not None:
                found.extend(following.cursor.said.claims)
        return found

    def unconfirmed(self) -> bool:
        """Whether a run that goes no further is none: an access that does not wait for a value has
        not happened, be it that it was said to store, or not to, and cannot; or a store that was
        read from never happens. A cas that waits for a value is chosen to store or not before it
        waits; it is taken to wait where it was chosen not to."""
        if not self.pending and not self.errors:
            return False
        for thread in range(self.numbering.threads):
            step = self.stands_at(thread)
            waits = step is None or (step.is_await and step.guess <= 0)
            if step is not None and not waits and self.pending >> step.event & 1:
                return True
        beyond = self.beyond()
        stores = beyond & self.committed
        while stores:
            low = stores & -stores
            stores ^= low
            if self.readers[low.bit_length() - 1] & ~beyond:
                return True
        return False

    def status(self) -> Status:
        """How the run has ended, given that nothing more can be committed. A thread with a pending
        event stands there, whatever was fetched after it."""
        if self.errors and self.reached_errors():
            return _ERROR
        complete = True
        cut = False
        pending = self.pending
        for thread, following in enumerate(self.next):
            if (pending and pending & self.thread_bits[thread]) or not isinstance(following, End):
                complete = False
            elif following.cut:
                cut = True
            elif not following.complete:
                complete = False
        if cut:
            return _CUT
        return _COMPLETE if complete else _BLOCKED

    def cut(self) -> tuple[CutPlace, ...]:
        """Where threads have reached a bound; not those that stand at a pending event before it."""
        return tuple(
            (thread, following.label, following.bound)
            for thread, following in enumerate(self.next)
            if isinstance(following, End)
            and following.cut
            and not self.pending & self.thread_bits[thread]
        )

    def waits(self) -> list[Step]:
        """The awaits, and the assumes that stand for loops, at which threads stand, if all others
        have come to their ends; else none. A cas that is chosen to store or not before it waits is
        taken to wait where it is chosen not to."""
        found: list[Step] = []
        for thread, following in enumerate(self.next):
            pending = self.pending & self.thread_bits[thread]
            if pending:
                step = self.steps[(pending & -pending).bit_length() - 1]
                assert step is not None
                if not step.is_await or step.guess > 0:
                    return []
                if step.kind == CHOICE:
                    access = self.unfolding.follow(step, 1)
                    assert isinstance(access, Step)
                    step = access
                found.append(step)
            elif not isinstance(following, End):
                return []
            elif following.assume is not None:
                found.append(following.assume)
            elif not following.complete:
                return []
        return found

    def holds(self, rereads: Rereads, last: Sequence[int]) -> bool:
        """Whether memory holds what was read, with these co-last stores by location (-1: not
        asked)."""
        for address, value in rereads:
            place = address.evaluate(self.result)
            number = self.numbering.number_of(place)
            if number < 0:  # nobody stores there
                location = self.unfolding.program.by_address.get(place)
                if location is None or location.initial != value.evaluate(self.result):
                    return False
            elif last[number] < 0 or self.stored[last[number]] != value.evaluate(self.result):
                return False
        return True

    def reached_asserts(self) -> list[tuple[str, Bound]]:
        """The asserts that the threads have come to, with their conditions; what was fetched beyond
        a pending event or an error does not count."""
        found: list[tuple[str, Bound]] = []
        for thread, following in enumerate(self.next):
            step = self.stands_at(thread)
            if step is not None and step.cursor is not None:
                found.extend(step.cursor.said.asserts)
            elif isinstance(following, End):
                found.extend(following.said.asserts)
        return found

    def stands_at(self, thread: int) -> Step | None:
        """What a thread of a run that goes no further has not done: its first access that waits, or
        the one that errs. None when it has come to an end."""
        waiting = self.pending & self.thread_bits[thread]
        first = waiting & -waiting
        for step, _ in self.errors:
            if step.thread == thread and (not first or 1 << step.event < first):
                first = 1 << step.event
        return self.steps[first.bit_length() - 1] if first else None

    def reached_errors(self) -> list[tuple[Step, int]]:
        """The accesses to no location at which threads stand."""
        return [error for error in self.errors if self.stands_at(error[0].thread) is error[0]]

    def beyond(self) -> int:
        """What threads that wait or have erred would do from there on, in a run that goes no
        further: it never happens."""
        found = 0
        if self.pending or self.errors:
            for thread, bits in enumerate(self.thread_bits):
                step = self.stands_at(thread)
                if step is not None:
                    found |= bits & (-1 << step.event)
        return found
