"""Random code, one instruction at a time: loads, stores, dependencies of every kind, fences,
branches, read-modify-writes, exclusives, awaits."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

from hybrid.crosscheck.shape import Shape
from hybrid.crosscheck.vocabulary import fence_tags
from hybrid.program import instructions as ins
from hybrid.program import memory
from hybrid.program.expr import Binary, Const, Expr, Register, registers
from hybrid.program.program import Location, Program, Thread
from hybrid.source import nowhere

HERE = nowhere("<random>")
_NAMES = "xyz"
_PLACES = memory.addresses([1] * len(_NAMES))
_APART = 7  # a location and the next lie 1 << 7 apart
assert all(b - a == 1 << _APART for a, b in pairwise(_PLACES))


class CodeMaker:
    def __init__(self, rng: random.Random, shape: Shape) -> None:
        self.rng = rng
        self.shape = shape
        self.words = shape.words
        self.locations = rng.randint(*shape.locations)
        self.labels = 0
        # how much of it is rmws, exclusives, awaits, assumes and loops; with some come annotations
        self.exotic = rng.choice(shape.exotic)

    def program(self, name: str) -> Program:
        locations = tuple(
            Location(HERE, _NAMES[i], _PLACES[i], *self._initial(i)) for i in range(self.locations)
        )
        threads = tuple(
            Thread(HERE, "PQRS"[t], self._code(self.rng.randint(*self.shape.instructions)))
            for t in range(self.rng.randint(*self.shape.threads))
        )
        return Program(name, locations, threads)

    def label(self) -> str:
        self.labels += 1
        return f"L{self.labels - 1}"

    def _initial(self, number: int) -> tuple[int, str]:
        """What a location holds at first, and the name of an address."""
        if self.shape.pointers and number == self.locations - 1:
            other = self.rng.randrange(self.locations)
            return self.rng.choice(((0, ""), (0, ""), (_PLACES[other], f"&{_NAMES[other]}")))
        return self.rng.choice(self.shape.initial), ""

    def place(self) -> Const:
        """The address of some location, but not of the one for pointers."""
        number = self.rng.randrange(self.locations - self.shape.pointers)
        return Const(HERE, _PLACES[number], f"&{_NAMES[number]}")

    def pointer_cell(self) -> Const:
        """The address of the location that holds addresses."""
        number = self.locations - 1
        return Const(HERE, _PLACES[number], f"&{_NAMES[number]}")

    def _code(self, size: int) -> tuple[ins.Instruction, ...]:
        code: list[ins.Instruction] = []
        held: list[str] = []  # registers that hold something read
        reserved = False
        while len(code) < size:
            for instruction in self.next(held, len(code), size, reserved):
                code.append(instruction)
                held += _results(instruction)
                if isinstance(instruction, ins.Load) and instruction.exclusive:
                    reserved = True
                elif isinstance(instruction, ins.StoreConditional):
                    reserved = False
        return tuple(code)

    def next(self, held: list[str], at: int, size: int, reserved: bool) -> list[ins.Instruction]:
        """What stands at index `at` of a thread of about `size` instructions."""
        return [self._instruction(held, at, size, reserved)]

    def _instruction(self, held: list[str], at: int, size: int, reserved: bool) -> ins.Instruction:
        rng = self.rng
        label = self.label()
        register = f"r{at}"
        if reserved and rng.random() < 0.5:
            value = self._value(held)
            return self.conditional(label, register, self._address(held), value)
        if rng.random() < self.exotic:
            return self._exotic(held, label, register, at, size)
        kind = rng.random()
        if kind < 0.36:
            return ins.Load(
                HERE, label, register, self._address(held), self.order(self.words.loads)
            )
        if kind < 0.74:
            return ins.Store(
                HERE,
                label,
                self._address(held),
                self._value(held),
                self.order(self.words.stores),
            )
        if kind < 0.88:
            return ins.Fence(HERE, label, self.fence())
        if held and kind < 0.96:
            target = rng.randint(at + 1, size)
            return ins.Branch(HERE, label, self._test(held), target)
        if held and rng.random() < 0.5:
            return ins.Assign(HERE, label, rng.choice(held), self._value(held))
        if held:
            test, yes, no = self._test(held), self._value(held), self._value(held)
            return ins.Select(HERE, label, rng.choice(held), test, yes, no)
        return ins.Load(HERE, label, register, self._address(held), self.order(self.words.loads))

    def conditional(
        self, label: str, status: str, address: Expr, value: Expr
    ) -> ins.StoreConditional:
        tags = frozenset({"X", *self.order(self.words.stores)})
        way = self.rng.random()
        free = way < self.words.free
        by_store = not free and way < self.words.free + self.words.by_store
        return ins.StoreConditional(HERE, label, status, address, value, tags, free, by_store)

    def _exotic(
        self, held: list[str], label: str, register: str, at: int, size: int
    ) -> ins.Instruction:
        rng = self.rng
        kind = rng.random()
        if kind < 0.5:
            op = rng.choice(self.words.operations)
            expected = self._value(held) if op == "cas" else None
            order = frozenset(rng.choice(self.words.rmws).split())
            guard = self._guard(held) if rng.random() < 0.25 else None
            address, operand = self._address(held), self._value(held)
            rmw = ins.Rmw(HERE, label, register, op, address, operand, expected, order, guard)
            if op == "cas" and rng.random() < 0.6:
                failed = frozenset({rng.choice(self.words.failed)}) if rng.random() < 0.7 else None
                success = f"s{at}" if rng.random() < 0.5 else None
                return replace(rmw, failed_tags=failed, weak=rng.random() < 0.4, success=success)
            return rmw
        if kind < 0.65:
            tags = frozenset({"X", *self.order(self.words.loads)})
            return ins.Load(HERE, label, register, self._address(held), tags, None, True)
        if kind < 0.8:
            order = self.order(self.words.loads)
            return ins.Load(HERE, label, register, self._address(held), order, self._guard(held))
        if kind < 0.9 and held:
            return ins.Assume(HERE, label, self._test(held))
        if held and at and rng.random() < 0.5:
            return ins.Branch(HERE, label, self._test(held), rng.randint(0, at))
        tags = frozenset({rng.choice(self.words.ordered)}) if self.words.ordered else self.fence()
        return ins.Fence(HERE, label, tags)

    def _guard(self, held: list[str]) -> ins.Guard:
        return ins.Guard(HERE, self.rng.choice(("==", "==", "!=", ">")), self._value(held))

    def fence(self) -> frozenset[str]:
        return fence_tags(self.rng.choice(self.words.fences))

    def order(self, orders: tuple[str, ...]) -> frozenset[str]:
        plain = self.words.mostly_plain and not self.exotic
        return frozenset({"NA" if plain else self.rng.choice(orders)})

    def _address(self, held: list[str]) -> Expr:
        """Mostly a location; sometimes one with a false dependency, or the first or second, as a
        register chooses."""
        place = self.place()
        if not held or self.rng.random() < 0.7:
            return place
        register = Register(HERE, self.rng.choice(held))
        if self.rng.random() < 0.6:
            return Binary(HERE, "+", place, Binary(HERE, "^", register, register))
        chosen = Binary(HERE, "&", register, Const(HERE, 1))
        first = Const(HERE, _PLACES[0], f"&{_NAMES[0]}")
        return Binary(HERE, "+", first, Binary(HERE, "<<", chosen, Const(HERE, _APART)))

    def _value(self, held: list[str]) -> Expr:
        constant = Const(HERE, self.rng.randint(0, 3))
        if not held or self.rng.random() < 0.55:
            return constant
        register = Register(HERE, self.rng.choice(held))
        kind = self.rng.random()
        if kind < 0.4:
            return register
        if kind < 0.7:
            return Binary(HERE, "+", register, constant)
        return Binary(HERE, "+", constant, Binary(HERE, "^", register, register))

    def _test(self, held: list[str]) -> Expr:
        register = Register(HERE, self.rng.choice(held))
        op = self.rng.choice(("==", "!=", "=="))
        test = Binary(HERE, op, register, Const(HERE, self.rng.randint(0, 2)))
        if self.rng.random() < 0.2:  # a false dependency: both ways lead on
            test = Binary(HERE, "==", Binary(HERE, "^", register, register), Const(HERE, 0))
        assert registers(test)
        return test


def _results(instruction: ins.Instruction) -> tuple[str, ...]:
    """The registers that an access sets."""
    return () if instruction.place is None else instruction.sets
