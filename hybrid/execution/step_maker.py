"""Steps made from instructions: what an instruction becomes at the end of a path, and where the
path stands behind it.

The choices that hybrid.execution.unfolding makes have been made here: a cursor says whether the
next instruction stores, where that was guessed.
"""

from __future__ import annotations

from typing import assert_never

from hybrid.execution.binding import ZERO, RegisterValue, bind
from hybrid.execution.bound import (
    Bound,
    Constant,
    EventResult,
    ValueRead,
    make_binary,
    make_unary,
)
from hybrid.execution.numbering import Numbering
from hybrid.execution.step import (
    ADDRESS,
    BRANCH,
    CHOICE,
    CONDITIONAL,
    FENCE,
    LOAD,
    RMW,
    STORE,
    Cursor,
    Dependencies,
    Modification,
    ReadTest,
    Rereads,
    Step,
)
from hybrid.program import instructions as ins
from hybrid.program import loops, values
from hybrid.program.program import Program

EventInstruction = (
    ins.Load | ins.Store | ins.Rmw | ins.StoreConditional | ins.Fence | ins.Branch | ins.Assume
)


class StepMaker:
    """Makes the steps of a program's threads."""

    def __init__(self, program: Program, numbering: Numbering, apart: bool, branches: bool) -> None:
        """`apart` and `branches`: as in Unfolding."""
        self.numbering = numbering
        self.apart = apart
        self.branches = branches
        self.loops = [loops.loops_of(thread.code) for thread in program.threads]

    def _new(self, thread: int, cursor: Cursor, kind: int, instruction: ins.Instruction) -> Step:
        event = self.numbering.event(thread, cursor.slot)
        step = Step(thread, cursor.index, event, kind, cursor)
        step.instruction = instruction
        return step

    # ---- steps that are not events of the trace

    def choice(self, thread: int, cursor: Cursor, instruction: ins.Instruction) -> Step:
        """Whether the instruction stores or selects the first operand."""
        step = self._new(thread, cursor, CHOICE, instruction)
        step.decides = True
        step.cursor = cursor.copy()
        step.cursor.slot += 1
        step.cursor.control |= 1 << step.event
        return step

    def failed(
        self, thread: int, cursor: Cursor, instruction: ins.StoreConditional
    ) -> Cursor | Step:
        """The cursor after a store-conditional that fails: no event, but its po index is used up. A
        step where its address may not be that of a location."""
        after = self._behind(thread, cursor)
        after.index += 1
        after.slot += 1
        after.reserve = None
        place = bind(instruction.address, cursor.registers)
        if instruction.status is not None:
            stored = bind(instruction.value, cursor.registers)
            taint = place.taint | stored.taint
            basic = place.basic | stored.basic
            if cursor.reserve is not None:
                taint |= 1 << cursor.reserve.event
                basic |= 1 << cursor.reserve.event
            if instruction.free or instruction.by_store:
                taint = 0
            status = RegisterValue(Constant(1), taint, True, taint & ~basic)
            after.set_register(instruction.status, status)
        address = place.bound
        if isinstance(address, Constant) and self.numbering.is_location(address.value):
            return after
        step = self._new(thread, cursor, ADDRESS, instruction)
        step.po = cursor.po
        step.address = address
        step.cursor = after
        return step

    # ---- events

    def event(self, thread: int, cursor: Cursor, instruction: EventInstruction) -> Step:
        """The step of an instruction that has an event."""
        after = self._behind(thread, cursor)
        if isinstance(instruction, ins.Branch | ins.Assume):
            return self._branch(thread, cursor, after, instruction)
        step = self._new(thread, cursor, FENCE, instruction)
        step.po = cursor.po
        size = 1
        step.tags = instruction.tags
        if isinstance(instruction, ins.Fence):
            step.depends = Dependencies(ctrl=cursor.ctrl)
        elif isinstance(instruction, ins.Load):
            self._fill_load(step, cursor, after, instruction)
        elif isinstance(instruction, ins.Rmw):
            size = self._fill_rmw(step, cursor, after, instruction)
        elif isinstance(instruction, ins.Store):
            self._fill_store(step, cursor, instruction, STORE)
        elif isinstance(instruction, ins.StoreConditional):
            self._fill_conditional(step, cursor, after, instruction)
        else:
            assert_never(instruction)
        after.index += size
        after.slot += size
        after.po |= 1 << step.event
        if step.second >= 0:
            after.po |= 1 << step.second
        step.cursor = after
        return step

    def _behind(self, thread: int, cursor: Cursor) -> Cursor:
        """Behind the next instruction, which takes a po index."""
        after = cursor.copy()
        around = self.loops[thread].around.get(cursor.code_index, ())
        after.loops = cursor.loops.marked(around, loops.EVENT)
        after.steps += 1
        after.code_index += 1
        return after

    def _branch(
        self, thread: int, cursor: Cursor, after: Cursor, instruction: ins.Branch | ins.Assume
    ) -> Step:
        if self.branches:
            step = self._new(thread, cursor, BRANCH, instruction)
            after.slot += 1
            after.po |= 1 << step.event
        else:
            step = Step(thread, cursor.index, -1, BRANCH, cursor)
            step.instruction = instruction
        after.index += 1
        step.po = cursor.po
        step.decides = True
        step.depends = Dependencies(ctrl=cursor.ctrl)
        condition = bind(instruction.condition, cursor.registers)
        step.value = condition.bound
        step.needs = condition.bound.slots
        after.ctrl |= condition.taint
        after.control |= condition.bound.slots
        if isinstance(instruction, ins.Branch):
            exits = self.loops[step.thread].exits.get(cursor.code_index, ())
            after.loops = after.loops.marked(exits, loops.VARIES)
        else:
            step.rereads = self._rereads(cursor, instruction.rereads)
        step.cursor = after
        return step

    def _fill_load(self, step: Step, cursor: Cursor, after: Cursor, load: ins.Load) -> None:
        step.kind = LOAD
        address = bind(load.address, cursor.registers)
        step.address = address.bound
        step.needs = address.bound.slots
        step.depends = Dependencies(addr=address.taint, ctrl=cursor.ctrl, pick=address.pick)
        if load.guard is not None:
            self._fill_guard(step, cursor, after, load.guard)
        if load.exclusive:
            after.reserve = step
        own = 1 << step.event
        after.set_register(load.register, RegisterValue(EventResult(step.event), own, True))

    def _fill_guard(
        self, step: Step, cursor: Cursor, after: Cursor, guard: ins.Guard
    ) -> RegisterValue:
        """Sets the guard of an await; gives its value, with what the whole guard depends on."""
        value = bind(guard.value, cursor.registers)
        test = ReadTest(guard.op, value.bound)
        if guard.of is not None:
            read = ValueRead()
            known = {**cursor.registers, ins.READ: RegisterValue(read, 0, True)}
            of = bind(guard.of, known)
            test = ReadTest(guard.op, value.bound, of.bound, read)
            pick = (of.pick | value.pick) & ~(of.basic | value.basic)
            value = RegisterValue(value.bound, of.taint | value.taint, True, pick)
        step.guards.append(test)
        step.rereads = self._rereads(cursor, guard.rereads)
        step.needs |= test.slots
        after.ctrl |= value.taint | 1 << step.event
        after.control |= test.slots | 1 << step.event
        return value

    def _rereads(self, cursor: Cursor, rereads: tuple[ins.Reread, ...]) -> Rereads:
        return [
            (bind(each.address, cursor.registers).bound, bind(each.value, cursor.registers).bound)
            for each in rereads
        ]

    # ---- read-modify-writes

    def _fill_rmw(self, step: Step, cursor: Cursor, after: Cursor, rmw: ins.Rmw) -> int:
        """Gives the number of po indices that the step takes."""
        step.kind = RMW
        address, operand = (bind(each, cursor.registers) for each in (rmw.address, rmw.operand))
        step.address = address.bound
        step.needs = address.bound.slots | operand.bound.slots
        data = [operand]
        if rmw.guard is not None:
            data.append(self._fill_guard(step, cursor, after, rmw.guard))
        expected = ZERO
        if rmw.expected is not None:
            expected = bind(rmw.expected, cursor.registers)
            self._fill_expected(step, cursor, after, rmw, expected.bound)
        step.modifies = Modification(rmw.op, rmw.bits, operand.bound, expected.bound)
        if cursor.decided == 0:
            step.kind = LOAD
            step.tags = rmw.tags_without_store
        else:
            step.second = self.numbering.event(step.thread, cursor.slot + 1)
        self._fill_dependencies(step, address, data, expected.taint, cursor.ctrl, after.ctrl)
        self._fill_results(step, cursor, after, rmw, expected)
        if not self.apart:
            return 2
        step.needs = step.address.slots
        for test in step.guards:
            step.needs |= test.slots
        if step.kind == LOAD:
            return 2
        # It becomes its load; what its store needs stays with the step for `second`.
        step.kind = LOAD
        step.second = -1
        after.code_index -= 1
        after.half = step
        return 1

    def _fill_expected(
        self, step: Step, cursor: Cursor, after: Cursor, rmw: ins.Rmw, expected: Bound
    ) -> None:
        """What a cas must have read, or must not have."""
        step.needs |= expected.slots
        step.guess = cursor.decided
        if cursor.decided < 0:
            step.decides = True
            after.control |= 1 << step.event
        elif cursor.decided or not rmw.weak:
            # What a cas expects may be known only after its load, where nothing orders the two.
            guards = step.late if self.apart and expected.slots else step.guards
            guards.append(ReadTest("==" if cursor.decided else "!=", expected))

    def _fill_dependencies(
        self,
        step: Step,
        address: RegisterValue,
        operands: list[RegisterValue],
        expected: int,
        ctrl: int,
        second_ctrl: int,
    ) -> None:
        """Of both events: what the operands depend on is in data to both, and so, by selection, is
        what a cas expects. Except for xchg, the load is in data to the store, for a cas by
        selection."""
        assert step.modifies is not None
        op = step.modifies.op
        data, basic = expected, address.basic
        for operand in operands:
            data |= operand.taint
            basic |= operand.basic
        pick = (address.taint | data) & ~basic
        step.depends = Dependencies(address.taint, data, ctrl, pick)
        own = 1 << step.event
        step.second_depends = Dependencies(
            address.taint,
            data if op == "xchg" else data | own,
            second_ctrl,
            pick | own if op == "cas" else pick,
        )

    def _fill_results(
        self, step: Step, cursor: Cursor, after: Cursor, rmw: ins.Rmw, expected: RegisterValue
    ) -> None:
        """The registers of an rmw."""
        own = 1 << step.event
        result = EventResult(step.event)
        pick = own if rmw.op == "cas" and cursor.decided else 0
        after.set_register(rmw.register, RegisterValue(result, own, True, pick))
        if rmw.expected is not None:
            bound: Bound = Constant(cursor.decided)
            if cursor.decided < 0:
                bound = make_binary("==", result, expected.bound)
            after.set_register(rmw.success, RegisterValue(bound, expected.taint | own, True))

    def second(self, thread: int, cursor: Cursor, load: Step) -> Step:
        """The store of an rmw whose load is a step of its own."""
        assert load.instruction is not None and load.modifies is not None
        step = self._new(thread, cursor, CONDITIONAL, load.instruction)
        step.tags = load.tags
        step.po = cursor.po
        step.amo = True
        step.guess = 1
        step.reserve = load
        step.address = load.address
        depends = load.second_depends
        step.depends = Dependencies(depends.addr, depends.data, cursor.ctrl, depends.pick)
        modifies = load.modifies
        step.value = modifies.operand
        if modifies.op not in ("xchg", "cas"):
            step.value = make_binary(modifies.op, EventResult(load.event), modifies.operand)
            if modifies.bits != values.BITS:
                step.value = make_unary(f"s{modifies.bits}", step.value)
        step.needs = step.address.slots | step.value.slots | 1 << load.event
        after = cursor.copy()
        after.code_index += 1
        after.index += 1
        after.slot += 1
        after.po |= 1 << step.event
        step.cursor = after
        return step

    # ---- stores

    def _fill_store(
        self, step: Step, cursor: Cursor, store: ins.Store | ins.StoreConditional, kind: int
    ) -> None:
        step.kind = kind
        address, value = (bind(each, cursor.registers) for each in (store.address, store.value))
        step.address = address.bound
        step.value = value.bound
        step.needs = address.bound.slots | value.bound.slots
        pick = (address.taint | value.taint) & ~(address.basic | value.basic)
        step.depends = Dependencies(address.taint, value.taint, cursor.ctrl, pick)

    def _fill_conditional(
        self, step: Step, cursor: Cursor, after: Cursor, store: ins.StoreConditional
    ) -> None:
        reserve = cursor.reserve
        assert reserve is not None
        self._fill_store(step, cursor, store, CONDITIONAL)
        step.guess = cursor.decided
        step.reserve = reserve
        step.needs |= 1 << reserve.event
        after.reserve = None
        bound: Bound = Constant(0)
        if cursor.decided < 0:
            step.decides = True
            bound = EventResult(step.event)
            after.control |= 1 << step.event
        depends = step.depends
        taint = depends.addr | depends.data | 1 << reserve.event
        if store.free or store.by_store:
            taint = 1 << step.event if store.by_store else 0
        pick = depends.pick & ~(1 << reserve.event) & taint
        after.set_register(store.status, RegisterValue(bound, taint, True, pick))
