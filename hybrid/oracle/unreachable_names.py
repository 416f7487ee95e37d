"""What no execution of a program can have, read off its text: so that a plan leaves it out."""

from __future__ import annotations

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
    if isinstance(instruction, ins.Fence):
        return {"F", *instruction.tags}
    if isinstance(instruction, ins.Branch | ins.Assume):
        return {"B", "ctrl"}
    if isinstance(instruction, ins.Select):
        return {"pick"}
    if not isinstance(instruction, ins.Access):
        return set()
    found = set(instruction.tags)
    if registers(instruction.address):
        found.add("addr")
    if isinstance(instruction, ins.Load | ins.Rmw) and instruction.guard is not None:
        found |= {"ctrl", "data"}
    if isinstance(instruction, ins.Rmw):
        found |= {"amo", "data"} | instruction.tags_without_store
        found |= {"pick"} if instruction.op == "cas" else set()
    if isinstance(instruction, ins.StoreConditional):
        found.add("lxsx")
    if isinstance(instruction, ins.Store | ins.StoreConditional) and registers(instruction.value):
        found.add("data")
    return found
