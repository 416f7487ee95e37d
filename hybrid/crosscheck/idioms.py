"""Pieces of code that single random instructions hardly ever form: what people write, and what they
get wrong.

Each method gives one piece, a list of instructions that is to stand at index `at` of its thread;
its jumps stay within the piece or lead to its end. Registers are named by the index of the
instruction that sets them, so that no two pieces share one by accident.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from hybrid.crosscheck.random_code import HERE, CodeMaker
from hybrid.crosscheck.shape import (
    AGAIN,
    CLAIM,
    COUNTED,
    FOLLOW,
    GATHER,
    LOCK,
    MEET,
    PUBLISH,
    RELAY,
    RESERVE,
    SIGNAL,
    SPIN,
    STRIDE,
    SWAP,
    WAIT,
    Shape,
)
from hybrid.program import instructions as ins
from hybrid.program.expr import Binary, Const, Expr, Register

Piece = list[ins.Instruction]


class IdiomMaker(CodeMaker):
    def __init__(self, rng: random.Random, shape: Shape) -> None:
        super().__init__(rng, shape)
        self.pieces: dict[str, Callable[[int], Piece]] = {
            PUBLISH: self._publish,
            FOLLOW: self._follow,
            STRIDE: self._stride,
            SPIN: self._spin,
            COUNTED: self._counted,
            RESERVE: self._reserve,
            SWAP: self._swap,
            LOCK: self._lock,
            WAIT: self._wait,
            AGAIN: self._again,
            RELAY: self._relay,
            SIGNAL: self._signal,
            MEET: self._meet,
            GATHER: self._gather,
        }

    def next(self, held: list[str], at: int, size: int, reserved: bool) -> Piece:
        left = self.rng.random() if self.shape.idioms else 0.0
        for name, likely in self.shape.idioms:
            left -= likely
            if left < 0:
                return self._claim(at, held) if name == CLAIM else self.pieces[name](at)
        return super().next(held, at, size, reserved)

    # What pieces are made of.

    def chance(self, likely: float) -> bool:
        return self.rng.random() < likely

    def small(self) -> Const:
        return Const(HERE, self.rng.randint(0, 3))

    def load(self, at: int, place: Expr, exclusive: bool = False) -> ins.Load:
        tags = self.order(self.words.loads)
        if exclusive:
            tags |= {"X"}
        return ins.Load(HERE, self.label(), f"r{at}", place, tags, None, exclusive)

    def store(self, place: Expr, value: Expr) -> ins.Store:
        return ins.Store(HERE, self.label(), place, value, self.order(self.words.stores))

    def branch(self, condition: Expr, target: int) -> ins.Branch:
        return ins.Branch(HERE, self.label(), condition, target)

    def claim(self, register: str, op: str = "!=") -> ins.Assert:
        return ins.Assert(HERE, self.label(), self.compare(register, op, self.rng.randint(0, 3)))

    @staticmethod
    def compare(register: str, op: str, value: int) -> Expr:
        return Binary(HERE, op, Register(HERE, register), Const(HERE, value))

    # Pointers.

    def _publish(self, _: int) -> Piece:
        """`x := 2; fence; p := &x`, or null."""
        target = self.place()
        code: Piece = [self.store(target, self.small())]
        if self.chance(0.4):
            code.append(ins.Fence(HERE, self.label(), self.fence()))
        pointer = Const(HERE, 0) if self.chance(0.2) else target
        code.append(self.store(self.pointer_cell(), pointer))
        return code

    def _follow(self, at: int) -> Piece:
        """`r := p; if r = 0 goto END; s := [r]; assert s != 1`."""
        pointer = f"r{at}"
        code: Piece = [self.load(at, self.pointer_cell())]
        checked = self.chance(0.7)
        if checked:
            code.append(self.branch(self.compare(pointer, "==", 0), -1))
        here = at + len(code)
        if self.chance(0.7):
            code.append(self.load(here, Register(HERE, pointer)))
            if self.chance(0.4):
                code.append(self.claim(f"r{here}"))
        else:
            code.append(self.store(Register(HERE, pointer), self.small()))
        if checked:
            code[1] = self.branch(self.compare(pointer, "==", 0), at + len(code))
        return code

    def _stride(self, at: int) -> Piece:
        """`r := x; s := [&y + r]`: the object itself, another cell of it, or none."""
        where = Binary(HERE, "+", self.place(), Register(HERE, f"r{at}"))
        return [self.load(at, self.place()), self.load(at + 1, where)]

    # Loops and asserts.

    def _spin(self, at: int) -> Piece:
        """`L: r := x; assert r != 1; y := 1; if r = 0 goto L`."""
        register = f"r{at}"
        code: Piece = [self.load(at, self.place())]
        if self.chance(0.6):
            code.append(self.claim(register))
        if self.chance(0.3):
            code.append(self.store(self.place(), self.small()))
        op = self.rng.choice(("==", "!="))
        code.append(self.branch(self.compare(register, op, self.rng.randint(0, 2)), at))
        return code

    def _counted(self, at: int) -> Piece:
        """`c := 3; L: y := c; c := c - 1; if c != 0 goto L`."""
        counter = f"c{at}"
        count = Register(HERE, counter)
        start = Const(HERE, self.rng.randint(2, 4))
        code: Piece = [ins.Assign(HERE, self.label(), counter, start)]
        inner = self.load(at + 1, self.place())
        code.append(inner if self.chance(0.5) else self.store(self.place(), count))
        if self.chance(0.3):
            code.append(self.claim(counter))
        less = Binary(HERE, "-", count, Const(HERE, 1))
        code.append(ins.Assign(HERE, self.label(), counter, less))
        code.append(self.branch(self.compare(counter, "!=", 0), at + 1))
        return code

    def _claim(self, at: int, held: list[str]) -> Piece:
        if held:
            return [self.claim(self.rng.choice(held), self.rng.choice(("!=", "==", "<")))]
        return [self.load(at, self.place()), self.claim(f"r{at}")]

    # Read-modify-writes.

    def _reserve(self, at: int) -> Piece:
        """`r := lr(x); s := sc(y, 1); y := s + 2`, or again until it succeeds."""
        place = self.place()
        other = place if self.chance(0.6) else self.place()
        code: Piece = [self.load(at, place, exclusive=True)]
        if self.chance(0.25):
            code.append(self.load(at + 1, self.place()))
        status = f"r{at + len(code)}"
        value: Expr = self.small()
        if self.chance(0.4):
            value = Binary(HERE, "+", Register(HERE, f"r{at}"), Const(HERE, 1))
        code.append(self.conditional(self.label(), status, other, value))
        kind = self.rng.random()
        if kind < 0.4:
            stored = Binary(HERE, "+", Register(HERE, status), self.small())
            code.append(self.store(self.place(), stored))
        elif kind < 0.6:
            code.append(self.branch(self.compare(status, "!=", 0), at))
        return code

    def _swap(self, at: int) -> Piece:
        """`r := cas(x, 0, 1); y := r + 1`."""
        register = f"r{at}"
        order = frozenset(self.rng.choice(self.words.rmws).split())
        expected, operand = self.small(), self.small()
        cas = ins.Rmw(HERE, self.label(), register, "cas", self.place(), operand, expected, order)
        if self.chance(0.3):
            cas = replace(cas, success=f"s{at}")
        if self.chance(0.15):
            cas = replace(cas, weak=True)
        code: Piece = [cas]
        result = cas.success or register
        if self.chance(0.5):
            stored = Binary(HERE, "+", Register(HERE, result), self.small())
            code.append(self.store(self.place(), stored))
        elif self.chance(0.3):
            code.append(self.claim(result))
        return code

    # Waiting.

    def _wait(self, at: int) -> Piece:
        """`r := await(x = 1)`."""
        guard = ins.Guard(HERE, self.rng.choice(("==", "==", "!=")), self.small())
        return [replace(self.load(at, self.place()), guard=guard)]

    def _take(self, lock: Expr) -> ins.Rmw:
        order = frozenset(self.rng.choice(self.words.rmws).split())
        guard = ins.Guard(HERE, "==", Const(HERE, 0))
        one = Const(HERE, 1)
        if self.chance(0.3):
            return ins.Rmw(HERE, self.label(), None, "cas", lock, one, guard.value, order, guard)
        return ins.Rmw(HERE, self.label(), None, "xchg", lock, one, None, order, guard)

    def _lock(self, at: int) -> Piece:
        """`xchgawait(l, 1, = 0); …; l := 0`; the inner section takes another lock, and what is
        taken is not always given back."""
        lock = self.place()
        code: Piece = [self._take(lock)]
        if self.chance(0.5):
            other = self.place()
            code.append(self._take(other))
            if self.chance(0.8):
                code.append(self.store(other, Const(HERE, 0)))
        elif self.chance(0.5):
            code.append(self.load(at + 1, self.place()))
        if self.chance(0.85):
            code.append(self.store(lock, Const(HERE, 0)))
        return code

    # One location.

    def _again(self, at: int) -> Piece:
        """`r := x; s := x; x := s; x := 1`: some of it, in any order."""
        place = self.place()
        code: Piece = []
        for _ in range(self.rng.randint(2, 4)):
            here = at + len(code)
            loaded = [i.register for i in code if isinstance(i, ins.Load) and i.register]
            if self.chance(0.5):
                code.append(self.load(here, place))
            elif loaded and self.chance(0.5):
                code.append(self.store(self.place(), Register(HERE, self.rng.choice(loaded))))
            else:
                code.append(self.store(place, self.small()))
        return code

    def _relay(self, at: int) -> Piece:
        """`r := y; s := y; x := s; x := 0`: a store that waits for a load, and one to the same
        place that need not."""
        source, target = self.place(), self.place()
        code: Piece = [self.load(at, source)]
        if self.chance(0.7):
            code.append(self.load(at + 1, source))
        register = Register(HERE, f"r{at + len(code) - 1}")
        code.append(self.store(target, register))
        code.append(self.store(target, self.small()))
        return code

    def _signal(self, _: int) -> Piece:
        """`x := 0; fence; y := 1`."""
        first = self.store(self.place(), self.small())
        fence = ins.Fence(HERE, self.label(), self.fence())
        return [first, fence, self.store(self.place(), self.small())]

    # Registers.

    def assign(self, register: str, value: Expr) -> ins.Assign:
        return ins.Assign(HERE, self.label(), register, value)

    def _shuffle(self, at: int) -> Piece:
        """Changes the registers a and b of a piece, whose load has set r."""
        r, a, b = (Register(HERE, f"{letter}{at}") for letter in "rab")
        kind = self.rng.random()
        if kind < 0.4:
            spare = f"t{at}"
            kept = self.assign(spare, a)
            return [kept, self.assign(a.name, b), self.assign(b.name, Register(HERE, spare))]
        if kind < 0.7:
            return [self.assign(a.name, b), self.assign(b.name, r)]
        return [self.assign(a.name, Binary(HERE, self.rng.choice("+-^"), a, r))]

    def _meet(self, at: int) -> Piece:
        """`r := x; a := 1; b := r + 2; if r = 0 goto L; t := a; a := b; b := t; L: y := a; x := b`,
        or something else between."""
        first = self.assign(f"a{at}", self.small())
        start = Binary(HERE, "+", Register(HERE, f"r{at}"), self.small())
        second = self.assign(f"b{at}", start if self.chance(0.5) else self.small())
        change = self._shuffle(at)
        test = self.compare(f"r{at}", self.rng.choice(("==", "!=")), self.rng.randint(0, 2))
        branch = self.branch(test, at + 4 + len(change))
        code: Piece = [self.load(at, self.place()), first, second, branch, *change]
        return code + self._shown(at)

    def _gather(self, at: int) -> Piece:
        """`a := 1; b := 2; L: r := x; a := a + r; if r = 0 goto L; y := a`, or something else in
        the loop."""
        code: Piece = [self.assign(f"{letter}{at}", self.small()) for letter in "ab"]
        code += [self.load(at, self.place()), *self._shuffle(at)]
        op, value = self.rng.choice((("==", 0), ("==", 0), ("==", 1), ("!=", 1), ("!=", 2)))
        test = self.compare(f"r{at}", op, value)
        code.append(self.branch(test, at + 2))
        return code + self._shown(at)

    def _shown(self, at: int) -> Piece:
        """Stores a, and perhaps b."""
        letters = "ab" if self.chance(0.4) else "a"
        return [self.store(self.place(), Register(HERE, f"{letter}{at}")) for letter in letters]
