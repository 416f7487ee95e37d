"""The happens-before order of an execution, kept while the execution grows and shrinks.

Events are named by their positions in the execution E, so that sets of them are `int` bitsets. The
paper's names: e →hb e' is `before[e'] >> e & 1`; notdep(e, E) is `not_after(e)`; pre(E, e) are the
positions below e. A clock is a set of events closed downwards.
"""

from __future__ import annotations

from mypy_extensions import mypyc_attr

from hybrid.engine.odpor.accesses import ADDS, DISABLED, WRITES, conflict
from hybrid.engine.odpor.interleaving import Interleaving
from hybrid.engine.odpor.wakeup_nodes import WakeupNode, WakeupSequence
from hybrid.execution.step import CONDITIONAL, Step


@mypyc_attr(allow_interpreted_subclasses=True)
class HappensBefore:
    """The events of an execution, by position, and their order."""

    def __init__(self, machine: Interleaving) -> None:
        self.machine = machine  # the state after the execution
        self.size = 0
        # by position
        self.process: list[int] = []
        self.alternative: list[int] = []
        self.location: list[int] = []
        self.flags: list[int] = []
        # of a load that reads what its thread has stored itself: that store, else -1
        self.own: list[int] = []
        self.at: list[Step] = []  # where the process stood: an access, or the choice before it
        self.before: list[int] = []  # what happens before it
        self.adjacent: list[int] = []  # the latest of these: nothing lies between
        self.past: list[int] = []  # the clock of its process before it
        # the clocks of their locations before those events that have one
        self._old_written: list[int] = []
        self._old_settled: list[int] = []
        self._old_accessed: list[int] = []
        # by process
        self.clock: list[int] = []  # its last event and what happens before that
        self.of_process: list[int] = []  # its events
        # by location: clocks …
        self._written: list[int] = []  # of the writes
        self._settled: list[int] = []  # of all but independent fetch-and-adds
        self._accessed: list[int] = []  # of all accesses
        # … and the events themselves
        self.writes: list[int] = []
        self.not_adds: list[int] = []
        self.accesses: list[int] = []
        self._after: list[int] = []  # by position, see `look_back`

    def make_room(self, processes: int) -> None:
        """For so many processes."""
        while len(self.clock) < processes:
            self.clock.append(0)
            self.of_process.append(0)

    # ---- growing

    def push(self, node: WakeupNode, at: Step) -> None:
        """A new last event, of a process that stands at `at`."""
        location = node.location
        while location >= len(self.writes):
            self._add_location()
        before = self.clock[node.process] | self.clock_of_conflicts(location, node.flags)
        self.append(node, at, before, True)

    def clock_of_conflicts(self, location: int, flags: int) -> int:
        """The events that an access with these flags conflicts with, and what happens before
        them."""
        if location < 0:
            return 0
        if flags & ADDS:
            return self._settled[location]
        return self._accessed[location] if flags & WRITES else self._written[location]

    def append(self, node: WakeupNode, at: Step, before: int, seen: bool) -> None:
        """The same with what happens before it. Unless it is `seen`, nothing at its location has to
        come after it."""
        location, process = node.location, node.process
        bit = 1 << self.size
        self.process.append(process)
        self.alternative.append(node.alternative)
        self.own.append(node.own)
        self.location.append(location)
        self.flags.append(node.flags)
        self.at.append(at)
        self.before.append(before)
        self.adjacent.append(self._latest(before))
        self.past.append(self.clock[process])
        clock = before | bit
        self.clock[process] = clock
        self.of_process[process] |= bit
        if location >= 0:
            self._access(location, node.flags, clock, seen)
        self.size += 1

    def _access(self, location: int, flags: int, clock: int, seen: bool) -> None:
        """The part of a new event that is about its location."""
        bit = 1 << self.size
        written, settled, accessed = (
            self._written[location],
            self._settled[location],
            self._accessed[location],
        )
        self._old_written.append(written)
        self._old_settled.append(settled)
        self._old_accessed.append(accessed)
        self.accesses[location] |= bit
        if flags & WRITES:
            self._written[location] = written | clock
            self.writes[location] |= bit
        if not flags & ADDS:
            self.not_adds[location] |= bit
        if seen:
            self._accessed[location] = accessed | clock
            if not flags & ADDS:
                self._settled[location] = settled | clock

    def read_late(self, location: int, clock: int) -> None:
        """What comes later at the location has to come after these events, too."""
        self._accessed[location] |= clock
        self._settled[location] |= clock

    def _latest(self, events: int) -> int:
        """The maximal ones of a set that is closed downwards."""
        found = 0
        before = self.before
        while events:
            event = events.bit_length() - 1
            found |= 1 << event
            events &= ~(before[event] | 1 << event)
        return found

    def _add_location(self) -> None:
        for numbers in (
            self._written,
            self._settled,
            self._accessed,
            self.writes,
            self.not_adds,
            self.accesses,
        ):
            numbers.append(0)

    def pop(self) -> None:
        """Takes the last event back."""
        self.size -= 1
        keep = ~(1 << self.size)
        process, location = self.process.pop(), self.location.pop()
        self.alternative.pop()
        self.own.pop()
        self.flags.pop()
        self.at.pop()
        self.before.pop()
        self.adjacent.pop()
        self.clock[process] = self.past.pop()
        self.of_process[process] &= keep
        if location < 0:
            return
        self._written[location] = self._old_written.pop()
        self._settled[location] = self._old_settled.pop()
        self._accessed[location] = self._old_accessed.pop()
        self.writes[location] &= keep
        self.not_adds[location] &= keep
        self.accesses[location] &= keep

    # ---- looking

    def look_back(self) -> None:
        """Prepares `after` and `not_after` for the execution as it is."""
        size = self.size
        after = [0] * size
        for event in range(size - 1, -1, -1):
            later = after[event] | 1 << event
            events = self.adjacent[event]
            while events:
                low = events & -events
                events ^= low
                after[low.bit_length() - 1] |= later
        self._after = after

    def after(self, event: int) -> int:
        """What happens after an event."""
        return self._after[event]

    def not_after(self, event: int) -> int:
        """The events that occur after an event and do not happen after it: notdep."""
        return ((1 << self.size) - (2 << event)) & ~self._after[event]

    def conflicting(self, location: int, flags: int) -> int:
        """The events that an access with these flags conflicts with."""
        if location < 0:
            return 0
        if flags & ADDS:
            return self.not_adds[location]
        return self.accesses[location] if flags & WRITES else self.writes[location]

    def of_other_threads(self, events: int, process: int) -> int:
        """Those of the events that are not of the thread of a process."""
        return events & ~self.of_process[process]

    def sequence(self, first: int, events: int, last: WakeupNode, at: Step) -> WakeupSequence:
        """The sequence of these events, which follow the prefix before `first`, and `last`, whose
        process stands at `at`."""
        own = self.of_process[last.process]
        waits_for = events & (own | self.conflicting(last.location, last.flags))
        return WakeupSequence(first, events, last, waits_for)

    def independent(
        self, node: WakeupNode, sequence: WakeupSequence, rest: int, has_last: bool
    ) -> bool:
        """Whether the event of a node, whose process has no event in what is left of a sequence, is
        independent of all that."""
        if self.conflicting(node.location, node.flags) & rest:
            return False
        last = sequence.last
        return not (
            has_last and node.location == last.location and conflict(node.flags, last.flags)
        )

    def event_after(
        self, first: int, events: int, process: int, alternative: int, at: Step
    ) -> WakeupNode | None:
        """The event of a process that stands at `at`, after the prefix before `first` and these
        events; None if it is blocked there."""
        machine = self.machine
        access = machine.access(at)
        location = machine.location[access.event]
        if at.kind == CONDITIONAL:
            reserved = self._reserved(location, at, (1 << first) - 1 | events)
            flags = machine.conditional_effect(alternative, reserved)
            location = location if flags else -1
            return None if flags == DISABLED else WakeupNode(process, alternative, location, flags)
        value = 0
        if machine.depends_on_value(at):
            value = self.value_after(location, (1 << first) - 1 | events)
        flags = machine.effect(at, alternative, value)
        return None if flags == DISABLED else WakeupNode(process, alternative, location, flags)

    def _reserved(self, location: int, at: Step, events: int) -> bool:
        """Whether no other thread stores to the location between a load-reserve and its
        store-conditional, where these events come before the latter."""
        if not self.machine.reserves(at) or at.reserve is None:
            return False
        events &= self.writes[location] & ~self.of_process[at.thread]
        load = self.of_process[at.thread]
        while load:
            event = load.bit_length() - 1
            if self.at[event] is at.reserve:
                return events >> event == 0
            load ^= 1 << event
        return False

    def value_after(self, location: int, events: int) -> int:
        """What a location holds after these events, which are closed downwards."""
        machine = self.machine
        writes = self.writes[location] & events
        settled = writes & self.not_adds[location]
        if settled:
            last = settled.bit_length() - 1
            value = machine.written_by(self.at[last])
            writes &= -1 << last + 1
        else:
            value = machine.stored[machine.co[location][0]]
        while writes:
            low = writes & -writes
            writes ^= low
            value = machine.rmw_value(self.at[low.bit_length() - 1], value)
        return value

    def meets(self, first: int, events: int, last: WakeupNode) -> bool:
        """Whether an event that has the location of `first`, which writes, conflicts with it after
        the prefix before `first` and these events."""
        return True

    def stays_asleep(self, sleeper: WakeupNode, node: WakeupNode) -> bool:
        """Whether a sleeping event is independent of one that is about to be pushed."""
        return sleeper.process != node.process and (
            sleeper.location != node.location or not conflict(sleeper.flags, node.flags)
        )
