"""Compare-and-swaps behind which a thread goes on only once they have happened.

Where a control dependency orders commits, nothing behind a branch on the outcome of a cas is
committed before the cas is. If the branch is all that follows the cas, its outcome need not be
guessed: it is known when it is needed.
"""

from __future__ import annotations

from hybrid.program import instructions as ins
from hybrid.program.expr import registers
from hybrid.program.program import Program


def gates_of(program: Program) -> list[frozenset[int]]:
    """By thread: the places of such compare-and-swaps in its code."""
    return [
        frozenset(at for at in range(len(thread.code)) if _is_gate(thread.code, at))
        for thread in program.threads
    ]


def _is_gate(code: tuple[ins.Instruction, ...], at: int) -> bool:
    """Whether the next event behind a cas, if there is one, is a branch on what it gives."""
    cas = code[at]
    if not isinstance(cas, ins.Rmw) or cas.op != "cas":
        return False
    given = set(cas.sets)  # the registers that hold what it gives, or what comes of that
    place = at + 1
    seen: set[int] = set()
    while place < len(code):
        if place in seen:
            return False
        seen.add(place)
        instruction = code[place]
        place += 1
        if isinstance(instruction, ins.Assign):
            if given & registers(instruction.value):
                given.add(instruction.register)
            else:
                given.discard(instruction.register)
        elif isinstance(instruction, ins.Goto):
            place = instruction.target
        elif isinstance(instruction, ins.Branch):
            return bool(given & registers(instruction.condition))
        elif not isinstance(instruction, ins.Assert):
            return False
    return True
