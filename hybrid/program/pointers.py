"""Which registers and locations may hold addresses, and of which objects: a points-to analysis.

It takes the instructions in any order, any number of times. It follows what is made from an address
through arithmetic, through memory and through initial values; the result of a comparison is not
made from what is compared. An access goes to the objects whose addresses its own is made from, or
anywhere when there are none.

After L. O. Andersen, "Program analysis and specialization for the C programming language", 1994,
chapter 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program import values
from hybrid.program.memory import Location, Objects
from hybrid.program.thread import Thread

_TRUTHS = frozenset((*values.COMPARISONS, "&&", "||", "!"))  # operators that give 0 or 1

Bases = frozenset[int]  # the addresses of objects
_NONE: Bases = frozenset()


class Pointers:
    """The places of a program that may hold addresses."""

    def __init__(
        self, locations: Sequence[Location], objects: Objects, threads: Sequence[Thread]
    ) -> None:
        self.registers: dict[tuple[int, str], Bases] = {}  # by thread and register
        self.cells: dict[int, Bases] = {}  # by the address of a location
        self._objects = objects
        self._places: dict[int, list[int]] = {each.address: [] for each in objects.all}
        for location in locations:
            self._places[self._base(location.address)].append(location.address)
        self._grew = False
        for location in locations:
            if location.initial_name:
                self._fill(location.address, {self._base(location.initial)})
        for number, thread in enumerate(threads):
            for register in thread.initial_names:
                self._set(number, register, {self._base(thread.initial[register])})
        while True:
            self._grew = False
            for number, thread in enumerate(threads):
                for instruction in thread.code:
                    self._follow(number, instruction)
            if not self._grew:
                break

    def _base(self, address: int) -> int:
        """The object of which an address is one; where it lies in none, itself."""
        found = self._objects.near(address)
        return address if found is None else found.address

    def _set(self, thread: int, register: str | None, bases: Iterable[int]) -> None:
        if register is not None:
            old = self.registers.get((thread, register), _NONE)
            self.registers[thread, register] = new = old.union(bases)
            self._grew |= len(new) > len(old)

    def _fill(self, cell: int, bases: Iterable[int]) -> None:
        old = self.cells.get(cell, _NONE)
        self.cells[cell] = new = old.union(bases)
        self._grew |= len(new) > len(old)

    def _follow(self, thread: int, instruction: ins.Instruction) -> None:
        """What one instruction does with addresses."""
        if isinstance(instruction, ins.Assign):
            self._set(thread, instruction.register, self._made(thread, instruction.value))
        elif isinstance(instruction, ins.Select):
            self._set(thread, instruction.register, self._made(thread, instruction.yes))
            self._set(thread, instruction.register, self._made(thread, instruction.no))
        elif isinstance(instruction, ins.Load | ins.Rmw):
            cells = self._reached(thread, instruction.address)
            read = _NONE.union(*(self.cells.get(cell, _NONE) for cell in cells))
            self._set(thread, instruction.register, read)
            if isinstance(instruction, ins.Rmw):
                stored = self._made(thread, instruction.operand)
                if instruction.op not in ("xchg", "cas"):
                    stored |= read
                self._store(cells, stored)
        elif isinstance(instruction, ins.Store | ins.StoreConditional):
            stored = self._made(thread, instruction.value)
            self._store(self._reached(thread, instruction.address) if stored else (), stored)
        elif not isinstance(
            instruction, ins.Fence | ins.Branch | ins.Goto | ins.Assume | ins.Assert
        ):
            assert_never(instruction)

    def _store(self, cells: Iterable[int], bases: Bases) -> None:
        for cell in cells if bases else ():
            self._fill(cell, bases)

    def _made(self, thread: int, expression: ex.Expr) -> Bases:
        """The objects from whose addresses the value of an expression may be made."""
        if isinstance(expression, ex.Const):
            return frozenset((self._base(expression.value),)) if expression.name else _NONE
        if isinstance(expression, ex.Register):
            return self.registers.get((thread, expression.name), _NONE)
        if expression.op in _TRUTHS:
            return _NONE
        if isinstance(expression, ex.Unary):
            return self._made(thread, expression.operand)
        if isinstance(expression, ex.Binary):
            return self._made(thread, expression.left) | self._made(thread, expression.right)
        assert_never(expression)

    def _reached(self, thread: int, address: ex.Expr) -> list[int]:
        """The cells that an access may go to."""
        bases = self._made(thread, address)
        return [c for base in bases or self._places for c in self._places.get(base, ())]
