"""What functions return. To fall out of a function that should return something is right in C as
long as nobody uses what it returns."""

from __future__ import annotations

from hybrid.frontend.c import private
from hybrid.frontend.c.captions import source_name
from hybrid.frontend.c.operands import scalar
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import LlvmValue, Unset, compare
from hybrid.frontend.llvm import module as ll
from hybrid.program.expr import Register
from hybrid.program.origin import UNINITIALISED, UNSET


def is_only_returned(t: CThread, each: ll.LoadInst) -> bool:
    """Whether a load is of what a function returns; to give it back is no use of it. (A struct of
    which parts are set is another matter.)"""
    top, memory = t.state.top, t.state.memory
    following = top.code[top.index + 1]
    value = following.value.value if isinstance(following, ll.Return) and following.value else None
    source = each.pointer.value
    if value != ll.Local(each.result) or not isinstance(source, ll.Local):
        return False
    unnamed = source.name not in top.flow.function.variables
    pointer, size = scalar(t, each.pointer), t.world.layout.size(each.type)
    if source.name not in top.flow.allocas or not unnamed or not isinstance(pointer, int):
        return False
    whole = pointer in memory and memory[pointer][0] == size
    return whole or not private.pieces_in(memory, pointer, size)


def check_result(t: CThread, value: LlvmValue) -> None:
    """Checks that what the caller of a function uses is given back by it."""
    if len(t.state.stack) < 2:
        return
    ended, caller = t.state.stack[-1], t.state.stack[-2]
    if ended.result in caller.flow.used:
        wrong = f"what {source_name(ended.flow.function)} returns was never set, and is used"
        if isinstance(value, Unset):
            t.check(0, UNINITIALISED, wrong)
        elif isinstance(value, Register) and value.name in t.unsure:
            t.check(compare("ne", value, UNSET, 64), UNINITIALISED, wrong)
