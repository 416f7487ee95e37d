"""Condition variables of POSIX and of C11.

Where all that wait are woken (broadcasts alone, or one thread that waits) a condition is a count of
the signals, and who waits waits for another count. Elsewhere each thread that may wait has a cell
that says so, which the one that wakes it resets. A signal wakes any one of those that wait, or all
of them: POSIX allows for more than one, and a program that takes every signal to be its own goes
wrong then. Which ones is decided by weak compare-exchanges, so that there is nothing to decide, and
no trace more, where one waits or nobody. All this happens as one: under the mutex with which they
wait, or else under a lock of the condition's own.
"""

from __future__ import annotations

from dataclasses import dataclass

from hybrid.frontend.c import access
from hybrid.frontend.c.library.entry import Arguments, Going, LibraryFunction, nothing, number
from hybrid.frontend.c.library.mutexes import (
    HELD,
    TIMED_OUT,
    acquire,
    must_hold,
    release,
)
from hybrid.frontend.c.library.waiting import (
    EPERM,
    ETIMEDOUT,
    held,
    is_sure,
    name_of,
    sleep_until,
    value_of,
)
from hybrid.frontend.c.space import ThreadKey
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import LlvmValue, Scalar, as_expr, binary, compare
from hybrid.frontend.c.world import ConditionUse
from hybrid.frontend.llvm.module import CallInst
from hybrid.program import instructions as ins
from hybrid.program.origin import INTERNAL

_SIZE = 8  # of all cells here: so large is the first number in a condition variable
_WAITS = "waits for the signal"  # facts, with a number: whether that thread does
# How a signal goes on, having looked at some of the threads that may wait: none of them waits; some
# do and are left waiting; the first that waits is woken; this one is, being the last; all are; it
# is over.
_NONE, _LEFT, _FIRST, _LAST, _ALL, _DONE = "none", "left", "first", "last", "all", "done"


@dataclass(frozen=True, slots=True)
class _Step:
    """What a signal does next."""

    at: int  # the number of the thread that is next
    how: str
    found: bool = False  # that thread waits
    decides: bool = False  # and so does one behind it: it may be woken or not


