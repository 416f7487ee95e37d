"""Control-flow paths of a thread: every way through its code, with symbolic values, dependencies
and what must be true on it.

A path decides each branch, assume, compare-and-swap and store-conditional one way and says so in
`conditions`, which are checked once values are known. Numbering and dependencies are those of
hybrid.program.program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from hybrid.engine.api import Limits
from hybrid.engine.enumerate.terms import Terms
from hybrid.errors import InternalError
from hybrid.execution.trace import Status
from hybrid.program.expr import Expr, registers
from hybrid.program.instructions import (
    Assert,
    Assign,
    Assume,
    Branch,
    Fence,
    Goto,
    Instruction,
    Load,
    Rmw,
    Select,
    Store,
    StoreConditional,
)
from hybrid.program.loops import (
    EVENT,
    MAX_STEPS,
    MOVES,
    UNROLL,
    VARIES,
    CutPlace,
    counts,
    loops_of,
)
from hybrid.program.program import Program
from hybrid.program.values import BITS

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
class PathAwait:
    """Where a path stops to wait: until what is at `address` stands in relation `op` to `wanted`."""

    label: str
    address: int  # term
    op: str
    wanted: int  # term
    locks: bool  # at a read-modify-write


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
    stops_at: PathAwait | None  # of status BLOCKED: the await; None: an assume


class _Walk:
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
        self.passed: dict[
            int, tuple[int, ...]
        ] = {}  # by exit: its registers' values, the last time

    def copy(self) -> _Walk:
        other = _Walk()
        other.pc, other.next, other.ctrl, other.reserve = (
            self.pc,
            self.next,
            self.ctrl,
            self.reserve,
        )
        other.events, other.amo, other.lxsx, other.asserts = (
            self.events[:],
            self.amo[:],
            self.lxsx[:],
            self.asserts[:],
        )
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
        if rmw.guard is not None:
            loads |= self.loads_of(rmw.guard.value)
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


class _Explorer:
    """Walks through one thread's code, both ways wherever a value decides."""

    def __init__(self, program: Program, thread: int, terms: Terms, limits: Limits) -> None:
        self.thread = thread
        self.code = program.threads[thread].code
        self.locations = program.by_address
        self.terms = terms
        self.unroll = limits.unroll
        self.max_steps = limits.max_steps
        self.loops = loops_of(self.code)
        self.finished: list[Path] = []
        self.pending: list[_Walk] = []  # walks to go on with
        start = _Walk()
        for name, value in program.threads[thread].initial.items():
            start.set(name, terms.constant(value), NONE, NONE, False)
        self.pending.append(start)

    def step(self) -> None:
        """Takes one walk one instruction further."""
        walk = self.pending.pop()
        if walk.pc >= len(self.code):
            self.finish(walk, Status.COMPLETE)
            return
        instruction = self.code[walk.pc]
        if walk.steps == self.max_steps:
            self.finish(walk, Status.CUT, cut=MAX_STEPS)
            return
        walk.steps += 1
        for jump in self.loops.heads.get(walk.pc, ()):
            walk.marks[jump] = 0
        if not isinstance(instruction, Assign | Select | Assert | Goto | Branch):
            walk.mark(self.loops.around.get(walk.pc, ()), EVENT)
        if isinstance(instruction, Assign):
            term = self.terms.expression(instruction.value, walk.terms)
            loads, basic = walk.loads_of(instruction.value), walk.basic_loads_of(instruction.value)
            varies = walk.varies(instruction.value)
            walk.set(instruction.register, term, loads, basic, varies)
            self.go_on(walk)
        elif isinstance(instruction, Select):
            self.select(walk, instruction)
        elif isinstance(instruction, Load | Rmw):
            self.load(walk, instruction)
        elif isinstance(instruction, Store):
            self.store(walk, instruction)
        elif isinstance(instruction, StoreConditional):
            self.store_conditional(walk, instruction)
        elif isinstance(instruction, Fence):
            walk.event("F", instruction, instruction.tags)
            self.go_on(walk)
        elif isinstance(instruction, Branch):
            self.branch(walk, instruction)
        elif isinstance(instruction, Goto):
            self.jump(walk, instruction.target)
        elif isinstance(instruction, Assume):
            condition = self.terms.expression(instruction.condition, walk.terms)
            walk.event("B", instruction, PLAIN)
            walk.ctrl |= walk.loads_of(instruction.condition)
            for holds, other in self.decide(walk, condition):
                if holds:
                    self.go_on(other)
                else:
                    self.finish(other, Status.BLOCKED)
        elif isinstance(instruction, Assert):
            condition = self.terms.expression(instruction.condition, walk.terms)
            walk.asserts.append((instruction.label, condition))
            self.go_on(walk)
        else:
            raise InternalError(f"no such instruction: {instruction!r}")

    def select(self, walk: _Walk, instruction: Select) -> None:
        """Both ways; what was not selected is not depended on."""
        condition = self.terms.expression(instruction.condition, walk.terms)
        varies = walk.varies(instruction.condition, instruction.yes, instruction.no)
        for yes, other in self.decide(walk, condition):
            chosen = instruction.yes if yes else instruction.no
            term = self.terms.expression(chosen, other.terms)
            loads = other.loads_of(chosen) | other.loads_of(instruction.condition)
            other.set(instruction.register, term, loads, other.basic_loads_of(chosen), varies)
            self.go_on(other)

    def load(self, walk: _Walk, instruction: Load | Rmw) -> None:
        """A load, or the load of a read-modify-write and then its store."""
        address = self.address(walk, instruction)
        if address is None:
            return
        guard = instruction.guard
        if guard is not None:
            wanted = self.terms.expression(guard.value, walk.terms)
            locks = isinstance(instruction, Rmw)
            waits = PathAwait(instruction.label, address, guard.op, wanted, locks)
            self.finish(walk.copy(), Status.BLOCKED, stops_at=waits)
        addr = walk.loads_of(instruction.address)
        data = NONE if isinstance(instruction, Load) else walk.loads_of_operands(instruction)
        basic = walk.basic_loads_of(instruction.address)
        if isinstance(instruction, Rmw):
            basic |= walk.basic_loads_of(instruction.operand)
            basic |= NONE if guard is None else walk.basic_loads_of(guard.value)
        read = self.terms.load((self.thread, walk.next))
        at = len(walk.events)
        index = walk.event("R", instruction, instruction.tags, address, read, addr, data, basic)
        own = frozenset((index,))
        if guard is not None:
            wanted = self.terms.expression(guard.value, walk.terms)
            walk.ctrl |= walk.loads_of(guard.value) | {index}
            if not self.require(walk, self.terms.binary(guard.op, read, wanted), True):
                return
        if isinstance(instruction, Load):
            if instruction.exclusive:
                walk.reserve = (index, address)
            walk.set(instruction.register, read, own, own)
            self.go_on(walk)
            return
        operand = self.terms.expression(instruction.operand, walk.terms)
        stores = [(True, walk)]
        compared = NONE
        written = operand
        if instruction.op == "cas":
            if instruction.expected is None:
                raise InternalError(f"{instruction.label}: a cas that expects nothing")
            expected = self.terms.expression(instruction.expected, walk.terms)
            data |= {index}
            compared = walk.loads_of(instruction.expected) | {index}
            stores = self.decide(walk, self.terms.binary("==", read, expected), instruction.weak)
        elif instruction.op != "xchg":
            written = self.terms.binary(instruction.op, read, operand)
            if instruction.bits != BITS:
                written = self.terms.unary(f"s{instruction.bits}", written)
            data |= {index}
            basic |= {index}
        for does, other in stores:
            if does:
                store = other.event(
                    "W", instruction, instruction.tags, address, written, addr, data, basic
                )
                other.amo.append((index, store))
            else:
                other.next += 1
                other.events[at] = replace(other.events[at], tags=instruction.tags_without_store)
            selected = does and instruction.op == "cas"
            other.set(instruction.register, read, own, NONE if selected else own)
            other.set(instruction.success, self.terms.constant(int(does)), compared, compared)
            self.go_on(other)

    def store(self, walk: _Walk, instruction: Store) -> None:
        address = self.address(walk, instruction)
        if address is None:
            return
        value = self.terms.expression(instruction.value, walk.terms)
        addr = walk.loads_of(instruction.address)
        data = walk.loads_of(instruction.value)
        basic = walk.basic_loads_of(instruction.address, instruction.value)
        walk.event("W", instruction, instruction.tags, address, value, addr, data, basic)
        self.go_on(walk)

    def store_conditional(self, walk: _Walk, instruction: StoreConditional) -> None:
        address = self.address(walk, instruction)
        if address is None:
            return
        value = self.terms.expression(instruction.value, walk.terms)
        addr = walk.loads_of(instruction.address)
        data = walk.loads_of(instruction.value)
        basic = walk.basic_loads_of(instruction.address, instruction.value)
        reserve, walk.reserve = walk.reserve, None
        status = addr | data
        if reserve is not None:
            status |= {reserve[0]}
        certain = status & (basic | ({reserve[0]} if reserve is not None else NONE))
        if instruction.free or instruction.by_store:
            status = frozenset()
        failed = walk.copy()
        failed.next += 1
        failed.set(instruction.status, self.terms.constant(1), status, certain)
        self.go_on(failed)
        if reserve is not None and self.require(
            walk, self.terms.binary("==", address, reserve[1]), True
        ):
            tags = instruction.tags
            store = walk.event("W", instruction, tags, address, value, addr, data, basic)
            walk.lxsx.append((reserve[0], store))
            if instruction.by_store:
                status = certain = frozenset({store})
            walk.set(instruction.status, self.terms.constant(0), status, certain)
            self.go_on(walk)

    def branch(self, walk: _Walk, instruction: Branch) -> None:
        condition = self.terms.expression(instruction.condition, walk.terms)
        exits = self.loops.exits.get(walk.pc, ())
        if not walk.varies(instruction.condition):
            self.branch_on_constants(walk, instruction, condition, exits)
            return
        walk.mark(self.loops.around.get(walk.pc, ()), EVENT)
        walk.mark(exits, VARIES)
        walk.event("B", instruction, PLAIN)
        walk.ctrl |= walk.loads_of(instruction.condition)
        for taken, other in self.decide(walk, condition):
            if taken:
                self.jump(other, instruction.target)
            else:
                self.go_on(other)

    def branch_on_constants(
        self, walk: _Walk, instruction: Branch, condition: int, exits: tuple[int, ...]
    ) -> None:
        """The walk goes one way, without an event."""
        names = sorted(registers(instruction.condition))
        if exits and names:
            zero = self.terms.constant(0)
            held = tuple(self.terms.value(walk.terms.get(name, zero)) or 0 for name in names)
            if walk.passed.get(walk.pc) != held:
                walk.passed[walk.pc] = held
                walk.mark(exits, MOVES)
        value = self.terms.value(condition)
        if value is None:
            raise InternalError(f"{instruction.label}: a condition on constants has no value")
        if value:
            self.jump(walk, instruction.target)
        else:
            self.go_on(walk)

    def jump(self, walk: _Walk, target: int) -> None:
        if target <= walk.pc and counts(walk.marks.get(walk.pc, 0)):
            taken = walk.jumps.get(walk.pc, 0) + 1
            if taken > self.unroll:
                self.finish(walk, Status.CUT, cut=UNROLL)
                return
            walk.jumps[walk.pc] = taken
        walk.pc = target
        self.pending.append(walk)

    def go_on(self, walk: _Walk) -> None:
        walk.pc += 1
        self.pending.append(walk)

    def require(self, walk: _Walk, condition: int, truth: bool) -> bool:
        """Makes the walk one on which `condition` has this truth; False if it can't be one."""
        value = self.terms.value(condition)
        if value is not None:
            return (value != 0) == truth
        return walk.conditions.setdefault(condition, truth) == truth

    def decide(self, walk: _Walk, condition: int, weak: bool = False) -> list[tuple[bool, _Walk]]:
        """The walks on which `condition` is true and false, as far as both can be; if `weak`, false
        stands for either."""
        other = walk.copy()
        walks = []
        if self.require(walk, condition, True):
            walks.append((True, walk))
        if weak or self.require(other, condition, False):
            walks.append((False, other))
        return walks

    def address(
        self, walk: _Walk, instruction: Load | Rmw | Store | StoreConditional
    ) -> int | None:
        """The address, on this walk one of a location; the other case ends here. None: there is no
        such walk."""
        term = self.terms.expression(instruction.address, walk.terms)
        value = self.terms.value(term)
        good = value in self.locations if value is not None else walk.addresses.get(term)
        if good is None:
            other = walk.copy()
            other.addresses[term] = False
            self.finish(other, Status.ERROR, (instruction.label, term))
            walk.addresses[term] = True
        elif not good:
            self.finish(walk, Status.ERROR, (instruction.label, term))
            return None
        return term

    def finish(
        self,
        walk: _Walk,
        status: Status,
        error: tuple[str, int] | None = None,
        cut: str = "",
        stops_at: PathAwait | None = None,
    ) -> None:
        used = {e.address for e in walk.events} | {e.value for e in walk.events}
        used |= set(walk.conditions) | set(walk.addresses) | set(walk.terms.values())
        used |= {condition for _, condition in walk.asserts}
        if error is not None:
            used.add(error[1])
        if stops_at is not None:
            used |= {stops_at.address, stops_at.wanted}
        self.finished.append(
            Path(
                self.thread,
                tuple(walk.events),
                self.terms.closure({term for term in used if term is not None}),
                tuple(walk.conditions.items()),
                tuple(walk.addresses.items()),
                tuple(walk.amo),
                tuple(walk.lxsx),
                walk.terms,
                tuple(walk.asserts),
                status,
                error,
                (self.thread, self.code[walk.pc].label, cut) if cut else None,
                stops_at,
            )
        )


def paths(program: Program, thread: int, terms: Terms, limits: Limits) -> Iterator[Path]:
    """Every path of a thread, within the bounds of hybrid.program.loops."""
    explorer = _Explorer(program, thread, terms, limits)
    while explorer.pending:
        limits.check_time()
        explorer.step()
        yield from explorer.finished
        explorer.finished.clear()
