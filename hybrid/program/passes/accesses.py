"""Accesses of a program that may fail, or race with another."""

from __future__ import annotations

from functools import cached_property

from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.program import Program
from hybrid.program.reached import Held, access_addresses
from hybrid.program.tags import PLAIN


class Accesses:
    """Of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def may_fail(self, access: ins.Access) -> bool:
        """Whether it may go to no location."""
        address = access.address
        return not isinstance(address, ex.Const) or address.value not in self.program.by_address

    @cached_property
    def _addresses(self) -> dict[str, Held]:
        """By label: where accesses may go; None: anywhere."""
        return access_addresses(self.program.locations, self.program.threads)

    def may_race(self, thread: int, access: ins.Access) -> bool:
        """Whether another thread may access the same location, one of them writing and one of them
        plain."""
        plain = PLAIN in access.tags
        for number, other in enumerate(self.program.threads):
            for each in other.code if number != thread else ():
                if not isinstance(each, ins.Access) or not (each.writes or access.writes):
                    continue
                if (plain or PLAIN in each.tags) and self._meet(access, each):
                    return True
        return False

    def _meet(self, one: ins.Access, other: ins.Access) -> bool:
        left, right = (self._addresses.get(each.label) for each in (one, other))
        return left is None or right is None or bool(left & right)
