"""Clauses over named boolean variables: the part of a logic that encodings need.

A literal is a number other than 0; -l is its negation. Variable 1 is true in every solution. Gates
are Tseitin's (G. Tseitin, "On the complexity of derivation in propositional calculus", 1968),
simplified and shared.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from typing import Final

from mypy_extensions import mypyc_attr

TRUE: Final = 1
FALSE: Final = -1


@mypyc_attr(allow_interpreted_subclasses=True)
class Clauses(ABC):
    """A growing set of clauses."""

    def __init__(self) -> None:
        self.clauses = 0  # how many were added
        self._gates: dict[tuple[int, ...], int] = {}  # sorted inputs of a conjunction -> its output
        self._numbers: dict[Hashable, int] = {}  # variables by name
        self._names: list[Hashable] = [None]  # by variable

    def variable(self, name: Hashable) -> int:
        """The variable of that name; a new one when the name is new."""
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = self.fresh(name)
        return number

    def fresh(self, name: Hashable = None) -> int:
        """A new variable, which `variable` does not find."""
        number = len(self._names)
        self._names.append(name)
        return number

    def name_of(self, literal: int) -> Hashable:
        """The name of the literal's variable."""
        return self._names[abs(literal)]

    def add(self, clause: Sequence[int]) -> None:
        """One of these literals is true."""
        if TRUE in clause:
            return
        self.put([x for x in clause if x != FALSE] if FALSE in clause else clause)

    @abstractmethod
    def put(self, clause: Sequence[int]) -> None:
        """The same for literals of which none is known to be true or false; it counts the
        clause."""

    def conjunction(self, literals: Iterable[int]) -> int:
        """A literal that is true exactly when all of these are."""
        inputs = set(literals)
        inputs.discard(TRUE)
        if FALSE in inputs or any(-x in inputs for x in inputs):
            return FALSE
        if len(inputs) < 2:
            return inputs.pop() if inputs else TRUE
        key = tuple(sorted(inputs))
        output = self._gates.get(key)
        if output is None:
            output = self.variable(("and", *key))
            self._gates[key] = output
            for x in key:
                self.add((-output, x))
            self.add((output, *[-x for x in key]))
        return output

    def disjunction(self, literals: Iterable[int]) -> int:
        """A literal that is true exactly when one of these is."""
        return -self.conjunction([-x for x in literals])
