"""Watches a thread, as it is executed for all runs at once: where it does something that is not
expected, it ends."""

from __future__ import annotations

from hybrid.bmc.expected import ROUND, Expected, Surprise
from hybrid.bmc.slots import ThreadEnding
from hybrid.bmc.state import ThreadState
from hybrid.bmc.terms import FALSE, TRUE, FormulaTerms
from hybrid.execution.trace import Status


class Watch:
    """`expected` None: anything may happen."""

    def __init__(
        self,
        thread: int,
        expected: Expected | None,
        terms: FormulaTerms,
        endings: list[ThreadEnding],
    ) -> None:
        self.thread = thread
        self.expected = expected
        self.terms = terms
        self.endings = endings

    def enter(self, state: ThreadState, at: int, slot: int) -> None:
        """An access or a fence comes, with this slot for its first event. Unless it is expected in
        this round of its loop, the thread ends; and it may stop here in any case, so that a
        surprise of another thread can come before what it would do."""
        if self.expected is None or state.reached == FALSE:
            return
        if state.round not in self.expected.values(self.thread, at, ROUND):
            self._end(state.reached, Surprise(self.thread, at, ROUND, state.round))
            state.reached = FALSE
            return
        stops = self.terms.choice(~slot)
        self._end(self.terms.conjunction(state.reached, stops), None)
        state.reached = self.terms.conjunction(state.reached, self.terms.negation(stops))

    def value(self, state: ThreadState, at: int, aspect: str, term: int, when: int = TRUE) -> int:
        """The term, which is a value; if it is not an expected one, and `when` is true, the thread
        ends."""
        if self.expected is None or state.reached == FALSE:
            return term
        terms = self.terms
        wanted = map(terms.constant, sorted(self.expected.values(self.thread, at, aspect)))
        cases = [(terms.test(terms.binary("==", term, value)), value) for value in wanted]
        good = terms.disjunction(guard for guard, _ in cases)
        wrong = terms.conjunction(state.reached, when, terms.negation(good))
        self._end(wrong, Surprise(self.thread, at, aspect, state.round, term))
        state.reached = terms.conjunction(state.reached, terms.negation(wrong))
        return terms.mux(cases) if cases else term

    def _end(self, when: int, surprise: Surprise | None) -> None:
        if when != FALSE:
            self.endings.append(ThreadEnding(Status.CUT, when, {}, surprise=surprise))
