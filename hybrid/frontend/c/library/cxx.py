"""What the libraries of C++ have besides their headers: operator new and delete, variables that are
set up once, destructors at the end, exceptions.

Functions have the names that libc++ (`_ZNSt3__1…`) or libstdc++ (`_ZNSt…`) give them. An exception
that is thrown is refused, so that no landing pad is ever reached.
"""

from __future__ import annotations

import re

from hybrid.frontend.c import access, copying
from hybrid.frontend.c.library import heap, system
from hybrid.frontend.c.library.entry import (
    Arguments,
    Going,
    LibraryFunction,
    known,
    nothing,
    number,
)
from hybrid.frontend.c.library.waiting import sleep_until, take
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import LlvmValue, binary
from hybrid.frontend.llvm.module import CallInst
from hybrid.program.origin import ASSERTION

# ---- new and delete


def new(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue | Going:
    return heap.sized(t, number(t, arguments[0]), zeroed=False, word="new")


def aligned_new(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    size, align = (known(t, each, "the size of an allocation") for each in arguments[:2])
    return heap.allocate(t, size, zeroed=False, align=max(16, min(align, 1 << 20)), word="new")


def _allocation() -> dict[str, LibraryFunction]:
    """`_Znwm` is new, `_Znam` new[]; deletes may say the size (m), the alignment, or nothrow."""
    aligned, quiet = "St11align_val_t", "RKSt9nothrow_t"
    found: dict[str, LibraryFunction] = {}
    for kind in "wa":
        for end in ("", quiet):
            found[f"_Zn{kind}m{end}"] = new
            found[f"_Zn{kind}m{aligned}{end}"] = aligned_new
    for kind in "la":
        for size in ("", "m"):
            for end in ("", aligned, quiet, aligned + quiet):
                found[f"_Zd{kind}Pv{size}{end}"] = heap.free
    return found


# ---- variables of functions that are set up once: byte 0 of the guard says that one is, byte 1
# that somebody is at it


def guard_acquire(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue | Going:
    guard = number(t, arguments[0])
    if not t.state.top.choice:
        won = take(t, binary("+", guard, 1), 0, 1, size=1)
        if not t.fork(won, "first", "later"):
            return Going.PARTED
    if t.state.top.choice[-1] == "first":
        return 1
    if access.own_object(t, guard, 1) is None:
        sleep_until(t, guard, "==", 1, "waits for a variable to be set up", size=1)
    return 0


def guard_release(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    access.store_cell(t, number(t, arguments[0]), 1, 1, "release")
    return 0


# ---- destructors at the end


def at_exit(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    """Of a variable that main, or a constructor before it, sets up. Those of variables that are set
    up while other threads run are not called: the program is over then."""
    if t.number or t.state.shares:
        return 0
    return at_thread_exit(t, arguments, call)


def at_thread_exit(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    count = known(t, t.state.facts.get("exits", 0), "a number of destructors")
    t.state.facts["exits"] = count + 1
    t.state.facts["exit", count] = arguments[0]
    t.state.facts["exit of", count] = arguments[1]
    return 0


def run_destructor(t: CThread) -> bool:
    """At the end of a thread: calls the last destructor that is left, after which the thread ends
    once more. False: none is left."""
    count = known(t, t.state.facts.get("exits", 0), "a number of destructors")
    if not count:
        return False
    t.state.facts["exits"] = count - 1
    function = t.state.facts.pop(("exit", count - 1))
    argument = t.state.facts.pop(("exit of", count - 1))
    code = t.world.functions.get(known(t, function, "a destructor"))
    if code is None or not code.blocks:
        return run_destructor(t)  # of the library: there is nothing to do
    t.state.top.choice = (*t.state.top.choice, count)
    t.push(code, [argument], "", "", again=True)
    return True


# ---- what ends the program


def _fails(message: str) -> LibraryFunction:
    def fail(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue | Going:
        if not t.state.top.choice:
            t.check(0, ASSERTION, message)
        return system.exits(t, arguments, call)

    return fail


def throws(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    return _thrown(t, "an exception that is thrown")


def throws_system_error(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    text = copying.text_at(t, number(t, arguments[1])) if len(arguments) > 1 else ""
    said = f": {text}" if text else ""
    return _thrown(t, f"an exception that is thrown, std::system_error{said}")


def _thrown(t: CThread, what: str) -> LlvmValue:
    """Refused. Where memory decides whether it is thrown, runs that come to it are cut."""
    if not t.state.branches:
        raise t.refuse(what)
    t.cut(what)
    return 0


# std::__throw_length_error of both, vector<…>::__throw_out_of_range and the like
_THROWING = re.compile(r"_Z[\w$.]*\d+_*throw_\w+")


# libc++: who waits for an atomic to change is refused, so there is nobody to wake up
_NOTIFYING = re.compile(r"_ZNSt3__1\d+__atomic_notify_(?:one|all)")


def by_pattern(name: str) -> LibraryFunction | None:
    if _NOTIFYING.match(name):
        return nothing
    return throws if _THROWING.match(name) else None


FUNCTIONS: dict[str, LibraryFunction] = {
    **_allocation(),
    "__cxa_guard_acquire": guard_acquire,
    "__cxa_guard_release": guard_release,
    "__cxa_atexit": at_exit,
    "__cxa_thread_atexit": at_thread_exit,
    "__cxa_thread_atexit_impl": at_thread_exit,
    "_ZSt9terminatev": _fails("std::terminate is called"),
    "__cxa_pure_virtual": _fails("a pure virtual function is called"),
    "__cxa_deleted_virtual": _fails("a deleted virtual function is called"),
    "_ZNSt3__122__libcpp_verbose_abortEPKcz": _fails("libc++ finds a mistake of its user's"),
    "_ZSt21__glibcxx_assert_failPKciS0_S0_": _fails("libstdc++ finds a mistake of its user's"),
    "_ZSt18uncaught_exceptionv": nothing,
    "_ZSt19uncaught_exceptionsv": nothing,
    "__cxa_allocate_exception": throws,
    "__cxa_throw": throws,
    "__cxa_rethrow": throws,
    "_ZSt17rethrow_exceptionSt13exception_ptr": throws,
    "_ZNSt3__120__throw_system_errorEiPKc": throws_system_error,
    "_ZSt20__throw_system_errori": throws_system_error,
    "_ZNSt8ios_base4InitC1Ev": nothing,
    "_ZNSt8ios_base4InitD1Ev": nothing,
}
