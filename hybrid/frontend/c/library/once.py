"""pthread_once and call_once."""

from __future__ import annotations

from hybrid.frontend.c import access
from hybrid.frontend.c.library.entry import Arguments, Going, LibraryFunction, known, number
from hybrid.frontend.c.library.waiting import is_own, sleep_for_ever, take, value_of
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import LlvmValue, Scalar, constant
from hybrid.frontend.llvm.module import CallInst
from hybrid.program import instructions as ins

_CALLING, _CALLED = 1, 2  # what the control holds; 0: nobody has come


def once(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue | Going:
    return run_once(t, number(t, arguments[0]), 4, _CALLED, arguments[1], [])


def run_once(
    t: CThread, control: Scalar, size: int, done: int, function: LlvmValue, arguments: Arguments
) -> LlvmValue | Going:
    """The first one to come calls the function, and sets the control to `done`; the others wait for
    that, which adds no trace."""
    choice = t.state.top.choice
    if not choice:
        guard = ins.Guard(t.span(), "!=", constant(_CALLING))
        message = "waits for the call that happens once"
        if is_own(t, control) and value_of(t, control, size) == _CALLING:
            sleep_for_ever(t, message)  # for a call that itself is in
        won = take(t, control, 0, _CALLING, guard, message, size)
        if not t.fork(won, "first", "later"):
            return Going.PARTED
        choice = t.state.top.choice
    if choice[-1] == "first":
        code = t.world.functions.get(known(t, function, "a function"))
        if code is None or not code.blocks:
            raise t.refuse("a function that is to be called once and is not defined here")
        t.state.top.choice = (*choice, "called")
        t.push(code, arguments, "", "", again=True)
        return Going.INTO
    if choice[-1] == "called":
        access.store_cell(t, control, size, done, "release")
    return 0


FUNCTIONS: dict[str, LibraryFunction] = {"pthread_once": once, "call_once": once}
