"""Read-write locks: the first cell has how many read, or that one writes."""

from __future__ import annotations

from hybrid.frontend.c import access
from hybrid.frontend.c.library.entry import Arguments, Going, LibraryFunction, nothing, number
from hybrid.frontend.c.library.mutexes import attribute_init
from hybrid.frontend.c.library.waiting import (
    EBUSY,
    ETIMEDOUT,
    held,
    is_own,
    is_sure,
    name_of,
    note_held,
    sleep_for_ever,
    take,
    value_of,
)
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import LlvmValue, Scalar, as_expr, binary, compare
from hybrid.frontend.llvm.module import CallInst
from hybrid.program import instructions as ins
from hybrid.program.origin import LOCKING

WRITER = -1  # what a lock holds that is locked for writing
READING, WRITING = "reading", "writing"
_SEEN = "a lock's readers"  # a fact, between two looks


def _add(t: CThread, how: str, lock: Scalar, count: Scalar) -> None:
    note_held(t, how, lock, binary("+", held(t, how, lock), count))


def _wait(t: CThread, lock: Scalar, op: str, value: Scalar, relation: str) -> None:
    """A read-modify-write that waits until the lock stands in that relation to 0."""
    message = f"waits for the lock {name_of(t, lock)}"
    if is_own(t, lock):
        now = value_of(t, lock)
        if not isinstance(now, int):
            raise t.refuse("a lock of one thread of which it depends on memory whether it is taken")
        if now < 0 or (relation == "==" and now):
            sleep_for_ever(t, message)
    guard = ins.Guard(t.span(), relation, as_expr(0))
    access.rmw_cell(t, lock, 4, op, value, "acquire", used=False, guard=guard, message=message)


def read_lock(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    lock = number(t, arguments[0])
    _wait(t, lock, "+", 1, ">=")
    _add(t, READING, lock, 1)
    return 0


def write_lock(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    lock = number(t, arguments[0])
    _wait(t, lock, "xchg", WRITER, "==")
    note_held(t, WRITING, lock, 1)
    return 0


def trying_to_write(failure: int) -> LibraryFunction:
    def try_lock(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
        lock = number(t, arguments[0])
        success = take(t, lock, 0, WRITER)
        _add(t, WRITING, lock, success)
        return binary("*", compare("eq", success, 0, 64), failure)

    return try_lock


def trying_to_read(failure: int) -> LibraryFunction:
    """Looks first; where nobody writes, one more reads now. A run in which the lock has changed in
    between is another one."""

    def try_lock(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue | Going:
        lock = number(t, arguments[0])
        choice = t.state.top.choice
        if not choice:
            seen = value_of(t, lock)
            t.state.facts[_SEEN] = seen
            if not t.fork(compare("sge", seen, 0, 64), "free", "taken"):
                return Going.PARTED
            choice = t.state.top.choice
        seen = number(t, t.state.facts.pop(_SEEN))
        if choice[-1] == "taken":
            return failure
        if is_own(t, lock):
            access.store_cell(t, lock, 4, binary("+", seen, 1))
        else:
            orders = ("acquire", "monotonic")
            _, stored = access.cas_cell(t, lock, 4, seen, binary("+", seen, 1), orders, False)
            t.assume(stored)
        _add(t, READING, lock, 1)
        return 0

    return try_lock


def unlock(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue | Going:
    lock = number(t, arguments[0])
    choice = t.state.top.choice
    if not choice:
        writes, reads = held(t, WRITING, lock), held(t, READING, lock)
        wrong = f"{name_of(t, lock)} is not held by this thread"
        if is_sure(t, lock):
            if writes == 0 and reads == 0:
                t.check(0, LOCKING, wrong)
                return 1
            holds = binary("|", compare("ne", writes, 0, 64), compare("sgt", reads, 0, 64))
            t.check(holds, LOCKING, wrong)
        else:
            now = value_of(t, lock)
            t.check(compare("ne", now, 0, 64), LOCKING, wrong)
            writes = compare("slt", now, 0, 64)
        if not t.fork(compare("ne", writes, 0, 64), "writing", "reading"):
            return Going.PARTED
        choice = t.state.top.choice
    if choice[-1] == "reading":
        access.rmw_cell(t, lock, 4, "-", 1, "release", used=False)
        _add(t, READING, lock, -1)
    else:
        access.store_cell(t, lock, 4, 0, "release")
        note_held(t, WRITING, lock, 0)
    return 0


FUNCTIONS: dict[str, LibraryFunction] = {
    "pthread_rwlock_init": attribute_init,
    "pthread_rwlock_destroy": nothing,
    "pthread_rwlockattr_init": nothing,
    "pthread_rwlockattr_destroy": nothing,
    "pthread_rwlockattr_setpshared": nothing,
    "pthread_rwlock_rdlock": read_lock,
    "pthread_rwlock_wrlock": write_lock,
    "pthread_rwlock_tryrdlock": trying_to_read(EBUSY),
    "pthread_rwlock_trywrlock": trying_to_write(EBUSY),
    "pthread_rwlock_timedrdlock": trying_to_read(ETIMEDOUT),
    "pthread_rwlock_timedwrlock": trying_to_write(ETIMEDOUT),
    "pthread_rwlock_unlock": unlock,
}
