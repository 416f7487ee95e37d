"""Optimal-DPOR-Await (Jonsson, Lång, Sagonas, "Awaiting for Godot", FMCAD 2022), Algorithm 1:
exactly one maximal execution of each class of executions with the same happens-before order.

The paper's names, and where they are here:

    E                   `machine`, the state (interleaving.py), and `order`, the events with their
                        happens-before order (happens_before.py)
    Explore             a turn of the loop in `run`; its recursion is the stack `frames`
    sleep(E'), wut(E')  `frames[len(E')].sleep` and `.children` (wakeup_tree.py)
    lines 3 to 6        races.py
    lines 7 to 22       blocking_races.py
    lines 24 to 33      `run`
    insert              wakeup_tree.py

What must hold, and is checked on the way: a sleeping event is enabled; where a wakeup tree runs out
nothing sleeps; insert never comes to the branch that is being explored.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from mypy_extensions import mypyc_attr

from hybrid.engine.api import RANDOM, Counters, Limits
from hybrid.engine.end_of_run import count_run, count_waiting, is_shown, waiting_threads
from hybrid.engine.odpor.blocking_races import BlockingRaceReversal
from hybrid.engine.odpor.happens_before import HappensBefore
from hybrid.engine.odpor.interleaving import Interleaving
from hybrid.engine.odpor.races import OdporFrame
from hybrid.engine.odpor.wakeup_nodes import WakeupNode
from hybrid.errors import InternalError
from hybrid.execution.snapshot import Snapshot
from hybrid.execution.trace import Status, Trace


@mypyc_attr(allow_interpreted_subclasses=True)
class OdporExploration(BlockingRaceReversal):
    """Algorithm 1 with a stack of its own."""

    def __init__(
        self,
        order: HappensBefore,
        limits: Limits,
        counters: Counters,
        policy: str,
        seed: int,
    ) -> None:
        super().__init__(order)
        machine = order.machine
        self.order.make_room(machine.processes)
        self.limits = limits
        self.counters = counters
        self.policy = policy
        self.processes: list[int] = []  # in the order in which they are asked
        self.random = random.Random(seed) if policy == RANDOM else None
        self.turns = 0

    def run(self) -> Iterator[Trace]:
        frames, machine = self.frames, self.machine
        frames.append(OdporFrame([], []))
        while True:
            frame = frames[-1]
            self.turns += 1
            if not self.turns & 255:
                self.limits.check_time()
            if not frame.children:
                node = self.choose(frame)
                if node is None:
                    yield from self.end()
                    self.reverse_all()
                    if not self._back():
                        return
                    continue
                frame.children.append(node)
                self.wakeup_nodes += 1
            if self.wakeup_nodes > self.counters.wakeup_nodes:
                self.counters.wakeup_nodes = self.wakeup_nodes
            self._forward(frame, frame.children[0], machine)

    # ---- lines 24 to 33

    def choose(self, frame: OdporFrame) -> WakeupNode | None:
        """Line 25: any enabled event; None if the execution is maximal."""
        found = self.machine.first_enabled(self.order_of_processes())
        if frame.sleep:
            raise InternalError("something sleeps where a wakeup tree runs out")
        return found

    def order_of_processes(self) -> list[int]:
        """All processes, those first that go first."""
        if len(self.processes) < self.machine.processes:
            self.processes = list(range(self.machine.processes))
            if self.policy == "last":
                self.processes.reverse()
        if self.random is not None:
            self.random.shuffle(self.processes)
        return self.processes

    def _forward(self, frame: OdporFrame, node: WakeupNode, machine: Interleaving) -> None:
        """Lines 28 to 31: from E to E.p."""
        order = self.order
        at = machine.step_of(node.process)
        known = node.location >= 0
        location, flags = node.location, node.flags
        machine.perform(node)
        order.make_room(machine.processes)
        if known and (node.location != location or node.flags != flags):
            raise InternalError("an event of a wakeup sequence is not what it was taken to be")
        sleep: list[WakeupNode] = []
        for sleeper in frame.sleep:
            if order.stays_asleep(sleeper, node):
                if not machine.enabled(sleeper.process, sleeper.alternative):
                    raise InternalError("a sleeping event is not enabled")
                sleep.append(sleeper)
        order.push(node, at)
        self.frames.append(OdporFrame(node.children, sleep))

    def _back(self) -> bool:
        """Lines 32 and 33, up to a prefix with more to explore; False if there is none."""
        frames = self.frames
        frames.pop()
        while frames:
            self.machine.undo()
            self.order.pop()
            frame = frames[-1]
            node = frame.children.pop(0)
            self.wakeup_nodes -= 1
            frame.sleep.append(node)
            if frame.children:
                return True
            frames.pop()
        return False

    # ---- the end of an execution

    def end(self) -> Sequence[Trace]:
        """Counts the execution, and shows it as hybrid.engine.api says."""
        machine, counters = self.machine, self.counters
        status = machine.status()
        if status is Status.BLOCKED and machine.unfolding.has_awaits:
            waiting = waiting_threads(machine, [order[-1] for order in machine.co])
            if waiting:
                status = count_waiting(machine, waiting, counters)
                return (Snapshot(machine, status, (), None, None, waiting),)
        count_run(status, counters)
        trace = Snapshot(machine, status, ())
        return (trace,) if is_shown(trace, machine.unfolding.program) else ()
