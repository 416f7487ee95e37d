"""Blocking races: lines 7 to 22 of Algorithm 1 of "Awaiting for Godot".

The paper's names are those of races.py; `last` is where E' ends. What the paper leaves open, and
what works:

- "May enable or disable e'" is any write to the location of e', whatever it writes.
- can-stop belongs to each e: it is true when this e is not an independent fetch-and-add.
- u is closed downwards in w and holds all that e' follows in its thread. If one of these happens
  after e, this e is passed by. Where e is not an independent fetch-and-add, no other event of w
  writes to the location, so that only u = w is in question. Else such fetch-and-adds, with what
  happens after them, are taken out until the guard holds.
"""

from __future__ import annotations

from mypy_extensions import mypyc_attr

from hybrid.engine.odpor.accesses import ADDS, DISABLED, GUARDED
from hybrid.engine.odpor.races import RaceReversal
from hybrid.execution.step import CONDITIONAL, Step


@mypyc_attr(allow_interpreted_subclasses=True)
class BlockingRaceReversal(RaceReversal):
    """Reverses races with events that may be blocked, too."""

    def reverse_all(self) -> None:
        """Lines 3 to 22."""
        order, machine = self.order, self.machine
        order.look_back()
        self.reverse_races()
        blocked = machine.moving
        while blocked:
            low = blocked & -blocked
            blocked ^= low
            process = low.bit_length() - 1
            at = machine.next[process]
            assert isinstance(at, Step)
            if not machine.enabled(process, 0):
                self._unblock(process, 0, at, order.size, order.clock[process])
        if machine.may_block:
            for event in range(order.size):
                self._unblock_at(event)

    def _unblock_at(self, event: int) -> None:
        """The event as one that may block, and its alternative as one that it has disabled."""
        order = self.order
        process, at = order.process[event], order.at[event]
        alternative, past = order.alternative[event], order.past[event]
        if order.flags[event] & GUARDED:
            self._unblock(process, alternative, at, event, past)
        if self.machine.has_alternative(at):
            events = self._not_after(event, 1 - alternative, at, past)
            if not self._enable(event, events, process, 1 - alternative, at):
                self._unblock(process, 1 - alternative, at, event, past)

    def _not_after(self, first: int, alternative: int, at: Step, past: int) -> int:
        """The events that do not happen after `first`; for a store-conditional that stores without
        those that other threads store to its location, and what happens after these."""
        order = self.order
        events = order.not_after(first)
        if at.kind != CONDITIONAL or alternative:
            return events
        location = self.machine.location[at.event]
        if location >= len(order.writes):
            return events
        others = order.of_other_threads(order.writes[location] & events, at.thread)
        less = events
        while others:
            low = others & -others
            others ^= low
            less &= ~(order.after(low.bit_length() - 1) | low)
        return events if events & ~less & past else less

    def _unblock(self, process: int, alternative: int, at: Step, last: int, past: int) -> None:
        """Lines 9 to 22 for the event e' of `process` at `at`, behind the position `last`, with
        `past` before it in its thread."""
        order, machine = self.order, self.machine
        location = machine.location[machine.access(at).event]
        if location >= len(order.writes):
            return
        # e' is not in w, nor is the alternative that takes its place there
        itself = order.after(last) | 1 << last if last < order.size else 0
        candidates = order.writes[location] & ((1 << last) - 1) & ~past
        candidates = order.of_other_threads(candidates, process) if candidates else 0
        while candidates:
            first = candidates.bit_length() - 1
            candidates ^= 1 << first
            events = self._not_after(first, alternative, at, past) & ~itself
            if order.flags[first] & ADDS and at.kind != CONDITIONAL:
                self._enable_by_leaving_out(first, events, process, alternative, at, past)
            elif self._enable(first, events, process, alternative, at):
                return

    def _enable(self, first: int, events: int, process: int, alternative: int, at: Step) -> bool:
        """Whether e' is enabled after the events; if so it is to happen there instead of
        `first`."""
        last = self.order.event_after(first, events, process, alternative, at)
        if last is None or not self.order.meets(first, events, last):
            return False
        self.wake_up(first, events, last, at)
        return True

    def _enable_by_leaving_out(
        self, first: int, events: int, process: int, alternative: int, at: Step, past: int
    ) -> None:
        """The same for every largest part of the events after which e' is enabled."""
        order, machine = self.order, self.machine
        location = machine.location[machine.access(at).event]
        adds = order.writes[location] & events & ~past
        if not self._reachable(location, (1 << first) - 1 | events, adds, alternative, at):
            return
        found: list[int] = []
        seen: set[int] = {events}
        todo = [events]
        while todo:
            part = todo.pop()
            if order.event_after(first, part, process, alternative, at) is not None:
                found.append(part)
                continue
            left = adds & part
            while left:
                low = left & -left
                left ^= low
                less = part & ~(order.after(low.bit_length() - 1) | low)
                # what e' follows in its thread stays
                if less not in seen and not part & ~less & past:
                    seen.add(less)
                    todo.append(less)
        for part in found:
            if not any(part != other and part & other == part for other in found):
                self._enable(first, part, process, alternative, at)

    def _reachable(self, location: int, events: int, adds: int, alternative: int, at: Step) -> bool:
        """Whether some of the fetch-and-adds could be left out so that e' is enabled, if nothing
        depended on them: by the sums that there are."""
        order, machine = self.order, self.machine
        sums = {order.value_after(location, events & ~adds)}
        while adds:
            low = adds & -adds
            adds ^= low
            access = order.at[low.bit_length() - 1]
            sums |= {machine.rmw_value(access, value) for value in sums}
        return any(machine.effect(at, alternative, value) != DISABLED for value in sums)
