"""Accesses of a program that may fail, or race with another.

A round that is left out takes its races along. Those with what other threads do without the rest of
the thread are found all the same, in the run that stops behind the round. Those with what others do
only after a later store of the thread are found if the access happens once more before that store:
it cannot happen after what depends on the store.
"""

from __future__ import annotations

from functools import cached_property

from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.passes.cfg import ControlFlow, NaturalLoop
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


def happens_again(flow: ControlFlow, loop: NaturalLoop, at: int) -> bool:
    """Whether each way from the header of a loop on comes to this access, and to the same place,
    before it comes to a store and before it leaves the loop."""
    access = flow.code[at]
    set_inside = {register for each in loop.body for register in flow.code[each].sets}
    if not isinstance(access, ins.Access) or ex.registers(access.address) & set_inside:
        return False
    seen, todo = {loop.header}, [loop.header]
    while todo:
        node = todo.pop()
        if node == at:
            continue
        if node not in loop.body or flow.code[node].writes:
            return False
        following = {edge.target for edge in flow.following[node]} - seen
        seen |= following
        todo += following
    return True
