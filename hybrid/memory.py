"""A limit on the memory of this process (`--max-memory`) that holds wherever the program is: in
reading, in building a formula, in an exploration.

A timer looks at the resident memory twenty times in a second of computing, so that the engines
themselves pay nothing. Beyond the limit it raises MemoryReached, which ends an exploration as a
time-out does, with what was found so far. Z3 is given the same limit for each of its searches,
since nothing else can look meanwhile. The SAT solvers of PySAT have no such limit: one search may
go beyond it before the next look.
"""

from __future__ import annotations

import contextlib
import gc
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

from hybrid.errors import Stopped
from hybrid.files import size

LOOK: Final = 0.05  # seconds of computing between looks
SOON: Final = 0.005  # the same, where an exception would do harm
AGAIN: Final = 0.5  # the same, after an exception, which some code may have swallowed
_PAGE: Final = 4096
_MB: Final = 1 << 20
_OF_Z3: Final = ("max. memory exceeded", "out of memory")  # what its exceptions say


class _State:
    """What holds in this process at present."""

    limit: int | None = None  # bytes
    uncounted: int = 0  # bytes that earlier runs left behind, which this one cannot help
    first: int | None = None  # resident memory when the first limit was set


class MemoryReached(Stopped):
    """There is more than the limit."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.told = told(limit)


def told(limit: int) -> str:
    return f"memory limit of {size(limit)} reached"


def resident() -> int:
    """The bytes of memory that this process holds."""
    try:
        with open("/proc/self/statm", "rb") as stream:
            return int(stream.read().split()[1]) * _PAGE
    except (OSError, ValueError, IndexError):  # not Linux: the most that it ever held
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def over(limit: int | None) -> bool:
    return limit is not None and resident() > limit


@contextmanager
def memory_limit(limit: int | None) -> Iterator[None]:
    """Raises MemoryReached in the block soon after the process has more. Does nothing where there
    are no timers (not POSIX) or outside the main thread."""
    able = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if limit is None or not able:
        yield
        return
    now = resident()
    if _State.first is None:
        _State.first = now
    uncounted = max(0, now - _State.first)
    if over(limit + uncounted):  # what takes less time than the first look is limited too
        raise MemoryReached(limit)
    _State.limit, _State.uncounted = limit, uncounted
    before = signal.signal(signal.SIGVTALRM, _look)
    signal.setitimer(signal.ITIMER_VIRTUAL, LOOK, LOOK)
    try:
        yield
    except Exception as error:
        if not isinstance(error, Stopped) and out_of_memory(error):
            raise MemoryReached(limit) from None
        raise
    finally:
        _end(before)


def _end(before: Any) -> None:
    for _ in range(2):  # it may come in this very moment
        with contextlib.suppress(MemoryReached):
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)
    late = _State.limit is not None and over(_State.limit)
    _State.limit, _State.uncounted = None, 0
    if late:
        gc.collect()
        with contextlib.suppress(OSError, AttributeError):
            import ctypes

            ctypes.CDLL(None).malloc_trim(0)  # of glibc: gives back what is free


def _look(number: int, frame: FrameType | None) -> None:
    limit = _State.limit
    if limit is None or not over(limit + _State.uncounted):
        return
    if _in_z3(frame):
        signal.setitimer(signal.ITIMER_VIRTUAL, SOON, LOOK)
        return
    signal.setitimer(signal.ITIMER_VIRTUAL, AGAIN, LOOK)
    raise MemoryReached(limit)


def _in_z3(frame: FrameType | None) -> bool:
    """An object of Z3's that is only half made complains when it is thrown away."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith("z3."):
            return True
        frame = frame.f_back
    return False


def megabytes() -> int | None:
    """The limit that holds, for a solver that keeps to one of its own; None: there is none."""
    return None if _State.limit is None else max(1, _State.limit // _MB)


def solver_gave_up() -> None:
    """Raises MemoryReached, if there is a limit: a solver that was given no time limit says that it
    does not know."""
    if _State.limit is not None:
        raise MemoryReached(_State.limit)


def out_of_memory(error: BaseException) -> str:
    """What to say of an exception that a lack of memory has brought about, under a limit or not;
    empty: it was something else."""
    if isinstance(error, MemoryReached):
        return error.told
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        if isinstance(
            cause, MemoryReached
        ):  # lark, for one, raises an exception of its own instead
            return cause.told
        by_z3 = type(cause).__name__ == "Z3Exception" and any(w in str(cause) for w in _OF_Z3)
        if by_z3 or isinstance(cause, MemoryError):
            return "out of memory" if _State.limit is None else told(_State.limit)
        cause = cause.__cause__ or cause.__context__
    return ""
