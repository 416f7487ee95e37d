"""Threads of POSIX and of C11."""

from __future__ import annotations

from hybrid.frontend.c import access, threads
from hybrid.frontend.c.library import specific
from hybrid.frontend.c.library.entry import Arguments, Going, LibraryFunction, nothing, number
from hybrid.frontend.c.lifetimes import end_all_locals
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import LlvmValue, compare
from hybrid.frontend.llvm.module import CallInst


def c11_create(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    thread, function, argument = arguments[:3]
    handle = threads.spawn(t, number(t, function), argument)
    access.store_cell(t, number(t, thread), 8, handle)
    return 0


def join(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    threads.join(t, number(t, arguments[0]), number(t, arguments[1]))
    return 0


def c11_join(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    threads.join(t, number(t, arguments[0]), number(t, arguments[1]), 4)
    return 0


def exits(t: CThread, arguments: Arguments, call: CallInst) -> Going:
    """The thread ends, with what it has to clear away."""
    clearing = specific.clear(t)
    if clearing is specific.Clearing.CALLS:
        return Going.INTO
    if clearing is specific.Clearing.DONE and not threads.parts_at_end(t):
        end_all_locals(t)
        threads.finish(t, arguments[0])
        t.end()
    return Going.PARTED


def detach(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    threads.detach(t, number(t, arguments[0]))
    return 0


def self(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    return threads.end_cell(t.world, t.key, t.name).address


def equal(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    return compare("eq", number(t, arguments[0]), number(t, arguments[1]), 64)


FUNCTIONS: dict[str, LibraryFunction] = {
    "pthread_join": join,
    "pthread_exit": exits,
    "pthread_self": self,
    "pthread_equal": equal,
    "pthread_detach": detach,
    "pthread_setname_np": nothing,
    "pthread_attr_init": nothing,
    "pthread_attr_destroy": nothing,
    "pthread_attr_setdetachstate": nothing,
    "pthread_attr_setscope": nothing,
    "pthread_attr_setstacksize": nothing,
    "pthread_setconcurrency": nothing,
    "thrd_create": c11_create,
    "thrd_join": c11_join,
    "thrd_exit": exits,
    "thrd_current": self,
    "thrd_equal": equal,
    "thrd_detach": detach,
}
