"""Random small programs: threads, locations, dependencies of every kind, fences, branches, read-modify-writes, exclusives, awaits; and
among them critical cycles.

The size is bounded by how many candidates a brute force would look at, so that every program can be enumerated.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace

from hybrid.crosscheck.cycles import critical_cycle
from hybrid.crosscheck.vocabulary import DEFAULT, Vocabulary
from hybrid.program import instructions as ins
from hybrid.program.condition import LocationTerm, Term
from hybrid.program.expr import Binary, Const, Expr, Register, registers
from hybrid.program.program import Location, Program, Thread
from hybrid.program.tags import FENCES
from hybrid.source import nowhere

_HERE = nowhere("<random>")
_OPERATIONS = ("xchg", "cas", "cas", "+", "+", "|", "max")


@dataclass(frozen=True, slots=True)
class Shape:
    """What random programs look like."""

    threads: tuple[int, int] = (2, 4)
    instructions: tuple[int, int] = (2, 5)  # a thread
    locations: tuple[int, int] = (2, 3)
    candidates: int = 3000  # at most so many (an estimate) for brute force
    cycles: float = 0.0  # how many of them are critical cycles, from 0 to 1
    words: Vocabulary = DEFAULT  # annotations and fences


def random_program(seed: int, number: int, shape: Shape | None = None) -> Program:
    """Program `number` of the sequence that `seed` gives."""
    shape = shape or Shape()
    rng = random.Random(f"{seed}/{number}")
    name = f"random-{seed}-{number}"
    cyclic = random.Random(f"{seed}/{number}/cycle").random() < shape.cycles
    while True:
        if cyclic:
            program = critical_cycle(rng, name, rng.randint(*shape.threads), shape.words)
        else:
            program = _Maker(rng, shape).program(name)
        if estimate(program) <= shape.candidates:
            return replace(program, observed=_observed(program, seed, number))


def _observed(program: Program, seed: int, number: int) -> tuple[Term, ...]:
    """Some locations: outcomes show their final values, so that reads-from classes tell their last stores apart."""
    rng = random.Random(f"{seed}/{number}/observed")
    return tuple(
        LocationTerm(place.span, place.address, place.name)
        for place in program.locations
        if rng.random() < 0.3
    )


def estimate(program: Program) -> int:
    """Roughly how many combinations of paths, rf and co a brute force meets: rf and co at their worst, each
    computed address counted for every location."""
    count = 1
    loads: list[int | None] = []
    stores = {location.address: 0 for location in program.locations}
    for thread in program.threads:
        for instruction in thread.code:
            if isinstance(instruction, ins.Branch):
                count *= 3 if instruction.target <= thread.code.index(instruction) else 2
            if not isinstance(instruction, ins.Access):
                continue
            address = instruction.address
            at = address.value if isinstance(address, Const) else None
            if isinstance(instruction, ins.Load | ins.Rmw):
                loads.append(at)
            if isinstance(instruction, ins.Store | ins.Rmw | ins.StoreConditional):
                for known in stores:
                    if at is None or at == known:
                        stores[known] += 1
            if isinstance(instruction, ins.StoreConditional) or (
                isinstance(instruction, ins.Rmw) and instruction.op == "cas"
            ):
                count *= 2
    for at in loads:
        count *= 1 + (stores[at] if at is not None else sum(stores.values()))
    for number in stores.values():
        count *= math.factorial(number)
    return count


class _Maker:
    def __init__(self, rng: random.Random, shape: Shape) -> None:
        self.rng = rng
        self.shape = shape
        self.words = shape.words
        self.locations = rng.randint(*shape.locations)
        self.labels = 0
        # how much of it is rmws, exclusives, awaits, assumes and loops; with some come annotations
        self.exotic = rng.choice((0.0, 0.0, 0.35, 0.8))

    def program(self, name: str) -> Program:
        locations = tuple(
            Location(_HERE, "xyz"[i], i, self.rng.choice((0, 0, 0, 1)))
            for i in range(self.locations)
        )
        threads = tuple(
            Thread(_HERE, "PQRS"[t], self._code(self.rng.randint(*self.shape.instructions)))
            for t in range(self.rng.randint(*self.shape.threads))
        )
        return Program(name, locations, threads)

    def _label(self) -> str:
        self.labels += 1
        return f"L{self.labels - 1}"

    def _code(self, size: int) -> tuple[ins.Instruction, ...]:
        code: list[ins.Instruction] = []
        held: list[str] = []  # registers that hold something read
        reserved = False
        while len(code) < size:
            code.append(self._instruction(held, len(code), size, reserved))
            last = code[-1]
            if isinstance(last, ins.Load | ins.Rmw) and last.register is not None:
                held.append(last.register)
            if isinstance(last, ins.Rmw) and last.success is not None:
                held.append(last.success)
            if isinstance(last, ins.StoreConditional) and last.status is not None:
                held.append(last.status)
            reserved = (reserved or (isinstance(last, ins.Load) and last.exclusive)) and (
                not isinstance(last, ins.StoreConditional)
            )
        return tuple(code)

    def _instruction(self, held: list[str], at: int, size: int, reserved: bool) -> ins.Instruction:
        rng = self.rng
        label = self._label()
        register = f"r{at}"
        if reserved and rng.random() < 0.5:
            value = self._value(held)
            tags = frozenset({"X", *self._order(self.words.stores)})
            way = rng.random()
            free = way < self.words.free
            by_store = not free and way < self.words.free + self.words.by_store
            address = self._address(held)
            return ins.StoreConditional(
                _HERE, label, register, address, value, tags, free, by_store
            )
        if rng.random() < self.exotic:
            return self._exotic(held, label, register, at, size)
        kind = rng.random()
        if kind < 0.36:
            return ins.Load(
                _HERE, label, register, self._address(held), self._order(self.words.loads)
            )
        if kind < 0.74:
            return ins.Store(
                _HERE,
                label,
                self._address(held),
                self._value(held),
                self._order(self.words.stores),
            )
        if kind < 0.88:
            return ins.Fence(_HERE, label, self._fence())
        if held and kind < 0.96:
            target = rng.randint(at + 1, size)
            return ins.Branch(_HERE, label, self._test(held), target)
        if held:
            return ins.Assign(_HERE, label, rng.choice(held), self._value(held))
        return ins.Load(_HERE, label, register, self._address(held), self._order(self.words.loads))

    def _exotic(
        self, held: list[str], label: str, register: str, at: int, size: int
    ) -> ins.Instruction:
        rng = self.rng
        kind = rng.random()
        if kind < 0.5:
            op = rng.choice(_OPERATIONS)
            expected = self._value(held) if op == "cas" else None
            order = frozenset(rng.choice(self.words.rmws).split())
            guard = self._guard(held) if rng.random() < 0.25 else None
            address, operand = self._address(held), self._value(held)
            rmw = ins.Rmw(_HERE, label, register, op, address, operand, expected, order, guard)
            if op == "cas" and rng.random() < 0.6:
                failed = frozenset({rng.choice(self.words.failed)}) if rng.random() < 0.7 else None
                success = f"s{at}" if rng.random() < 0.5 else None
                return replace(rmw, failed_tags=failed, weak=rng.random() < 0.4, success=success)
            return rmw
        if kind < 0.65:
            tags = frozenset({"X", *self._order(self.words.loads)})
            return ins.Load(_HERE, label, register, self._address(held), tags, None, True)
        if kind < 0.8:
            order = self._order(self.words.loads)
            return ins.Load(_HERE, label, register, self._address(held), order, self._guard(held))
        if kind < 0.9 and held:
            return ins.Assume(_HERE, label, self._test(held))
        if held and at and rng.random() < 0.5:
            return ins.Branch(_HERE, label, self._test(held), rng.randint(0, at))
        tags = frozenset({rng.choice(self.words.ordered)}) if self.words.ordered else self._fence()
        return ins.Fence(_HERE, label, tags)

    def _guard(self, held: list[str]) -> ins.Guard:
        return ins.Guard(_HERE, self.rng.choice(("==", "==", "!=", ">")), self._value(held))

    def _fence(self) -> frozenset[str]:
        return FENCES[self.rng.choice(self.words.fences)]

    def _order(self, orders: tuple[str, ...]) -> frozenset[str]:
        plain = self.words.mostly_plain and not self.exotic
        return frozenset({"NA" if plain else self.rng.choice(orders)})

    def _address(self, held: list[str]) -> Expr:
        """Mostly a location; sometimes one with a false dependency, or one that a register chooses."""
        place = Const(_HERE, self.rng.randrange(self.locations), "")
        place = Const(_HERE, place.value, f"&{'xyz'[place.value]}")
        if not held or self.rng.random() < 0.7:
            return place
        register = Register(_HERE, self.rng.choice(held))
        if self.rng.random() < 0.6:
            return Binary(_HERE, "+", place, Binary(_HERE, "^", register, register))
        return Binary(_HERE, "&", register, Const(_HERE, 1))

    def _value(self, held: list[str]) -> Expr:
        constant = Const(_HERE, self.rng.randint(0, 3))
        if not held or self.rng.random() < 0.55:
            return constant
        register = Register(_HERE, self.rng.choice(held))
        kind = self.rng.random()
        if kind < 0.4:
            return register
        if kind < 0.7:
            return Binary(_HERE, "+", register, constant)
        return Binary(_HERE, "+", constant, Binary(_HERE, "^", register, register))

    def _test(self, held: list[str]) -> Expr:
        register = Register(_HERE, self.rng.choice(held))
        op = self.rng.choice(("==", "!=", "=="))
        test = Binary(_HERE, op, register, Const(_HERE, self.rng.randint(0, 2)))
        if self.rng.random() < 0.2:  # a false dependency: both ways lead on
            test = Binary(_HERE, "==", Binary(_HERE, "^", register, register), Const(_HERE, 0))
        assert registers(test)
        return test
