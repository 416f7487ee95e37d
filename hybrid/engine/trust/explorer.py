"""TruSt: truly stateless, optimal dynamic partial order reduction (Kokologiannakis, Marmanis,
Gladstein, Vafeiadis, POPL 2022), Algorithm 1.

The paper's names: G is `graph`; next_P is `_choose`; VISIT is a turn of the loop in `run`, its
recursion the `stack`; VISITCOs are the places of a store among a frame's options; IsMaximallyAdded
is asked for all of Deleted ∪ {r} at once in `_maximal`; the restriction of G is `_restrict`, undone
by `_restore`.

Where the program has more than the paper's, or the paper leaves something open:
- An rmw is one unit: its load and its store, directly after the load's source in coherence. As a
  store it revisits under every source, also under one that another thread's rmw has read from
  already (the exclusive write would be refused): with that load revisited, both fit.
- A store-conditional may fail; a maximal extension has it fail, which no model forbids.
- An await that reads a value it does not accept is no event: it waits. It waits for the co-last
  store alone, as otherwise nothing could ever revisit it.
- The oracle is asked when an event is added; what a revisit keeps is known to be consistent.
- If a new event is refused at the end of coherence, the model is not maximally extensible: that is
  counted as stuck, and the verdict is never HOLDS.

A subtree as data: all that is explored below a graph depends on the graph alone, that is on its
units in the order of the stack, each with its parameter and its place in the order of insertion.
`units` gives this list for the graph at hand, numbers and truth values only; another exploration of
the same program, model, bound and policy goes there with `run(units)`, and yields what lies below
and nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from mypy_extensions import mypyc_attr

from hybrid.engine.api import Counters, Limits
from hybrid.engine.end_of_run import end_of_run
from hybrid.engine.trust.frame import REVISIT, TAKE, WAIT, Option, TrustUnit, UnitFrame
from hybrid.engine.trust.graph import DenseUnfolding, ExecutionGraph
from hybrid.engine.trust.maximality import is_maximal_extension
from hybrid.execution.execution import FAIL
from hybrid.execution.step import CONDITIONAL, LOAD, RMW, Step
from hybrid.execution.trace import Trace
from hybrid.model import core
from hybrid.oracle.api import Oracle
from hybrid.oracle.coherence import coherent, coherent_loads
from hybrid.oracle.make import make_oracle
from hybrid.program.program import Program


@mypyc_attr(allow_interpreted_subclasses=True)
class TrustExploration:
    """Algorithm 1 with a stack of its own."""

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
        self.threads = threads  # in the order of <_next
        unfolding = DenseUnfolding(program, limits.unroll, limits.max_steps)
        self.graph = ExecutionGraph(unfolding, self.classes)
        self.coherent = coherent(model)
        self.coherent_loads = coherent_loads(model) and not self.classes
        self.has_flags = bool(model.flags)
        self.stack: list[UnitFrame] = []
        self.turns = 0
        self.until: float | None = None  # in time.monotonic() seconds: when to pause
        self.oracle = self._make_oracle(oracle, model, sat_solver)

    def _make_oracle(self, name: str, model: core.Model, sat_solver: str) -> Oracle:
        return make_oracle(name, model, self.graph, sat_solver)

    def run(self, units: Sequence[TrustUnit] = ()) -> Iterator[Trace]:
        """Explores what lies below the empty graph, or below the given one."""
        for unit in units:
            self._go_to(unit)
        yield from self.proceed(True)

    def proceed(self, forward: bool) -> Iterator[Trace]:
        """Explores all that the stack has above what was given, first what follows the graph at
        hand if `forward`; or stops when `until` is over, at a moment at which the stack says all
        that is left."""
        stack = self.stack
        while True:
            if forward:
                self.turns += 1
                if not self.turns & 255:
                    self.limits.check_time()
                step = self._choose()
                if step is None:
                    yield from self._end()
                else:
                    frame = UnitFrame(step, self.graph.present)
                    frame.options = self._options(frame)
                    stack.append(frame)
            if not stack or stack[-1].given:
                return
            forward = self._next(stack[-1])
            if not forward and self.until is not None and time.monotonic() > self.until:
                return

    def units(self) -> list[TrustUnit]:
        """The graph at hand, when no frame is between two options."""
        return [
            TrustUnit(f.event, f.parameter, f.outcome, f.waits, f.forced, f.before, f.second_before)
            for f in self.stack
        ]

    def _go_to(self, unit: TrustUnit) -> None:
        frame = UnitFrame(self._at(unit.event), unit.before, unit.forced)
        frame.second_before = unit.second_before
        frame.outcome = unit.outcome
        frame.given = True
        self.stack.append(frame)
        self._put_back(frame, unit.parameter, unit.waits)

    def _at(self, event: int) -> Step:
        """The step at which the thread of `event` stands: its access, or the choice how that goes."""
        step = self.graph.steps[event]
        assert step is not None
        following = self.graph.next[step.thread]
        assert isinstance(following, Step)
        return following

    # ---- choosing

    def _choose(self) -> Step | None:
        """The next event (line 5): of the first thread, in the order of <_next, that can go on."""
        graph = self.graph
        moving = graph.moving
        if moving:
            for thread in self.threads:
                if moving >> thread & 1:
                    step = graph.next[thread]
                    assert isinstance(step, Step)
                    return step
        return None

    def _options(self, frame: UnitFrame) -> list[Option]:
        """All that can be done with a new or a revisited unit; what a maximal extension does comes
        first."""
        graph, step = self.graph, frame.step
        kind = step.kind
        order = graph.co[graph.location[step.event]]
        if kind == LOAD or kind == RMW:
            sources = [frame.forced] if frame.forced >= 0 else self._sources(step, order)
            if frame.choice is not None:
                return self._chosen(frame.choice, sources)
            if kind == LOAD and not step.guards:
                return [(TAKE, source, -1) for source in sources]
            return self._guarded(step, sources)
        options: list[Option] = []
        if kind == CONDITIONAL:
            options.append((TAKE, FAIL, -1))
            if not graph.may_succeed(step):
                return options
        options += [(TAKE, place, -1) for place in self._places(step)]
        self._add_revisits(options, step, graph.thread_past[step.thread], -1)
        return options

    def _guarded(self, step: Step, sources: list[int]) -> list[Option]:
        """The options of an await or an rmw."""
        graph = self.graph
        options: list[Option] = []
        for source in sources:
            value = graph.stored[source]
            if step.guards and not graph.satisfies(step, value):
                if self._may_wait(step, source):
                    options.append((WAIT, source, -1))
                continue
            stores = step.kind == RMW and graph.rmw_stores(step, value)
            if not stores or not graph.taken(source, step.thread):
                options.append((TAKE, source, -1))
            if stores:
                self._add_rmw_revisits(options, step, source)
        return options

    def _chosen(self, choice: Step, sources: list[int]) -> list[Option]:
        """The options of a cas that stores or not by choice: the value read decides, but that a
        weak one may always fail."""
        graph = self.graph
        failing, storing = (graph.unfolding.follow(choice, outcome) for outcome in (0, 1))
        assert isinstance(failing, Step) and isinstance(storing, Step)
        options: list[Option] = []
        for source in sources:
            value = graph.stored[source]
            fails = graph.satisfies(failing, value)
            stores = graph.satisfies(storing, value)
            if fails:
                options.append((TAKE, source, 0))
            if stores:
                if not graph.taken(source, choice.thread):
                    options.append((TAKE, source, 1))
                self._add_rmw_revisits(options, storing, source)
            if not fails and not stores and self._may_wait(storing, source):
                options.append((WAIT, source, -1))
        return options

    def _add_rmw_revisits(self, options: list[Option], step: Step, source: int) -> None:
        past = self._past(step, source)
        self._add_revisits(options, step, past, source)

    def _may_wait(self, step: Step, source: int) -> bool:
        """Whether something may still revisit an await that reads from this store."""
        return self.graph.co[self.graph.location[step.event]][-1] == source

    def _sources(self, step: Step, order: list[int]) -> list[int]:
        """Stores to read from, the co-last first; where the model forces coherence, none before
        what the thread knows already."""
        if not self.coherent_loads:
            return order[::-1]
        own = step.po
        readers = self.graph.readers
        found: list[int] = []
        for store in reversed(order):
            found.append(store)
            if own >> store & 1 or readers[store] & own:
                break
        return found

    def _places(self, step: Step) -> list[int]:
        """Places in co, the last first; where the model forces coherence, only those after the
        store's own predecessors."""
        order = self.graph.co[self.graph.location[step.event]]
        first = 1
        if self.coherent and len(order) > 1:
            own = step.po
            for place in range(len(order) - 1, 0, -1):
                if own >> order[place] & 1:
                    first = place + 1
                    break
        return list(range(len(order), first - 1, -1))

    def _add_revisits(self, options: list[Option], step: Step, past: int, source: int) -> None:
        """The loads that the unit can revisit as a store, with `past` porf-before the store (lines
        15 to 17)."""
        graph = self.graph
        racing = graph.reads[graph.location[step.event]] & ~past
        while racing:
            low = racing & -racing
            racing ^= low
            load = low.bit_length() - 1
            if self._maximal(load, past):
                options.append((REVISIT, load, source))

    def _maximal(self, load: int, past: int) -> bool:
        """Whether a store with this `past` may revisit the load."""
        return is_maximal_extension(self.graph, load, past)

    # ---- going from option to option

    def _next(self, frame: UnitFrame) -> bool:
        """Takes the top frame to its next option; True when its unit is on the stack then and what
        follows is a new one."""
        if frame.on:
            self._take_off(frame)
        if frame.revisits >= 0:
            if frame.place < len(frame.places):
                self._settle()
                if self._next_place(frame):
                    return False
            self._restore(frame)
        options = frame.options
        while frame.tried < len(options):
            self._settle()
            frame.option = option = options[frame.tried]
            frame.tried += 1
            kind, parameter, extra = option
            if kind == REVISIT:
                if self._restrict(frame, parameter, extra):
                    if self._next_place(frame):
                        return False
                    self._restore(frame)
            else:
                frame.outcome = extra
                if self._put(frame, parameter, kind == WAIT):
                    return True
        self._leave(frame)
        return False

    def _settle(self) -> None:
        """Puts the units below the top frame on the graph, as far as they are off after a revisit."""
        stack = self.stack
        top = len(stack) - 1
        first = top
        while first and not stack[first - 1].on:
            first -= 1
        for frame in stack[first:top]:
            self._put_back(frame, frame.parameter, frame.waits)

    def _leave(self, frame: UnitFrame) -> None:
        """Nothing is left to do with the top frame."""
        self.stack.pop()

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
            if not self.oracle.allowed(self.graph, event, [parameter]):
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
        """Counts what the theory does not expect, and the explorations that it allows to be
        fruitless."""
        if frame.forced >= 0 or frame.revisits >= 0:
            return
        order = self.graph.co[self.graph.location[frame.event]]
        step = frame.step
        if step.kind == LOAD or step.kind == RMW:
            if order[-1] == parameter:
                self.counters.stuck += 1
        elif step.kind != CONDITIONAL and parameter == len(order):
            self.counters.stuck += 1

    def _put_back(self, frame: UnitFrame, parameter: int, waits: bool) -> None:
        """The same for a unit that is known to be allowed."""
        if not waits:
            if frame.choice is not None:
                self.oracle.recommit(self.graph, frame.choice.event, frame.outcome)
                self.graph.choose(frame, frame.outcome)
            self.oracle.recommit(self.graph, frame.event, parameter)
        self.graph.enter(frame, parameter, waits)
        frame.on = True

    def _take_off(self, frame: UnitFrame) -> None:
        if not frame.on:
            return
        self.graph.leave(frame)
        if not frame.waits:
            self.oracle.rollback()
            if frame.choice is not None:
                self.oracle.rollback()
                self.graph.unchoose(frame)
        frame.on = False

    # ---- backward revisits

    def _restrict(self, frame: UnitFrame, load: int, source: int) -> bool:
        """Takes the graph without its top unit to what a revisit of `load` keeps, the load left out
        too (line 18); False when that must not be, and the graph is as it was."""
        graph, stack = self.graph, self.stack
        past = self._past(frame.step, source)
        before = graph.before[load]
        kept = before | past
        orders = [order.copy() for order in graph.co]
        frame.deleted = popped = self._pop_to(load)
        frame.below = len(stack)
        for old in popped:
            if kept >> old.event & 1:
                new = self._again(old, kept | 1 << load)
                stack.append(new)
                self._put_back(new, self._place_again(old, orders), old.waits)
        stack.append(frame)
        frame.revisits = load
        frame.load_before = before
        frame.own_before = frame.before
        frame.before = graph.present | 1 << load
        frame.second_before = frame.before | 1 << frame.event
        frame.places = self._revisit_places(frame)
        frame.place = 0
        return True

    def _again(self, old: UnitFrame, kept: int) -> UnitFrame:
        """A frame for a unit that stays, with only what is kept before it."""
        new = UnitFrame(old.choice or old.step, old.before & kept, old.forced)
        new.second_before = old.second_before & kept
        new.outcome = old.outcome
        return new

    def _revisit_places(self, frame: UnitFrame) -> list[int]:
        """The parameters that a revisiting unit may have among what is kept."""
        source = frame.option[2]
        return [source] if source >= 0 else self._places(frame.step)

    def _past(self, step: Step, source: int) -> int:
        """What is porf-before the store of a new unit, the unit's own events included."""
        graph = self.graph
        past = graph.thread_past[step.thread] | 1 << step.event
        if source >= 0 and not graph.unfolding.initial_writes >> source & 1:
            past |= graph.past[source] | 1 << source
        return past

    def _pop_to(self, load: int) -> list[UnitFrame]:
        """Takes off the units from that of `load` on, and the top frame; gives them from the bottom
        up."""
        stack = self.stack
        stack.pop()
        popped: list[UnitFrame] = []
        while True:
            frame = stack.pop()
            self._take_off(frame)
            popped.append(frame)
            if frame.event == load:
                break
        popped.reverse()
        return popped

    def _place_again(self, frame: UnitFrame, orders: list[list[int]]) -> int:
        """The parameter of a unit that comes back among fewer others; `orders` is co as it was."""
        kind = frame.step.kind
        if kind == LOAD or kind == RMW or frame.parameter == FAIL:
            return frame.parameter
        event = frame.event
        committed = self.graph.committed
        place = 0
        for store in orders[self.graph.location[event]]:
            if store == event:
                break
            place += committed >> store & 1
        return place

    def _next_place(self, frame: UnitFrame) -> bool:
        """Puts the revisiting store at its next place and a frame for the load above it; False when
        there is none left."""
        graph = self.graph
        load = frame.revisits
        step = self._at(load)
        if frame.choice is not None:
            frame.outcome = 1
        while frame.place < len(frame.places):
            parameter = frame.places[frame.place]
            frame.place += 1
            if not self._put(frame, parameter, False):
                continue
            store = frame.event if frame.step.second < 0 else frame.step.second
            above = UnitFrame(step, frame.load_before, store)
            above.second_before = graph.present | 1 << load
            above.options = self._options(above)
            self.stack.append(above)
            return True
        return False

    def _restore(self, frame: UnitFrame) -> None:
        """Takes the stack back to what it was before the revisit. The units come back on the graph
        when they are needed (`_settle`): many of them have no option left."""
        self._put_all_back(frame)

    def _put_all_back(self, frame: UnitFrame) -> None:
        stack = self.stack
        stack.pop()
        while len(stack) > frame.below:
            self._take_off(stack.pop())
        stack += frame.deleted
        stack.append(frame)
        frame.deleted = []
        frame.revisits = -1
        frame.before = frame.own_before
        frame.second_before = frame.before | 1 << frame.event

    # ---- the end of a run

    def _end(self) -> Sequence[Trace]:
        return end_of_run(self.graph, self.oracle, self.counters, self.has_flags, True)
