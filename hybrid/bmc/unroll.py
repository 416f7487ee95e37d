"""A thread's code with bounded loops: a graph without cycles of the places that a run can be at.

A place is an instruction and how often each backward jump was taken that can still be reached from it; jumps that lie behind
do not count, so that runs which leave a loop after different numbers of rounds meet again. Where a jump
would be taken once more than the bound allows, the run is cut.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hybrid.engine.api import Limits
from hybrid.program.instructions import Branch, Goto, Instruction

Counts = tuple[tuple[int, int], ...]  # index of a backward jump, how often it was taken; sorted

CUT = -1  # in place of a successor: the bound is reached


@dataclass(slots=True)
class Place:
    pc: int  # the length of the code: the end
    counts: Counts
    next: int | None = None  # the place after the instruction, when it does not jump
    jump: int | None = None  # the place after the jump, or CUT
    came_from: list[tuple[int, bool]] = field(default_factory=list)  # places, whether by their jump


def unroll(code: tuple[Instruction, ...], limits: Limits) -> list[Place]:
    """All places that the control flow reaches, each after those from which it is reached; the start is the first."""
    ahead = _jumps_ahead(code)
    number: dict[tuple[int, Counts], int] = {(0, ()): 0}
    places = [Place(0, ())]
    todo = [0]

    def place(pc: int, counts: dict[int, int]) -> int:
        kept = tuple(sorted((jump, count) for jump, count in counts.items() if jump in ahead[pc]))
        found = number.get((pc, kept))
        if found is None:
            found = number[(pc, kept)] = len(places)
            places.append(Place(pc, kept))
            todo.append(found)
        return found

    while todo:
        limits.check_time()
        here = places[todo.pop()]
        if here.pc == len(code):
            continue
        instruction = code[here.pc]
        counts = dict(here.counts)
        if not isinstance(instruction, Goto):
            here.next = place(here.pc + 1, counts)
        if isinstance(instruction, Branch | Goto):
            if instruction.target <= here.pc:
                counts[here.pc] = counts.get(here.pc, 0) + 1
            if counts.get(here.pc, 0) > limits.unroll:
                here.jump = CUT
            else:
                here.jump = place(instruction.target, counts)
    return _sorted(places)


def _jumps_ahead(code: tuple[Instruction, ...]) -> list[frozenset[int]]:
    """By pc: the backward jumps that can be reached from it, itself included."""
    ahead: list[frozenset[int]] = [frozenset()] * (len(code) + 1)
    changed = True
    while changed:
        changed = False
        for pc in range(len(code) - 1, -1, -1):
            instruction = code[pc]
            found = frozenset[int]() if isinstance(instruction, Goto) else ahead[pc + 1]
            if isinstance(instruction, Branch | Goto):
                found |= ahead[instruction.target]
                if instruction.target <= pc:
                    found |= {pc}
            if found != ahead[pc]:
                ahead[pc] = found
                changed = True
    return ahead


def _sorted(places: list[Place]) -> list[Place]:
    """The places in a topological order, renumbered, with `came_from` filled in."""

    def successors(number: int) -> list[int]:
        here = places[number]
        return [s for s in (here.jump, here.next) if s is not None and s != CUT]

    finished: list[int] = []  # each after all its successors
    seen = {0}
    work = [(0, iter(successors(0)))]
    while work:
        number, left = work[-1]
        following = next(left, None)
        if following is None:
            finished.append(number)
            work.pop()
        elif following not in seen:
            seen.add(following)
            work.append((following, iter(successors(following))))
    renumbered = {old: new for new, old in enumerate(reversed(finished))}
    ordered = [places[old] for old in reversed(finished)]
    for new, here in enumerate(ordered):
        if here.next is not None:
            here.next = renumbered[here.next]
            ordered[here.next].came_from.append((new, False))
        if here.jump is not None and here.jump != CUT:
            here.jump = renumbered[here.jump]
            ordered[here.jump].came_from.append((new, True))
    return ordered
