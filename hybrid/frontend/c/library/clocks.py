"""The time. What a clock says is not known, so it may only be computed with, and be handed on to
functions that wait until then; a branch on it may go either way. Anything else is refused.

A time is a register that nothing sets. Which registers hold something that is computed from one is
found out here, once the code of a thread is made (`refuse_uses`).
"""

from __future__ import annotations

from collections.abc import Sequence

from hybrid.errors import Unsupported
from hybrid.frontend.c import access
from hybrid.frontend.c.emitter import CLOCK
from hybrid.frontend.c.library.entry import Arguments, LibraryFunction, number
from hybrid.frontend.c.library.verifier import any_of
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import LlvmValue, Scalar, binary, register
from hybrid.frontend.llvm.module import CallInst
from hybrid.program import instructions as ins
from hybrid.program.expr import registers


def _now(t: CThread) -> Scalar:
    return register(t.fresh(CLOCK))


def is_time(value: Scalar) -> bool:
    """Whether a value is computed from what a clock says, as far as can be seen."""
    return not isinstance(value, int) and any(each.startswith(CLOCK) for each in registers(value))


def either_way(t: CThread) -> Scalar:
    """A truth that stands for one that depends on the time."""
    return any_of(t, 0, 1)


def _two(t: CThread, pointer: Scalar) -> None:
    """Puts seconds and what is left behind a pointer."""
    for offset in (0, 8):
        access.store_cell(t, binary("+", pointer, offset), 8, _now(t))


def clock_gettime(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    _two(t, number(t, arguments[1]))
    return 0


def timespec_get(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    _two(t, number(t, arguments[0]))
    return arguments[1]


def gettimeofday(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    _two(t, number(t, arguments[0]))
    return 0


def now(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    return _now(t)


def time(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    found = _now(t)
    pointer = number(t, arguments[0])
    if pointer != 0:
        access.store_cell(t, pointer, 8, found)
    return found


def refuse_uses(code: Sequence[ins.Instruction]) -> None:
    """Refuses code that does more with the time than to compute with it."""
    tainted: set[str] = set()
    size = -1
    while size != len(tainted):
        size = len(tainted)
        for each in code:
            if isinstance(each, ins.Assign | ins.Select) and _uses_time(each, tainted):
                tainted.add(each.register)
    for each in code:
        if not isinstance(each, ins.Assign | ins.Select) and _uses_time(each, tainted):
            raise Unsupported("unsupported: something that depends on the time", each.span)


def _uses_time(each: ins.Instruction, tainted: set[str]) -> bool:
    return any(name.startswith(CLOCK) or name in tainted for name in each.uses)


FUNCTIONS: dict[str, LibraryFunction] = {
    "clock_gettime": clock_gettime,
    "timespec_get": timespec_get,
    "gettimeofday": gettimeofday,
    "time": time,
    "clock": now,
    "_ZNSt3__16chrono12steady_clock3nowEv": now,
    "_ZNSt3__16chrono12system_clock3nowEv": now,
    "_ZNSt6chrono3_V212steady_clock3nowEv": now,
    "_ZNSt6chrono3_V212system_clock3nowEv": now,
}
