"""Which backward jumps the loop bound counts: the rule that every executor follows, and what of it
can be read off the code.

A register **varies** when its value comes from memory: a load or a read-modify-write wrote it, a
store-conditional wrote its status to it, or it was assigned an expression (or a selection among
two, by a third) in which a register varies. A condition varies when one of its registers does. A
branch whose condition does not vary has one way only on a path: it takes no po index and is not an
event.

The **loop** of a backward jump (one whose target is not after it) are the instructions on the ways
from the target to the jump that do not come through the target again. Its **exits** are the
branches in it with a way out of it, and the jump itself, if it is a branch. Along a path, marks are
kept for each backward jump, and cleared whenever the path comes to its target:

    VARIES  an exit whose condition varies was passed
    MOVES   an exit was passed whose condition does not vary, has registers, and these had not all
            the values that they had when the path last passed it
    EVENT   an instruction of the loop took a po index

A jump that is taken **counts** when it is marked VARIES, or EVENT and not MOVES: the loop's end
depends on memory, or there is none to be seen. So a loop on constants runs to its end. A run is cut
when a jump would count more than `unroll` times on the path of a thread, or before the instruction
number `max_steps` + 1 of a thread (numbered as executed, from 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hybrid.program.instructions import Instruction

VARIES: Final = 1
MOVES: Final = 2
EVENT: Final = 4

UNROLL: Final = "unroll"  # the bound on counted jumps
MAX_STEPS: Final = "max-steps"  # the bound on instructions
DEFAULT_MAX_STEPS: Final = 100_000

CutPlace = tuple[int, str, str]  # where a thread was cut: thread, label, UNROLL or MAX_STEPS


def counts(marks: int) -> bool:
    """Whether a jump with these marks counts."""
    return bool(marks & VARIES) or marks & (EVENT | MOVES) == EVENT


@dataclass(frozen=True, slots=True)
class Loops:
    """Of the code of one thread."""

    around: dict[int, tuple[int, ...]]  # by instruction: the backward jumps whose loops have it
    exits: dict[int, tuple[int, ...]]  # by branch: those of whose loops it is an exit
    heads: dict[int, tuple[int, ...]]  # by instruction: those whose target it is


def is_backward(code: Sequence[Instruction], at: int) -> bool:
    return any(target <= at for target in code[at].targets)


def has_loops(code: Sequence[Instruction]) -> bool:
    return any(is_backward(code, at) for at in range(len(code)))


def successors(code: Sequence[Instruction], at: int) -> tuple[int, ...]:
    """The instructions that may come next; the length of the code is the end, which has none."""
    if at == len(code):
        return ()
    instruction = code[at]
    return (at + 1, *instruction.targets) if instruction.goes_on else instruction.targets


def loops_of(code: Sequence[Instruction]) -> Loops:
    found = Loops({}, {}, {})
    jumps = [at for at in range(len(code)) if is_backward(code, at)]
    if not jumps:
        return found
    before: list[list[int]] = [[] for _ in range(len(code) + 1)]
    for at in range(len(code)):
        for following in successors(code, at):
            before[following].append(at)
    for jump in jumps:
        body = _body(code, before, jump)
        (target,) = code[jump].targets
        found.heads[target] = (*found.heads.get(target, ()), jump)
        for at in sorted(body):
            found.around[at] = (*found.around.get(at, ()), jump)
            leaves = any(following not in body for following in successors(code, at))
            decides = code[at].jumps and code[at].goes_on
            if decides and (leaves or at == jump):
                found.exits[at] = (*found.exits.get(at, ()), jump)
    return found


def _body(code: Sequence[Instruction], before: list[list[int]], jump: int) -> set[int]:
    """The instructions of the jump's loop."""
    (target,) = code[jump].targets
    after = {target}
    todo = [target]
    while todo:
        for following in successors(code, todo.pop()):
            if following not in after:
                after.add(following)
                todo.append(following)
    body = {target, jump}
    todo = [jump] if jump != target else []
    while todo:
        for earlier in before[todo.pop()]:
            if earlier not in body and earlier in after:
                body.add(earlier)
                todo.append(earlier)
    return body
