"""Threads unfolded into trees of steps, shared by all runs of one program.

A step is one fetched event (an rmw is one step with two events, or with `apart` two steps). The
path of a thread is fixed by its branch decisions, so po, dependencies and register contents are
computed once per path, when a run first goes there, and found again by every later run.

Whether a cas or a store-conditional stores decides which events a path has. With `guess` the
outcome is a step of its own, chosen before the instruction and everything after it; the access then
waits for a value that fits. Without, the outcome follows from the commit, and nothing after it is
fetched before: right where po is in commit-before, and with `gated` for those of gates.py. A cas
that may fail with a value that fits, or whose tags depend on the outcome, is guessed in any case.

A select is not a step: its register holds an expression that selects. Only where its operands
depend on different loads, so that the outcome decides on what the register depends, it is guessed,
and the guess is a claim about the condition that the end of the run must confirm. (Without `guess`,
where all earlier loads are committed in any case, the register depends on what either operand
depends on.)

Events, threads and locations have the numbers that hybrid.execution.numbering gives them; steps are
made in step_maker.py.
"""

from __future__ import annotations

from typing import assert_never

from hybrid.execution.binding import (
    Registers,
    RegisterValue,
    bind,
    constants_in,
    initial_registers,
    is_open,
    selected,
)
from hybrid.execution.bound import Constant
from hybrid.execution.gates import gates_of
from hybrid.execution.numbering import Numbering, numbering_of
from hybrid.execution.step import CHOICE, CONDITIONAL, RMW, Cursor, End, Step
from hybrid.execution.step_maker import StepMaker
from hybrid.execution.trace import Status
from hybrid.program import instructions as ins
from hybrid.program import loops
from hybrid.program.program import Program


