"""Which registers and locations may hold addresses: those that a value made from an address can come to.

The analysis takes the instructions in any order, any number of times. It follows addresses through arithmetic, through memory
and through initial values; the result of a comparison is not made from what is compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program import values
from hybrid.program.memory import Location, MemoryObject
from hybrid.program.thread import Thread

_TRUTHS = frozenset((*values.COMPARISONS, "&&", "||", "!"))  # operators that give 0 or 1


class Pointers:
    """The places of a program that may hold addresses."""

    def __init__(
        self,
        locations: Sequence[Location],
        objects: Sequence[MemoryObject],
        threads: Sequence[Thread],
    ) -> None:
        self.registers: set[tuple[int, str]] = set()  # thread and register
        self.cells: set[int] = set()  # addresses of locations
        self._all = frozenset(location.address for location in locations)
        self._cells_of = {
            each.address: self._all.intersection(range(each.address, each.last + 1, each.stride))
            for each in objects
        }
        self._object_of = {
            cell: address for address, cells in self._cells_of.items() for cell in cells
        }
        self.cells.update(place.address for place in locations if place.initial_name)
        for number, thread in enumerate(threads):
            self.registers.update((number, register) for register in thread.initial_names)
        known = -1
        while known != len(self.registers) + len(self.cells):
            known = len(self.registers) + len(self.cells)
            for number, thread in enumerate(threads):
                for instruction in thread.code:
                    self._follow(number, instruction)

    def _follow(self, thread: int, instruction: ins.Instruction) -> None:
        """What one instruction does with addresses."""
        if isinstance(instruction, ins.Assign):
            if self._made(thread, instruction.value):
                self.registers.add((thread, instruction.register))
        elif isinstance(instruction, ins.Select):
            if self._made(thread, instruction.yes) or self._made(thread, instruction.no):
                self.registers.add((thread, instruction.register))
        elif isinstance(instruction, ins.Load | ins.Rmw):
            places = self._places(thread, instruction.address)
            read = not self.cells.isdisjoint(places)
            if isinstance(instruction, ins.Rmw):
                stored = self._made(thread, instruction.operand)
                if stored or (read and instruction.op not in ("xchg", "cas")):
                    self.cells |= places
            if read and instruction.register is not None:
                self.registers.add((thread, instruction.register))
        elif isinstance(instruction, ins.Store | ins.StoreConditional):
            if self._made(thread, instruction.value):
                self.cells |= self._places(thread, instruction.address)
        elif not isinstance(
            instruction, ins.Fence | ins.Branch | ins.Goto | ins.Assume | ins.Assert
        ):
            assert_never(instruction)

    def _made(self, thread: int, expression: ex.Expr) -> bool:
        """Whether the value of an expression may be made from an address."""
        if isinstance(expression, ex.Const):
            return bool(expression.name)
        if isinstance(expression, ex.Register):
            return (thread, expression.name) in self.registers
        if expression.op in _TRUTHS:
            return False
        if isinstance(expression, ex.Unary):
            return self._made(thread, expression.operand)
        return self._made(thread, expression.left) or self._made(thread, expression.right)

    def _places(self, thread: int, address: ex.Expr) -> frozenset[int]:
        """The locations that an access may go to: the objects that its address names, or, where a register brings an
        address, all."""
        if not ex.registers(address):
            return self._all & {ex.evaluate(address, {})}
        if any((thread, register) in self.registers for register in ex.registers(address)):
            return self._all
        named = [c for c in _constants(address) if c.name and c.value in self._object_of]
        if not named:
            return self._all
        return frozenset().union(*(self._cells_of[self._object_of[c.value]] for c in named))


def _constants(expression: ex.Expr) -> list[ex.Const]:
    if isinstance(expression, ex.Const):
        return [expression]
    if isinstance(expression, ex.Register):
        return []
    if isinstance(expression, ex.Unary):
        return _constants(expression.operand)
    return _constants(expression.left) + _constants(expression.right)
