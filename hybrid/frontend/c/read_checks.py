"""Checks of what is read from memory that threads share: that it was written before, and that its
object was neither freed nor has ended."""

from __future__ import annotations

from hybrid.frontend.c import private
from hybrid.frontend.c.space import CObject, ObjectKey
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import Scalar, Unset, compare, register
from hybrid.program.origin import ENDED, FREED, HEAP, RELEASED, STACK, UNINITIALISED, UNSET

RETURNED = "its function has returned"
_ENDS = {False: RETURNED, True: "its thread has ended"}


def may_end(t: CThread, found: CObject | None) -> bool:
    """Whether an object is freed, or a variable ends, while others may get at it."""
    learnt = t.world.learnt
    if found is None:
        return learnt.frees or bool(learnt.ended)
    return found.key in learnt.ended or (learnt.frees and found.kind == HEAP)


def may_be_unset(t: CThread, pointer: Scalar) -> bool:
    if isinstance(pointer, int):
        found = t.world.space.find(pointer)
        return found is not None and found.kind in (HEAP, STACK)
    return t.world.learnt.unset or may_end(t, None)


def _is_of_thread(key: ObjectKey) -> bool:
    return isinstance(key, tuple) and key[0] == "thread-local"


def check_read(t: CThread, pointer: Scalar, name: str) -> None:
    """What was read from memory that may never have been written, or be freed."""
    if not may_be_unset(t, pointer):
        return
    found = t.world.space.find(pointer) if isinstance(pointer, int) else None
    value = register(name)
    where = "what it reads"
    if isinstance(pointer, int):
        where = t.world.cell_name(pointer, 1)
    if t.world.learnt.unset and (found is None or not _is_set(t, found, pointer)):
        t.check(compare("ne", value, UNSET, 64), UNINITIALISED, f"{where} was never written")
    check_freed(t, found, name, where)


def check_freed(t: CThread, found: CObject | None, name: str, where: str) -> None:
    """Checks that a register does not hold what is in memory that is freed, or has ended."""
    if not may_end(t, found):
        return
    value = register(name)
    if t.world.learnt.frees and (found is None or found.kind == HEAP):
        t.check(compare("ne", value, RELEASED, 64), FREED, f"{where} was freed before")
    if t.world.learnt.ended and (found is None or found.kind == STACK):
        kinds = {_is_of_thread(each) for each in ([found.key] if found else t.world.learnt.ended)}
        why = ", or ".join(_ENDS[each] for each in sorted(kinds))
        t.check(compare("ne", value, ENDED, 64), FREED, f"{where} is gone: {why}")


def _is_set(t: CThread, found: CObject, pointer: Scalar) -> bool:
    """Whether memory holds something from the start, at an address that is known."""
    if found.zeroed:
        return True
    assert isinstance(pointer, int)
    return not isinstance(private.read(t.world.image, pointer, 1, False), Unset)
