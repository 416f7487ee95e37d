"""What a function of the library is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum

from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import Aggregate, LlvmValue, Scalar, Unset, compare
from hybrid.frontend.llvm.module import CallInst

Arguments = list[LlvmValue]


class Going(Enum):
    """How a thread goes on after a call that does not just return a value."""

    INTO = "into"  # at the place where its state is: a function was entered
    PARTED = "parted"  # the segment ends here


LibraryFunction = Callable[[CThread, Arguments, CallInst], LlvmValue | Going]


def number(t: CThread, value: LlvmValue) -> Scalar:
    """An argument that is a number or a pointer."""
    if isinstance(value, Unset):
        return 0
    if isinstance(value, Aggregate):
        raise t.refuse("a struct where a number belongs")
    return value


def known(t: CThread, value: LlvmValue, what: str) -> int:
    """An argument that has to be known."""
    found = number(t, value)
    if not isinstance(found, int):
        raise t.refuse(f"{what} that depends on what memory holds")
    return found


def one_of(t: CThread, value: Scalar, numbers: Iterable[int], bits: int) -> int | Going | None:
    """Which of some numbers a value is, the way being parted by that; None: none of them."""
    if isinstance(value, int):
        return value
    for each in numbers:
        yes, no = ("is", each), ("is not", each)
        if no in t.state.top.choice:
            continue
        if yes not in t.state.top.choice and not t.fork(compare("eq", value, each, bits), yes, no):
            return Going.PARTED
        if yes in t.state.top.choice:
            return each
    return None


def nothing(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    """Does nothing and gives 0."""
    return 0
