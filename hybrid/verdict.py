"""Verdicts and their exit codes."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum


class Verdict(Enum):
    """The answer about one program under one model."""

    HOLDS = "HOLDS"  # a claim (~exists, forall, assert) is true of all complete executions
    ALLOWED = "ALLOWED"  # a question (exists): some execution satisfies it
    FORBIDDEN = "FORBIDDEN"  # a question (exists): none does
    # a claim is false, the program errs, or the answer is not the expected one
    VIOLATED = "VIOLATED"
    BOUNDED = "BOUNDED"  # nothing found, but the loop bound cut some runs
    INCONCLUSIVE = "INCONCLUSIVE"  # stopped by time, limit or Ctrl-C, or a run got stuck
    DISAGREE = "DISAGREE"  # two engines give different answers
    ERROR = "ERROR"  # the input could not be used

    @property
    def exit_code(self) -> int:
        return _EXIT_CODES[self]


_EXIT_CODES = {
    Verdict.HOLDS: 0,
    Verdict.ALLOWED: 0,
    Verdict.FORBIDDEN: 0,
    Verdict.VIOLATED: 1,
    Verdict.ERROR: 2,
    Verdict.BOUNDED: 3,
    Verdict.INCONCLUSIVE: 3,
    Verdict.DISAGREE: 4,
}

# What a caller may expect of an exploration.
EXPECTABLE = tuple(v.value for v in Verdict if v not in (Verdict.DISAGREE, Verdict.ERROR))

_WORST_LAST = (
    0,
    3,
    1,
    2,
    4,
    70,
)  # a violation outweighs an open answer, unusable input a violation


def worst(verdicts: Iterable[Verdict]) -> int:
    """The exit code of a batch: that of its worst verdict."""
    return worst_code(verdict.exit_code for verdict in verdicts)


def worst_code(codes: Iterable[int]) -> int:
    """The worst of several exit codes; 70, a bug in hybrid, is the worst of all."""
    return max(codes, key=_WORST_LAST.index, default=0)
