"""Waiting for what other threads do, and what a thread knows of the locks that it holds."""

from __future__ import annotations

from hybrid.frontend.c import access
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import (
    TRUTH,
    Aggregate,
    Scalar,
    Unset,
    as_expr,
    compare,
    constant,
    register,
)
from hybrid.program import instructions as ins
from hybrid.program.origin import INTERNAL, STACK

EPERM, EAGAIN, EBUSY, EDEADLK, ETIMEDOUT = 1, 11, 16, 35, 110
_UNKNOWN = "locks by unknown addresses"  # a fact: there were some


def name_of(t: CThread, lock: Scalar) -> str:
    return t.world.cell_name(lock, 4) if isinstance(lock, int) else "a lock"


def errno(t: CThread) -> int:
    """The address of the thread's errno. Functions that are passed over leave it as it is."""
    own = ("errno", t.key)
    found = t.world.space.add(own, "errno", 4, STACK, owner=t.key, thread=t.name, zeroed=True)
    return found.address


def is_own(t: CThread, pointer: Scalar) -> bool:
    """Whether nobody else can reach a lock now."""
    return access.own_object(t, pointer, 4) is not None


def sleep_until(
    t: CThread, pointer: Scalar, op: str, value: Scalar, message: str, size: int = 4
) -> None:
    """Waits, asleep, until a cell holds something that stands in that relation."""
    place = access.place_of(t, pointer, size, writes=False)
    label = t.described("", "", message)
    guard = ins.Guard(t.span(), op, as_expr(value), sleeps=True)
    t.emit(ins.Load(t.span(), label, None, place, access.tags_of("acquire"), guard))


def sleep_for_ever(t: CThread, message: str) -> None:
    """Waits for what cannot come: the thread does not go on."""
    cell = t.world.space.add(("never", t.key), f"what never comes to {t.name}", 4, INTERNAL)
    cell.zeroed = True
    sleep_until(t, cell.address, "!=", 0, message)
    t.end()


def take(
    t: CThread,
    lock: Scalar,
    free: int,
    taken: int,
    guard: ins.Guard | None = None,
    message: str = "",
    size: int = 4,
) -> Scalar:
    """1 if a lock was free and is taken now, else 0. With a guard it waits first."""
    if access.own_object(t, lock, size) is not None:
        old = value_of(t, lock, size)
        success = compare("eq", old, free, 64)
        access.store_cell(t, lock, size, access.chosen(t, success, taken, old))
        return success
    place = access.place_of(t, lock, size, writes=True)
    stored = t.fresh(TRUTH)
    t.emit(
        ins.Rmw(
            t.span(),
            t.described("", "", message),
            None,
            "cas",
            place,
            constant(taken),
            constant(free),
            access.tags_of("acquire"),
            guard,
            failed_tags=access.tags_of("monotonic" if guard is None else "acquire"),
            success=stored,
        )
    )
    return register(stored)


def value_of(t: CThread, pointer: Scalar, size: int = 4) -> Scalar:
    """What a cell holds; one that was never written counts as 0."""
    found = access.load_cell(t, pointer, size, "monotonic", checked=False)
    return 0 if isinstance(found, Unset | Aggregate) else found


# ---- what a thread holds, by the addresses of locks


def held(t: CThread, how: str, lock: Scalar) -> Scalar:
    """How often a thread holds a lock in some way, as far as that is known."""
    found = t.state.facts.get((how, lock), 0) if isinstance(lock, int) else 0
    assert not isinstance(found, Unset | Aggregate)
    return found


def note_held(t: CThread, how: str, lock: Scalar, count: Scalar) -> None:
    if isinstance(lock, int):
        t.state.facts[how, lock] = count
    else:
        t.state.facts[_UNKNOWN] = 1


def is_sure(t: CThread, lock: Scalar) -> bool:
    """Whether what a thread knows of a lock is all there is to know."""
    return isinstance(lock, int) and not t.state.facts.get(_UNKNOWN)
