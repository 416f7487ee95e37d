"""The growing execution: the state σ = (λ, F, E, po, co, rf) of the RSMC paper (Fig. 4), changed in
place and undone.

F is `fetched`, E is `committed`, λ is `next`; po and the dependencies are in the steps. `commit`
performs the rules ST and LD (for one event, or for both events of an rmw) and then FETCH, LOC, BRT
and BRF as far as they go; `rollback` undoes the last commit. Fences and branches count as committed
from the moment that they are fetched.
"""

from __future__ import annotations

from typing import Final

from hybrid.errors import InternalError
from hybrid.execution.bound import Bound
from hybrid.execution.numbering import RESERVED
from hybrid.execution.step import (
    ADDRESS,
    BRANCH,
    CHOICE,
    CONDITIONAL,
    FENCE,
    LOAD,
    RMW,
    STORE,
    End,
    Step,
)
from hybrid.execution.trace import EventId, Status
from hybrid.execution.unfolding import Unfolding
from hybrid.program import values
from hybrid.program.loops import CutPlace

FAIL: Final = -1  # the parameter of a store-conditional that does not store


class _Saved:
    """What a commit changed, apart from co and rf, which the event itself tells."""

    __slots__ = (
        "committed",
        "errors",
        "event",
        "fetched",
        "next",
        "parameter",
        "pending",
        "resolved",
        "unchecked",
    )

    def __init__(self, execution: Execution, event: int, parameter: int) -> None:
        self.event = event
        self.parameter = parameter
        self.fetched = execution.fetched
        self.committed = execution.committed
        self.pending = execution.pending
        self.resolved = execution.resolved
        self.unchecked = execution.unchecked
        self.next = execution.next.copy()
        self.errors = len(execution.errors)


