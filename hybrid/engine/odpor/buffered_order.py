"""The happens-before order of executions with store buffers (buffers.py): two executions are
equivalent when they have the same trace, that is the same reads-from and coherence.

That is the chronological trace of Abdulla, Aronis, Atig, Jonsson, Leonardsson, Sagonas, "Stateless
model checking for TSO and PSO" (TACAS 2015). What happens before what, besides the order of one
process:

- what a thread did before it issued a store, before the store's update; updates that must come
  first, before it; updates that an access waits for, before the access;
- updates of one location, and read-modify-writes there, in the order in which they happen;
- an update before a load that comes after it, unless the load reads what its own thread has stored:
  then it makes no difference whether that store has reached memory, or when;
- a load before an update of its location that comes after the update of the store that it reads
  from. If it has read that store from the buffer, the later updates follow it all the same; if they
  come before the update of that store, they do not.

So a load that reads its own thread's store (`own`) conflicts with updates only once that store has
reached memory.
"""

from __future__ import annotations

from mypy_extensions import mypyc_attr

from hybrid.engine.odpor.accesses import ADDS, DISABLED, WRITES
from hybrid.engine.odpor.buffers import BufferedInterleaving
from hybrid.engine.odpor.happens_before import HappensBefore
from hybrid.engine.odpor.wakeup_nodes import WakeupNode, WakeupSequence
from hybrid.execution.step import Step


