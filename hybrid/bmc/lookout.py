"""Looks at a thread, as it is executed for all runs at once: where it does something that is not
expected, it ends."""

from __future__ import annotations

from hybrid.bmc.expected import Expected, Surprise, Visit, visit_of
from hybrid.bmc.slots import ThreadEnding
from hybrid.bmc.state import ThreadState
from hybrid.bmc.terms import FALSE, TRUE, FormulaTerms
from hybrid.bmc.unroll import CodeShape
from hybrid.execution.trace import Status


class Lookout:
    """`expected` None: anything may happen."""

    def __init__(
        self,
        thread: int,
        expected: Expected | None,
        shape: CodeShape,
        terms: FormulaTerms,
        endings: list[ThreadEnding],
    ) -> None:
        self.thread = thread
        self.expected = expected
        self.shape = shape
        self.terms = terms
        self.endings = endings
        self.visit: Visit = (thread, 0, 0)  # the one that was entered last

    def enter(self, state: ThreadState, at: int, slot: int) -> None:
        """An access or a fence comes, with this slot for its first event. Unless this visit is
        expected, the thread ends; and it may stop here in any case, so that a surprise of another
        thread can come before what it would do."""
        if self.expected is None or state.reached == FALSE:
            return
        self.visit = self._visit(state, at)
        if self.visit not in self.expected:
            self._end(state.reached, Surprise(self.visit))
            state.reached = FALSE
            return
        stops = self.terms.choice(~slot)
        self._end(self.terms.conjunction(state.reached, stops), None)
        state.reached = self.terms.conjunction(state.reached, self.terms.negation(stops))

    def value(self, state: ThreadState, aspect: str, term: int, when: int = TRUE) -> int:
        """The term, a value of what was entered last; if it is not an expected one, and `when` is
        true, the thread ends."""
        if self.expected is None or state.reached == FALSE:
            return term
        terms = self.terms
        wanted = map(terms.constant, self.expected.values(self.visit, aspect))
        cases = [(terms.test(terms.binary("==", term, value)), value) for value in wanted]
        good = terms.disjunction(guard for guard, _ in cases)
        wrong = terms.conjunction(state.reached, when, terms.negation(good))
        self._end(wrong, Surprise(self.visit, aspect, term))
        state.reached = terms.conjunction(state.reached, terms.negation(wrong))
        return terms.mux(cases) if cases else term

    def _visit(self, state: ThreadState, at: int) -> Visit:
        constants: list[int | None] = []
        for name in self.shape.ending[at]:
            held = state.registers.get(name)
            if held is None:
                constants.append(0)
            else:
                constants.append(self.terms.value(held.value) if held.varies == FALSE else None)
        return self.thread, at, visit_of(state.round, constants)

    def _end(self, when: int, surprise: Surprise | None) -> None:
        if when != FALSE:
            self.endings.append(ThreadEnding(Status.CUT, when, {}, surprise=surprise))