class Execution:
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
        self.next: list[Step | End | None] = list(
            unfolding.roots
        )  # to be fetched or, a branch, resolved; None after an error
        self.errors: list[tuple[Step, int]] = []  # accesses to no location, with the address
        self.run: list[tuple[int, int]] = []  # committed (event, parameter), oldest first
        self._saved: list[_Saved] = []
        for thread in range(numbering.threads):
            self._fetch(thread)

    # ---- growing

    def commit(self, event: int, parameter: int) -> None:
        """Commits a pending access whose operands are known.

        The parameter is a load's or an rmw's source, a store's index in `co` (at least 1, as the
        initial write stays first), FAIL, or the outcome (0 or 1) of a choice. A load may read from
        a fetched store of its thread that is not committed yet, if its address and value are known.
        """
        self._saved.append(_Saved(self, event, parameter))
        self.run.append((event, parameter))
        step = self.steps[event]
        assert step is not None
        bit = 1 << event
        self.pending ^= bit
        kind = step.kind
        if kind == STORE:
            self.stored[event] = step.value.evaluate(self.result)
            self.co[self.location[event]].insert(parameter, event)
            self.committed |= bit
            return
        if kind == CHOICE:
            self.result[event] = parameter
        elif kind == CONDITIONAL:
            if parameter == FAIL:
                self.result[event] = 1
                self.resolved ^= bit
            else:
                self.result[event] = 0
                self.stored[event] = step.value.evaluate(self.result)
                self.co[self.location[event]].insert(parameter, event)
                self.committed |= bit
        else:
            value = self._value_from(parameter)
            self.result[event] = value
            self.source[event] = parameter
            self.readers[parameter] |= bit
            self.loads[self.location[event]] |= bit
            self.committed |= bit
            if kind == RMW:
                self._commit_second(step, value)
        self._fetch(step.thread)

    def _value_from(self, store: int) -> int:
        """What a store has written, or will."""
        if self.pending >> store & 1:
            step = self.steps[store]
            assert step is not None
            self.stored[store] = step.value.evaluate(self.result)
        return self.stored[store]

    def _commit_second(self, step: Step, old: int) -> None:
        """The store of an rmw whose load read `old`; its place in co is directly after its source."""
        if not self.rmw_stores(step, old):
            return
        store = step.second
        self.stored[store] = self.rmw_value(step, old)
        order = self.co[self.location[step.event]]
        order.insert(order.index(self.source[step.event]) + 1, store)
        self.committed |= 1 << store
        self.fetched |= 1 << store
        self.resolved |= 1 << store

    def rmw_stores(self, step: Step, old: int) -> bool:
        """Whether the rmw stores when it reads `old`: only a cas may not."""
        return not step.decides or step.expected.evaluate(self.result) == old

    def rmw_value(self, step: Step, old: int) -> int:
        operand = step.operand.evaluate(self.result)
        if step.rmw_op in ("xchg", "cas"):
            return operand
        value = values.binary(step.rmw_op, old, operand)
        return value if step.rmw_bits == values.BITS else values.narrow(value, step.rmw_bits)

    def rollback(self) -> None:
        """Undoes the last commit."""
        saved = self._saved.pop()
        self.run.pop()
        event = saved.event
        step = self.steps[event]
        assert step is not None
        if step.kind == LOAD or step.kind == RMW:
            if step.kind == RMW and self.committed >> step.second & 1:
                self.co[self.location[event]].remove(step.second)
            self.readers[self.source[event]] &= ~(1 << event)
            self.loads[self.location[event]] &= ~(1 << event)
        elif step.kind != CHOICE and saved.parameter != FAIL:
            del self.co[self.location[event]][saved.parameter]
        self.fetched = saved.fetched
        self.committed = saved.committed
        self.pending = saved.pending
        self.resolved = saved.resolved
        self.unchecked = saved.unchecked
        self.next = saved.next
        del self.errors[saved.errors :]

    # ---- fetching

    def known(self, events: int) -> bool:
        """Whether the results of all these events (loads, store-conditionals) are known."""
        return not events & (self.pending | ~self.fetched)

    def _fetch(self, thread: int) -> None:
        """FETCH, LOC, BRT and BRF for one thread as far as they go; then resolves addresses."""
        following = self.next[thread]
        while isinstance(following, Step):
            step = following
            event = step.event
            bit = 1 << event
            if not self.fetched & bit:
                self._enter(step)
                if self.errors and self.errors[-1][0] is step:
                    return
            outcome = 0
            if step.decides:
                outcome = self._outcome(step)
                if outcome < 0:
                    break
            following = self.unfolding.follow(step, outcome)
        self.next[thread] = following
        unresolved = (self.pending & ~self.resolved | self.unchecked) & self.thread_bits[thread]
        while unresolved:
            low = unresolved & -unresolved
            unresolved ^= low
            found = self.steps[low.bit_length() - 1]
            assert found is not None
            if self.known(found.address.slots):
                self._resolve(found, found.address.evaluate(self.result))
                unresolved &= self.pending | self.unchecked

    def _outcome(self, step: Step) -> int:
        """How a deciding step has gone; -1 when that is not known yet."""
        if step.kind == BRANCH:
            if not self.known(step.needs):
                return -1
            return 1 if step.condition.evaluate(self.result) else 0
        if self.pending >> step.event & 1:
            return -1
        if step.kind == CHOICE:
            return self.result[step.event]
        if step.kind == CONDITIONAL:
            return 1 - self.result[step.event]
        return self.committed >> step.second & 1

    def _enter(self, step: Step) -> None:
        """Adds a step to the fetched ones."""
        event = step.event
        last = max(event, step.second)
        if last >= len(self.steps):
            grow = last + 1 - len(self.steps)
            self.steps.extend([None] * grow)
            for numbers in (self.result, self.stored, self.readers):
                numbers.extend([0] * grow)
            self.location.extend([-1] * grow)
            self.source.extend([-1] * grow)
        bit = 1 << event
        self.steps[event] = step
        self.thread_bits[step.thread] |= bit
        if step.kind == ADDRESS:
            self.unchecked |= bit
            return
        self.fetched |= bit
        if step.kind == FENCE or step.kind == BRANCH:
            self.committed |= bit
            return
        self.pending |= bit
        self.readers[event] = 0
        if step.kind == RMW:
            self.steps[step.second] = step
            self.readers[step.second] = 0
            self.thread_bits[step.thread] |= 1 << step.second
        if step.kind == CHOICE:
            self.resolved |= bit
        elif step.address_known:
            self._resolve(step, step.address_value)

    def _resolve(self, step: Step, address: int) -> None:
        location = self.numbering.location_of.get(address, -1)
        self.unchecked &= ~(1 << step.event)
        if location >= 0:
            if step.kind == ADDRESS:
                return
            self.location[step.event] = location
            self.resolved |= 1 << step.event
            if step.kind == RMW:
                self.location[step.second] = location
            return
        # The thread stops here: this access and what was fetched after it never happen.
        self.add_error(step, address)
        kept = (1 << step.event) - 1
        later = self.thread_bits[step.thread] & ~kept & ~self.committed
        self.pending &= ~later
        self.fetched &= ~later
        self.unchecked &= ~later
        self.next[step.thread] = None

    def add_error(self, step: Step, address: int) -> None:
        """Notes an access to no location."""
        if address in self.unfolding.program.by_address:
            raise InternalError(
                f"{step.label} goes to a location that was taken to be out of reach"
            )
        self.errors.append((step, address))

    # ---- looking

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
        """The committed loads whose sources are not committed; in a complete trace there are none."""
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
                found.extend(step.cursor.claims)
            elif isinstance(following, End):
                found.extend(following.claims)
            elif isinstance(following, Step) and following.cursor is not None:
                found.extend(following.cursor.claims)
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
                found.extend(step.cursor.asserts)
            elif isinstance(following, End):
                found.extend(following.asserts)
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
