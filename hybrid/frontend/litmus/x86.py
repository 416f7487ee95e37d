"""X86 and X86_64: instructions of Intel's architecture, after its "Software Developer's Manual".

In X86 tests the destination comes first, `MOV [x],$1`; in X86_64 tests the source does, `movl $1,(x)`. A register is known by its full name
(`EAX`, in X86_64 `RAX`); writing a 32-bit part clears the upper half, writing a smaller one keeps the rest. An instruction that reads and writes
memory is a load and a store, one atomic step only with LOCK or for XCHG.

Flags: `ZF` holds the last result (equal is 0, the sign is its sign), `LT` whether it is less by signed order, `CF` whether there is a carry.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from hybrid.errors import Unsupported
from hybrid.frontend.litmus import machine as mc
from hybrid.frontend.litmus.machine import Code, Form, Register
from hybrid.frontend.litmus.syntax import LitmusTest
from hybrid.program import expr as ex
from hybrid.program.program import Program
from hybrid.source import Span

_LOCKED = frozenset({"LOCK"})
_MEMORY = "mem"  # a register of ours: what an instruction read from memory
_SUFFIXES = {"": None, "B": 8, "W": 16, "L": 32, "Q": 64}
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9.]*", re.ASCII)
_ADDRESS = re.compile(r"([+-]?\w*)\s*(?:\(([^()]*)\)|\[([^][]*)\])", re.ASCII)


def compile(test: LitmusTest) -> Program:
    """The Program of a test in X86 or X86_64 assembly."""
    return mc.assemble(test, X86_64 if test.arch == "X86_64" else X86)


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


def _register_of(prefix: str) -> Callable[[str], Register | None]:
    def register(text: str) -> Register | None:
        part = _PARTS.get(text.removeprefix("%").upper())
        if part is None or (prefix == "E" and (part[1] == 64 or part[0].isdigit())):
            return None
        return Register(f"R{part[0]}" if part[0].isdigit() else f"{prefix}{part[0]}", part[1])

    return register


# Operands


@dataclass(frozen=True, slots=True)
class Cell:
    """Memory: an address, and the width that its type tells where the operand names a location."""

    address: ex.Expr
    bits: int | None


Place = Register | Cell
Operand = Register | Cell | ex.Const


def _register(code: Code, text: str, span: Span) -> Register | None:
    return code.architecture.register(text)


def _memory(code: Code, text: str, span: Span) -> Cell | None:
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
    return Cell(address, None)


def _based(code: Code, base: str, offset: int, span: Span) -> Cell | None:
    register = _whole(code, base)
    if register is not None:
        return Cell(code.binary("+", register, code.const(offset)), None)
    if code.architecture.register(base) is not None or not _NAME.fullmatch(base):
        return None
    variable = code.memory.variable(base, span)
    return Cell(code.binary("+", code.address_of(base, span), code.const(offset)), variable.bits)


def _whole(code: Code, text: str) -> ex.Expr | None:
    """A register in an address: at least 32 bits of it."""
    register = code.architecture.register(text)
    return None if register is None or register.bits < 32 else _read(code, register, register.bits)


def _immediate(code: Code, text: str, span: Span) -> ex.Const | None:
    value = mc.number(text.removeprefix("$"))
    return None if value is None else code.const(value)


def _place(code: Code, text: str, span: Span) -> Place | None:
    return _register(code, text, span) or _memory(code, text, span)


def _operand(code: Code, text: str, span: Span) -> Operand | None:
    return _place(code, text, span) or _immediate(code, text, span)


# Reading and writing


def _bits(code: Code, suffix: int | None, *operands: Operand) -> int:
    """The width of an instruction: its suffix, else that of its registers, else that of the location, else 32."""
    widths = {o.bits for o in operands if isinstance(o, Register)} | ({suffix} - {None})
    if len(widths) > 1:
        raise _refused(code, "operands of different widths")
    for width in widths:
        if width is not None:
            return width
    cells = [o.bits for o in operands if isinstance(o, Cell) and o.bits is not None]
    return cells[0] if cells else 32


def _refused(code: Code, why: str) -> Unsupported:
    return Unsupported(f"unsupported instruction `{code.mnemonic}`: {why}", code.span)


def _read(code: Code, register: Register, bits: int) -> ex.Expr:
    """The low bits of a register, of which nothing above is looked at by what follows."""
    whole = code.reg(register.name)
    return whole if bits == 64 else code.unsigned(whole, bits)


def _write(code: Code, register: Register, value: ex.Expr, bits: int) -> None:
    if bits >= 32:
        code.set(register.name, code.unsigned(value, bits))
        return
    kept = code.binary("&", code.reg(register.name), code.const(~((1 << bits) - 1)))
    code.set(register.name, code.binary("|", kept, code.unsigned(value, bits)))


def _value(code: Code, operand: Operand, bits: int) -> ex.Expr:
    """What an operand is; memory is loaded."""
    if isinstance(operand, ex.Const):
        return code.signed(operand, bits)
    if isinstance(operand, Register):
        return _read(code, operand, bits)
    code.load(_MEMORY, operand.address, bits)
    return code.reg(_MEMORY)


def _less_than_zero(code: Code, value: ex.Expr) -> ex.Expr:
    return code.binary("<", value, code.const(0))


def _flags(
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


# What instructions do

Emit = Callable[..., None]


def _mov(bits: int | None) -> Emit:
    def emit(code: Code, to: Place, source: Operand) -> None:
        if (
            isinstance(to, Cell)
            and isinstance(source, ex.Const)
            and bits is None
            and to.bits is None
        ):
            code.store(to.address, source, None)
            return
        width = _bits(code, bits, to, source)
        if isinstance(to, Cell):
            code.store(to.address, _value(code, source, width), width)
        elif isinstance(source, Cell) and width >= 32:
            code.load(to.name, source.address, width)
        else:
            _write(code, to, _value(code, source, width), width)

    return emit


def _update(code: Code, op: str, to: Place, operand: ex.Expr, bits: int, locked: bool) -> ex.Expr:
    """`to := to op operand`; gives what it was."""
    if isinstance(to, Register):
        if locked:
            raise _refused(code, "LOCK without a memory operand")
        _write(code, to, code.binary(op, _read(code, to, bits), operand), bits)
        return code.reg(to.name)
    if locked:
        code.rmw(_MEMORY, op, to.address, operand, bits, tags=_LOCKED)
    else:
        code.load(_MEMORY, to.address, bits)
        code.store(to.address, code.binary(op, code.reg(_MEMORY), operand), bits)
    return code.reg(_MEMORY)


def _arithmetic(op: str, bits: int | None, locked: bool) -> Emit:
    def emit(code: Code, to: Place, source: Operand) -> None:
        width = _bits(code, bits, to, source)
        operand = _value(code, source, width)
        if isinstance(to, Register):
            _flags(code, op, _read(code, to, width), operand, width)
            _update(code, op, to, operand, width, locked)
        else:
            _flags(code, op, _update(code, op, to, operand, width, locked), operand, width)

    return emit


def _step(op: str, bits: int | None, locked: bool) -> Emit:
    """INC and DEC, which leave the carry as it is."""

    def emit(code: Code, to: Place) -> None:
        width = _bits(code, bits, to)
        if isinstance(to, Register):
            _flags(code, op, _read(code, to, width), code.const(1), width, carry=False)
            _update(code, op, to, code.const(1), width, locked)
        else:
            old = _update(code, op, to, code.const(1), width, locked)
            _flags(code, op, old, code.const(1), width, carry=False)

    return emit


def _not(bits: int | None, locked: bool) -> Emit:
    def emit(code: Code, to: Place) -> None:
        _update(code, "^", to, code.const(-1), _bits(code, bits, to), locked)

    return emit


def _neg(bits: int | None) -> Emit:
    def emit(code: Code, to: Place) -> None:
        width = _bits(code, bits, to)
        old = _value(code, to, width)
        _flags(code, "-", code.const(0), old, width)
        if isinstance(to, Cell):
            code.store(to.address, code.unary("-", old), width)
        else:
            _write(code, to, code.unary("-", old), width)

    return emit


def _compare(op: str, bits: int | None) -> Emit:
    """CMP and TEST."""

    def emit(code: Code, left: Operand, right: Operand) -> None:
        width = _bits(code, bits, left, right)
        first = _value(code, left, width)
        _flags(code, op, first, _value(code, right, width), width)

    return emit


def _xchg(bits: int | None, locked: bool) -> Emit:
    def emit(code: Code, one: Place, other: Place) -> None:
        if isinstance(one, Register):
            one, other = other, one
        if not isinstance(other, Register):
            raise _refused(code, "two memory operands")
        width = _bits(code, bits, one, other)
        given = _read(code, other, width)
        if isinstance(one, Register):
            code.set(_MEMORY, given)
            _write(code, other, _read(code, one, width), width)
            _write(code, one, code.reg(_MEMORY), width)
            return
        if locked:
            code.rmw(_MEMORY, "xchg", one.address, given, width, tags=_LOCKED)
        else:
            code.load(_MEMORY, one.address, width)
            code.store(one.address, given, width)
        _write(code, other, code.reg(_MEMORY), width)

    return emit


def _xadd(bits: int | None, locked: bool) -> Emit:
    def emit(code: Code, one: Place, other: Place) -> None:
        to, register = (one, other) if isinstance(one, Cell) else (other, one)
        if not isinstance(to, Cell) or not isinstance(register, Register):
            raise _refused(code, "expected memory and a register")
        width = _bits(code, bits, to, register)
        given = _read(code, register, width)
        old = _update(code, "+", to, given, width, locked)
        _flags(code, "+", old, given, width)
        _write(code, register, old, width)

    return emit


def _cmpxchg(bits: int | None, locked: bool) -> Emit:
    """Compares the accumulator with memory: stores the register if they are equal, else loads the accumulator."""

    def emit(code: Code, one: Place, other: Place) -> None:
        to, register = (one, other) if isinstance(one, Cell) else (other, one)
        if not isinstance(to, Cell) or not isinstance(register, Register):
            raise _refused(code, "expected memory and a register")
        width = _bits(code, bits, to, register)
        whole = code.architecture.register("EAX")
        assert whole is not None
        expected, given = _read(code, whole, width), _read(code, register, width)
        if locked:
            code.rmw(_MEMORY, "cas", to.address, given, width, expected=expected, tags=_LOCKED)
        else:
            code.load(_MEMORY, to.address, width)
            done = code.local_label()
            old = code.signed(code.reg(_MEMORY), width)
            code.branch(code.binary("!=", old, code.signed(expected, width)), done)
            code.store(to.address, given, width)
            code.here(done)
        _flags(code, "-", expected, code.reg(_MEMORY), width)
        _write(code, whole, code.reg(_MEMORY), width)  # where they are equal it stays what it is

    return emit


def _lea(bits: int | None) -> Emit:
    def emit(code: Code, to: Register, source: Cell) -> None:
        _write(code, to, source.address, _bits(code, bits, to))

    return emit


def _jump(op: str, flag: str) -> Emit:
    def emit(code: Code, label: tuple[str, Span]) -> None:
        code.branch(code.binary(op, code.reg(flag), code.const(0)), label)

    return emit


def _jump_two(flag: str, both: bool) -> Emit:
    """If `flag` or equal, or, with `both`, if neither."""

    def emit(code: Code, label: tuple[str, Span]) -> None:
        one = code.binary("!=", code.reg(flag), code.const(0))
        either = code.binary("|", one, code.binary("==", code.reg("ZF"), code.const(0)))
        code.branch(code.unary("!", either) if both else either, label)

    return emit


_JUMPS: dict[str, Emit] = {
    "JMP": lambda code, label: code.goto(label),
    **dict.fromkeys(("JE", "JZ"), _jump("==", "ZF")),
    **dict.fromkeys(("JNE", "JNZ"), _jump("!=", "ZF")),
    "JS": _jump("<", "ZF"),
    "JNS": _jump(">=", "ZF"),
    **dict.fromkeys(("JL", "JLT", "JNGE"), _jump("!=", "LT")),
    **dict.fromkeys(("JGE", "JNL"), _jump("==", "LT")),
    **dict.fromkeys(("JLE", "JNG"), _jump_two("LT", False)),
    **dict.fromkeys(("JG", "JGT", "JNLE"), _jump_two("LT", True)),
    **dict.fromkeys(("JB", "JC", "JNAE"), _jump("!=", "CF")),
    **dict.fromkeys(("JAE", "JNC", "JNB"), _jump("==", "CF")),
    **dict.fromkeys(("JBE", "JNA"), _jump_two("CF", False)),
    **dict.fromkeys(("JA", "JNBE"), _jump_two("CF", True)),
}


def _nothing(code: Code) -> None:
    """No effect."""


def _two(emit: Emit, source_first: bool, *shapes: str) -> list[Form]:
    """Forms of two operands, given with the destination first."""

    def swapped(code: Code, source: object, to: object) -> None:
        emit(code, to, source)

    if source_first:
        return [Form(",".join(reversed(shape.split(","))), swapped) for shape in shapes]
    return [Form(shape, emit) for shape in shapes]


def _table(source_first: bool) -> dict[str, list[Form]]:
    table = {name: [Form("l", emit)] for name, emit in _JUMPS.items()}
    for fence in ("MFENCE", "LFENCE", "SFENCE"):
        table[fence] = [Form("", lambda code, tag=fence: code.fence(tag))]
    for name in ("NOP", "PAUSE", "ENDBR64"):
        table[name] = [Form("", _nothing)]
    anywhere = ("r,o", "m,r", "m,i")
    for suffix, bits in _SUFFIXES.items():
        table[f"MOV{suffix}"] = _two(_mov(bits), source_first, *anywhere)
        table[f"LEA{suffix}"] = _two(_lea(bits), source_first, "r,m")
        table[f"CMP{suffix}"] = _two(_compare("-", bits), source_first, *anywhere)
        table[f"TEST{suffix}"] = _two(_compare("&", bits), source_first, *anywhere)
        table[f"NEG{suffix}"] = [Form("p", _neg(bits))]
        table[f"UXCH{suffix}"] = [Form("p,p", _xchg(bits, False))]
        for lock in (False, True):
            name = f"LOCK {{}}{suffix}" if lock else f"{{}}{suffix}"
            for mnemonic, op in _OPERATIONS.items():
                emit = _arithmetic(op, bits, lock)
                table[name.format(mnemonic)] = _two(emit, source_first, *anywhere)
            table[name.format("INC")] = [Form("p", _step("+", bits, lock))]
            table[name.format("DEC")] = [Form("p", _step("-", bits, lock))]
            table[name.format("NOT")] = [Form("p", _not(bits, lock))]
            table[name.format("XCHG")] = [Form("p,p", _xchg(bits, True))]
            table[name.format("XADD")] = [Form("p,p", _xadd(bits, lock))]
            table[name.format("CMPXCHG")] = [Form("p,p", _cmpxchg(bits, lock))]
    return table


_OPERATIONS = {"ADD": "+", "SUB": "-", "AND": "&", "OR": "|", "XOR": "^"}


def _split(text: str) -> tuple[str, str]:
    """The mnemonic, with LOCK before it if that is there, and the operands."""
    match = re.match(r"(?:(lock)\s+)?(\S+)\s*", text, re.IGNORECASE)
    assert match is not None  # cells are not empty
    return " ".join(word for word in match.groups() if word), text[match.end() :]


def _architecture(prefix: str, source_first: bool) -> mc.Architecture:
    return mc.Architecture(
        name="X86",
        register=_register_of(prefix),
        shapes={
            "r": _register,
            "m": _memory,
            "i": _immediate,
            "p": _place,
            "o": _operand,
            "l": mc.label,
        },
        words={
            "r": "register",
            "m": "[memory]",
            "i": "$number",
            "p": "register or [memory]",
            "o": "operand",
            "l": "label",
        },
        table=_table(source_first),
        capitals=True,
        split=_split,
        flags=frozenset({"ZF", "LT", "CF", _MEMORY}),
    )


X86 = _architecture("E", source_first=False)
X86_64 = _architecture("R", source_first=True)
