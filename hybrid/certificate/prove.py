"""A proof that clauses have no solution, in DRAT, by a solver of PySAT."""

from __future__ import annotations

import time
from typing import Final

from pysat.solvers import Solver  # type: ignore[import-untyped]

from hybrid.certificate.cnf import CnfLogic
from hybrid.errors import Stopped

# It keeps proofs, and stops when its time is over: MiniSat keeps none, CaDiCaL does not stop.
PROVER: Final = "glucose4"
_SLICE: Final = 2000  # conflicts between two looks at the clock
EMPTY: Final = "0"  # the last line of a proof


def prove(logic: CnfLogic, deadline: float | None = None) -> str | None:
    """The proof; None if there is a solution. Stopped when the time is over."""
    with Solver(name=PROVER, with_proof=True) as solver:
        for clause in logic.each():
            solver.add_clause(clause)
        answer: bool | None = None
        while answer is None:
            if deadline is not None and time.monotonic() > deadline:
                raise Stopped
            solver.conf_budget(_SLICE if deadline is not None else -1)
            answer = solver.solve_limited()
        if answer:
            return None
        lines = [line.strip() for line in solver.get_proof() or []]
    if lines[-1:] != [EMPTY]:  # clauses that contradict each other at once
        lines.append(EMPTY)
    return "\n".join(lines) + "\n"
