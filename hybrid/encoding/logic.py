"""Clauses with a solver: a SAT solver (sat_logic.py) or Z3 (z3_logic.py)."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence

from mypy_extensions import mypyc_attr

from hybrid.encoding.acyclic import ENCODINGS, AcyclicEdges, Node, cyclic_parts
from hybrid.encoding.clauses import TRUE, Clauses
from hybrid.errors import InputError, InternalError


@mypyc_attr(allow_interpreted_subclasses=True)
class Logic(Clauses):
    """A growing set of clauses with one solver, which keeps what it has learnt from one `solve` to
    the next."""

    default_acyclicity = "elimination"

    def __init__(self, acyclicity: str = "") -> None:
        super().__init__()
        self.acyclicity = acyclicity or self.default_acyclicity
        if self.acyclicity not in self.acyclicities():
            raise InputError(
                f"no encoding of acyclicity is called '{self.acyclicity}'",
                hint=f"known: {', '.join(self.acyclicities())}",
            )
        self._graphs: list[AcyclicEdges] = []  # whose cycles are excluded when a solution has them

    @classmethod
    def acyclicities(cls) -> tuple[str, ...]:
        return (*ENCODINGS, "lazy")

    # ---- constraints

    def acyclic(
        self, edges: Mapping[tuple[Node, Node], int], name: Hashable, when: int = TRUE
    ) -> None:
        """The pairs whose literals are true have no cycle, given `when`; `name` tells this
        constraint's variables from others'."""
        for number, part in enumerate(cyclic_parts(edges)):
            loops = [pair for pair in part if pair[0] == pair[1]]
            for pair in loops:
                self.add((-when, -part.pop(pair)))
            if not part:
                continue
            if self.acyclicity == "lazy":
                self._graphs.append(AcyclicEdges(part, when))
            else:
                self._order(part, (name, number), when)

    def _order(self, edges: dict[tuple[Node, Node], int], name: Hashable, when: int) -> None:
        ENCODINGS[self.acyclicity](self, edges, name, when)

    def ascend(self, a: Node, b: Node, literal: int, name: Hashable, when: int) -> None:
        """An edge of a graph that grows: a comes before b in an order called `name`, if the literal
        and `when` are true."""
        raise NotImplementedError

    # ---- solving

    def solve(self, assumptions: Sequence[int] = (), deadline: float | None = None) -> bool | None:
        """Whether the clauses have a solution in which the assumptions are true; None: not found
        out before the deadline (in time.monotonic() seconds)."""
        while True:
            if deadline is not None and time.monotonic() > deadline:
                return None
            answer = self._solve(assumptions, deadline)
            if not answer or not self._graphs:
                return answer
            found = [clause for graph in self._graphs for clause in graph.broken(self.value)]
            if not found:
                return answer
            for clause in found:
                self.add(clause)

    @abstractmethod
    def _solve(self, assumptions: Sequence[int], deadline: float | None) -> bool | None: ...

    def decide(self, assumptions: Sequence[int]) -> bool:
        """The same as `solve`, with all the time that it takes."""
        answer = self.solve(assumptions)
        if answer is None:
            raise InternalError("a solver without a time limit gave no answer")
        return answer

    def propagate(self, assumptions: Sequence[int]) -> bool:
        """False when unit propagation refutes the assumptions. For Horn clauses (at most one
        literal that is not negated) it refutes whatever has no solution, so that True means that
        there is one."""
        return self.decide(assumptions)

    def implied(self, assumptions: Sequence[int]) -> list[int] | None:
        """The literals that unit propagation derives from the assumptions, these included; None
        when it refutes them."""
        raise NotImplementedError

    def consequences(self, assumptions: Sequence[int]) -> Consequences:
        """What follows from assumptions that have a solution; asked before anything else is
        added."""
        return Consequences(self, assumptions)

    @abstractmethod
    def value(self, literal: int) -> bool:
        """Whether the literal is true in the solution that `solve` found last."""

    @abstractmethod
    def core(self) -> list[int]:
        """Assumptions of the last `solve` that cannot all be true; no smallest such set."""

    def small_core(self, assumptions: Sequence[int]) -> list[int]:
        """A subset of the assumptions, which have no solution, from which none can be left out; the
        smallest of a few."""
        self.solve(assumptions)
        first = self.core()
        given = [x for x in assumptions if x in set(first)]
        orders = [given, given[::-1], list(assumptions), list(assumptions)[::-1]]
        return min((self._reduced(order) for order in orders), key=len)

    def _reduced(self, assumptions: list[int]) -> list[int]:
        """Leaves out what can be, from the front."""
        kept = assumptions
        tested = 0
        while tested < len(kept):
            if self.solve(kept[:tested] + kept[tested + 1 :]) is False:
                left = set(self.core())
                kept = [x for x in kept if x in left]
                # What was tested before is needed, so it is in this core too.
            else:
                tested += 1
        return kept


class Consequences:
    """Which literals are true in all solutions under some assumptions, literal by literal."""

    def __init__(self, logic: Logic, assumptions: Sequence[int]) -> None:
        self._logic = logic
        self._assumptions = list(assumptions)
        self._known: dict[int, bool] = {}

    def has(self, literal: int) -> bool:
        known = self._known.get(literal)
        if known is None:
            known = self._known[literal] = not self._logic.propagate([*self._assumptions, -literal])
        return known

    def has_one(self, literals: Sequence[int]) -> bool:
        return any(self.has(x) for x in literals)


class Propagated(Consequences):
    """The same where unit propagation derives all that follows."""

    def __init__(self, logic: Logic, assumptions: Sequence[int]) -> None:
        super().__init__(logic, assumptions)
        self._derived: set[int] | None = None

    def has(self, literal: int) -> bool:
        if self._derived is None:
            self._derived = set(self._logic.implied(self._assumptions) or ())
        return literal in self._derived
