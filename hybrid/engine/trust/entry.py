"""What `trust` and `trust-linear` are; and what all explorers of execution graphs share."""

from __future__ import annotations

from collections.abc import Callable

from hybrid.engine.api import POLICIES, RF, TRACE, Engine
from hybrid.engine.configuration import Configuration
from hybrid.engine.entry import Auto, EngineEntry, Role
from hybrid.errors import InputError
from hybrid.model.core import Model
from hybrid.oracle.make import ORACLES
from hybrid.program.program import Program

ON_GRAPHS = "the engines on graphs"  # those that explore graphs in which po and rf make no cycle
STACK, LINEAR = "stack", "linear"  # what is kept in memory
_TRUST, _TRUST_LINEAR = "trust", "trust-linear"


def refusal_on_graphs(engine: str) -> Callable[[Program | None, Model], InputError | None]:
    """What an explorer of graphs refuses, in the name of that engine."""

    def refuses(program: Program | None, model: Model) -> InputError | None:
        from hybrid.engine.trust.engine import check_supported

        try:
            check_supported(program, model, engine)
        except InputError as error:
            return error
        return None

    return refuses


def _maker(memory: str) -> Callable[[Configuration], Engine]:
    def make(configuration: Configuration) -> Engine:
        from hybrid.engine.trust.engine import Trust

        return Trust(
            configuration.oracle,
            configuration.policy,
            configuration.seed or 0,
            configuration.equivalence,
            configuration.sat_solver,
            memory,
        )

    return make


TRUST = EngineEntry(
    _TRUST,
    "optimal exploration of graphs, where po and rf make no cycle",
    _maker(STACK),
    (TRACE, RF),
    ORACLES,
    POLICIES,
    commit_before=True,
    refuses=refusal_on_graphs(_TRUST),
    divisible=True,
    memories=((STACK, _TRUST), (LINEAR, _TRUST_LINEAR)),
    family=ON_GRAPHS,
    auto=Auto(Role.FASTEST),
)

TRUST_LINEAR = EngineEntry(
    _TRUST_LINEAR,
    "the same with one graph and nothing else in memory",
    _maker(LINEAR),
    (TRACE, RF),
    ORACLES,
    POLICIES,
    commit_before=True,
    refuses=refusal_on_graphs(_TRUST_LINEAR),
    memories=((LINEAR, _TRUST_LINEAR),),
    family=ON_GRAPHS,
)
