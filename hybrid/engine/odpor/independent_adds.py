"""Which fetch-and-adds are independent of each other: `--equivalence faa`.

"Awaiting for Godot", §IV-A: two atomic fetch-and-adds on the same location do not conflict if the
values that they load are not used afterwards. One with a guard is not meant, as what it does
depends on the value. A fetch-and-subtract adds too. Those of different widths do not commute where
they wrap, so that only those of one width count: of the one that most of them have.
"""

from __future__ import annotations

from collections import Counter

from hybrid.program import instructions as ins
from hybrid.program.condition import RegisterTerm
from hybrid.program.loops import successors
from hybrid.program.program import Program


def independent_adds(program: Program) -> frozenset[str]:
    """The labels of the fetch-and-adds that are independent of each other."""
    found: dict[str, int] = {}  # with their widths
    for number, thread in enumerate(program.threads):
        asked = {
            term.register
            for term in program.asked
            if isinstance(term, RegisterTerm) and term.thread == number
        }
        for at, instruction in enumerate(thread.code):
            if (
                isinstance(instruction, ins.Rmw)
                and instruction.op in ("+", "-")
                and instruction.guard is None
                and not _is_used(thread.code, at, instruction.register, asked)
            ):
                found[instruction.label] = instruction.bits
    if not found:
        return frozenset()
    [(width, _)] = Counter(found.values()).most_common(1)
    return frozenset(label for label, bits in found.items() if bits == width)


def _is_used(
    code: tuple[ins.Instruction, ...], at: int, register: str | None, asked: set[str]
) -> bool:
    """Whether what the instruction puts into the register may be used after it, or is asked for at
    the end."""
    if register is None:
        return False
    seen: set[int] = set()
    todo = list(successors(code, at))
    while todo:
        index = todo.pop()
        if index in seen:
            continue
        seen.add(index)
        if index == len(code):
            if register in asked:
                return True
            continue
        instruction = code[index]
        if register in instruction.uses:
            return True
        if register not in instruction.sets or instruction.awaits is not None:
            todo += successors(code, index)
    return False
