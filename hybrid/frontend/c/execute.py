"""What the instructions of LLVM do, one by one."""

from __future__ import annotations

from typing import assert_never

from hybrid.frontend.c import access, calls
from hybrid.frontend.c.failing import failing_call
from hybrid.frontend.c.library.clocks import either_way, is_time
from hybrid.frontend.c.lifetimes import begin_local, end_locals
from hybrid.frontend.c.operands import (
    bits_of,
    evaluate,
    extract,
    insert,
    instruction_name,
    operand,
    pure,
    scalar,
    select,
)
from hybrid.frontend.c.results import check_result
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import LlvmValue, compare, wrapped
from hybrid.frontend.llvm import module as ll
from hybrid.program.expr import Expr, Register
from hybrid.program.origin import UNREACHABLE


def execute(t: CThread, instruction: ll.LlvmInstruction) -> bool:
    """Executes an instruction. False: the segment ends with it."""
    if isinstance(instruction, ll.Jump):
        return t.go(instruction.target)
    if isinstance(instruction, ll.CondJump):
        return _branch(t, instruction)
    if isinstance(instruction, ll.SwitchInst):
        return _switch(t, instruction)
    if isinstance(instruction, ll.Return):
        value: LlvmValue = 0
        if instruction.value is not None:
            value = operand(t, instruction.value)
        check_result(t, value)
        end_locals(t)
        if t.leave(value):
            return True
        return calls.thread_returns(t, value)
    if isinstance(instruction, ll.Unreachable):
        t.fail(UNREACHABLE, "code that the compiler takes to be unreachable is reached")
        return False
    if isinstance(instruction, ll.CallInst):
        return calls.call(t, instruction)
    if isinstance(instruction, ll.Unknown):
        raise t.refuse(instruction_name(instruction.opcode))
    if not isinstance(instruction, ll.Phi):
        _compute(t, instruction)
    t.state.top.step()
    return True


_Computing = (
    ll.Alloca
    | ll.LoadInst
    | ll.StoreInst
    | ll.Cmpxchg
    | ll.AtomicRmw
    | ll.FenceInst
    | ll.Gep
    | ll.BinaryInst
    | ll.CompareInst
    | ll.Cast
    | ll.SelectInst
    | ll.ExtractValue
    | ll.InsertValue
)


def _compute(t: CThread, each: _Computing) -> None:
    """An instruction after which the next one comes."""
    names = t.state.top.locals
    if isinstance(each, ll.Alloca):
        names[each.result] = begin_local(t, each)
    elif isinstance(each, ll.LoadInst):
        names[each.result] = access.load(t, each)
    elif isinstance(each, ll.StoreInst):
        access.store(t, each)
    elif isinstance(each, ll.Cmpxchg):
        names[each.result] = access.compare_exchange(t, each)
    elif isinstance(each, ll.AtomicRmw):
        names[each.result] = access.read_modify_write(t, each)
    elif isinstance(each, ll.FenceInst):
        if not each.single_thread:
            access.fence(t, each.order)
    elif isinstance(each, ll.ExtractValue):
        names[each.result] = extract(operand(t, each.aggregate), each.indices)
    elif isinstance(each, ll.InsertValue):
        whole = operand(t, each.aggregate)
        part = operand(t, each.element)
        names[each.result] = insert(t, whole, each.aggregate.type, part, each.indices)
    elif isinstance(each, ll.SelectInst):
        names[each.result] = t.settle(select(t, each))
    elif isinstance(each, ll.Gep | ll.BinaryInst | ll.CompareInst | ll.Cast):
        names[each.result] = t.settle(pure(t, each))
    else:
        assert_never(each)


# ---- ways


def _branch(t: CThread, each: ll.CondJump) -> bool:
    condition = scalar(t, each.condition)
    if not isinstance(condition, int):
        for failing, other, holds in (
            (each.no, each.yes, condition),
            (each.yes, each.no, compare("eq", condition, 0, 1)),
        ):
            found = failing_call(t, failing)
            if found is not None:
                kind, message = found
                t.check(holds, kind, message)
                return t.go(other)
        if _takes_over(t, condition, each):
            return t.go(each.yes)
        if is_time(condition):
            condition = either_way(t)
    return t.part(condition, each.yes, each.no)


def _takes_over(t: CThread, condition: Expr, each: ll.CondJump) -> bool:
    """The way in which C compares and exchanges: if it fails, the old value is put where the
    expected one was. Where that is private memory this is done in any case, without a branch: if it
    has stored, the two are equal."""
    block = t.state.top.flow.function.blocks[each.no]
    if not isinstance(condition, Register) or condition.name not in t.exchanges or len(block) != 2:
        return False
    store, jump = block
    if not isinstance(store, ll.StoreInst) or jump != ll.Jump(each.yes, jump.place):
        return False
    old, expected = t.exchanges[condition.name]
    pointer, value = scalar(t, store.pointer), scalar(t, store.value)
    size = t.world.layout.size(store.value.type)
    if value != old or access.own_object(t, pointer, size) is None:
        return False
    assert isinstance(pointer, int)
    if t.state.memory.get(pointer) != (size, expected):
        return False
    access.store_cell(t, pointer, size, old)
    return True


def _switch(t: CThread, each: ll.SwitchInst) -> bool:
    value = scalar(t, each.value)
    bits = bits_of(t, each.value.type)
    targets = {each.default, *(target for _, target in each.cases)}
    t.passes_exit(isinstance(value, int), targets)
    if isinstance(value, int):
        for number, target in each.cases:
            if wrapped(number, bits) == value:
                return t.go(target)
        return t.go(each.default)
    tried = len(t.state.top.choice)
    if tried and t.state.top.choice[-1] == "yes":
        return t.part(1, each.cases[tried - 1][1], each.default)
    if tried < len(each.cases):
        wanted = wrapped(each.cases[tried][0], bits)
        return t.fork(compare("eq", value, wanted, bits), "yes", "no")
    return t.go(each.default)


class LlvmMeaning:
    """What threads are lowered by."""

    def execute(self, t: CThread, instruction: ll.LlvmInstruction) -> bool:
        return execute(t, instruction)

    def evaluate(self, t: CThread, value: ll.Value, type: ll.Type) -> LlvmValue:
        return evaluate(t, value, type)
