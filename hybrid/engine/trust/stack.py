"""The graph of TruSt as a stack of units: each is put on the graph and told to the oracle, and
taken off again. explorer.py has the algorithm, options.py what can be done with a unit.

The graph as data: all that is explored above a graph depends on the graph alone, that is on its
units in the order of the stack, each with its parameter and its place in the order of insertion.
`units` gives this list for the graph at hand, numbers and truth values only; another exploration of
the same program, model, bound and policy goes there with `go_to`.
"""

from __future__ import annotations

from collections.abc import Sequence

from mypy_extensions import mypyc_attr

from hybrid.engine.api import Counters, Limits
from hybrid.engine.trust.frame import TrustUnit, UnitFrame
from hybrid.engine.trust.graph import ExecutionGraph, dense_unfolding
from hybrid.engine.trust.groups import in_groups
from hybrid.execution.execution import FAIL
from hybrid.execution.step import CONDITIONAL, LOAD, RMW, Step
from hybrid.model import core
from hybrid.oracle.api import Oracle
from hybrid.oracle.coherence import coherent, coherent_after_loads, coherent_loads
from hybrid.oracle.make import make_oracle
from hybrid.program.program import Program


@mypyc_attr(allow_interpreted_subclasses=True)
class GraphStack:
    """The units of the graph, from the bottom up. Those directly below the top frame may be off the
    graph after a revisit, until `_settle` puts them back."""

    classes = False  # whether it counts reads-from classes

    def __init__(
        self,
        program: Program,
        model: core.Model,
        limits: Limits,
        counters: Counters,
        threads: Sequence[int],
        oracle: str,
        sat_solver: str,
    ) -> None:
        self.limits = limits
        self.counters = counters
        unfolding = dense_unfolding(program, model, limits.unroll, limits.max_steps, oracle)
        self.graph = ExecutionGraph(unfolding, self.classes)
        self.threads = in_groups(self.graph, threads)  # in the order of <_next
        self.coherent = coherent(model)
        self.coherent_loads = coherent_loads(model) and not self.classes
        self.after_loads = coherent_after_loads(model)
        self.has_flags = bool(model.flags)
        self.stack: list[UnitFrame] = []
        self.turns = 0
        self.until: float | None = None  # in time.monotonic() seconds: when to pause
        self.oracle = self._make_oracle(oracle, model, sat_solver)

    def _make_oracle(self, name: str, model: core.Model, sat_solver: str) -> Oracle:
        return make_oracle(name, model, self.graph, sat_solver, in_order=True)

    # ---- graphs as data

    def units(self) -> list[TrustUnit]:
        """The graph at hand, when no frame is between two options."""
        return [
            TrustUnit(
                f.event,
                self._portable(f, f.parameter),
                f.outcome,
                f.waits,
                f.forced,
                f.before,
                f.second_before,
            )
            for f in self.stack
        ]

    def _portable(self, frame: UnitFrame, parameter: int) -> int:
        """A parameter of a unit as other explorations understand it."""
        kind = frame.step.kind
        if kind == LOAD or kind == RMW:
            return self.graph.numbering.portable(parameter)
        return parameter

    def go_to(self, units: Sequence[TrustUnit]) -> None:
        """Makes this the graph at hand, from the empty one; it is given, and stays."""
        for unit in units:
            frame = UnitFrame(self._at(unit.event), unit.before, unit.forced)
            frame.second_before = unit.second_before
            frame.outcome = unit.outcome
            frame.given = True
            self.stack.append(frame)
            self._put_back(frame, self.graph.numbering.here(unit.parameter), unit.waits)

    def rewind(self) -> None:
        """Back to the empty graph."""
        while self.stack:
            self._take_off(self.stack.pop())

    def _at(self, event: int) -> Step:
        """The step at which the thread of `event` stands: its access, or the choice how it goes."""
        step = self.graph.steps[event]
        assert step is not None
        following = self.graph.next[step.thread]
        assert isinstance(following, Step)
        return following

    # ---- putting units on the graph and taking them off

    def _put(self, frame: UnitFrame, parameter: int, waits: bool) -> bool:
        """Puts the frame's unit on the graph if the oracle allows it."""
        if waits:
            self.graph.enter(frame, parameter, True)
            frame.on = True
            return True
        event = frame.event
        if frame.choice is not None:
            if not self.oracle.settled(self.graph):
                return False
            self.oracle.commit(frame.choice.event, frame.outcome)
            self.graph.choose(frame, frame.outcome)
        if parameter == FAIL:
            if not self.oracle.settled(self.graph):
                return False
        else:
            self.counters.checks += 1
            if not self.oracle.allows(self.graph, event, parameter):
                self.counters.refused += 1
                self._refused(frame, parameter)
                if frame.choice is not None:
                    self.oracle.rollback()
                    self.graph.unchoose(frame)
                return False
        self.oracle.commit(event, parameter)
        self.graph.enter(frame, parameter, False)
        frame.on = True
        return True

    def _refused(self, frame: UnitFrame, parameter: int) -> None:
        """Counts what the theory does not expect: a unit that a maximal extension would have, be it
        new or in a revisit, and that the oracle refuses."""
        order = self.graph.co[self.graph.location[frame.event]]
        step = frame.step
        if step.kind == LOAD or step.kind == RMW:
            if order[-1] == parameter:
                self.counters.stuck += 1
        elif step.kind != CONDITIONAL and parameter == len(order):
            self.counters.stuck += 1

    def _put_back(self, frame: UnitFrame, parameter: int, waits: bool) -> None:
        """Puts a unit on the graph that is known to be allowed."""
        lifted = frame.lifted
        if lifted is not None:
            frame.lifted = None
            self.oracle.catch_up(self.graph)  # the unit below may have been committed anew
            self.graph.enter(frame, parameter, waits)
            self.oracle.put_back(self.graph, lifted)
            frame.on = True
            return
        if not waits:
            if frame.choice is not None:
                self.oracle.recommit(self.graph, frame.choice.event, frame.outcome)
                self.graph.choose(frame, frame.outcome)
            self.oracle.recommit(self.graph, frame.event, parameter)
        self.graph.enter(frame, parameter, waits)
        frame.on = True

    def _take_off(self, frame: UnitFrame) -> None:
        """Takes the frame's unit off the graph, if it is there; it must be the uppermost."""
        if not frame.on:
            return
        self.graph.leave(frame)
        if not frame.waits:
            self.oracle.rollback()
            if frame.choice is not None:
                self.oracle.rollback()
                self.graph.unchoose(frame)
        frame.on = False

    def _lift(self, frame: UnitFrame) -> None:
        """The same for a unit that `_settle` will put back as it was."""
        if not frame.on or frame.waits or frame.choice is not None:
            self._take_off(frame)
            return
        self.graph.leave(frame)
        frame.lifted = self.oracle.lift()
        frame.on = False

    def _settle(self) -> None:
        """Puts the units below the top frame back that a revisit has left off the graph."""
        stack = self.stack
        top = len(stack) - 1
        first = top
        while first and not stack[first - 1].on:
            first -= 1
        for frame in stack[first:top]:
            self._put_back(frame, frame.parameter, frame.waits)

    def _pop_to(self, load: int) -> list[UnitFrame]:
        """Takes off the units from that of `load` on, and the top frame; gives them from the bottom
        up, the top frame left out."""
        stack = self.stack
        stack.pop()
        popped: list[UnitFrame] = []
        while True:
            frame = stack.pop()
            self._lift(frame)
            popped.append(frame)
            if frame.event == load:
                break
        popped.reverse()
        return popped
