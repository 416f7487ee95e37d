"""Instructions as text, in the spelling of the .prog language (without their labels)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

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
    Reread,
    Rmw,
    Select,
    Store,
    StoreConditional,
    test_of,
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
    "nand": "fetch_nand",
}
_SPELLINGS = {tag: spelling for spelling, tag in ANNOTATIONS.items()}
_FENCE_NAMES = {tags: name for name, tags in FENCES.items()}


def show_instruction(instruction: Instruction, code: Sequence[Instruction] = ()) -> str:
    """`instruction` in .prog spelling. `code` is its thread's, from which the labels of jump
    targets come (the end of a thread is shown as `end`); without it a target is its number."""
    match instruction:
        case Assign():
            return f"{instruction.register} := {show(instruction.value)}"
        case Select():
            parts = (instruction.condition, instruction.yes, instruction.no)
            return f"{instruction.register} := select({', '.join(map(show, parts))})"
        case Load():
            return _load(instruction)
        case Store():
            text = f"{_place(instruction.address)} := {show(instruction.value)}"
            return text + _annotations(instruction.tags - {PLAIN})
        case Rmw():
            return _rmw(instruction)
        case StoreConditional():
            return _store_conditional(instruction)
        case Fence():
            return _FENCE_NAMES.get(instruction.tags) or "fence" + _annotations(instruction.tags)
        case Branch():
            return f"if {show(instruction.condition)} goto {_target(instruction.target, code)}"
        case Goto():
            return f"goto {_target(instruction.target, code)}"
        case Assume():
            waits = " else wait" * instruction.waits + _rereading(instruction.rereads)
            return f"assume {show(instruction.condition)}{waits}"
        case Assert():
            return f"assert {show(instruction.condition)}"
        case _:
            assert_never(instruction)


def _load(load: Load) -> str:
    place = _place(load.address)
    if load.exclusive:
        text = _into(load.register, f"lr({place})" + _waiting(load.guard))
        return text + _annotations(load.tags - {PLAIN, EXCLUSIVE})
    if load.guard is not None:
        waits = f"await({place} {_guard(load.guard)})" + _rereading(load.guard.rereads)
        text = _into(load.register, waits)
    else:
        text = f"{load.register or '_'} := {place}"
    return text + _annotations(load.tags - {PLAIN})


def _rmw(rmw: Rmw) -> str:
    expected = () if rmw.expected is None else (show(rmw.expected),)
    operands = (_place(rmw.address), *expected, show(rmw.operand))
    name = _RMW_NAMES.get(rmw.op, rmw.op) + "_weak" * rmw.weak
    if rmw.bits != BITS:
        name = f"{'fetch_add' if name == 'faa' else name}{rmw.bits}"
    text = f"{name}({', '.join(operands)})" + _waiting(rmw.guard)
    if rmw.success is not None:
        text = f"{rmw.register or '_'}, {rmw.success} := {text}"
    else:
        text = _into(rmw.register, text)
    text += _annotations(rmw.tags - {PLAIN})
    return text + _annotations(rmw.failed_tags or frozenset(), ON_FAILURE)


def _store_conditional(store: StoreConditional) -> str:
    name = "stx" if store.free else "sc_store" if store.by_store else "sc"
    text = _into(store.status, f"{name}({_place(store.address)}, {show(store.value)})")
    return text + _annotations(store.tags - {PLAIN, EXCLUSIVE})


def _place(address: Expr) -> str:
    if isinstance(address, Const) and address.name:
        return address.name.removeprefix("&")
    return f"[{show(address)}]"


def _into(register: str | None, text: str) -> str:
    return f"{register} := {text}" if register is not None else text


def _guard(guard: Guard) -> str:
    if guard.of is not None:
        return f"satisfies {show(test_of(guard))}"
    return f"{'=' if guard.op == '==' else guard.op} {show(guard.value)}"


def _waiting(guard: Guard | None) -> str:
    return "" if guard is None else f" await {_guard(guard)}" + _rereading(guard.rereads)


def _rereading(rereads: tuple[Reread, ...]) -> str:
    listed = ", ".join(f"{_place(each.address)} = {show(each.value)}" for each in rereads)
    return f" while ({listed})" if listed else ""


def _annotations(tags: frozenset[str], before: str = "") -> str:
    return "".join(f" @{before}{_SPELLINGS.get(tag, tag)}" for tag in sorted(tags))


def _target(target: int, code: Sequence[Instruction]) -> str:
    if target < len(code):
        return code[target].label
    return "end" if code else f"#{target}"