def condition_init(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    access.store_cell(t, number(t, arguments[0]), _SIZE, 0)
    return 0


# ---- who waits where, as far as is known


def _use(t: CThread, condition: Scalar) -> ConditionUse:
    """How a condition is used. None: one whose address is not known; then any may be meant."""
    key = condition if isinstance(condition, int) else None
    return t.world.learnt.conditions.setdefault(key, ConditionUse())


def _all_uses(t: CThread, condition: Scalar) -> list[ConditionUse]:
    uses = t.world.learnt.conditions
    return list(uses.values()) if None in uses else [_use(t, condition)]


def _waiting(t: CThread, condition: Scalar) -> list[ThreadKey]:
    """The threads that may wait."""
    return list(dict.fromkeys(key for use in _all_uses(t, condition) for key in use.waiting))


def _wakes_one(t: CThread, condition: Scalar) -> bool:
    """Whether it matters that a signal wakes one thread alone."""
    signalled = any(use.signalled for use in _all_uses(t, condition))
    return signalled and len(_waiting(t, condition)) > 1


def _cell(t: CThread, condition: Scalar, key: ThreadKey) -> int:
    """The cell of a thread that may wait; where addresses are not known it has one for all
    conditions."""
    known = condition if None not in t.world.learnt.conditions else None
    name = name_of(t, condition) if known is not None else "a condition"
    shown = f"{t.name} at {name}" if key == t.key else f"a thread at {name}"
    return t.world.space.add(("waits", known, key), shown, _SIZE, INTERNAL, zeroed=True).address


def _mark(t: CThread, condition: Scalar) -> Scalar:
    """What the cell of a thread holds that waits."""
    return condition if None in t.world.learnt.conditions else 1


def _shown(t: CThread, condition: Scalar) -> str:
    known = isinstance(condition, int)
    return f"the condition {name_of(t, condition)}" if known else "a condition variable"


# ---- as one


def _is_open(t: CThread, condition: Scalar) -> bool:
    """Whether the mutex with which threads wait does not keep others off."""
    uses = _all_uses(t, condition)
    return len(uses) > 1 or uses[0].open or len(uses[0].mutexes) > 1


def _enter(t: CThread, condition: Scalar) -> None:
    if _is_open(t, condition):
        guard = ins.Guard(t.span(), "==", as_expr(0))
        message = f"waits for others to be done with {_shown(t, condition)}"
        access.rmw_cell(
            t, condition, _SIZE, "xchg", 1, "acquire", used=False, guard=guard, message=message
        )


def _leave(t: CThread, condition: Scalar) -> None:
    if _is_open(t, condition):
        access.store_cell(t, condition, _SIZE, 0, "release")


def _note_mutex(t: CThread, condition: Scalar) -> None:
    """A signal: notes whether the mutex with which threads wait is held."""
    use = _use(t, condition)
    for mutex in use.mutexes:
        if mutex is None or held(t, HELD, mutex) != 1 or not is_sure(t, mutex):
            use.open = True


# ---- waiting


def _begins(t: CThread, condition: Scalar, lock: Scalar) -> Scalar:
    """A thread begins to wait: the count that it has seen, or what its cell holds until it is
    woken."""
    use = _use(t, condition)
    use.waiting.setdefault(t.key)
    use.mutexes.add(lock if isinstance(lock, int) else None)
    if not _wakes_one(t, condition):
        return value_of(t, condition, _SIZE)
    mark = _mark(t, condition)
    _sets(t, condition, mark)
    return mark


def _sets(t: CThread, condition: Scalar, value: Scalar) -> None:
    _enter(t, condition)
    access.store_cell(t, _cell(t, condition, t.key), _SIZE, value, "monotonic")
    _leave(t, condition)


def wait(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    condition, lock = number(t, arguments[0]), number(t, arguments[1])
    if not must_hold(t, lock):
        return EPERM
    seen = _begins(t, condition, lock)
    release(t, lock)
    message = f"waits for {_shown(t, condition)}"
    where = _cell(t, condition, t.key) if _wakes_one(t, condition) else condition
    sleep_until(t, where, "!=", seen, message, _SIZE)
    acquire(t, lock)
    return 0


def waiting_until(failure: int) -> LibraryFunction:
    """Looks once, at whatever time: nobody has given a signal by then, or somebody has. A signal
    that comes after that may still be meant for it, and is lost."""

    def timed_wait(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
        condition, lock = number(t, arguments[0]), number(t, arguments[1])
        if not must_hold(t, lock):
            return EPERM
        seen = _begins(t, condition, lock)
        release(t, lock)
        if not t.state.shares:
            t.share()
        one = _wakes_one(t, condition)
        where: Scalar = _cell(t, condition, t.key) if one else condition
        now = access.load_cell(t, where, _SIZE, "acquire", checked=False, keeps=True)
        acquire(t, lock)
        if one:
            _sets(t, condition, 0)
        return binary("*", compare("eq", number(t, now), seen, 64), failure)

    return timed_wait


# ---- waking


def signal(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue | Going:
    condition = number(t, arguments[0])
    _use(t, condition).signalled = True
    _note_mutex(t, condition)
    return _wakes(t, condition, _NONE)


def broadcast(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue | Going:
    condition = number(t, arguments[0])
    _note_mutex(t, condition)
    return _wakes(t, condition, _ALL)


def _wakes(t: CThread, condition: Scalar, how: str) -> LlvmValue | Going:
    """Looks who waits, then goes from one to the next. Where ways part, the call is executed again
    from the step that was chosen."""
    if not _wakes_one(t, condition):
        access.rmw_cell(t, condition, _SIZE, "+", 1, "release", used=False)
        return 0
    top, facts = t.state.top, t.state.facts
    others = [key for key in _waiting(t, condition) if key != t.key]
    if not top.choice:
        _enter(t, condition)
        for at, key in enumerate(others):
            seen = value_of(t, _cell(t, condition, key), _SIZE)
            facts[_WAITS, at] = compare("eq", seen, _mark(t, condition), 64)
        top.choice = (_Step(0, how),)
    while True:
        step = top.choice[-1]
        assert isinstance(step, _Step)
        if step.how == _DONE:
            break
        top.choice = ()
        if not _take(t, condition, others, step):
            return Going.PARTED
    for at in range(len(others)):
        del facts[_WAITS, at]
    _leave(t, condition)
    return 0


def _take(t: CThread, condition: Scalar, others: list[ThreadKey], step: _Step) -> bool:
    """Takes a step. True: the next one is chosen; False: the way ends here, at the next one or at
    two of them."""
    at, how = step.at, step.how
    if at == len(others):
        return t.turn(_Step(at, _DONE))
    following = _Step(at + 1, how)
    waits = [number(t, t.state.facts[_WAITS, each]) for each in range(at, len(others))]
    if not step.found:
        return t.fork(waits[0], _Step(at, how, found=True), following)
    if how in (_NONE, _LEFT) and not step.decides:
        last: Scalar = 1
        for each in waits[1:]:
            last = binary("&", last, compare("eq", each, 0, 64))
        decides = _Step(at, how, found=True, decides=True)
        return t.fork(last, _Step(at, _LAST, found=True), decides)
    cell = _cell(t, condition, others[at])
    if how in (_ALL, _LAST):
        access.store_cell(t, cell, _SIZE, 0, "release")
        return t.turn(following if how == _ALL else _Step(at, _DONE))
    mark, orders = _mark(t, condition), ("release", "monotonic")
    _, woken = access.cas_cell(t, cell, _SIZE, mark, 0, orders, weak=True)
    yes, no = {_NONE: (_FIRST, _LEFT), _LEFT: (_DONE, _LEFT), _FIRST: (_ALL, _DONE)}[how]
    return t.fork(woken, _Step(at + 1, yes), _Step(at + 1, no))


FUNCTIONS: dict[str, LibraryFunction] = {
    "pthread_cond_init": condition_init,
    "pthread_cond_destroy": nothing,
    "pthread_condattr_init": nothing,
    "pthread_condattr_destroy": nothing,
    "pthread_condattr_setclock": nothing,
    "pthread_condattr_setpshared": nothing,
    "pthread_cond_wait": wait,
    "pthread_cond_timedwait": waiting_until(ETIMEDOUT),
    "pthread_cond_clockwait": waiting_until(ETIMEDOUT),
    "pthread_cond_signal": signal,
    "pthread_cond_broadcast": broadcast,
    "cnd_init": condition_init,
    "cnd_wait": wait,
    "cnd_timedwait": waiting_until(TIMED_OUT),
    "cnd_signal": signal,
    "cnd_broadcast": broadcast,
    "cnd_destroy": nothing,
}
