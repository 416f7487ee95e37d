"""TruSt by reads-from equivalence (Algorithm 2 of the paper; explorer.py has its name): coherence
is not tracked.

A store has no place; a graph is consistent when some coherence order makes it so, which the oracle
decides. Maximality is by a coherence order computed on demand, GetConsCO: a canonical one of what a
revisit keeps, then the deleted stores in the order of insertion.

GetConsCO is asked of the graph without the deleted events and also without the load and the store
of the revisit. With the load in it, as Algorithm 2 is printed, each of several sources of the load
might be the last of its own order, and the same revisit be made from each of them; without, there
is one order for all. It has to depend on the graph alone, not on how it came about: location by
location, the store with the highest number that can come last.
"""

from __future__ import annotations

from collections.abc import Sequence

from mypy_extensions import mypyc_attr

from hybrid.engine.end_of_run import end_of_class, observed_locations
from hybrid.engine.trust.explorer import TrustExploration
from hybrid.engine.trust.frame import UnitFrame
from hybrid.engine.trust.maximality import deleted_by_revisit, was_revisited_by_one_that_goes
from hybrid.errors import InternalError
from hybrid.execution.execution import FAIL
from hybrid.execution.step import LOAD, RMW, Step
from hybrid.execution.trace import Trace
from hybrid.model import core
from hybrid.oracle.api import Oracle
from hybrid.oracle.make import make_rf_oracle

Lasts = dict[int, int]  # from locations to stores


@mypyc_attr(allow_interpreted_subclasses=True)
class RfExploration(TrustExploration):
    """Algorithm 2 with a stack of its own."""

    classes = True

    def _make_oracle(self, name: str, model: core.Model, sat_solver: str) -> Oracle:
        self.observed = observed_locations(self.graph.unfolding.program, self.graph.numbering)
        return make_rf_oracle(name, model, self.graph, sat_solver)

    @property
    def _rf_oracle(self) -> Oracle:
        return self.oracle

    def _places(self, step: Step) -> list[int]:
        return [len(self.graph.co[self.graph.location[step.event]])]

    def _place_again(self, frame: UnitFrame, orders: list[list[int]]) -> int:
        kind = frame.step.kind
        if kind == LOAD or kind == RMW or frame.parameter == FAIL:
            return frame.parameter
        return len(self.graph.co[self.graph.location[frame.event]])

    def _may_wait(self, step: Step, source: int) -> bool:
        """Where no coherence order has the store last, nothing can ever revisit the await."""
        return self._last_possible({self.graph.location[step.event]: source})

    def _last_possible(self, last: Lasts) -> bool:
        self.counters.checks += 1
        possible = self.oracle.settled(self.graph) and self._rf_oracle.witness(last) is not None
        self.counters.refused += not possible
        return possible

    def _put(self, frame: UnitFrame, parameter: int, waits: bool) -> bool:
        put = super()._put(frame, parameter, waits)
        frame.found = frame.found or put
        return put

    def _refused(self, frame: UnitFrame, parameter: int) -> None:
        """Only all sources together tell that the model is not maximally extensible."""

    def _leave(self, frame: UnitFrame) -> None:
        super()._leave(frame)
        if not frame.found and frame.forced < 0:
            self.counters.stuck += 1

    # ---- maximality

    def _may_revisit(self, load: int, past: int) -> bool:
        """Without a look at coherence, which is left to `_restrict`: whether the rest of what goes
        is as in a maximal extension."""
        return self._needed(load, past) is not None

    def _needed(self, load: int, past: int) -> Lasts | None:
        """Which stores must be the last of what a revisit of `load` keeps, for all that it deletes
        to be added maximally; None when that cannot be."""
        graph = self.graph
        deleted = deleted_by_revisit(graph, load, past)
        if deleted & graph.not_maximal:
            return None
        needed: Lasts = {}
        rest = deleted
        while rest:
            low = rest & -rest
            rest ^= low
            event = low.bit_length() - 1
            step = graph.steps[event]
            assert step is not None
            if event != step.event or (step.kind != LOAD and step.kind != RMW):
                continue
            location = graph.location[event]
            source = graph.source[event]
            last_deleted = self._last_inserted_at(location, graph.before[event] & deleted)
            if last_deleted >= 0:
                if last_deleted != source:
                    return None
            elif (
                was_revisited_by_one_that_goes(source, ~deleted)
                or needed.setdefault(location, source) != source
            ):
                return None
        return needed

    def _last_inserted_at(self, location: int, among: int) -> int:
        """The store of a location that was inserted last, of those among these events; -1 if there
        is none."""
        stores = 0
        for store in self.graph.co[location]:
            if among >> store & 1:
                stores |= 1 << store
        return self.graph.last_inserted(stores)

    def _restrict(self, frame: UnitFrame, load: int, source: int) -> bool:
        needed = self._needed(load, self._past(frame.step, source))
        assert needed is not None
        if super()._restrict(frame, load, source) and self._canonical(needed):
            return True
        self._put_all_back(frame)
        return False

    def _canonical(self, needed: Lasts) -> bool:
        """Whether these stores are the last of the canonical coherence order of this graph."""
        last: Lasts = {}
        for location in range(max(needed, default=-1) + 1):
            self._add_last(location, last)
            if needed.get(location, last[location]) != last[location]:
                return False
        return True

    def _add_last(self, location: int, last: Lasts) -> None:
        """Adds the canonical last store of the next location."""
        stores = self.graph.co[location]
        if len(stores) <= 2:
            last[location] = stores[-1]
            return
        for store in sorted(stores[1:], reverse=True):
            last[location] = store
            if self._last_possible(last):
                return
        raise InternalError("a graph on the stack has no coherence order")

    # ---- the end of a run

    def _end(self) -> Sequence[Trace]:
        """One trace for each choice of co-last stores at the observed locations."""
        return end_of_class(
            self.graph, self._rf_oracle, self.counters, self.has_flags, self.observed, True
        )
