"""The axioms of a model by how a graph oracle judges them: as events come, or by what a round has
gained."""

from __future__ import annotations

from hybrid.execution.execution import Execution
from hybrid.model import core
from hybrid.oracle.atomicity import Atomicity, is_atomicity
from hybrid.oracle.axiom_checks import AxiomCheck
from hybrid.oracle.columns import Node, Op
from hybrid.oracle.network import Network
from hybrid.oracle.onward import Onward
from hybrid.oracle.onward_axioms import OnwardAxiom, hiding, is_kept_by_order, onward_axiom


class SortedAxioms:
    """Those that the order of events decides are left out, and those that speak of nothing in the
    program at hand."""

    def __init__(
        self,
        roots: list[Node],
        model: core.Model,
        execution: Execution,
        network: Network,
        onward: Onward | None,
        by_orders: bool,
    ) -> None:
        """`roots`: the nodes of the axioms. `by_orders`: atomicity may be read off the coherence
        orders."""
        self._execution = execution
        self._network = network
        self.atomic: list[Atomicity] = []
        self.onward_axioms: list[OnwardAxiom] = []
        self.checks: list[AxiomCheck] = []
        # orders that hide stores, as coherence.py says: their columns
        self.hiding_sources: list[int] | None = None
        self.hiding_places: list[int] | None = None
        for axiom, node in zip(model.constraints, roots, strict=True):
            if node.op == Op.EMPTY and not axiom.negated:
                continue
            if by_orders and is_atomicity(axiom, node):
                self.atomic.append(Atomicity(node, execution, network.points))
            elif onward is None or not self._comes_in_order(axiom, node, onward):
                self.checks.append(AxiomCheck(axiom, node, network))
        for check in self.checks:
            check.settle_on()
            if check.hiding_sources is not None:
                self.hiding_sources = check.hiding_sources.columns
            if check.hiding_places is not None:
                self.hiding_places = check.hiding_places.columns

    def _comes_in_order(self, axiom: core.Axiom, node: Node, onward: Onward) -> bool:
        """Whether the order in which events come decides an axiom, or does so event by event."""
        if is_kept_by_order(axiom, node, onward):
            return True
        found = onward_axiom(axiom, node, onward, self._execution, self._network.points)
        if found is None:
            return False
        self.onward_axioms.append(found)
        sources, places = hiding(axiom, node, onward)
        if sources is not None:
            self.hiding_sources = onward.keep(sources)
        if places is not None:
            self.hiding_places = onward.keep(places)
        return True
