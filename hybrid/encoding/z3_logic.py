"""Logic over Z3 (de Moura, Bjørner, "Z3: An Efficient SMT Solver", TACAS 2008), through its C
interface, as clauses are many and small.

`difference` is one more encoding of acyclicity: each node has an integer, an edge goes to a greater
one, and Z3's theory of differences decides.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Hashable, Sequence
from typing import Any, Final

import z3  # type: ignore[import-untyped]

from hybrid.encoding.acyclic import Edges, Node
from hybrid.encoding.clauses import TRUE
from hybrid.encoding.logic import Logic
from hybrid.encoding.z3_home import ASSERT, CHECK, DISJUNCTION, Z3Lease
from hybrid.memory import megabytes, solver_gave_up

# Types of arrays of terms by their length, so that they need not be looked for
_ARRAYS: Final[list[Any]] = [ctypes.c_void_p * length for length in range(256)]


def _array(length: int) -> Any:
    return _ARRAYS[length] if length < len(_ARRAYS) else ctypes.c_void_p * length


class Z3Logic(Logic):
    def __init__(self, acyclicity: str = "", own: bool = False) -> None:
        """For many short questions; or for few long ones, in a context of its `own`."""
        super().__init__(acyclicity)
        self._lease = Z3Lease(self.acyclicity == "difference", own)
        home = self._home = self._lease.home
        self._context = home.context
        self._pointer = home.pointer
        self._solver_pointer = self._lease.pointer
        if (most := megabytes()) is not None:
            self._lease.solver.set("max_memory", most)
        self._terms: list[int] = home.terms  # by variable: the constant …
        self._negations: list[int] = home.negations  # … and its negation
        self._integers: dict[tuple[Hashable, Node], Any] = {}
        self._model: Any = None
        assert self.variable("true") == TRUE
        self.put((TRUE,))

    @classmethod
    def acyclicities(cls) -> tuple[str, ...]:
        return (*super().acyclicities(), "difference")

    def fresh(self, name: Hashable = None) -> int:
        number = super().fresh(name)
        if number >= len(self._terms):
            self._home.grow()
        return number

    def _term(self, literal: int) -> int:
        return self._terms[literal] if literal > 0 else self._negations[-literal]

    def put(self, clause: Sequence[int]) -> None:
        self.clauses += 1
        terms = [self._term(x) for x in clause]
        term = terms[0] if len(terms) == 1 else self._disjunction(terms)
        ASSERT(self._pointer, self._solver_pointer, term)
        self._home.raise_errors()

    def _disjunction(self, terms: list[int]) -> int:
        term: int = DISJUNCTION(self._pointer, len(terms), _array(len(terms))(*terms))
        self._home.raise_errors()
        return term

    def _order(self, edges: Edges, name: Hashable, when: int) -> None:
        if self.acyclicity != "difference":
            super()._order(edges, name, when)
            return
        for (a, b), literal in edges.items():
            self.ascend(a, b, literal, name, when)

    def ascend(self, a: Node, b: Node, literal: int, name: Hashable, when: int) -> None:
        less = self._integer(name, a) < self._integer(name, b)
        self._lease.solver.add(z3.Or(self._wrap(-when), self._wrap(-literal), less))

    def _wrap(self, literal: int) -> z3.BoolRef:
        term = z3.Ast(None)
        term.value = self._term(literal)
        return z3.BoolRef(term, self._context)

    def _integer(self, name: Hashable, node: Node) -> Any:
        key = (name, node)
        if key not in self._integers:
            self._integers[key] = z3.Int(f"n{len(self._integers)}", self._context)
        return self._integers[key]

    def _solve(self, assumptions: Sequence[int], deadline: float | None) -> bool | None:
        self._model = None
        if deadline is not None:
            left = max(1, int(1000 * (deadline - time.monotonic())))
            self._lease.solver.set("timeout", left)
        terms = [self._term(x) for x in assumptions]
        array = _array(len(terms))(*terms)
        answer: int = CHECK(self._pointer, self._solver_pointer, len(terms), array)
        if deadline is not None:
            self._lease.solver.set("timeout", 4294967295)
        if answer == 0:
            self._home.raise_errors()
            if deadline is None or time.monotonic() < deadline:
                solver_gave_up()
        return None if answer == 0 else answer > 0

    def value(self, literal: int) -> bool:
        if self._model is None:
            self._model = self._lease.solver.model()
        value = self._model.eval(self._wrap(abs(literal)))
        return bool(z3.is_true(value)) == (literal > 0)

    def core(self) -> list[int]:
        return [self._home.literal_of[term.get_id()] for term in self._lease.solver.unsat_core()]
