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
from hybrid.execution.bits import bit_of
from hybrid.execution.bound import Constant
from hybrid.execution.state import ExecutionState
from hybrid.execution.step import (
    ADDRESS,
    BRANCH,
    CHOICE,
    CONDITIONAL,
    FENCE,
    LOAD,
    RMW,
    STORE,
    Step,
)
from hybrid.execution.unfolding import Unfolding
from hybrid.program import values

FAIL: Final = -1  # the parameter of a store-conditional that does not store


class _Saved:
    """What a commit changed, apart from co and rf, which the event itself tells."""

    __slots__ = (
        "committed",
        "errors",
        "fetched",
        "next",
        "parameter",
        "pending",
        "resolved",
        "step",
        "unchecked",
    )

    def __init__(self, execution: Execution, step: Step, parameter: int) -> None:
        self.step = step
        self.parameter = parameter
        self.fetched = execution.fetched
        self.committed = execution.committed
        self.pending = execution.pending
        self.resolved = execution.resolved
        self.unchecked = execution.unchecked
        self.next = execution.next[step.thread]  # no other thread goes on
        self.errors = len(execution.errors)


class Execution(ExecutionState):
    """A state that grows by commits, and shrinks again."""

    def __init__(self, unfolding: Unfolding) -> None:
        super().__init__(unfolding)
        self._saved: list[_Saved] = []
        for thread in range(self.numbering.threads):
            self._fetch(thread)

    # ---- growing

    def commit(self, event: int, parameter: int) -> None:
        """Commits a pending access whose operands are known.

        The parameter is a load's or an rmw's source, a store's index in `co` (at least 1, as the
        initial write stays first), FAIL, or the outcome (0 or 1) of a choice. A load may read from
        a fetched store of its thread that is not committed yet, if its address and value are known.
        """
        step = self.steps[event]
        assert step is not None
        self._saved.append(_Saved(self, step, parameter))
        self.run.append((event, parameter))
        bit = bit_of(event)
        self.pending ^= bit
        kind = step.kind
        if kind == STORE:
            self._commit_store(step, parameter)
            return
        if kind == CHOICE:
            self.result[event] = parameter
        elif kind == CONDITIONAL:
            if parameter == FAIL:
                self.result[event] = 1
                self.resolved ^= bit
            else:
                self.result[event] = 0
                self._commit_store(step, parameter)
        else:
            value = self._value_from(parameter)
            self.result[event] = value
            self.source[event] = parameter
            self.readers[parameter] |= bit
            self.accesses[self.location[event]] |= bit
            self.committed |= bit
            if kind == RMW:
                self._commit_second(step, value)
        self._fetch(step.thread)

    def _commit_store(self, step: Step, place: int) -> None:
        event = step.event
        location = self.location[event]
        self.stored[event] = step.value.evaluate(self.result)
        self.co[location].insert(place, event)
        bit = bit_of(event)
        self.accesses[location] |= bit
        self.committed |= bit

    def _value_from(self, store: int) -> int:
        """What a store has written, or will."""
        if self.pending >> store & 1:
            step = self.steps[store]
            assert step is not None
            self.stored[store] = step.value.evaluate(self.result)
        return self.stored[store]

    def _commit_second(self, step: Step, old: int) -> None:
        """The store of an rmw whose load read `old`; in co it comes directly after its source."""
        if not self.rmw_stores(step, old):
            return
        store = step.second
        self.stored[store] = self.rmw_value(step, old)
        location = self.location[step.event]
        order = self.co[location]
        order.insert(order.index(self.source[step.event]) + 1, store)
        self.accesses[location] |= bit_of(store)
        self.committed |= bit_of(store)
        self.fetched |= bit_of(store)
        self.resolved |= bit_of(store)

    def rmw_stores(self, step: Step, old: int) -> bool:
        """Whether the rmw stores when it reads `old`: only a cas may not."""
        if not step.decides:
            return True
        assert step.modifies is not None
        return step.modifies.expected.evaluate(self.result) == old

    def rmw_value(self, step: Step, old: int) -> int:
        modifies = step.modifies
        assert modifies is not None
        operand = modifies.operand.evaluate(self.result)
        if modifies.op in ("xchg", "cas"):
            return operand
        value = values.binary(modifies.op, old, operand)
        return value if modifies.bits == values.BITS else values.narrow(value, modifies.bits)

    def rollback(self) -> None:
        """Undoes the last commit."""
        saved = self._saved.pop()
        self.run.pop()
        step = saved.step
        event = step.event
        if step.kind == LOAD or step.kind == RMW:
            location = self.location[event]
            if step.kind == RMW and self.committed >> step.second & 1:
                self.co[location].remove(step.second)
                self.accesses[location] ^= 1 << step.second
            bit = bit_of(event)
            self.readers[self.source[event]] ^= bit
            self.accesses[location] ^= bit
        elif step.kind != CHOICE and saved.parameter != FAIL:
            location = self.location[event]
            del self.co[location][saved.parameter]
            self.accesses[location] ^= bit_of(event)
        self.fetched = saved.fetched
        self.committed = saved.committed
        self.pending = saved.pending
        self.resolved = saved.resolved
        if self.numbering.lazy:  # locations that have come since stay
            self.fetched |= self.initial
            self.committed |= self.initial
            self.resolved |= self.initial
        self.unchecked = saved.unchecked
        self.next[step.thread] = saved.next
        del self.errors[saved.errors :]

    # ---- fetching

    def _fetch(self, thread: int) -> None:
        """FETCH, LOC, BRT and BRF for one thread as far as they go; then resolves addresses."""
        following = self.next[thread]
        while isinstance(following, Step):
            step = following
            event = step.event
            bit = bit_of(event)
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
        unresolved = self.unchecked
        if self.pending & self.resolved != self.pending:
            unresolved |= self.pending & ~self.resolved
        if unresolved:
            unresolved &= self.thread_bits[thread]
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
            return 1 if step.value.evaluate(self.result) else 0
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
            self._grow(last + 1)
        bit = bit_of(event)
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
            return
        address = step.address
        if isinstance(address, Constant):
            self._resolve(step, address.value)

    def _resolve(self, step: Step, address: int) -> None:
        self.unchecked &= ~(1 << step.event)
        if step.kind == ADDRESS and self.numbering.is_location(address):
            return
        location = self._locate(address)
        if location >= 0:
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
