"""Clauses that are kept to be written down, and not solved: DIMACS, and what the variables mean."""

from __future__ import annotations

import re
from array import array
from collections.abc import Hashable, Iterator, Sequence
from typing import Final

from hybrid.encoding.acyclic import ENCODINGS
from hybrid.encoding.clauses import FALSE, TRUE
from hybrid.encoding.logic import Logic
from hybrid.errors import InternalError

_PIECE: Final = 1 << 20  # literals that become text at a time
_END: Final = re.compile(r"(?<![0-9-])0 ")  # of a clause


class CnfLogic(Logic):
    """Clauses by name, in the order in which they come. Variable 1 is true."""

    def __init__(self, acyclicity: str = "") -> None:
        super().__init__(acyclicity)
        self._literals = array("i")  # of all clauses, each with a 0 at its end
        self.variable("true")
        self.put((TRUE,))

    @classmethod
    def acyclicities(cls) -> tuple[str, ...]:
        return tuple(ENCODINGS)  # those by clauses alone

    @property
    def names(self) -> list[Hashable]:
        """Of the variables, from 1."""
        return self._names[1:]

    def add(self, clause: Sequence[int]) -> None:
        """Keeps the clause, unless it is true whatever its variables are; no literal twice."""
        if TRUE in clause:
            return
        if FALSE in clause:
            clause = [x for x in clause if x != FALSE]
        if len(set(map(abs, clause))) != len(clause):
            clause = list(dict.fromkeys(clause))
            if any(-x in clause for x in clause):
                return
        self.put(clause)

    def put(self, clause: Sequence[int]) -> None:
        self.clauses += 1
        self._literals.extend(clause)
        self._literals.append(0)

    def each(self) -> Iterator[list[int]]:
        """The clauses."""
        clause: list[int] = []
        for literal in self._literals:
            if literal:
                clause.append(literal)
            else:
                yield clause
                clause = []

    def dimacs(self) -> str:
        parts = [f"p cnf {len(self._names) - 1} {self.clauses}\n"]
        for start in range(0, len(self._literals), _PIECE):
            words = " ".join(map(str, self._literals[start : start + _PIECE])) + " "
            parts.append(_END.sub("0\n", words))
        return "".join(parts)

    # ---- there is no solver

    def _solve(self, assumptions: Sequence[int], deadline: float | None) -> bool | None:
        raise InternalError("clauses that are only kept have no solver")

    def value(self, literal: int) -> bool:
        raise InternalError("clauses that are only kept have no solution")

    def core(self) -> list[int]:
        raise InternalError("clauses that are only kept have no core")
