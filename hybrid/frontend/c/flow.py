"""The control flow of one function of LLVM: its loops, the order in which its blocks are lowered,
and what is live where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from hybrid.errors import InputError
from hybrid.frontend.llvm.module import (
    Alloca,
    CallInst,
    CondJump,
    ConstExpr,
    Jump,
    LlvmFunction,
    LlvmInstruction,
    LoadInst,
    Local,
    Operand,
    Phi,
    StoreInst,
    SwitchInst,
    Value,
)


def successors(block: tuple[LlvmInstruction, ...]) -> tuple[str, ...]:
    """The blocks that may follow."""
    last = block[-1]
    if isinstance(last, Jump):
        return (last.target,)
    if isinstance(last, CondJump):
        return (last.yes, last.no)
    if isinstance(last, SwitchInst):
        return (last.default, *(target for _, target in last.cases))
    if isinstance(last, CallInst) and last.normal:
        return (last.normal,)
    return ()


class Flow:
    """What is known of a function's blocks."""

    def __init__(self, function: LlvmFunction) -> None:
        self.function = function
        blocks = function.blocks
        self.entry = next(iter(blocks))
        self.after = {label: successors(block) for label, block in blocks.items()}
        self.before: dict[str, list[str]] = {label: [] for label in blocks}
        for label, following in self.after.items():
            for each in following:
                self.before[each].append(label)
        self.loops = self._find_loops()  # by head: the blocks of the loop
        self.around = {  # the heads of the loops that a block is in, outermost first
            label: tuple(sorted((h for h, b in self.loops.items() if label in b), key=self._extent))
            for label in blocks
        }
        # by head of a loop with exits: the blocks whose branch decides how a round ends
        self.deciding = {
            head: self._deciding(head, body)
            for head, body in self.loops.items()
            if any(each not in body for label in body for each in self.after[label])
        }
        order = self._postorder(exits_first=True)[::-1]
        self.rank = {label: place for place, label in enumerate(order)}
        self.allocas = frozenset(
            each.result for block in blocks.values() for each in block if isinstance(each, Alloca)
        )
        self.users: dict[
            str, list[LlvmInstruction]
        ] = {}  # by local: who uses it, once for each use
        for block in blocks.values():
            for instruction in block:
                for name in _all_locals(instruction):
                    self.users.setdefault(name, []).append(instruction)
        self.used = frozenset(self.users)
        self.simple = self._simple_allocas()
        self.live = self._liveness()  # by block: locals and simple allocas that are needed there

    def _extent(self, head: str) -> int:
        return -len(self.loops[head])

    def _postorder(self, exits_first: bool) -> list[str]:
        """The blocks that can be reached, each after those that it leads to, but for loops. Blocks
        outside a loop come before those in it, so that reversed a loop is lowered whole first."""
        found: list[str] = []
        seen = {self.entry}
        stack = [(self.entry, iter(self._ordered(self.entry, exits_first)))]
        while stack:
            label, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                found.append(label)
                stack.pop()
            elif following not in seen:
                seen.add(following)
                stack.append((following, iter(self._ordered(following, exits_first))))
        return found

    def _ordered(self, label: str, exits_first: bool) -> list[str]:
        following = list(self.after[label])
        if exits_first:
            following.sort(key=lambda each: len(self.around[each]))
        return following

    def _find_loops(self) -> dict[str, frozenset[str]]:
        """The natural loops: those whose head is on every way into them."""
        self.around = dict.fromkeys(self.after, ())
        order = self._postorder(exits_first=False)[::-1]
        dominators = self._dominators(order)
        self._check_uses(dominators)
        loops: dict[str, set[str]] = {}
        for label in order:
            for head in self.after[label]:
                if head in dominators[label]:
                    body = loops.setdefault(head, {head})
                    todo = [label]
                    while todo:
                        each = todo.pop()
                        if each not in body:
                            body.add(each)
                            todo += [b for b in self.before[each] if b in dominators]
        return {head: frozenset(body) for head, body in loops.items()}

    def _dominators(self, order: list[str]) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {label: set(order) for label in order}
        found[self.entry] = {self.entry}
        changed = True
        while changed:
            changed = False
            for label in order:
                if label == self.entry:
                    continue
                ways = [found[each] for each in self.before[label] if each in found]
                new = set.intersection(*ways) | {label}
                if new != found[label]:
                    found[label] = new
                    changed = True
        return found

    def _deciding(self, head: str, body: frozenset[str]) -> frozenset[str]:
        """Of a loop, the blocks behind which ways do not come together again before they are at the
        head or outside."""
        met = dict.fromkeys(body, body)  # by block: those that are on every way from it on
        changed = True
        while changed:
            changed = False
            for label in body:
                ways = [
                    met[each] if each in body and each != head else frozenset[str]()
                    for each in self.after[label]
                ]
                new = frozenset.intersection(*ways) | {label}
                if new != met[label]:
                    met[label] = new
                    changed = True
        return frozenset(label for label in body if met[label] == {label})

    def _check_uses(self, dominators: dict[str, set[str]]) -> None:
        """Complains of a local that is used on a way on which it has no value."""
        homes: dict[str, tuple[str, int]] = {
            each.name: (self.entry, -1) for each in self.function.parameters
        }
        for label in dominators:
            for at, instruction in enumerate(self.function.blocks[label]):
                result = getattr(instruction, "result", "")
                if result:
                    homes.setdefault(result, (label, at))

        def check(name: str, label: str, at: int) -> None:
            home, place = homes.get(name, ("", 0))
            before = place < at if home == label else home in dominators[label]
            if not before:
                where = f"%{name} is used where it has no value"
                raise InputError(f"the function {self.function.name} is damaged: {where}")

        for label in dominators:
            block = self.function.blocks[label]
            for at, instruction in enumerate(block):
                if not isinstance(instruction, Phi):
                    for name in used_locals(instruction):
                        check(name, label, at)
                    continue
                for value, source in instruction.incoming:
                    for name in _locals(value) if source in dominators else ():
                        check(name, source, len(self.function.blocks[source]))

    # ---- liveness

    def _simple_allocas(self) -> frozenset[str]:
        """The allocas that are only loaded from and stored to: variables whose address nobody
        takes."""
        found = set(self.allocas)
        for block in self.function.blocks.values():
            for each in block:
                if isinstance(each, LoadInst):
                    continue
                if isinstance(each, StoreInst):
                    found -= set(_locals(each.value.value))
                    continue
                found -= set(used_locals(each))
        return frozenset(found)

    def _liveness(self) -> dict[str, frozenset[str]]:
        blocks = self.function.blocks
        uses: dict[str, set[str]] = {}
        defines: dict[str, set[str]] = {}
        for label, block in blocks.items():
            used: set[str] = set()
            defined: set[str] = set()
            for each in block:
                if isinstance(each, Phi):
                    defined.add(each.result)
                    continue
                if isinstance(each, StoreInst) and _target(each.pointer) in self.simple:
                    used |= set(_locals(each.value.value)) - defined
                    defined.add(_target(each.pointer))
                    continue
                used |= set(used_locals(each)) - defined
                result = getattr(each, "result", "")
                if result and not isinstance(each, Alloca):
                    defined.add(result)
            uses[label], defines[label] = used, defined
        live: dict[str, set[str]] = {label: set() for label in blocks}
        changed = True
        while changed:
            changed = False
            for label in reversed(list(blocks)):
                out: set[str] = set()
                for following in self.after[label]:
                    out |= live[following]
                    out |= _from_phis(blocks[following], label)
                new = uses[label] | (out - defines[label])
                if new != live[label]:
                    live[label] = new
                    changed = True
        return {label: frozenset(names | _phis(blocks[label])) for label, names in live.items()}


