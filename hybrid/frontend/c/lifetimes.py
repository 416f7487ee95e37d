"""The end of variables: those of a function are gone when it returns.

A variable that a thread has for itself is gone for good, and an access to it is wrong at once. To
the cells of one that others may reach its end is written, so that it conflicts with every access to
it and who reads one of them afterwards reads that it is gone. Nothing is written where no other
thread can be running, unless one is started later, nor where the function is called again in a
loop on memory: such a variable is one object for all rounds.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from hybrid.frontend.c import access, private
from hybrid.frontend.c.captions import source_name
from hybrid.frontend.c.operands import scalar
from hybrid.frontend.c.space import CObject
from hybrid.frontend.c.state import Activation
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import constant
from hybrid.frontend.llvm import module as ll
from hybrid.program import instructions as ins
from hybrid.program.origin import ENDED, STACK


def begin_local(t: CThread, each: ll.Alloca) -> int:
    """A variable of a function: its address."""
    world = t.world
    size = world.layout.stride(each.type)
    if each.count is not None:
        number = scalar(t, each.count)
        if not isinstance(number, int):
            raise t.refuse("a variable whose size depends on what memory holds")
        size *= number
    top = t.state.top
    function = top.flow.function
    fixed = top.block == top.flow.entry
    where = (top.path, function.name) if fixed else (top.here,)
    found = world.space.add(
        ("stack", t.key, where, each.result, size),
        function.variables.get(each.result) or f"a temporary of {source_name(function)}",
        max(1, size),
        STACK,
        owner=t.key,
        thread=t.name,
        type=each.type if each.count is None else None,
        place=world.captions.place(each.place or function.place),
    )
    found.local = (function.name, each.result) if fixed else None
    private.clear(t.state.memory, found.address, found.size)
    if t.state.facts.get(_gone(found), 0) != 0:
        world.learnt.reentered.add(found.key)
    return found.address


def end_locals(t: CThread) -> None:
    """The function on top of the stack returns. With that of main the program ends."""
    if t.number or len(t.state.stack) > 1:
        _end_locals_of(t, t.state.top)


def end_all_locals(t: CThread) -> None:
    """The thread ends, whatever functions it is in."""
    for each in reversed(t.state.stack):
        _end_locals_of(t, each)


def end_thread_locals(t: CThread) -> None:
    """A thread ends, and with it the variables that each thread has."""
    if t.number:
        own = ("thread-local", t.key)
        objects = t.world.space.all
        _end(t, [each for each in objects if isinstance(each.key, tuple) and each.key[:2] == own])


def _end_locals_of(t: CThread, ended: Activation) -> None:
    _end(t, _shared_locals(t, ended))


def _end(t: CThread, variables: Iterable[CObject]) -> None:
    """Writes the end of variables that others may reach to their cells."""
    learnt = t.world.learnt
    for found in variables:
        cells = learnt.cells.get(found.key, ())
        if not cells or found.key in learnt.reentered or t.state.facts.get(_gone(found), 0) == 1:
            continue
        t.state.facts[_gone(found)] = 1
        if not t.state.shares:
            learnt.ended.add(found.key)
            for offset, size in cells:
                private.write(t.state.memory, found.address + offset, size, ENDED)
            continue
        if runs_alone(t) and not learnt.starts_later:
            continue
        learnt.ended.add(found.key)
        for offset, size in cells:
            place = access.cell_at(t, found.address + offset, size)
            label = t.described(f"end of {found.name}")
            t.emit(ins.Store(t.span(), label, place, constant(ENDED), access.tags_of("")))


def note_start(t: CThread) -> None:
    """A thread is started: it may get at variables that were gone before."""
    if any(isinstance(key, tuple) and key[:1] == ("gone",) for key in t.state.facts):
        t.world.learnt.starts_later = True


def _gone(found: CObject) -> Hashable:
    return ("gone", found.key)


def _shared_locals(t: CThread, ended: Activation) -> Iterator[CObject]:
    for name in sorted(ended.flow.allocas):
        address = ended.locals.get(name)
        found = t.world.space.find(address) if isinstance(address, int) else None
        if found is not None and not t.world.is_private(found, t.key):
            yield found


def runs_alone(t: CThread) -> bool:
    """Whether all threads that were started have been joined, by main."""
    if t.number or t.world.learnt.nested:
        return False
    facts = t.state.facts
    started = [key for key, value in facts.items() if _is_start(key) and value != 0]
    return all(facts.get(("joined", key[1]), 0) == 1 for key in started if isinstance(key, tuple))


def _is_start(key: Hashable) -> bool:
    return isinstance(key, tuple) and len(key) == 2 and key[0] == "spawned"
