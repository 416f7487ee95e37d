"""What a function of the library is."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import Aggregate, LlvmValue, Scalar, Unset
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


def nothing(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    """Does nothing and gives 0."""
    return 0
