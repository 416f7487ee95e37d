"""Whether a program speaks C11: whether it has the memory orders and fences of C and C++."""

from __future__ import annotations

from hybrid.program.program import Program
from hybrid.program.tags import ORDERS, PLAIN

C = "C"  # the architecture of C litmus tests
C_SOURCE = "C source"  # that of compiled programs
ATOMIC_ORDERS = frozenset(ORDERS) - {PLAIN}


def annotated(program: Program) -> bool:
    """Whether some access has a C11 order, or some fence is one of C11's."""
    return any(
        instruction.event_tags & ATOMIC_ORDERS
        for thread in program.threads
        for instruction in thread.code
    )


def is_c(program: Program) -> bool:
    """Whether it is a C test, or was compiled."""
    return program.arch in (C, C_SOURCE)


def speaks_c11(program: Program) -> bool:
    """Whether it is in C, compiled, or written with C11's orders."""
    return program.compiled or is_c(program) or (not program.arch and annotated(program))
