"""What the runs of a bounded program are made of: slots for events, with the terms under which they
happen, and the ways in which its threads can end."""

from __future__ import annotations

from dataclasses import dataclass, field

from hybrid.bmc.terms import FALSE, TRUE, FormulaTerms
from hybrid.execution.trace import Status

Sources = dict[int, int]  # slots of loads, to the truth under which they count
NOTHING: Sources = {}


@dataclass(slots=True)
class Slot:
    """An event that may happen."""

    number: int
    thread: int  # -1: an initial write
    kind: str  # R, W, F or B
    label: str
    tags: frozenset[str]
    happens: int  # truth
    address: int | None = None  # value, of R and W
    value: int | None = None  # of R and W
    addr: Sources = field(default_factory=dict)  # on what it depends, given that it happens
    data: Sources = field(default_factory=dict)
    ctrl: Sources = field(default_factory=dict)
    pick: Sources = field(default_factory=dict)
    lxsx: Sources = field(default_factory=dict)  # of a store-conditional: its load-reserve
    amo: int | None = None  # of the store of a read-modify-write: the slot of its load
    guard: tuple[str, int] | None = None  # of an await: what the value read is compared with
    optional: bool = False  # whether values alone do not decide that it happens
    failed_tags: frozenset[str] | None = None  # its tags unless `stored`; None: they are `tags`
    stored: int = TRUE  # truth: of the load of a read-modify-write, whether that stores
    after: frozenset[int] = frozenset()  # slots of its thread from which it can be reached


@dataclass(slots=True)
class SymbolicStep:
    """What takes po indices: `width` of them when it is `passed`."""

    passed: int  # truth
    width: int
    slots: tuple[int, ...]  # in order, each with an index of its own


@dataclass(slots=True)
class Held:
    """What a register holds."""

    value: int
    sources: Sources  # the loads it depends on
    basic: Sources  # those of them that it depends on otherwise than by selection alone
    assigned: int  # truth: whether it was ever assigned or has an initial value
    varies: int  # truth: whether it comes from memory


@dataclass(slots=True)
class SymbolicAwait:
    """An await at which a thread can stop."""

    label: str
    address: int  # value
    op: str
    wanted: int  # value: what is compared with
    locks: bool  # it is a read-modify-write
    in_vain: int  # truth: what its location holds in the end is not what it waits for


@dataclass(slots=True)
class ThreadEnding:
    """One of the ways in which a thread can stop."""

    status: Status
    when: int  # truth
    registers: dict[str, Held]
    label: str = ""  # of status ERROR: the access, …
    address: int = 0  # … and its address; of status CUT: where …
    bound: str = ""  # … and at which bound
    stops_at: SymbolicAwait | None = None  # of status BLOCKED: the await; None: an assume


@dataclass(slots=True)
class Symbolic:
    """A whole program."""

    terms: FormulaTerms
    slots: list[Slot]  # the initial writes first, in the order of the locations; then by thread
    steps: list[list[SymbolicStep]]  # by thread, in order
    endings: list[list[ThreadEnding]]  # by thread
    asserts: list[list[tuple[str, int]]]  # by thread, in order: label, truth of its failure

    def status(self, *wanted: Status) -> int:
        """The truth of some thread's ending in one of these ways."""
        return self.terms.disjunction(
            ending.when for endings in self.endings for ending in endings if ending.status in wanted
        )

    @property
    def tells(self) -> int:
        """The truth of its being a run that is looked at: one that is only blocked, with no assert
        failing and not waiting for ever, is none."""
        blocked = self.status(Status.BLOCKED)
        others = self.status(Status.ERROR, Status.CUT)
        told = (self.terms.negation(blocked), others, self.failing, self.waiting())
        return self.terms.disjunction(told)

    def waiting(self, deadlock: bool | None = None) -> int:
        """The truth of a run's waiting for ever: some threads stop at awaits, all others come to
        their ends, and what is at an await's location in the end is not what it waits for. With
        `deadlock` only the runs in which each such await is a read-modify-write, or only the
        others."""
        terms = self.terms
        stops = [e for listed in self.endings for e in listed if e.stops_at is not None]
        if not stops:
            return FALSE
        wrong = [
            ending.when
            for listed in self.endings
            for ending in listed
            if ending.status is not Status.COMPLETE and ending.stops_at is None
        ]
        parts = [terms.disjunction(ending.when for ending in stops)]
        parts += [terms.negation(when) for when in wrong]
        parts += [
            terms.disjunction((terms.negation(ending.when), ending.stops_at.in_vain))
            for ending in stops
            if ending.stops_at is not None
        ]
        if deadlock is not None:
            loads = terms.disjunction(
                e.when for e in stops if e.stops_at is not None and not e.stops_at.locks
            )
            parts.append(terms.negation(loads) if deadlock else loads)
        return terms.conjunction(*parts)

    @property
    def failing(self) -> int:
        """The truth of some assert's failure."""
        return self.terms.disjunction(fails for listed in self.asserts for _, fails in listed)
