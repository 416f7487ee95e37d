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

from hybrid.encoding.clauses import FALSE, TRUE
from hybrid.encoding.z3_logic import Z3Logic


class BulkZ3Logic(Z3Logic):
    def __init__(self) -> None:
        self._waiting: list[Sequence[int]] = []  # clauses not yet handed over
        self._made: dict[int, Any] = {}  # by literal: its term
        self._declared = 0  # the highest variable that Z3 knows
        super().__init__()

    def variable(self, name: Hashable) -> int:
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self._names)
            self._names.append(name)
        return number

    def add(self, clause: Sequence[int]) -> None:
        if TRUE in clause and self.clauses:
            return
        self.clauses += 1
        self._waiting.append([x for x in clause if x != FALSE] if FALSE in clause else clause)

    def _term(self, literal: int) -> Any:
        term = self._made.get(literal)
        if term is None:
            wrapped = z3.Bool(f"v{abs(literal)}", self._context)
            if literal < 0:
                wrapped = z3.Not(wrapped)
            self._keep.append(wrapped)
            self._literal_of[wrapped.get_id()] = literal
            term = self._made[literal] = wrapped.as_ast()
        return term

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
        self._solver.from_string("\n".join(text))

    def _solve(self, assumptions: Sequence[int], deadline: float | None) -> bool | None:
        self._flush()
        return super()._solve(assumptions, deadline)

    def value(self, literal: int) -> bool:
        if self._model is None:
            self._model = self._solver.model()
        found = (z3.Ast * 1)()
        term = self._term(abs(literal))
        z3core.Z3_model_eval(self._reference, self._model.model, term, False, found)
        true: bool = z3core.Z3_get_bool_value(self._reference, found[0]) == 1
        return true == (literal > 0)
