"""The strongest check: each trace, and each run in which threads wait for ever, that an explorer
found is a solution of the bounded program's formula, and without them the formula has none.

A trace is looked up in the formula by running its key along the symbolic program: which slots
happen, under which names, follows from where loads read and which store-conditionals succeed. The
clause that excludes it is then one over its rf, its co and those successes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from hybrid.bmc.engine import make_logic
from hybrid.bmc.formula import Formula
from hybrid.bmc.ranges import Ranges
from hybrid.bmc.slots import Slot, Symbolic
from hybrid.bmc.solution import BmcTrace, read
from hybrid.bmc.symbolic import symbolic
from hybrid.bmc.terms import FALSE, TRUE
from hybrid.bmc.thin_air import can_be_circular, circle_clause
from hybrid.engine.api import Limits, Stopped
from hybrid.execution.trace import EventId, Key
from hybrid.model.core import Model
from hybrid.program import values
from hybrid.program.program import Program

# What operators give of a value and itself. Addresses are made of `r ^ r` for the dependency alone,
# and two threads may each need what the other stores to such an address.
_OF_EQUALS: Final = {"^": 0, "-": 0, "==": 1, "!=": 0}


@dataclass(slots=True)
class Completeness:
    refused: list[Key] = field(default_factory=list)  # given runs that the formula excludes
    further: Key | None = None  # a run of the formula that was not given


def check_complete(
    program: Program,
    model: Model,
    keys: Iterable[Key],
    waiting: Iterable[Key],
    limits: Limits,
    solver: str,
) -> Completeness:
    """Compares complete traces and waiting runs with the formula. Raises Stopped when the time is
    over."""
    runs = symbolic(program, limits)
    formula = Formula(runs, Ranges(runs, limits), model, make_logic(solver), limits, False)
    circles = can_be_circular(runs, model, limits)
    complete = formula.truth(runs.complete)
    waits = formula.truth(runs.waiting())
    result = Completeness()
    for kind, given in ((complete, keys), (waits, waiting)):
        for key in given:
            limits.check_time()
            literals = literals_of(formula, runs, key)
            if literals is None or not _solve(formula, [kind, *literals], limits):
                result.refused.append(key)
            if literals is not None:
                formula.logic.add([-literal for literal in literals])
    for kind in (complete, waits):
        while result.further is None and _solve(formula, [kind], limits):
            trace = BmcTrace(program, runs, read(formula))
            if not circles or not trace.circular:
                result.further = trace.key()
            else:
                formula.logic.add(circle_clause(formula, trace))
    return result


def _solve(formula: Formula, assumptions: list[int], limits: Limits) -> bool:
    answer = formula.logic.solve(tuple(assumptions), limits.deadline)
    if answer is None:
        raise Stopped
    return answer


def literals_of(formula: Formula, runs: Symbolic, key: Key) -> list[int] | None:
    """What is true in exactly the runs with this key; None when no run of the formula has it. Of a
    key whose run does something unexpected it may be less, and runs that do may have it all."""
    placed = _Placed(runs, key)
    rf, co = key
    literals: list[int] = []
    pairs = [(formula.rf, source, load) for load, source in rf]
    pairs += [(formula.co, a, b) for _, stores in co for a, b in pairwise(stores)]
    for relation, first, second in pairs:
        a, b = placed.slot(first), placed.slot(second)
        literal = None if a is None or b is None else relation.get((a, b))
        if literal is None:
            return None
        literals.append(literal)
    for slot in formula.slots:
        if slot.optional:
            literal = formula.happens(slot)
            literals.append(literal if placed.happens(slot) else -literal)
    return literals


class _Placed:
    """The run with a given key: terms get their values as soon as their operands have, and events
    their slots as soon as what comes before them in their thread is known."""

    def __init__(self, runs: Symbolic, key: Key) -> None:
        self.runs = runs
        self.terms = runs.terms
        self.users = runs.terms.users()
        self.rf = dict(key[0])
        self.stores = {store for _, stores in key[1] for store in stores}
        self.values: dict[int, int] = {}
        self.truths: dict[int, bool] = {FALSE: False, TRUE: True}
        self.asking: set[int] = set()  # loads and choices that are not known yet
        self.missing: dict[int, int] = {}  # by conjunction or disjunction: operands not known yet
        self.ids: dict[int, EventId] = {
            slot.number: (-1, slot.number) for slot in runs.slots if slot.thread < 0
        }
        self.slots = {event: slot for slot, event in self.ids.items()}
        self.at = [(0, 0)] * len(runs.steps)  # by thread: steps gone along, the next po index
        for term in range(TRUE + 1, len(runs.terms.ops)):  # operands come first
            self._look(term)
        while self._round():
            pass

    def slot(self, event: EventId) -> int | None:
        return self.slots.get(event)

    def happens(self, slot: Slot) -> bool:
        return self.truths.get(slot.happens, False)

    def _round(self) -> bool:
        """Goes along the threads and asks what loads read; whether anything was new."""
        known = len(self.asking), self.at.copy()
        for thread in range(len(self.runs.steps)):
            self._go_along(thread)
        for term in sorted(self.asking):
            self._spread(term)
        return known != (len(self.asking), self.at)

    def _spread(self, term: int) -> None:
        """Looks at a term, and, if it is known now, at those that are made of it."""
        todo = [term]
        while todo:
            term = todo.pop()
            if term not in self.values and term not in self.truths and self._look(term):
                todo += [user for user in self.users[term] if self._decides(user, term)]

    def _decides(self, user: int, term: int) -> bool:
        """Whether a term that is known now may make one known that is made of it."""
        if user not in self.missing:
            return True
        self.missing[user] -= 1
        return not self.missing[user] or self.truths[term] is (self.terms.ops[user] == "or")

    def _look(self, term: int) -> bool:
        """Whether the term, which was not known, is known now."""
        op, args = self.terms.ops[term], self.terms.args[term]
        if op in ("not", "and", "or", "test", "located", "choice"):
            truth = self._truth(op, args)
            found = truth is not None
            if truth is not None:
                self.truths[term] = truth
        else:
            value = self._value(op, args)
            found = value is not None
            if value is not None:
                self.values[term] = value
        if op in ("load", "choice"):
            (self.asking.discard if found else self.asking.add)(term)
        elif op in ("and", "or") and not found:
            self.missing[term] = sum(arg not in self.truths for arg in args)
        return found

    def _go_along(self, thread: int) -> None:
        steps = self.runs.steps[thread]
        place, index = self.at[thread]
        while place < len(steps) and steps[place].passed in self.truths:
            step = steps[place]
            if self.truths[step.passed]:
                for offset, slot in enumerate(step.slots):
                    event = (thread, index + offset)
                    self.ids[slot] = event
                    self.slots[event] = slot
                index += step.width
            place += 1
        self.at[thread] = (place, index)

    def _truth(self, op: str, args: tuple[int, ...]) -> bool | None:
        if op == "choice":
            if args[0] < 0:
                return False  # a run that is listed does not stop for an unexpected one
            if self.runs.slots[args[0]].kind == "R":
                return self._waits(self.runs.slots[args[0]])
            event = self.ids.get(args[0])
            return None if event is None else event in self.stores
        if op == "test" or op == "located":
            value = self.values.get(args[0])
            if value is None:
                return None
            return value != 0 if op == "test" else value in self.terms.locations
        parts = [self.truths.get(arg) for arg in args]
        if op == "not":
            return None if parts[0] is None else not parts[0]
        decisive = op == "or"
        if decisive in parts:
            return decisive
        return None if None in parts else not decisive

    def _waits(self, slot: Slot) -> bool | None:
        """Whether the await of a slot waits for ever: then the key has no source for it. None as
        long as it is not known which event it would be."""
        steps = self.runs.steps[slot.thread]
        place, index = self.at[slot.thread]
        if place < len(steps) and steps[place].slots[0] == slot.number:
            return (slot.thread, index) not in self.rf
        return None

    def _value(self, op: str, args: tuple[int, ...]) -> int | None:
        if op == "const":
            return args[0]
        if op == "final":
            return None
        if op == "load":
            event = self.ids.get(args[0])
            source = None if event is None else self.slots.get(self.rf.get(event, event))
            term = None if source is None else self.runs.slots[source].value
            return None if term is None else self.values.get(term)
        if op == "mux":
            for guard, value in zip(args[::2], args[1::2], strict=True):
                if self.truths.get(guard):
                    return self.values.get(value)
            return None
        if len(args) == 2 and args[0] == args[1] and op in _OF_EQUALS:
            return _OF_EQUALS[op]  # known before the operand is, which may need it
        operands = [self.values.get(arg) for arg in args]
        if len(operands) == 1:
            return None if operands[0] is None else values.unary(op, operands[0])
        left, right = operands
        if op in ("&", "*") and 0 in operands:
            return 0
        return None if left is None or right is None else values.binary(op, left, right)
