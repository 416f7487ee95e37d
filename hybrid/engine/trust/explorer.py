"""TruSt: truly stateless, optimal dynamic partial order reduction (Kokologiannakis, Marmanis,
Gladstein, Vafeiadis, POPL 2022), Algorithm 1.

The paper's names, and where they are here:

    G                     `graph`, an ExecutionGraph (graph.py); stack.py builds it unit by unit
    VISIT                 a turn of the loop in `proceed`; its recursion is the `stack`
    next_P(G)             `_choose` (options.py), by the order of threads that groups.py makes
    the cases of VISIT    `_options` (options.py): sources of a load, places of a store, revisits
    SetRF, SetCO          ExecutionGraph.enter
    VISITCOs              the places among a store's options, or among `UnitFrame.places` while the
                          store revisits a load
    IsMaximallyAdded      maximality.py, which asks it for all of Deleted ∪ {r} at once
    G restricted to what
    is not in Deleted     `_restrict`, undone by `_restore`

Algorithm 2 is in reads_from.py, Algorithms 3 and 4 are in linear.py, as subclasses.

Where the program has more than the paper's, or the paper leaves something open:
- An rmw is one unit: its load and its store, directly after the load's source in coherence. As a
  store it revisits under every source, also under one that another thread's rmw has read from
  already (the exclusive write would be refused): with that load revisited, both fit.
- A store-conditional may fail; a maximal extension has it fail, which no model forbids.
- An await that reads a value it does not accept is not an event: it waits. It waits for the co-last
  store alone, as otherwise nothing could ever revisit it.
- The oracle is asked when an event is added; what a revisit keeps is known to be consistent.
- If a new event is refused at the end of coherence, the model is not maximally extensible: that is
  counted as stuck, and the verdict is never HOLDS.

An exploration in pieces: `run` takes the graph at which to begin; what a frame of the stack has not
tried yet is data too, a `TrustRemainder`, which `take_remainder` gives and `resume` takes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from mypy_extensions import mypyc_attr

from hybrid.engine.end_of_run import end_of_run
from hybrid.engine.trust.frame import REVISIT, WAIT, Option, TrustRemainder, TrustUnit, UnitFrame
from hybrid.engine.trust.options import UnitOptions
from hybrid.execution.execution import FAIL
from hybrid.execution.step import LOAD, RMW
from hybrid.execution.trace import Trace


@mypyc_attr(allow_interpreted_subclasses=True)
class TrustExploration(UnitOptions):
    """Algorithm 1 with a stack of its own."""

    def run(self, units: Sequence[TrustUnit] = ()) -> Iterator[Trace]:
        """Explores all that follows the empty graph, or the given one."""
        self.go_to(units)
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
            if not self.is_open():
                return
            forward = self._next(stack[-1])
            if not forward and self.until is not None and time.monotonic() > self.until:
                return

    def is_open(self) -> bool:
        """Whether the stack has something left to explore."""
        return bool(self.stack) and not self.stack[-1].given

    # ---- in pieces

    def take_remainder(self) -> TrustRemainder | None:
        """Takes the top frame off the stack and undoes its revisit; gives what it had left to do
        above the graph that is then at hand, None if that is nothing."""
        frame = self.stack[-1]
        self._take_off(frame)
        options, place = frame.options[frame.tried :], 0
        if frame.revisits >= 0:
            if frame.place < len(frame.places):
                options, place = [frame.option, *options], frame.place
            self._restore(frame)
        if not options:
            self._leave(frame)
            return None
        self.stack.pop()
        step = frame.choice or frame.step
        return TrustRemainder(
            step.event,
            frame.before,
            frame.second_before,
            frame.forced,
            frame.found,
            tuple(self._told(frame, option) for option in options),
            place,
        )

    def _told(self, frame: UnitFrame, option: Option) -> Option:
        """An option as other explorations understand it."""
        kind, parameter, extra = option
        if kind == REVISIT:
            return kind, parameter, extra if extra < 0 else self._portable(frame, extra)
        return kind, self._portable(frame, parameter), extra

    def resume(self, left: TrustRemainder) -> None:
        """Puts a frame on the stack that has this left to do; `proceed` does it."""
        frame = UnitFrame(self._at(left.event), left.before, left.forced)
        frame.second_before = left.second_before
        frame.found = left.found
        here = self.graph.numbering.here
        frame.options = [(kind, here(one), here(two)) for kind, one, two in left.options]
        self.stack.append(frame)
        if left.place:
            frame.option = frame.options[0]
            frame.tried = 1
            _, load, source = frame.option
            self._restrict(frame, load, source)
            frame.place = left.place

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

    def _leave(self, frame: UnitFrame) -> None:
        """Nothing is left to do with the top frame."""
        self.stack.pop()

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
