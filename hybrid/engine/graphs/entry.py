"""What `revisit` and `stateful` are."""

from __future__ import annotations

from hybrid.engine.api import POLICIES, TRACE, Engine
from hybrid.engine.configuration import Configuration
from hybrid.engine.entry import EngineEntry
from hybrid.engine.trust.entry import ON_GRAPHS, refusal_on_graphs
from hybrid.oracle.make import ORACLES

_REVISIT, _STATEFUL = "revisit", "stateful"


def _make_revisit(configuration: Configuration) -> Engine:
    from hybrid.engine.graphs.revisit import Revisit

    seed = configuration.seed or 0
    return Revisit(configuration.oracle, configuration.policy, seed, configuration.sat_solver)


def _make_stateful(configuration: Configuration) -> Engine:
    from hybrid.engine.graphs.stateful import Stateful

    seed = configuration.seed or 0
    return Stateful(configuration.oracle, configuration.policy, seed, configuration.sat_solver)


REVISIT = EngineEntry(
    _REVISIT,
    "graphs with a set of loads that may be revisited",
    _make_revisit,
    (TRACE,),
    ORACLES,
    POLICIES,
    commit_before=True,
    refuses=refusal_on_graphs(_REVISIT),
    family=ON_GRAPHS,
)

STATEFUL = EngineEntry(
    _STATEFUL,
    "graphs, all that were visited kept in a trie",
    _make_stateful,
    (TRACE,),
    ORACLES,
    POLICIES,
    commit_before=True,
    refuses=refusal_on_graphs(_STATEFUL),
    family=ON_GRAPHS,
)
