"""A tree of commits in which each execution of a program has one leaf, under any model that has a
commit-before: what the estimator goes through (see thinned_walk.py).

RSMC's own tree is of no use for this: where a store races with an earlier load, what the load does
instead is found out below, in another branch. Here nothing is found out later. A node is a partial
trace; it grows by one commit at a time, and among all orders of commits that lead to the same
execution one is canonical: always the smallest event of those whose cb-past, the source of a load
included, is committed.

So at each node the enabled events are gone through from the smallest on. Each parameter that the
oracle allows is a child. A larger event can be committed first only if the smaller one is a load
that reads from a store yet to come: the load is *passed*. From then on it may not read from what
was committed when it was passed, as then it would have been its turn. A load is passed only if
some other thread may still write to its location (writes_to_come.py), so that few nodes lead
nowhere. An await may also be passed where it does not accept what stays in memory: the run may be
one in which it waits for ever, and such a run may also end where only awaits could go on.

That every execution is reached, and once, needs what RSMC needs: of an allowed trace, what is
committed at any moment of any order that respects cb is allowed too.
"""

from __future__ import annotations

from typing import NamedTuple

from hybrid.engine.end_of_run import may_wait_for_ever
from hybrid.engine.probes.estimate import executions
from hybrid.engine.probes.writes_to_come import WritesToCome
from hybrid.engine.rsmc.explorer import RsmcExploration
from hybrid.engine.rsmc.frame import RsmcFrame
from hybrid.execution.execution import FAIL
from hybrid.execution.step import CHOICE, LOAD, RMW, Step
from hybrid.program.program import Program


class CommitChild(NamedTuple):
    """One way on from a node."""

    frame: RsmcFrame | None  # what is committed; None: nothing, the run ends with awaits
    parameter: int
    passed: int  # how many of the node's loads are passed by it
    waiting: int  # the loads that were passed and wait for their store then, as bits


class CommitNode:
    """A partial trace that was looked at."""

    __slots__ = ("children", "loads", "passed")

    def __init__(self) -> None:
        self.children: list[CommitChild] = []
        self.loads: list[tuple[int, int]] = []  # that can be passed, with the sources then lost
        self.passed = 0  # these loads, as bits


