"""A thread executed once for all its runs: slots for its events, with the terms under which they
happen.

Every place of the unrolled code is visited once, after those before it; where ways meet, what they
bring along is merged under the guards of the ways. Ways stay apart where they differ in constants
on which the end of a loop may depend, so that a loop on constants is unrolled as often as it runs.
Bounds are those of hybrid.program.loops.
"""

from __future__ import annotations

from collections.abc import Hashable

from hybrid.bmc.execute import Executor
from hybrid.bmc.expected import Expected
from hybrid.bmc.slots import NOTHING, Held, Slot, Symbolic
from hybrid.bmc.state import ThreadState
from hybrid.bmc.terms import FALSE, TRUE, FormulaTerms
from hybrid.bmc.unroll import Agenda, CodeShape
from hybrid.engine.api import Limits
from hybrid.execution.trace import Status
from hybrid.program.loops import MAX_STEPS, UNROLL, counts, is_backward
from hybrid.program.program import Program


class _Inexact(Exception):
    """The bound on steps is reached on some ways to a place and not on others."""


class TooManyEvents(Exception):
    """More may happen than was asked for."""


def symbolic(
    program: Program, limits: Limits, expected: Expected | None = None, most: int | None = None
) -> Symbolic:
    """All bounded runs of `program`; those that are not expected, up to where they are not.
    TooManyEvents if threads have slots for more than `most` events."""
    terms = FormulaTerms(program.by_address)
    freed = program.frees, program.freed_from_start
    result = Symbolic(terms, [], [], [], [], *freed, program.end)
    for i, location in enumerate(program.locations):
        slot = Slot(i, -1, "W", f"init {location.name}", frozenset(), TRUE)
        slot.address = terms.constant(location.address)
        slot.value = terms.constant(location.initial)
        result.slots.append(slot)
    room = None if most is None else len(result.slots) + most
    for number in range(len(program.threads)):
        before = len(result.slots)
        try:
            _Thread(program, number, result, limits, expected, exact=False).run(room)
        except _Inexact:
            del result.slots[before:]
            del result.steps[number:], result.endings[number:], result.asserts[number:]
            _Thread(program, number, result, limits, expected, exact=True).run(room)
    return result


class _Thread:
    """The ways through one thread's code."""

    def __init__(
        self,
        program: Program,
        number: int,
        result: Symbolic,
        limits: Limits,
        expected: Expected | None,
        exact: bool,
    ) -> None:
        self.code = program.threads[number].code
        self.initial = program.threads[number].initial
        self.terms = result.terms
        self.limits = limits
        self.exact = exact  # whether steps are counted by terms where ways of other lengths meet
        self.shape = CodeShape(self.code)
        self.executor = Executor(number, self.shape, result, expected)
        self.states = self.executor.states
        self.agenda: Agenda[ThreadState] = Agenda()
        # by the last instruction; not on the agenda yet
        self.reached: list[tuple[int, ThreadState]] = []
        self.pc = 0  # the instruction that is executed

    def run(self, room: int | None) -> None:
        """`room`: how many slots there may be in all."""
        self.reach(0, self.start())
        while self.reached or self.agenda:
            self.limits.check_time()
            if room is not None and len(self.executor.result.slots) > room:
                raise TooManyEvents
            if len(self.reached) == 1 and not self.agenda:
                self.pc, state = self.reached.pop()  # no other way can lead there
            else:
                self.pc, state = self.next_place()
            if self.pc == len(self.code):
                self.executor.end(Status.COMPLETE, state.reached, state)
                continue
            self.spend(state)
            if state.reached == FALSE:
                continue
            instruction = self.code[self.pc]
            taken = self.executor.execute(self.pc, instruction, state)
            if taken != FALSE:
                (target,) = instruction.targets
                if not instruction.goes_on or state.reached == FALSE:
                    state.reached = taken
                    self.jump(target, state)
                    continue
                self.jump(target, state.copy(taken))
            self.reach(self.pc + 1, state)

    def start(self) -> ThreadState:
        constant = self.terms.constant
        held = {
            name: Held(constant(v), NOTHING, NOTHING, TRUE, FALSE)
            for name, v in self.initial.items()
        }
        return ThreadState(TRUE, held, NOTHING, NOTHING, None, frozenset(), constant(0))

    def reach(self, pc: int, state: ThreadState) -> None:
        """Notes that this is reached next; the state is the caller's own."""
        if state.reached == FALSE:
            return
        if self.shape.rank[pc] != self.shape.rank[self.pc]:
            state.leave_loop()
        for jump in self.shape.loops.heads.get(pc, ()):
            state.marks.pop(jump, None)
        self.reached.append((pc, state))

    def next_place(self) -> tuple[int, ThreadState]:
        """The place that comes next, with what is known there."""
        for pc, state in self.reached:
            self.agenda.add(self.shape.rank[pc], state.round, pc, self.apart(pc, state), state)
        self.reached.clear()
        pc, ways = self.agenda.pop()
        return pc, self.states.meet(ways, self.exact)

    def apart(self, pc: int, state: ThreadState) -> Hashable:
        """What keeps ways to an instruction apart."""
        return (
            state.counted,
            tuple(sorted(state.marks.items())),
            tuple(sorted(state.passed.items())),
            tuple(self.states.constant(state, name) for name in self.shape.ending[pc]),
            tuple(self.states.constantly(state, name) for name in self.shape.deciding[pc]),
        )

    def spend(self, state: ThreadState) -> None:
        """Counts an instruction, if the bound on steps allows one more."""
        terms, bound = self.terms, self.limits.max_steps
        over = FALSE
        if state.fewest >= bound:
            over = TRUE
        elif state.most >= bound:
            if not self.exact:
                raise _Inexact
            done = self.states.done(state)
            over = terms.negation(terms.test(terms.binary("<", done, terms.constant(bound))))
        if over != FALSE:
            self.cut(terms.conjunction(state.reached, over), state, MAX_STEPS)
            state.reached = terms.conjunction(state.reached, terms.negation(over))
        state.most = min(state.most, bound - 1) + 1
        state.fewest += 1
        state.since += 1

    def cut(self, when: int, state: ThreadState, bound: str) -> None:
        self.executor.end(Status.CUT, when, state, self.code[self.pc].label, bound=bound)

    def jump(self, target: int, state: ThreadState) -> None:
        """Takes the jump, if the bound allows it once more; the state is the caller's own."""
        here = self.pc
        if is_backward(self.code, here):
            state.round += 1
            if counts(state.marks.get(here, 0)):
                terms = self.terms
                count = state.counts.get(here, terms.constant(0))
                bound = terms.constant(self.limits.unroll)
                allowed = terms.test(terms.binary("<", count, bound))
                if state.counted >= self.limits.unroll * len(self.shape.jumps[here]):
                    allowed = FALSE  # all jumps, each as often as it may be
                state.counted += 1
                taken = state.reached
                self.cut(terms.conjunction(taken, terms.negation(allowed)), state, UNROLL)
                state.reached = terms.conjunction(taken, allowed)
                state.counts[here] = terms.binary("+", count, terms.constant(1))
        self.reach(target, state)
