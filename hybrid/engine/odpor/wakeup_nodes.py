"""Events that are to be explored, or need not be: the nodes of wakeup trees, the members of sleep
sets, and wakeup sequences."""

from __future__ import annotations


class WakeupNode:
    """An event that is to be explored, in a tree of them; or a sleeping one."""

    __slots__ = ("alternative", "children", "flags", "location", "own", "process")

    def __init__(
        self, process: int, alternative: int, location: int, flags: int, own: int = -1
    ) -> None:
        self.process = process
        self.alternative = alternative
        self.location = location  # -1: not known yet, or none
        self.flags = flags
        # of a load that reads what its thread has stored itself: that store; see buffers.py
        self.own = own
        self.children: list[WakeupNode] = []


class WakeupSequence:
    """A sequence v that continues the prefix E' before the event `first` of an execution E: events
    of E in their order, then another one."""

    __slots__ = ("events", "first", "last", "waits_for")

    def __init__(self, first: int, events: int, last: WakeupNode, waits_for: int) -> None:
        self.first = first
        self.events = events  # closed downwards among what occurs after E'
        self.last = last
        self.waits_for = waits_for  # those of them that the last one has to come after
