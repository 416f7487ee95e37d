"""Threads unfolded into trees of steps, shared by all runs of one program.

A step is one fetched event (an rmw is one step with two events, or with `apart` two steps). The
path of a thread is fixed by its branch decisions, so po, dependencies and register contents are
computed once a path, when a run first goes there, and found again by every later run.

Whether a cas or a store-conditional stores decides which events a path has. With `guess` the
outcome is a step of its own, chosen before the instruction and everything after it; the access then
waits for a value that fits. Without, the outcome follows from the commit, and nothing after it is
fetched before: right only where po is in commit-before. A cas that may fail with a value that fits,
or whose tags depend on the outcome, is guessed in any case.

A select is no step: its register holds an expression that selects. Only where its operands depend
on different loads, so that the outcome decides on what the register depends, it is guessed, and the
guess is a claim about the condition that the end of the run must confirm. (Without `guess`, where
all earlier loads are committed in any case, the register depends on what either operand depends
on.)

Events, threads and locations have the numbers that hybrid.execution.numbering gives them.
"""

from __future__ import annotations

from hybrid.execution.bound import Bound, Constant, EventResult, make_binary, make_unary
from hybrid.execution.numbering import Numbering, numbering_of
from hybrid.execution.step import (
    ADDRESS,
    BRANCH,
    CHOICE,
    CONDITIONAL,
    FENCE,
    LOAD,
    RMW,
    STORE,
    ZERO,
    Cursor,
    End,
    RegisterValue,
    Step,
)
from hybrid.execution.trace import Status
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program import loops, values
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
    ) -> None:
        """`apart`: the load and the store of an rmw are committed by themselves, as those of an
        exclusive pair are. Without a numbering, all locations have numbers."""
        self.program = program
        self.unroll = unroll
        self.max_steps = max_steps
        self.loops = [loops.loops_of(thread.code) for thread in program.threads]
        self.guess = guess
        self.apart = apart
        if numbering is None:
            numbering = numbering_of(program, range(len(program.locations)))
        self.numbering = numbering
        self.has_awaits = any(
            isinstance(i, ins.Load | ins.Rmw) and i.guard is not None
            for thread in program.threads
            for i in thread.code
        )
        self.roots: list[Step | End] = []
        for t, thread in enumerate(program.threads):
            registers = {
                name: RegisterValue(Constant(v), 0, False) for name, v in thread.initial.items()
            }
            start = Cursor(0, 0, 0, 0, 0, 0, registers, {}, {}, {}, 0, None, ())
            self.roots.append(self._advance(t, start))

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
            return End(Status.BLOCKED, cursor)
        if isinstance(step.instruction, ins.Branch) and outcome:
            cursor = _changed(cursor)
            if not self._jump(cursor, cursor.code_index - 1, step.instruction.target):
                return End(Status.CUT, cursor, step.label, loops.UNROLL)
        elif step.kind == CHOICE:
            cursor = _changed(cursor)
            cursor.decided = outcome
        elif step.kind in (RMW, CONDITIONAL) and step.decides and not outcome:
            cursor = _changed(cursor)
            cursor.po &= ~(1 << (step.event if step.kind == CONDITIONAL else step.second))
            cursor.registers = _without_store(cursor.registers, step)
        return self._advance(step.thread, cursor)

    def _jump(self, cursor: Cursor, at: int, target: int) -> bool:
        """Lets the cursor, which is the caller's own, jump from instruction `at`; False when the
        loop bound forbids it."""
        if target <= at and loops.counts(cursor.marks.get(at, 0)):
            taken = cursor.jumps.get(at, 0)
            if taken >= self.unroll:
                return False
            cursor.jumps = {**cursor.jumps, at: taken + 1}
        cursor.code_index = target
        return True

    def _mark(self, cursor: Cursor, jumps: tuple[int, ...], mark: int) -> None:
        """Sets a mark of these backward jumps; the cursor is the caller's own."""
        for jump in jumps:
            marks = cursor.marks.get(jump, 0)
            if not marks & mark:
                cursor.marks = {**cursor.marks, jump: marks | mark}

    def _advance(self, thread: int, cursor: Cursor) -> Step | End:
        """Runs over instructions without events up to the next step."""
        code = self.program.threads[thread].code
        heads = self.loops[thread].heads
        own = False  # whether the cursor and its registers were made here
        while cursor.code_index < len(code):
            at = cursor.code_index
            instruction = code[at]
            if cursor.half is not None:
                return self._second(thread, cursor, cursor.half)
            if cursor.steps >= self.max_steps:
                return End(Status.CUT, cursor, instruction.label, loops.MAX_STEPS)
            if at in heads:
                if not own:
                    cursor = _own(cursor)
                    own = True
                cursor.marks = {j: m for j, m in cursor.marks.items() if j not in heads[at]}
            if isinstance(instruction, ins.Assign | ins.Assert | ins.Goto | ins.Branch):
                if isinstance(instruction, ins.Branch) and self._varies(instruction, cursor):
                    return self._step(thread, cursor, instruction)
                if not own:
                    cursor = _own(cursor)
                    own = True
                if not self._silently(thread, cursor, instruction):
                    return End(Status.CUT, cursor, instruction.label, loops.UNROLL)
            elif cursor.decided < 0 and self._undecided(instruction, cursor):
                return self._choice(thread, cursor, instruction)
            elif isinstance(instruction, ins.Select):
                cursor = self._select(cursor, instruction)
                own = False
            elif isinstance(instruction, ins.StoreConditional) and (
                cursor.reserve is None or cursor.decided == 0
            ):
                failed = self._failed(thread, cursor, instruction)
                if isinstance(failed, Step):
                    return failed
                cursor = failed
                own = False
            else:
                return self._step(thread, cursor, instruction)
        return End(Status.COMPLETE, cursor)

    def _varies(self, branch: ins.Branch, cursor: Cursor) -> bool:
        return self._bind(branch.condition, cursor).varies

    def _silently(
        self,
        thread: int,
        cursor: Cursor,
        instruction: ins.Assign | ins.Assert | ins.Goto | ins.Branch,
    ) -> bool:
        """Executes an instruction that has no event; cursor and registers are the caller's own.
        False: the loop bound forbids it."""
        at = cursor.code_index
        cursor.steps += 1
        cursor.code_index += 1
        if isinstance(instruction, ins.Goto):
            return self._jump(cursor, at, instruction.target)
        if isinstance(instruction, ins.Assign):
            cursor.registers[instruction.register] = self._bind(instruction.value, cursor)
            return True
        condition = self._bind(instruction.condition, cursor).bound
        if isinstance(instruction, ins.Assert):
            if _is_news(condition, instruction.label, cursor.asserts):
                cursor.asserts = (*cursor.asserts, (instruction.label, condition))
            return True
        exits = self.loops[thread].exits.get(at)
        if exits is not None:
            held = self._constants(instruction.condition, cursor)
            if held and cursor.passed.get(at) != held:
                cursor.passed = {**cursor.passed, at: held}
                self._mark(cursor, exits, loops.MOVES)
        assert isinstance(condition, Constant)
        return not condition.value or self._jump(cursor, at, instruction.target)

    def _constants(self, expr: ex.Expr, cursor: Cursor) -> tuple[int, ...]:
        """The values of the registers in `expr`, none of which varies."""
        found: list[int] = []
        for name in sorted(ex.registers(expr)):
            bound = cursor.registers.get(name, ZERO).bound
            assert isinstance(bound, Constant)
            found.append(bound.value)
        return tuple(found)

    def _undecided(self, instruction: ins.Instruction, cursor: Cursor) -> bool:
        """Whether a choice comes first."""
        if isinstance(instruction, ins.StoreConditional):
            return self.guess and cursor.reserve is not None
        if isinstance(instruction, ins.Rmw) and instruction.op == "cas":
            return self.guess or instruction.weak or instruction.failed_tags is not None
        if isinstance(instruction, ins.Select) and self.guess:
            yes, no = self._bind(instruction.yes, cursor), self._bind(instruction.no, cursor)
            differ = yes.taint != no.taint or yes.pick != no.pick
            return differ and self._bind(instruction.condition, cursor).bound.slots != 0
        return False

    def _select(self, cursor: Cursor, select: ins.Select) -> Cursor:
        """The cursor after a select, which may have been guessed."""
        condition = self._bind(select.condition, cursor)
        yes, no = operands = self._bind(select.yes, cursor), self._bind(select.no, cursor)
        moved = _changed(cursor)
        moved.steps += 1
        moved.code_index += 1
        outcome = cursor.decided
        if outcome >= 0:
            moved.claims = (*cursor.claims, (condition.bound, outcome))
        elif isinstance(condition.bound, Constant):
            outcome = int(condition.bound.value != 0)
        if outcome >= 0:
            yes = no = yes if outcome else no
        taint = yes.taint | no.taint
        basic = (yes.taint & ~yes.pick) | (no.taint & ~no.pick)
        chosen = yes.bound
        if yes is not no:  # no ^ ((yes ^ no) & -(condition != 0))
            mask = make_unary("-", make_binary("!=", condition.bound, Constant(0)))
            changed = make_binary("&", make_binary("^", yes.bound, no.bound), mask)
            chosen = make_binary("^", no.bound, changed)
        taint |= condition.taint
        varies = condition.varies or any(each.varies for each in operands)
        value = RegisterValue(chosen, taint, varies, taint & ~basic)
        moved.registers = {**cursor.registers, select.register: value}
        return moved

    def _choice(self, thread: int, cursor: Cursor, instruction: ins.Instruction) -> Step:
        step = Step(thread, cursor.index, self.numbering.event(thread, cursor.slot), CHOICE)
        step.instruction = instruction
        step.registers = cursor.registers
        step.control = cursor.control
        step.decides = True
        step.cursor = _changed(cursor)
        step.cursor.slot += 1
        step.cursor.control |= 1 << step.event
        return step

    def _failed(
        self, thread: int, cursor: Cursor, instruction: ins.StoreConditional
    ) -> Cursor | Step:
        """The cursor after a store-conditional that fails: no event, but its po index is used up. A
        step where its address may be none of a location."""
        moved = _changed(cursor)
        self._mark(moved, self.loops[thread].around.get(moved.code_index, ()), loops.EVENT)
        moved.steps += 1
        moved.code_index += 1
        moved.index += 1
        moved.slot += 1
        moved.reserve = None
        place = self._bind(instruction.address, cursor)
        if instruction.status is not None:
            stored = self._bind(instruction.value, cursor)
            taint = place.taint | stored.taint
            basic = (place.taint & ~place.pick) | (stored.taint & ~stored.pick)
            if cursor.reserve is not None:
                taint |= 1 << cursor.reserve.event
                basic |= 1 << cursor.reserve.event
            if instruction.free or instruction.by_store:
                taint = 0
            status = RegisterValue(Constant(1), taint, True, taint & ~basic)
            moved.registers = {**cursor.registers, instruction.status: status}
        address = place.bound
        if isinstance(address, Constant) and address.value in self.numbering.location_of:
            return moved
        step = Step(thread, cursor.index, self.numbering.event(thread, cursor.slot), ADDRESS)
        step.instruction = instruction
        step.registers = cursor.registers
        step.po = cursor.po
        step.control = cursor.control
        step.address = address
        step.cursor = moved
        return step

    def _step(self, thread: int, cursor: Cursor, instruction: ins.Instruction) -> Step:
        step = Step(thread, cursor.index, self.numbering.event(thread, cursor.slot), FENCE)
        step.instruction = instruction
        step.registers = cursor.registers
        step.po = cursor.po
        step.ctrl = cursor.ctrl
        step.control = cursor.control
        after = _changed(cursor)
        at = cursor.code_index
        self._mark(after, self.loops[thread].around.get(at, ()), loops.EVENT)
        after.steps += 1
        after.code_index += 1
        if isinstance(instruction, ins.Fence):
            step.tags = instruction.tags
        elif isinstance(instruction, ins.Branch | ins.Assume):
            step.kind = BRANCH
            step.decides = True
            condition = self._bind(instruction.condition, cursor)
            step.condition = condition.bound
            step.needs = condition.bound.slots
            after.ctrl |= condition.taint
            after.control |= condition.bound.slots
            if isinstance(instruction, ins.Branch):
                self._mark(after, self.loops[thread].exits.get(at, ()), loops.VARIES)
        else:
            assert isinstance(instruction, ins.Load | ins.Store | ins.Rmw | ins.StoreConditional)
            step.tags = instruction.tags
            address = self._bind(instruction.address, cursor)
            step.address = address.bound
            step.address_known = isinstance(address.bound, Constant)
            if isinstance(address.bound, Constant):
                step.address_value = address.bound.value
            step.addr = address.taint
            step.pick = address.pick
            step.needs = address.bound.slots
            if isinstance(instruction, ins.Load):
                self._fill_load(step, cursor, after, instruction)
            elif isinstance(instruction, ins.Rmw):
                self._fill_rmw(step, cursor, after, instruction)
            else:
                self._fill_store(step, cursor, after, instruction)
        size = 2 if isinstance(instruction, ins.Rmw) else 1
        if size == 2 and self.apart:
            step.needs = step.address.slots
            for _, bound in step.guards:
                step.needs |= bound.slots
            if step.kind == RMW:
                self._make_half(step, after)
                size = 1
        after.index += size
        after.slot += size
        after.po |= 1 << step.event
        if step.second >= 0:
            after.po |= 1 << step.second
        step.cursor = after
        return step

    def _fill_load(self, step: Step, cursor: Cursor, after: Cursor, load: ins.Load) -> None:
        step.kind = LOAD
        if load.guard is not None:
            self._fill_guard(step, cursor, after, load.guard)
        if load.exclusive:
            after.reserve = step
        if load.register is not None:
            value = RegisterValue(EventResult(step.event), 1 << step.event, True)
            after.registers = {**cursor.registers, load.register: value}

    def _fill_guard(
        self, step: Step, cursor: Cursor, after: Cursor, guard: ins.Guard
    ) -> RegisterValue:
        """Sets the guard of an await; gives its value."""
        value = self._bind(guard.value, cursor)
        step.guards.append((guard.op, value.bound))
        step.needs |= value.bound.slots
        after.ctrl |= value.taint | 1 << step.event
        after.control |= value.bound.slots | 1 << step.event
        return value

    def _fill_rmw(self, step: Step, cursor: Cursor, after: Cursor, rmw: ins.Rmw) -> None:
        step.kind = RMW
        step.rmw_op = rmw.op
        step.rmw_bits = rmw.bits
        operand = self._bind(rmw.operand, cursor)
        step.operand = operand.bound
        step.needs |= operand.bound.slots
        step.data = operand.taint
        basic = (step.addr & ~step.pick) | (operand.taint & ~operand.pick)
        if rmw.guard is not None:
            awaited = self._fill_guard(step, cursor, after, rmw.guard)
            step.data |= awaited.taint
            basic |= awaited.taint & ~awaited.pick
        if rmw.expected is not None:
            expected = self._bind(rmw.expected, cursor)
            step.expected = expected.bound
            step.needs |= expected.bound.slots
            step.data |= expected.taint
            step.guess = cursor.decided
            if cursor.decided < 0:
                step.decides = True
                after.control |= 1 << step.event
            elif cursor.decided or not rmw.weak:
                # What a cas expects may be known only after its load, where nothing orders the two.
                guards = step.late if self.apart and expected.bound.slots else step.guards
                guards.append(("==" if cursor.decided else "!=", expected.bound))
        if cursor.decided == 0:
            step.kind = LOAD
            step.tags = rmw.tags_without_store
        else:
            step.second = self.numbering.event(step.thread, cursor.slot + 1)
            step.second_ctrl = after.ctrl
        step.pick = (step.addr | step.data) & ~basic
        if rmw.register is not None:
            own = 1 << step.event
            pick = own if rmw.op == "cas" and cursor.decided else 0
            value = RegisterValue(EventResult(step.event), own, True, pick)
            after.registers = {**cursor.registers, rmw.register: value}
        if rmw.success is not None and rmw.expected is not None:
            bound: Bound = Constant(cursor.decided)
            if cursor.decided < 0:
                bound = make_binary("==", EventResult(step.event), step.expected)
            taint = self._bind(rmw.expected, cursor).taint | 1 << step.event
            after.registers = {**after.registers, rmw.success: RegisterValue(bound, taint, True)}

    def _make_half(self, step: Step, after: Cursor) -> None:
        """An rmw becomes its load; what its store needs stays with the step for `_second`."""
        step.kind = LOAD
        step.second = -1
        after.code_index -= 1
        after.half = step

    def _second(self, thread: int, cursor: Cursor, load: Step) -> Step:
        """The store of an rmw whose load is a step of its own."""
        step = Step(thread, cursor.index, self.numbering.event(thread, cursor.slot), CONDITIONAL)
        step.instruction = load.instruction
        step.registers = cursor.registers
        step.tags = load.tags
        step.po = cursor.po
        step.ctrl = cursor.ctrl
        step.control = cursor.control
        step.amo = True
        step.guess = 1
        step.reserve = load
        step.address = load.address
        step.address_known = load.address_known
        step.address_value = load.address_value
        step.addr = load.addr
        own = 1 << load.event
        step.data = load.data if load.rmw_op == "xchg" else load.data | own
        step.pick = load.pick | own if load.rmw_op == "cas" else load.pick
        step.value = load.operand
        if load.rmw_op not in ("xchg", "cas"):
            step.value = make_binary(load.rmw_op, EventResult(load.event), load.operand)
            if load.rmw_bits != values.BITS:
                step.value = make_unary(f"s{load.rmw_bits}", step.value)
        step.needs = step.address.slots | step.value.slots | own
        after = _changed(cursor)
        after.code_index += 1
        after.index += 1
        after.slot += 1
        after.po |= 1 << step.event
        step.cursor = after
        return step

    def _fill_store(
        self,
        step: Step,
        cursor: Cursor,
        after: Cursor,
        store: ins.Store | ins.StoreConditional,
    ) -> None:
        step.kind = STORE
        value = self._bind(store.value, cursor)
        step.value = value.bound
        step.needs |= value.bound.slots
        step.data = value.taint
        if step.pick | value.pick:
            basic = (step.addr & ~step.pick) | (value.taint & ~value.pick)
            step.pick = (step.addr | step.data) & ~basic
        if isinstance(store, ins.StoreConditional):
            assert cursor.reserve is not None
            step.kind = CONDITIONAL
            step.guess = cursor.decided
            step.reserve = cursor.reserve
            step.needs |= 1 << cursor.reserve.event
            after.reserve = None
            bound: Bound = Constant(0)
            if cursor.decided < 0:
                step.decides = True
                bound = EventResult(step.event)
                after.control |= 1 << step.event
            if store.status is not None:
                taint = step.addr | step.data | 1 << cursor.reserve.event
                if store.free or store.by_store:
                    taint = 1 << step.event if store.by_store else 0
                pick = step.pick & ~(1 << cursor.reserve.event) & taint
                status = RegisterValue(bound, taint, True, pick)
                after.registers = {**cursor.registers, store.status: status}

    def _bind(self, expr: ex.Expr, cursor: Cursor) -> RegisterValue:
        if isinstance(expr, ex.Const):
            return RegisterValue(Constant(expr.value), 0, False)
        if isinstance(expr, ex.Register):
            return cursor.registers.get(expr.name, ZERO)
        if isinstance(expr, ex.Unary):
            operand = self._bind(expr.operand, cursor)
            return RegisterValue(
                make_unary(expr.op, operand.bound), operand.taint, operand.varies, operand.pick
            )
        left = self._bind(expr.left, cursor)
        right = self._bind(expr.right, cursor)
        pick = left.pick | right.pick
        if pick:
            pick &= ~((left.taint & ~left.pick) | (right.taint & ~right.pick))
        return RegisterValue(
            make_binary(expr.op, left.bound, right.bound),
            left.taint | right.taint,
            left.varies or right.varies,
            pick,
        )


def _is_news(condition: Bound, label: str, asserts: tuple[tuple[str, Bound], ...]) -> bool:
    """Whether an assert, of a loop perhaps, can fail and is not known to have failed before."""
    if not isinstance(condition, Constant):
        return True
    known = any(name == label and isinstance(other, Constant) for name, other in asserts)
    return not condition.value and not known


def _without_store(registers: dict[str, RegisterValue], step: Step) -> dict[str, RegisterValue]:
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


def _own(cursor: Cursor) -> Cursor:
    """A copy with registers and a decision of its own."""
    copy = _changed(cursor)
    copy.registers = cursor.registers.copy()
    copy.decided = cursor.decided
    return copy


def _changed(cursor: Cursor) -> Cursor:
    """A copy, to be changed by its maker; without the decision and the half rmw, which are for one
    instruction only."""
    return Cursor(
        cursor.code_index,
        cursor.index,
        cursor.slot,
        cursor.po,
        cursor.ctrl,
        cursor.control,
        cursor.registers,
        cursor.jumps,
        cursor.marks,
        cursor.passed,
        cursor.steps,
        cursor.reserve,
        cursor.asserts,
        cursor.claims,
    )
