"""Loops that wait: iterations that change nothing, on all ways or on some.

What is a piece, idioms.py says.
"""

from __future__ import annotations

import random
from dataclasses import replace

from hybrid.crosscheck.idioms import IdiomMaker, Piece
from hybrid.crosscheck.random_code import HERE
from hybrid.crosscheck.shape import FEED, PARTLY, POLL, RETRY, SEIZE, TANGLE, TICKET, Shape
from hybrid.program import instructions as ins
from hybrid.program.expr import Binary, Const, Expr, Register

_LATER = -1  # a target that is set when the piece is whole


class LoopIdiomMaker(IdiomMaker):
    def __init__(self, rng: random.Random, shape: Shape) -> None:
        super().__init__(rng, shape)
        self.pieces |= {
            POLL: self._poll,
            RETRY: self._retry,
            TICKET: self._ticket,
            SEIZE: self._seize,
            PARTLY: self._partly,
            TANGLE: self._tangle,
            FEED: self._feed,
        }

    def _again_if(self, held: list[str]) -> Expr:
        """A condition on some of the registers."""
        register = self.rng.choice(held)
        kind = self.rng.random()
        if kind < 0.15:
            low = Binary(HERE, "&", Register(HERE, register), Const(HERE, 1))
            return Binary(HERE, self.rng.choice(("==", "!=")), low, Const(HERE, 0))
        if kind < 0.3 and len(held) > 1:
            parts = (self._plain_test(r) for r in self.rng.sample(held, 2))
            return Binary(HERE, self.rng.choice(("&&", "||")), *parts)
        if kind < 0.4 and len(held) > 1:
            one, other = (Register(HERE, r) for r in self.rng.sample(held, 2))
            return Binary(HERE, self.rng.choice(("==", "!=")), one, other)
        return self._plain_test(register)

    def _plain_test(self, register: str) -> Expr:
        return self.compare(register, self.rng.choice(("==", "!=", "!=", "<", ">=")), self._few())

    def _few(self) -> int:
        return self.rng.randint(0, 2)

    def _atomic(self, at: int, op: str, place: Expr, operand: Expr) -> ins.Rmw:
        order = frozenset(self.rng.choice(self.words.rmws).split())
        return ins.Rmw(HERE, self.label(), f"r{at}", op, place, operand, None, order)

    def _fences(self) -> Piece:
        return [ins.Fence(HERE, self.label(), self.fence())] if self.chance(0.15) else []

    def _poll(self, at: int) -> Piece:
        """`L: r := x; if r = 1 goto END; s := y; if s != 1 goto L`, or without the way out."""
        code: Piece = [self.load(at, self.place()), *self._fences()]
        held = [f"r{at}"]
        way_out = self.chance(0.25)
        if way_out:
            code.append(self.branch(self._plain_test(held[0]), _LATER))
        if self.chance(0.4):
            here = at + len(code)
            code.append(self.load(here, self.place()))
            held.append(f"r{here}")
        if self.chance(0.2):
            code.append(self.claim(self.rng.choice(held)))
        if self.chance(0.2):
            kept = f"k{at}"
            value = Binary(HERE, "+", Register(HERE, held[-1]), Const(HERE, 1))
            code.append(self.assign(kept, value))
            held.append(kept)
        code.append(self.branch(self._again_if(held), at))
        return _closed(code, at)

    def _retry(self, at: int) -> Piece:
        """`L: r := x; s := cas(x, r, r + 1); if s = 0 goto L`; or what it compares is a constant,
        or what it has read."""
        place, code = self.place(), list[ins.Instruction]()
        expected: Expr = Const(HERE, self._few())
        again = at
        if self.chance(0.6):
            code.append(self.load(at, place if self.chance(0.8) else self.place()))
            expected = Register(HERE, f"r{at}")
            again = at + (1 if self.chance(0.3) else 0)
        here = at + len(code)
        operand = Binary(HERE, "+", expected, Const(HERE, 1 + self._few()))
        cas = replace(self._atomic(here, "cas", place, operand), expected=expected)
        cas = replace(cas, success=f"s{here}", weak=self.chance(0.25))
        if self.chance(0.2):
            cas = replace(cas, register=None)
        code.append(cas)
        if cas.register is not None and again > at:
            code.append(self.assign(f"r{at}", Register(HERE, cas.register)))
        code.append(self.branch(self.compare(f"s{here}", "==", 0), again))
        return code

    def _ticket(self, at: int) -> Piece:
        """`t := faa(x, 1); L: a := y; if a != t goto L; y := t + 1`."""
        tickets, turn = self.place(), self.place()
        take = self._atomic(at, "+", tickets, Const(HERE, 1))
        look = self.load(at + 1, turn)
        ticket, seen = Register(HERE, f"r{at}"), Register(HERE, f"r{at + 1}")
        code: Piece = [take, look, self.branch(Binary(HERE, "!=", seen, ticket), at + 1)]
        if self.chance(0.4):
            code.append(self.load(at + 3, self.place()))
        if self.chance(0.8):
            code.append(self.store(turn, Binary(HERE, "+", ticket, Const(HERE, 1))))
        return code

    def _seize(self, at: int) -> Piece:
        """`L: r := x; if r != 0 goto L; a := xchg(x, 1); if a != 0 goto L; …; x := 0`."""
        lock, code = self.place(), list[ins.Instruction]()
        if self.chance(0.5):
            code += [self.load(at, lock), self.branch(self.compare(f"r{at}", "!=", 0), at)]
        here = at + len(code)
        code.append(self._atomic(here, "xchg", lock, Const(HERE, 1)))
        code += self._fences()
        code.append(self.branch(self.compare(f"r{here}", "!=", 0), at))
        if self.chance(0.5):
            code.append(self.load(at + len(code), self.place()))
        if self.chance(0.7):
            code.append(self.store(lock, Const(HERE, 0)))
        return code

    def _partly(self, at: int) -> Piece:
        """`L: r := x; s := y; if r = 1 goto M; y := 2; M: if r != 0 goto L`."""
        code: Piece = [self.load(at, self.place())]
        held = [f"r{at}"]
        if self.chance(0.5):
            code.append(self.load(at + 1, self.place()))
            held.append(f"r{at + 1}")
        skip, test = len(code), self._again_if(held)
        code.append(self.branch(test, _LATER))
        kind = self.rng.random()
        if kind < 0.5:
            code.append(self.store(self.place(), self.small()))
        elif kind < 0.8:
            here = at + len(code)
            code.append(
                self._atomic(here, self.rng.choice(("xchg", "+")), self.place(), self.small())
            )
        else:
            code.append(self.assign(held[0], self.small()))
        code[skip] = self.branch(test, at + len(code))
        if self.chance(0.3):
            here = at + len(code)
            code.append(self.load(here, self.place()))
            held.append(f"r{here}")
        code.append(self.branch(self._again_if(held), at))
        return code

    def _tangle(self, at: int) -> Piece:
        """Some instructions with jumps among them, forward and back."""
        code: Piece = []
        held: list[str] = []
        size = self.rng.randint(3, 6)
        while len(code) < size:
            here = at + len(code)
            kind = self.rng.random()
            if not held or kind < 0.4:
                code.append(self.load(here, self.place()))
                held.append(f"r{here}")
            elif kind < 0.6:
                code.append(self.branch(self._again_if(held), self.rng.randint(at, at + size)))
            elif kind < 0.7:
                code.append(self.store(self.place(), self._value(held)))
            elif kind < 0.8:
                op = self.rng.choice(("xchg", "xchg", "+", "|"))
                code.append(self._atomic(here, op, self.place(), self._value(held)))
                held.append(f"r{here}")
            elif kind < 0.9:
                register = self.rng.choice((*held, f"k{at}"))
                code.append(self.assign(register, self._value(held)))
            else:
                code += self._fences() or [self.claim(self.rng.choice(held))]
        code.append(self.branch(self._again_if(held), at + self.rng.randrange(len(code))))
        return [each.with_targets(lambda t: min(t, at + len(code))) for each in code]

    def _feed(self, at: int) -> Piece:
        """`x := 1; y := 2; x := 0`; or what is read goes on: `r := x; y := r`."""
        if self.chance(0.25):
            return [self.load(at, self.place()), self.store(self.place(), Register(HERE, f"r{at}"))]
        stores = self.rng.randint(1, 3)
        return [self.store(self.place(), Const(HERE, self._few())) for _ in range(stores)]


def _closed(code: Piece, at: int) -> Piece:
    """With the jumps to the end of the piece."""
    end = at + len(code)
    return [each.with_targets(lambda target: end if target == _LATER else target) for each in code]
