"""Machines with store buffers: tso and pso as interleavings, with buffers as further processes.

A thread puts a store into its buffer as soon as it comes to it: that is a step of its own, and goes
with the access before it. The event is the *update*, by which the store reaches memory; it belongs
to the process of the buffer, of which tso has one for each thread, pso one for each thread and
location. A load reads the last store of its thread to its location if that is still in a buffer,
else memory. What has to wait until stores have left the buffers:

- under both, an access after a full fence, for all stores before the fence; a read-modify-write
  that stores, or is locked, for all stores before it;
- an update, under tso for all earlier stores of its thread, under pso for those to its location and
  for all before a store-store fence or a full fence.

So a compare-and-swap that would store, but whose thread has stores in buffers, is disabled until
they have left or the value has changed: other threads' updates enable and disable it.

Which fences are full, and which order stores alone, the model's text says: the sets `full-fence`
and `stbar` that it defines.
"""

from __future__ import annotations

from hybrid.engine.odpor.accesses import DISABLED, GUARDED, WRITES
from hybrid.engine.odpor.interleaving import Interleaving
from hybrid.engine.odpor.wakeup_nodes import WakeupNode
from hybrid.execution.bound import Constant
from hybrid.execution.step import CHOICE, STORE, End, Step
from hybrid.execution.unfolding import Unfolding

_LOCKED = "LOCK"


class _BufferUndo:
    """What an event has changed of the buffers."""

    __slots__ = ("buffer", "full", "issued", "stores", "thread")

    def __init__(self, thread: int, buffer: int, issued: int, full: int, stores: int) -> None:
        self.thread = thread
        self.buffer = buffer  # of an update: its process, else -1
        self.issued = issued  # how many stores the thread had issued
        self.full = full  # the stores before its last full fence …
        self.stores = stores  # … and before its last fence between stores


