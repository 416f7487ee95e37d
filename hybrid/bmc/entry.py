"""What `bmc` is. Its oracles are the solvers that the formula is given to."""

from __future__ import annotations

from hybrid.bmc.solvers import FASTER, SAT, SOLVERS
from hybrid.engine.api import TRACE, WITNESS, Engine
from hybrid.engine.configuration import Configuration
from hybrid.engine.entry import Auto, EngineEntry, Role


def _make(configuration: Configuration) -> Engine:
    from hybrid.bmc.engine import Bmc, Witnesses

    solver, sat_solver = configuration.oracle, configuration.sat_solver
    if configuration.equivalence == WITNESS:
        return Witnesses(solver, sat_solver, configuration.races)
    return Bmc(solver, sat_solver)


BMC = EngineEntry(
    "bmc",
    "the bounded program and the model as one formula",
    _make,
    (TRACE,),
    SOLVERS,
    names_oracle=True,
    sat_oracle=SAT,
    witnesses=True,
    kernel=False,
    auto=Auto(Role.MANY, FASTER),
)
