"""Comparing bmc with enumerate, and random programs of arithmetic: every operator, pointers that
may go astray, asserts, loops, exclusives."""

from __future__ import annotations

import random
from dataclasses import replace

from hybrid.bmc.engine import Bmc
from hybrid.engine.api import Counters, Engine, Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.execution.trace import Key, Status, TraceData
from hybrid.model.core import RACE, Model
from hybrid.program import instructions as ins
from hybrid.program.expr import Binary, Const, Expr, Register, Unary
from hybrid.program.program import Location, Program, Thread
from hybrid.program.values import BINARY_OPERATORS, COMPARISONS, UNARY_OPERATORS
from hybrid.source import nowhere

HERE = nowhere("<random>")
# `nand` is left out, so that the programs of each seed stay those that solvers finish with
OPERATORS = tuple(op for op in BINARY_OPERATORS if op != "nand")
NUMBERS = (0, 0, 1, 1, 2, 3, -1, -2, 5, 7, 63, 64, 100, 2**31, 2**63 - 1, -(2**63), -(2**63) + 1)
Runs = dict[tuple[Status, Key], TraceData]


def runs_of(engine: Engine, program: Program, model: Model, unroll: int) -> tuple[Runs, Counters]:
    """All that an engine yields, spelled out; it must not yield anything twice. Of blocked runs
    that it shows for a race alone there are as many as it likes."""
    found: Runs = {}
    for trace in engine.explore(program, model, Limits(unroll)):
        if trace.status is Status.BLOCKED and not trace.failed:
            assert RACE in trace.data().flags
            continue
        key = (trace.status, trace.key())
        assert key not in found
        found[key] = replace(trace.data(), run=())
        assert found[key].status is trace.status
        assert found[key].failed == trace.failed
    return found, engine.counters


def assert_same(program: Program, model: Model, solver: str, unroll: int = 2) -> Runs:
    """bmc finds what enumerate finds, to the last detail."""
    expected, theirs = runs_of(Enumerate(), program, model, unroll)
    found, ours = runs_of(Bmc(solver), program, model, unroll)
    assert found.keys() == expected.keys(), program.name
    for key, data in expected.items():
        assert found[key] == data, program.name
    assert (ours.complete, ours.cut, ours.errors) == (theirs.complete, theirs.cut, theirs.errors)
    assert ours.thin_air <= theirs.thin_air  # theirs may turn out to have no values
    return found


def arithmetic_program(seed: int) -> Program:
    """Two threads that compute with what they read."""
    rng = random.Random(f"arithmetic/{seed}")
    addresses = rng.choice(((0, 1), (1, 2), (10, -3), (2**40, 7)))
    locations = tuple(
        Location(HERE, name, address, rng.choice(NUMBERS))
        for name, address in zip("xy", addresses, strict=True)
    )
    threads = tuple(
        Thread(HERE, name, _Code(rng, name, addresses).code(), {"s": rng.choice(NUMBERS)})
        for name in "PQ"
    )
    return Program(f"arithmetic-{seed}", locations, threads)


class _Code:
    def __init__(self, rng: random.Random, name: str, addresses: tuple[int, ...]) -> None:
        self.rng = rng
        self.name = name
        self.addresses = addresses
        self.registers = ["s"]

    def code(self) -> tuple[ins.Instruction, ...]:
        size = self.rng.randint(3, 6)
        memory = 3  # accesses at most, so that enumerating stays quick
        found: list[ins.Instruction] = []
        while len(found) < size:
            kind = self.rng.choice("LLSSRAABTUX" if memory else "ABTU")
            memory -= kind in "LSRX"
            found.append(self.instruction(kind, f"{self.name}{len(found)}", len(found), size))
        return tuple(found)

    def instruction(self, kind: str, label: str, at: int, size: int) -> ins.Instruction:
        rng, tags = self.rng, frozenset({"NA"})
        register = f"r{at}"
        address = self.address()
        value = self.expression(rng.randint(0, 2))
        if kind != "A" or rng.random() < 0.5:
            self.registers.append(register)
        if kind == "L":
            exclusive = rng.random() < 0.3
            tags = frozenset({"NA", "X"}) if exclusive else tags
            return ins.Load(HERE, label, register, address, tags, None, exclusive)
        if kind == "S":
            return ins.Store(HERE, label, address, value, tags)
        if kind == "X":
            return ins.StoreConditional(
                HERE, label, register, address, value, frozenset({"NA", "X"})
            )
        if kind == "R":
            op = rng.choice(("xchg", "cas", "+", "max", "|", "umin"))
            expected = self.expression(0) if op == "cas" else None
            bits = 64 if op in ("xchg", "cas") else rng.choice((8, 32, 64, 64))
            return ins.Rmw(HERE, label, register, op, address, value, expected, tags, None, bits)
        if kind == "A":
            return ins.Assign(HERE, label, rng.choice(self.registers), value)
        if kind == "B":
            target = rng.randint(0, size) if rng.random() < 0.3 else rng.randint(at + 1, size)
            return ins.Branch(HERE, label, self.test(), target)
        if kind == "T":
            return ins.Assert(HERE, label, self.test())
        return ins.Assume(HERE, label, self.test())

    def address(self) -> Expr:
        place = Const(HERE, self.rng.choice(self.addresses))
        if self.rng.random() < 0.75:
            return place
        register = Register(HERE, self.rng.choice(self.registers))
        op = self.rng.choice(("+", "^", "-", "min"))
        return Binary(HERE, op, place, register)

    def test(self) -> Expr:
        op = self.rng.choice(COMPARISONS)
        return Binary(HERE, op, self.expression(1), self.expression(0))

    def expression(self, depth: int) -> Expr:
        rng = self.rng
        if depth == 0:
            if rng.random() < 0.65:
                return Register(HERE, rng.choice(self.registers))
            return Const(HERE, rng.choice(NUMBERS))
        if rng.random() < 0.15:
            return Unary(HERE, rng.choice(UNARY_OPERATORS), self.expression(depth - 1))
        op = rng.choice(OPERATORS)
        return Binary(HERE, op, self.expression(depth - 1), self.expression(0))
