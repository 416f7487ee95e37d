"""Which locations a thread may still store to, read off its code."""

from __future__ import annotations

from hybrid.execution.numbering import Numbering
from hybrid.execution.step import CHOICE, Step
from hybrid.program import expr as ex
from hybrid.program.instructions import Instruction
from hybrid.program.program import Program


class LaterStores:
    """Sound, not exact: every branch can go both ways, and an address that is not a constant
    can be that of any location."""

    def __init__(self, program: Program, numbering: Numbering) -> None:
        self._numbering = numbering
        self._all = -1 if numbering.lazy else (1 << len(numbering.locations)) - 1
        self._from = [self._of_thread(thread.code) for thread in program.threads]

    def at(self, step: Step) -> int:
        """The locations, as bits, to which the thread may store from this access on, itself
        included."""
        assert step.cursor is not None
        after = step.cursor.code_index
        return self._from[step.thread][after if step.kind == CHOICE else after - 1]

    def _of_thread(self, code: tuple[Instruction, ...]) -> list[int]:
        found = [0] * (len(code) + 1)
        changed = True
        while changed:
            changed = False
            for at in range(len(code) - 1, -1, -1):
                instruction = code[at]
                bits = self._of(instruction)
                for target in instruction.targets:
                    bits |= found[target]
                if instruction.goes_on:
                    bits |= found[at + 1]
                if bits != found[at]:
                    found[at] = bits
                    changed = True
        return found

    def _of(self, instruction: Instruction) -> int:
        if not instruction.writes:
            return 0
        if not isinstance(instruction.place, ex.Const):
            return self._all
        address = instruction.place.value
        location = self._numbering.number_of(address)
        if location < 0:  # it may still get a number
            return self._all if self._numbering.is_location(address) else 0
        return 1 << location
