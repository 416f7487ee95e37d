"""How a program is explored: one value, from the options down to the engine."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hybrid.engine.api import DEFAULT_UNROLL, TRACE, Limits
from hybrid.engine.prepare import default_loops
from hybrid.engine.races import Races
from hybrid.program.c11 import C_SOURCE
from hybrid.program.loops import DEFAULT_MAX_STEPS
from hybrid.program.program import Program


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
    unroll: int | None = None  # None: what the program's file says, else the default
    max_steps: int = DEFAULT_MAX_STEPS
    loops: str = ""  # what is done with iterations that change nothing, a word of LOOPS
    # whether a run in which a thread waits for ever violates a claim; None: in a C program
    liveness: bool | None = None
    races: Races | None = None  # what a race does to the answer; None: what suits the program
    # whether C11's orders become a machine's instructions; None: where the program is C
    mapping: bool | None = None

    def limits(self, deadline: float | None = None) -> Limits:
        unroll = DEFAULT_UNROLL if self.unroll is None else self.unroll
        return Limits(unroll, deadline, self.max_steps)

    def suiting(self, program: Program) -> Configuration:
        """The same with what suits the program where the user has left it open."""
        return replace(
            self,
            unroll=program.unroll if self.unroll is None else self.unroll,
            loops=self.loops or default_loops(program),
            liveness=self.claims_liveness(program),
        )

    def claims_liveness(self, program: Program) -> bool:
        return program.arch == C_SOURCE if self.liveness is None else self.liveness
