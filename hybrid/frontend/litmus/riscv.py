"""RISCV: instructions of RISC-V, 64-bit (RV64IMA), as the "RISC-V Instruction Set Manual", volume
I, describes them.

Loads, stores, load-reserves, store-conditionals and AMOs take the suffixes `.aq`, `.rl`, `.aq.rl`
and `.aqrl`, as herd writes them; a plain load is not a release alone and a plain store not an
acquire alone. Registers have their numbers or the names of the calling convention. A 32-bit
operation leaves its result with its sign in all 64 bits.

There are no devices: of the letters of a fence `i` and `o` order nothing, and `fence` alone is
`fence rw,rw`. The result of a store-conditional depends on its store, as the manual has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from hybrid.frontend.litmus import machine as mc
from hybrid.frontend.litmus.machine import Code, Form, RegisterOperand
from hybrid.frontend.litmus.syntax import LitmusTest
from hybrid.program import expr as ex
from hybrid.program.program import Program
from hybrid.source import Span

_NUMBERED = re.compile(r"x([0-9]|[12][0-9]|3[01])", re.ASCII)
_SYMBOLIC = re.compile(r"%[A-Za-z_][A-Za-z_0-9]*", re.ASCII)
_OFFSET = re.compile(r"([^()]*)\(([^()]*)\)")
_ACCESSES = re.compile(r"(?=.)i?o?r?w?", re.ASCII)
_CALLING = {
    **dict(
        zip(("zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1"), range(10), strict=True)
    ),
    **{f"a{n}": 10 + n for n in range(8)},
    **{f"s{n}": 16 + n for n in range(2, 12)},
    **{f"t{n}": 25 + n for n in range(3, 7)},
    "fp": 8,
}  # fmt: skip
_SUFFIXES = {"": "", ".aq": "Acq", ".rl": "Rel", ".aq.rl": "AcqRel", ".aqrl": "AcqRel"}


def compile(test: LitmusTest) -> Program:
    """The Program of a test in RISC-V assembly."""
    return mc.assemble(test, RISCV)


# Operands


def _register(text: str) -> RegisterOperand | None:
    if _SYMBOLIC.fullmatch(text):
        return RegisterOperand(text)
    match = _NUMBERED.fullmatch(text)
    number = int(match[1]) if match is not None else _CALLING.get(text)
    if number is None:
        return None
    return RegisterOperand(f"x{number}" if number else "")


def _number(lowest: int, highest: int) -> mc.Shape:
    def shape(code: Code, text: str, span: Span) -> ex.Const | None:
        value = mc.number(text)
        return None if value is None or not lowest <= value <= highest else code.const(value)

    return shape


def _memory(code: Code, text: str, span: Span) -> ex.Expr | None:
    """`8(x6)`, `(x6)`."""
    match = _OFFSET.fullmatch(text)
    if match is None:
        return None
    offset = mc.number(match[1].strip() or "0")
    base = mc.read(code, match[2].strip(), span)
    if offset is None or base is None or not -0x800 <= offset < 0x800:
        return None
    return code.binary("+", base, code.const(offset))


def _address(code: Code, text: str, span: Span) -> ex.Expr | None:
    """`(x6)`, `0(x6)`: atomics have no offset."""
    match = _OFFSET.fullmatch(text)
    if match is None or mc.number(match[1].strip() or "0") != 0:
        return None
    return mc.read(code, match[2].strip(), span)


def _accesses(code: Code, text: str, span: Span) -> str | None:
    """What a fence orders: `rw`, `iorw`; only the letters for memory are given on."""
    return text.lstrip("io") if _ACCESSES.fullmatch(text) is not None else None


# What instructions do

Emit = Callable[..., None]


def _tagged(make: Callable[[frozenset[str]], list[Form]], name: str, suffixes: str) -> None:
    """Entries for an access with each of the suffixes."""
    for suffix in suffixes.split(","):
        tag = _SUFFIXES[suffix]
        _TABLE[name + suffix] = make(frozenset({tag} if tag else ()))


def _load(bits: int, signed: bool = True) -> Callable[[frozenset[str]], list[Form]]:
    def make(tags: frozenset[str]) -> list[Form]:
        def emit(code: Code, d: str, address: ex.Expr) -> None:
            code.load(d, address, bits, signed=signed, tags=tags)

        return [Form("R,m", emit)]

    return make


def _store(bits: int) -> Callable[[frozenset[str]], list[Form]]:
    def make(tags: frozenset[str]) -> list[Form]:
        def emit(code: Code, value: ex.Expr, address: ex.Expr) -> None:
            code.store(address, value, bits, tags=tags)

        return [Form("r,m", emit)]

    return make


def _load_reserve(bits: int) -> Callable[[frozenset[str]], list[Form]]:
    def make(tags: frozenset[str]) -> list[Form]:
        def emit(code: Code, d: str, address: ex.Expr) -> None:
            code.load(d, address, bits, signed=True, tags=tags, exclusive=True)

        return [Form("R,a", emit)]

    return make


def _store_conditional(bits: int) -> Callable[[frozenset[str]], list[Form]]:
    def make(tags: frozenset[str]) -> list[Form]:
        def emit(code: Code, d: str, value: ex.Expr, address: ex.Expr) -> None:
            code.store_conditional(d, address, value, bits, tags=tags, by_store=True)

        return [Form("R,r,a", emit)]

    return make


def _amo(op: str, bits: int) -> Callable[[frozenset[str]], list[Form]]:
    def make(tags: frozenset[str]) -> list[Form]:
        def emit(code: Code, d: str, operand: ex.Expr, address: ex.Expr) -> None:
            code.rmw(d, op, address, operand, bits, signed=True, tags=tags)

        return [Form("R,r,a", emit)]

    return make


def _fence(code: Code, before: str, after: str) -> None:
    if before and after:
        code.fence(f"Fence.{before}.{after}")


def _move(make: Callable[[Code, ex.Expr], ex.Expr], shapes: str = "R,r") -> list[Form]:
    """`d := make(a)`."""

    def emit(code: Code, d: str, a: ex.Expr) -> None:
        code.set(d, make(code, a))

    return [Form(shapes, emit)]


def _arithmetic(
    make: Callable[[Code, ex.Expr, ex.Expr], ex.Expr], shapes: str = "R,r,r"
) -> list[Form]:
    """`d := make(a, b)`."""

    def emit(code: Code, d: str, a: ex.Expr, b: ex.Expr) -> None:
        code.set(d, make(code, a, b))

    return [Form(shapes, emit)]


def _op(op: str) -> Callable[[Code, ex.Expr, ex.Expr], ex.Expr]:
    return lambda code, a, b: code.binary(op, a, b)


def _op32(op: str) -> Callable[[Code, ex.Expr, ex.Expr], ex.Expr]:
    """Of the low halves."""
    return lambda code, a, b: code.signed(code.binary(op, a, b), 32)


def _shift32(op: str) -> Callable[[Code, ex.Expr, ex.Expr], ex.Expr]:
    """Of the low half, by the low five bits of the count."""

    def make(code: Code, a: ex.Expr, count: ex.Expr) -> ex.Expr:
        count = code.binary("&", count, code.const(31))
        if op == ">>":
            return code.binary(op, code.signed(a, 32), count)
        return code.signed(code.binary(op, code.unsigned(a, 32), count), 32)

    return make


def _divide(code: Code, a: ex.Expr, b: ex.Expr) -> ex.Expr:
    """Division by 0 gives -1."""
    return code.binary("-", code.binary("/", a, b), code.binary("==", b, code.const(0)))


def _halves(
    make: Callable[[Code, ex.Expr, ex.Expr], ex.Expr],
) -> Callable[[Code, ex.Expr, ex.Expr], ex.Expr]:
    """The same of the low halves with their signs."""
    return lambda code, a, b: code.signed(make(code, code.signed(a, 32), code.signed(b, 32)), 32)


def _below(code: Code, a: ex.Expr, b: ex.Expr) -> ex.Expr:
    """Unsigned `a < b`: signed order with the top bits flipped."""
    top = code.const(-(1 << 63))
    return code.binary("<", code.binary("^", a, top), code.binary("^", b, top))


def _not_below(code: Code, a: ex.Expr, b: ex.Expr) -> ex.Expr:
    return code.unary("!", _below(code, a, b))


def _branch(make: Callable[[Code, ex.Expr, ex.Expr], ex.Expr], swap: bool = False) -> list[Form]:
    def emit(code: Code, a: ex.Expr, b: ex.Expr, label: tuple[str, Span]) -> None:
        code.branch(make(code, b, a) if swap else make(code, a, b), label)

    return [Form("r,r,l", emit)]


def _branch_zero(op: str) -> list[Form]:
    """A comparison with 0."""

    def emit(code: Code, a: ex.Expr, label: tuple[str, Span]) -> None:
        code.branch(code.binary(op, a, code.const(0)), label)

    return [Form("r,l", emit)]


def _against_zero(op: str) -> Callable[[Code, ex.Expr], ex.Expr]:
    return lambda code, a: code.binary(op, a, code.const(0))


def _nothing(code: Code) -> None:
    """No effect."""


# The letters of a form: `R` a register that is written, `r` one that is read; `m` number(register),
# `a` (register); `f` the accesses of a fence; numbers: `i` any, `s` of 12 bits, `u` of 20 bits, `n`
# below 64, `h` below 32; `l` a label.
_TABLE: dict[str, list[Form]] = {
    # fences
    "fence": [
        Form("f,f", _fence),
        Form("", lambda code: _fence(code, "rw", "rw")),
    ],
    "fence.tso": [
        Form("", lambda code: code.fence("Fence.tso")),
    ],
    "fence.i": [
        Form("", lambda code: code.fence("Fence.i")),
    ],
    # registers
    "li": _move(lambda code, a: a, "R,i"),
    "lui": _move(lambda code, a: code.signed(code.binary("<<", a, code.const(12)), 32), "R,u"),
    "mv": _move(lambda code, a: a),
    "not": _move(lambda code, a: code.unary("~", a)),
    "neg": _move(lambda code, a: code.unary("-", a)),
    "negw": _move(lambda code, a: code.signed(code.unary("-", a), 32)),
    "sext.b": _move(lambda code, a: code.signed(a, 8)),
    "sext.h": _move(lambda code, a: code.signed(a, 16)),
    "sext.w": _move(lambda code, a: code.signed(a, 32)),
    "zext.b": _move(lambda code, a: code.unsigned(a, 8)),
    "zext.h": _move(lambda code, a: code.unsigned(a, 16)),
    "zext.w": _move(lambda code, a: code.unsigned(a, 32)),
    "seqz": _move(_against_zero("==")),
    "snez": _move(_against_zero("!=")),
    "sltz": _move(_against_zero("<")),
    "sgtz": _move(_against_zero(">")),
    "nop": [Form("", _nothing)],
    "add": _arithmetic(_op("+")),
    "sub": _arithmetic(_op("-")),
    "and": _arithmetic(_op("&")),
    "or": _arithmetic(_op("|")),
    "xor": _arithmetic(_op("^")),
    "sll": _arithmetic(_op("<<")),
    "srl": _arithmetic(_op(">>>")),
    "sra": _arithmetic(_op(">>")),
    "slt": _arithmetic(_op("<")),
    "sltu": _arithmetic(_below),
    "sgt": _arithmetic(_op(">")),
    "sgtu": _arithmetic(lambda code, a, b: _below(code, b, a)),
    "mul": _arithmetic(_op("*")),
    "div": _arithmetic(_divide),
    "rem": _arithmetic(_op("%")),
    "addi": _arithmetic(_op("+"), "R,r,s"),
    "andi": _arithmetic(_op("&"), "R,r,s"),
    "ori": _arithmetic(_op("|"), "R,r,s"),
    "xori": _arithmetic(_op("^"), "R,r,s"),
    "slti": _arithmetic(_op("<"), "R,r,s"),
    "sltiu": _arithmetic(_below, "R,r,s"),
    "slli": _arithmetic(_op("<<"), "R,r,n"),
    "srli": _arithmetic(_op(">>>"), "R,r,n"),
    "srai": _arithmetic(_op(">>"), "R,r,n"),
    "addw": _arithmetic(_op32("+")),
    "subw": _arithmetic(_op32("-")),
    "mulw": _arithmetic(_op32("*")),
    "divw": _arithmetic(_halves(_divide)),
    "remw": _arithmetic(_halves(_op("%"))),
    "sllw": _arithmetic(_shift32("<<")),
    "srlw": _arithmetic(_shift32(">>>")),
    "sraw": _arithmetic(_shift32(">>")),
    "addiw": _arithmetic(_op32("+"), "R,r,s"),
    "slliw": _arithmetic(_shift32("<<"), "R,r,h"),
    "srliw": _arithmetic(_shift32(">>>"), "R,r,h"),
    "sraiw": _arithmetic(_shift32(">>"), "R,r,h"),
    # branches
    "beq": _branch(_op("==")),
    "bne": _branch(_op("!=")),
    "blt": _branch(_op("<")),
    "bge": _branch(_op(">=")),
    "bgt": _branch(_op(">")),
    "ble": _branch(_op("<=")),
    "bltu": _branch(_below),
    "bgeu": _branch(_not_below),
    "bgtu": _branch(_below, swap=True),
    "bleu": _branch(_not_below, swap=True),
    "beqz": _branch_zero("=="),
    "bnez": _branch_zero("!="),
    "bltz": _branch_zero("<"),
    "bgez": _branch_zero(">="),
    "bgtz": _branch_zero(">"),
    "blez": _branch_zero("<="),
    "j": [Form("l", lambda code, label: code.goto(label))],
}

# Memory. A narrow load that ends in u fills the register with zeros, another with the sign.
for _letter, _bits in (("b", 8), ("h", 16), ("w", 32), ("d", 64)):
    _tagged(_load(_bits), f"l{_letter}", ",.aq,.aq.rl,.aqrl")
    _tagged(_store(_bits), f"s{_letter}", ",.rl,.aq.rl,.aqrl")
    if _bits < 64:
        _tagged(_load(_bits, signed=False), f"l{_letter}u", ",.aq,.aq.rl,.aqrl")
for _letter, _bits in (("w", 32), ("d", 64)):
    _tagged(_load_reserve(_bits), f"lr.{_letter}", ",".join(_SUFFIXES))
    _tagged(_store_conditional(_bits), f"sc.{_letter}", ",".join(_SUFFIXES))
    for _name, _operation in (
        *(("swap", "xchg"), ("add", "+"), ("and", "&"), ("or", "|"), ("xor", "^")),
        *(("min", "min"), ("max", "max"), ("minu", "umin"), ("maxu", "umax")),
    ):
        _tagged(_amo(_operation, _bits), f"amo{_name}.{_letter}", ",".join(_SUFFIXES))

RISCV = mc.InstructionSet(
    name="RISCV",
    register=_register,
    shapes={
        "R": mc.written,
        "r": mc.read,
        "m": _memory,
        "a": _address,
        "f": _accesses,
        "i": _number(-(1 << 63), (1 << 64) - 1),
        "s": _number(-0x800, 0x7FF),
        "u": _number(0, 0xFFFFF),
        "n": _number(0, 63),
        "h": _number(0, 31),
        "l": mc.label,
    },
    words={
        "R": "register",
        "r": "register",
        "m": "number(register)",
        "a": "(register)",
        "f": "letters of iorw",
        "i": "number",
        "s": "12-bit number",
        "u": "20-bit number from 0",
        "n": "number below 64",
        "h": "number below 32",
        "l": "label",
    },
    table=_TABLE,
    hints={
        **{f"l{width}.rl": "a load is not a release; `.aq.rl` is both" for width in "bhwd"},
        **{f"s{width}.aq": "a store is not an acquire; `.aq.rl` is both" for width in "bhwd"},
        "jal": "only jumps within the thread: `j label`",
        "jalr": "only jumps within the thread: `j label`",
    },
)
