"""One thread run again with the values that its loads are known to read, concretely; unknown values
are None.

A run goes as far as it can: it stops at a branch or assume whose condition is unknown and not
guessed, and at an access that the key of the trace does not have. Numbering and dependencies are
those of hybrid.program.program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from hybrid.execution.trace import Event, EventId, Status, StrayAccess
from hybrid.program import values
from hybrid.program.expr import Expr, evaluate, registers
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
from hybrid.program.loops import EVENT, MAX_STEPS, MOVES, UNROLL, VARIES, CutPlace, Loops, counts
from hybrid.program.program import Program

Edges = set[tuple[EventId, EventId]]


@dataclass(frozen=True, slots=True)
class Given:
    """What a run is fed with."""

    program: Program
    unroll: int
    max_steps: int
    loads: frozenset[EventId]  # those of the key
    stores: frozenset[EventId]  # those of the key
    read: Mapping[EventId, int]  # what loads read, as far as known
    guesses: Mapping[EventId, bool]  # of conditions that were unknown
    loops: Sequence[Loops]  # by thread


@dataclass(slots=True)
class ThreadRun:
    """How far a run came. `status` is None when it stopped before its end: then `undecided` or
    `missing` says where."""

    status: Status | None = None
    undecided: EventId | None = None  # a branch or assume whose condition is unknown
    missing: str = ""  # an access that the key does not have
    # of status BLOCKED: the await that the key does not have, and its address, or the assume that
    # stands for a loop
    stops_at: tuple[Load | Rmw | Assume, int | None] | None = None
    error: str = ""  # of status ERROR: what is wrong …
    stray: StrayAccess | None = None  # … with this access
    cut: CutPlace | None = None  # of status CUT: where, at which bound
    wrong: str = ""  # what contradicts the key
    unknown: bool = False  # whether an address or value is unknown
    events: list[Event] = field(default_factory=list)
    edges: dict[str, Edges] = field(
        default_factory=lambda: {
            name: set() for name in ("addr", "data", "ctrl", "pick", "amo", "lxsx")
        }
    )
    registers: dict[str, int | None] = field(default_factory=dict)
    # the labels of asserts that do not hold, each with what its registers held the first time
    failed: dict[str, dict[str, int]] = field(default_factory=dict)


class _Machine:
    def __init__(self, given: Given, thread: int) -> None:
        self.given = given
        self.thread = thread
        self.run = ThreadRun()
        self.run.registers = dict(given.program.threads[thread].initial)
        self.depends: dict[str, set[EventId]] = {}
        self.certain: dict[str, set[EventId]] = {}  # what of it is not by selection alone
        self.ctrl: set[EventId] = set()
        self.index = 0  # the next po index
        self.pc = 0
        self.reserve: tuple[EventId, int | None] | None = None
        self.varying: set[str] = set()  # registers that hold what memory gave
        self.loops = given.loops[thread]
        self.jumps: dict[int, int] = {}  # how often a backward jump counted
        self.marks: dict[int, int] = {}  # of a backward jump, since it was last taken
        self.passed: dict[int, list[int | None]] = {}  # by exit: what its registers held last time

    def go(self) -> ThreadRun:
        code = self.given.program.threads[self.thread].code
        steps = 0
        while self.pc < len(code):
            if steps == self.given.max_steps:
                self.cut(MAX_STEPS)
                return self.run
            steps += 1
            for jump in self.loops.heads.get(self.pc, ()):
                self.marks[jump] = 0
            if not self.execute(code[self.pc]):
                return self.run
            self.pc += 1
        self.run.status = Status.COMPLETE
        return self.run

    def cut(self, bound: str) -> None:
        label = self.given.program.threads[self.thread].code[self.pc].label
        self.run.status = Status.CUT
        self.run.cut = (self.thread, label, bound)

    def mark(self, jumps: tuple[int, ...], mark: int) -> None:
        for jump in jumps:
            self.marks[jump] = self.marks.get(jump, 0) | mark

    def execute(self, instruction: Instruction) -> bool:
        """Runs one instruction; False: the run ends here."""
        match instruction:
            case Assign():
                self.assign(
                    instruction.register,
                    self.value(instruction.value),
                    self.sources(instruction.value),
                    self.basics(instruction.value),
                    self.varies(instruction.value),
                )
                return True
            case Select():
                return self.select(instruction)
            case Load() | Rmw() | Store() | StoreConditional():
                self.mark_event()
                return self.access(instruction)
            case Fence():
                self.mark_event()
                self.event("F", instruction, instruction.tags)
                return True
            case Branch():
                if not self.varies(instruction.condition):
                    return self.branch_on_constants(instruction)
                return self.decide(instruction)
            case Goto():
                return self.jump(instruction.target)
            case Assume():
                return self.decide(instruction)
            case Assert():
                return self.check(instruction)
            case _:
                assert_never(instruction)

    def mark_event(self) -> None:
        """Marks the loops around this instruction, which takes a po index."""
        self.mark(self.loops.around.get(self.pc, ()), EVENT)

    def check(self, instruction: Assert) -> bool:
        condition = self.value(instruction.condition)
        self.run.unknown |= condition is None
        if condition == 0:
            names = registers(instruction.condition)
            held = {name: self.run.registers.get(name, 0) or 0 for name in names}
            self.run.failed.setdefault(instruction.label, held)
        return True

    def decide(self, instruction: Branch | Assume) -> bool:
        """A branch on what memory gave, or an assume."""
        self.mark_event()
        condition = self.value(instruction.condition)
        event = self.event("B", instruction, frozenset())
        self.ctrl |= self.sources(instruction.condition)
        truth = self.given.guesses.get(event)
        if condition is not None:
            if truth not in (None, condition != 0):
                self.run.wrong = f"{instruction.label}: its condition came out otherwise"
                return False
            truth = condition != 0
        if truth is None:
            self.run.undecided = event
            return False
        self.run.unknown |= condition is None
        if isinstance(instruction, Branch):
            self.mark(self.loops.exits.get(self.pc, ()), VARIES)
            return not truth or self.jump(instruction.target)
        if not truth:
            self.run.status = Status.BLOCKED
            self.run.stops_at = (instruction, None) if instruction.waits else None
        return truth

    def select(self, instruction: Select) -> bool:
        """What is selected; where that is unknown, so are its value and what it depends on."""
        condition = self.value(instruction.condition)
        sources = self.sources(instruction.condition)
        if condition is None:
            self.run.unknown = True
            self.assign(instruction.register, None, sources, set())
            return True
        chosen = instruction.yes if condition else instruction.no
        sources |= self.sources(chosen)
        varies = self.varies(instruction.condition, instruction.yes, instruction.no)
        basics = self.basics(chosen)
        self.assign(instruction.register, self.value(chosen), sources, basics, varies)
        return True

    def branch_on_constants(self, instruction: Branch) -> bool:
        """No event; whether it jumps does not depend on what is read."""
        names = sorted(registers(instruction.condition))
        exits = self.loops.exits.get(self.pc, ())
        if exits and names:
            held = [self.run.registers.get(name, 0) for name in names]
            if self.passed.get(self.pc) != held:
                self.passed[self.pc] = held
                self.mark(exits, MOVES)
        return not self.value(instruction.condition) or self.jump(instruction.target)

    def jump(self, target: int) -> bool:
        if target <= self.pc and counts(self.marks.get(self.pc, 0)):
            self.jumps[self.pc] = self.jumps.get(self.pc, 0) + 1
            if self.jumps[self.pc] > self.given.unroll:
                self.cut(UNROLL)
                return False
        self.pc = target - 1  # `go` adds one
        return True

    def access(self, instruction: Load | Rmw | Store | StoreConditional) -> bool:
        address = self.value(instruction.address)
        if address is not None and address not in self.given.program.by_address:
            self.run.status = Status.ERROR
            self.run.stray = StrayAccess(self.thread, instruction.label, address)
            name = self.given.program.threads[self.thread].name
            self.run.error = self.given.program.addresses.error(name, instruction.label, address)
            return False
        self.run.unknown |= address is None
        if isinstance(instruction, Load | Rmw):
            return self.load(instruction, address)
        if isinstance(instruction, StoreConditional):
            return self.store_conditional(instruction, address)
        if isinstance(instruction, Store):
            if (self.thread, self.index) not in self.given.stores:
                self.run.missing = f"{instruction.label}: the store has no place in co"
                return False
            value = self.value(instruction.value)
            self.store(instruction, address, value, self.sources(instruction.value))
            return True
        assert_never(instruction)

    def store_conditional(self, instruction: StoreConditional, address: int | None) -> bool:
        here = (self.thread, self.index)
        stores = here in self.given.stores
        data = self.sources(instruction.value)
        status = self.sources(instruction.address) | data
        certain = self.basics(instruction.address, instruction.value)
        reserve, self.reserve = self.reserve, None
        if reserve is not None:
            status.add(reserve[0])
            certain.add(reserve[0])
        if not stores:
            self.index += 1
        elif reserve is None:
            self.run.wrong = f"{instruction.label}: succeeds without a reservation"
            return False
        else:
            if None not in (address, reserve[1]) and address != reserve[1]:
                self.run.wrong = f"{instruction.label}: succeeds with another address reserved"
                return False
            self.store(instruction, address, self.value(instruction.value), data)
            self.run.edges["lxsx"].add((reserve[0], here))
        if instruction.free or instruction.by_store:
            status = {here} if instruction.by_store and stores else set()
            certain = status
        self.assign(instruction.status, int(not stores), status, certain)
        return True

    def load(self, instruction: Load | Rmw, address: int | None) -> bool:
        here, second = (self.thread, self.index), (self.thread, self.index + 1)
        label, guard = instruction.label, instruction.guard
        if here not in self.given.loads:
            if guard is None:
                self.run.missing = f"{label}: the load has no source"
            else:
                self.run.status = Status.BLOCKED
                self.run.stops_at = (instruction, address)
            return False
        always_stores = isinstance(instruction, Rmw) and instruction.op != "cas"
        if always_stores and second not in self.given.stores:
            self.run.missing = f"{label}: the store has no place in co"
            return False
        old = self.given.read.get(here)
        tags = instruction.tags
        if isinstance(instruction, Rmw) and second not in self.given.stores:
            tags = instruction.tags_without_store
        self.event("R", instruction, tags, address, old)
        self.edge("addr", self.sources(instruction.address), here)
        self.edge("pick", self.picked(instruction), here)
        if guard is not None:
            self.ctrl |= {here}.union(*(self.sources(side) for side in guard.sides))
            held = {name: self.run.registers.get(name, 0) for name in guard.uses}
            known = {name: value for name, value in held.items() if value is not None}
            self.run.unknown |= old is None or len(known) < len(held)
            if old is not None and len(known) == len(held) and not guard.accepts(old, known):
                self.run.wrong = f"{label}: the value read is not awaited"
                return False
        if isinstance(instruction, Load):
            if instruction.exclusive:
                self.reserve = (here, address)
        elif not self.modify(instruction, address, old, second in self.given.stores):
            return False
        compared = {here}
        if isinstance(instruction, Rmw) and instruction.expected is not None:
            compared |= self.sources(instruction.expected)
        stores = second in self.given.stores
        selected = isinstance(instruction, Rmw) and instruction.op == "cas" and stores
        self.assign(instruction.register, old, {here}, set() if selected else {here})
        if isinstance(instruction, Rmw):
            self.assign(instruction.success, int(stores), compared, compared)
        return True

    def picked(self, instruction: Load | Rmw | Store | StoreConditional) -> set[EventId]:
        """What the access depends on by selection alone, the own load of a cas left out."""
        others: list[Expr] = [instruction.address]
        compared: set[EventId] = set()
        if isinstance(instruction, Store | StoreConditional):
            others.append(instruction.value)
        elif isinstance(instruction, Rmw):
            others.append(instruction.operand)
            others += () if instruction.guard is None else instruction.guard.sides
            if instruction.expected is not None:
                compared = self.sources(instruction.expected)
        found = compared.union(*(self.sources(expr) for expr in others))
        return found - self.basics(*others)

    def modify(self, instruction: Rmw, address: int | None, old: int | None, stores: bool) -> bool:
        """The store of a read-modify-write that has read `old`."""
        here = (self.thread, self.index - 1)
        operand = self.value(instruction.operand)
        data = self.sources(instruction.operand)
        if instruction.expected is not None:
            data |= self.sources(instruction.expected)
        for side in () if instruction.guard is None else instruction.guard.sides:
            data |= self.sources(side)
        self.edge("data", data, here)  # the operands are taken before the load
        new = operand
        if instruction.expected is not None:
            expected = self.value(instruction.expected)
            data |= {here}
            if old is None or expected is None:
                self.run.unknown = True
            elif (old == expected) != stores and not (instruction.weak and not stores):
                does = "stores" if stores else "does not store"
                self.run.wrong = f"{instruction.label}: {does}, having read {old}"
                return False
        elif instruction.op != "xchg":
            data |= {here}
            known = old is not None and operand is not None
            new = values.binary(instruction.op, old or 0, operand or 0) if known else None
            if new is not None:
                new = values.narrow(new, instruction.bits)
        if not stores:
            self.index += 1
            return True
        self.run.edges["amo"].add((here, (self.thread, self.index)))
        self.store(instruction, address, new, data)
        return True

    def store(
        self,
        instruction: Rmw | Store | StoreConditional,
        address: int | None,
        value: int | None,
        data: set[EventId],
    ) -> None:
        here = self.event("W", instruction, instruction.tags, address, value)
        self.edge("addr", self.sources(instruction.address), here)
        self.edge("data", data, here)
        self.edge("pick", self.picked(instruction), here)
        if isinstance(instruction, Rmw) and instruction.op == "cas":
            self.edge("pick", {(self.thread, here[1] - 1)}, here)

    def event(
        self,
        kind: str,
        instruction: Instruction,
        tags: frozenset[str],
        address: int | None = None,
        value: int | None = None,
    ) -> EventId:
        here = (self.thread, self.index)
        self.index += 1
        self.run.unknown |= value is None and kind in "RW"
        self.run.events.append(Event(here, kind, instruction.label, address, value, tags))
        self.edge("ctrl", self.ctrl, here)
        return here

    def edge(self, name: str, sources: set[EventId], target: EventId) -> None:
        self.run.edges[name].update((source, target) for source in sources)

    def assign(
        self,
        register: str | None,
        value: int | None,
        sources: set[EventId],
        certain: set[EventId],
        varies: bool = True,
    ) -> None:
        if register is None:
            return
        self.run.registers[register] = value
        self.depends[register] = set(sources)
        self.certain[register] = set(certain)
        if varies:
            self.varying.add(register)
        else:
            self.varying.discard(register)

    def varies(self, *exprs: Expr) -> bool:
        return any(not self.varying.isdisjoint(registers(expr)) for expr in exprs)

    def sources(self, expr: Expr) -> set[EventId]:
        return {load for name in registers(expr) for load in self.depends.get(name, ())}

    def basics(self, *exprs: Expr) -> set[EventId]:
        names = {name for expr in exprs for name in registers(expr)}
        return {load for name in names for load in self.certain.get(name, ())}

    def value(self, expr: Expr) -> int | None:
        environment: dict[str, int] = {}
        for name in registers(expr):
            held = self.run.registers.get(name, 0)
            if held is None:
                return None
            environment[name] = held
        return evaluate(expr, environment)


def rerun(given: Given, thread: int) -> ThreadRun:
    return _Machine(given, thread).go()
