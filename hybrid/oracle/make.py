"""The oracles by name. Solvers are loaded only when they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hybrid.errors import InputError
from hybrid.execution.execution import Execution
from hybrid.model import core
from hybrid.oracle.api import Oracle
from hybrid.oracle.graph import GraphOracle
from hybrid.oracle.graph_rf import RfGraphOracle

if TYPE_CHECKING:
    from hybrid.encoding.logic import Logic

ORACLES: Final = ("graph", "z3", "pysat")

# How the solver oracles see to it that a relation has no cycle; the first is the default.
# hybrid/encoding/README.md compares them.
ACYCLICITIES: Final = {"z3": ("closure", "difference"), "pysat": ("closure", "lazy")}


def check_oracle(name: str, sat_solver: str = "", acyclicity: str = "") -> None:
    """An InputError when there is nothing of that name; empty: the default."""
    if name not in ORACLES:
        raise InputError(f"no oracle is called '{name}'", hint=f"known: {', '.join(ORACLES)}")
    check_sat_solver(sat_solver)
    if acyclicity and acyclicity not in ACYCLICITIES.get(name, ()):
        raise InputError(
            f"the {name} oracle has no encoding of acyclicity called '{acyclicity}'",
            hint=f"known: {', '.join(ACYCLICITIES.get(name, ()))}",
        )


def takes_new_locations(name: str) -> bool:
    """Whether an oracle can follow an execution whose locations get their numbers on the way. The
    solvers are told of all that accesses may reach before the first event."""
    return name == "graph"


def check_sat_solver(name: str) -> None:
    """An InputError when no SAT solver is called that; empty: the default."""
    if name:
        from hybrid.encoding.sat_logic import sat_solver

        sat_solver(name)


def make_oracle(
    name: str,
    model: core.Model,
    execution: Execution,
    sat_solver: str = "",
    acyclicity: str = "",
    in_order: bool = False,
) -> Oracle:
    """An oracle for traces. `sat_solver` is for pysat, `acyclicity` for both solvers; empty: the
    default. `in_order`: events are committed in an order with which po and rf agree, so that what
    that implies need not be looked at; the solvers look all the same."""
    check_oracle(name, sat_solver, acyclicity)
    ahead = model.look_ahead is not None
    if name == "graph":
        if ahead:
            return RfGraphOracle(model, execution, True)
        return GraphOracle(model, execution, in_order)
    from hybrid.oracle.solver import SolverOracle

    how = acyclicity or ACYCLICITIES[name][0]
    if ahead:
        from hybrid.oracle.solver_rf import OrderedSolverOracle

        logic = _logic(name, sat_solver, "")
        return OrderedSolverOracle(name, model, execution, logic, "closure")
    return SolverOracle(name, model, execution, _logic(name, sat_solver, how), how)


def make_rf_oracle(
    name: str, model: core.Model, execution: Execution, sat_solver: str = ""
) -> Oracle:
    """An oracle for reads-from classes."""
    check_oracle(name, sat_solver)
    if name == "graph":
        return RfGraphOracle(model, execution)
    from hybrid.oracle.solver_rf import RfSolverOracle

    return RfSolverOracle(name, model, execution, _logic(name, sat_solver, ""), "closure")


def _logic(name: str, sat_solver: str, acyclicity: str) -> Logic:
    if name == "z3":
        from hybrid.encoding.z3_logic import Z3Logic

        return Z3Logic(acyclicity if acyclicity == "difference" else "")
    from hybrid.encoding.sat_logic import DEFAULT_SAT_SOLVER, SatLogic

    return SatLogic(sat_solver or DEFAULT_SAT_SOLVER)
