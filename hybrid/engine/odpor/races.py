"""Races of a maximal execution, and the sequences that reverse them: lines 3 to 22 of Algorithm 1
of "Awaiting for Godot".

The paper's names: E is `order`, e and e' are `first` and `second`, E' = pre(E, e) has the frame
`frames[first]`, w = notdep(e, E) is `order.not_after(first)`, u and v are `events` and
`events` followed by e'.

Non-blocking races are in this file, blocking ones in blocking_races.py. What the paper leaves open,
and what works:

- Definition 2 (ii) is about the pair: e cannot enable or disable e', that is, e does not write or
  e' has no guard.
- notdep ranges over the whole execution, also beyond e'; it never holds e'.
- e' happens after E'.notdep with another value perhaps: a compare-and-swap that only read may write
  there. So what it does is asked again before weak initials are.
"""

from __future__ import annotations

from mypy_extensions import mypyc_attr

from hybrid.engine.odpor.accesses import GUARDED
from hybrid.engine.odpor.happens_before import HappensBefore
from hybrid.engine.odpor.wakeup_nodes import WakeupNode
from hybrid.engine.odpor.wakeup_tree import NOT_INITIAL, insert, weak_initial
from hybrid.errors import InternalError
from hybrid.execution.step import Step


class OdporFrame:
    """What is kept for a prefix of the execution."""

    __slots__ = ("children", "sleep")

    def __init__(self, children: list[WakeupNode], sleep: list[WakeupNode]) -> None:
        self.children = children  # its wakeup tree, below the root; the first is being explored
        self.sleep = sleep  # events that need not be explored from here


@mypyc_attr(allow_interpreted_subclasses=True)
class RaceReversal:
    """Finds the races of the execution at hand and inserts what reverses them."""

    def __init__(self, order: HappensBefore) -> None:
        self.machine = order.machine
        self.order = order
        self.frames: list[OdporFrame] = []  # by length of the prefix
        self.wakeup_nodes = 0  # in all wakeup trees

    def reverse_races(self) -> None:
        """Lines 3 to 6."""
        order = self.order
        for second in range(order.size):
            races = order.of_other_threads(order.adjacent[second], order.process[second])
            if order.flags[second] & GUARDED:
                races &= ~order.writes[order.location[second]]
            while races:
                low = races & -races
                races ^= low
                self._reverse(low.bit_length() - 1, second)

    def _reverse(self, first: int, second: int) -> None:
        order = self.order
        events = order.not_after(first)
        at = order.at[second]
        last = order.event_after(
            first, events, order.process[second], order.alternative[second], at
        )
        if last is None:
            raise InternalError("an event of a non-blocking race is blocked")
        self.wake_up(first, events, last, at)

    def wake_up(self, first: int, events: int, last: WakeupNode, at: Step) -> None:
        """Lines 6 and 21: inserts a sequence before the event `first` unless something that was
        explored there covers it."""
        order = self.order
        frame = self.frames[first]
        sequence = order.sequence(first, events, last, at)
        for sleeper in frame.sleep:
            if weak_initial(order, sleeper, sequence, events, True) != NOT_INITIAL:
                return
        self.wakeup_nodes += insert(order, frame.children, sequence)
