"""Logic over a SAT solver of PySAT (Ignatiev, Morgado, Marques-Silva, "PySAT: A Python Toolkit for
Prototyping with SAT Oracles", SAT 2018)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final

import pysolvers  # type: ignore[import-not-found]
from pysat.solvers import Solver  # type: ignore[import-untyped]

from hybrid.encoding.clauses import TRUE
from hybrid.encoding.logic import Consequences, Logic, Propagated
from hybrid.errors import InputError

# The names of solvers that are told apart here, and what PySAT calls them.
SAT_SOLVERS: Final = {
    "cadical": "cadical195",
    "cadical153": "cadical153",
    "cadical195": "cadical195",
    "glucose": "glucose4",
    "glucose3": "glucose3",
    "glucose4": "glucose4",
    "glucose42": "glucose42",
    "minisat": "minisat22",
    "minisat22": "minisat22",
    "minisat-gh": "minisat-gh",
}
DEFAULT_SAT_SOLVER: Final = "minisat22"

_SLICE: Final = 2000  # conflicts between two looks at the clock


def sat_solver(name: str) -> str:
    """What PySAT calls the solver; an InputError when the name is unknown."""
    if name not in SAT_SOLVERS:
        raise InputError(
            f"no SAT solver is called '{name}'", hint=f"known: {', '.join(SAT_SOLVERS)}"
        )
    return SAT_SOLVERS[name]


class SatLogic(Logic):
    def __init__(self, solver: str = DEFAULT_SAT_SOLVER, acyclicity: str = "") -> None:
        super().__init__(acyclicity)
        self.solver_name = sat_solver(solver)
        self._solver = Solver(name=self.solver_name)
        # The default solver's own functions: a clause and a question of an oracle take less time
        # than what PySAT puts around them.
        self._own: Any = None
        self._put: Any = self._solver.add_clause
        self._propagate: Any = self._solver.propagate
        if self.solver_name == DEFAULT_SAT_SOLVER:
            self._own = self._solver.solver.minisat
            self._put = pysolvers.minisat22_add_cl
            self._propagate = pysolvers.minisat22_propagate
        self._model: list[int] = []
        assert self.variable("true") == TRUE
        self.put((TRUE,))

    def put(self, clause: Sequence[int]) -> None:
        self.clauses += 1
        if self._own is not None:
            self._put(self._own, clause)
        else:
            self._put(clause)

    def _solve(self, assumptions: Sequence[int], deadline: float | None) -> bool | None:
        self._model = []
        solver = self._solver
        answer: bool | None = None
        if deadline is None:
            answer = solver.solve(assumptions=list(assumptions))
        while deadline is not None and answer is None and time.monotonic() <= deadline:
            solver.conf_budget(_SLICE)
            answer = solver.solve_limited(assumptions=list(assumptions))
        return answer

    def propagate(self, assumptions: Sequence[int]) -> bool:
        return bool(self._propagated(assumptions)[0])

    def implied(self, assumptions: Sequence[int]) -> list[int] | None:
        possible, found = self._propagated(assumptions)
        return list(found or ()) if possible else None

    def consequences(self, assumptions: Sequence[int]) -> Consequences:
        return Propagated(self, assumptions)

    def _propagated(self, assumptions: Sequence[int]) -> tuple[Any, Any]:
        """Whether unit propagation refutes them, and what it derives."""
        if self._own is not None:
            # without a handler of interrupts: it is done before one could be seen
            found: tuple[Any, Any] = self._propagate(self._own, assumptions, 0, 0)
        else:
            found = self._propagate(assumptions)
        return found

    def value(self, literal: int) -> bool:
        model = self._model
        if not model:
            model = self._model = self._solver.get_model()
        index = abs(literal) - 1
        # A variable that is in no clause has no value in the model: it may have either.
        return (index < len(model) and model[index] > 0) == (literal > 0)

    def core(self) -> list[int]:
        return list(self._solver.get_core() or [])
