"""The functions by which a harness speaks to a checker: assumptions and nondeterministic values.

A nondeterministic value is a cell that holds the least there may be, and to which a thread without
any other work writes all the others: a load reads one of them. Where there are many, each bit is
such a cell.
"""

from __future__ import annotations

from hybrid.frontend.c import access
from hybrid.frontend.c.library.entry import Arguments, LibraryFunction, known, number
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import (
    Aggregate,
    LlvmValue,
    Scalar,
    Unset,
    binary,
    compare,
)
from hybrid.frontend.llvm.module import CallInst
from hybrid.program.origin import ANY_VALUE, INTERNAL

INSTANCES = 8  # of one nondeterministic value in a loop whose end depends on memory
_MOST = 1 << 16  # values of one
_LISTED = 16  # so many have one cell
_SIZE = 8  # bytes of a cell
_ZERO: Scalar = 0


def assume(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    condition = number(t, arguments[0])
    t.assume(compare("ne", condition, 0, 64) if not isinstance(condition, int) else condition)
    return 0


def nondet_bool(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    return any_of(t, 0, 1)


def nondet_range(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    """A value from the first argument to the second."""
    low, high = (known(t, each, "the range of a value") for each in arguments[:2])
    if high < low:
        t.assume(0)
    if high - low >= _MOST:
        raise t.refuse(f"a nondeterministic value of more than {_MOST} possible ones")
    return any_of(t, low, high)


def nondet_any(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    raise t.refuse(
        "a nondeterministic value without a range: __VERIFIER_nondet_range(LOW, HIGH) has one"
    )


def any_of(t: CThread, low: int, high: int) -> Scalar:
    """A number in a range: a cell of its own, or one for each bit where there are many."""
    if low == high:
        return low
    if high - low < _LISTED:
        return _read(t, _cells(t, 1, low, high, ANY_VALUE), 0)
    count = (high - low).bit_length()
    start, value = _cells(t, count, 0, 1, f"{ANY_VALUE} above {low}"), _ZERO
    for bit in range(count):
        value = binary("+", value, binary("<<", _read(t, start, bit), bit))
    if (high - low + 1) & (high - low):
        t.assume(compare("sle", value, high - low, 64))
    return binary("+", value, low)


def _cells(t: CThread, count: int, low: int, high: int, name: str) -> Scalar:
    """The address of so many cells of which each may hold a number from low to high."""
    world = t.world
    if not t.state.shares:
        t.share()
    here = ("nondet", t.key, t.state.top.here)
    place = world.captions.place(t.at)
    found = world.space.add(
        here,
        f"{name} at {place}" if place else name,
        _SIZE * count,
        INTERNAL,
        zeroed=True,
        instances=INSTANCES,
        place=place,
    )
    for at in range(found.address, found.end, found.stride) if low else ():
        world.image[at] = (_SIZE, low)
    done = t.state.facts.get(here, 0)
    found.used = max(found.used, done + 1) if isinstance(done, int) else INSTANCES
    assert not isinstance(done, Unset | Aggregate)
    start = binary("+", found.address, binary("*", done, found.stride))
    t.state.facts[here] = binary("+", done, 1)
    if isinstance(done, int) and done >= INSTANCES:
        t.cut(f"more than {INSTANCES} values at one place")
    world.nondet[here] = (low, high)
    return start


def _read(t: CThread, start: Scalar, place: int) -> Scalar:
    pointer = binary("+", start, _SIZE * place)
    found = access.load_cell(t, pointer, _SIZE, "monotonic", checked=False)
    assert not isinstance(found, Unset | Aggregate)
    return found


_UNBOUNDED = "char schar uchar short ushort int uint long ulong longlong ulonglong pointer size_t"

FUNCTIONS: dict[str, LibraryFunction] = {
    "__VERIFIER_assume": assume,
    "__VERIFIER_nondet_bool": nondet_bool,
    "__VERIFIER_nondet_range": nondet_range,
    **{f"__VERIFIER_nondet_{kind}": nondet_any for kind in _UNBOUNDED.split()},
}
