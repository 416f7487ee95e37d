"""Code with instructions put in, replaced or taken out; jumps follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hybrid.program.instructions import Branch, Goto, Instruction
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


@dataclass(frozen=True, slots=True)
class HeadCode:
    """What is put in before the header of a loop."""

    body: frozenset[int]  # the loop
    enters: Sequence[Instruction]  # for who comes from outside
    passed: Branch  # where all come then; past the checks
    checks: Sequence[Instruction]
    rounds: Sequence[Instruction]  # before each round
    again: Goto | None  # where the instruction before it goes on to it, and is part of the loop


def spliced(
    code: Sequence[Instruction],
    heads: Mapping[int, HeadCode],
    before: Mapping[int, Sequence[Instruction]],
    behind: Mapping[int, Sequence[Instruction]],
) -> Code:
    """With code at the heads of loops, and instructions before and behind others. Who jumps to an
    instruction comes to what was put before it first, and not to what was put behind the one
    before."""
    found: list[Instruction] = []
    moved: dict[int, int] = {}  # to which place an instruction has come
    enters: list[int] = []  # by old place: where who comes from outside goes
    returns: dict[int, int] = {}  # by header: where who comes from the loop goes
    for at in range(len(code) + 1):
        head = heads.get(at)
        falls = head is not None and head.again is not None
        enters.append(len(found) + falls)
        if head is not None:
            returns[at] = enters[at] + len(head.enters)
            if head.again is not None:
                found.append(replace(head.again, target=returns[at]))
            past = returns[at] + 1 + len(head.checks)
            passed = replace(head.passed, target=past)
            found += [*head.enters, passed, *head.checks, *head.rounds]
        if at < len(code):
            found.extend(before.get(at, ()))
            moved[at] = len(found)
            found.append(code[at])
            found.extend(behind.get(at, ()))
    for at, place in moved.items():
        to = list(enters)
        for header, head in heads.items():
            if at in head.body:
                to[header] = returns[header]
        found[place] = code[at].with_targets(to.__getitem__)
    return tuple(found)
