"""Operands of A64 instructions: registers, numbers, addresses, shifts, extensions, conditions,
options of barriers.

The letters under which instructions ask for them stand in SHAPES. X registers are the registers of
the program; a W register is the low half of one, and what reads it looks at nothing else. Writing
it clears the upper half. XZR and WZR read as 0 and take no value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hybrid.frontend.litmus import machine as mc
from hybrid.frontend.litmus.machine import Code, RegisterOperand
from hybrid.program import expr as ex
from hybrid.source import Span

_REGISTER = re.compile(r"([XW])([0-9]|[12][0-9]|30|ZR)", re.ASCII | re.IGNORECASE)
_SYMBOLIC = re.compile(r"([XW]?)(%[A-Za-z_][A-Za-z_0-9]*)", re.ASCII | re.IGNORECASE)
_SHIFT = re.compile(r"([A-Z]+)\s*#?\s*([0-9]+)", re.ASCII | re.IGNORECASE)
_BRACKETS = re.compile(r"\[([^\[\]]*)\](\s*!)?")
_SHIFTS = ("LSL", "LSR", "ASR", "ROR")
_EXTENSIONS = {
    f"{sign}XT{size}": (sign == "S", bits)
    for sign in "US"
    for size, bits in (("B", 8), ("H", 16), ("W", 32), ("X", 64))
}
FLAGS = ("N", "Z", "C", "V")


def register(text: str) -> RegisterOperand | None:
    """`X3`, `W3`, `XZR`, `WZR` in capitals or not, `X%a`, `W%a`, `%a`; the canonical name is that
    of the X register."""
    match = _SYMBOLIC.fullmatch(text)
    if match is not None:
        return RegisterOperand(f"X{match[2]}", 32 if match[1] in ("w", "W") else 64)
    match = _REGISTER.fullmatch(text)
    if match is None:
        return None
    bits = 64 if match[1] in "xX" else 32
    return RegisterOperand("" if match[2].upper() == "ZR" else f"X{int(match[2])}", bits)


@dataclass(frozen=True, slots=True)
class OperandShift:
    """A shift or extension of a register operand: `LSL #2`, `SXTW`, `UXTW #2`."""

    kind: str  # LSL, LSR, ASR, ROR, or an extension
    amount: int

    def apply(self, code: Code, value: ex.Expr, bits: int) -> ex.Expr:
        """The changed value; its low `bits` count."""
        amount = code.const(self.amount)
        if self.kind in _EXTENSIONS:
            signed, width = _EXTENSIONS[self.kind]
            extended = code.signed(value, width) if signed else code.unsigned(value, width)
            return code.binary("<<", extended, amount)
        return shifted(code, self.kind, value, amount, bits)


def shifted(code: Code, kind: str, value: ex.Expr, amount: ex.Expr, bits: int) -> ex.Expr:
    """`value` of `bits` bits, shifted or rotated by less than `bits`; the low `bits` of the result
    count."""
    if kind == "LSL":
        return code.binary("<<", value, amount)
    if kind == "ASR":
        return code.binary(">>", code.signed(value, bits), amount)
    low = code.unsigned(value, bits)
    right = code.binary(">>>", low, amount)
    if kind == "LSR":
        return right
    rest = code.binary("&", code.binary("-", code.const(bits), amount), code.const(bits - 1))
    return code.binary("|", right, code.binary("<<", low, rest))


@dataclass(frozen=True, slots=True)
class AddressOperand:
    """`[Xn]`, `[Xn,#4]`, `[Xn,#4]!`, `[Xn,Wm,SXTW]`."""

    base: str
    offset: ex.Expr
    bare: bool  # nothing but a base, or an offset of 0
    immediate: bool  # the offset is a number
    writes_back: bool

    def expr(self, code: Code, further: int = 0) -> ex.Expr:
        """Where the access is, or `further` bytes behind it."""
        found = code.binary("+", code.reg(self.base), self.offset)
        return code.binary("+", found, code.const(further))


def _registers(bits: int) -> mc.Shape:
    """A register of that width: its canonical name."""

    def shape(code: Code, text: str, span: Span) -> str | None:
        found = register(text)
        return None if found is None or found.bits != bits else found.name

    return shape


def _values(bits: int) -> mc.Shape:
    """What a register of that width holds; of a W register only the low half counts."""

    def shape(code: Code, text: str, span: Span) -> ex.Expr | None:
        found = register(text)
        return None if found is None or found.bits != bits else code.reg(found.name)

    return shape


def _number(text: str) -> int | None:
    return mc.number(text.removeprefix("#").strip())


def _immediate(code: Code, text: str, span: Span) -> ex.Const | None:
    value = _number(text)
    return None if value is None else code.const(value)


def _shift(code: Code, text: str, span: Span) -> OperandShift | None:
    match = _SHIFT.fullmatch(text)
    if match is None or match[1].upper() not in _SHIFTS:
        return None
    amount = int(match[2][:4])
    return OperandShift(match[1].upper(), amount) if amount < 64 else None


def _extension(code: Code, text: str, span: Span) -> OperandShift | None:
    match = _SHIFT.fullmatch(text)
    kind, amount = (text, "0") if match is None else (match[1], match[2])
    if kind.upper() not in _EXTENSIONS or int(amount[:4]) > 4:
        return None
    return OperandShift(kind.upper(), int(amount[:4]))


def _address(code: Code, text: str, span: Span) -> AddressOperand | None:
    match = _BRACKETS.fullmatch(text)
    if match is None:
        return None
    parts = [part.strip() for part in match[1].split(",")]
    base, back = register(parts[0]), match[2] is not None
    if base is None or base.bits != 64 or not base.name:
        return None
    if len(parts) == 1:
        return None if back else AddressOperand(base.name, code.const(0), True, True, False)
    index = register(parts[1])
    if index is None:
        number = _number(parts[1])
        if number is None or len(parts) > 2:
            return None
        return AddressOperand(base.name, code.const(number), number == 0 and not back, True, back)
    offset = _index(code, index, parts[2:], span)
    return (
        None if offset is None or back else AddressOperand(base.name, offset, False, False, False)
    )


def _index(code: Code, index: RegisterOperand, rest: list[str], span: Span) -> ex.Expr | None:
    """The offset that a register is: `X2`, `X2,LSL #2`, `W2,SXTW`, `X2,SXTX #3`; `X2,SXTW` is
    `W2,SXTW`, as in herd."""
    value = code.reg(index.name)
    if not rest:
        return value if index.bits == 64 else None
    if len(rest) > 1:
        return None
    change = _shift(code, rest[0], span) or _extension(code, rest[0], span)
    allowed = ("SXTW", "UXTW", *(("LSL", "SXTX", "UXTX") if index.bits == 64 else ()))
    if change is None or change.kind not in allowed or change.amount > 4:
        return None
    return change.apply(code, value, 64)


def _addresses(accept: Callable[[AddressOperand], bool]) -> mc.Shape:
    def shape(code: Code, text: str, span: Span) -> AddressOperand | None:
        found = _address(code, text, span)
        return found if found is not None and accept(found) else None

    return shape


CONDITIONS: Mapping[str, Callable[[Code], ex.Expr]] = {
    "EQ": lambda code: code.reg("Z"),
    "CS": lambda code: code.reg("C"),
    "MI": lambda code: code.reg("N"),
    "VS": lambda code: code.reg("V"),
    "HI": lambda code: code.binary("&&", code.reg("C"), code.unary("!", code.reg("Z"))),
    "GE": lambda code: code.binary("==", code.reg("N"), code.reg("V")),
    "GT": lambda code: code.binary(
        "&&", code.unary("!", code.reg("Z")), code.binary("==", code.reg("N"), code.reg("V"))
    ),
}
_OPPOSITES = {"NE": "EQ", "CC": "CS", "PL": "MI", "VC": "VS", "LS": "HI", "LT": "GE", "LE": "GT"}
_SYNONYMS = {"HS": "CS", "LO": "CC"}
CONDITION_NAMES = (*CONDITIONS, *_OPPOSITES, *_SYNONYMS)


def condition(code: Code, name: str) -> ex.Expr:
    """Whether a condition holds of the flags."""
    name = _SYNONYMS.get(name, name)
    if name in _OPPOSITES:
        return code.unary("!", CONDITIONS[_OPPOSITES[name]](code))
    return CONDITIONS[name](code)


def _condition(code: Code, text: str, span: Span) -> ex.Expr | None:
    return condition(code, text.upper()) if text.upper() in CONDITION_NAMES else None


_OPTIONS = {
    f"{domain}{kind}" or "SY": kind or "SY"
    for domain in ("", "ISH", "OSH")
    for kind in ("", "LD", "ST")
}


def _option(code: Code, text: str, span: Span) -> str | None:
    """What a barrier waits for: SY, LD or ST. Everything is in one domain."""
    return _OPTIONS.get(text.upper())


SHAPES: Mapping[str, mc.Shape] = {
    "W": _registers(32),
    "X": _registers(64),
    "w": _values(32),
    "x": _values(64),
    "i": _immediate,
    "s": _shift,
    "e": _extension,
    "a": _addresses(lambda address: address.bare),
    "o": _addresses(lambda address: address.immediate and not address.writes_back),
    "m": _addresses(lambda address: not address.writes_back),
    "p": _addresses(lambda address: address.writes_back),
    "c": _condition,
    "b": _option,
    "l": mc.label,
}
WORDS: Mapping[str, str] = {
    "W": "Wd",
    "X": "Xd",
    "w": "Wn",
    "x": "Xn",
    "i": "#n",
    "s": "LSL #n",
    "e": "SXTW",
    "a": "[Xn]",
    "o": "[Xn,#n]",
    "m": "[Xn,…]",
    "p": "[Xn,#n]!",
    "c": "condition",
    "b": "SY|LD|ST|ISH…|OSH…",
    "l": "label",
}
