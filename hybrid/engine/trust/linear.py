"""TruSt with linear memory (Algorithm 4 of the paper; explorer.py has its name): one graph, from
which all else is found again.

A frame holds the option that its unit is in, and no list of options: when its turn comes,
everything above it is gone, the graph is what it was when the unit was added, and the options are
computed once more. What a revisit deletes is forgotten. It was a maximal extension, so PREV
(Algorithm 3) finds it again: `_restore` adds events maximally, in the order of <_next, until the
revisiting store comes, and then puts the units into the order in which they had been inserted
(lines 26 to 30).

The paper gives the algorithm for reads-from classes and takes any option of an event for its first;
with tracked coherence the places of a store are options too. The order of options never matters, as
the one that a unit is in is remembered, not how many were tried.
"""

from __future__ import annotations

from hybrid.engine.trust.explorer import TrustExploration
from hybrid.engine.trust.frame import TAKE, WAIT, UnitFrame
from hybrid.engine.trust.groups import accepts
from hybrid.engine.trust.reads_from import Lasts, RfExploration
from hybrid.execution.bits import members
from hybrid.execution.execution import FAIL
from hybrid.execution.step import CONDITIONAL, LOAD, RMW, Step


class LinearExploration(TrustExploration):
    """Algorithm 4 with tracked coherence."""

    def _next(self, frame: UnitFrame) -> bool:
        if frame.on:
            self._take_off(frame)
        self._settle()
        if frame.revisits >= 0:
            frame.places = self._revisit_places(frame)
            frame.place = frame.places.index(frame.parameter) + 1
        elif frame.tried:
            self._recall(frame)
        forward = super()._next(frame)
        frame.options = []
        frame.places = []
        return forward

    def _would_wait(self, step: Step) -> bool:
        """An await has its turn as any other event: what was removed is found again by the order of
        the threads alone."""
        return False

    def _recall(self, frame: UnitFrame) -> None:
        """The options of the top frame, whose unit is off the graph, and which one it was in."""
        frame.options = self._options(frame)
        frame.tried = frame.options.index(frame.option) + 1

    # ---- backward revisits

    def _again(self, old: UnitFrame, kept: int) -> UnitFrame:
        new = super()._again(old, kept)
        new.option = old.option
        new.tried = old.tried
        new.found = old.found
        new.revisits = old.revisits
        new.own_before = old.own_before
        new.load_before = old.load_before
        new.below = old.below
        return new

    def _restrict(self, frame: UnitFrame, load: int, source: int) -> bool:
        restricted = super()._restrict(frame, load, source)
        frame.deleted = []
        return restricted

    def _restore(self, frame: UnitFrame) -> None:
        """PREV: the graph before the revisit, found again."""
        graph, stack = self.graph, self.stack
        stack.pop()
        kept = stack[frame.below :]
        deleted = self._complete(frame)
        orders = [order.copy() for order in graph.co]
        units = self._in_order(frame, kept, deleted)
        for unit in reversed(deleted):
            graph.leave(unit)
            if unit.choice is not None and not unit.waits:
                graph.unchoose(unit)
        for unit in reversed(kept):
            self._take_off(unit)
        del stack[frame.below :]
        for unit in units:
            stack.append(unit)
            self._put_back(unit, self._place_again(unit, orders), unit.waits)
            kind, _, extra = unit.option
            if kind == TAKE:
                unit.option = (TAKE, unit.parameter, extra)
        stack.append(frame)
        frame.revisits = -1
        frame.before = frame.own_before
        frame.second_before = frame.before | 1 << frame.event
        self._recall(frame)

    def _complete(self, frame: UnitFrame) -> list[UnitFrame]:
        """MaxCompletion: what the revisit deleted, the load first; on the graph, not with the
        oracle."""
        last = self._lasts()
        deleted: list[UnitFrame] = []
        while True:
            step = self._choose()
            assert step is not None
            if step.thread == frame.step.thread:
                return deleted
            unit = UnitFrame(step, 0)
            self._add_maximally(unit, last)
            deleted.append(unit)

    def _add_maximally(self, unit: UnitFrame, last: Lasts) -> None:
        """Puts the next unit on the graph as a maximal extension has it (lines 10 and 11 of PREV),
        where these stores are the last ones of their locations."""
        graph, kind = self.graph, unit.step.kind
        location = graph.location[unit.event]
        waits = False
        if kind == CONDITIONAL:
            parameter = FAIL
        elif kind == LOAD or kind == RMW:
            parameter = last[location]
            waits = not accepts(graph, unit, graph.stored[parameter])
        else:
            parameter = len(graph.co[location])
        unit.option = (WAIT if waits else TAKE, parameter, -1 if waits else unit.outcome)
        unit.tried = 1
        unit.found = True
        graph.enter(unit, parameter, waits)
        newest = graph.co[location][-1]
        stores = kind != LOAD and parameter != FAIL and not waits
        if stores and graph.present >> newest & 1:
            last[location] = newest

    def _lasts(self) -> Lasts:
        """The co-last stores of what is kept."""
        return {location: order[-1] for location, order in enumerate(self.graph.co)}

    def _in_order(
        self, frame: UnitFrame, kept: list[UnitFrame], deleted: list[UnitFrame]
    ) -> list[UnitFrame]:
        """All units above the load's place in the order of the stack, which is that of insertion
        but that a revisited load comes after the store that it reads from; sets what is before
        each (lines 26 to 30)."""
        graph = self.graph
        ordered, inserted = self._load_first(frame, deleted[0])
        rest = {unit.event: unit for unit in (*kept, *deleted[1:])}
        keys = sorted(rest, key=lambda event: (self.threads.index(rest[event].step.thread), event))
        store_of = {store: unit for unit in kept for store in members(self._events(unit))}
        for event in keys:
            todo = [(rest[event], True)] if event in rest else []
            while todo:
                unit, opening = todo.pop()
                if not opening:
                    unit.second_before = inserted | 1 << unit.event
                    inserted |= self._events(unit)
                    ordered.append(unit)
                elif unit.event in rest:
                    del rest[unit.event]
                    unit.before = inserted
                    inserted |= 1 << unit.event
                    todo.append((unit, False))
                    source = graph.source[unit.event] if unit.step.kind in (LOAD, RMW) else -1
                    if source in store_of and not inserted >> source & 1:
                        # it had been revisited: all up to the store comes next
                        unit.forced = source
                        todo += self._up_to(source, store_of[source], rest, unit.before)
        return ordered

    def _load_first(self, frame: UnitFrame, load: UnitFrame) -> tuple[list[UnitFrame], int]:
        """The load as the first unit above what was before it, and what is inserted then. A store
        below may have revisited it."""
        below = 0
        for unit in self.stack[: frame.below]:
            below |= self._events(unit)
        load.before = frame.load_before
        load.second_before = below | 1 << load.event
        source = self.graph.source[load.event]
        known = load.before | self.graph.numbering.initial_writes
        load.forced = -1 if known >> source & 1 else source
        return [load], below | self._events(load)

    def _up_to(
        self, store: int, unit: UnitFrame, rest: dict[int, UnitFrame], load_before: int
    ) -> list[tuple[UnitFrame, bool]]:
        """What was inserted up to a store that revisits a load, as things to do, the last first."""
        unit.load_before = load_before
        until = (unit.before if store == unit.event else unit.second_before) | 1 << unit.event
        found = [other for event, other in rest.items() if until >> event & 1]
        found.sort(key=lambda other: other.before.bit_count(), reverse=True)
        return [(other, True) for other in found]

    def _events(self, unit: UnitFrame) -> int:
        """The events of a unit on the graph."""
        bits = 1 << unit.event
        if unit.step.second >= 0 and self.graph.present >> unit.step.second & 1:
            bits |= 1 << unit.step.second
        return bits


class LinearRfExploration(LinearExploration, RfExploration):
    """Algorithm 4 as the paper has it."""

    def _lasts(self) -> Lasts:
        last: Lasts = {}
        for location in range(len(self.graph.co)):
            self._add_last(location, last)
        return last
