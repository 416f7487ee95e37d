"""Which locations the accesses of a program may go to; the others are declared and never touched.

Sound, not exact. Instructions are taken in any order, any number of times: for each register and
each location the set of values that it may hold, up to `_LARGE` of them; a larger set counts as
every value there is. An access whose address may be anything may go anywhere, and so does the
whole answer then. Most addresses are constants of the text, or constants to which `r ^ r` is added
for the sake of a dependency.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program import values
from hybrid.program.memory import Location
from hybrid.program.thread import Thread

_LARGE: Final = 64

Held = frozenset[int] | None  # the values that something may hold; None: any

_NOTHING: Held = frozenset()
_ZERO: Held = frozenset((0,))
_TRUTH: Held = frozenset((0, 1))
_TRUTHS: Final = frozenset((*values.COMPARISONS, "&&", "||", "!"))  # operators that give 0 or 1


def reached_locations(locations: Sequence[Location], threads: Sequence[Thread]) -> tuple[int, ...]:
    """The indices of the locations that some access of the threads may go to, ascending."""
    accesses = [i for t in threads for i in t.code if isinstance(i, ins.Access)]
    constants = [i.address.value for i in accesses if isinstance(i.address, ex.Const)]
    addresses: Held = frozenset(constants)
    if len(constants) < len(accesses):
        addresses = _Reach(locations, threads).addresses()
    if addresses is None:
        return tuple(range(len(locations)))
    return tuple(i for i, location in enumerate(locations) if location.address in addresses)


def access_addresses(locations: Sequence[Location], threads: Sequence[Thread]) -> dict[str, Held]:
    """Where each access may go, by label."""
    reach = _Reach(locations, threads)
    lost = reach.addresses() is None  # then not all of it was followed
    return {
        each.label: None if lost and ex.registers(each.address) else reach.place(number, each)
        for number, thread in enumerate(threads)
        for each in thread.code
        if isinstance(each, ins.Access)
    }


class _Reach:
    """What registers and locations may hold; grows until nothing is added."""

    def __init__(self, locations: Sequence[Location], threads: Sequence[Thread]) -> None:
        self._threads = threads
        self._cells: dict[int, Held] = {
            location.address: frozenset((location.initial,)) for location in locations
        }
        self._registers: dict[tuple[int, str], Held] = {}
        self._grew = False

    def addresses(self) -> Held:
        """The addresses of all accesses."""
        while True:
            self._grew = False
            found: Held = _NOTHING
            for number, thread in enumerate(self._threads):
                for instruction in thread.code:
                    found = _joined(found, self._follow(number, instruction))
            if found is None or not self._grew:
                return found

    def place(self, thread: int, access: ins.Access) -> Held:
        """Where an access may go, once all is known."""
        return self._value(thread, access.address)

    def _follow(self, thread: int, instruction: ins.Instruction) -> Held:
        """Takes in what one instruction does; its addresses, if it is an access."""
        if isinstance(instruction, ins.Assign):
            self._set(thread, instruction.register, self._value(thread, instruction.value))
        elif isinstance(instruction, ins.Select):
            self._set(thread, instruction.register, self._value(thread, instruction.yes))
            self._set(thread, instruction.register, self._value(thread, instruction.no))
        elif isinstance(instruction, ins.Access):
            return self._access(thread, instruction)
        elif not isinstance(
            instruction, ins.Fence | ins.Branch | ins.Goto | ins.Assume | ins.Assert
        ):
            assert_never(instruction)
        return _NOTHING

    def _access(self, thread: int, access: ins.Access) -> Held:
        addresses = self._value(thread, access.address)
        if addresses is None:
            return None
        if isinstance(access, ins.Load):
            self._set(thread, access.register, self._read(addresses))
        elif isinstance(access, ins.Store):
            self._store(addresses, self._value(thread, access.value))
        elif isinstance(access, ins.StoreConditional):
            self._set(thread, access.status, _TRUTH)
            self._store(addresses, self._value(thread, access.value))
        elif isinstance(access, ins.Rmw):
            old, operand = self._read(addresses), self._value(thread, access.operand)
            self._set(thread, access.register, old)
            self._set(thread, access.success, _TRUTH)
            if access.op not in ("xchg", "cas"):
                operand = _binary(access.op, old, operand)
                if access.bits != values.BITS and operand is not None:
                    operand = frozenset(values.narrow(each, access.bits) for each in operand)
            self._store(addresses, operand)
        else:
            assert_never(access)
        return addresses

    def _read(self, addresses: frozenset[int]) -> Held:
        found: Held = _NOTHING
        for address in addresses:
            found = _joined(found, self._cells.get(address, _NOTHING))
        return found

    def _store(self, addresses: frozenset[int], held: Held) -> None:
        for address in addresses:
            if address in self._cells:
                old = self._cells[address]
                new = self._cells[address] = _joined(old, held)
                self._grew |= new != old

    def _set(self, thread: int, register: str | None, held: Held) -> None:
        if register is not None:
            old = self._register(thread, register)
            new = self._registers[thread, register] = _joined(old, held)
            self._grew |= new != old

    def _register(self, thread: int, name: str) -> Held:
        """What a register may hold: at least what it holds at the start."""
        start = self._threads[thread].initial.get(name, 0)
        return self._registers.get((thread, name), frozenset((start,)))

    def _value(self, thread: int, expression: ex.Expr) -> Held:
        if isinstance(expression, ex.Const):
            return frozenset((expression.value,))
        if isinstance(expression, ex.Register):
            return self._register(thread, expression.name)
        if isinstance(expression, ex.Unary):
            operand = self._value(thread, expression.operand)
            if operand is None:
                return _TRUTH if expression.op in _TRUTHS else None
            return frozenset(values.unary(expression.op, each) for each in operand)
        if isinstance(expression, ex.Binary):
            if expression.op in ("^", "-") and _same_register(expression.left, expression.right):
                return _ZERO
            left = self._value(thread, expression.left)
            return _binary(expression.op, left, self._value(thread, expression.right))
        assert_never(expression)


def _same_register(left: ex.Expr, right: ex.Expr) -> bool:
    both = isinstance(left, ex.Register) and isinstance(right, ex.Register)
    return both and ex.registers(left) == ex.registers(right)


def _joined(one: Held, other: Held) -> Held:
    if one is None or other is None:
        return None
    return _small(one | other)


def _binary(op: str, left: Held, right: Held) -> Held:
    if op in ("&", "*") and _ZERO in (left, right):
        return _ZERO
    if op in _TRUTHS and (left is None or right is None):
        return _TRUTH
    if left is None or right is None:
        return None
    return _small(frozenset(values.binary(op, a, b) for a in left for b in right))


def _small(held: frozenset[int]) -> Held:
    return held if len(held) <= _LARGE else None