class Unfolding:
    """The trees of all threads of a program, grown on demand, within the bounds of
    hybrid.program.loops."""

    def __init__(
        self,
        program: Program,
        unroll: int,
        guess: bool,
        apart: bool = False,
        max_steps: int = loops.DEFAULT_MAX_STEPS,
        numbering: Numbering | None = None,
        gated: bool = False,
        branches: bool = True,
    ) -> None:
        """`apart`: the load and the store of an rmw are committed by themselves, as those of an
        exclusive pair are. `gated`: with `guess`, a cas on whose outcome all that follows depends
        is not guessed. Without a numbering, all locations have numbers. Unless `branches`, those
        have none: their steps have the event -1."""
        self.program = program
        self.unroll = unroll
        self.max_steps = max_steps
        self.guess = guess
        self.branches = branches
        if numbering is None:
            numbering = numbering_of(program, range(len(program.locations)))
        self.numbering = numbering
        self._maker = StepMaker(program, numbering, apart, branches)
        self._loops = self._maker.loops
        nothing: frozenset[int] = frozenset()
        self._gates = gates_of(program) if gated else [nothing] * len(program.threads)
        self.has_awaits = any(
            instruction.awaits is not None
            or (isinstance(instruction, ins.Assume) and instruction.waits)
            for thread in program.threads
            for instruction in thread.code
        )
        self.roots: list[Step | End] = [
            self._advance(number, Cursor(initial_registers(thread.initial)))
            for number, thread in enumerate(program.threads)
        ]

    def follow(self, step: Step, outcome: int) -> Step | End:
        """What follows `step`. The outcome is 1 for a branch that jumps, an assume that holds, a
        choice or a deciding access that stores; 0 otherwise."""
        following = step.after[outcome]
        if following is None:
            following = self._follow(step, outcome)
            step.after[outcome] = following
        return following

    def _follow(self, step: Step, outcome: int) -> Step | End:
        cursor = step.cursor
        assert cursor is not None
        if isinstance(step.instruction, ins.Assume) and not outcome:
            waits = step if step.instruction.waits else None
            return End(Status.BLOCKED, cursor, assume=waits)
        if isinstance(step.instruction, ins.Branch) and outcome:
            cursor = cursor.copy()
            if not self._jump(cursor, cursor.code_index - 1, step.instruction.target):
                return End(Status.CUT, cursor, step.label, loops.UNROLL)
        elif step.kind == CHOICE:
            cursor = cursor.copy()
            cursor.decided = outcome
        elif step.kind in (RMW, CONDITIONAL) and step.decides and not outcome:
            cursor = cursor.copy()
            cursor.po &= ~(1 << (step.event if step.kind == CONDITIONAL else step.second))
            cursor.registers = _without_store(cursor.registers, step)
        return self._advance(step.thread, cursor)

    def _jump(self, cursor: Cursor, at: int, target: int) -> bool:
        """Lets the cursor, which is the caller's own, jump from instruction `at`; False when the
        loop bound forbids it."""
        if target <= at and loops.counts(cursor.loops.marks.get(at, 0)):
            if cursor.loops.jumps.get(at, 0) >= self.unroll:
                return False
            cursor.loops = cursor.loops.after_jump(at)
        cursor.code_index = target
        return True

    def _advance(self, thread: int, cursor: Cursor) -> Step | End:
        """Runs over instructions without events up to the next step."""
        code = self.program.threads[thread].code
        heads = self._loops[thread].heads
        if cursor.half is not None:
            return self._maker.second(thread, cursor, cursor.half)
        cursor = cursor.own()
        while cursor.code_index < len(code):
            at = cursor.code_index
            instruction = code[at]
            if cursor.steps >= self.max_steps:
                return End(Status.CUT, cursor, instruction.label, loops.MAX_STEPS)
            if at in heads:
                cursor.loops = cursor.loops.after_head(heads[at])
            if cursor.decided < 0 and self._is_guessed(thread, instruction, cursor):
                return self._maker.choice(thread, cursor, instruction)
            found = self._execute(thread, cursor, instruction)
            if not isinstance(found, Cursor):
                return found
            cursor = found
        return End(Status.COMPLETE, cursor)

    def _is_guessed(self, thread: int, instruction: ins.Instruction, cursor: Cursor) -> bool:
        """Whether a choice comes first."""
        if isinstance(instruction, ins.StoreConditional):
            return self.guess and cursor.reserve is not None
        if isinstance(instruction, ins.Rmw) and instruction.op == "cas":
            if instruction.is_choice:
                return True
            return self.guess and cursor.code_index not in self._gates[thread]
        if isinstance(instruction, ins.Select):
            return self.guess and is_open(instruction, cursor.registers)
        return False

    def _execute(
        self, thread: int, cursor: Cursor, instruction: ins.Instruction
    ) -> Cursor | Step | End:
        """The step of an instruction, the end that it brings, or, where it has no event, the cursor
        behind it. The given one and its registers are the caller's own."""
        maker = self._maker
        if isinstance(instruction, ins.Assign | ins.Select | ins.Assert):
            self._calculate(cursor, instruction)
            return cursor
        if isinstance(instruction, ins.Goto):
            cursor.steps += 1
            if self._jump(cursor, cursor.code_index, instruction.target):
                return cursor
            return End(Status.CUT, cursor, instruction.label, loops.UNROLL)
        if isinstance(instruction, ins.Branch):
            condition = bind(instruction.condition, cursor.registers)
            if condition.varies:
                return maker.event(thread, cursor, instruction)
            assert isinstance(condition.bound, Constant)
            if self._pass(thread, cursor, instruction, condition.bound.value != 0):
                return cursor
            return End(Status.CUT, cursor, instruction.label, loops.UNROLL)
        if isinstance(instruction, ins.StoreConditional):
            if cursor.reserve is None or cursor.decided == 0:
                return maker.failed(thread, cursor, instruction)
            return maker.event(thread, cursor, instruction)
        if isinstance(instruction, ins.Load | ins.Store | ins.Rmw | ins.Fence | ins.Assume):
            return maker.event(thread, cursor, instruction)
        assert_never(instruction)

    def _calculate(self, cursor: Cursor, instruction: ins.Assign | ins.Select | ins.Assert) -> None:
        """Executes an instruction on registers alone; cursor and registers are the caller's own."""
        registers = cursor.registers
        cursor.steps += 1
        cursor.code_index += 1
        if isinstance(instruction, ins.Assign):
            registers[instruction.register] = bind(instruction.value, registers)
        elif isinstance(instruction, ins.Select):
            outcome = cursor.decided
            if outcome >= 0:
                condition = bind(instruction.condition, registers).bound
                cursor.said = cursor.said.with_claim(condition, outcome)
                cursor.decided = -1
            registers[instruction.register] = selected(instruction, registers, outcome)
        elif isinstance(instruction, ins.Assert):
            condition = bind(instruction.condition, registers).bound
            cursor.said = cursor.said.with_assert(instruction.label, condition)
        else:
            assert_never(instruction)

    def _pass(self, thread: int, cursor: Cursor, branch: ins.Branch, jumps: bool) -> bool:
        """Executes a branch whose condition does not vary; the cursor is the caller's own. False:
        the loop bound forbids it."""
        at = cursor.code_index
        cursor.steps += 1
        cursor.code_index += 1
        exits = self._loops[thread].exits.get(at)
        if exits is not None:
            held = constants_in(branch.condition, cursor.registers)
            if held and cursor.loops.passed.get(at) != held:
                cursor.loops = cursor.loops.after_exit(at, held).marked(exits, loops.MOVES)
        return not jumps or self._jump(cursor, at, branch.target)


def _without_store(registers: Registers, step: Step) -> Registers:
    """The registers after a step that turns out not to store: there is no store on which the status
    of a store-conditional could depend, and what a cas read was not selected by it."""
    instruction = step.instruction
    if isinstance(instruction, ins.Rmw):
        if instruction.register is None:
            return registers
        value = registers[instruction.register]
        return {**registers, instruction.register: RegisterValue(value.bound, value.taint, True)}
    assert isinstance(instruction, ins.StoreConditional)
    if instruction.status is None or not instruction.by_store:
        return registers
    status = RegisterValue(registers[instruction.status].bound, 0, True)
    return {**registers, instruction.status: status}
