"""What is expected of the runs of a program: where its threads have accesses and fences, in which
rounds of loops and with which constants there, to which addresses, and which values they read and
write.

A thread that does anything else ends there, and its run is unexpected (`Symbolic.unexpected`). So
the terms of a program have few values, and its formula few events, if the expectation is narrow.
Nothing has to be believed of it: a formula that no unexpected run satisfies is about all runs
(docs/theory.md, "Expected runs", says under which models).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from zlib import crc32

ADDRESS: Final = "address"
READ: Final = "read"
WRITTEN: Final = "written"
ASPECTS: Final = (ADDRESS, READ, WRITTEN)

Visit = tuple[int, int, int]  # thread, instruction, `visit_of`


def visit_of(rounds: int, constants: Sequence[int | None]) -> int:
    """A number for one of the times at which an instruction is reached: how many backward jumps
    were taken in its loop, and what the registers hold on which the ends of loops depend (None:
    what memory gave). Two that have the same number count as one."""
    if not any(constants):
        return rounds
    return rounds + (1 + crc32(repr(tuple(constants)).encode()) << 16)


class Expected:
    def __init__(self) -> None:
        self._visits: dict[Visit, dict[str, set[int]]] = {}

    def __contains__(self, visit: Visit) -> bool:
        return visit in self._visits

    def values(self, visit: Visit, aspect: str) -> list[int]:
        return sorted(self._visits[visit].get(aspect, ()))

    def add(self, visit: Visit, aspect: str = "", value: int = 0) -> None:
        """Without an aspect: the visit alone."""
        aspects = self._visits.setdefault(visit, {})
        if aspect:
            aspects.setdefault(aspect, set()).add(value)

    def __iter__(self) -> Iterator[Visit]:
        return iter(sorted(self._visits))


@dataclass(frozen=True, slots=True)
class Surprise:
    """Something that a thread does and that is not expected."""

    visit: Visit
    aspect: str = ""  # empty: the visit itself is not expected
    value: int | None = None  # term: the value of the aspect
