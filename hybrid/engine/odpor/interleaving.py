"""A program run step by step over one memory: the state after an execution E of Optimal-DPOR-Await,
changed at its end and undone.

An event is one access of a thread, with all that its thread does up to its next access. It reads
from the last store to its location, and stores behind it. A thread is never run again: what follows
a step is found in the shared Unfolding.

The paper's threads are deterministic. Here a weak compare-and-swap may fail although it could
store, and so may a store-conditional: such an event is the *alternative* of its thread's next
event, so that what happens next is told by a thread and an alternative (0, or 1 for the failure).
Each of the two disables the other. A store-conditional that fails accesses nothing; it can store
only if no other thread has stored to its location since its load-reserve.

Threads are called processes where the explorer talks of them: subclasses have further ones, which
are not threads of the program.
"""

from __future__ import annotations

from collections.abc import Sequence

from hybrid.engine.odpor.accesses import ADDS, DISABLED, GUARDED, READS, WRITES
from hybrid.engine.odpor.wakeup_nodes import WakeupNode
from hybrid.execution.access_by_access import AccessByAccess
from hybrid.execution.execution import FAIL
from hybrid.execution.step import CHOICE, CONDITIONAL, LOAD, RMW, STORE, End, Step
from hybrid.execution.unfolding import Unfolding
from hybrid.program import instructions as ins


class _Undo:
    """What an event has changed."""

    __slots__ = (
        "access",
        "committed",
        "errors",
        "fetched",
        "moving",
        "next",
        "pending",
        "thread",
    )

    def __init__(
        self,
        committed: int,
        fetched: int,
        pending: int,
        moving: int,
        following: Step | End | None,
        errors: int,
        thread: int,
        access: Step,
    ) -> None:
        self.committed = committed
        self.fetched = fetched
        self.pending = pending
        self.moving = moving
        self.next = following
        self.errors = errors
        self.thread = thread
        self.access = access  # what happened; `next` may be the choice before it