class CommitTree:
    """Stands at one node; `expand` looks at it, `enter` and `leave` go down and up."""

    def __init__(self, exploration: RsmcExploration, program: Program) -> None:
        self._exploration = exploration
        self._execution = exploration.execution
        self._to_come = WritesToCome(program, exploration.execution)
        self._lost: dict[int, int] = {}  # sources that loads which were passed may not have
        self._waiting = 0  # loads that were passed, as bits
        # by commit: what `_waiting` and `_lost` were before
        self._before: list[tuple[int, list[tuple[int, int]]]] = []

    def expand(self) -> CommitNode:
        """The node at hand; without children the run ends here."""
        execution, before = self._execution, self._exploration.before
        node = CommitNode()
        only_awaits = True
        self._to_come.look()
        pending = execution.pending
        while pending:
            low = pending & -pending
            pending ^= low
            step = execution.steps[low.bit_length() - 1]
            assert step is not None
            if not before.enabled(step):
                continue
            only_awaits = only_awaits and step.is_await and step.kind != CHOICE
            found = len(node.children)
            if self._add(node, step):
                continue
            if len(node.children) == found:
                node.children.clear()  # nothing can ever be done with this event
                return node
            break
        if only_awaits and node.children and self._may_wait():
            node.children.append(CommitChild(None, 0, 0, self._waiting))
        return node

    def _may_wait(self) -> bool:
        return may_wait_for_ever(self._execution, self._exploration.classes)

    def _add(self, node: CommitNode, step: Step) -> bool:
        """Adds what can be done with an enabled event; whether a larger one can come first."""
        exploration, execution, event = self._exploration, self._execution, step.event
        reads = step.kind == LOAD or step.kind == RMW
        lost = 0
        if reads and self._waiting >> event & 1:
            lost = self._lost[event]
            if not exploration.apart and not self._is_fresh(event, lost):
                return self._pass(node, step, lost)
        frame = exploration._frame(step)
        candidates = exploration.parameters.candidates(step, frame.past)
        if lost:
            candidates = [source for source in candidates if not lost >> source & 1]
        passed = len(node.loads)
        waiting = (self._waiting | node.passed) & ~(1 << event)
        for parameter in self._allowed(step, candidates):
            node.children.append(CommitChild(frame, parameter, passed, waiting))
        if not reads:
            return False
        for source in (*candidates, *execution.co[execution.location[event]]):
            lost |= 1 << source
        return self._pass(node, step, lost)

    def _is_fresh(self, event: int, lost: int) -> bool:
        """Whether a load that was passed finds a store that was not there then."""
        stores = self._execution.co[self._execution.location[event]]
        return any(not lost >> store & 1 for store in stores)

    def _pass(self, node: CommitNode, step: Step, lost: int) -> bool:
        """Whether the load can be passed; it then loses these sources."""
        event = step.event
        location = self._execution.location[event]
        if not self._to_come.may_come(location, step.thread) and not self._waits_there(step):
            return False
        node.loads.append((event, lost))
        node.passed |= 1 << event
        return True

    def _waits_there(self, step: Step) -> bool:
        """Whether the event may wait for ever where no store to its location comes any more."""
        exploration, execution = self._exploration, self._execution
        if not step.is_await or exploration.classes:
            return step.is_await
        last = execution.co[execution.location[step.event]][-1]
        past = exploration.before.before(step)
        return not exploration.parameters.fits(step, execution.stored[last], past)

    def _allowed(self, step: Step, candidates: list[int]) -> list[int]:
        oracle, execution = self._exploration.oracle, self._execution
        if step.kind == CHOICE:
            return candidates if oracle.settled(execution) else []
        asked = [candidate for candidate in candidates if candidate != FAIL]
        allowed = oracle.allowed(execution, step.event, asked) if asked else []
        if len(asked) < len(candidates) and oracle.settled(execution):
            allowed = [*allowed, FAIL]
        return allowed

    def enter(self, node: CommitNode, child: CommitChild) -> None:
        exploration, frame = self._exploration, child.frame
        saved: list[tuple[int, int]] = []
        self._before.append((self._waiting, saved))
        self._waiting = child.waiting
        if frame is None:
            return
        for event, lost in node.loads[: child.passed]:
            saved.append((event, self._lost.get(event, 0)))
            self._lost[event] = lost
        exploration.oracle.settled(self._execution)
        exploration.stack.append(frame)
        exploration._commit(frame, child.parameter)

    def leave(self, child: CommitChild) -> None:
        self._waiting, saved = self._before.pop()
        for event, lost in saved:
            self._lost[event] = lost
        if child.frame is not None:
            self._exploration._step_back(self._exploration.stack.pop())

    def ends(self) -> int:
        """How many executions end at a node without children. One that a bound or an error ends
        counts only if nothing else can go on; a load that was passed might."""
        counters = self._exploration.counters
        before, cut = executions(counters), counters.cut + counters.errors
        self._exploration._end()
        if counters.cut + counters.errors > cut and self._can_go_on():
            return 0
        return executions(counters) - before

    def _can_go_on(self) -> bool:
        """Whether some event can be committed, what loads have lost by being passed aside."""
        exploration, execution = self._exploration, self._execution
        pending = execution.pending
        while pending:
            low = pending & -pending
            pending ^= low
            step = execution.steps[low.bit_length() - 1]
            assert step is not None
            if exploration.before.enabled(step):
                past = exploration.before.before(step)
                if self._allowed(step, exploration.parameters.candidates(step, past)):
                    return True
        return False
