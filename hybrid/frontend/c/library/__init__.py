"""The functions that a C program may call without defining them, by name.

Each takes the thread that is being lowered, its arguments and the call, and gives what it returns;
or says how the thread goes on, where it has seen to that itself.
"""

from __future__ import annotations

from hybrid.frontend.c.library import (
    atomics,
    barriers,
    bits,
    clocks,
    conditions,
    cxx,
    cxx_threads,
    heap,
    intrinsics,
    mutexes,
    once,
    refused,
    rwlocks,
    semaphores,
    specific,
    strings,
    system,
    threading,
    verifier,
)
from hybrid.frontend.c.library.cxx_headers import header_function as header_function
from hybrid.frontend.c.library.entry import Going as Going
from hybrid.frontend.c.library.entry import LibraryFunction

LIBRARY: dict[str, LibraryFunction] = {
    **refused.FUNCTIONS,
    **atomics.FUNCTIONS,
    **barriers.FUNCTIONS,
    **clocks.FUNCTIONS,
    **bits.FUNCTIONS,
    **conditions.FUNCTIONS,
    **heap.FUNCTIONS,
    **mutexes.FUNCTIONS,
    **once.FUNCTIONS,
    **rwlocks.FUNCTIONS,
    **semaphores.FUNCTIONS,
    **specific.FUNCTIONS,
    **strings.FUNCTIONS,
    **system.FUNCTIONS,
    **threading.FUNCTIONS,
    **verifier.FUNCTIONS,
    **cxx.FUNCTIONS,
    **cxx_threads.FUNCTIONS,
}


def library_function(name: str) -> LibraryFunction | None:
    return LIBRARY.get(name) or intrinsics.intrinsic(name) or cxx.by_pattern(name)
