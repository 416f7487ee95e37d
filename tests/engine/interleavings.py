"""A plain search over all interleavings of a program, one access at a time: what the engines on
interleavings are compared with. It shares nothing with them but the program and the form of keys;
states that were reached by the same reads and the same orders of stores are gone on from once."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from hybrid.execution.trace import EventId, Key
from hybrid.frontend.prog import parse_program
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program import values
from hybrid.program.program import Program
from hybrid.source import Source

Registers = tuple[tuple[str, int], ...]


class ThreadState(NamedTuple):
    code_index: int
    po: int  # the next po index
    registers: Registers
    ended: str = ""  # how: "done", "assume", or empty if it has not
    # of its last load-reserve, if no store-conditional came since: the location, and how many
    # stores this had
    reserved: tuple[int, int] | None = None


class MemoryState(NamedTuple):
    threads: tuple[ThreadState, ...]
    rf: tuple[tuple[EventId, EventId], ...]  # sorted
    co: tuple[tuple[EventId, ...], ...]  # by location of the program, initial writes left out
    memory: tuple[int, ...]


class Way(NamedTuple):
    """What an access may do next."""

    read: bool
    stored: int | None
    register: str | None
    success: str | None


@dataclass
class Truth:
    """The classes of maximal executions."""

    complete: set[Key] = field(default_factory=set)
    waiting: set[Key] = field(default_factory=set)  # threads stand at awaits, no assume has failed
    failed: set[Key] = field(default_factory=set)  # an assume has failed

    @property
    def blocked(self) -> int:
        return len(self.waiting) + len(self.failed)


def evaluate(expr: ex.Expr, registers: Registers) -> int:
    if isinstance(expr, ex.Const):
        return expr.value
    if isinstance(expr, ex.Register):
        return dict(registers).get(expr.name, 0)
    if isinstance(expr, ex.Unary):
        return values.unary(expr.op, evaluate(expr.operand, registers))
    left, right = evaluate(expr.left, registers), evaluate(expr.right, registers)
    return values.binary(expr.op, left, right)


def set_register(registers: Registers, name: str | None, value: int) -> Registers:
    if name is None:
        return registers
    return tuple(sorted({**dict(registers), name: value}.items()))


class Interleavings:
    """The search. Every branch's condition must depend on memory."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.place = {loc.address: i for i, loc in enumerate(program.locations)}
        self.truth = Truth()

    def search(self) -> Truth:
        start = tuple(
            self._local(number, ThreadState(0, 0, tuple(sorted(thread.initial.items()))))
            for number, thread in enumerate(self.program.threads)
        )
        memory = tuple(location.initial for location in self.program.locations)
        states = {MemoryState(start, (), ((),) * len(memory), memory)}
        while states:
            states = {after for state in states for after in self._after(state)}
        return self.truth

    def _local(self, number: int, state: ThreadState) -> ThreadState:
        """Runs a thread to its next access or its end."""
        code = self.program.threads[number].code
        at, po, registers, ended, reserved = state
        while not ended:
            if at == len(code):
                ended = "done"
                break
            i = code[at]
            if i.place is not None:
                break
            at += 1
            if isinstance(i, ins.Assign):
                registers = set_register(registers, i.register, evaluate(i.value, registers))
            elif isinstance(i, ins.Fence):
                po += 1
            elif isinstance(i, ins.Assume):
                po += 1
                ended = "" if evaluate(i.condition, registers) else "assume"
            elif isinstance(i, ins.Branch):
                po += 1
                at = i.target if evaluate(i.condition, registers) else at
            elif isinstance(i, ins.Goto):
                at = i.target
            else:
                assert isinstance(i, ins.Assert), i
        return ThreadState(at, po, registers, ended, reserved)

    def _ways(self, state: ThreadState, i: ins.Instruction, value: int) -> Iterator[Way]:
        """How the access can happen where its location holds `value`."""
        if isinstance(i, ins.Store):
            yield Way(False, evaluate(i.value, state.registers), None, None)
            return
        assert isinstance(i, ins.Load | ins.Rmw), i
        if i.guard is not None:
            wanted = evaluate(i.guard.value, state.registers)
            if not values.binary(i.guard.op, value, wanted):
                return
        if isinstance(i, ins.Load):
            yield Way(True, None, i.register, None)
            return
        operand = evaluate(i.operand, state.registers)
        if i.op == "cas":
            assert i.expected is not None
            if value == evaluate(i.expected, state.registers):
                yield Way(True, operand, i.register, i.success)
                if not i.weak:
                    return
            yield Way(True, None, i.register, i.success)
        elif i.op == "xchg":
            yield Way(True, operand, i.register, None)
        else:
            stored = values.binary(i.op, value, operand)
            if i.bits != values.BITS:
                stored = values.narrow(stored, i.bits)
            yield Way(True, stored, i.register, None)

    def _conditional_ways(
        self,
        number: int,
        thread: ThreadState,
        i: ins.StoreConditional,
        place: int,
        order: tuple[EventId, ...],
    ) -> Iterator[Way]:
        """It may always fail."""
        yield Way(False, None, None, None)
        if thread.reserved is not None and thread.reserved[0] == place:
            since = order[thread.reserved[1] :]
            if all(store[0] == number for store in since):
                yield Way(False, evaluate(i.value, thread.registers), None, None)

    def _after(self, state: MemoryState) -> Iterator[MemoryState]:
        found = [after for number in range(len(state.threads)) for after in self._by(number, state)]
        if found:
            yield from found
            return
        co = tuple(
            (location.address, order)
            for location, order in zip(self.program.locations, state.co, strict=True)
            if order
        )
        key = (state.rf, tuple(sorted(co)))
        ends = {thread.ended for thread in state.threads}
        if ends == {"done"}:
            self.truth.complete.add(key)
        elif "assume" in ends:
            self.truth.failed.add(key)
        else:
            self.truth.waiting.add(key)

    def _by(self, number: int, state: MemoryState) -> Iterator[MemoryState]:
        """The states after the next access of a thread."""
        thread = state.threads[number]
        if thread.ended:
            return
        i = self.program.threads[number].code[thread.code_index]
        assert i.place is not None
        place = self.place[evaluate(i.place, thread.registers)]
        value, order = state.memory[place], state.co[place]
        ways = self._ways(thread, i, value)
        if isinstance(i, ins.StoreConditional):
            ways = self._conditional_ways(number, thread, i, place, order)
        for way in ways:
            rf, co, memory = state.rf, state.co, state.memory
            load = (number, thread.po)
            if way.read:
                source = order[-1] if order else (-1, place)
                rf = tuple(sorted((*rf, (load, source))))
            if way.stored is not None:
                store = (number, thread.po + way.read)
                co = (*co[:place], (*order, store), *co[place + 1 :])
                memory = (*memory[:place], way.stored, *memory[place + 1 :])
            registers = set_register(thread.registers, way.register, value)
            registers = set_register(registers, way.success, int(way.stored is not None))
            if isinstance(i, ins.StoreConditional):
                registers = set_register(registers, i.status, int(way.stored is None))
            taken = 2 if isinstance(i, ins.Rmw) else 1
            reserved = None if isinstance(i, ins.StoreConditional) else thread.reserved
            if isinstance(i, ins.Load) and i.exclusive:
                reserved = (place, len(order))
            after = ThreadState(thread.code_index + 1, thread.po + taken, registers, "", reserved)
            threads = list(state.threads)
            threads[number] = self._local(number, after)
            yield MemoryState(tuple(threads), rf, co, memory)


