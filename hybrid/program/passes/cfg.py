"""The control-flow graph of a thread, one node per instruction, and its natural loops.

Node `len(code)` is the end of the thread. A branch whose two ways lead to the same place has one
edge, without a condition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from hybrid.program.instructions import Branch, Instruction, Load, StoreConditional
from hybrid.program.loops import successors

RESERVATION = "(reservation)"  # taken for a register: what a load-reserve leaves for the next


def written(instruction: Instruction) -> tuple[str, ...]:
    """The registers that an instruction sets."""
    exclusive = isinstance(instruction, Load) and instruction.exclusive
    if exclusive or isinstance(instruction, StoreConditional):
        return (*instruction.sets, RESERVATION)
    return instruction.sets


def used(instruction: Instruction) -> frozenset[str]:
    """The registers on which it depends what an instruction does."""
    if isinstance(instruction, StoreConditional):
        return instruction.uses | {RESERVATION}
    return instruction.uses


@dataclass(frozen=True, slots=True)
class FlowEdge:
    source: int
    target: int
    truth: bool | None  # of the branch at the source, where it decides; None: it does not


@dataclass(frozen=True, slots=True)
class NaturalLoop:
    """All loops with one header, as one. The header dominates every node of it."""

    header: int
    body: frozenset[int]
    back: tuple[int, ...]  # the sources of edges to the header, ascending


@dataclass(frozen=True)
class ControlFlow:
    """Of the code of one thread."""

    code: Sequence[Instruction]
    following: list[tuple[FlowEdge, ...]] = field(init=False)
    before: list[list[FlowEdge]] = field(init=False)

    def __post_init__(self) -> None:
        size = len(self.code) + 1
        following = [self._edges(at) for at in range(size)]
        before: list[list[FlowEdge]] = [[] for _ in range(size)]
        for edges in following:
            for edge in edges:
                before[edge.target].append(edge)
        object.__setattr__(self, "following", following)
        object.__setattr__(self, "before", before)

    def _edges(self, at: int) -> tuple[FlowEdge, ...]:
        after = successors(self.code, at)
        instruction = self.code[at] if at < len(self.code) else None
        if isinstance(instruction, Branch) and instruction.target != at + 1:
            return (FlowEdge(at, at + 1, False), FlowEdge(at, instruction.target, True))
        return tuple(FlowEdge(at, target, None) for target in dict.fromkeys(after))

    @cached_property
    def order(self) -> list[int]:
        """The nodes that can be reached, each before those that it leads to but for edges back."""
        finished: list[int] = []
        seen = {0}
        work = [(0, iter(self.following[0]))]
        while work:
            at, left = work[-1]
            edge = next(left, None)
            if edge is None:
                finished.append(at)
                work.pop()
            elif edge.target not in seen:
                seen.add(edge.target)
                work.append((edge.target, iter(self.following[edge.target])))
        return finished[::-1]

    @cached_property
    def rank(self) -> dict[int, int]:
        """The places of nodes in `order`."""
        return {at: place for place, at in enumerate(self.order)}

    @cached_property
    def dominators(self) -> dict[int, int]:
        """Of nodes that can be reached: the set of those on every way to them, themselves included,
        as bits."""
        everything = (1 << len(self.code) + 1) - 1
        found = dict.fromkeys(self.order, everything)
        found[0] = 1
        changed = True
        while changed:
            changed = False
            for at in self.order[1:]:
                common = everything
                for edge in self.before[at]:
                    if edge.source in found:
                        common &= found[edge.source]
                common |= 1 << at
                changed |= common != found[at]
                found[at] = common
        return found

    def dominates(self, first: int, second: int) -> bool:
        return bool(self.dominators[second] >> first & 1)

    @cached_property
    def loops(self) -> list[NaturalLoop]:
        """The natural loops, inner ones before those around them."""
        back: dict[int, list[int]] = {}
        for at in self.order:
            for edge in self.following[at]:
                if self.dominates(edge.target, at):
                    back.setdefault(edge.target, []).append(at)
        found = [NaturalLoop(h, self._body(h, at), tuple(sorted(at))) for h, at in back.items()]
        return sorted(found, key=lambda loop: (len(loop.body), loop.header))

    def _body(self, header: int, back: Sequence[int]) -> frozenset[int]:
        body = {header, *back}
        todo = [at for at in back if at != header]
        while todo:
            for edge in self.before[todo.pop()]:
                if edge.source not in body and edge.source in self.rank:
                    body.add(edge.source)
                    todo.append(edge.source)
        return frozenset(body)

    def reducible(self, loop: NaturalLoop) -> bool:
        """Whether each edge within the loop that goes back leads to a node that dominates it."""
        return all(
            self.rank[edge.source] < self.rank[edge.target]
            or self.dominates(edge.target, edge.source)
            for at in loop.body
            for edge in self.following[at]
            if edge.target in loop.body
        )

    def live(self, at_end: frozenset[str]) -> list[frozenset[str]]:
        """By node: the registers whose values before it may be used, those of `at_end` at the end
        of the thread."""
        found = [frozenset[str]()] * (len(self.code) + 1)
        found[-1] = at_end
        changed = True
        while changed:
            changed = False
            for at in reversed(range(len(self.code))):
                after = frozenset[str]().union(*(found[e.target] for e in self.following[at]))
                instruction = self.code[at]
                now = after.difference(written(instruction)) | used(instruction)
                changed |= now != found[at]
                found[at] = now
        return found
