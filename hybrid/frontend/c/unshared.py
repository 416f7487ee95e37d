"""Objects that a thread makes and that others cannot reach yet: where in its code that is so.

An object is reached from the instruction on by which its address gets into memory or into a
register that is computed; with a compare-exchange that stores the address, from there on where it
has stored.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from hybrid.frontend.c.space import CObject, ObjectKey
from hybrid.frontend.c.values import constants, replaced
from hybrid.program import instructions as ins
from hybrid.program.expr import Const, Expr
from hybrid.program.loops import successors
from hybrid.program.origin import byte_of

Known = tuple[str, int] | None  # a register that says whether a compare-exchange has stored


def cell_of(name: str) -> int | None:
    """The address of the cell that a name is of; None for a register."""
    return int(name[1:-1]) if name.startswith("[") else None


class Unshared:
    """Of the code of one thread. `find` gives the object that a byte is in, if it is one that
    others can reach only by what the code does."""

    def __init__(
        self, code: Sequence[ins.Instruction], find: Callable[[int], CObject | None]
    ) -> None:
        self._code = code
        self._find = find
        self._shared: dict[ObjectKey, set[int]] = {}  # by object: where others may reach it

    def cell(self, index: int, place: Expr) -> str:
        """A name for the cell that an instruction goes to; empty if others may reach it."""
        if not isinstance(place, Const):
            return ""
        found = self._find(byte_of(place.value))
        if found is None:
            return ""
        if found.key not in self._shared:
            self._shared[found.key] = self._shared_at(found)
        return "" if index in self._shared[found.key] else f"[{place.value}]"

    def is_read(self, index: int, name: str) -> bool:
        """Whether a cell that others cannot reach at an instruction is read from there on, by
        whomever, before it is written."""
        address = cell_of(name)
        assert address is not None
        found = self._find(byte_of(address))
        assert found is not None
        seen = {index}
        todo = [index]
        while todo:
            at = todo.pop()
            each = self._code[at] if at < len(self._code) else None
            if each is None:
                continue
            here = isinstance(each.place, Const) and each.place.value == address
            if isinstance(each, ins.Store) and here:
                continue
            if here or self._mentions(each, found):
                return True
            new = [following for following in successors(self._code, at) if following not in seen]
            seen.update(new)
            todo += new
        return False

    def _mentions(self, each: ins.Instruction, found: CObject) -> bool:
        """Whether an address in an object occurs other than as the place of an access."""
        return any(
            self._find(number) is found
            for expression in each.expressions
            if expression is not each.place or not isinstance(expression, Const)
            for number in constants(expression)
        )

    def _shared_at(self, found: CObject) -> set[int]:
        shared: set[int] = set()
        seen: set[Hashable] = set()
        todo: list[tuple[int, bool, Known]] = [(0, False, None)]
        while todo:
            state = todo.pop()
            at, reached, _ = state
            if state in seen or at == len(self._code):
                continue
            seen.add(state)
            if reached:
                shared.add(at)
            todo += self._after(state, found)
        return shared

    def _after(
        self, state: tuple[int, bool, Known], found: CObject
    ) -> list[tuple[int, bool, Known]]:
        """Where the code goes on, whether the object is reached then, and what is known."""
        at, reached, known = state
        each = self._code[at]
        if isinstance(each, ins.Branch):
            condition = replaced(each.condition, {} if known is None else dict([known]))
            ways = [each.target] if condition != 0 else []
            if not isinstance(condition, int) or condition == 0:
                ways.append(at + 1)
            return [(way, reached, known) for way in ways]
        if known is not None and known[0] in each.sets:
            known = None
        mentions = self._mentions(each, found) and not isinstance(each, ins.Assert | ins.Assume)
        if mentions and isinstance(each, ins.Rmw) and each.success is not None:
            return [(at + 1, reached, (each.success, 0)), (at + 1, True, (each.success, 1))]
        return [(way, reached or mentions, known) for way in successors(self._code, at)]
