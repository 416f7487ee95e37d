"""The state of a growing execution, and what can be asked of it: above all how a run that goes no
further stands."""

from __future__ import annotations

from hybrid.execution.bound import Bound
from hybrid.execution.numbering import RESERVED
from hybrid.execution.step import CHOICE, End, Step
from hybrid.execution.trace import EventId, Status
from hybrid.execution.unfolding import Unfolding
from hybrid.program import values
from hybrid.program.loops import CutPlace


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
        self.loads = [0] * len(numbering.locations)  # committed loads of each location
        for number, location in enumerate(numbering.locations):
            event = numbering.initial_write(number)
            self.stored[event] = location.initial
            self.location[event] = number
            self.co.append([event])
        # to be fetched or, a branch, resolved; None after an error
        self.next: list[Step | End | None] = list(unfolding.roots)
        self.errors: list[tuple[Step, int]] = []  # accesses to no location, with the address
        self.run: list[tuple[int, int]] = []  # committed (event, parameter), oldest first

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
        for op, operand in step.guards:
            if not values.binary(op, value, operand.evaluate(self.result)):
                return False
        for op, operand in step.late if late else ():
            known = self.known(operand.slots)
            if known and not values.binary(op, value, operand.evaluate(self.result)):
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
            return Status.ERROR
        status = Status.COMPLETE
        cut = False
        pending = self.pending
        for thread, following in enumerate(self.next):
            if (pending and pending & self.thread_bits[thread]) or not isinstance(following, End):
                status = Status.BLOCKED
            elif following.status is Status.CUT:
                cut = True
            elif following.status is Status.BLOCKED:
                status = Status.BLOCKED
        return Status.CUT if cut else status

    def cut(self) -> tuple[CutPlace, ...]:
        """Where threads have reached a bound; not those that stand at a pending event before it."""
        return tuple(
            (thread, following.label, following.bound)
            for thread, following in enumerate(self.next)
            if isinstance(following, End)
            and following.status is Status.CUT
            and not self.pending & self.thread_bits[thread]
        )

    def waits(self) -> list[Step]:
        """The awaits at which threads stand, if all others have come to their ends; else none. A
        cas that is chosen to store or not before it waits is taken to wait where it is chosen not
        to."""
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
            elif not isinstance(following, End) or following.status is not Status.COMPLETE:
                return []
        return found

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
