"""An execution whose threads stand before their next accesses.

Each thread runs over fences and branches as far as it can, so that what comes next of it is an
access, or the choice how one goes. Fences and branches belong to the access before them: they come
and go with it. How an access happens, subclasses say.
"""

from __future__ import annotations

from hybrid.execution.bits import bit_of
from hybrid.execution.bound import Bound, Constant
from hybrid.execution.execution import Execution
from hybrid.execution.step import ADDRESS, BRANCH, CHOICE, FENCE, End, Step
from hybrid.execution.unfolding import Unfolding
from hybrid.program import instructions as ins


class AccessByAccess(Execution):
    """`pending` holds the next access of each thread; no thread fetches beyond it."""

    def __init__(self, unfolding: Unfolding) -> None:
        self.moving = 0  # threads that stand before an access
        self._has_asserts = any(
            isinstance(i, ins.Assert) for thread in unfolding.program.threads for i in thread.code
        )
        super().__init__(unfolding)

    # ---- running to the next access

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
            if event < 0:  # a branch that is not an event
                outcome = 1 if step.value.evaluate(self.result) else 0
                following = self.unfolding.follow(step, outcome)
                continue
            last = event if step.second < 0 else step.second
            if last >= len(self.steps):
                self._grow(last + 1)
            bit = bit_of(event)
            self.steps[event] = step
            self.thread_bits[thread] |= bit
            kind = step.kind
            if kind == ADDRESS:
                address = step.address.evaluate(self.result)
                if not self.numbering.is_location(address):
                    self._err(step, address)
                    return
                following = self.unfolding.follow(step, 0)
            elif kind == FENCE:
                self.fetched |= bit
                self.committed |= bit
                self._pass_fence(step)
                following = self.unfolding.follow(step, 0)
            elif kind == BRANCH:
                self.fetched |= bit
                self.committed |= bit
                outcome = 1 if step.value.evaluate(self.result) else 0
                following = self.unfolding.follow(step, outcome)
            else:
                passed = self._reach(step)
                if passed is None:
                    return
                following = passed
        self.next[thread] = following
        self.moving &= ~bit_of(thread)

    def _pass_fence(self, fence: Step) -> None:
        """A thread comes to a fence."""

    def _reach(self, step: Step) -> Step | End | None:
        """The thread stands before an access, or before the choice how it goes. What follows, where
        a subclass lets it pass at once; None: it stands there."""
        access = step
        if step.kind == CHOICE:
            found = self.unfolding.follow(step, 1)
            assert isinstance(found, Step)
            access = found
            if access.second >= len(self.steps):
                self._grow(access.second + 1)
        event, thread = access.event, step.thread
        bound = access.address
        address = bound.value if isinstance(bound, Constant) else bound.evaluate(self.result)
        location = self.numbering.location_of.get(address, -1)
        if location < 0 or location >= len(self.co):
            location = self._locate(address)
        if location < 0:
            self._err(access, address)
            return None
        self.steps[event] = access
        self.location[event] = location
        self.readers[event] = 0
        second = access.second
        if second >= 0:
            self.steps[second] = access
            self.location[second] = location
            self.readers[second] = 0
            self.thread_bits[thread] |= bit_of(event) | bit_of(second)
        if access is step:
            self.fetched |= bit_of(event)
        self.pending |= bit_of(step.event)
        self.next[thread] = step
        self.moving |= bit_of(thread)
        return None

    def _err(self, step: Step, address: int) -> None:
        """The thread ends before an access to no location."""
        self.steps[step.event] = step
        self.add_error(step, address)
        self.next[step.thread] = None
        self.moving &= ~bit_of(step.thread)

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
