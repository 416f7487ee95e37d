"""What is expected of the runs of a program: where its threads have accesses and fences, in which
rounds of loops, to which addresses, and which values they read and write.

A thread that does anything else ends there, and its run is unexpected (`Symbolic.unexpected`). So
the terms of a program have few values, and its formula few events, if the expectation is narrow.
Nothing has to be believed of it: a formula that no unexpected run satisfies is about all runs
(docs/theory.md, "Expected runs", says under which models).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

ROUND: Final = "round"  # how many backward jumps were taken in the instruction's loop
ADDRESS: Final = "address"
READ: Final = "read"
WRITTEN: Final = "written"
ASPECTS: Final = (ROUND, ADDRESS, READ, WRITTEN)

Place = tuple[int, int, str]  # thread, instruction, aspect


class Expected:
    def __init__(self) -> None:
        self._values: dict[Place, set[int]] = {}

    def values(self, thread: int, at: int, aspect: str) -> Collection[int]:
        return self._values.get((thread, at, aspect), ())

    def add(self, thread: int, at: int, aspect: str, value: int) -> None:
        self._values.setdefault((thread, at, aspect), set()).add(value)

    def __iter__(self) -> Iterator[tuple[Place, list[int]]]:
        """All of it, in order."""
        return ((place, sorted(self._values[place])) for place in sorted(self._values))


@dataclass(frozen=True, slots=True)
class Surprise:
    """Something that a thread does and that is not expected."""

    thread: int
    at: int  # instruction
    aspect: str
    round: int
    value: int | None = None  # term; None: the round itself is not expected
