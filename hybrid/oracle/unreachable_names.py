"""What no execution of a program can have, read off its text: so that a plan leaves it out."""

from __future__ import annotations

from typing import assert_never

from hybrid.program import instructions as ins
from hybrid.program.expr import registers
from hybrid.program.program import Program
from hybrid.program.tags import TAGS


def absent_names(program: Program) -> frozenset[str]:
    """The base sets and relations of cat that are empty in every execution of `program`."""
    present: set[str] = set()
    for thread in program.threads:
        for instruction in thread.code:
            present |= _brings(instruction)
    bases = {"F", "B", "amo", "lxsx", "addr", "data", "ctrl", "pick"}
    return frozenset((TAGS | bases) - present)


def _brings(instruction: ins.Instruction) -> set[str]:
    """The names that are not empty, or may not be, once the instruction is executed."""
    found = set(instruction.event_tags)
    if instruction.place is not None and registers(instruction.place):
        found.add("addr")
    if instruction.awaits is not None:
        found |= {"ctrl", "data"}
    match instruction:
        case ins.Fence():
            found.add("F")
        case ins.Branch() | ins.Assume():
            found |= {"B", "ctrl"}
        case ins.Select():
            found.add("pick")
        case ins.Rmw():
            found |= {"amo", "data", "pick"} if instruction.op == "cas" else {"amo", "data"}
        case ins.StoreConditional():
            found |= {"lxsx", "data"} if registers(instruction.value) else {"lxsx"}
        case ins.Store():
            found |= {"data"} if registers(instruction.value) else set()
        case ins.Load() | ins.Assign() | ins.Goto() | ins.Assert():
            pass
        case _:
            assert_never(instruction)
    return found
