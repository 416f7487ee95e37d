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
from hybrid.execution.access_by_access import AccessByAccess
from hybrid.execution.bits import bit_of
from hybrid.execution.execution import FAIL
from hybrid.execution.numbering import numbering_for
from hybrid.execution.step import CONDITIONAL, LOAD, RMW, Step
from hybrid.execution.unfolding import Unfolding
from hybrid.model.core import Model
from hybrid.oracle.make import takes_new_locations
from hybrid.oracle.sees_branches import sees_branches
from hybrid.oracle.unreachable_names import absent_names
from hybrid.program.program import Program


def dense_unfolding(
    program: Program, model: Model, unroll: int, max_steps: int, oracle: str
) -> Unfolding:
    """With events numbered thread by thread, and no branches among them where the model does not
    see these, so that bitsets are short."""
    lazy = takes_new_locations(oracle)
    branches = sees_branches(model, absent_names(program))
    numbering = numbering_for(program, model, by_thread=True, lazy=lazy, branches=branches)
    return Unfolding(
        program, unroll, False, max_steps=max_steps, numbering=numbering, branches=branches
    )


class ExecutionGraph(AccessByAccess):
    """Entries of per-event lists mean something only for events that are there. `pending` holds the
    next access of each thread; a thread that waits at it is not `moving`."""

    def __init__(self, unfolding: Unfolding, classes: bool) -> None:
        # reads-from classes: `co` lists the stores in the order of insertion
        self.classes = classes
        # accesses on the stack, failed store-conditionals and waiting awaits included
        self.present = 0
        self.not_maximal = 0  # those of them that were not added maximally; see maximality.py
        # what is <_G before an event; the bits of absent events mean nothing
        self.before: list[int] = []
        self.past: list[int] = []  # porf-before, initial writes left out
        # of a thread: its events and what is porf-before them
        self.thread_past = [0] * unfolding.numbering.threads
        # loads and waiting awaits of each location
        self.reads: list[int] = []
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
        self.fetched |= bit_of(step.event)

    def unchoose(self, frame: UnitFrame) -> None:
        self.fetched &= ~bit_of(frame.event)

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
        self.present |= bit_of(event)
        if step.kind == LOAD or step.kind == RMW:
            self._enter_load(frame, parameter)
            if waits:
                self.moving &= ~bit_of(thread)
                return
        else:
            self._enter_store(frame, parameter)
        self.pending ^= bit_of(event if frame.choice is None else frame.choice.event)
        outcome = self._outcome(step) if step.decides else 0
        self._go(thread, self.unfolding.follow(step, outcome))

    def _enter_load(self, frame: UnitFrame, source: int) -> None:
        """The load half: a load, a waiting await or an rmw reads from `source`."""
        step = frame.step
        event = step.event
        bit = bit_of(event)
        past = frame.thread_past
        if not self.numbering.initial_writes & bit_of(source):
            past |= self.past[source] | bit_of(source)
        self.past[event] = past
        self.source[event] = source
        location = self.location[event]
        self.reads[location] |= bit
        if not self.classes and self.co[location][-1] != source:
            self.not_maximal |= bit
        if frame.forced >= 0:
            self.not_maximal |= bit_of(source)  # it revisits a load, so it stays
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
        bit = bit_of(store)
        value = self.stored[source]
        order = self.co[self.location[store]]
        if frame.choice is not None and self._may_fail(frame.choice, value):
            self.not_maximal |= bit_of(step.event) | bit  # a maximal extension has it fail
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
        bit = bit_of(event)
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
            self.reads[location] &= ~bit_of(event)
            if not frame.waits:
                self.run.pop()
                self.readers[frame.parameter] &= ~bit_of(event)
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
        if self.numbering.lazy:
            self.committed |= self.initial
            self.fetched |= self.initial
        self.thread_past[thread] = frame.thread_past
        if len(self.errors) > errors:
            del self.errors[errors:]

    def _add_locations(self) -> None:
        super()._add_locations()
        self.reads.extend([0] * (len(self.co) - len(self.reads)))

    def _grow(self, size: int) -> None:
        super()._grow(size)
        for numbers in (self.before, self.past):
            numbers.extend([0] * (size - len(numbers)))

    # ---- looking

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
