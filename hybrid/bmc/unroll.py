"""The order in which the instructions of a thread with loops are visited, so that all ways to a
place are known when it comes.

A place is an instruction, a round (how many backward jumps were taken since the run came into the
loop, a strongly connected part of the code, to which the instruction belongs) and what tells apart
the states with which it may be reached that must not be merged. Runs that leave a loop after
different numbers of rounds meet again behind it.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable
from typing import Generic, TypeVar, assert_never

from hybrid.encoding.acyclic import cyclic_parts
from hybrid.program.instructions import (
    Assert,
    Assign,
    Assume,
    Branch,
    Fence,
    Goto,
    Instruction,
    Load,
    Rmw,
    Select,
    Store,
    StoreConditional,
)
from hybrid.program.loops import is_backward, loops_of, successors

State = TypeVar("State")


class Agenda(Generic[State]):
    """The places that are reached and not yet visited, with the states that the ways to them
    bring."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[Hashable, ...], list[State]] = {}
        self._order: list[tuple[int, int, int, int]] = []  # rank, round, instruction, entry
        self._entries: list[tuple[Hashable, ...]] = []

    def add(self, rank: int, round_: int, pc: int, apart: Hashable, state: State) -> None:
        """`apart`: states that differ in it are visited one by one."""
        place = (rank, round_, pc, apart)
        there = self._waiting.get(place)
        if there is None:
            self._waiting[place] = [state]
            heapq.heappush(self._order, (rank, round_, pc, len(self._entries)))
            self._entries.append(place)
        else:
            there.append(state)

    def __bool__(self) -> bool:
        return bool(self._order)

    def pop(self) -> tuple[int, list[State]]:
        """The next instruction, with all states that reach it at one place; there must be one."""
        _, _, pc, entry = heapq.heappop(self._order)
        return pc, self._waiting.pop(self._entries[entry])


class CodeShape:
    """What is known of a thread's code."""

    def __init__(self, code: tuple[Instruction, ...]) -> None:
        self.code = code
        self.loops = loops_of(code)
        self.jumps = _jumps(code)  # by instruction of a loop: its backward jumps
        self.rank = self._ranks()  # by instruction: later parts have higher numbers
        # By instruction: the registers that may reach the condition of an exit, of a branch in a
        # loop.
        self.ending = self._reaching(frozenset(self.loops.exits))
        self.deciding = self._reaching(frozenset(self.loops.around))

    def _ranks(self) -> list[int]:
        """Numbers of strongly connected parts, each higher than those of the parts from which it is
        reached: the higher, the earlier a search in depth is done with all of it."""
        finished = [-1] * (len(self.code) + 1)
        seen = {0}
        work = [(0, iter(successors(self.code, 0)))]
        clock = 0
        while work:
            at, left = work[-1]
            following = next(left, None)
            if following is None:
                finished[at] = clock
                clock += 1
                work.pop()
            elif following not in seen:
                seen.add(following)
                work.append((following, iter(successors(self.code, following))))
        last: dict[frozenset[int], int] = {}
        for at, jumps in self.jumps.items():
            last[jumps] = max(last.get(jumps, -1), finished[at])
        return [
            clock - (last[self.jumps[at]] if at in self.jumps else finished[at])
            for at in range(len(self.code) + 1)
        ]

    def _reaching(self, branches: frozenset[int]) -> list[list[str]]:
        """By instruction: the registers whose values before it the conditions of these branches may
        depend on; backwards from them until nothing is added any more."""
        found = [frozenset[str]()] * (len(self.code) + 1)
        changed = bool(branches)
        while changed:
            changed = False
            for at in reversed(range(len(self.code))):
                after = frozenset[str]().union(*(found[s] for s in successors(self.code, at)))
                before = self._before(at, after, at in branches)
                changed |= before != found[at]
                found[at] = before
        return [sorted(names) for names in found]

    def _before(self, at: int, after: frozenset[str], wanted: bool) -> frozenset[str]:
        instruction = self.code[at]
        match instruction:
            case Assign() | Select():
                set_here = after.intersection(instruction.sets)
                return (after - set_here) | instruction.uses if set_here else after
            case Branch():
                return after | instruction.uses if wanted else after
            case Load() | Store() | Rmw() | StoreConditional():
                return after.difference(instruction.sets)  # what memory gives is not a constant
            case Fence() | Goto() | Assume() | Assert():
                return after
            case _:
                assert_never(instruction)


def _jumps(code: tuple[Instruction, ...]) -> dict[int, frozenset[int]]:
    """The instructions of loops, to the backward jumps of theirs."""
    edges: dict[tuple[Hashable, Hashable], int] = {
        (at, following): 1 for at in range(len(code)) for following in successors(code, at)
    }
    found: dict[int, frozenset[int]] = {}
    for part in cyclic_parts(edges):
        members = {at for edge in part for at in edge if isinstance(at, int)}
        jumps = frozenset(at for at in members if is_backward(code, at))
        found.update(dict.fromkeys(members, jumps))
    return found
