"""A thread's code with bounded loops: a graph without cycles of the places that a run can be at.

A place is an instruction and a round: how many backward jumps were taken since the run came into the loop (a strongly connected part of
the code) to which the instruction belongs. Runs that leave a loop after different numbers of rounds meet again behind it. How often each
single jump was taken, which is what the bound is about, is not known of a place; the state with which it is reached tells.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from hybrid.encoding.acyclic import cyclic_parts
from hybrid.engine.api import Limits
from hybrid.program.instructions import Branch, Goto, Instruction

CUT = -1  # in place of a successor: the bound is reached for certain


@dataclass(slots=True)
class Place:
    pc: int  # the length of the code: the end
    round: int
    loop: frozenset[int]  # the backward jumps of its loop; empty outside of loops
    next: int | None = None  # the place after the instruction, when it does not jump
    jump: int | None = None  # the place after the jump, or CUT
    came_from: list[tuple[int, bool]] = field(default_factory=list)  # places, whether by their jump


def is_backward(code: tuple[Instruction, ...], pc: int) -> bool:
    """Whether the instruction is a jump that the bound counts."""
    instruction = code[pc]
    return isinstance(instruction, Branch | Goto) and instruction.target <= pc


def unroll(code: tuple[Instruction, ...], limits: Limits) -> list[Place]:
    """All places that the control flow reaches, each after those from which it is reached; the start is the first."""
    loop_of = _loops(code)
    nowhere = frozenset[int]()
    number: dict[tuple[int, int], int] = {}
    places: list[Place] = []
    todo: list[int] = []

    def place(pc: int, rounds: int) -> int:
        found = number.get((pc, rounds))
        if found is None:
            found = number[(pc, rounds)] = len(places)
            places.append(Place(pc, rounds, loop_of.get(pc, nowhere)))
            todo.append(found)
        return found

    place(0, 0)
    while todo:
        limits.check_time()
        here = places[todo.pop()]
        if here.pc == len(code):
            continue
        instruction = code[here.pc]
        if not isinstance(instruction, Goto):
            stays = bool(here.loop) and loop_of.get(here.pc + 1) is here.loop
            here.next = place(here.pc + 1, here.round if stays else 0)
        if isinstance(instruction, Branch | Goto):
            backward = is_backward(code, here.pc)
            most = limits.unroll * max(1, len(here.loop))  # all jumps, each as often as it may be
            if backward and here.round >= most:
                here.jump = CUT
            else:
                stays = bool(here.loop) and loop_of.get(instruction.target) is here.loop
                here.jump = place(instruction.target, here.round + backward if stays else 0)
    return _sorted(places)


def _loops(code: tuple[Instruction, ...]) -> dict[int, frozenset[int]]:
    """The instructions of loops, to the backward jumps of theirs; one object a loop."""
    edges: dict[tuple[Hashable, Hashable], int] = {}
    for pc, instruction in enumerate(code):
        if not isinstance(instruction, Goto):
            edges[(pc, pc + 1)] = 1
        if isinstance(instruction, Branch | Goto):
            edges[(pc, instruction.target)] = 1
    found: dict[int, frozenset[int]] = {}
    for part in cyclic_parts(edges):
        members = {pc for edge in part for pc in edge if isinstance(pc, int)}
        jumps = frozenset(pc for pc in members if is_backward(code, pc))
        found.update(dict.fromkeys(members, jumps))
    return found


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
