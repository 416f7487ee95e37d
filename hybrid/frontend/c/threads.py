"""Threads: starting one, waiting for its end, ending.

A thread has two cells of its own: one that its parent sets to start it, and one that it sets at its
end (with what it returns behind it), whose address is the thread's pthread_t. Starting is a release
store, and waiting for it an acquire load that waits; each has one store to read from, so that they
add no trace. Where they cannot order anything they are left out: a thread whose parent has done
nothing before starts at once; a thread that does nothing after waiting for others does not wait.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeGuard

from hybrid.frontend.c import access
from hybrid.frontend.c.handover import handed_over
from hybrid.frontend.c.leaks import note_leaks
from hybrid.frontend.c.lifetimes import end_thread_locals, note_start
from hybrid.frontend.c.private import Pieces
from hybrid.frontend.c.space import CObject, ThreadKey
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import (
    SPAN,
    Aggregate,
    LlvmValue,
    Scalar,
    Unset,
    binary,
    compare,
    constant,
    register,
    wrapped,
)
from hybrid.frontend.c.world import Spawned, World
from hybrid.program import instructions as ins
from hybrid.program.origin import INTERNAL, JOINING

MOST_THREADS = 64
EXITS, RETURNS = "exits", "returns"  # registers: the program is over, by exit or by main's return
STARTED, NEVER = 1, 2  # what the cell that starts a thread holds


def start_cell(world: World, key: ThreadKey, name: str) -> CObject:
    return world.space.add(("start", key), f"start of {name}", 4, INTERNAL, zeroed=True)


def end_cell(world: World, key: ThreadKey, name: str) -> CObject:
    """The end of a thread (8 bytes) and, behind it, what it returns (8)."""
    return world.space.add(("end", key), f"end of {name}", 16, INTERNAL, zeroed=True)


def given_cell(world: World, key: ThreadKey, name: str) -> CObject:
    """The argument of a thread, where it is not known."""
    return world.space.add(("given", key), f"argument of {name}", 8, INTERNAL, zeroed=True)


def spawn(
    t: CThread, function: Scalar, argument: LlvmValue, name: str = "", hands_over: bool = False
) -> int:
    """Starts a thread; gives its pthread_t. `name`: if it is not that of its function.
    `hands_over`: the argument points to an object that is the new thread's from now on."""
    world = t.world
    if not t.state.shares:
        t.share()
    key = ("thread", t.key, t.state.top.here)
    memory: Pieces = {}
    if hands_over:
        argument, memory = handed_over(t, key, argument)
    if isinstance(argument, Unset | Aggregate):
        argument = 0
    if not isinstance(function, int):
        raise t.refuse("a thread whose function depends on what memory holds")
    if not memory:
        t.escape(argument)
    found = next((each for each in world.threads if each.key == key), None)
    if found is None:
        found = _new_thread(t, key, function, argument, name, memory)
        world.threads.append(found)
    if found.start is not None:
        if not isinstance(argument, int):
            cell = given_cell(world, key, found.name)
            access.store_cell(t, cell.address, 8, argument)
        place = access.place_of(t, found.start, 4, writes=True)
        label = t.label()
        world.edges.add(label)
        t.emit(ins.Store(t.span(), label, place, constant(STARTED), access.tags_of("release")))
    note_start(t)
    world.learnt.nested |= t.number != 0
    t.state.facts["spawned", key] = 1
    return end_cell(world, key, found.name).address


def _new_thread(
    t: CThread, key: ThreadKey, function: int, argument: Scalar, base: str, memory: Pieces
) -> Spawned:
    world = t.world
    if len(world.threads) == MOST_THREADS:
        raise t.refuse(f"more than {MOST_THREADS} threads")
    base = base or "thread"
    if base == "thread" and function in world.functions:
        code = world.functions[function]
        base = code.place.function if code.place is not None else code.name
    same = sum(1 for each in world.threads if each.name.split("#")[0] == base)
    name = f"{base}#{same + 1}" if same or base == "main" else base
    known = isinstance(argument, int)
    own = next(each for each in world.threads if each.key == t.key)
    at_once = known and own.start is None and not t.events_so_far and not t.state.branches
    start = None if at_once else start_cell(world, key, name).address
    number = len(world.threads)
    return Spawned(key, name, number, function, argument, start, t.key, memory, t.at)


def join(t: CThread, thread: Scalar, result: Scalar, size: int = 8) -> None:
    """Waits for the end of a thread, and puts what it returned where `result` points to."""
    world = t.world
    learnt = world.learnt
    name = "a thread"
    joined: ThreadKey | None = None
    if isinstance(thread, int):
        found = world.space.find(thread)
        if found is None or not isinstance(found.key, tuple) or found.key[0] != "end":
            t.fail(JOINING, "there is no such thread")
            return
        joined = found.key[1]
        name = found.name.removeprefix("end of ")
        _join_once(t, joined, name)
    wants = not (isinstance(result, int) and result == 0)
    if t.key in learnt.idle - learnt.busy and not wants:
        t.waited = True
        world.left_out.setdefault(t.key, set()).add(joined)
        return
    if joined is not None:
        learnt.joined.add(joined)
    else:
        learnt.joins_any = True
    place = access.place_of(t, thread, 8, writes=False)
    label = t.described("", "", f"joins {name}")
    world.edges.add(label)
    world.joins.add(label)
    guard = ins.Guard(t.span(), "==", constant(1), sleeps=True)
    t.emit(ins.Load(t.span(), label, None, place, access.tags_of("acquire"), guard))
    if wants:
        learnt.results = True
        value = access.load_cell(t, binary("+", thread, 8), 8, checked=False)
        if size < 8 and not isinstance(value, Unset | Aggregate):
            value = wrapped(value, 8 * size)
        access.store_cell(t, result, size, value)


