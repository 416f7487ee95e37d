"""The PySAT oracle: a SAT solver, chosen by name, decides at every commit."""

from __future__ import annotations

from hybrid.encoding.sat_logic import DEFAULT_SAT_SOLVER, SatLogic
from hybrid.execution.execution import Execution
from hybrid.model import core
from hybrid.oracle.solver import SolverOracle


class PysatOracle(SolverOracle):
    def __init__(
        self,
        model: core.Model,
        execution: Execution,
        solver: str = DEFAULT_SAT_SOLVER,
        acyclicity: str = "closure",
    ) -> None:
        super().__init__("pysat", model, execution, SatLogic(solver), acyclicity)
