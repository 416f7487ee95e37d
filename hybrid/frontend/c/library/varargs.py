"""Functions that take any number of arguments, and how they get at them: stdarg.h.

A va_list of x86-64 says how many bytes of the arguments that came in registers are used up, and
where the others are. Here all of them are among the others: in an object of the function, each in 8
bytes.
"""

from __future__ import annotations

from hybrid.frontend.c import access
from hybrid.frontend.c.library.entry import Arguments, number
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import Aggregate, LlvmValue, Unset, binary
from hybrid.frontend.llvm.module import CallInst
from hybrid.program.origin import STACK

_SLOT = 8  # bytes of an argument
# The fields of a va_list, by offset, with their sizes: integers and floating point in registers
# that are used up (all), the next of the other arguments, and those in registers (none).
_INTEGERS, _FLOATS, _NEXT, _REGISTERS = (0, 4), (4, 4), (8, 8), (16, 8)
_ALL_INTEGERS, _ALL_FLOATS = 48, 176


def va_start(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    top = t.state.top
    found = t.world.space.add(
        ("arguments", t.key, top.path, top.flow.function.name, len(top.rest)),
        f"arguments of {top.flow.function.name}",
        _SLOT * len(top.rest),
        STACK,
        owner=t.key,
        thread=t.name,
    )
    for place, (size, value) in enumerate(top.rest):
        if size > _SLOT or isinstance(value, Aggregate):
            raise t.refuse("a struct among a variable number of arguments")
        if not isinstance(value, Unset):
            access.store_cell(t, found.address + _SLOT * place, size, value)
    going = number(t, arguments[0])
    fields = {_INTEGERS: _ALL_INTEGERS, _FLOATS: _ALL_FLOATS, _NEXT: found.address, _REGISTERS: 0}
    for (offset, size), value in fields.items():
        access.store_cell(t, binary("+", going, offset), size, value)
    return 0


def va_copy(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    target, source = (number(t, each) for each in arguments[:2])
    for offset, size in (_INTEGERS, _FLOATS, _NEXT, _REGISTERS):
        value = access.load_cell(t, binary("+", source, offset), size)
        access.store_cell(t, binary("+", target, offset), size, value)
    return 0
