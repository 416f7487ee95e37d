"""PPC: instructions of the POWER architecture, 64-bit, as "Power ISA" describes them.

A condition register field (`cr0` … `cr7`) is a register that holds a number below, equal to or
above 0 for less, equal and greater. A store-conditional sets cr0 to equal where it stores, which
then depends on its load-reserve too. `li`, `addi` and the like take 16-bit numbers; larger ones are
refused. `%name` is a register that the test names itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from hybrid.errors import Unsupported
from hybrid.frontend.litmus import machine as mc
from hybrid.frontend.litmus.machine import Code, Form, RegisterOperand
from hybrid.frontend.litmus.syntax import LitmusTest
from hybrid.program import expr as ex
from hybrid.program.program import Program
from hybrid.source import Span

_GENERAL = re.compile(r"%?r?([0-9]|[12][0-9]|3[01])", re.ASCII)
_SYMBOLIC = re.compile(r"%[A-Za-z_][A-Za-z_0-9]*", re.ASCII)
_FIELD = re.compile(r"%?cr([0-7])", re.ASCII)
_OFFSET = re.compile(r"([^()]*)\(([^()]*)\)")


def compile(test: LitmusTest) -> Program:
    """The Program of a test in PPC assembly."""
    return mc.assemble(test, PPC)


def _register(text: str) -> RegisterOperand | None:
    match = _GENERAL.fullmatch(text) if not text[:1].isdigit() else None
    if match is not None:
        return RegisterOperand(f"r{match[1]}")
    match = _FIELD.fullmatch(text)
    if match is not None:
        return RegisterOperand(f"cr{match[1]}")
    return RegisterOperand(text) if _SYMBOLIC.fullmatch(text) else None


def _general(code: Code, text: str, span: Span) -> str | None:
    register = _register(text)
    return None if register is None or register.name.startswith("cr") else register.name


def _read(code: Code, text: str, span: Span) -> ex.Expr | None:
    name = _general(code, text, span)
    return None if name is None else code.reg(name)


def _base(code: Code, text: str, span: Span) -> ex.Expr | None:
    """A register that is added to an address: r0 stands for 0 there."""
    name = _general(code, text, span)
    return None if name is None else code.const(0) if name == "r0" else code.reg(name)


def _field(code: Code, text: str, span: Span) -> str | None:
    match = _FIELD.fullmatch(text)
    return None if match is None else f"cr{match[1]}"


def _number(lowest: int, highest: int) -> mc.Shape:
    def shape(code: Code, text: str, span: Span) -> ex.Const | None:
        value = mc.number(text)
        return None if value is None or not lowest <= value <= highest else code.const(value)

    return shape


def _memory(code: Code, text: str, span: Span) -> ex.Expr | None:
    """`8(r2)`."""
    match = _OFFSET.fullmatch(text)
    if match is None:
        return None
    offset = mc.number(match[1].strip() or "0")
    base = _base(code, match[2].strip(), span)
    if offset is None or base is None or not -0x8000 <= offset < 0x8000:
        return None
    return code.binary("+", base, code.const(offset))


def _updated(code: Code, text: str, span: Span) -> tuple[str, ex.Expr] | None:
    """`8(r2)` where r2 becomes the address: the register, which is not r0, and the address."""
    address = _memory(code, text, span)
    match = _OFFSET.fullmatch(text)
    name = None if match is None else _general(code, match[2].strip(), span)
    return None if address is None or name in (None, "r0") else (str(name), address)


# What instructions do

Emit = Callable[..., None]


def _load(bits: int, signed: bool = False) -> list[Form]:
    def emit(code: Code, d: str, address: ex.Expr) -> None:
        code.load(d, address, bits, signed=signed)

    def emit_parts(code: Code, d: str, offset: ex.Expr, base: ex.Expr) -> None:
        emit(code, d, code.binary("+", base, offset))

    return [Form("R,m", emit), Form("R,s,b", emit_parts)]


def _store(bits: int) -> list[Form]:
    def emit(code: Code, value: ex.Expr, address: ex.Expr) -> None:
        code.store(address, value, bits)

    def emit_parts(code: Code, value: ex.Expr, offset: ex.Expr, base: ex.Expr) -> None:
        emit(code, value, code.binary("+", base, offset))

    return [Form("r,m", emit), Form("r,s,b", emit_parts)]


def _load_update(code: Code, d: str, place: tuple[str, ex.Expr]) -> None:
    base, address = place
    if base == d:
        raise Unsupported(
            f"unsupported instruction `{code.mnemonic}`: it writes {d} twice", code.span
        )
    code.load(d, address, 32)
    code.set(base, address)


def _store_update(code: Code, value: ex.Expr, place: tuple[str, ex.Expr]) -> None:
    base, address = place
    code.store(address, value, 32)
    code.set(base, address)


def _load_indexed(bits: int, signed: bool = False, exclusive: bool = False) -> list[Form]:
    def emit(code: Code, d: str, a: ex.Expr, b: ex.Expr) -> None:
        code.load(d, code.binary("+", a, b), bits, signed=signed, exclusive=exclusive)

    return [Form("R,b,r", emit)]


def _store_indexed(bits: int) -> list[Form]:
    def emit(code: Code, value: ex.Expr, a: ex.Expr, b: ex.Expr) -> None:
        code.store(code.binary("+", a, b), value, bits)

    return [Form("r,b,r", emit)]


def _store_conditional(bits: int) -> list[Form]:
    def emit(code: Code, value: ex.Expr, a: ex.Expr, b: ex.Expr) -> None:
        code.store_conditional("cr0", code.binary("+", a, b), value, bits)

    return [Form("r,b,r", emit)]


def _record(code: Code, d: str) -> None:
    """Compares a result with 0, as instructions that end in a dot do."""
    code.set("cr0", code.reg(d))


def _arithmetic(
    op: str, shapes: str = "R,r,r", record: bool = False, swap: bool = False, invert: bool = False
) -> list[Form]:
    """`d := a op b`; `swap` exchanges the operands, `invert` inverts the result."""

    def emit(code: Code, d: str, a: ex.Expr, b: ex.Expr) -> None:
        result = code.binary(op, b, a) if swap else code.binary(op, a, b)
        code.set(d, code.unary("~", result) if invert else result)
        if record:
            _record(code, d)

    return [Form(shapes, emit)]


def _move(
    make: Callable[[Code, ex.Expr], ex.Expr], shapes: str = "R,r", record: bool = False
) -> list[Form]:
    def emit(code: Code, d: str, a: ex.Expr) -> None:
        code.set(d, make(code, a))
        if record:
            _record(code, d)

    return [Form(shapes, emit)]


def _shift(op: str) -> list[Form]:
    """A shift of the low 32 bits by a number below 32: the upper half of the result is zeros, or
    the sign after `srawi`."""

    def emit(code: Code, d: str, a: ex.Expr, n: ex.Expr) -> None:
        if op == ">>":
            code.set(d, code.binary(">>", code.signed(a, 32), n))
        elif op == ">>>":
            code.set(d, code.binary(">>", code.unsigned(a, 32), n))
        else:
            code.set(d, code.unsigned(code.binary("<<", a, n), 32))

    return [Form("R,r,n", emit)]


def _shift_by(op: str) -> list[Form]:
    """A shift of the low 32 bits by the low 6 bits of a register: by 32 or more nothing, or the
    sign, is left."""

    def emit(code: Code, d: str, a: ex.Expr, b: ex.Expr) -> None:
        low = code.signed(a, 32) if op == ">>" else code.unsigned(a, 32)
        count = code.binary("&", b, code.const(63))
        shifted = code.binary("<<" if op == "<<" else ">>", low, count)
        code.set(d, code.unsigned(shifted, 32) if op == "<<" else shifted)

    return [Form("R,r,r", emit)]


def _words(op: str, record: bool = False) -> list[Form]:
    """Multiplies or divides the low 32 bits."""

    def emit(code: Code, d: str, a: ex.Expr, b: ex.Expr) -> None:
        code.set(d, code.binary(op, code.signed(a, 32), code.signed(b, 32)))
        if record:
            _record(code, d)

    return [Form("R,r,r", emit)]


def _add_shifted(code: Code, d: str, a: ex.Expr, number: ex.Const) -> None:
    code.set(d, code.binary("+", a, code.signed(code.const(number.value << 16), 32)))


def _clear_left(code: Code, d: str, a: ex.Expr, n: ex.Const) -> None:
    code.set(d, code.binary("&", a, code.const((1 << (64 - n.value)) - 1)))


def _rotate(code: Code, d: str, a: ex.Expr, n: ex.Const, first: ex.Const, last: ex.Const) -> None:
    """The low 32 bits, rotated left, of which those from `first` to `last` stay, counted from the
    left."""
    if first.value > last.value:
        raise Unsupported(f"unsupported instruction `{code.mnemonic}`: the mask wraps", code.span)
    low = code.unsigned(a, 32)
    rotated = low
    if n.value:
        right = code.binary(">>", low, code.const(32 - n.value))
        rotated = code.binary("|", code.binary("<<", low, n), right)
    mask = (1 << (32 - first.value)) - (1 << (31 - last.value))
    code.set(d, code.binary("&", rotated, code.const(mask)))


def _compare(bits: int, immediate: str = "", signed: bool = True) -> list[Form]:
    """Into cr0 or the field that is named; `cmp cr0,0,…`-like forms are not taken."""

    def emit_into(code: Code, field: str, a: ex.Expr, b: ex.Expr) -> None:
        if bits == 32:
            extend = code.signed if signed else code.unsigned
            difference = code.binary("-", extend(a, 32), extend(b, 32))
        else:
            if not signed:  # unsigned order is signed order with the top bit flipped
                top = code.const(-(1 << 63))
                a, b = code.binary("^", a, top), code.binary("^", b, top)
            difference = code.binary("-", code.binary(">", a, b), code.binary("<", a, b))
        code.set(field, difference)

    def emit(code: Code, a: ex.Expr, b: ex.Expr) -> None:
        emit_into(code, "cr0", a, b)

    second = immediate or "r"
    return [Form(f"r,{second}", emit), Form(f"c,r,{second}", emit_into)]


def _branch(op: str) -> list[Form]:
    def emit_on(code: Code, field: str, label: tuple[str, Span]) -> None:
        code.branch(code.binary(op, code.reg(field), code.const(0)), label)

    def emit(code: Code, label: tuple[str, Span]) -> None:
        emit_on(code, "cr0", label)

    return [Form("l", emit), Form("c,l", emit_on)]


def _fence(tag: str) -> list[Form]:
    return [Form("", lambda code: code.fence(tag))]


def _nothing(code: Code) -> None:
    """No effect."""


# The letters of a form: `R` a register that is written, `r` one that is read, `b` the same where r0
# is 0; `c` a condition field; `m` number(register), `U` the same with update; `s u h` numbers of 16
# bits (signed, unsigned, either), `n` below 32, `d` below 64; `l` a label.
_TABLE: dict[str, list[Form]] = {
    # memory
    "lwz": _load(32),
    "lwa": _load(32, signed=True),
    "ld": _load(64),
    "lbz": _load(8),
    "lhz": _load(16),
    "lha": _load(16, signed=True),
    "stw": _store(32),
    "std": _store(64),
    "stb": _store(8),
    "sth": _store(16),
    "lwzx": _load_indexed(32),
    "lwax": _load_indexed(32, signed=True),
    "ldx": _load_indexed(64),
    "lbzx": _load_indexed(8),
    "lhzx": _load_indexed(16),
    "lwzu": [Form("R,U", _load_update)],
    "stwu": [Form("r,U", _store_update)],
    "stwx": _store_indexed(32),
    "stdx": _store_indexed(64),
    "stbx": _store_indexed(8),
    "sthx": _store_indexed(16),
    "lwarx": _load_indexed(32, exclusive=True),
    "ldarx": _load_indexed(64, exclusive=True),
    "stwcx.": _store_conditional(32),
    "stdcx.": _store_conditional(64),
    # fences
    "sync": _fence("SYNC"),
    "hwsync": _fence("SYNC"),
    "dsync": _fence("SYNC"),
    "lwsync": _fence("LWSYNC"),
    "eieio": _fence("EIEIO"),
    "isync": _fence("ISYNC"),
    # registers
    "li": _move(lambda code, a: a, "R,s"),
    "lis": _move(lambda code, a: code.signed(code.binary("<<", a, code.const(16)), 32), "R,h"),
    "mr": _move(lambda code, a: a),
    "mr.": _move(lambda code, a: a, record=True),
    "neg": _move(lambda code, a: code.unary("-", a)),
    "neg.": _move(lambda code, a: code.unary("-", a), record=True),
    "not": _move(lambda code, a: code.unary("~", a)),
    "extsw": _move(lambda code, a: code.signed(a, 32)),
    "extsh": _move(lambda code, a: code.signed(a, 16)),
    "extsb": _move(lambda code, a: code.signed(a, 8)),
    "addi": _arithmetic("+", "R,b,s"),
    "subi": _arithmetic("-", "R,b,s"),
    "slwi": _shift("<<"),
    "srwi": _shift(">>>"),
    "srawi": _shift(">>"),
    "slw": _shift_by("<<"),
    "srw": _shift_by(">>>"),
    "sraw": _shift_by(">>"),
    "mullw": _words("*"),
    "divw": _words("/"),
    "mullw.": _words("*", record=True),
    "divw.": _words("/", record=True),
    "addis": [Form("R,b,h", _add_shifted)],
    "clrldi": [Form("R,r,d", _clear_left)],
    "rlwinm": [Form("R,r,n,n,n", _rotate)],
    "nop": [Form("", _nothing)],
    # comparisons and branches
    "cmpw": _compare(32),
    "cmpwi": _compare(32, "s"),
    "cmplw": _compare(32, signed=False),
    "cmplwi": _compare(32, "u", signed=False),
    "cmpd": _compare(64),
    "cmpdi": _compare(64, "s"),
    "cmpld": _compare(64, signed=False),
    "cmpldi": _compare(64, "u", signed=False),
    "beq": _branch("=="),
    "bne": _branch("!="),
    "blt": _branch("<"),
    "bgt": _branch(">"),
    "ble": _branch("<="),
    "bng": _branch("<="),
    "bge": _branch(">="),
    "bnl": _branch(">="),
    "b": [Form("l", lambda code, label: code.goto(label))],
}
for _name, _op in (("add", "+"), ("xor", "^"), ("or", "|"), ("and", "&")):
    _TABLE[_name] = _arithmetic(_op)
    _TABLE[f"{_name}."] = _arithmetic(_op, record=True)
for _name, _op in (("nor", "|"), ("nand", "&"), ("eqv", "^")):
    _TABLE[_name] = _arithmetic(_op, invert=True)
    _TABLE[f"{_name}."] = _arithmetic(_op, record=True, invert=True)
for _dot in ("", "."):
    _TABLE[f"subf{_dot}"] = _arithmetic("-", record=bool(_dot), swap=True)
    _TABLE[f"sub{_dot}"] = _arithmetic("-", record=bool(_dot))
for _name, _op in (("ori", "|"), ("xori", "^")):
    _TABLE[_name] = _arithmetic(_op, "R,r,u")
_TABLE["andi."] = _arithmetic("&", "R,r,u", record=True)
_TABLE["addi."] = _arithmetic("+", "R,r,s", record=True)
_TABLE["mulli"] = _arithmetic("*", "R,r,s")

PPC = mc.InstructionSet(
    name="PPC",
    register=_register,
    shapes={
        "R": _general,
        "r": _read,
        "b": _base,
        "c": _field,
        "m": _memory,
        "U": _updated,
        "s": _number(-0x8000, 0x7FFF),
        "u": _number(0, 0xFFFF),
        "h": _number(-0x8000, 0xFFFF),
        "n": _number(0, 31),
        "d": _number(0, 63),
        "l": mc.label,
    },
    words={
        "R": "register",
        "r": "register",
        "b": "register",
        "c": "cr0…cr7",
        "m": "number(register)",
        "U": "number(register)",
        "s": "16-bit number",
        "u": "16-bit number from 0",
        "h": "16-bit number",
        "n": "number below 32",
        "d": "number below 64",
        "l": "label",
    },
    table=_TABLE,
)