class BufferedInterleaving(Interleaving):
    """The state of a machine with store buffers."""

    def __init__(
        self,
        unfolding: Unfolding,
        adds: frozenset[str],
        by_location: bool,
        full_fences: frozenset[frozenset[str]],
        store_fences: frozenset[frozenset[str]],
    ) -> None:
        """`by_location`: there is a buffer for each thread and location. The fences are given by
        their tags."""
        threads = unfolding.numbering.threads
        self.by_location = by_location
        self.full_fences = full_fences
        self.store_fences = store_fences
        self.thread_of = list(range(threads))  # by process
        self.queues: list[list[int]] = [[] for _ in range(threads)]  # by process: stores issued …
        self.heads = [0] * threads  # … and how many of them have reached memory
        self._buffers: dict[tuple[int, int], int] = {}  # processes by thread and location
        self.issued: list[list[int]] = [[] for _ in range(threads)]  # stores by thread
        self.issued_bits = [0] * threads  # the same as sets
        self.before_full = [0] * threads  # stores before the last full fence
        self.before_stores = [0] * threads  # stores before the last fence between stores
        # by event
        self.needs_flushed: dict[int, int] = {}  # stores that have to reach memory before it
        self.issue_position: dict[int, int] = {}  # of a store: the event with which it was issued
        self.issued_at: dict[int, int] = {}  # stores issued, by location
        self._performed = -1  # the position of the event that is being performed
        self._buffer_undo: list[_BufferUndo] = []
        super().__init__(unfolding, adds)
        self.may_block = True
        if not by_location:
            for thread in range(threads):
                self._buffer_of(thread, 0)

    # ---- running to the next access

    def _pass_fence(self, fence: Step) -> None:
        thread = fence.thread
        if fence.tags in self.full_fences:
            self.before_full[thread] = self.issued_bits[thread]
            self.before_stores[thread] = self.issued_bits[thread]
        elif fence.tags in self.store_fences:
            self.before_stores[thread] = self.issued_bits[thread]

    def _reach(self, step: Step) -> Step | End | None:
        if step.kind == STORE:
            return self._issue(step)
        access = self.access(step)
        self.needs_flushed[access.event] = self.before_full[step.thread]
        return super()._reach(step)

    def _issue(self, step: Step) -> Step | End | None:
        """Puts a store into its buffer."""
        event, thread = step.event, step.thread
        bound = step.address
        address = bound.value if isinstance(bound, Constant) else bound.evaluate(self.result)
        location = self._locate(address)
        if location < 0:
            self._err(step, address)
            return None
        self.location[event] = location
        self.readers[event] = 0
        self.stored[event] = step.value.evaluate(self.result)
        self.fetched |= 1 << event
        before = self.issued_at.get(location, 0)
        needs = before & self.issued_bits[thread] | self.before_stores[thread]
        if not self.by_location or _LOCKED in step.tags:
            needs = self.issued_bits[thread]
        self.needs_flushed[event] = needs
        self.issue_position[event] = self._performed
        self.issued_at[location] = before | 1 << event
        self.issued[thread].append(event)
        self.issued_bits[thread] |= 1 << event
        self.queues[self._buffer_of(thread, location)].append(event)
        return self.unfolding.follow(step, 0)

    def _buffer_of(self, thread: int, location: int) -> int:
        """The process of a buffer."""
        key = (thread, location if self.by_location else 0)
        found = self._buffers.get(key, -1)
        if found < 0:
            found = len(self.queues)
            self._buffers[key] = found
            self.thread_of.append(thread)
            self.queues.append([])
            self.heads.append(0)
            self.processes = len(self.queues)
        return found

    # ---- what can happen

    def is_buffer(self, process: int) -> bool:
        return process >= self.numbering.threads

    def step_of(self, process: int) -> Step:
        if not self.is_buffer(process):
            return super().step_of(process)
        step = self.steps[self.queues[process][self.heads[process]]]
        assert step is not None
        return step

    def enabled(self, process: int, alternative: int) -> bool:
        if not self.is_buffer(process):
            return super().enabled(process, alternative)
        queue, head = self.queues[process], self.heads[process]
        if alternative or head == len(queue):
            return False
        return not self.needs_flushed[queue[head]] & ~self.committed

    def next_effect(self, process: int, alternative: int) -> int:
        at = self.step_of(process)
        access = self.access(at)
        location = self.location[access.event]
        own = self.own_store(access, location)
        source = self.co[location][-1]
        if own >= 0 and not self.committed >> own & 1:
            source = own
        stores = access.po & self.issued_bits[at.thread]
        return self.buffered_effect(at, alternative, self.stored[source], stores & ~self.committed)

    def own_store(self, access: Step, location: int) -> int:
        """The last store of the thread to the location before an access of it; -1: none."""
        own = access.po & self.issued_at.get(location, 0)
        return own.bit_length() - 1

    def buffered_effect(self, at: Step, alternative: int, value: int, buffered: int) -> int:
        """The flags of the event at which a thread stands, where it sees `value` and these stores
        of it before the event have not reached memory; or DISABLED."""
        access = self.access(at)
        if self.needs_flushed[access.event] & buffered:
            return DISABLED
        flags = self.effect(at, alternative, value)
        if flags == DISABLED or (buffered and self.drains(at, flags)):
            return DISABLED
        return flags | GUARDED if at.decides else flags

    def drains(self, at: Step, flags: int) -> bool:
        """Whether an access that does this has to wait for all earlier stores of its thread."""
        access = self.access(at)
        if at.kind == CHOICE and not flags & WRITES:
            found = self.unfolding.follow(at, 0)
            assert isinstance(found, Step)
            access = found
        return flags & WRITES != 0 or _LOCKED in access.tags

    # ---- growing

    def perform(self, node: WakeupNode) -> None:
        self._performed = len(self._buffer_undo)
        process = node.process
        thread = self.thread_of[process]
        self._buffer_undo.append(
            _BufferUndo(
                thread,
                process if self.is_buffer(process) else -1,
                len(self.issued[thread]),
                self.before_full[thread],
                self.before_stores[thread],
            )
        )
        if self.is_buffer(process):
            self._update(node)
        else:
            super().perform(node)
            if node.flags & WRITES:
                node.own = -1

    def _update(self, node: WakeupNode) -> None:
        """The oldest store of a buffer reaches memory."""
        process = node.process
        event = self.queues[process][self.heads[process]]
        self.heads[process] += 1
        location = self.location[event]
        order = self.co[location]
        self.run.append((event, len(order)))
        order.append(event)
        self.committed |= 1 << event
        node.location, node.flags = location, WRITES

    def source_of(self, access: Step, node: WakeupNode) -> int:
        location = self.location[access.event]
        own = self.own_store(access, location)
        last = self.co[location][-1]
        node.own = -1
        if own >= 0 and (last == own or not self.committed >> own & 1):
            node.own = own
            return own
        return last

    def undo(self) -> None:
        undo = self._buffer_undo.pop()
        thread = undo.thread
        if undo.buffer >= 0:
            self.heads[undo.buffer] -= 1
            event, _ = self.run.pop()
            self.co[self.location[event]].pop()
            self.committed &= ~(1 << event)
            return
        super().undo()
        issued = self.issued[thread]
        while len(issued) > undo.issued:
            event = issued.pop()
            location = self.location[event]
            self.issued_bits[thread] ^= 1 << event
            self.issued_at[location] ^= 1 << event
            self.queues[self._buffer_of(thread, location)].pop()
        self.before_full[thread] = undo.full
        self.before_stores[thread] = undo.stores
