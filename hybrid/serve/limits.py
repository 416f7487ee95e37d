"""Limits that the kernel keeps for a process and for what it starts: of memory, computing time and
the size of files."""

from __future__ import annotations

import ctypes
import signal
import sys
from typing import Final

MARGIN: Final = 300_000_000  # bytes above the limit that a run keeps by itself (hybrid/memory.py)
ADDRESSES: Final = 4_000_000_000  # bytes of addresses beyond: libraries, what a compiler reserves
FILE_BYTES: Final = 100_000_000  # of a file that the compiler writes
FILES: Final = 256  # open at the same time
_PR_SET_PDEATHSIG: Final = 1


def limit_process(memory: int, seconds: float) -> None:
    """For this process and its children from now on: `memory` bytes and a margin, and `seconds` of
    computing. Does what the system can do; without limits of processes (Windows) that is nothing.
    """
    try:
        import resource
    except ImportError:
        return
    whole = int(seconds) + 1
    wanted = {
        "RLIMIT_CORE": 0,
        "RLIMIT_CPU": whole,
        "RLIMIT_DATA": memory + MARGIN,
        "RLIMIT_AS": memory + MARGIN + ADDRESSES,
        "RLIMIT_FSIZE": FILE_BYTES,
        "RLIMIT_NOFILE": FILES,
    }
    for name, value in wanted.items():
        number = getattr(resource, name, None)
        if number is None:
            continue
        _, most = resource.getrlimit(number)
        kept = value if most == resource.RLIM_INFINITY else min(value, most)
        try:
            resource.setrlimit(number, (kept, kept))
        except (OSError, ValueError):  # a system that knows the limit and does not take it
            continue


def end_with_parent() -> None:
    """This process is ended when the one that started it goes (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