class Interleaving(AccessByAccess):
    """The state after the events performed so far."""

    def __init__(self, unfolding: Unfolding, adds: frozenset[str]) -> None:
        self.adds = adds  # the labels of fetch-and-adds that are independent of each other
        self.processes = unfolding.numbering.threads  # how many there are
        self._undo: list[_Undo] = []
        # whether some event may be blocked, or has an alternative
        self.may_block = any(
            instruction.awaits is not None
            or isinstance(instruction, ins.StoreConditional)
            or (isinstance(instruction, ins.Rmw) and instruction.weak)
            for thread in unfolding.program.threads
            for instruction in thread.code
        )
        super().__init__(unfolding)

    # ---- what can happen

    def first_enabled(self, processes: Sequence[int]) -> WakeupNode | None:
        """The next event of the first of these that has one which can happen; None: there is
        none."""
        for process in processes:
            if self.enabled(process, 0):
                return WakeupNode(process, 0, -1, 0)
            if self.enabled(process, 1):
                return WakeupNode(process, 1, -1, 0)
        return None

    def step_of(self, process: int) -> Step:
        """Where a process stands that has a next event: at an access, or at the choice before
        it."""
        at = self.next[process]
        assert isinstance(at, Step)
        return at

    def enabled(self, process: int, alternative: int) -> bool:
        """Whether the next event of a process, in this alternative, can happen."""
        if not self.moving >> process & 1:
            return False
        at = self.step_of(process)
        if alternative and not self.has_alternative(at):
            return False
        return self.next_effect(process, alternative) != DISABLED

    def next_effect(self, process: int, alternative: int) -> int:
        """The flags of the next event of a process that has one, or DISABLED."""
        at = self.step_of(process)
        if at.kind == STORE or (at.kind == LOAD and not at.guards):
            return WRITES if at.kind == STORE else READS
        if at.kind == CONDITIONAL:
            return self.conditional_effect(alternative, self._is_reserved(at))
        order = self.co[self.location[self.access(at).event]]
        return self.effect(at, alternative, self.stored[order[-1]])

    def access(self, at: Step) -> Step:
        """The access itself, where a choice comes before it."""
        if at.kind != CHOICE:
            return at
        found = self.unfolding.follow(at, 1)
        assert isinstance(found, Step)
        return found

    def depends_on_value(self, at: Step) -> bool:
        """Whether what the access does, or whether it can happen, depends on the value read."""
        return at.decides or len(at.guards) > 0

    def written_by(self, at: Step) -> int:
        """What the event that happened at this step has written."""
        access = self.access(at)
        return self.stored[access.second if access.kind == RMW else access.event]

    def has_alternative(self, at: Step) -> bool:
        """Whether the access may fail although it could store."""
        if at.kind == CONDITIONAL:
            return True
        instruction = at.instruction
        return at.kind == CHOICE and isinstance(instruction, ins.Rmw) and instruction.weak

    def reserves(self, at: Step) -> bool:
        """Whether a store-conditional goes to the location of its load-reserve."""
        reserve = at.reserve
        return (
            reserve is not None
            and self.committed >> reserve.event & 1 == 1
            and self.location[reserve.event] == self.location[at.event]
        )

    def _is_reserved(self, at: Step) -> bool:
        """Whether a store-conditional can store now."""
        reserve = at.reserve
        if reserve is None or not self.reserves(at):
            return False
        order = self.co[self.location[at.event]]
        others = order[order.index(self.source[reserve.event]) + 1 :]
        return all(self.thread_bits[at.thread] >> store & 1 for store in others)

    def conditional_effect(self, alternative: int, reserved: bool) -> int:
        """The flags of a store-conditional, whose location is `reserved` or not."""
        if alternative:
            return 0
        return WRITES | GUARDED if reserved else DISABLED

    def effect(self, at: Step, alternative: int, value: int) -> int:
        """The flags of the event at which a thread stands, where its location holds `value`; or
        DISABLED."""
        kind = at.kind
        if kind == STORE:
            return WRITES
        if kind == CHOICE:
            return self._chosen_effect(at, alternative, value)
        flags = READS
        if at.guards:
            if not self.satisfies(at, value):
                return DISABLED
            flags |= GUARDED
        if kind == RMW and self.rmw_stores(at, value):
            flags |= WRITES
            if not at.guards and self.adds and at.label in self.adds:
                flags |= ADDS
        return flags

    def _chosen_effect(self, choice: Step, alternative: int, value: int) -> int:
        """The same for a cas of which a choice says whether it stores: only a weak one may do
        either."""
        stores = self.satisfies(self.access(choice), value)
        fails = self._may_fail(choice, value)
        if alternative:
            return READS | GUARDED if stores and fails else DISABLED
        if not stores and not fails:
            return DISABLED
        flags = READS | WRITES if stores else READS
        return flags | GUARDED if choice.is_await else flags

    # ---- growing

    def perform(self, node: WakeupNode) -> None:
        """Lets the event of a node happen, which must be enabled, and notes in the node what it
        does."""
        process = node.process
        at = self.step_of(process)
        flags = self.next_effect(process, node.alternative)
        assert flags != DISABLED
        access = self.access(at)
        source = self.source_of(access, node)
        if at.kind == CHOICE and not flags & WRITES:
            found = self.unfolding.follow(at, 0)
            assert isinstance(found, Step)
            access = found
        self._undo.append(
            _Undo(
                self.committed,
                self.fetched,
                self.pending,
                self.moving,
                at,
                len(self.errors),
                process,
                access,
            )
        )
        if at is not access:
            self.steps[access.event] = access
            self.fetched |= 1 << access.event
        node.location = self.location[access.event] if flags else -1
        node.flags = flags
        if access.kind == CONDITIONAL:
            self.result[access.event] = node.alternative
        if flags & READS:
            self._read(access, source)
        if flags & WRITES:
            self._write(access)
        if not flags:
            self.run.append((access.event, FAIL))
        self.pending ^= 1 << at.event
        outcome = 1 if access.decides and flags & WRITES else 0
        self._go(process, self.unfolding.follow(access, outcome))

    def source_of(self, access: Step, node: WakeupNode) -> int:
        """The store that an access would read from now."""
        return self.co[self.location[access.event]][-1]

    def _read(self, access: Step, source: int) -> None:
        event = access.event
        bit = 1 << event
        self.result[event] = self.stored[source]
        self.source[event] = source
        self.readers[source] |= bit
        self.committed |= bit
        self.run.append((event, source))

    def _write(self, access: Step) -> None:
        """Behind all other stores to its location."""
        order = self.co[self.location[access.event]]
        if access.kind == RMW:
            store = access.second
            self.stored[store] = self.rmw_value(access, self.result[access.event])
            self.fetched |= 1 << store
        else:
            store = access.event
            self.stored[store] = access.value.evaluate(self.result)
            self.run.append((store, len(order)))
        order.append(store)
        self.committed |= 1 << store

    def undo(self) -> None:
        """Takes the last event back."""
        undo = self._undo.pop()
        access = undo.access
        event = access.event
        self.run.pop()
        if access.kind == STORE or access.kind == CONDITIONAL:
            if self.committed >> event & 1:
                self.co[self.location[event]].pop()
        else:
            self.readers[self.source[event]] &= ~(1 << event)
            if access.kind == RMW and self.committed >> access.second & 1:
                self.co[self.location[event]].pop()
        self.committed = undo.committed | self.initial
        self.fetched = undo.fetched | self.initial
        self.pending = undo.pending
        self.moving = undo.moving
        self.next[undo.thread] = undo.next
        del self.errors[undo.errors :]