# ---- independent fetch-and-adds

Group = tuple[frozenset[EventId], frozenset[EventId]]  # stores, and loads that read from them
AddsClass = tuple[tuple[int, tuple[Group, ...]], ...]


def independent_adds(program: Program) -> set[str]:
    """The labels of fetch-and-adds that have no guard and whose results nobody uses."""
    return {
        i.label
        for thread in program.threads
        for i in thread.code
        if isinstance(i, ins.Rmw) and i.op in ("+", "-") and i.guard is None
        if not any(i.register in other.uses for other in thread.code)
    }


class Lens:
    """How traces of a program without jumps look when independent fetch-and-adds do not
    conflict."""

    def __init__(self, program: Program) -> None:
        labels = independent_adds(program)
        self.adds: set[EventId] = set()  # their stores
        self.rmws: set[EventId] = set()  # the loads of all read-modify-writes
        for number, thread in enumerate(program.threads):
            po = 0
            for i in thread.code:
                assert not i.jumps, i
                if i.label in labels:
                    self.adds.add((number, po + 1))
                if isinstance(i, ins.Rmw):
                    self.rmws.add((number, po))
                if not isinstance(i, ins.Assign | ins.Assert):
                    po += 2 if isinstance(i, ins.Rmw) else 1

    def class_of(self, key: Key) -> AddsClass:
        """The orders of the accesses of each location, those fetch-and-adds that come together
        without a load between them as a set."""
        rf, co = key
        stores = {store for _, order in co for store in order}
        readers: dict[EventId, set[EventId]] = {}
        for load, source in rf:
            if load not in self.rmws or (load[0], load[1] + 1) not in stores:
                readers.setdefault(source, set()).add(load)
        found = []
        for address, order in co:
            groups: list[Group] = []
            for store in order:
                loads = frozenset(readers.get(store, ()))
                if groups and {store} | groups[-1][0] <= self.adds and not groups[-1][1]:
                    groups[-1] = (groups[-1][0] | {store}, loads)
                else:
                    groups.append((frozenset({store}), loads))
            found.append((address, tuple(groups)))
        early = frozenset(
            load for source, loads in readers.items() if source[0] < 0 for load in loads
        )
        return (*found, (-1, ((frozenset(), early),)))


