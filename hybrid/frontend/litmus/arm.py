"""ARM: instructions of 32-bit Arm, as the "ARM Architecture Reference Manual, ARMv7-A and ARMv7-R
edition" describes them.

A small part: loads, stores, exclusives, barriers, a few operations on registers, comparisons and
branches on them. Registers hold signed 32-bit numbers. `flags` is the difference of what was last
compared. The result of a store-exclusive carries no dependencies. Instructions on a condition
(`MOVNE`) and those that also set flags (`ADDS`) are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from hybrid.errors import Unsupported
from hybrid.frontend.litmus import machine as mc
from hybrid.frontend.litmus.machine import Code, Form, RegisterOperand
from hybrid.frontend.litmus.syntax import LitmusTest
from hybrid.program import expr as ex
from hybrid.program import values
from hybrid.program.program import Program
from hybrid.source import Span

_BITS = 32
_GENERAL = re.compile(r"R([0-9]|1[0-2])", re.ASCII | re.IGNORECASE)
_SYMBOLIC = re.compile(r"%[A-Za-z_][A-Za-z_0-9]*", re.ASCII)
_LIST = re.compile(r"\{([^{}]*)\}")
_BASE = "base"  # holds the address of a load of several registers, one of which is its base
_MEMORY = re.compile(r"\[([^\[\],]*)(?:,([^\[\],]*))?\]")
_CONDITIONS = ("EQ", "NE", "CS", "CC", "MI", "PL", "VS", "VC", "HI", "LS", "GE", "LT", "GT", "LE")
_DOMAINS = ("", "ISH", "OSH", "NSH")


def compile(test: LitmusTest) -> Program:
    """The Program of a test in assembly of 32-bit Arm."""
    return mc.assemble(test, ARM)


# Operands


def _register(text: str) -> RegisterOperand | None:
    if _SYMBOLIC.fullmatch(text):
        return RegisterOperand(text, _BITS)
    match = _GENERAL.fullmatch(text)
    if match is not None:
        return RegisterOperand(f"R{match[1]}", _BITS)
    return RegisterOperand(text.upper(), _BITS) if text.upper() in ("SP", "LR") else None


def _immediate(code: Code, text: str, span: Span) -> ex.Const | None:
    """`#1` or `1`."""
    value = mc.number(text.removeprefix("#").strip())
    if value is None or not -(1 << (_BITS - 1)) <= value < 1 << _BITS:
        return None
    return code.const(values.narrow(value, _BITS))


def _read(code: Code, text: str, span: Span) -> ex.Expr | None:
    """What a register holds, as a signed number, however the initial state wrote it."""
    register = mc.read(code, text, span)
    return None if register is None else code.signed(register, _BITS)


def _operand(code: Code, text: str, span: Span) -> ex.Expr | None:
    """`R1` or `#1`."""
    return _read(code, text, span) or _immediate(code, text, span)


def _memory(code: Code, text: str, span: Span) -> ex.Expr | None:
    """`[R1]`, `[R1,R2]`, `[R1,#4]`."""
    match = _MEMORY.fullmatch(text)
    base = None if match is None else _read(code, match[1].strip(), span)
    if match is None or base is None or match[2] is None:
        return base
    offset = _operand(code, match[2].strip(), span)
    return None if offset is None else _add(code, base, offset)


def _base(code: Code, text: str, span: Span) -> tuple[str, bool] | None:
    """`R1` or `R1!`: the register, and whether it is written back."""
    register = _register(text.removesuffix("!").rstrip())
    return None if register is None else (register.name, text.endswith("!"))


def _list(code: Code, text: str, span: Span) -> list[str] | None:
    """`{R1,R4-R6}`: in the order of their numbers, in which they lie in memory."""
    match = _LIST.fullmatch(text)
    if match is None:
        return None
    found: list[str] = []
    for part in match[1].split(","):
        ends = [_GENERAL.fullmatch(end.strip()) for end in part.split("-")]
        numbers = [int(end[1]) for end in ends if end is not None]
        if len(numbers) != len(ends) or len(ends) > 2 or numbers != sorted(set(numbers)):
            return None
        found += [f"R{number}" for number in range(numbers[0], numbers[-1] + 1)]
    return None if len(set(found)) < len(found) else sorted(found, key=lambda name: int(name[1:]))


def _address(code: Code, text: str, span: Span) -> ex.Expr | None:
    """`[R1]`: exclusives have no offset."""
    match = _MEMORY.fullmatch(text)
    return None if match is None or match[2] is not None else _read(code, match[1].strip(), span)


def _domain(code: Code, text: str, span: Span) -> str | None:
    """What a barrier is for: the tag's second part."""
    return _OPTIONS.get(text.upper())


