"""A thread executed once for all its runs: slots for its events, with the terms under which they
happen.

Every place of the unrolled code is visited once, after those before it; where ways meet, what they
bring along is merged under the guards of the ways. Ways stay apart where they differ in constants
on which the end of a loop may depend, so that a loop on constants is unrolled as often as it runs.
Events, numbering and dependencies are those of hybrid.program.program, bounds those of
hybrid.program.loops.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace

from hybrid.bmc.terms import FALSE, TRUE, FormulaTerms
from hybrid.bmc.unroll import Agenda, CodeShape
from hybrid.engine.api import Limits
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
    counts,
    is_backward,
)
from hybrid.program.program import Program
from hybrid.program.values import BITS

Sources = dict[int, int]  # slots of loads, to the truth under which they count

_NONE: Sources = {}


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


@dataclass(slots=True)
class _State:
    """What is known at a place, given that it is reached. Of the loop that it is in: `round` to
    `passed`."""

    reached: int  # truth
    registers: dict[str, Held]
    ctrl: Sources
    reserve: Sources  # the open load-reserve
    reserved: int | None  # its address
    after: frozenset[int]
    steps: int = 0  # value: instructions executed before the last meeting of ways …
    since: int = 0  # … and since then
    fewest: int = 0  # how many they are at least, …
    most: int = 0  # … at most
    round: int = 0  # how many backward jumps were taken …
    counted: int = 0  # … and counted
    counts: dict[int, int] = field(default_factory=dict)  # value: how often each was counted
    marks: dict[int, int] = field(default_factory=dict)  # of backward jumps; none is 0
    passed: dict[int, tuple[int, ...]] = field(
        default_factory=dict
    )  # by exit: the values of its registers when it was last passed on constants

    def copy(self, reached: int) -> _State:
        other = replace(self, reached=reached, registers=dict(self.registers))
        other.counts, other.marks = dict(self.counts), dict(self.marks)
        other.passed = dict(self.passed)
        return other

    def leave_loop(self) -> None:
        self.round = self.counted = 0
        self.counts, self.marks, self.passed = {}, {}, {}

    def mark(self, jumps: Iterable[int], mark: int) -> None:
        for jump in jumps:
            self.marks[jump] = self.marks.get(jump, 0) | mark


class _Inexact(Exception):
    """The bound on steps is reached on some ways to a place and not on others."""


def symbolic(program: Program, limits: Limits) -> Symbolic:
    """All bounded runs of `program`."""
    terms = FormulaTerms(program.by_address)
    result = Symbolic(terms, [], [], [], [])
    for i, location in enumerate(program.locations):
        slot = Slot(i, -1, "W", f"init {location.name}", frozenset(), TRUE)
        slot.address = terms.constant(location.address)
        slot.value = terms.constant(location.initial)
        result.slots.append(slot)
    for number in range(len(program.threads)):
        before = len(result.slots)
        try:
            _Thread(program, number, result, limits, exact=False).run()
        except _Inexact:
            del result.slots[before:]
            del result.steps[number:], result.endings[number:], result.asserts[number:]
            _Thread(program, number, result, limits, exact=True).run()
    return result


class _Thread:
    def __init__(
        self, program: Program, number: int, result: Symbolic, limits: Limits, exact: bool
    ) -> None:
        self.number = number
        self.code = program.threads[number].code
        self.initial = program.threads[number].initial
        self.terms = result.terms
        self.result = result
        self.limits = limits
        self.exact = exact  # whether steps are counted by terms where ways of other lengths meet
        self.steps: list[SymbolicStep] = []
        self.endings: list[ThreadEnding] = []
        self.asserts: list[tuple[str, int]] = []
        self.shape = CodeShape(self.code)
        self.agenda: Agenda[_State] = Agenda()
        self.reached: list[
            tuple[int, _State]
        ] = []  # by the last instruction; not on the agenda yet
        self.pc = 0  # the instruction that is executed
        result.steps.append(self.steps)
        result.endings.append(self.endings)
        result.asserts.append(self.asserts)

    def run(self) -> None:
        self.reach(0, self.start())
        while self.reached or self.agenda:
            self.limits.check_time()
            if len(self.reached) == 1 and not self.agenda:
                self.pc, state = self.reached.pop()  # no other way can lead there
            else:
                self.pc, state = self.next_place()
            if self.pc == len(self.code):
                self.end(Status.COMPLETE, state.reached, state)
                continue
            self.spend(state)
            if state.reached == FALSE:
                continue
            instruction = self.code[self.pc]
            taken, state = self.execute(instruction, state)
            if isinstance(instruction, Branch | Goto) and taken != FALSE:
                if isinstance(instruction, Goto) or state.reached == FALSE:
                    state.reached = taken
                    self.jump(instruction.target, state)
                    continue
                self.jump(instruction.target, state.copy(taken))
            self.reach(self.pc + 1, state)

    def start(self) -> _State:
        constant = self.terms.constant
        held = {
            name: Held(constant(v), _NONE, _NONE, TRUE, FALSE) for name, v in self.initial.items()
        }
        return _State(TRUE, held, _NONE, _NONE, None, frozenset(), constant(0))

    def reach(self, pc: int, state: _State) -> None:
        """Notes that this is reached next; the state is the caller's own."""
        if state.reached == FALSE:
            return
        if self.shape.rank[pc] != self.shape.rank[self.pc]:
            state.leave_loop()
        for jump in self.shape.loops.heads.get(pc, ()):
            state.marks.pop(jump, None)
        self.reached.append((pc, state))

    def next_place(self) -> tuple[int, _State]:
        """The place that comes next, with what is known there."""
        for pc, state in self.reached:
            self.agenda.add(self.shape.rank[pc], state.round, pc, self.apart(pc, state), state)
        self.reached.clear()
        pc, ways = self.agenda.pop()
        return pc, self.meet(ways)

    def apart(self, pc: int, state: _State) -> Hashable:
        """What keeps ways to an instruction apart."""
        return (
            state.counted,
            tuple(sorted(state.marks.items())),
            tuple(sorted(state.passed.items())),
            tuple(self.constant(state, name) for name in self.shape.ending[pc]),
            tuple(self.constantly(state, name) for name in self.shape.deciding[pc]),
        )

    def constantly(self, state: _State, register: str) -> bool:
        """Whether the register, which a branch in a loop may depend on, does not vary."""
        held = state.registers.get(register)
        if held is None or held.varies == FALSE:
            return True
        if held.varies != TRUE:
            raise InternalError(f"{register} may or may not be a constant at a loop")
        return False

    def constant(self, state: _State, register: str) -> int | None:
        """What the register holds, which the end of a loop may depend on; None if it varies."""
        held = state.registers.get(register)
        if held is None:
            return 0
        if held.varies == TRUE:
            return None
        value = self.terms.value(held.value)
        if held.varies != FALSE or value is None:
            raise InternalError(f"{register} may have several values at a loop on constants")
        return value

    def spend(self, state: _State) -> None:
        """Counts an instruction, if the bound on steps allows one more."""
        terms, bound = self.terms, self.limits.max_steps
        over = FALSE
        if state.fewest >= bound:
            over = TRUE
        elif state.most >= bound:
            if not self.exact:
                raise _Inexact
            done = self.done(state)
            over = terms.negation(terms.test(terms.binary("<", done, terms.constant(bound))))
        if over != FALSE:
            self.cut(terms.conjunction(state.reached, over), state, MAX_STEPS)
            state.reached = terms.conjunction(state.reached, terms.negation(over))
        state.most = min(state.most, bound - 1) + 1
        state.fewest += 1
        state.since += 1

    def cut(self, when: int, state: _State, bound: str) -> None:
        self.end(Status.CUT, when, state, self.code[self.pc].label, bound=bound)

    def jump(self, target: int, state: _State) -> None:
        """Takes the jump, if the bound allows it once more; the state is the caller's own."""
        here = self.pc
        if is_backward(self.code, here):
            state.round += 1
            if counts(state.marks.get(here, 0)):
                terms = self.terms
                count = state.counts.get(here, terms.constant(0))
                bound = terms.constant(self.limits.unroll)
                allowed = terms.test(terms.binary("<", count, bound))
                if state.counted >= self.limits.unroll * len(self.shape.jumps[here]):
                    allowed = FALSE  # all jumps, each as often as it may be
                state.counted += 1
                taken = state.reached
                self.cut(terms.conjunction(taken, terms.negation(allowed)), state, UNROLL)
                state.reached = terms.conjunction(taken, allowed)
                state.counts[here] = terms.binary("+", count, terms.constant(1))
        self.reach(target, state)

    def meet(self, ways: list[_State]) -> _State:
        """What is known after all ways to a place; they differ in nothing that keeps ways apart."""
        if len(ways) == 1:
            return ways[0]
        terms = self.terms
        merged: dict[str, Held] = {}
        nothing = Held(terms.constant(0), _NONE, _NONE, FALSE, FALSE)
        for name in dict.fromkeys(name for way in ways for name in way.registers):
            cases = [(way.reached, way.registers.get(name, nothing)) for way in ways]
            merged[name] = Held(
                terms.mux([(guard, held.value) for guard, held in cases]),
                self.merge((guard, held.sources) for guard, held in cases),
                self.merge((guard, held.basic) for guard, held in cases),
                self.either([(guard, held.assigned) for guard, held in cases]),
                self.either([(guard, held.varies) for guard, held in cases]),
            )
        zero = terms.constant(0)
        jumps = sorted({jump for way in ways for jump in way.counts})
        reserved = [(way.reached, way.reserved) for way in ways if way.reserved is not None]
        state = replace(
            ways[0],
            reached=terms.disjunction(way.reached for way in ways),
            registers=merged,
            ctrl=self.merge((way.reached, way.ctrl) for way in ways),
            reserve=self.merge((way.reached, way.reserve) for way in ways),
            reserved=terms.mux(reserved) if reserved else None,
            after=frozenset[int]().union(*(way.after for way in ways)),
            fewest=min(way.fewest for way in ways),
            most=max(way.most for way in ways),
            counts={
                jump: terms.mux([(way.reached, way.counts.get(jump, zero)) for way in ways])
                for jump in jumps
            },
        )
        if self.exact and len({(way.steps, way.since) for way in ways}) > 1:
            state.steps, state.since = terms.mux([(way.reached, self.done(way)) for way in ways]), 0
        return state

    def done(self, state: _State) -> int:
        """The value: how many instructions were executed."""
        return self.terms.binary("+", state.steps, self.terms.constant(state.since))

    def either(self, cases: list[tuple[int, int]]) -> int:
        """The truth of the case whose guard is true, given that one is."""
        if len({truth for _, truth in cases}) == 1:
            return cases[0][1]
        return self.terms.disjunction(self.terms.conjunction(g, t) for g, t in cases)

    def merge(self, cases: Iterable[tuple[int, Sources]]) -> Sources:
        listed = list(cases)
        if all(sources == listed[0][1] for _, sources in listed):
            return listed[0][1]
        loads = dict.fromkeys(load for _, sources in listed for load in sources)
        return {
            load: self.either([(guard, sources.get(load, FALSE)) for guard, sources in listed])
            for load in loads
        }

    def end(
        self,
        status: Status,
        when: int,
        state: _State,
        label: str = "",
        address: int = 0,
        bound: str = "",
        stops_at: SymbolicAwait | None = None,
    ) -> None:
        if when != FALSE:
            held = dict(state.registers)
            self.endings.append(ThreadEnding(status, when, held, label, address, bound, stops_at))

    # ---- instructions

    def execute(self, instruction: Instruction, state: _State) -> tuple[int, _State]:
        """Whether the jump is taken (truth), and the state with which the next instruction is
        reached."""
        terms = self.terms
        if isinstance(instruction, Goto):
            return state.reached, state
        if isinstance(instruction, Assign):
            value = self.value(state, instruction.value)
            sources = self.sources(state, instruction.value)
            basic = self.basics(state, instruction.value)
            varies = self.varies(state, instruction.value)
            self.assign(state, instruction.register, value, sources, basic, varies)
        elif isinstance(instruction, Select):
            self.select(state, instruction)
        elif isinstance(instruction, Load | Rmw):
            self.load(state, instruction)
        elif isinstance(instruction, Store):
            self.store(state, instruction)
        elif isinstance(instruction, StoreConditional):
            self.store_conditional(state, instruction)
        elif isinstance(instruction, Fence):
            self.step(state.reached, [self.event(state, "F", instruction, instruction.tags)])
        elif isinstance(instruction, Assert):
            fails = terms.negation(terms.test(self.value(state, instruction.condition)))
            self.asserts.append((instruction.label, terms.conjunction(state.reached, fails)))
        elif isinstance(instruction, Branch):
            return self.branch(instruction, state), state
        elif isinstance(instruction, Assume):
            holds = terms.test(self.value(state, instruction.condition))
            self.step(state.reached, [self.event(state, "B", instruction, frozenset())])
            state.ctrl = self.union(state.ctrl, self.sources(state, instruction.condition))
            no = terms.conjunction(state.reached, terms.negation(holds))
            self.end(Status.BLOCKED, no, state)
            state.reached = terms.conjunction(state.reached, holds)
        else:
            raise InternalError(f"no such instruction: {instruction!r}")
        return FALSE, state

    def select(self, state: _State, instruction: Select) -> None:
        """Either operand with what it depends on, under the condition."""
        terms = self.terms
        holds = terms.test(self.value(state, instruction.condition))
        either = ((holds, instruction.yes), (terms.negation(holds), instruction.no))
        chosen = [(guard, operand) for guard, operand in either if guard != FALSE]
        value = terms.mux([(guard, self.value(state, operand)) for guard, operand in chosen])
        sources = self.merge((guard, self.sources(state, operand)) for guard, operand in chosen)
        basic = self.merge((guard, self.basics(state, operand)) for guard, operand in chosen)
        sources = self.union(sources, self.sources(state, instruction.condition))
        varies = self.varies(state, instruction.condition, instruction.yes, instruction.no)
        self.assign(state, instruction.register, value, sources, basic, varies)

    def branch(self, instruction: Branch, state: _State) -> int:
        """Whether it is taken (truth); the state becomes that in which it is not. It is an event
        only if its condition varies."""
        terms, exits = self.terms, self.shape.loops.exits.get(self.pc, ())
        holds = terms.test(self.value(state, instruction.condition))
        varies = self.varies(state, instruction.condition)
        if varies != FALSE:
            event = self.event(state, "B", instruction, frozenset(), varies)
            self.step(terms.conjunction(state.reached, varies), [event])
            state.ctrl = self.union(state.ctrl, self.sources(state, instruction.condition))
            state.mark(exits, VARIES)
        elif exits and registers(instruction.condition):
            held = tuple(
                self.constant(state, name) or 0 for name in sorted(registers(instruction.condition))
            )
            if state.passed.get(self.pc) != held:
                state.passed[self.pc] = held
                state.mark(exits, MOVES)
        taken = terms.conjunction(state.reached, holds)
        state.reached = terms.conjunction(state.reached, terms.negation(holds))
        return taken

    def load(self, state: _State, instruction: Load | Rmw) -> None:
        """A load, or the load of a read-modify-write and then its store."""
        terms = self.terms
        address = self.address(state, instruction)
        guard = instruction.guard
        addr = self.sources(state, instruction.address)
        data = _NONE if isinstance(instruction, Load) else self.operands(state, instruction)
        number = len(self.result.slots)
        if guard is not None:
            waits = terms.choice(number)
            wanted = self.value(state, guard.value)
            locks = isinstance(instruction, Rmw)
            in_vain = self.in_vain(address, guard.op, wanted)
            stop = SymbolicAwait(instruction.label, address, guard.op, wanted, locks, in_vain)
            when = terms.conjunction(state.reached, waits)
            self.end(Status.BLOCKED, when, state, stops_at=stop)
            state.reached = terms.conjunction(state.reached, terms.negation(waits))
        read = terms.load(number)
        slot = self.event(state, "R", instruction, instruction.tags)
        slot.address, slot.value, slot.addr, slot.data = address, read, addr, data
        slot.pick = self.picked(state, self.union(addr, data), _uncompared(instruction))
        here: Sources = {number: TRUE}
        if guard is not None:
            wanted = self.value(state, guard.value)
            slot.optional, slot.guard = True, (guard.op, wanted)
            more = self.union(self.sources(state, guard.value), here)
            state.ctrl = self.union(state.ctrl, more)
        if isinstance(instruction, Load):
            self.step(state.reached, [slot])
            if instruction.exclusive:
                state.reserve, state.reserved = here, address
        else:
            store = self.modify(state, instruction, slot, data)
            self.step(state.reached, [slot, store])
        compared = here
        if isinstance(instruction, Rmw) and instruction.expected is not None:
            compared = self.union(self.sources(state, instruction.expected), here)
        basic = here
        if isinstance(instruction, Rmw) and instruction.op == "cas":
            basic = {number: terms.negation(slot.stored)}
        self.assign(state, instruction.register, read, here, basic)
        if isinstance(instruction, Rmw):
            zero, one = terms.constant(0), terms.constant(1)
            told = terms.mux([(slot.stored, one), (terms.negation(slot.stored), zero)])
            self.assign(state, instruction.success, told, compared, compared)

    def in_vain(self, address: int, op: str, wanted: int) -> int:
        """The truth of a location's final value not being the awaited one, wherever the address
        points."""
        terms = self.terms
        ways: list[int] = []
        for place in sorted(terms.locations):
            there = terms.test(terms.binary("==", address, terms.constant(place)))
            if there != FALSE:
                accepted = terms.test(terms.binary(op, terms.final(place), wanted))
                ways.append(terms.conjunction(there, terms.negation(accepted)))
        return terms.disjunction(ways)

    def modify(self, state: _State, instruction: Rmw, load: Slot, data: Sources) -> Slot:
        """The store of a read-modify-write."""
        terms = self.terms
        if load.value is None:
            raise InternalError("a load without a value")
        operand = written = self.value(state, instruction.operand)
        stores = TRUE
        if instruction.expected is not None:
            expected = self.value(state, instruction.expected)
            stores = terms.test(terms.binary("==", load.value, expected))
            if instruction.weak:
                stores = terms.conjunction(stores, terms.choice(len(self.result.slots)))
        elif instruction.op != "xchg":
            written = terms.binary(instruction.op, load.value, operand)
            if instruction.bits != BITS:
                written = terms.unary(f"s{instruction.bits}", written)
        pick = load.pick
        if instruction.op != "xchg":
            data = self.union(data, {load.number: TRUE})
        if instruction.op == "cas":
            pick = self.union(pick, {load.number: TRUE})
        slot = self.event(state, "W", instruction, instruction.tags, stores)
        slot.address, slot.value, slot.addr, slot.data = load.address, written, load.addr, data
        slot.pick = pick
        slot.amo, slot.optional = load.number, instruction.weak
        load.failed_tags, load.stored = instruction.failed_tags, stores
        return slot

    def store(self, state: _State, instruction: Store) -> None:
        address = self.address(state, instruction)
        slot = self.event(state, "W", instruction, instruction.tags)
        slot.address, slot.value = address, self.value(state, instruction.value)
        slot.addr = self.sources(state, instruction.address)
        slot.data = self.sources(state, instruction.value)
        operands = (instruction.address, instruction.value)
        slot.pick = self.picked(state, self.union(slot.addr, slot.data), operands)
        self.step(state.reached, [slot])

    def store_conditional(self, state: _State, instruction: StoreConditional) -> None:
        terms = self.terms
        address = self.address(state, instruction)
        value = self.value(state, instruction.value)
        addr = self.sources(state, instruction.address)
        data = self.sources(state, instruction.value)
        reserve, reserved = state.reserve, state.reserved
        state.reserve, state.reserved = _NONE, None
        status = _NONE if instruction.free else self.union(self.union(addr, data), reserve)
        operands = (instruction.address, instruction.value)
        certain = _NONE if instruction.free else self.union(self.basics(state, *operands), reserve)
        if reserved is None:
            succeeds = FALSE
        else:
            succeeds = terms.conjunction(
                terms.disjunction(reserve.values()),
                terms.test(terms.binary("==", address, reserved)),
                terms.choice(len(self.result.slots)),
            )
        slot = self.event(state, "W", instruction, instruction.tags, succeeds)
        slot.address, slot.value, slot.addr, slot.data = address, value, addr, data
        slot.pick = self.picked(state, self.union(addr, data), operands)
        slot.lxsx, slot.optional = reserve, True
        self.step(state.reached, [slot])
        zero, one = terms.constant(0), terms.constant(1)
        if instruction.by_store:
            status = certain = {slot.number: succeeds}
        outcome = terms.mux([(succeeds, zero), (terms.negation(succeeds), one)])
        self.assign(state, instruction.status, outcome, status, certain)

    # ---- parts of instructions

    def address(self, state: _State, instruction: Load | Rmw | Store | StoreConditional) -> int:
        """The address; the state becomes one in which it is that of a location."""
        terms = self.terms
        term = self.value(state, instruction.address)
        good = terms.located(term)
        bad = terms.conjunction(state.reached, terms.negation(good))
        self.end(Status.ERROR, bad, state, instruction.label, term)
        state.reached = terms.conjunction(state.reached, good)
        return term

    def event(
        self,
        state: _State,
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

    def value(self, state: _State, expr: Expr) -> int:
        held = {
            name: state.registers[name].value for name in registers(expr) & set(state.registers)
        }
        return self.terms.expression(expr, held)

    def varies(self, state: _State, *exprs: Expr) -> int:
        """The truth of their depending on what memory gave."""
        held = (state.registers.get(name) for expr in exprs for name in registers(expr))
        return self.terms.disjunction(each.varies for each in held if each is not None)

    def sources(self, state: _State, expr: Expr) -> Sources:
        found = _NONE
        for name in sorted(registers(expr)):
            if name in state.registers:
                found = self.union(found, state.registers[name].sources)
        return found

    def basics(self, state: _State, *exprs: Expr) -> Sources:
        """What expressions depend on otherwise than by selection alone."""
        found = _NONE
        for name in sorted({name for expr in exprs for name in registers(expr)}):
            if name in state.registers:
                found = self.union(found, state.registers[name].basic)
        return found

    def picked(self, state: _State, sources: Sources, operands: tuple[Expr, ...]) -> Sources:
        """Of the sources, those that the operands do not depend on otherwise than by selection."""
        basic = self.basics(state, *operands)
        found: Sources = {}
        for load, truth in sources.items():
            only = self.terms.negation(basic.get(load, FALSE))
            if basic.get(load) != truth and only != FALSE:
                found[load] = self.terms.conjunction(truth, only)
        return found

    def operands(self, state: _State, rmw: Rmw) -> Sources:
        """What the operands of a read-modify-write depend on; it takes them all before it reads."""
        found = self.sources(state, rmw.operand)
        if rmw.expected is not None:
            found = self.union(found, self.sources(state, rmw.expected))
        if rmw.guard is not None:
            found = self.union(found, self.sources(state, rmw.guard.value))
        return found

    def union(self, left: Sources, right: Sources) -> Sources:
        if not left or not right:
            return left or right
        found = dict(left)
        for load, truth in right.items():
            found[load] = self.terms.disjunction((found.get(load, FALSE), truth))
        return found

    def assign(
        self,
        state: _State,
        register: str | None,
        value: int,
        sources: Sources,
        basic: Sources,
        varies: int = TRUE,
    ) -> None:
        if register is not None:
            state.registers[register] = Held(value, sources, basic, TRUE, varies)


def _uncompared(instruction: Load | Rmw) -> tuple[Expr, ...]:
    """The operands that do not only decide whether it stores."""
    operands = [instruction.address]
    if isinstance(instruction, Rmw):
        operands.append(instruction.operand)
        if instruction.guard is not None:
            operands.append(instruction.guard.value)
    return tuple(operands)
