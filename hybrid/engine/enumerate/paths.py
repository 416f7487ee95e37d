"""Control-flow paths of a thread: every way through its code, with symbolic values, dependencies
and what must be true on it.

A path decides each branch, assume, compare-and-swap and store-conditional one way and says so in
`conditions`, which are checked once values are known. What a path consists of is in walk.py;
numbering and dependencies are those of hybrid.program.program.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from hybrid.engine.api import Limits
from hybrid.engine.enumerate.terms import Terms
from hybrid.engine.enumerate.walk import NONE, PLAIN, Loads, Path, PathStop, Walk
from hybrid.errors import InternalError
from hybrid.execution.trace import Status
from hybrid.program.expr import registers
from hybrid.program.instructions import (
    READ,
    Access,
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
    test_of,
)
from hybrid.program.loops import (
    EVENT,
    MAX_STEPS,
    MOVES,
    UNROLL,
    VARIES,
    counts,
    loops_of,
)
from hybrid.program.program import Program
from hybrid.program.values import BITS


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
        self.pending: list[Walk] = []  # walks to go on with
        start = Walk()
        for name, value in program.threads[thread].initial.items():
            start.set(name, terms.constant(value), NONE, NONE, False)
        self.pending.append(start)

    def step(self) -> None:
        """Takes one walk one instruction further."""
        walk = self.pending.pop()
        if walk.pc >= len(self.code):
            self.finish(walk, Status.COMPLETE)
            return
        if walk.steps == self.max_steps:
            self.finish(walk, Status.CUT, cut=MAX_STEPS)
            return
        walk.steps += 1
        for jump in self.loops.heads.get(walk.pc, ()):
            walk.marks[jump] = 0
        self.execute(walk, self.code[walk.pc])

    def execute(self, walk: Walk, instruction: Instruction) -> None:
        match instruction:
            case Assign():
                self.assign(walk, instruction)
            case Select():
                self.select(walk, instruction)
            case Load():
                self.load(walk, instruction)
            case Rmw():
                self.rmw(walk, instruction)
            case Store():
                self.store(walk, instruction)
            case StoreConditional():
                self.store_conditional(walk, instruction)
            case Fence():
                self.mark_event(walk)
                walk.event("F", instruction, instruction.tags)
                self.go_on(walk)
            case Branch():
                self.branch(walk, instruction)
            case Goto():
                self.jump(walk, instruction.target)
            case Assume():
                self.assume(walk, instruction)
            case Assert():
                condition = self.terms.expression(instruction.condition, walk.terms)
                walk.asserts.append((instruction.label, condition))
                self.go_on(walk)
            case _:
                assert_never(instruction)

    def mark_event(self, walk: Walk) -> None:
        """Marks the loops around this instruction, which takes a po index."""
        walk.mark(self.loops.around.get(walk.pc, ()), EVENT)

    def assign(self, walk: Walk, instruction: Assign) -> None:
        term = self.terms.expression(instruction.value, walk.terms)
        loads, basic = walk.loads_of(instruction.value), walk.basic_loads_of(instruction.value)
        walk.set(instruction.register, term, loads, basic, walk.varies(instruction.value))
        self.go_on(walk)

    def select(self, walk: Walk, instruction: Select) -> None:
        """Both ways; what was not selected is not depended on."""
        condition = self.terms.expression(instruction.condition, walk.terms)
        varies = walk.varies(instruction.condition, instruction.yes, instruction.no)
        for yes, other in self.decide(walk, condition):
            chosen = instruction.yes if yes else instruction.no
            term = self.terms.expression(chosen, other.terms)
            loads = other.loads_of(chosen) | other.loads_of(instruction.condition)
            other.set(instruction.register, term, loads, other.basic_loads_of(chosen), varies)
            self.go_on(other)

    def assume(self, walk: Walk, instruction: Assume) -> None:
        condition = self.terms.expression(instruction.condition, walk.terms)
        self.mark_event(walk)
        walk.event("B", instruction, PLAIN)
        walk.ctrl |= walk.loads_of(instruction.condition)
        for holds, other in self.decide(walk, condition):
            if holds:
                self.go_on(other)
            else:
                stop = self.stop(other, instruction, None) if instruction.waits else None
                self.finish(other, Status.BLOCKED, stops_at=stop)

    def load(self, walk: Walk, instruction: Load) -> None:
        found = self.read(walk, instruction, NONE, walk.basic_loads_of(instruction.address))
        if found is None:
            return
        index, address, read = found
        own = frozenset((index,))
        if instruction.exclusive:
            walk.reserve = (index, address)
        walk.set(instruction.register, read, own, own)
        self.go_on(walk)

    def rmw(self, walk: Walk, instruction: Rmw) -> None:
        """Its load and its store, if it stores."""
        data = walk.loads_of_operands(instruction)
        basic = walk.basic_loads_of(instruction.address, instruction.operand)
        if instruction.guard is not None:
            basic |= walk.basic_loads_of(*instruction.guard.sides)
        at = len(walk.events)
        found = self.read(walk, instruction, data, basic)
        if found is None:
            return
        index, address, read = found
        own = frozenset((index,))
        written = self.terms.expression(instruction.operand, walk.terms)
        stores = [(True, walk)]
        compared = NONE
        if instruction.op == "cas":
            if instruction.expected is None:
                raise InternalError(f"{instruction.label}: a cas that expects nothing")
            expected = self.terms.expression(instruction.expected, walk.terms)
            data |= {index}
            compared = walk.loads_of(instruction.expected) | {index}
            stores = self.decide(walk, self.terms.binary("==", read, expected), instruction.weak)
        elif instruction.op != "xchg":
            written = self.terms.binary(instruction.op, read, written)
            if instruction.bits != BITS:
                written = self.terms.unary(f"s{instruction.bits}", written)
            data |= {index}
            basic |= {index}
        for does, other in stores:
            if does:
                addr, tags = other.loads_of(instruction.address), instruction.tags
                store = other.event("W", instruction, tags, address, written, addr, data, basic)
                other.amo.append((index, store))
            else:
                other.next += 1
                other.events[at] = replace(other.events[at], tags=instruction.tags_without_store)
            selected = does and instruction.op == "cas"
            other.set(instruction.register, read, own, NONE if selected else own)
            other.set(instruction.success, self.terms.constant(int(does)), compared, compared)
            self.go_on(other)

    def read(
        self, walk: Walk, instruction: Load | Rmw, data: Loads, basic: Loads
    ) -> tuple[int, int, int] | None:
        """The load of a load or read-modify-write: its po index, address and value. None: no walk
        goes on from here."""
        self.mark_event(walk)
        address = self.address(walk, instruction)
        if address is None:
            return None
        guard = instruction.guard
        if guard is not None:
            waits = self.stop(walk, instruction, address)
            self.finish(walk.copy(), Status.BLOCKED, stops_at=waits)
        addr = walk.loads_of(instruction.address)
        read = self.terms.load((self.thread, walk.next))
        index = walk.event("R", instruction, instruction.tags, address, read, addr, data, basic)
        if guard is not None:
            for side in guard.sides:
                walk.ctrl |= walk.loads_of(side)
            walk.ctrl |= {index}
            known = {**walk.terms, READ: read}
            if not self.require(walk, self.terms.expression(test_of(guard), known), True):
                return None
        return index, address, read

    def stop(self, walk: Walk, instruction: Load | Rmw | Assume, address: int | None) -> PathStop:
        """That a walk stops there to wait."""
        zero = self.terms.constant(0)
        held = {name: walk.terms.get(name, zero) for name in instruction.uses}
        kept = [
            (self.terms.expression(e.address, held), self.terms.expression(e.value, held))
            for e in instruction.rereads
        ]
        return PathStop(instruction, address, held, tuple(kept))

    def store(self, walk: Walk, instruction: Store) -> None:
        self.mark_event(walk)
        address = self.address(walk, instruction)
        if address is None:
            return
        value = self.terms.expression(instruction.value, walk.terms)
        addr = walk.loads_of(instruction.address)
        data = walk.loads_of(instruction.value)
        basic = walk.basic_loads_of(instruction.address, instruction.value)
        walk.event("W", instruction, instruction.tags, address, value, addr, data, basic)
        self.go_on(walk)

    def store_conditional(self, walk: Walk, instruction: StoreConditional) -> None:
        self.mark_event(walk)
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

    def branch(self, walk: Walk, instruction: Branch) -> None:
        condition = self.terms.expression(instruction.condition, walk.terms)
        exits = self.loops.exits.get(walk.pc, ())
        if not walk.varies(instruction.condition):
            self.branch_on_constants(walk, instruction, condition, exits)
            return
        self.mark_event(walk)
        walk.mark(exits, VARIES)
        walk.event("B", instruction, PLAIN)
        walk.ctrl |= walk.loads_of(instruction.condition)
        for taken, other in self.decide(walk, condition):
            if taken:
                self.jump(other, instruction.target)
            else:
                self.go_on(other)

    def branch_on_constants(
        self, walk: Walk, instruction: Branch, condition: int, exits: tuple[int, ...]
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

    def jump(self, walk: Walk, target: int) -> None:
        if target <= walk.pc and counts(walk.marks.get(walk.pc, 0)):
            taken = walk.jumps.get(walk.pc, 0) + 1
            if taken > self.unroll:
                self.finish(walk, Status.CUT, cut=UNROLL)
                return
            walk.jumps[walk.pc] = taken
        walk.pc = target
        self.pending.append(walk)

    def go_on(self, walk: Walk) -> None:
        walk.pc += 1
        self.pending.append(walk)

    def require(self, walk: Walk, condition: int, truth: bool) -> bool:
        """Makes the walk one on which `condition` has this truth; False if it can't be one."""
        value = self.terms.value(condition)
        if value is not None:
            return (value != 0) == truth
        return walk.conditions.setdefault(condition, truth) == truth

    def decide(self, walk: Walk, condition: int, weak: bool = False) -> list[tuple[bool, Walk]]:
        """The walks on which `condition` is true and false, as far as both can be; if `weak`, false
        stands for either."""
        other = walk.copy()
        walks = []
        if self.require(walk, condition, True):
            walks.append((True, walk))
        if weak or self.require(other, condition, False):
            walks.append((False, other))
        return walks

    def address(self, walk: Walk, instruction: Access) -> int | None:
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
        walk: Walk,
        status: Status,
        error: tuple[str, int] | None = None,
        cut: str = "",
        stops_at: PathStop | None = None,
    ) -> None:
        used = {e.address for e in walk.events} | {e.value for e in walk.events}
        used |= set(walk.conditions) | set(walk.addresses) | set(walk.terms.values())
        used |= {condition for _, condition in walk.asserts}
        if error is not None:
            used.add(error[1])
        if stops_at is not None:
            used |= stops_at.terms
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
