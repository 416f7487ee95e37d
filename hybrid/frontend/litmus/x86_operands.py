"""Operands of X86 and X86_64: registers and their parts, memory, numbers; reading and writing them,
and the flags."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from hybrid.errors import Unsupported
from hybrid.frontend.litmus import machine as mc
from hybrid.frontend.litmus.machine import Code, RegisterOperand
from hybrid.program import expr as ex
from hybrid.source import Span

MEMORY = "mem"  # a register of ours: what an instruction read from memory
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9.]*", re.ASCII)
_ADDRESS = re.compile(r"([+-]?\w*)\s*(?:\(([^()]*)\)|\[([^][]*)\])", re.ASCII)

# Registers

_PARTS: dict[
    str, tuple[str, int]
] = {}  # to the letters of the whole register and the bits of the part
for _letters in ("AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP"):
    _PARTS |= {f"R{_letters}": (_letters, 64), f"E{_letters}": (_letters, 32)}
    _PARTS[_letters] = (_letters, 16)
    _PARTS[f"{_letters[0]}L" if _letters[1] == "X" else f"{_letters}L"] = (_letters, 8)
for _number in range(8, 16):
    _PARTS |= {f"R{_number}": (str(_number), 64), f"R{_number}D": (str(_number), 32)}
    _PARTS |= {f"R{_number}W": (str(_number), 16), f"R{_number}B": (str(_number), 8)}


def register_of(prefix: str) -> Callable[[str], RegisterOperand | None]:
    def register(text: str) -> RegisterOperand | None:
        part = _PARTS.get(text.removeprefix("%").upper())
        if part is None or (prefix == "E" and (part[1] == 64 or part[0].isdigit())):
            return None
        return RegisterOperand(
            f"R{part[0]}" if part[0].isdigit() else f"{prefix}{part[0]}", part[1]
        )

    return register


# Operands


@dataclass(frozen=True, slots=True)
class MemoryOperand:
    """Memory: an address, and the width that its type tells where the operand names a location."""

    address: ex.Expr
    bits: int | None


Place = RegisterOperand | MemoryOperand
Operand = RegisterOperand | MemoryOperand | ex.Const


def as_register(code: Code, text: str, span: Span) -> RegisterOperand | None:
    return code.architecture.register(text)


def as_memory(code: Code, text: str, span: Span) -> MemoryOperand | None:
    """`[x]`, `(x)`, `[EAX]`, `8(RAX)`, `[RAX+8]`, `0(RAX,RBX,8)`."""
    match = _ADDRESS.fullmatch(text)
    if match is None:
        return None
    offset = mc.number(match[1]) if match[1] else 0
    inner = (match[2] if match[2] is not None else match[3]).strip()
    if offset is None:
        return None
    parts = [part.strip() for part in inner.split(",")]
    if len(parts) == 1:
        plus = re.fullmatch(r"([^+-]*)([+-]\s*\w+)", inner)
        if plus is not None:
            inner, further = plus[1].strip(), mc.number("".join(plus[2].split()))
            if further is None:
                return None
            offset += further
        return _based(code, inner, offset, span)
    base, index = _whole(code, parts[0]), _whole(code, parts[1])
    scale = mc.number(parts[2]) if len(parts) == 3 else 1
    if base is None or index is None or scale not in (1, 2, 4, 8) or len(parts) > 3:
        return None
    scaled = index if scale == 1 else code.binary("*", index, code.const(scale))
    address = code.binary("+", code.binary("+", base, code.const(offset)), scaled)
    return MemoryOperand(address, None)


def _based(code: Code, base: str, offset: int, span: Span) -> MemoryOperand | None:
    register = _whole(code, base)
    if register is not None:
        return MemoryOperand(code.binary("+", register, code.const(offset)), None)
    if code.architecture.register(base) is not None or not _NAME.fullmatch(base):
        return None
    variable = code.memory.variable(base, span)
    return MemoryOperand(
        code.binary("+", code.address_of(base, span), code.const(offset)), variable.bits
    )


def _whole(code: Code, text: str) -> ex.Expr | None:
    """A register in an address: at least 32 bits of it."""
    register = code.architecture.register(text)
    return None if register is None or register.bits < 32 else read(code, register, register.bits)


def as_immediate(code: Code, text: str, span: Span) -> ex.Const | None:
    value = mc.number(text.removeprefix("$"))
    return None if value is None else code.const(value)


def as_place(code: Code, text: str, span: Span) -> Place | None:
    return as_register(code, text, span) or as_memory(code, text, span)


def as_operand(code: Code, text: str, span: Span) -> Operand | None:
    return as_place(code, text, span) or as_immediate(code, text, span)


# Reading and writing


def width_of(code: Code, suffix: int | None, *operands: Operand) -> int:
    """The width of an instruction: its suffix, else that of its registers, else that of the
    location, else 32."""
    widths = {o.bits for o in operands if isinstance(o, RegisterOperand)} | ({suffix} - {None})
    if len(widths) > 1:
        raise refused(code, "operands of different widths")
    for width in widths:
        if width is not None:
            return width
    cells = [o.bits for o in operands if isinstance(o, MemoryOperand) and o.bits is not None]
    return cells[0] if cells else 32


def refused(code: Code, why: str) -> Unsupported:
    return Unsupported(f"unsupported instruction `{code.mnemonic}`: {why}", code.span)


def read(code: Code, register: RegisterOperand, bits: int) -> ex.Expr:
    """The low bits of a register, of which nothing above is looked at by what follows."""
    whole = code.reg(register.name)
    return whole if bits == 64 else code.unsigned(whole, bits)


def write(code: Code, register: RegisterOperand, value: ex.Expr, bits: int) -> None:
    if bits >= 32:
        code.set(register.name, code.unsigned(value, bits))
        return
    kept = code.binary("&", code.reg(register.name), code.const(~((1 << bits) - 1)))
    code.set(register.name, code.binary("|", kept, code.unsigned(value, bits)))


def value_of(code: Code, operand: Operand, bits: int) -> ex.Expr:
    """What an operand is; memory is loaded."""
    if isinstance(operand, ex.Const):
        return code.signed(operand, bits)
    if isinstance(operand, RegisterOperand):
        return read(code, operand, bits)
    code.load(MEMORY, operand.address, bits)
    return code.reg(MEMORY)


def _less_than_zero(code: Code, value: ex.Expr) -> ex.Expr:
    return code.binary("<", value, code.const(0))


def set_flags(
    code: Code, op: str, left: ex.Expr, right: ex.Expr, bits: int, carry: bool = True
) -> None:
    """Sets the flags as `left op right` does."""
    left, right = code.signed(left, bits), code.signed(right, bits)
    result = code.signed(code.binary(op, left, right), bits)
    if op == "-":
        less = code.binary("<", left, right)
        carried = _below(code, left, right)
    elif (
        op == "+"
    ):  # sign and overflow differ: the sign of left ^ result & right ^ result tells an overflow
        mixed = code.binary("&", code.binary("^", left, result), code.binary("^", right, result))
        less = _less_than_zero(code, code.binary("^", result, mixed))
        carried = _below(code, result, left)
    else:
        less, carried = _less_than_zero(code, result), code.const(0)
    code.set("LT", less)
    if carry:
        code.set("CF", carried)
    code.set("ZF", result)


def _below(code: Code, left: ex.Expr, right: ex.Expr) -> ex.Expr:
    """Unsigned order, which is signed order with the top bit flipped."""
    top = code.const(-(1 << 63))
    return code.binary("<", code.binary("^", left, top), code.binary("^", right, top))
