"""Z3Logic for large formulas: clauses are gathered and handed over as one text in SMT-LIB before
the next question.

A call of Z3's interface for each clause and each variable costs more than solving most of these
formulas does.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import z3  # type: ignore[import-untyped]
from z3 import z3core

from hybrid.encoding.z3_logic import Z3Logic


class BulkZ3Logic(Z3Logic):
    def __init__(self) -> None:
        self._waiting: list[Sequence[int]] = []  # clauses not yet handed over
        self._made: dict[int, Any] = {}  # by literal: its term, wrapped
        self._declared = 0  # the highest variable that Z3 knows
        self._literal_of: dict[int, int] = {}  # identity of a term -> literal
        super().__init__(own=True)

    def fresh(self, name: Hashable = None) -> int:
        self._names.append(name)
        return len(self._names) - 1

    def put(self, clause: Sequence[int]) -> None:
        self.clauses += 1
        self._waiting.append(clause)

    def _wrap(self, literal: int) -> Any:
        wrapped = self._made.get(literal)
        if wrapped is None:
            wrapped = z3.Bool(f"v{abs(literal)}", self._context)
            if literal < 0:
                wrapped = z3.Not(wrapped)
            self._made[literal] = wrapped
            self._literal_of[wrapped.get_id()] = literal
        return wrapped

    def _term(self, literal: int) -> int:
        pointer: int = self._wrap(literal).as_ast().value
        return pointer

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        text = [
            f"(declare-fun v{x} () Bool)" for x in range(self._declared + 1, len(self._names))
        ]  # the solver remembers them
        self._declared = len(self._names) - 1
        for clause in waiting:
            parts = [f"v{x}" if x > 0 else f"(not v{-x})" for x in clause]
            text.append(f"(assert (or {' '.join(parts)}))" if parts else "(assert false)")
        self._lease.solver.from_string("\n".join(text))

    def _solve(self, assumptions: Sequence[int], deadline: float | None) -> bool | None:
        self._flush()
        return super()._solve(assumptions, deadline)

    def value(self, literal: int) -> bool:
        if self._model is None:
            self._model = self._lease.solver.model()
        found = (z3.Ast * 1)()
        term = self._wrap(abs(literal)).as_ast()
        context = self._context.ref()
        z3core.Z3_model_eval(context, self._model.model, term, False, found)
        true: bool = z3core.Z3_get_bool_value(context, found[0]) == 1
        return true == (literal > 0)

    def core(self) -> list[int]:
        return [self._literal_of[term.get_id()] for term in self._lease.solver.unsat_core()]
