"""The stack of TruSt's exploration: one frame for each unit of the graph, with the options that are
left for it. explorer.py says how they are used.

A unit is an access; a read-modify-write is one unit of two events. As data, for an exploration that
starts elsewhere, a unit on the graph is a `TrustUnit`, and what a frame has left to do is a
`TrustRemainder`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from hybrid.execution.step import CHOICE, End, Step
from hybrid.oracle.api import CommitFrame

TAKE: Final = 0  # the unit with a source, a place in co or FAIL
# an await that reads from a store whose value it does not accept: no event, the thread stands
WAIT: Final = 1
REVISIT: Final = 2  # the unit as a store that an earlier load now reads from

# (TAKE, parameter, outcome of a choice or -1), (WAIT, source, -1), (REVISIT, load, source of an rmw
# or -1)
Option = tuple[int, int, int]


class TrustUnit(NamedTuple):
    """One unit of a graph, as data."""

    event: int
    parameter: int  # source, place in co, or FAIL
    outcome: int  # of the choice before it, or -1
    waits: bool
    forced: int  # the store that revisited it, or -1
    before: int  # what is <_G before it, as bits
    second_before: int  # the same for an rmw's store


class TrustRemainder(NamedTuple):
    """What is left to do with a unit, as data."""

    event: int  # of its access, or of the choice before it
    before: int  # what is <_G before it, as bits
    second_before: int  # the same for an rmw's store
    forced: int  # the store that revisited it, or -1
    found: bool  # some TAKE or WAIT was possible
    options: tuple[Option, ...]  # that were not tried
    place: int  # not 0: the first option is a revisit, of which so many places were tried


# committed, fetched, pending, present, not_maximal, moving; the next step of the thread; the number
# of errors
Saved = tuple[int, int, int, int, int, int, Step | End | None, int]

_NOTHING: Final[Saved] = (0, 0, 0, 0, 0, 0, None, 0)


class UnitFrame:
    """A unit that is, or is about to be, on the stack."""

    __slots__ = (
        "before",
        "below",
        "choice",
        "deleted",
        "event",
        "forced",
        "found",
        "given",
        "lifted",
        "load_before",
        "on",
        "option",
        "options",
        "outcome",
        "own_before",
        "parameter",
        "place",
        "places",
        "revisits",
        "saved",
        "second_before",
        "step",
        "thread_past",
        "tried",
        "waits",
    )

    def __init__(self, step: Step, before: int, forced: int = -1) -> None:
        self.choice: Step | None = None  # of a cas of which it is chosen whether it stores
        if step.kind == CHOICE:
            self.choice = step
            access = step.after[1]
            assert isinstance(access, Step)
            step = access
        self.step = step  # after a choice: the access that it led to
        self.event = step.event
        self.before = before  # what is <_G before it
        self.second_before = before | 1 << step.event  # of an rmw: what is <_G before its store
        self.forced = forced  # the store that a revisited load reads from; -1: a new unit
        # how it stands on the stack
        self.parameter = 0  # source, place in co, or FAIL
        self.outcome = -1  # of the choice
        self.waits = False  # it is there as a WAIT
        self.on = False
        self.lifted: CommitFrame | None = None  # of the oracle, while a revisit leaves it off
        # the graph's state below it
        self.saved: Saved = _NOTHING
        self.thread_past = 0
        # what the explorer has tried
        self.options: list[Option] = []
        self.given = False  # it was there before the exploration and stays
        self.found = False  # some TAKE or WAIT was possible
        self.tried = 0  # how many of the options
        self.option: Option = (TAKE, -1, -1)  # the one that it is in
        self.revisits = -1  # the load that it revisits now
        self.places: list[int] = []  # its own parameters while it does …
        self.place = 0  # … and how many of them were tried
        self.own_before = 0  # its `before` when it does not
        self.load_before = 0  # what is <_G before that load
        self.below = 0  # the height of the stack below what the revisit deletes
        # what stood on the stack from the load on, before the revisit
        self.deleted: list[UnitFrame] = []
