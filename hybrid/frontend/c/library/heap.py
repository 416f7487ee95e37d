"""malloc, free and their like.

An object is known by the call that makes it. Where such a call is in a loop whose end depends on
memory there are so many instances of it; a run that needs more is cut. Freeing an object that
several threads may reach writes to all its cells, so that it conflicts with every access to them;
who reads one of them afterwards reads that it was freed.
"""

from __future__ import annotations

from hybrid.frontend.c import access, copying, private
from hybrid.frontend.c.library.entry import Arguments, Going, LibraryFunction, known, number
from hybrid.frontend.c.space import CObject
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import (
    Aggregate,
    LlvmValue,
    Scalar,
    Unset,
    as_expr,
    binary,
    compare,
    constant,
    register,
)
from hybrid.frontend.llvm.module import CallInst
from hybrid.program import instructions as ins
from hybrid.program.expr import Expr
from hybrid.program.origin import (
    DOUBLE_FREE,
    HEAP,
    INTERNAL,
    INVALID_FREE,
    LEAK,
    RELEASED,
    cell_address,
)

INSTANCES = 16  # of an object that is made in a loop whose end depends on memory
UNKNOWN_SIZE = 256  # bytes of an object whose size depends on memory
_MOST = 1 << 24


def allocate(t: CThread, size: int, zeroed: bool, align: int = 16, word: str = "malloc") -> Scalar:
    world = t.world
    if not 0 <= size <= _MOST:
        raise t.refuse(f"an allocation of {size} bytes")
    key = ("heap", t.key, t.state.top.here)
    place = world.captions.place(t.at)
    found = world.space.add(
        key,
        f"{word} at {place}" if place else word,
        size,
        HEAP,
        owner=t.key,
        thread=t.name,
        zeroed=zeroed,
        place=place,
        instances=INSTANCES,
        align=align,
    )
    found.made, found.calls = t.at, tuple(t.frames())
    if found.key in world.learnt.reached and not world.learnt.frees and t.state.shares:
        t.check(0, LEAK, f"{found.name} is never freed")
    made = t.state.facts.get(key, 0)
    assert not isinstance(made, Unset | Aggregate)
    t.state.facts[key] = binary("+", made, 1)
    if isinstance(made, int):
        if made >= INSTANCES:
            t.cut(f"more than {INSTANCES} objects allocated at one place")
        found.used = max(found.used, made + 1)
        return found.address + made * found.stride
    found.used = INSTANCES
    return binary("+", found.address, binary("*", made, found.stride))


