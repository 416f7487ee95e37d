"""One control-flow path of a thread: what it consists of, and the walk that makes it.

Values are terms. Numbering and dependencies are those of hybrid.program.program.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hybrid.execution.trace import Status
from hybrid.program.expr import Expr, registers
from hybrid.program.instructions import Assume, Instruction, Load, Rmw
from hybrid.program.loops import CutPlace

Loads = frozenset[int]  # po indices of loads of the same thread
NONE: Loads = frozenset()
PLAIN: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PathEvent:
    index: int  # po index
    kind: str  # R, W, F or B
    label: str
    tags: frozenset[str]
    address: int | None  # term, of R and W
    value: int | None  # term, of R and W
    addr: Loads
    data: Loads
    ctrl: Loads
    pick: Loads


@dataclass(frozen=True, slots=True)
class PathStop:
    """Where a path stops to wait: at an await, or at an assume that stands for a loop."""

    instruction: Load | Rmw | Assume
    address: int | None  # term: what an await would read
    held: dict[str, int]  # terms: what the registers hold that it mentions
    rereads: tuple[tuple[int, int], ...]  # terms: addresses, and what must be held there

    @property
    def terms(self) -> set[int]:
        found = {term for pair in self.rereads for term in pair} | set(self.held.values())
        return found if self.address is None else found | {self.address}


@dataclass(frozen=True, slots=True)
class Path:
    """One way through a thread's code."""

    thread: int
    events: tuple[PathEvent, ...]
    terms: tuple[int, ...]  # all that occur, operands first
    conditions: tuple[tuple[int, bool], ...]  # term, whether it is true (not 0) on this path
    addresses: tuple[tuple[int, bool], ...]  # term, whether it is the address of a location
    amo: tuple[tuple[int, int], ...]
    lxsx: tuple[tuple[int, int], ...]
    registers: Mapping[str, int]  # final terms
    asserts: tuple[tuple[str, int], ...]  # label, condition
    status: Status
    error: tuple[str, int] | None  # of status ERROR: label and address of the access
    cut: CutPlace | None  # of status CUT: where, at which bound
    stops_at: PathStop | None  # of status BLOCKED: where it waits; None: an assume that does not


class Walk:
    """A path in the making."""

    def __init__(self) -> None:
        self.pc = 0
        self.next = 0  # the next po index
        self.events: list[PathEvent] = []
        self.terms: dict[str, int] = {}  # by register
        self.depends: dict[str, Loads] = {}  # by register
        self.picked: dict[str, Loads] = {}  # by register: what it depends on by selection alone
        self.ctrl: Loads = NONE  # what later events are control dependent on
        self.conditions: dict[int, bool] = {}
        self.addresses: dict[int, bool] = {}
        self.reserve: tuple[int, int] | None = None  # open reservation: po index, address
        self.amo: list[tuple[int, int]] = []
        self.lxsx: list[tuple[int, int]] = []
        self.asserts: list[tuple[str, int]] = []
        self.varying: set[str] = set()  # registers that hold what memory gave
        self.steps = 0  # instructions so far
        self.jumps: dict[int, int] = {}  # how often the backward jump at an index counted
        self.marks: dict[int, int] = {}  # since that jump was last taken
        self.passed: dict[int, tuple[int, ...]] = {}  # by exit: its registers' values last time

    def copy(self) -> Walk:
        other = Walk()
        other.pc, other.next = self.pc, self.next
        other.ctrl, other.reserve = self.ctrl, self.reserve
        other.events, other.asserts = self.events[:], self.asserts[:]
        other.amo, other.lxsx = self.amo[:], self.lxsx[:]
        other.terms, other.depends = dict(self.terms), dict(self.depends)
        other.picked = dict(self.picked)
        other.conditions, other.addresses = dict(self.conditions), dict(self.addresses)
        other.varying, other.steps = set(self.varying), self.steps
        other.jumps, other.marks = dict(self.jumps), dict(self.marks)
        other.passed = dict(self.passed)
        return other

    def loads_of(self, expr: Expr) -> Loads:
        return NONE.union(*(self.depends.get(name, NONE) for name in registers(expr)))

    def basic_loads_of(self, *exprs: Expr) -> Loads:
        """What expressions depend on otherwise than by selection alone."""
        return NONE.union(
            *(
                self.depends.get(name, NONE) - self.picked.get(name, NONE)
                for expr in exprs
                for name in registers(expr)
            )
        )

    def loads_of_operands(self, rmw: Rmw) -> Loads:
        """What the operands of a read-modify-write depend on; it takes them all before it reads."""
        loads = self.loads_of(rmw.operand)
        if rmw.expected is not None:
            loads |= self.loads_of(rmw.expected)
        for side in () if rmw.guard is None else rmw.guard.sides:
            loads |= self.loads_of(side)
        return loads

    def set(
        self, register: str | None, term: int, loads: Loads, basic: Loads, varies: bool = True
    ) -> None:
        if register is None:
            return
        self.terms[register] = term
        self.depends[register] = loads
        self.picked[register] = loads - basic
        if varies:
            self.varying.add(register)
        else:
            self.varying.discard(register)

    def varies(self, *exprs: Expr) -> bool:
        return any(not self.varying.isdisjoint(registers(expr)) for expr in exprs)

    def mark(self, jumps: tuple[int, ...], mark: int) -> None:
        for jump in jumps:
            self.marks[jump] = self.marks.get(jump, 0) | mark

    def event(
        self,
        kind: str,
        instruction: Instruction,
        tags: frozenset[str],
        address: int | None = None,
        value: int | None = None,
        addr: Loads = NONE,
        data: Loads = NONE,
        basic: Loads = NONE,
    ) -> int:
        """Adds the next event and gives its po index; `basic` is what it is not in pick to."""
        index = self.next
        self.next += 1
        pick = (addr | data) - basic
        label = instruction.label
        self.events.append(
            PathEvent(index, kind, label, tags, address, value, addr, data, self.ctrl, pick)
        )
        return index
