"""Barriers."""

from __future__ import annotations

from hybrid.frontend.c import access
from hybrid.frontend.c.library.entry import Arguments, LibraryFunction, nothing, number
from hybrid.frontend.c.library.waiting import is_own, name_of, sleep_for_ever, sleep_until
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import Aggregate, LlvmValue, Scalar, Unset, binary, compare
from hybrid.frontend.llvm.module import CallInst
from hybrid.program.origin import INTERNAL, UNINITIALISED

SERIAL = -1  # PTHREAD_BARRIER_SERIAL_THREAD


def barrier_init(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    barrier = number(t, arguments[0])
    access.store_cell(t, barrier, 4, 0)
    access.store_cell(t, binary("+", barrier, 8), 4, arguments[2])
    return 0


def barrier_wait(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    """Where it is known who comes here, each says so in a flag of its own for every round, and
    waits for the flags of the others: the order in which they come makes no difference, and no
    trace. Elsewhere arrivals are counted; also where it matters which thread is told that it is the
    one: that is the last then, and any may be the last."""
    barrier = number(t, arguments[0])
    count = access.load_cell(t, binary("+", barrier, 8), 4, checked=False)
    if isinstance(count, Unset | Aggregate) or count == 0:
        t.fail(UNINITIALISED, f"{name_of(t, barrier)} is no barrier yet")
        return 0
    if isinstance(barrier, int) and call.result in t.state.top.flow.used:
        t.world.learnt.counted.add(barrier)
    if isinstance(barrier, int) and isinstance(count, int):
        world = t.world
        world.waits.setdefault(barrier, set()).add(t.key)
        round_ = t.state.facts.get(("round", barrier), 0)
        members = world.learnt.barriers.get(barrier, frozenset())
        if not isinstance(round_, int):
            world.learnt.counted.add(barrier)
        elif barrier not in world.learnt.counted and t.state.shares:
            t.state.facts["round", barrier] = round_ + 1
            _by_flags(t, barrier, round_, members)
            return 0
    return _by_count(t, barrier, count)


def _by_flags(t: CThread, barrier: int, round_: int, members: frozenset[object]) -> None:
    world = t.world

    def flag(member: object) -> int:
        key = ("barrier", barrier, round_, member)
        name = f"{name_of(t, barrier)} round {round_ + 1}"
        return world.space.add(key, name, 4, INTERNAL, zeroed=True).address

    access.store_cell(t, flag(t.key), 4, 1, "release")
    ordered = [each.key for each in world.threads if each.key in members]
    for member in ordered:
        if member == t.key:
            continue
        sleep_until(t, flag(member), "==", 1, f"waits at the barrier {name_of(t, barrier)}")


def _by_count(t: CThread, barrier: Scalar, count: Scalar) -> LlvmValue:
    ticket = access.rmw_cell(t, barrier, 4, "+", 1, "acq_rel")
    assert not isinstance(ticket, Unset | Aggregate)
    rounds = binary("+", binary("/", ticket, count), 1)
    last = compare("eq", binary("%", ticket, count), binary("-", count, 1), 64)
    message = f"waits at the barrier {name_of(t, barrier)}"
    if not is_own(t, barrier):
        sleep_until(t, barrier, ">=", binary("*", rounds, count), message)
    elif last == 0:
        sleep_for_ever(t, message)
    return binary("*", last, SERIAL)


FUNCTIONS: dict[str, LibraryFunction] = {
    "pthread_barrier_init": barrier_init,
    "pthread_barrier_wait": barrier_wait,
    "pthread_barrier_destroy": nothing,
}