def _join_once(t: CThread, joined: ThreadKey, name: str) -> None:
    """Checks that a thread was neither joined nor detached before, as far as this one knows."""
    for word in ("joined", "detached"):
        before = t.state.facts.get((word, joined), 0)
        assert not isinstance(before, Unset | Aggregate)
        t.check(compare("eq", before, 0, 64), JOINING, f"{name} was {word} before")
    t.state.facts["joined", joined] = 1


def detach(t: CThread, thread: Scalar) -> None:
    """Nobody is to wait for the end of a thread."""
    found = t.world.space.find(thread) if isinstance(thread, int) else None
    if found is not None and isinstance(found.key, tuple) and found.key[0] == "end":
        t.state.facts["detached", found.key[1]] = 1


def parts_at_end(t: CThread) -> bool:
    """At the end of a thread, where ways have met on which it has started another or not: parts
    them again, for the instruction to be executed once more on each. False: there is no need."""
    top, facts = t.state.top, t.state.facts
    for child in t.world.learnt.children.get(t.key, ()):
        started = facts.get(("spawned", child), 0)
        if isinstance(started, int | Unset | Aggregate):
            continue
        yes, no = ("started", child), ("not started", child)
        if yes not in top.choice and no not in top.choice:
            return not t.fork(compare("eq", started, STARTED, 64), yes, no)
        facts["spawned", child] = STARTED if yes in top.choice else 0
    return False


def finish(t: CThread, value: LlvmValue, over: str = "") -> None:
    """What a thread does at its end, once `parts_at_end` has nothing to do. `over`: the program
    ends with it, and nobody comes to know of the end of this thread: EXITS or RETURNS."""
    world = t.world
    learnt = world.learnt
    facts = t.state.facts.items()
    started = {key[1] for key, value in facts if _is_spawn(key) and value == STARTED}
    world.endings.setdefault(t.key, []).append(started)
    for child in learnt.children.get(t.key, ()):
        _never_started(t, child)
    note_leaks(t)
    end_thread_locals(t)
    own = next(each for each in world.threads if each.key == t.key)
    if over:
        if len(world.threads) > 1:
            t.emit(ins.Assign(SPAN, t.label(), over, constant(1)))
        return
    if t.key not in learnt.joined and not learnt.joins_any:
        return
    cell = end_cell(world, t.key, own.name)
    if learnt.results and value != 0:
        access.store_cell(t, cell.address + 8, 8, value)
    place = access.place_of(t, cell.address, 8, writes=True)
    label = t.described(f"end of {own.name}")
    world.edges.add(label)
    t.emit(ins.Store(t.span(), label, place, constant(1), access.tags_of("release")))


def _is_spawn(key: Hashable) -> TypeGuard[tuple[str, ThreadKey]]:
    return isinstance(key, tuple) and len(key) == 2 and key[0] == "spawned"


def _never_started(t: CThread, child: ThreadKey) -> None:
    """Tells a thread that waits to be started that it is not, if it is not."""
    started = t.state.facts.get(("spawned", child), 0)
    if started == STARTED:
        return
    cell = t.world.space.by_key.get(("start", child))
    if cell is None:
        return
    assert started == 0
    place = access.place_of(t, cell.address, 4, writes=True)
    label = t.described("a thread that is not started")
    t.world.edges.add(label)
    t.emit(ins.Store(t.span(), label, place, constant(NEVER), access.tags_of("release")))


def begin(t: CThread, own: Spawned) -> bool:
    """The first instructions of a thread, whose state is at the start of its function. False: the
    segment ends with them."""
    if own.start is None:
        return True
    place = access.place_of(t, own.start, 4, writes=False)
    label = t.described(f"start of {own.name}", "", f"waits for {own.name} to be started")
    t.world.edges.add(label)
    guard = ins.Guard(t.span(), "!=", constant(0), sleeps=True)
    conditional = own.key in t.world.learnt.children.get(own.parent, ())
    name = t.fresh() if conditional else None
    t.emit(ins.Load(t.span(), label, name, place, access.tags_of("acquire"), guard))
    if not isinstance(own.argument, int):
        cell = given_cell(t.world, own.key, own.name)
        argument = access.load_cell(t, cell.address, 8, checked=False)
        for parameter in t.state.top.flow.function.parameters[:1]:
            t.state.top.locals[parameter.name] = argument
    if name is None:
        return True
    t.stop_unless(compare("eq", register(name), STARTED, 64))
    return False
