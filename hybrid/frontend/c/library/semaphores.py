"""Semaphores of POSIX: the first cell has their count."""

from __future__ import annotations

from hybrid.frontend.c import access
from hybrid.frontend.c.library.entry import Arguments, Going, LibraryFunction, nothing, number
from hybrid.frontend.c.library.waiting import (
    EAGAIN,
    ETIMEDOUT,
    errno,
    is_own,
    name_of,
    sleep_for_ever,
    value_of,
)
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import LlvmValue, as_expr, binary, compare
from hybrid.frontend.llvm.module import CallInst
from hybrid.program import instructions as ins

_SEEN = "a semaphore's count"  # a fact, between two looks


def init(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    access.store_cell(t, number(t, arguments[0]), 4, arguments[2])
    return 0


def wait(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    semaphore = number(t, arguments[0])
    message = f"waits for the semaphore {name_of(t, semaphore)}"
    if is_own(t, semaphore):
        count = value_of(t, semaphore)
        if not isinstance(count, int):
            raise t.refuse("a semaphore of one thread whose count depends on memory")
        if count <= 0:
            sleep_for_ever(t, message)
    guard = ins.Guard(t.span(), ">", as_expr(0))
    access.rmw_cell(t, semaphore, 4, "-", 1, "acquire", used=False, guard=guard, message=message)
    return 0


def post(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    access.rmw_cell(t, number(t, arguments[0]), 4, "+", 1, "release", used=False)
    return 0


def try_wait(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue | Going:
    return _try(t, arguments, EAGAIN)


def timed_wait(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue | Going:
    return _try(t, arguments, ETIMEDOUT)


def _try(t: CThread, arguments: Arguments, failure: int) -> LlvmValue | Going:
    """Looks first; where there is something to take, takes it. A run in which the count has changed
    in between is another one. Waiting until a time is the same."""
    semaphore = number(t, arguments[0])
    choice = t.state.top.choice
    if not choice:
        seen = value_of(t, semaphore)
        t.state.facts[_SEEN] = seen
        if not t.fork(compare("sgt", seen, 0, 64), "some", "none"):
            return Going.PARTED
        choice = t.state.top.choice
    seen = number(t, t.state.facts.pop(_SEEN))
    if choice[-1] == "none":
        access.store_cell(t, errno(t), 4, failure)
        return -1
    rest = binary("-", seen, 1)
    if is_own(t, semaphore):
        access.store_cell(t, semaphore, 4, rest)
        return 0
    orders = ("acquire", "monotonic")
    _, stored = access.cas_cell(t, semaphore, 4, seen, rest, orders, False)
    t.assume(stored)
    return 0


def get_value(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    access.store_cell(t, number(t, arguments[1]), 4, value_of(t, number(t, arguments[0])))
    return 0


FUNCTIONS: dict[str, LibraryFunction] = {
    "sem_init": init,
    "sem_wait": wait,
    "sem_post": post,
    "sem_trywait": try_wait,
    "sem_timedwait": timed_wait,
    "sem_clockwait": timed_wait,
    "sem_getvalue": get_value,
    "sem_destroy": nothing,
}