# ---- random programs

_GUARDS = ("=", "!=", "<=", ">=", "<", ">")


class ProgramMaker:
    """Small programs that wait, add, swap and fail."""

    def __init__(self, seed: int | str, most: int = 7, fences: bool = False) -> None:
        self.rng = random.Random(seed)
        self.most = most  # accesses
        self.fences = fences  # for machines with store buffers
        self.registers = 0

    def program(self) -> Program:
        return parse_program(Source("<random>", self.text()))

    def text(self) -> str:
        rng = self.rng
        names = "xyz"[: rng.choice((1, 1, 2, 2, 3))]
        head = " ".join(f"{name} = {rng.choice((0, 0, 0, 1))}" for name in names)
        threads = []
        left = rng.randint(3, self.most)
        count = rng.randint(2, 4)
        for number in range(count):
            size = max(
                1, min(3 if count > 3 else 4, round(rng.gauss(left / (count - number), 0.7)))
            )
            size = max(1, min(size, left - (count - number - 1)))
            left -= size
            code = "".join(f" {self.access(rng.choice(names))};" for _ in range(size))
            threads.append(f"thread T{number}:{code}")
        return "\n".join([head, *threads])

    def access(self, x: str) -> str:
        rng = self.rng
        v, w = rng.randint(0, 2), rng.randint(0, 2)
        self.registers += 1
        r = f"r{self.registers}"
        guard = f"{rng.choice(_GUARDS)} {rng.randint(0, 3)}"
        kinds = [
            f"{x} := {v}",
            f"{x} := {v}",
            f"{r} := {x}",
            f"faa({x}, {v + 1})",
            f"faa({x}, {v + 1})",
            f"{r} := faa({x}, {v + 1})",
            f"{r} := faa({x}, {v + 1}); assert {r} != 77",
            f"{r} := xchg({x}, {v})",
            f"{r} := cas({x}, {w}, {v})",
            f"{r} := cas({x}, {w}, {v})",
            f"await({x} {guard})",
            f"await({x} {guard})",
            f"xchgawait({x} {guard}, := {v})",
            f"{r} := faa({x}, {v}) await {guard}",
            f"{r} := cas({x}, {w}, {v}) await {guard}",
            f"{r} := {x}; assume {r} {rng.choice(('=', '!='))} {w}",
            f"{r} := {x}; {x} := {r} + 1",
            f"{r} := cas_weak({x}, {w}, {v})",
            f"{r} := lr({x}); s{r} := sc({x}, {v})",
        ]
        if self.fences:
            kinds.pop()  # no store-conditionals
            kinds += [f"{x} := {v}"] * 4 + [f"{r} := {x}"] * 4
            kinds += [f"{r} := cas({x}, {w}, {v}) @lock", "mfence", "sfence", "sync"]
        return rng.choice(kinds)
