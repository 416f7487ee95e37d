"""X86 and X86_64: instructions of Intel's architecture, after its "Software Developer's Manual".

In X86 tests the destination comes first, `MOV [x],$1`; in X86_64 tests the source does, `movl
$1,(x)`. A register is known by its full name (`EAX`, in X86_64 `RAX`); writing a 32-bit part clears
the upper half, writing a smaller one keeps the rest. An instruction that reads and writes memory is
a load and a store, one atomic step only with LOCK or for XCHG.

Flags: `ZF` holds the last result (equal is 0, the sign is its sign), `LT` whether it is less by
signed order, `CF` whether there is a carry.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from hybrid.frontend.litmus import machine as mc
from hybrid.frontend.litmus.machine import Code, Form, RegisterOperand
from hybrid.frontend.litmus.syntax import LitmusTest
from hybrid.frontend.litmus.x86_operands import (
    MEMORY,
    MemoryOperand,
    Operand,
    Place,
    as_immediate,
    as_memory,
    as_operand,
    as_place,
    as_register,
    read,
    refused,
    register_of,
    set_flags,
    value_of,
    width_of,
    write,
)
from hybrid.program import expr as ex
from hybrid.program.program import Program
from hybrid.source import Span

_LOCKED = frozenset({"LOCK"})
_SUFFIXES = {"": None, "B": 8, "W": 16, "L": 32, "Q": 64}


def compile(test: LitmusTest) -> Program:
    """The Program of a test in X86 or X86_64 assembly."""
    return mc.assemble(test, X86_64 if test.arch == "X86_64" else X86)


# What instructions do

Emit = Callable[..., None]


def _mov(bits: int | None) -> Emit:
    def emit(code: Code, to: Place, source: Operand) -> None:
        if (
            isinstance(to, MemoryOperand)
            and isinstance(source, ex.Const)
            and bits is None
            and to.bits is None
        ):
            code.store(to.address, source, None)
            return
        width = width_of(code, bits, to, source)
        if isinstance(to, MemoryOperand):
            code.store(to.address, value_of(code, source, width), width)
        elif isinstance(source, MemoryOperand) and width >= 32:
            code.load(to.name, source.address, width)
        else:
            write(code, to, value_of(code, source, width), width)

    return emit


def _update(code: Code, op: str, to: Place, operand: ex.Expr, bits: int, locked: bool) -> ex.Expr:
    """`to := to op operand`; gives what it was."""
    if isinstance(to, RegisterOperand):
        if locked:
            raise refused(code, "LOCK without a memory operand")
        write(code, to, code.binary(op, read(code, to, bits), operand), bits)
        return code.reg(to.name)
    if locked:
        code.rmw(MEMORY, op, to.address, operand, bits, tags=_LOCKED)
    else:
        code.load(MEMORY, to.address, bits)
        code.store(to.address, code.binary(op, code.reg(MEMORY), operand), bits)
    return code.reg(MEMORY)


def _arithmetic(op: str, bits: int | None, locked: bool) -> Emit:
    def emit(code: Code, to: Place, source: Operand) -> None:
        width = width_of(code, bits, to, source)
        operand = value_of(code, source, width)
        if isinstance(to, RegisterOperand):
            set_flags(code, op, read(code, to, width), operand, width)
            _update(code, op, to, operand, width, locked)
        else:
            set_flags(code, op, _update(code, op, to, operand, width, locked), operand, width)

    return emit


def _step(op: str, bits: int | None, locked: bool) -> Emit:
    """INC and DEC, which leave the carry as it is."""

    def emit(code: Code, to: Place) -> None:
        width = width_of(code, bits, to)
        if isinstance(to, RegisterOperand):
            set_flags(code, op, read(code, to, width), code.const(1), width, carry=False)
            _update(code, op, to, code.const(1), width, locked)
        else:
            old = _update(code, op, to, code.const(1), width, locked)
            set_flags(code, op, old, code.const(1), width, carry=False)

    return emit


def _not(bits: int | None, locked: bool) -> Emit:
    def emit(code: Code, to: Place) -> None:
        _update(code, "^", to, code.const(-1), width_of(code, bits, to), locked)

    return emit


def _neg(bits: int | None) -> Emit:
    def emit(code: Code, to: Place) -> None:
        width = width_of(code, bits, to)
        old = value_of(code, to, width)
        set_flags(code, "-", code.const(0), old, width)
        if isinstance(to, MemoryOperand):
            code.store(to.address, code.unary("-", old), width)
        else:
            write(code, to, code.unary("-", old), width)

    return emit


def _compare(op: str, bits: int | None) -> Emit:
    """CMP and TEST."""

    def emit(code: Code, left: Operand, right: Operand) -> None:
        width = width_of(code, bits, left, right)
        first = value_of(code, left, width)
        set_flags(code, op, first, value_of(code, right, width), width)

    return emit


def _xchg(bits: int | None, locked: bool) -> Emit:
    def emit(code: Code, one: Place, other: Place) -> None:
        if isinstance(one, RegisterOperand):
            one, other = other, one
        if not isinstance(other, RegisterOperand):
            raise refused(code, "two memory operands")
        width = width_of(code, bits, one, other)
        given = read(code, other, width)
        if isinstance(one, RegisterOperand):
            code.set(MEMORY, given)
            write(code, other, read(code, one, width), width)
            write(code, one, code.reg(MEMORY), width)
            return
        if locked:
            code.rmw(MEMORY, "xchg", one.address, given, width, tags=_LOCKED)
        else:
            code.load(MEMORY, one.address, width)
            code.store(one.address, given, width)
        write(code, other, code.reg(MEMORY), width)

    return emit


def _xadd(bits: int | None, locked: bool) -> Emit:
    def emit(code: Code, one: Place, other: Place) -> None:
        to, register = (one, other) if isinstance(one, MemoryOperand) else (other, one)
        if not isinstance(to, MemoryOperand) or not isinstance(register, RegisterOperand):
            raise refused(code, "expected memory and a register")
        width = width_of(code, bits, to, register)
        given = read(code, register, width)
        old = _update(code, "+", to, given, width, locked)
        set_flags(code, "+", old, given, width)
        write(code, register, old, width)

    return emit


def _cmpxchg(bits: int | None, locked: bool) -> Emit:
    """Compares the accumulator with memory: stores the register if they are equal, else loads the
    accumulator."""

    def emit(code: Code, one: Place, other: Place) -> None:
        to, register = (one, other) if isinstance(one, MemoryOperand) else (other, one)
        if not isinstance(to, MemoryOperand) or not isinstance(register, RegisterOperand):
            raise refused(code, "expected memory and a register")
        width = width_of(code, bits, to, register)
        whole = code.architecture.register("EAX")
        assert whole is not None
        expected, given = read(code, whole, width), read(code, register, width)
        if locked:
            code.rmw(MEMORY, "cas", to.address, given, width, expected=expected, tags=_LOCKED)
        else:
            code.load(MEMORY, to.address, width)
            done = code.local_label()
            old = code.signed(code.reg(MEMORY), width)
            code.branch(code.binary("!=", old, code.signed(expected, width)), done)
            code.store(to.address, given, width)
            code.here(done)
        set_flags(code, "-", expected, code.reg(MEMORY), width)
        write(code, whole, code.reg(MEMORY), width)  # where they are equal it stays what it is

    return emit


def _lea(bits: int | None) -> Emit:
    def emit(code: Code, to: RegisterOperand, source: MemoryOperand) -> None:
        write(code, to, source.address, width_of(code, bits, to))

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
    # The letters of a form: `r` a register, `m` memory, `i` a number, `p` a register or memory, `o`
    # any of the three, `l` a label.
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


def _architecture(prefix: str, source_first: bool) -> mc.InstructionSet:
    return mc.InstructionSet(
        name="X86",
        register=register_of(prefix),
        shapes={
            "r": as_register,
            "m": as_memory,
            "i": as_immediate,
            "p": as_place,
            "o": as_operand,
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
        flags=frozenset({"ZF", "LT", "CF", MEMORY}),
        instruction_bytes=0,
    )


X86 = _architecture("E", source_first=False)
X86_64 = _architecture("R", source_first=True)
