"""What a data race does to the answer: `--races`. Which executions have one, the model's flag
`race` says."""

from __future__ import annotations

from enum import Enum

from hybrid.program.c11 import speaks_c11
from hybrid.program.program import Program


class Races(Enum):
    # a program with a race has no meaning: a claim about it, or a FORBIDDEN, is VIOLATED
    ERROR = "error"
    NOTE = "note"  # a race is reported, and does not change the answer
    IGNORE = "ignore"  # it is not told beyond the flags that executions raise


def default_races(program: Program) -> Races:
    """ERROR where the program speaks C11, in which a race is undefined behaviour; else NOTE."""
    return Races.ERROR if speaks_c11(program) else Races.NOTE
