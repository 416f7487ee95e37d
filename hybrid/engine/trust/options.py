"""What can be done with a unit of TruSt's graph: the cases of VISIT in Algorithm 1 (explorer.py has
the paper's name). What a maximal extension does is always the first option.

The paper's names: next_P is `_choose`; the sources of a load (lines 10 to 12) are `_sources`; the
places of a store, over which VISITCOs goes (lines 14, 21 and 22), are `_places`; its revisits
(lines 15 to 17) are added by `_add_revisits`, which asks maximality.py.
"""

from __future__ import annotations

from mypy_extensions import mypyc_attr

from hybrid.engine.trust.frame import REVISIT, TAKE, WAIT, Option, UnitFrame
from hybrid.engine.trust.maximality import is_maximal_extension
from hybrid.engine.trust.stack import GraphStack
from hybrid.execution.execution import FAIL
from hybrid.execution.step import CONDITIONAL, LOAD, RMW, Step


@mypyc_attr(allow_interpreted_subclasses=True)
class UnitOptions(GraphStack):
    """A stack that knows what comes next and how it can go."""

    def _choose(self) -> Step | None:
        """The next event (line 5): of the first thread, in the order of <_next, that can go on. One
        that would have to wait comes last, so that no graph is explored for a wait that ends."""
        graph = self.graph
        moving = graph.moving
        waiting: Step | None = None
        if moving:
            for thread in self.threads:
                if moving >> thread & 1:
                    step = graph.next[thread]
                    assert isinstance(step, Step)
                    if not step.guards or not self._would_wait(step):
                        return step
                    if waiting is None:
                        waiting = step
        return waiting

    def _would_wait(self, step: Step) -> bool:
        """Whether an await does not accept what the co-last store wrote."""
        graph = self.graph
        location = graph.location[step.event]
        return not graph.satisfies(step, graph.stored[graph.co[location][-1]])

    def _options(self, frame: UnitFrame) -> list[Option]:
        """All that can be done with a new or a revisited unit."""
        kind = frame.step.kind
        if kind == LOAD or kind == RMW:
            return self._load_options(frame)
        return self._store_options(frame.step)

    def _load_options(self, frame: UnitFrame) -> list[Option]:
        """The options of a load or an rmw: its sources, of which a revisited one has one only."""
        step = frame.step
        sources = [frame.forced] if frame.forced >= 0 else self._sources(step)
        if frame.choice is not None:
            return self._chosen(frame.choice, sources)
        if step.kind == LOAD and not step.guards:
            return [(TAKE, source, -1) for source in sources]
        return self._guarded(step, sources)

    def _store_options(self, step: Step) -> list[Option]:
        """The options of a store or store-conditional: its places and its revisits."""
        options: list[Option] = []
        if step.kind == CONDITIONAL:
            options.append((TAKE, FAIL, -1))
            if not self.graph.may_succeed(step):
                return options
        options += [(TAKE, place, -1) for place in self._places(step)]
        self._add_revisits(options, step, self.graph.thread_past[step.thread], -1)
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
                self._add_revisits(options, step, self._past(step, source), source)
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
                self._add_revisits(options, storing, self._past(storing, source), source)
            if not fails and not stores and self._may_wait(storing, source):
                options.append((WAIT, source, -1))
        return options

    def _may_wait(self, step: Step, source: int) -> bool:
        """Whether something may still revisit an await that reads from this store."""
        return self.graph.co[self.graph.location[step.event]][-1] == source

    def _sources(self, step: Step) -> list[int]:
        """Stores to read from, the co-last first; where the model forces coherence, none that is
        hidden by what comes before: for an rmw, which may revisit under each of its sources, by its
        own thread alone."""
        order = self.graph.co[self.graph.location[step.event]]
        if not self.coherent_loads or len(order) == 1:
            return order[::-1]
        own = step.po if step.kind == RMW else self.oracle.hides_sources(step)
        readers = self.graph.readers
        found: list[int] = []
        for store in reversed(order):
            found.append(store)
            if own >> store & 1 or readers[store] & own:
                break
        return found

    def _places(self, step: Step) -> list[int]:
        """Places in co, the last first; where the model forces coherence, only those after the
        store's predecessors."""
        order = self.graph.co[self.graph.location[step.event]]
        first = 1
        if self.coherent and len(order) > 1:
            own = self.oracle.hides_places(step)
            readers = self.graph.readers
            known = own if self.after_loads else 0
            for place in range(len(order) - 1, 0, -1):
                store = order[place]
                if own >> store & 1 or readers[store] & known:
                    first = place + 1
                    break
        return list(range(len(order), first - 1, -1))

    def _add_revisits(self, options: list[Option], step: Step, past: int, source: int) -> None:
        """Adds the loads that the unit, which reads from `source` if it is an rmw, can revisit as a
        store with `past` porf-before it (lines 15 to 17)."""
        graph = self.graph
        racing = graph.reads[graph.location[step.event]] & ~past
        while racing:
            low = racing & -racing
            racing ^= low
            load = low.bit_length() - 1
            if self._may_revisit(load, past):
                options.append((REVISIT, load, source))

    def _may_revisit(self, load: int, past: int) -> bool:
        """Whether a store with `past` porf-before it revisits the load from this graph."""
        return is_maximal_extension(self.graph, load, past)

    def _past(self, step: Step, source: int) -> int:
        """What is porf-before the store of a new unit, the unit's own events included."""
        graph = self.graph
        past = graph.thread_past[step.thread] | 1 << step.event
        if source >= 0 and not graph.numbering.initial_writes >> source & 1:
            past |= graph.past[source] | 1 << source
        return past
