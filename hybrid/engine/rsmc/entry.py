"""What `rsmc` is."""

from __future__ import annotations

from hybrid.engine.api import POLICIES, RF, TRACE, Engine
from hybrid.engine.configuration import Configuration
from hybrid.engine.entry import Auto, EngineEntry, Role
from hybrid.errors import InputError
from hybrid.model.core import Model
from hybrid.oracle.make import ORACLES
from hybrid.program.program import Program


def _make(configuration: Configuration) -> Engine:
    from hybrid.engine.rsmc.engine import Rsmc

    return Rsmc(
        configuration.oracle,
        configuration.policy,
        configuration.seed or 0,
        configuration.equivalence,
        configuration.sat_solver,
    )


def _refuses(program: Program | None, model: Model) -> InputError | None:
    if program is None:
        return None
    from hybrid.engine.rsmc.engine import check_supported

    try:
        check_supported(program, model)
    except InputError as error:
        return error
    return None


RSMC = EngineEntry(
    "rsmc",
    "stateless model checking with commits in any allowed order",
    _make,
    (TRACE, RF),
    ORACLES,
    POLICIES,
    commit_before=True,
    refuses=_refuses,
    divisible=True,
    auto=Auto(Role.USUAL),
)
