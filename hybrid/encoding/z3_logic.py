"""Logic over Z3 (de Moura, Bjørner, "Z3: An Efficient SMT Solver", TACAS 2008), through its C
interface, as clauses are many and small.

`difference` is one more encoding of acyclicity: each node has an integer, an edge goes to a greater
one, and Z3's theory of differences decides.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import z3  # type: ignore[import-untyped]
from z3 import z3core

from hybrid.encoding.acyclic import Edges, Node
from hybrid.encoding.clauses import FALSE, TRUE
from hybrid.encoding.logic import Logic
from hybrid.memory import megabytes, solver_gave_up


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C comes after the block: an object of Z3's that is only half made complains when it is
    thrown away."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: held.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if held:
            signal.raise_signal(signal.SIGINT)


class Z3Logic(Logic):
    default_acyclicity = "elimination"

    def __init__(self, acyclicity: str = "") -> None:
        super().__init__(acyclicity)
        arithmetic = self.acyclicity == "difference"
        with _interrupts_held():
            self._context = z3.Context()
            self._solver = (
                z3.SimpleSolver(ctx=self._context)
                if arithmetic
                else z3.SolverFor("QF_FD", ctx=self._context)
            )
        if (most := megabytes()) is not None:
            self._solver.set("max_memory", most)
        self._reference: Any = self._context.ref()
        self._boolean = z3.BoolSort(self._context)
        self._sort = self._boolean.ast
        self._numbers: dict[Hashable, int] = {}
        self._names: list[Hashable] = [None]  # by variable
        self._terms: list[Any] = [None]  # by variable: the constant …
        self._negations: list[Any] = [None]  # … and its negation
        self._keep: list[Any] = []  # wrapped terms that Z3 would free
        self._literal_of: dict[int, int] = {}  # identity of a term -> literal
        self._integers: dict[tuple[Hashable, Node], Any] = {}
        self._model: Any = None
        assert self.variable("true") == TRUE
        self.add((TRUE,))

    @classmethod
    def acyclicities(cls) -> tuple[str, ...]:
        return (*super().acyclicities(), "difference")

    def variable(self, name: Hashable) -> int:
        number = self._numbers.get(name)
        if number is None:
            number = len(self._names)
            self._numbers[name] = number
            self._names.append(name)
            context = self._reference
            symbol = z3core.Z3_mk_int_symbol(context, number)
            term = z3core.Z3_mk_const(context, symbol, self._sort)
            z3core.Z3_inc_ref(context, term)  # for as long as the context lives
            negation = z3core.Z3_mk_not(context, term)
            z3core.Z3_inc_ref(context, negation)
            self._terms.append(term)
            self._negations.append(negation)
            self._literal_of[z3core.Z3_get_ast_id(context, term)] = number
            self._literal_of[z3core.Z3_get_ast_id(context, negation)] = -number
        return number

    def name_of(self, literal: int) -> Hashable:
        return self._names[abs(literal)]

    def _term(self, literal: int) -> Any:
        return self._terms[literal] if literal > 0 else self._negations[-literal]

    def add(self, clause: Sequence[int]) -> None:
        if TRUE in clause and self.clauses:
            return
        self.clauses += 1
        terms = [self._term(x) for x in clause if x != FALSE]
        if not terms:
            self._solver.add(z3.BoolVal(False, self._context))
            return
        term = terms[0]
        if len(terms) > 1:
            array = (z3.Ast * len(terms))(*terms)
            term = z3core.Z3_mk_or(self._reference, len(terms), array)
        z3core.Z3_solver_assert(self._reference, self._solver.solver, term)

    def _order(self, edges: Edges, name: Hashable, when: int) -> None:
        if self.acyclicity != "difference":
            super()._order(edges, name, when)
            return
        for (a, b), literal in edges.items():
            self.ascend(a, b, literal, name, when)

    def ascend(self, a: Node, b: Node, literal: int, name: Hashable, when: int) -> None:
        less = self._integer(name, a) < self._integer(name, b)
        self._solver.add(z3.Or(self._wrap(-when), self._wrap(-literal), less))

    def _wrap(self, literal: int) -> z3.BoolRef:
        return z3.BoolRef(self._term(literal), self._context)

    def _integer(self, name: Hashable, node: Node) -> Any:
        key = (name, node)
        if key not in self._integers:
            self._integers[key] = z3.Int(f"n{len(self._integers)}", self._context)
        return self._integers[key]

    def _solve(self, assumptions: Sequence[int], deadline: float | None) -> bool | None:
        self._model = None
        if deadline is not None:
            left = max(1, int(1000 * (deadline - time.monotonic())))
            self._solver.set("timeout", left)
        array = (z3.Ast * len(assumptions))(*[self._term(x) for x in assumptions])
        answer: int = z3core.Z3_solver_check_assumptions(
            self._reference, self._solver.solver, len(assumptions), array
        )
        if deadline is not None:
            self._solver.set("timeout", 4294967295)
        if answer == 0 and (deadline is None or time.monotonic() < deadline):
            solver_gave_up()
        return None if answer == 0 else answer > 0

    def value(self, literal: int) -> bool:
        if self._model is None:
            self._model = self._solver.model()
        value = self._model.eval(self._wrap(abs(literal)))
        return bool(z3.is_true(value)) == (literal > 0)

    def core(self) -> list[int]:
        return [self._literal_of[term.get_id()] for term in self._solver.unsat_core()]
