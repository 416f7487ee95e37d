"""What the runs of a bounded program are made of: slots for events, with the terms under which they
happen, and the ways in which its threads can end."""

from __future__ import annotations

from dataclasses import dataclass, field

from hybrid.bmc.expected import Surprise
from hybrid.bmc.terms import FALSE, TRUE, FormulaTerms
from hybrid.execution.trace import Status
from hybrid.program.instructions import Assume, Load, Rmw
from hybrid.program.program import ProgramEnd

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
    guard: tuple[str, int] | None = None  # of an await: what the value read is compared with …
    test: int | None = None  # … or, where it is not just compared, the truth of its being awaited
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
class SymbolicStop:
    """An await, or an assume that stands for a loop, at which a thread can stop to wait."""

    instruction: Load | Rmw | Assume
    address: int | None  # value: what an await would read
    held: dict[str, int]  # values: what the registers hold that it mentions
    rereads: tuple[tuple[int, int], ...]  # values: addresses, and what must be held there
    in_vain: int  # truth: what memory holds in the end keeps it there

    @property
    def locks(self) -> bool:
        """Whether it is a read-modify-write, or one at which the thread sleeps."""
        guard = self.instruction.awaits
        return isinstance(self.instruction, Rmw) or (guard is not None and guard.sleeps)


@dataclass(slots=True)
class ThreadEnding:
    """One of the ways in which a thread can stop."""

    status: Status
    when: int  # truth
    registers: dict[str, Held]
    label: str = ""  # of status ERROR: the access, …
    address: int = 0  # … and its address; of status CUT: where …
    bound: str = ""  # … and at which bound
    # of status BLOCKED: where it waits; None: an assume that does not
    stops_at: SymbolicStop | None = None
    # of status CUT without a bound: what was not expected; None: it stops for another's surprise
    surprise: Surprise | None = None


@dataclass(slots=True)
class Symbolic:
    """A whole program."""

    terms: FormulaTerms
    slots: list[Slot]  # the initial writes first, in the order of the locations; then by thread
    steps: list[list[SymbolicStep]]  # by thread, in order
    endings: list[list[ThreadEnding]]  # by thread
    asserts: list[list[tuple[str, int]]]  # by thread, in order: label, truth of its failure
    frees: frozenset[str] = frozenset()  # labels of the stores by which memory is freed
    freed_from_start: frozenset[int] = frozenset()  # addresses of memory that is freed already
    end: ProgramEnd | None = None

    def status(self, *wanted: Status) -> int:
        """The truth of some thread's ending in one of these ways."""
        return self.terms.disjunction(
            ending.when for endings in self.endings for ending in endings if ending.status in wanted
        )

    @property
    def bounded(self) -> int:
        """The truth of some thread's coming to a bound."""
        return self.terms.disjunction(
            ending.when for endings in self.endings for ending in endings if ending.bound
        )

    @property
    def unexpected(self) -> int:
        """The truth of some thread's doing what is not expected of it."""
        return self.terms.disjunction(ending.when for ending in self.surprises())

    def surprises(self) -> list[ThreadEnding]:
        return [e for endings in self.endings for e in endings if e.surprise is not None]

    @property
    def stopped(self) -> int:
        """The truth of some thread's stopping for another's surprise."""
        return self.terms.disjunction(
            ending.when
            for endings in self.endings
            for ending in endings
            if ending.status is Status.CUT and not ending.bound and ending.surprise is None
        )

    @property
    def tells(self) -> int:
        """The truth of its being a run that is looked at, whatever is written to freed memory: one
        that is only blocked, with no assert failing and not waiting for ever, is none."""
        blocked = self.status(Status.BLOCKED)
        others = self.status(Status.ERROR, Status.CUT)
        told = (self.terms.negation(blocked), others, self.failing, self._waiting())
        return self.terms.disjunction(told)

    @property
    def complete(self) -> int:
        """The truth of a run's being complete: all threads come to their ends, or the program is
        over while some wait."""
        terms = self.terms
        ended = terms.negation(self.status(Status.ERROR, Status.CUT, Status.BLOCKED))
        return terms.disjunction((ended, terms.conjunction(self._waiting(), self.over())))

    def waiting(self, deadlock: bool | None = None) -> int:
        """The truth of a run's waiting for ever, and the program's not being over. With `deadlock`
        only the runs in which each await is a read-modify-write, or only the others."""
        terms = self.terms
        found = terms.conjunction(self._waiting(), terms.negation(self.over()))
        if deadlock is None:
            return found
        loads = terms.disjunction(
            e.when for e in self._stops() if e.stops_at is not None and not e.stops_at.locks
        )
        return terms.conjunction(found, terms.negation(loads) if deadlock else loads)

    def _stops(self) -> list[ThreadEnding]:
        return [e for listed in self.endings for e in listed if e.stops_at is not None]

    def over(self) -> int:
        """The truth of the program's being over in a run in which threads wait for ever."""
        end, terms = self.end, self.terms
        if end is None:
            return FALSE
        exits, returns = (
            terms.disjunction(
                terms.conjunction(ending.when, ending.registers[name].assigned)
                for listed in self.endings
                for ending in listed
                if ending.status is Status.COMPLETE and name in ending.registers
            )
            for name in (end.exits, end.returns)
        )
        awaited = terms.disjunction(
            ending.when
            for thread in sorted(end.awaited)
            for ending in self.endings[thread]
            if ending.stops_at is not None
        )
        returns = TRUE if end.at_once else returns
        return terms.disjunction((exits, terms.conjunction(returns, terms.negation(awaited))))

    def _waiting(self) -> int:
        """The truth of a run's waiting for ever: some threads stop at awaits, all others come to
        their ends, and what is at an await's location in the end is not what it waits for."""
        terms = self.terms
        stops = self._stops()
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
        return terms.conjunction(*parts)

    @property
    def failing(self) -> int:
        """The truth of some assert's failure."""
        return self.terms.disjunction(fails for listed in self.asserts for _, fails in listed)
