"""Instructions as text, in the spelling of the .prog language (without their labels)."""

from __future__ import annotations

from collections.abc import Sequence

from hybrid.program.expr import Const, Expr, show
from hybrid.program.instructions import (
    Assert,
    Assign,
    Assume,
    Branch,
    Fence,
    Goto,
    Guard,
    Instruction,
    Load,
    Rmw,
    Select,
    Store,
    StoreConditional,
)
from hybrid.program.tags import ANNOTATIONS, EXCLUSIVE, FENCES, ON_FAILURE, PLAIN
from hybrid.program.values import BITS

_RMW_NAMES = {
    "+": "faa",
    "-": "fetch_sub",
    "&": "fetch_and",
    "|": "fetch_or",
    "^": "fetch_xor",
    "min": "fetch_min",
    "max": "fetch_max",
    "umin": "fetch_umin",
    "umax": "fetch_umax",
}
_SPELLINGS = {tag: spelling for spelling, tag in ANNOTATIONS.items()}
_FENCE_NAMES = {tags: name for name, tags in FENCES.items()}


def show_instruction(instruction: Instruction, code: Sequence[Instruction] = ()) -> str:
    """`instruction` in .prog spelling. `code` is its thread's, from which the labels of jump
    targets come (the end of a thread is shown as `end`); without it a target is its number."""
    if isinstance(instruction, Assign):
        return f"{instruction.register} := {show(instruction.value)}"
    if isinstance(instruction, Select):
        parts = (instruction.condition, instruction.yes, instruction.no)
        return f"{instruction.register} := select({', '.join(map(show, parts))})"
    if isinstance(instruction, Fence):
        return _fence(instruction.tags)
    if isinstance(instruction, Branch):
        return f"if {show(instruction.condition)} goto {_target(instruction.target, code)}"
    if isinstance(instruction, Goto):
        return f"goto {_target(instruction.target, code)}"
    if isinstance(instruction, Assume):
        return f"assume {show(instruction.condition)}"
    if isinstance(instruction, Assert):
        return f"assert {show(instruction.condition)}"
    implied = {PLAIN, EXCLUSIVE} if _is_exclusive(instruction) else {PLAIN}
    text = _access(instruction) + _annotations(instruction.tags - implied)
    if isinstance(instruction, Rmw) and instruction.failed_tags is not None:
        text += _annotations(instruction.failed_tags, ON_FAILURE)
    return text


def _is_exclusive(instruction: Load | Store | Rmw | StoreConditional) -> bool:
    if isinstance(instruction, Load):
        return instruction.exclusive
    return isinstance(instruction, StoreConditional)


def _access(instruction: Load | Store | Rmw | StoreConditional) -> str:
    place = _place(instruction.address)
    if isinstance(instruction, Store):
        return f"{place} := {show(instruction.value)}"
    if isinstance(instruction, StoreConditional):
        name = "stx" if instruction.free else "sc_store" if instruction.by_store else "sc"
        return _into(instruction.status, f"{name}({place}, {show(instruction.value)})")
    if isinstance(instruction, Load):
        if instruction.exclusive:
            return _into(instruction.register, f"lr({place})" + _waiting(instruction.guard))
        if instruction.guard is not None:
            return _into(instruction.register, f"await({place} {_guard(instruction.guard)})")
        return f"{instruction.register or '_'} := {place}"
    operands = [place]
    if instruction.expected is not None:
        operands.append(show(instruction.expected))
    operands.append(show(instruction.operand))
    name = _RMW_NAMES.get(instruction.op, instruction.op) + "_weak" * instruction.weak
    if instruction.bits != BITS:
        name = f"{'fetch_add' if name == 'faa' else name}{instruction.bits}"
    text = f"{name}({', '.join(operands)})" + _waiting(instruction.guard)
    if instruction.success is not None:
        return f"{instruction.register or '_'}, {instruction.success} := {text}"
    return _into(instruction.register, text)


def _place(address: Expr) -> str:
    if isinstance(address, Const) and address.name:
        return address.name.removeprefix("&")
    return f"[{show(address)}]"


def _into(register: str | None, text: str) -> str:
    return f"{register} := {text}" if register is not None else text


def _guard(guard: Guard) -> str:
    return f"{'=' if guard.op == '==' else guard.op} {show(guard.value)}"


def _waiting(guard: Guard | None) -> str:
    return "" if guard is None else f" await {_guard(guard)}"


def _annotations(tags: frozenset[str], before: str = "") -> str:
    return "".join(f" @{before}{_SPELLINGS.get(tag, tag)}" for tag in sorted(tags))


def _fence(tags: frozenset[str]) -> str:
    return _FENCE_NAMES.get(tags) or "fence" + _annotations(tags)


def _target(target: int, code: Sequence[Instruction]) -> str:
    if target < len(code):
        return code[target].label
    return "end" if code else f"#{target}"
