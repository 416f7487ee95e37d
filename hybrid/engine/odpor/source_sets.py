"""The same without wakeup trees: sleep sets and source sets (Abdulla, Aronis, Jonsson, Sagonas,
"Optimal dynamic partial order reduction", POPL 2014, Algorithm 1), as a baseline that shows what
optimality saves.

Of a sequence that reverses a race only the first event is kept. What follows it is free, so that
runs can come to a point where all that is enabled sleeps: such a run is given up, and counted.

The paper's backtrack(E') are the children of a frame, and the events that sleep there since they
were explored. It looks for races at each new event; here that is done at the end of a run, also of
one that is given up.
"""

from __future__ import annotations

from collections.abc import Sequence

from mypy_extensions import mypyc_attr

from hybrid.engine.odpor.explorer import OdporExploration
from hybrid.engine.odpor.races import OdporFrame
from hybrid.engine.odpor.wakeup_nodes import WakeupNode
from hybrid.engine.odpor.wakeup_tree import (
    ABSENT,
    NOT_INITIAL,
    first_of,
    weak_initial,
)
from hybrid.execution.step import Step
from hybrid.execution.trace import Trace


@mypyc_attr(allow_interpreted_subclasses=True)
class SourceExploration(OdporExploration):
    """Sleep sets and source sets."""

    def choose(self, frame: OdporFrame) -> WakeupNode | None:
        asleep = {(node.process, node.alternative) for node in frame.sleep}
        for process in self.order_of_processes():
            for alternative in (0, 1):
                if (process, alternative) not in asleep and self.machine.enabled(
                    process, alternative
                ):
                    return WakeupNode(process, alternative, -1, 0)
        return None

    def end(self) -> Sequence[Trace]:
        if self.frames[-1].sleep:
            self.counters.sleep_blocked += 1
            return ()
        return super().end()

    def wake_up(self, first: int, events: int, last: WakeupNode, at: Step) -> None:
        """Nothing is to be done where an event of the sequence that can come first in it was
        explored before or will be. One that is not in the sequence does not cover it: what follows
        the sequence need not be independent of that."""
        order = self.order
        frame = self.frames[first]
        sequence = order.sequence(first, events, last, at)
        for node in (*frame.sleep, *frame.children):
            found = weak_initial(order, node, sequence, events, True)
            if found != NOT_INITIAL and found != ABSENT:
                return
        frame.children.append(first_of(order, sequence))
        self.wakeup_nodes += 1