_OPTIONS = {"SY": "SY", "ST": "ST"} | {
    f"{domain}{kind}": kind or "SY" for domain in _DOMAINS[1:] for kind in ("", "ST")
}


# What instructions do


def _add(code: Code, a: ex.Expr, b: ex.Expr) -> ex.Expr:
    return code.signed(code.binary("+", a, b), _BITS)


def _subtract(code: Code, a: ex.Expr, b: ex.Expr) -> ex.Expr:
    return code.signed(code.binary("-", a, b), _BITS)


def _bitwise(op: str) -> Callable[[Code, ex.Expr, ex.Expr], ex.Expr]:
    return lambda code, a, b: code.binary(op, a, b)


def _load(bits: int, signed: bool = False) -> list[Form]:
    def emit(code: Code, d: str, address: ex.Expr) -> None:
        code.load(d, address, bits, signed=signed)

    return [Form("R,m", emit)]


def _store(bits: int) -> list[Form]:
    def emit(code: Code, value: ex.Expr, address: ex.Expr) -> None:
        code.store(address, value, bits)

    return [Form("r,m", emit)]


def _plain(forms: list[Form], letter: str) -> list[Form]:
    """The forms, and that in which the address is a register without brackets, as herd takes it."""
    return [*forms, *(Form(f"{letter},r", form.emit) for form in forms)]


def _load_several(code: Code, base: tuple[str, bool], registers: list[str]) -> None:
    """From the base's address on, one word each; nothing orders them but their order in the
    program."""
    name, writes_back = base
    if writes_back and name in registers:
        message = f"unsupported instruction `{code.mnemonic}`: {name} is written back and loaded"
        raise Unsupported(message, code.span)
    start = code.signed(code.reg(name), _BITS)
    if name in registers:
        code.set(_BASE, start)
        start = code.reg(_BASE)
    for place, register in enumerate(registers):
        code.load(register, _add(code, start, code.const(4 * place)), _BITS, signed=True)
    if writes_back:
        code.set(name, _add(code, start, code.const(4 * len(registers))))


def _move_top(code: Code, d: str, number: ex.Const) -> None:
    """Sets the upper half of a register."""
    if not 0 <= number.value < 1 << 16:
        message = f"unsupported instruction `{code.mnemonic}`: {number.value} has more than 16 bits"
        raise Unsupported(message, code.span)
    kept = code.binary("&", code.reg(d), code.const(0xFFFF))
    top = code.const(values.narrow(number.value << 16, _BITS))
    code.set(d, code.binary("|", kept, top))


def _move_wide(code: Code, d: str, number: ex.Const) -> None:
    if not 0 <= number.value < 1 << 16:
        message = f"unsupported instruction `{code.mnemonic}`: {number.value} has more than 16 bits"
        raise Unsupported(message, code.span)
    code.set(d, number)


def _load_exclusive(code: Code, d: str, address: ex.Expr) -> None:
    code.load(d, address, _BITS, signed=True, exclusive=True)


def _store_exclusive(code: Code, d: str, value: ex.Expr, address: ex.Expr) -> None:
    code.store_conditional(d, address, value, _BITS, free=True)


def _arithmetic(make: Callable[[Code, ex.Expr, ex.Expr], ex.Expr]) -> list[Form]:
    """`d := make(a, b)`."""

    def emit(code: Code, d: str, a: ex.Expr, b: ex.Expr) -> None:
        code.set(d, make(code, a, b))

    return [Form("R,r,o", emit)]


