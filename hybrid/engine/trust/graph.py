"""The execution graph of TruSt: events with reads-from, coherence and the order of insertion,
changed at one end and undone.

A graph is a stack of units (an access; an rmw is one unit of two events) in an order that respects
po and rf. Each unit is a `UnitFrame`, which keeps what is needed to undo it and, for the explorer,
which choices are left. A thread is never run again: what follows a step is found in the shared
Unfolding, with the thread's state.

The paper's names: G.E is `present`, <_G is in `before`, G.rf is `source`, G.co is `co`, porf is
`past`. `enter` is SetRF for a load and SetCO for a store. A deletion in the middle is a removal of
units from the top and a return of those that stay (`_restrict` in explorer.py), so the work is in
proportion to what was added since.

Fences and branches belong to the access before them: they come and go with it.
"""

from __future__ import annotations

from hybrid.engine.trust.frame import UnitFrame
from hybrid.execution.bound import Bound, Constant
from hybrid.execution.execution import FAIL, Execution
from hybrid.execution.numbering import numbering_for
from hybrid.execution.step import ADDRESS, BRANCH, CHOICE, CONDITIONAL, FENCE, LOAD, RMW, End, Step
from hybrid.execution.unfolding import Unfolding
from hybrid.model.core import Model
from hybrid.program import instructions as ins
from hybrid.program.program import Program


def dense_unfolding(program: Program, model: Model, unroll: int, max_steps: int) -> Unfolding:
    """With events numbered thread by thread, so that bitsets are short."""
    numbering = numbering_for(program, model, by_thread=True)
    return Unfolding(program, unroll, False, max_steps=max_steps, numbering=numbering)


class ExecutionGraph(Execution):
    """Entries of per-event lists mean something only for events that are there. `pending` holds the
    next access of each thread."""

    def __init__(self, unfolding: Unfolding, classes: bool) -> None:
        # reads-from classes: `co` lists the stores in the order of insertion
        self.classes = classes
        # accesses on the stack, failed store-conditionals and waiting awaits included
        self.present = 0
        self.not_maximal = 0  # those of them that were not added maximally; see maximality.py
        self.moving = 0  # threads that stand before an access and do not wait at it
        # what is <_G before an event; the bits of absent events mean nothing
        self.before: list[int] = []
        self.past: list[int] = []  # porf-before, initial writes left out
        # of a thread: its events and what is porf-before them
        self.thread_past = [0] * unfolding.numbering.threads
        # loads and waiting awaits of each location
        self.reads = [0] * len(unfolding.numbering.locations)
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
        frame.thread_past = self.thread_past[thread]
        frame.saved = (
            self.committed,
            self.fetched,
            self.pending,
            self.present,
            self.not_maximal,
            self.moving,
            self.next[thread],
            len(self.errors),
        )
        frame.parameter = parameter
        frame.waits = waits
        self.before[event] = frame.before
        self.present |= 1 << event
        if step.kind == LOAD or step.kind == RMW:
            self._enter_load(frame, parameter)
            if waits:
                self.moving &= ~(1 << thread)
                return
        else:
            self._enter_store(frame, parameter)
        self.pending ^= 1 << (event if frame.choice is None else frame.choice.event)
        outcome = self._outcome(step) if step.decides else 0
        self._go(thread, self.unfolding.follow(step, outcome))

    def _enter_load(self, frame: UnitFrame, source: int) -> None:
        """The load half: a load, a waiting await or an rmw reads from `source`."""
        step = frame.step
        event = step.event
        bit = 1 << event
        past = frame.thread_past
        if not self.numbering.initial_writes >> source & 1:
            past |= self.past[source] | 1 << source
        self.past[event] = past
        self.source[event] = source
        location = self.location[event]
        self.reads[location] |= bit
        if not self.classes and self.co[location][-1] != source:
            self.not_maximal |= bit
        if frame.forced >= 0:
            self.not_maximal |= 1 << source  # it revisits a load, so it stays
        if frame.waits:
            return
        self.run.append((event, source))
        value = self.stored[source]
        self.result[event] = value
        self.readers[source] |= bit
        self.committed |= bit
        past |= bit
        self.thread_past[step.thread] = past
        if step.kind == RMW and self.rmw_stores(step, value):
            self._enter_rmw_store(frame, source, past)

    def _enter_rmw_store(self, frame: UnitFrame, source: int, past: int) -> None:
        """The store of an rmw, directly after the store that it has read from."""
        step = frame.step
        store = step.second
        bit = 1 << store
        value = self.stored[source]
        order = self.co[self.location[store]]
        if frame.choice is not None and self._may_fail(frame.choice, value):
            self.not_maximal |= 1 << step.event | bit  # a maximal extension has it fail
        self.stored[store] = self.rmw_value(step, value)
        if self.classes or order[-1] == source:
            order.append(store)
        else:
            order.insert(order.index(source) + 1, store)
            self.not_maximal |= bit
        self.before[store] = frame.second_before
        self.past[store] = past
        self.present |= bit
        self.committed |= bit
        self.fetched |= bit
        self.thread_past[step.thread] = past | bit

    def _enter_store(self, frame: UnitFrame, place: int) -> None:
        """The store half: a store or store-conditional takes its place in co, or fails."""
        step = frame.step
        event = step.event
        bit = 1 << event
        self.past[event] = frame.thread_past
        self.thread_past[step.thread] = frame.thread_past | bit
        self.run.append((event, place))
        if place == FAIL:
            self.result[event] = 1
            return
        if step.kind == CONDITIONAL:
            self.result[event] = 0
            self.not_maximal |= bit  # a maximal extension has it fail, which is always possible
        self.stored[event] = step.value.evaluate(self.result)
        order = self.co[self.location[event]]
        if place != len(order) and not self.classes:
            self.not_maximal |= bit
        order.insert(place, event)
        self.committed |= bit

    def _outcome(self, step: Step) -> int:
        """Whether an access that may or may not store has stored."""
        if step.kind == CONDITIONAL:
            return 1 - self.result[step.event]
        return self.committed >> step.second & 1

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
            self.not_maximal,
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
                if address not in self.numbering.location_of:
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
                outcome = 1 if step.value.evaluate(self.result) else 0
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
        bound = access.address
        address = bound.value if isinstance(bound, Constant) else bound.evaluate(self.result)
        location = self.numbering.location_of.get(address, -1)
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
        self.add_error(step, address)
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
