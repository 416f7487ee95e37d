"""Awaits that nothing can spoil: once such a one can happen it can always happen.

rsmc explores the runs in which an await is left out, as what comes later may depend on that
(explorer.py). For these it need not: whatever is stored to their location afterwards satisfies them
too, or only their own thread stores there.
"""

from __future__ import annotations

from hybrid.program import instructions as ins
from hybrid.program.expr import Const
from hybrid.program.program import Program


def sure_awaits(program: Program) -> frozenset[str]:
    """Their labels. Those by which threads of a compiled program start and end are among them: each
    has one store to read from."""
    writers: dict[int, list[tuple[int, ins.Instruction]]] = {}  # by address, with their threads
    anywhere: set[int] = set()  # threads with stores to computed addresses
    for number, thread in enumerate(program.threads):
        for instruction in thread.code:
            if instruction.writes and isinstance(instruction.place, Const):
                writers.setdefault(instruction.place.value, []).append((number, instruction))
            elif instruction.writes:
                anywhere.add(number)
    found: set[str] = set()
    for number, thread in enumerate(program.threads):
        for instruction in thread.code:
            place = instruction.place
            if instruction.awaits is None or not isinstance(place, Const):
                continue
            stores = writers.get(place.value, [])
            kept = not anywhere and all(_satisfies(e, instruction.awaits) for _, e in stores)
            alone = all(of == number for of, _ in stores) and anywhere <= {number}
            if alone or kept or instruction.label in program.thread_edges:
                found.add(instruction.label)
    return frozenset(found)


def _satisfies(writer: ins.Instruction, guard: ins.Guard) -> bool:
    """Whether a store always stores what the guard accepts."""
    if not isinstance(writer, ins.Store) or not isinstance(writer.value, Const):
        return False
    return not guard.uses and guard.accepts(writer.value.value, {})
