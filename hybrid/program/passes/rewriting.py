"""Code with instructions put in, replaced or taken out; jumps follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hybrid.program.instructions import Goto, Instruction
from hybrid.program.loops import successors

Code = tuple[Instruction, ...]


def inserted(code: Sequence[Instruction], before: Mapping[int, Sequence[Instruction]]) -> Code:
    """With instructions before some; who jumps there comes to them first. What is put in does not
    jump."""
    found: list[Instruction] = []
    moved: list[int] = []
    new: set[int] = set()
    for at in range(len(code) + 1):
        moved.append(len(found))
        new.update(range(len(found), len(found) + len(before.get(at, ()))))
        found.extend(before.get(at, ()))
        if at < len(code):
            found.append(code[at])
    return tuple(
        each if at in new else each.with_targets(moved.__getitem__) for at, each in enumerate(found)
    )


def without(code: Sequence[Instruction], removed: frozenset[int]) -> Code:
    """Without some; who jumps there comes to what follows."""
    moved: list[int] = []
    kept = 0
    for at in range(len(code) + 1):
        moved.append(kept)
        kept += at not in removed
    return tuple(
        each.with_targets(moved.__getitem__) for at, each in enumerate(code) if at not in removed
    )


def reached(code: Sequence[Instruction]) -> set[int]:
    """The instructions to which a way leads from the beginning."""
    found, todo = {0}, [0]
    while todo:
        for following in successors(code, todo.pop()):
            if following not in found:
                found.add(following)
                todo.append(following)
    return found


def tidied(code: Code) -> Code:
    """Without what no way leads to, and without jumps to the next instruction."""
    while True:
        ways = reached(code)
        removed = frozenset(
            at
            for at, each in enumerate(code)
            if at not in ways or (isinstance(each, Goto) and each.target == at + 1)
        )
        if not removed:
            return code
        code = without(code, removed)
