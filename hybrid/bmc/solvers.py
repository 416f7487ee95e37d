"""The solvers that the formula is given to, as the oracles of `bmc`."""

from __future__ import annotations

from typing import Final

Z3: Final = "z3"
SAT: Final = "sat"
SOLVERS = (Z3, SAT)
FASTER = SAT  # for going through all traces
