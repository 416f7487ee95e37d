"""What an event of an interleaving does to memory, and which events conflict.

The conflict relation of "Awaiting for Godot" (FMCAD 2022), §IV-A: two events conflict when they
access the same location and one of them writes there, unless both are independent fetch-and-adds.
A compare-and-swap that does not store only reads. What an event does is a set of these flags.
"""

from __future__ import annotations

from typing import Final

READS: Final = 1
WRITES: Final = 2
ADDS: Final = 4  # it writes, as a fetch-and-add that does not conflict with others of its kind
GUARDED: Final = 8  # it may be enabled or disabled by writes of other threads to its location

DISABLED: Final = -1  # in place of flags: the event cannot happen here


def conflict(one: int, other: int) -> bool:
    """Whether events with these flags, on one location, conflict."""
    if not (one | other) & WRITES:
        return False
    return not (one & other & ADDS)