@mypyc_attr(allow_interpreted_subclasses=True)
class BufferedOrder(HappensBefore):
    """The order of updates and accesses."""

    def __init__(self, machine: BufferedInterleaving) -> None:
        super().__init__(machine)
        self.buffers = machine  # the same
        self.of_thread = [0] * machine.numbering.threads  # events of it and of its buffers
        self.update_at: dict[int, int] = {}  # by store: the position of its update
        self.own_reads: list[int] = []  # by location: loads of what their threads have stored
        # by store that is in a buffer: the loads that have read it, and what happens before them
        self._early: dict[int, int] = {}
        self._old_early: list[int] = []  # by position of such a load: the value before it

    # ---- growing

    def _add_location(self) -> None:
        super()._add_location()
        self.own_reads.append(0)

    def push(self, node: WakeupNode, at: Step) -> None:
        location = node.location
        while location >= len(self.writes):
            self._add_location()
        bit = 1 << self.size
        self.of_thread[self.buffers.thread_of[node.process]] |= bit
        early = node.own >= 0 and node.own not in self.update_at
        self.append(node, at, self._before(node, at), not early)
        old = 0
        if self.buffers.is_buffer(node.process):
            self.update_at[at.event] = self.size - 1
            self.read_late(location, self._early.get(at.event, 0))
        elif node.own >= 0:
            self.accesses[location] ^= bit
            self.not_adds[location] ^= bit
            self.own_reads[location] |= bit
            if early:
                old = self._early.get(node.own, 0)
                self._early[node.own] = old | self.clock[node.process]
        self._old_early.append(old)

    def _before(self, node: WakeupNode, at: Step) -> int:
        """What happens before an event that is about to be pushed."""
        machine = self.buffers
        found = self.clock[node.process]
        if machine.is_buffer(node.process):
            issue = machine.issue_position[at.event]
            if issue >= 0:
                found |= self.before[issue] | 1 << issue
        if node.own < 0:
            found |= self.clock_of_conflicts(node.location, node.flags)
        needed = self._needed(node, at)
        while needed:
            low = needed & -needed
            needed ^= low
            update = self.update_at[low.bit_length() - 1]
            found |= self.before[update] | 1 << update
        return found

    def _needed(self, node: WakeupNode, at: Step) -> int:
        """The stores whose updates have to come before the event."""
        machine = self.buffers
        access = machine.access(at)
        if not machine.is_buffer(node.process) and machine.drains(at, node.flags):
            return access.po & machine.issued_bits[at.thread]
        return machine.needs_flushed[access.event]

    def pop(self) -> None:
        process, at, own = self.process[-1], self.at[-1], self.own[-1]
        location = self.location[-1]
        old = self._old_early.pop()
        keep = ~(1 << (self.size - 1))
        self.of_thread[self.buffers.thread_of[process]] &= keep
        if self.buffers.is_buffer(process):
            del self.update_at[at.event]
        elif own >= 0:
            self.own_reads[location] &= keep
            if own not in self.update_at:
                self._early[own] = old
        super().pop()

    # ---- looking

    def of_other_threads(self, events: int, process: int) -> int:
        return events & ~self.of_thread[self.buffers.thread_of[process]]

    def _flushed(self, store: int, first: int, events: int) -> bool:
        """Whether a store has reached memory after the prefix before `first` and these events."""
        update = self.update_at.get(store, -1)
        return update >= 0 and (update < first or events >> update & 1 == 1)

    def _unflushed(self, stores: int, first: int, events: int) -> int:
        """Those of the stores that have not."""
        found = 0
        while stores:
            low = stores & -stores
            stores ^= low
            if not self._flushed(low.bit_length() - 1, first, events):
                found |= low
        return found

    def _settled_reads(self, location: int, among: int, first: int, events: int) -> int:
        """The loads among these events that read what their own threads have stored, and whose
        source has reached memory after the prefix before `first` and `events`."""
        found = 0
        reads = self.own_reads[location] & among
        while reads:
            low = reads & -reads
            reads ^= low
            if self._flushed(self.own[low.bit_length() - 1], first, events):
                found |= low
        return found

    def sequence(self, first: int, events: int, last: WakeupNode, at: Step) -> WakeupSequence:
        machine = self.buffers
        waits_for = self.of_process[last.process]
        if machine.is_buffer(last.process):
            issue = machine.issue_position[at.event]
            if issue >= 0:
                waits_for |= self.before[issue] | 1 << issue
        needed = self._needed(last, at)
        while needed:
            low = needed & -needed
            needed ^= low
            waits_for |= 1 << self.update_at[low.bit_length() - 1]
        if last.own < 0:
            waits_for |= self.conflicting(last.location, last.flags)
        if last.flags & WRITES:
            waits_for |= self._settled_reads(last.location, events, first, events)
        return WakeupSequence(first, events, last, waits_for & events)

    def independent(
        self, node: WakeupNode, sequence: WakeupSequence, rest: int, has_last: bool
    ) -> bool:
        location, last, first = node.location, sequence.last, sequence.first
        meets_last = has_last and last.location == location
        if node.flags & WRITES:
            if self.conflicting(location, node.flags) & rest:
                return False
            if self._settled_reads(location, rest, first, sequence.events):
                return False
            if not meets_last:
                return True
            if last.flags & WRITES:
                return node.flags & last.flags & ADDS != 0
            return last.own >= 0 and not self._flushed(last.own, first, sequence.events)
        later = self.writes[location] & rest
        if node.own >= 0 and not self._flushed(node.own, first, sequence.events & ~rest):
            update = self.update_at.get(node.own, -1)
            if update < 0 or not rest >> update & 1:
                return True
            later &= -2 << update
        return not later and not (meets_last and last.flags & WRITES)

    def event_after(
        self, first: int, events: int, process: int, alternative: int, at: Step
    ) -> WakeupNode | None:
        machine = self.buffers
        access = machine.access(at)
        location = machine.location[access.event]
        if machine.is_buffer(process):
            if self._unflushed(machine.needs_flushed[access.event], first, events):
                return None
            return WakeupNode(process, 0, location, WRITES)
        buffered = self._unflushed(access.po & machine.issued_bits[at.thread], first, events)
        own = machine.own_store(access, location)
        there = (1 << first) - 1 | events
        if own >= 0 and buffered >> own & 1:
            value = machine.stored[own]
        else:
            value = self.value_after(location, there)
            if own >= 0 and (self.writes[location] & there) >> self.update_at[own] > 1:
                own = -1
        flags = machine.buffered_effect(at, alternative, value, buffered)
        if flags == DISABLED:
            return None
        return WakeupNode(process, alternative, location, flags, -1 if flags & WRITES else own)

    def meets(self, first: int, events: int, last: WakeupNode) -> bool:
        if last.own < 0 or self.process[first] == last.process:
            return True
        return self._flushed(last.own, first, events)

    def stays_asleep(self, sleeper: WakeupNode, node: WakeupNode) -> bool:
        if sleeper.process == node.process:
            return False
        if sleeper.location != node.location:
            return True
        if node.flags & WRITES:
            if sleeper.flags & WRITES:
                return node.flags & sleeper.flags & ADDS != 0
            return sleeper.own >= 0 and sleeper.own not in self.update_at
        if sleeper.flags & WRITES:
            return node.own >= 0 and node.own not in self.update_at
        return True