def malloc(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue | Going:
    return sized(t, number(t, arguments[0]), zeroed=False)


def calloc(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue | Going:
    size = binary("*", number(t, arguments[0]), number(t, arguments[1]))
    return sized(t, size, zeroed=True)


def sized(t: CThread, size: Scalar, zeroed: bool, word: str = "malloc") -> LlvmValue | Going:
    """An object. One whose size depends on memory gets as much as such a one may have; a run that
    asks for more is cut."""
    if isinstance(size, int):
        return allocate(t, size, zeroed, word=word)
    choice = t.state.top.choice
    if not choice:
        fits = compare("ule", size, UNKNOWN_SIZE, 64)
        if not t.fork(fits, "fits", "too large"):
            return Going.PARTED
        choice = t.state.top.choice
    if choice[-1] != "fits":
        t.cut(f"an allocation of more than {UNKNOWN_SIZE} bytes, where memory decides how many")
    t.world.unknown_sizes.add(t.world.captions.place(t.at))
    return allocate(t, UNKNOWN_SIZE, zeroed, word=word)


def aligned_alloc(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    align, size = (known(t, each, "the size of an allocation") for each in arguments[:2])
    return allocate(t, size, zeroed=False, align=_alignment(align))


def _alignment(asked: int) -> int:
    return max(16, min(asked, 1 << 20))


def posix_memalign(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    align, size = (known(t, each, "the size of an allocation") for each in arguments[1:3])
    pointer = allocate(t, size, zeroed=False, align=_alignment(align))
    access.store_cell(t, number(t, arguments[0]), 8, pointer)
    return 0


def reallocarray(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue | Going:
    size = binary("*", number(t, arguments[1]), number(t, arguments[2]))
    return realloc(t, [arguments[0], size], call)


def realloc(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue | Going:
    old, size = number(t, arguments[0]), known(t, arguments[1], "the size of an allocation")
    if not isinstance(old, int):
        raise t.refuse("realloc of a pointer that depends on what memory holds")
    new = allocate(t, size, zeroed=False)
    if old:
        found = t.world.space.find(old)
        if found is None or found.kind != HEAP:
            t.fail(INVALID_FREE, "realloc of what malloc did not give")
            return Going.PARTED
        copying.copy(t, new, old, min(size, found.size), None)
        free_known(t, old)
    return new


def free(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue | Going:
    pointer = number(t, arguments[0])
    if not isinstance(pointer, int):
        return _free_unknown(t, pointer)
    free_known(t, pointer)
    return 0


def free_known(t: CThread, pointer: int) -> None:
    if pointer == 0:
        return
    found = t.world.space.find(pointer)
    if found is None or found.kind != HEAP or (pointer - found.address) % found.stride:
        t.check(0, INVALID_FREE, "free of what malloc did not give")
        return
    _free_object(t, found, pointer)


def _free_object(t: CThread, found: CObject, pointer: int) -> None:
    if t.world.is_private(found, t.key):
        fact = access.freed_fact(found, pointer)
        freed = t.state.facts.get(fact, 0)
        assert not isinstance(freed, Unset | Aggregate)
        t.check(compare("eq", freed, 0, 64), DOUBLE_FREE, f"{found.name} was freed before")
        t.state.facts[fact] = 1
        private.clear(t.state.memory, pointer, found.size)
        return
    if not t.state.shares:
        t.share()
    _release_cells(t, found, pointer)


def _release_cells(t: CThread, found: CObject, pointer: Scalar) -> None:
    """Writes to all cells of an object that it is freed. One that nobody looks at has a cell for
    just that."""
    t.world.learnt.frees = True
    cells = [
        access.cell_at(t, binary("+", pointer, offset), size)
        for offset, size in t.world.learnt.cells.get(found.key, ())
    ]
    for place, where in enumerate(cells or [_mark(t, found, pointer)]):
        if place == 0:
            name = t.fresh()
            t.emit(ins.Load(t.span(), t.label(), name, where, access.tags_of("")))
            t.check(compare("ne", register(name), RELEASED, 64), DOUBLE_FREE, "it was freed before")
        t.emit(ins.Store(t.span(), t.label(), where, constant(RELEASED), access.tags_of("")))


def _mark(t: CThread, found: CObject, pointer: Scalar) -> Expr:
    """The cell that says whether an object is freed, of which nothing else is a cell."""
    world = t.world
    size = (found.instances - 1) * found.stride + 1
    key = ("freed", found.key)
    mark = world.space.add(key, f"end of {found.name}", size, INTERNAL, zeroed=True)
    for instance in range(found.used):
        world.touch(mark.address + instance * found.stride, 1, True, t.at)
    at = binary("+", pointer, mark.address - found.address)
    return as_expr(binary("+", binary("<<", at, 2), cell_address(0, 1)))


def _free_unknown(t: CThread, pointer: Scalar) -> LlvmValue | Going:
    """Frees what a pointer from memory points to: objects that look alike are tried together."""
    world = t.world
    objects = [
        each for each in world.space.all if each.kind == HEAP and each.key in world.learnt.reached
    ]
    chosen = t.state.top.choice
    if chosen and chosen[-1] == "null":
        return 0
    if chosen and isinstance(chosen[-1], int):
        found = next(each for each in objects if each.address == chosen[-1])
        _release_cells(t, found, pointer)
        return 0
    tried = len(chosen)
    world.learnt.frees = True
    if tried == 0:
        if t.fork(compare("eq", pointer, 0, 64), "null", "no"):
            return 0
        return Going.PARTED
    if tried > len(objects):
        t.check(0, INVALID_FREE, "free of what malloc did not give")
        return 0
    found = objects[tried - 1]
    offset = binary("-", pointer, found.address)
    inside = binary(
        "&",
        compare("sge", offset, 0, 64),
        compare("slt", offset, found.instances * found.stride, 64),
    )
    whole = compare("eq", binary("%", offset, found.stride), 0, 64)
    t.fork(binary("&", inside, whole), found.address, "no")
    return Going.PARTED


FUNCTIONS: dict[str, LibraryFunction] = {
    "malloc": malloc,
    "calloc": calloc,
    "realloc": realloc,
    "reallocarray": reallocarray,
    "valloc": malloc,
    "free": free,
    "aligned_alloc": aligned_alloc,
    "memalign": aligned_alloc,
    "posix_memalign": posix_memalign,
}