def _move(code: Code, d: str, a: ex.Expr) -> None:
    code.set(d, a)


def _move_inverted(code: Code, d: str, a: ex.Expr) -> None:
    code.set(d, code.unary("~", a))


def _compare(code: Code, a: ex.Expr, b: ex.Expr) -> None:
    code.set("flags", code.binary("-", a, b))


def _branch(op: str) -> list[Form]:
    def emit(code: Code, label: tuple[str, Span]) -> None:
        code.branch(code.binary(op, code.reg("flags"), code.const(0)), label)

    return [Form("l", emit)]


def _barrier(kind: str) -> list[Form]:
    return [
        Form("d", lambda code, option: code.fence(f"{kind}.{option}")),
        Form("", lambda code: code.fence(f"{kind}.SY")),
    ]


def _nothing(code: Code) -> None:
    """No effect."""


# The letters of a form: `R` a register that is written, `r` one that is read, `o` a register or
# number, `i` a number; `m` [register, offset], `a` [register], `B` the base and `L` the list of a
# load of several; `d` a domain, `y` SY; `l` a label.
_TABLE: dict[str, list[Form]] = {
    # memory
    "LDR": _plain(_load(32, signed=True), "R"),
    "LDM": [Form("B,L", _load_several)],
    "LDMIA": [Form("B,L", _load_several)],
    "LDRB": _load(8),
    "LDRH": _load(16),
    "LDRSB": _load(8, signed=True),
    "LDRSH": _load(16, signed=True),
    "STR": _plain(_store(32), "r"),
    "STRB": _store(8),
    "STRH": _store(16),
    "LDREX": [Form("R,a", _load_exclusive)],
    "STREX": [Form("R,r,a", _store_exclusive)],
    # barriers
    "DMB": _barrier("DMB"),
    "DSB": _barrier("DSB"),
    "ISB": [
        Form("", lambda code: code.fence("ISB")),
        Form("y", lambda code, option: code.fence("ISB")),
    ],
    # registers
    "MOV": [Form("R,o", _move)],
    "MVN": [Form("R,o", _move_inverted)],
    "MOVW": [Form("R,i", _move_wide)],
    "MOVT": [Form("R,i", _move_top)],
    "ADD": _arithmetic(_add),
    "SUB": _arithmetic(_subtract),
    "RSB": _arithmetic(lambda code, a, b: _subtract(code, b, a)),
    "EOR": _arithmetic(_bitwise("^")),
    "AND": _arithmetic(_bitwise("&")),
    "ORR": _arithmetic(_bitwise("|")),
    "NOP": [Form("", _nothing)],
    # comparisons and branches
    "CMP": [Form("r,o", _compare)],
    "BEQ": _branch("=="),
    "BNE": _branch("!="),
    "BLT": _branch("<"),
    "BLE": _branch("<="),
    "BGT": _branch(">"),
    "BGE": _branch(">="),
    "B": [Form("l", lambda code, label: code.goto(label))],
}
_CONDITIONAL = "instructions on a condition are not supported; branches are"

ARM = mc.InstructionSet(
    name="ARM",
    register=_register,
    shapes={
        "R": mc.written,
        "r": _read,
        "o": _operand,
        "i": _immediate,
        "m": _memory,
        "B": _base,
        "L": _list,
        "a": _address,
        "d": _domain,
        "y": lambda code, text, span: text.upper() if text.upper() == "SY" else None,
        "l": mc.label,
    },
    words={
        "R": "register",
        "r": "register",
        "o": "register or #number",
        "i": "#number",
        "m": "[register, offset]",
        "B": "register or register!",
        "L": "{registers}",
        "a": "[register]",
        "d": "SY, ST, ISH or ISHST",
        "y": "SY",
        "l": "label",
    },
    table=_TABLE,
    capitals=True,
    hints={
        **{
            f"{name}{condition}": _CONDITIONAL
            for name in _TABLE
            if name[0] != "B"
            for condition in _CONDITIONS
        },
        **{
            f"{name}S": "only CMP sets flags"
            for name in ("MOV", "MVN", "ADD", "SUB", "RSB", "EOR", "AND", "ORR")
        },
    },
)
