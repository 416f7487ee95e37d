"""The parameters that come into question for an enabled event of RSMC, before the oracle judges
them: sources of loads, places of stores. explorer.py has the algorithm."""

from __future__ import annotations

from hybrid.execution.execution import FAIL, Execution
from hybrid.execution.step import CHOICE, CONDITIONAL, LOAD, RMW, Step


class Parameters:
    """Of the events of one execution."""

    def __init__(self, execution: Execution, coherent: bool, classes: bool) -> None:
        self.execution = execution
        self.coherent = coherent  # the model forces coherence
        self.classes = classes  # reads-from classes: stores carry no parameter

    def candidates(self, step: Step, past: int) -> list[int]:
        """All parameters that come into question for an enabled step with this cb-past."""
        execution = self.execution
        kind = step.kind
        if kind == CHOICE:
            return [1, 0]
        order = execution.co[execution.location[step.event]]
        if kind == LOAD or kind == RMW:
            if not step.guards and not step.late:
                return order.copy()
            stored = execution.stored
            return [w for w in order if self.fits(step, stored[w], past)]
        if kind == CONDITIONAL:
            places: list[int] = []
            if self.may_succeed(step):
                places = self.places(step, order)
            return [*places, FAIL] if step.decides else places
        return self.places(step, order)

    def places(self, step: Step, order: list[int]) -> list[int]:
        """Places in co, the last first; where the model forces coherence, only those after the
        store's own predecessors. In a reads-from class a store has none: co is just a list of
        stores."""
        if self.classes:
            return [len(order)]
        if step.amo:
            assert step.reserve is not None
            return [order.index(self.execution.source[step.reserve.event]) + 1]
        first = 1
        if self.coherent:
            own = step.po
            for place in range(len(order) - 1, 0, -1):
                if own >> order[place] & 1:
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
        return not any(bound.slots & ~past for _, bound in step.late)

    def fits(self, step: Step, value: int, past: int) -> bool:
        """Whether a load with this cb-past may read `value`, by its guards."""
        return self.execution.satisfies(step, value, self.settled_guards(step, past))