def _phis(block: tuple[LlvmInstruction, ...]) -> set[str]:
    """What the phis of a block define, which is there when the block begins."""
    return {each.result for each in block if isinstance(each, Phi)}


def _all_locals(instruction: LlvmInstruction) -> Iterator[str]:
    if isinstance(instruction, Phi):
        for value, _ in instruction.incoming:
            yield from _locals(value)
    else:
        yield from used_locals(instruction)


def _target(pointer: Operand) -> str:
    return pointer.value.name if isinstance(pointer.value, Local) else ""


def _from_phis(block: tuple[LlvmInstruction, ...], label: str) -> set[str]:
    """What the phis of a block take from a block before it."""
    found: set[str] = set()
    for each in block:
        if not isinstance(each, Phi):
            break
        for value, source in each.incoming:
            if source == label:
                found |= set(_locals(value))
    return found


def used_locals(instruction: LlvmInstruction) -> Iterator[str]:
    """The locals that an instruction other than a phi uses."""
    for each in fields(instruction):
        value = getattr(instruction, each.name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Operand):
                yield from _locals(part.value)
            elif isinstance(part, Local | ConstExpr):
                yield from _locals(part)


def _locals(value: Value) -> Iterator[str]:
    if isinstance(value, Local):
        yield value.name
    elif hasattr(value, "elements"):
        for each in value.elements:
            yield from _locals(each.value)
