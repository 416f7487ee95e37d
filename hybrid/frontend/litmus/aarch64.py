"""AArch64: A64 instructions of the Arm Architecture Reference Manual for A-profile (DDI 0487),
integer ones that are not privileged.

Dependencies go through registers, the flags among them, and end where a register is written anew;
zero registers carry none.
"""

from __future__ import annotations

from dataclasses import replace

from hybrid.frontend.litmus import aarch64_alu, aarch64_control, aarch64_memory
from hybrid.frontend.litmus import machine as mc
from hybrid.frontend.litmus.aarch64_operands import FLAGS, SHAPES, WORDS, register
from hybrid.frontend.litmus.syntax import LitmusTest
from hybrid.program import instructions as ins
from hybrid.program.program import Program, Thread

_CALLS = "calls and computed jumps are not supported"
_SYSTEM = "system instructions are not supported"
_HINTS = {
    **dict.fromkeys(("LDNP", "STNP"), "non-temporal accesses are not supported"),
    **dict.fromkeys(("BL", "BR", "BLR", "RET"), _CALLS),
    **dict.fromkeys(("MRS", "MSR", "DC", "IC", "TLBI", "AT", "SVC", "ERET", "CLREX"), _SYSTEM),
}

AARCH64 = mc.InstructionSet(
    name="AArch64",
    register=register,
    shapes=SHAPES,
    words=WORDS,
    table={**aarch64_alu.TABLE, **aarch64_control.TABLE, **aarch64_memory.TABLE},
    capitals=True,
    hints=_HINTS,
)


def compile(test: LitmusTest) -> Program:
    """The Program of a test in A64 assembly."""
    program = mc.assemble(test, AARCH64)
    return replace(program, threads=tuple(_without_unread_flags(t) for t in program.threads))


def _without_unread_flags(thread: Thread) -> Thread:
    """The thread without assignments to flags that none of its instructions reads."""
    read = {name for i in thread.code for name in i.uses}
    unread = set(FLAGS) - read
    code: list[ins.Instruction] = []
    moved: list[int] = []  # by old index
    for instruction in thread.code:
        moved.append(len(code))
        if not (isinstance(instruction, ins.Assign) and instruction.register in unread):
            code.append(replace(instruction, label=f"{thread.name}_{len(code)}"))
    moved.append(len(code))
    return replace(thread, code=tuple(i.with_targets(moved.__getitem__) for i in code))
