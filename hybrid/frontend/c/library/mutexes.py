"""Mutexes of POSIX and of C11, and spin locks.

The first cell of a mutex has the thread that holds it; memory full of zeros is a fresh one. A lock
is a read-modify-write that waits (its guard), so that a thread that has to wait adds no trace. What
a thread holds is known where the address of the lock is, and then an unlock needs no look at it.

To wait until a time is to try: whoever gets the lock before that time tries when it is free, and
whoever does not, when it is not.
"""

from __future__ import annotations

from hybrid.frontend.c import access, copying
from hybrid.frontend.c.library.entry import Arguments, LibraryFunction, known, nothing, number
from hybrid.frontend.c.library.waiting import (
    EBUSY,
    EDEADLK,
    EPERM,
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
from hybrid.frontend.c.lifetimes import runs_alone
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import Aggregate, LlvmValue, Scalar, Unset, as_expr, binary, compare
from hybrid.frontend.llvm.module import CallInst
from hybrid.program import instructions as ins
from hybrid.program.origin import DESTROYED, LOCKING

RECURSIVE, ERROR_CHECKING = 1, 2  # PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK
BUSY, TIMED_OUT = 1, 4  # thrd_busy, thrd_timedout
_KINDS = 3  # the bits of pthread's mutex kind that matter
_C11_RECURSIVE = 1  # the bit of mtx_recursive
_KIND = 16  # the offset of a mutex's kind
_GONE = -1  # what the first cell of a mutex holds that was destroyed
HELD = "held"
GONE = "destroyed"  # a fact


def _me(t: CThread) -> int:
    """What a mutex holds that the thread has locked."""
    return t.number + 1


# ---- making them


def _init(t: CThread, lock: Scalar, kind: LlvmValue) -> None:
    """The kind is no part of memory that threads look at: it is known, or unknown for good."""
    _fresh(t, lock)
    if kind == 0:
        return
    if not isinstance(lock, int) or not isinstance(kind, int):
        raise t.refuse("a mutex whose kind depends on what memory holds")
    t.world.learnt.kinds[lock] = kind & _KINDS


def _fresh(t: CThread, lock: Scalar) -> None:
    access.store_cell(t, lock, 4, 0)
    t.state.facts.pop((GONE, lock), None)


def spin_init(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    _fresh(t, number(t, arguments[0]))
    return 0


def mutex_init(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    kind: LlvmValue = 0
    attributes = number(t, arguments[1])
    if attributes != 0:
        kind = access.load_cell(t, attributes, 4, checked=False)
    _init(t, number(t, arguments[0]), 0 if isinstance(kind, Unset) else kind)
    return 0


def init_recursive(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    """Of C++."""
    _init(t, number(t, arguments[0]), RECURSIVE)
    return 0


def mtx_init(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    kind = known(t, arguments[1], "the kind of a mutex")
    _init(t, number(t, arguments[0]), RECURSIVE if kind & _C11_RECURSIVE else 0)
    return 0


def attribute_init(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    access.store_cell(t, number(t, arguments[0]), 4, 0)
    return 0


def attribute_kind(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    access.store_cell(t, number(t, arguments[0]), 4, arguments[1])
    return 0


def attribute_shared(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    """Between processes or not: there is one here."""
    return 0


def _kind(t: CThread, lock: Scalar) -> int:
    """0, RECURSIVE or ERROR_CHECKING: as it was made, or as it was in the beginning."""
    kinds = t.world.learnt.kinds
    if not isinstance(lock, int):
        if kinds:
            raise t.refuse("a mutex of unknown kind, in a program where some are recursive")
        return 0
    where = lock + _KIND
    if lock in kinds or t.world.space.holding(where, 4) is None:
        return kinds.get(lock, 0)
    found = copying.known_bytes(t, where, 1)
    return found[0] & _KINDS if found is not None else 0


def _own_count(t: CThread, lock: Scalar, kind: int) -> int:
    """How often a thread holds a mutex of a kind that counts."""
    if not kind:
        return 0
    count = held(t, HELD, lock)
    if not isinstance(count, int):
        raise t.refuse(
            "a recursive or error-checking mutex of which it depends on memory whether the thread "
            "holds it"
        )
    return count


# ---- locking


def _usable(t: CThread, argument: LlvmValue) -> Scalar:
    """A mutex that is to be used; it is checked that this thread has not destroyed it."""
    lock = number(t, argument)
    gone = t.state.facts.get((GONE, lock), 0)
    assert not isinstance(gone, Unset | Aggregate)
    t.check(compare("eq", gone, 0, 64), DESTROYED, f"{name_of(t, lock)} was destroyed before")
    return lock


def mutex_lock(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    lock = _usable(t, arguments[0])
    kind = _kind(t, lock)
    count = _own_count(t, lock, kind)
    if count and kind == ERROR_CHECKING:
        return EDEADLK
    if count:
        note_held(t, HELD, lock, count + 1)
        return 0
    acquire(t, lock)
    return 0


def spin_lock(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    acquire(t, _usable(t, arguments[0]))
    return 0


def acquire(t: CThread, lock: Scalar) -> None:
    message = f"waits for the lock {name_of(t, lock)}"
    if is_own(t, lock):
        holder = value_of(t, lock)
        if not isinstance(holder, int):
            raise t.refuse("a lock of one thread of which it depends on memory whether it is taken")
        if holder:
            sleep_for_ever(t, message)
    guard = ins.Guard(t.span(), "==", as_expr(0))
    access.rmw_cell(t, lock, 4, "xchg", _me(t), "acquire", used=False, guard=guard, message=message)
    note_held(t, HELD, lock, 1)


def trying(failure: int, counts: bool = True) -> LibraryFunction:
    """Takes a lock or gives the failure."""

    def try_lock(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
        lock = _usable(t, arguments[0])
        kind = _kind(t, lock) if counts else 0
        count = _own_count(t, lock, kind)
        if count and kind == RECURSIVE:
            note_held(t, HELD, lock, count + 1)
            return 0
        if count and failure == ETIMEDOUT:
            return EDEADLK
        before = held(t, HELD, lock)
        success = take(t, lock, 0, _me(t))
        note_held(t, HELD, lock, success if before == 0 else before)
        return binary("*", compare("eq", success, 0, 64), failure)

    return try_lock


# ---- unlocking


def mutex_unlock(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    lock = number(t, arguments[0])
    kind = _kind(t, lock)
    count = _own_count(t, lock, kind)
    if count > 1:
        note_held(t, HELD, lock, count - 1)
        return 0
    if kind and not count and is_sure(t, lock):
        return EPERM
    return _unlock(t, lock)


def spin_unlock(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    return _unlock(t, number(t, arguments[0]))


def _unlock(t: CThread, lock: Scalar) -> LlvmValue:
    if not must_hold(t, lock):
        return EPERM
    release(t, lock)
    return 0


def must_hold(t: CThread, lock: Scalar) -> bool:
    """Checks that the thread holds a mutex; False where it does not for sure."""
    wrong = f"{name_of(t, lock)} is not held by this thread"
    count = held(t, HELD, lock)
    if is_sure(t, lock):
        t.check(compare("ne", count, 0, 64), LOCKING, wrong)
        return count != 0
    if count != 1:
        t.check(compare("eq", value_of(t, lock), _me(t), 64), LOCKING, wrong)
    return True


def release(t: CThread, lock: Scalar) -> None:
    access.store_cell(t, lock, 4, 0, "release")
    note_held(t, HELD, lock, 0)


def mutex_destroy(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    """Nobody is to use it any more. Where others may run this is a plain write, which conflicts
    with every use of it."""
    lock = _usable(t, arguments[0])
    if is_sure(t, lock):
        count = held(t, HELD, lock)
        wrong = f"{name_of(t, lock)} is destroyed while it is held"
        t.check(compare("eq", count, 0, 64), DESTROYED, wrong)
    if isinstance(lock, int):
        t.state.facts[GONE, lock] = 1
    if t.state.shares and not is_own(t, lock) and not runs_alone(t):
        holder = value_of(t, lock)
        wrong = f"{name_of(t, lock)} is destroyed while another thread holds it"
        t.check(compare("sle", holder, 0, 64), DESTROYED, wrong)
        access.store_cell(t, lock, 4, _GONE)
    return 0


_MAKING: dict[str, LibraryFunction] = {
    "pthread_mutex_init": mutex_init,
    "pthread_mutexattr_init": attribute_init,
    "pthread_mutexattr_settype": attribute_kind,
    "pthread_mutexattr_setpshared": attribute_shared,
    "pthread_mutexattr_destroy": nothing,
    "pthread_spin_init": spin_init,
    "mtx_init": mtx_init,
}
_TAKING: dict[str, LibraryFunction] = {
    "pthread_mutex_lock": mutex_lock,
    "pthread_mutex_trylock": trying(EBUSY),
    "pthread_mutex_timedlock": trying(ETIMEDOUT),
    "pthread_mutex_clocklock": trying(ETIMEDOUT),
    "pthread_spin_lock": spin_lock,
    "pthread_spin_trylock": trying(EBUSY, counts=False),
    "mtx_lock": mutex_lock,
    "mtx_trylock": trying(BUSY),
    "mtx_timedlock": trying(TIMED_OUT),
}
FUNCTIONS: dict[str, LibraryFunction] = {
    **_MAKING,
    **_TAKING,
    "pthread_mutex_unlock": mutex_unlock,
    "pthread_mutex_destroy": mutex_destroy,
    "pthread_spin_unlock": spin_unlock,
    "pthread_spin_destroy": mutex_destroy,
    "mtx_unlock": mutex_unlock,
    "mtx_destroy": mutex_destroy,
}
