"""Ending the program, printing, giving way."""

from __future__ import annotations

from hybrid.frontend.c import copying, failing
from hybrid.frontend.c import threads as c_threads
from hybrid.frontend.c.library.entry import Arguments, Going, LibraryFunction, nothing, number
from hybrid.frontend.c.library.waiting import errno
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import LlvmValue
from hybrid.frontend.llvm.module import CallInst, GlobalName


def fails(t: CThread, arguments: Arguments, call: CallInst) -> Going:
    """A call that ends the program in failure."""
    assert isinstance(call.callee, GlobalName)
    if not t.state.top.choice:
        kind, message = failing.failure(t, call.callee.name, call)
        t.check(0, kind, message)
    return exits(t, arguments, call)


def exits(t: CThread, arguments: Arguments, call: CallInst) -> Going:
    """The program ends. What others do is explored to its end, since how far they come is not
    known."""
    if not c_threads.parts_at_end(t):
        c_threads.finish(t, 0, c_threads.EXITS)
        t.end()
    return Going.PARTED


def prints(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    """Nothing is printed, and how much that was is not known."""
    name = call.callee.name if isinstance(call.callee, GlobalName) else "a function that prints"
    if call.result and call.result in t.state.top.flow.used:
        raise t.refuse(f"what {name} returns")
    for each in arguments[:2]:
        if "%n" in (copying.text_at(t, number(t, each)) or ""):
            raise t.refuse(f"%n in the format of {name}")
    return 0


def errno_location(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    return errno(t)


_PRINTING = (
    "printf fprintf vprintf vfprintf dprintf puts putchar putchar_unlocked fputs fputc putc "
    "__printf_chk __fprintf_chk __vprintf_chk __vfprintf_chk wprintf"
)
# The environment is empty.
_QUIET = (
    "fflush perror setbuf setvbuf setlinebuf getenv secure_getenv srand srandom "
    "sched_yield pthread_yield thrd_yield usleep sleep nanosleep clock_nanosleep thrd_sleep"
)

FUNCTIONS: dict[str, LibraryFunction] = {
    **dict.fromkeys(failing.FAILING, fails),
    **dict.fromkeys(("exit", "_exit", "_Exit", "quick_exit"), exits),
    "__errno_location": errno_location,
    **dict.fromkeys(_PRINTING.split(), prints),
    **dict.fromkeys(_QUIET.split(), nothing),
}
