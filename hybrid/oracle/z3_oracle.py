"""The Z3 oracle: Z3 decides at every commit."""

from __future__ import annotations

from hybrid.encoding.z3_logic import Z3Logic
from hybrid.execution.execution import Execution
from hybrid.model import core
from hybrid.oracle.solver import SolverOracle


class Z3Oracle(SolverOracle):
    def __init__(
        self, model: core.Model, execution: Execution, acyclicity: str = "closure"
    ) -> None:
        super().__init__("z3", model, execution, Z3Logic(), acyclicity)
