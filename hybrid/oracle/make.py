"""The oracles by name. Solvers are loaded only when they are asked for."""

from __future__ import annotations

from typing import Final

from hybrid.errors import InputError
from hybrid.execution.execution import Execution
from hybrid.model import core
from hybrid.oracle.api import Oracle, RfOracle
from hybrid.oracle.graph import GraphOracle
from hybrid.oracle.graph_rf import RfGraphOracle

ORACLES: Final = ("graph", "z3", "pysat")


def check_oracle(name: str, sat_solver: str = "") -> None:
    """An InputError when no oracle or SAT solver has that name; an empty `sat_solver` is the default one."""
    if name not in ORACLES:
        raise InputError(f"no oracle is called '{name}'", hint=f"known: {', '.join(ORACLES)}")
    if sat_solver:
        from hybrid.encoding.sat_logic import sat_solver as known

        known(sat_solver)


def make_oracle(name: str, model: core.Model, execution: Execution, sat_solver: str = "") -> Oracle:
    """An oracle for traces. `sat_solver` is for pysat; empty: the default one."""
    check_oracle(name, sat_solver)
    if name == "graph":
        return GraphOracle(model, execution)
    if name == "z3":
        from hybrid.oracle.z3_oracle import Z3Oracle

        return Z3Oracle(model, execution)
    from hybrid.encoding.sat_logic import DEFAULT_SAT_SOLVER
    from hybrid.oracle.pysat_oracle import PysatOracle

    return PysatOracle(model, execution, sat_solver or DEFAULT_SAT_SOLVER)


def make_rf_oracle(
    name: str, model: core.Model, execution: Execution, sat_solver: str = ""
) -> RfOracle:
    """An oracle for reads-from classes."""
    check_oracle(name, sat_solver)
    if name == "graph":
        return RfGraphOracle(model, execution)
    raise InputError(
        f"the {name} oracle does not count by the equivalence rf", hint="Use --oracle graph."
    )
