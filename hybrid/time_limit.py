"""A time limit that holds wherever the program is: in reading, in setting up, or in an exploration
between two looks at the clock."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from hybrid.errors import Stopped

# seconds after the limit: engines look at the clock themselves, and end in better order
LATER = 0.1
SOON = 0.01  # seconds until the next try, where an exception would do harm
AGAIN = 0.5  # seconds until the next one, where it came at a place that swallows exceptions
_CALLED_BACK = ("weakref", "_weakrefset")  # modules whose code runs when an object goes


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raises Stopped in the block soon after `seconds`. Does nothing where there are no timers (not
    POSIX) or outside the main thread."""
    able = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if seconds is None or not able:
        yield
        return
    before = signal.signal(signal.SIGALRM, _stop)
    signal.setitimer(signal.ITIMER_REAL, seconds + LATER)
    try:
        yield
    except Exception as error:
        if isinstance(error, Stopped):
            raise
        if _stopped_behind(error):  # lark, for one, raises an exception of its own instead
            raise Stopped from None
        raise
    finally:
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
        except Stopped:  # it came in this very moment
            signal.setitimer(signal.ITIMER_REAL, 0)
            raise
        finally:
            signal.signal(signal.SIGALRM, before)


def time_left(deadline: float | None) -> float | None:
    """Seconds until the deadline, a little more than none when it has passed; None if there is
    none."""
    return None if deadline is None else max(deadline - time.monotonic(), 0.001)


def _stop(number: int, frame: FrameType | None) -> None:
    if _does_harm(frame):
        signal.setitimer(signal.ITIMER_REAL, SOON)
        return
    signal.setitimer(signal.ITIMER_REAL, AGAIN)
    raise Stopped


def _stopped_behind(error: BaseException | None) -> bool:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, Stopped):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False


def _does_harm(frame: FrameType | None) -> bool:
    """Whether an exception would be reported and go no further: an object of Z3's that is only half
    made complains when it is thrown away, and what weak references call has no caller."""
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))
        if module.startswith("z3.") or module in _CALLED_BACK:
            return True
        frame = frame.f_back
    return False
