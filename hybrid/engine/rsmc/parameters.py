"""The parameters that come into question for an enabled event of RSMC, before the oracle judges
them: sources of loads, places of stores. explorer.py has the algorithm."""

from __future__ import annotations

from hybrid.execution.execution import FAIL, Execution
from hybrid.execution.step import CHOICE, CONDITIONAL, LOAD, RMW, Step
from hybrid.model.core import Model
from hybrid.oracle.api import Oracle
from hybrid.oracle.coherence import coherent, coherent_after_loads, coherent_loads


class Parameters:
    """Of the events of one execution."""

    def __init__(self, execution: Execution, model: Model, oracle: Oracle, classes: bool) -> None:
        self.execution = execution
        self.oracle = oracle
        # the model forces coherence, of stores, of loads, of stores after loads
        self.coherent = coherent(model)
        self.coherent_loads = coherent_loads(model) and not classes
        self.after_loads = coherent_after_loads(model)
        self.classes = classes  # reads-from classes: stores carry no parameter

    def candidates(self, step: Step, past: int) -> list[int]:
        """All parameters that come into question for an enabled step with this cb-past."""
        execution = self.execution
        kind = step.kind
        if kind == CHOICE:
            return [1, 0]
        order = execution.co[execution.location[step.event]]
        if kind == LOAD or kind == RMW:
            sources = order.copy() if kind == RMW else self._sources(step, order)
            if not step.guards and not step.late:
                return sources
            stored = execution.stored
            return [w for w in sources if self.fits(step, stored[w], past)]
        if kind == CONDITIONAL:
            places: list[int] = []
            if self.may_succeed(step):
                places = self.places(step, order)
            return [*places, FAIL] if step.decides else places
        return self.places(step, order)

    def _sources(self, step: Step, order: list[int]) -> list[int]:
        """Stores that a load can read from; where the model forces coherence, none that is hidden
        from it by what comes before. (An rmw keeps them all, as it races under each of them.)"""
        if self.coherent_loads and len(order) > 1:
            if step.po >> order[-1] & 1:
                return order[-1:]
            own, readers = self.oracle.hides_sources(step), self.execution.readers
            for place in range(len(order) - 1, 0, -1):
                store = order[place]
                if own >> store & 1 or readers[store] & own:
                    return order[place:]
        return order.copy()

    def places(self, step: Step, order: list[int]) -> list[int]:
        """Places in co, the last first; where the model forces coherence, only those after the
        store's predecessors. In a reads-from class a store has none: co is just a list of
        stores."""
        if self.classes:
            return [len(order)]
        if step.amo:
            assert step.reserve is not None
            return [order.index(self.execution.source[step.reserve.event]) + 1]
        first = 1
        if self.coherent and len(order) > 1:
            if step.po >> order[-1] & 1:
                return [len(order)]
            own = self.oracle.hides_places(step)
            readers = self.execution.readers
            known = own if self.after_loads else 0
            for place in range(len(order) - 1, 0, -1):
                store = order[place]
                if own >> store & 1 or readers[store] & known:
                    first = place + 1
                    break
        return list(range(len(order), first - 1, -1))

    def may_succeed(self, step: Step) -> bool:
        """Whether a store-conditional's address is that of its load-reserve."""
        execution = self.execution
        reserve = step.reserve
        return (
            reserve is not None
            and execution.committed >> reserve.event & 1 == 1
            and execution.location[reserve.event] == execution.location[step.event]
        )

    def settled_guards(self, step: Step, past: int) -> bool:
        """Whether what the guards need is in the cb-past of the load. Otherwise it may change while
        the load stays, and the guards count at the end of the run only."""
        return not any(test.slots & ~past for test in step.late)

    def fits(self, step: Step, value: int, past: int) -> bool:
        """Whether a load with this cb-past may read `value`, by its guards."""
        return self.execution.satisfies(step, value, self.settled_guards(step, past))
