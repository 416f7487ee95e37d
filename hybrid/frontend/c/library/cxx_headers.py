"""Functions that C++'s libraries have in their headers, and that are not followed: they print, or
sleep, and compute with floating point or call what is not there. By their names without parameters.
"""

from __future__ import annotations

from functools import cache

from hybrid.frontend.c import access
from hybrid.frontend.c.demangle import demangled
from hybrid.frontend.c.library import conditions
from hybrid.frontend.c.library.entry import Arguments, Going, LibraryFunction, nothing, number
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import LlvmValue
from hybrid.frontend.llvm.module import CallInst

_STREAM = "basic_ostream"
_PRINTING = frozenset(
    {"std::operator<<", "std::ostream::operator<<", "std::endl", "std::flush"}
    | {f"std::basic_ostream::{each}" for each in ("operator<<", "flush", "put", "write")}
    | {f"std::ostream::{each}" for each in ("flush", "put", "write", "_M_insert")}
)
_SLEEPING = frozenset({"std::this_thread::sleep_for", "std::this_thread::sleep_until"})
_WAITING = frozenset({"std::condition_variable::wait_for", "std::condition_variable::wait_until"})
_TIMEOUT = 1  # std::cv_status::timeout
_WITHOUT_PREDICATE = 3  # arguments: the condition, the lock, the time


def prints(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    """Nothing is printed; gives the stream."""
    return arguments[0]


def waits(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue | Going:
    """The second argument is a unique_lock, which begins with the address of its mutex."""
    mutex = access.load_cell(t, number(t, arguments[1]), 8)
    return conditions.waiting_until(_TIMEOUT)(t, [arguments[0], mutex], call)


@cache
def header_function(name: str, count: int) -> LibraryFunction | None:
    """What stands for a function of that name, with so many arguments, if it is such a one."""
    if not name.startswith(("_ZNSt", "_ZSt", "_ZNSo")):
        return None
    shown = demangled(name)
    if shown in _PRINTING and (_STREAM in name or name.startswith("_ZNSo")):
        return prints
    if shown in _SLEEPING:
        return nothing
    return waits if shown in _WAITING and count == _WITHOUT_PREDICATE else None
