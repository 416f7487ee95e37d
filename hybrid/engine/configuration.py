"""How a program is explored: one value, from the options down to the engine."""

from __future__ import annotations

from dataclasses import dataclass

from hybrid.engine.api import DEFAULT_UNROLL, TRACE, Limits
from hybrid.engine.races import Races
from hybrid.program.loops import DEFAULT_MAX_STEPS


@dataclass(frozen=True, slots=True)
class Configuration:
    """Words that are empty were left open. `EngineEntry.completed` puts the engine's own choice in
    their place; what is still empty then is something that the engine does not have. How it is
    spelled, catalogue/spelling.py knows."""

    engine: str
    equivalence: str = TRACE
    oracle: str = ""
    policy: str = ""
    seed: int | None = None  # of the policy `random`; None: left open, which counts as 0
    sat_solver: str = ""  # of an oracle that asks a SAT solver; empty: its default
    memory: str = ""  # what the engine keeps; empty: as its name says
    unroll: int = DEFAULT_UNROLL
    max_steps: int = DEFAULT_MAX_STEPS
    liveness: bool = False  # a run in which a thread waits for ever violates a claim
    races: Races | None = None  # what a race does to the answer; None: what suits the program
    # whether C11's orders become a machine's instructions; None: where the program is C
    mapping: bool | None = None

    def limits(self, deadline: float | None = None) -> Limits:
        return Limits(self.unroll, deadline, self.max_steps)
