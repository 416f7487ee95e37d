"""The instructions of a thread, each executed for all runs at once: the slots of its events, what
it puts into registers, and the ways in which the thread ends there.

Events, numbering and dependencies are those of hybrid.program.program.
"""

from __future__ import annotations

from typing import assert_never

from hybrid.bmc.expected import ADDRESS, READ, WRITTEN, Expected
from hybrid.bmc.lookout import Lookout
from hybrid.bmc.slots import (
    NOTHING,
    Held,
    Slot,
    Sources,
    Symbolic,
    SymbolicStep,
    SymbolicStop,
    ThreadEnding,
)
from hybrid.bmc.state import StateReader, ThreadState
from hybrid.bmc.terms import FALSE, TRUE
from hybrid.bmc.unroll import CodeShape
from hybrid.execution.trace import Status
from hybrid.program.expr import Expr, registers
from hybrid.program.instructions import (
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
from hybrid.program.loops import EVENT, MOVES, VARIES
from hybrid.program.values import BITS


class Executor:
    """Of one thread; what it makes goes into `result`."""

    def __init__(
        self, number: int, shape: CodeShape, result: Symbolic, expected: Expected | None
    ) -> None:
        self.number = number
        self.terms = result.terms
        self.states = StateReader(result.terms)
        self.result = result
        self.shape = shape
        self.steps: list[SymbolicStep] = []
        self.endings: list[ThreadEnding] = []
        self.asserts: list[tuple[str, int]] = []
        result.steps.append(self.steps)
        result.endings.append(self.endings)
        result.asserts.append(self.asserts)
        self.lookout = Lookout(number, expected, shape, result.terms, self.endings)
        self.pc = 0  # the instruction that is executed

    def execute(self, pc: int, instruction: Instruction, state: ThreadState) -> int:
        """Whether it jumps (truth); the state becomes that with which the next instruction is
        reached."""
        self.pc = pc
        match instruction:
            case Assign():
                self.assign_value(state, instruction)
            case Select():
                self.select(state, instruction)
            case Load():
                self.load(state, instruction)
            case Rmw():
                self.rmw(state, instruction)
            case Store():
                self.store(state, instruction)
            case StoreConditional():
                self.store_conditional(state, instruction)
            case Fence():
                self.lookout.enter(state, self.pc, len(self.result.slots))
                self.step(state.reached, [self.event(state, "F", instruction, instruction.tags)])
            case Branch():
                return self.branch(state, instruction)
            case Goto():
                return state.reached
            case Assume():
                self.assume(state, instruction)
            case Assert():
                fails = self.terms.negation(self.truth(state, instruction.condition))
                fails = self.terms.conjunction(state.reached, fails)
                self.asserts.append((instruction.label, fails))
            case _:
                assert_never(instruction)
        return FALSE

    def assign_value(self, state: ThreadState, instruction: Assign) -> None:
        value = self.states.value(state, instruction.value)
        sources = self.states.sources(state, instruction.value)
        basic = self.states.basics(state, instruction.value)
        varies = self.states.varies(state, instruction.value)
        self.assign(state, instruction.register, value, sources, basic, varies)

    def assume(self, state: ThreadState, instruction: Assume) -> None:
        terms = self.terms
        holds = self.truth(state, instruction.condition)
        self.step(state.reached, [self.event(state, "B", instruction, frozenset())])
        sources = self.states.sources(state, instruction.condition)
        state.ctrl = self.states.union(state.ctrl, sources)
        no = terms.conjunction(state.reached, terms.negation(holds))
        stop = self.stop(state, instruction, None) if instruction.waits else None
        self.end(Status.BLOCKED, no, state, stops_at=stop)
        state.reached = terms.conjunction(state.reached, holds)

    def select(self, state: ThreadState, instruction: Select) -> None:
        """Either operand with what it depends on, under the condition."""
        terms = self.terms
        holds = self.truth(state, instruction.condition)
        either = ((holds, instruction.yes), (terms.negation(holds), instruction.no))
        chosen = [(guard, operand) for guard, operand in either if guard != FALSE]
        value = terms.mux([(guard, self.states.value(state, operand)) for guard, operand in chosen])
        sources = self.states.merge(
            (guard, self.states.sources(state, operand)) for guard, operand in chosen
        )
        basic = self.states.merge(
            (guard, self.states.basics(state, operand)) for guard, operand in chosen
        )
        sources = self.states.union(sources, self.states.sources(state, instruction.condition))
        varies = self.states.varies(state, instruction.condition, instruction.yes, instruction.no)
        self.assign(state, instruction.register, value, sources, basic, varies)

    def branch(self, state: ThreadState, instruction: Branch) -> int:
        """Whether it is taken (truth); the state becomes that in which it is not. It is an event
        only if its condition varies."""
        terms, exits = self.terms, self.shape.loops.exits.get(self.pc, ())
        holds = self.truth(state, instruction.condition)
        varies = self.states.varies(state, instruction.condition)
        if varies != FALSE:
            event = self.event(state, "B", instruction, frozenset(), varies)
            self.step(terms.conjunction(state.reached, varies), [event])
            state.ctrl = self.states.union(
                state.ctrl, self.states.sources(state, instruction.condition)
            )
            state.mark(exits, VARIES)
        elif exits and registers(instruction.condition):
            held = tuple(
                self.states.constant(state, name) or 0
                for name in sorted(registers(instruction.condition))
            )
            if state.passed.get(self.pc) != held:
                state.passed[self.pc] = held
                state.mark(exits, MOVES)
        taken = terms.conjunction(state.reached, holds)
        state.reached = terms.conjunction(state.reached, terms.negation(holds))
        return taken

    def load(self, state: ThreadState, instruction: Load) -> None:
        slot, read = self.read(state, instruction)
        here: Sources = {slot.number: TRUE}
        self.step(state.reached, [slot])
        read = self.lookout.value(state, READ, read)
        if instruction.exclusive:
            state.reserve, state.reserved = here, slot.address
        self.assign(state, instruction.register, read, here, here)

    def rmw(self, state: ThreadState, instruction: Rmw) -> None:
        """Its load and its store."""
        terms = self.terms
        load, read = self.read(state, instruction)
        passed = state.reached
        stores = self.stores(state, instruction, read)
        read = self.lookout.value(state, READ, read)
        store = self.modify(state, instruction, load, read, stores)
        self.step(passed, [load, store])
        compared = basic = here = {load.number: TRUE}
        if instruction.expected is not None:
            compared = self.states.union(self.states.sources(state, instruction.expected), here)
        if instruction.op == "cas":
            basic = {load.number: terms.negation(load.stored)}
        self.assign(state, instruction.register, read, here, basic)
        zero, one = terms.constant(0), terms.constant(1)
        told = terms.mux([(load.stored, one), (terms.negation(load.stored), zero)])
        self.assign(state, instruction.success, told, compared, compared)

    def read(self, state: ThreadState, instruction: Load | Rmw) -> tuple[Slot, int]:
        """The load of a load or read-modify-write, and what it reads (value)."""
        terms, guard = self.terms, instruction.guard
        address = self.address(state, instruction)
        addr = self.states.sources(state, instruction.address)
        data = NOTHING if isinstance(instruction, Load) else self.operands(state, instruction)
        number = len(self.result.slots)
        if guard is not None:
            self.wait(state, instruction, address)
        read = terms.load(number)
        slot = self.event(state, "R", instruction, instruction.tags)
        slot.address, slot.value, slot.addr, slot.data = address, read, addr, data
        both = self.states.union(addr, data)
        slot.pick = self.states.picked(state, both, _uncompared(instruction))
        if guard is not None:
            slot.optional = True
            if guard.of is None:
                slot.guard = (guard.op, self.states.value(state, guard.value))
            else:
                slot.test = terms.test(self.states.value(state, test_of(guard), read))
            for side in guard.sides:
                state.ctrl = self.states.union(state.ctrl, self.states.sources(state, side))
            state.ctrl = self.states.union(state.ctrl, {number: TRUE})
        return slot, read

    def wait(self, state: ThreadState, instruction: Load | Rmw, address: int) -> None:
        """The ending in which the thread waits here; the state becomes that in which it does
        not."""
        terms = self.terms
        waits = terms.choice(len(self.result.slots))
        when = terms.conjunction(state.reached, waits)
        stop = self.stop(state, instruction, address)
        self.end(Status.BLOCKED, when, state, stops_at=stop)
        state.reached = terms.conjunction(state.reached, terms.negation(waits))

    def stop(
        self, state: ThreadState, instruction: Load | Rmw | Assume, address: int | None
    ) -> SymbolicStop:
        """That the thread can wait here; it does so in vain where no location that its awaits read
        holds in the end what it waits for, and those that it reads again hold what they held."""
        terms, value = self.terms, self.states.value
        parts: list[int] = []
        rereads: list[tuple[int, int]] = []
        guard = instruction.awaits
        if guard is not None and address is not None:
            refused: list[int] = []
            for place, there in self.places(address):
                accepted = terms.test(value(state, test_of(guard), terms.final(place)))
                refused.append(terms.conjunction(there, terms.negation(accepted)))
            parts.append(terms.disjunction(refused))
        for each in instruction.rereads:
            at, held = value(state, each.address), value(state, each.value)
            rereads.append((at, held))
            kept: list[int] = []
            for place, there in self.places(at):
                same = terms.test(terms.binary("==", terms.final(place), held))
                kept.append(terms.conjunction(there, same))
            parts.append(terms.disjunction(kept))
        names = self.states.held(state, instruction.uses)
        return SymbolicStop(instruction, address, names, tuple(rereads), terms.conjunction(*parts))

    def places(self, address: int) -> list[tuple[int, int]]:
        """The locations to which an address can point, with the truth of its doing so."""
        terms = self.terms
        found = [
            (place, terms.test(terms.binary("==", address, terms.constant(place))))
            for place in sorted(terms.locations)
        ]
        return [(place, there) for place, there in found if there != FALSE]

    def stores(self, state: ThreadState, instruction: Rmw, read: int) -> int:
        """The truth of a read-modify-write's storing, whose store has the next slot."""
        if instruction.expected is None:
            return TRUE
        terms, expected = self.terms, self.states.value(state, instruction.expected)
        found = terms.test(terms.binary("==", read, expected))
        if instruction.weak:
            found = terms.conjunction(found, terms.choice(len(self.result.slots)))
        return found

    def modify(
        self, state: ThreadState, instruction: Rmw, load: Slot, read: int, stores: int
    ) -> Slot:
        """The store of a read-modify-write."""
        terms, data = self.terms, load.data
        operand = written = self.states.value(state, instruction.operand)
        if instruction.expected is None and instruction.op != "xchg":
            written = terms.binary(instruction.op, read, operand)
            if instruction.bits != BITS:
                written = terms.unary(f"s{instruction.bits}", written)
        written = self.lookout.value(state, WRITTEN, written, stores)
        pick = load.pick
        if instruction.op != "xchg":
            data = self.states.union(data, {load.number: TRUE})
        if instruction.op == "cas":
            pick = self.states.union(pick, {load.number: TRUE})
        slot = self.event(state, "W", instruction, instruction.tags, stores)
        slot.address, slot.value, slot.addr, slot.data = load.address, written, load.addr, data
        slot.pick = pick
        slot.amo, slot.optional = load.number, instruction.weak
        load.failed_tags, load.stored = instruction.failed_tags, stores
        return slot

    def store(self, state: ThreadState, instruction: Store) -> None:
        address = self.address(state, instruction)
        value = self.lookout.value(state, WRITTEN, self.states.value(state, instruction.value))
        slot = self.event(state, "W", instruction, instruction.tags)
        slot.address, slot.value = address, value
        slot.addr = self.states.sources(state, instruction.address)
        slot.data = self.states.sources(state, instruction.value)
        operands = (instruction.address, instruction.value)
        slot.pick = self.states.picked(state, self.states.union(slot.addr, slot.data), operands)
        self.step(state.reached, [slot])

    def store_conditional(self, state: ThreadState, instruction: StoreConditional) -> None:
        terms = self.terms
        address = self.address(state, instruction)
        value = self.states.value(state, instruction.value)
        addr = self.states.sources(state, instruction.address)
        data = self.states.sources(state, instruction.value)
        reserve, reserved = state.reserve, state.reserved
        state.reserve, state.reserved = NOTHING, None
        status = (
            NOTHING
            if instruction.free
            else self.states.union(self.states.union(addr, data), reserve)
        )
        operands = (instruction.address, instruction.value)
        certain = (
            NOTHING
            if instruction.free
            else self.states.union(self.states.basics(state, *operands), reserve)
        )
        if reserved is None:
            succeeds = FALSE
        else:
            succeeds = terms.conjunction(
                terms.disjunction(reserve.values()),
                terms.test(terms.binary("==", address, reserved)),
                terms.choice(len(self.result.slots)),
            )
        value = self.lookout.value(state, WRITTEN, value, succeeds)
        slot = self.event(state, "W", instruction, instruction.tags, succeeds)
        slot.address, slot.value, slot.addr, slot.data = address, value, addr, data
        slot.pick = self.states.picked(state, self.states.union(addr, data), operands)
        slot.lxsx, slot.optional = reserve, True
        self.step(state.reached, [slot])
        zero, one = terms.constant(0), terms.constant(1)
        if instruction.by_store:
            status = certain = {slot.number: succeeds}
        outcome = terms.mux([(succeeds, zero), (terms.negation(succeeds), one)])
        self.assign(state, instruction.status, outcome, status, certain)

    # ---- parts of instructions

    def truth(self, state: ThreadState, condition: Expr) -> int:
        return self.terms.test(self.states.value(state, condition))

    def address(self, state: ThreadState, instruction: Access) -> int:
        """The address; the state becomes one in which it is that of a location."""
        terms = self.terms
        term = self.states.value(state, instruction.address)
        good = terms.located(term)
        bad = terms.conjunction(state.reached, terms.negation(good))
        self.end(Status.ERROR, bad, state, instruction.label, term)
        state.reached = terms.conjunction(state.reached, good)
        self.lookout.enter(state, self.pc, len(self.result.slots))
        return self.lookout.value(state, ADDRESS, term)

    def event(
        self,
        state: ThreadState,
        kind: str,
        instruction: Instruction,
        tags: frozenset[str],
        when: int = TRUE,
    ) -> Slot:
        """The next slot, for an event that happens if the state is reached and `when` is true."""
        state.mark(self.shape.loops.around.get(self.pc, ()), EVENT)
        number = len(self.result.slots)
        happens = self.terms.conjunction(state.reached, when)
        slot = Slot(number, self.number, kind, instruction.label, tags, happens)
        slot.ctrl, slot.after = state.ctrl, state.after
        state.after |= {number}
        self.result.slots.append(slot)
        return slot

    def step(self, passed: int, slots: list[Slot]) -> None:
        self.steps.append(SymbolicStep(passed, len(slots), tuple(slot.number for slot in slots)))

    def operands(self, state: ThreadState, rmw: Rmw) -> Sources:
        """What the operands of a read-modify-write depend on; it takes them all before it reads."""
        found = self.states.sources(state, rmw.operand)
        if rmw.expected is not None:
            found = self.states.union(found, self.states.sources(state, rmw.expected))
        for side in () if rmw.guard is None else rmw.guard.sides:
            found = self.states.union(found, self.states.sources(state, side))
        return found

    def assign(
        self,
        state: ThreadState,
        register: str | None,
        value: int,
        sources: Sources,
        basic: Sources,
        varies: int = TRUE,
    ) -> None:
        if register is not None:
            state.registers[register] = Held(value, sources, basic, TRUE, varies)

    def end(
        self,
        status: Status,
        when: int,
        state: ThreadState,
        label: str = "",
        address: int = 0,
        bound: str = "",
        stops_at: SymbolicStop | None = None,
    ) -> None:
        if when != FALSE:
            held = dict(state.registers)
            self.endings.append(ThreadEnding(status, when, held, label, address, bound, stops_at))


def _uncompared(instruction: Load | Rmw) -> tuple[Expr, ...]:
    """The operands that do not only decide whether it stores."""
    if isinstance(instruction, Load):
        return (instruction.address,)
    waits = () if instruction.guard is None else instruction.guard.sides
    return (instruction.address, instruction.operand, *waits)
