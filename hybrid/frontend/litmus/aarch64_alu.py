"""A64 instructions on registers: arithmetic, logic, shifts, moves, comparisons, selections.

The flags are the registers N, Z, C and V, each 0 or 1, so that a branch depends on what the last
instruction that set them depends on. The result of CSEL and its relatives depends on the register
that is selected, and by selection (Arm's "pick dependencies") on the flags.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hybrid.errors import Unsupported
from hybrid.frontend.litmus.aarch64_operands import (
    OperandShift,
    shifted,
)
from hybrid.frontend.litmus.machine import Code, Form
from hybrid.program import expr as ex

_TOP = -(1 << 63)
Emit = Callable[..., None]


def sized(shapes: str, emit: Emit) -> list[Form]:
    """The form with W registers and the one with X registers for each `R` and `r`; `emit` gets the
    width after the Code."""
    found: list[Form] = []
    for bits, written, read in ((32, "W", "w"), (64, "X", "x")):
        letters = shapes.replace("R", written).replace("r", read)
        found.append(Form(letters, _with_bits(emit, bits)))
    return found


def _with_bits(emit: Emit, bits: int) -> Emit:
    def call(code: Code, *operands: Any) -> None:
        emit(code, bits, *operands)

    return call


def limit(code: Code, number: ex.Expr, below: int) -> None:
    """Refuses a shift or bit number that the width does not allow."""
    if isinstance(number, ex.Const) and not 0 <= number.value < below:
        message = f"unsupported instruction `{code.mnemonic}`: {number.value} is not below {below}"
        raise Unsupported(message, code.span)


def _fits(code: Code, number: ex.Expr, bits: int) -> None:
    """Refuses a number that has more bits than the registers."""
    if isinstance(number, ex.Const) and not -(1 << (bits - 1)) <= number.value < 1 << bits:
        message = (
            f"unsupported instruction `{code.mnemonic}`: {number.value} has more than {bits} bits"
        )
        raise Unsupported(message, code.span)


# Flags


def _set_flags(code: Code, n: ex.Expr, z: ex.Expr, c: ex.Expr, v: ex.Expr) -> None:
    for flag, value in zip("NZCV", (n, z, c, v), strict=True):
        code.set(flag, value)


def _flags_of_sum(code: Code, bits: int, a: ex.Expr, b: ex.Expr) -> None:
    zero, total = code.const(0), code.binary("+", a, b)
    result = code.signed(total, bits)
    if bits == 32:
        unsigned = code.binary("+", code.unsigned(a, 32), code.unsigned(b, 32))
        carry = code.binary(">", unsigned, code.const(0xFFFFFFFF))
        exact = code.binary("+", code.signed(a, 32), code.signed(b, 32))
        overflow = code.binary("!=", exact, result)
    else:
        top = code.const(_TOP)
        carry = code.binary("<", code.binary("^", total, top), code.binary("^", a, top))
        signs = code.binary("&", code.binary("^", a, total), code.binary("^", b, total))
        overflow = code.binary("<", signs, zero)
    negative, is_zero = code.binary("<", result, zero), code.binary("==", result, zero)
    _set_flags(code, negative, is_zero, carry, overflow)


def _flags_of_difference(code: Code, bits: int, a: ex.Expr, b: ex.Expr) -> None:
    zero, difference = code.const(0), code.binary("-", a, b)
    result = code.signed(difference, bits)
    if bits == 32:
        carry = code.binary(">=", code.unsigned(a, 32), code.unsigned(b, 32))
        exact = code.binary("-", code.signed(a, 32), code.signed(b, 32))
        overflow = code.binary("!=", exact, result)
    else:
        top = code.const(_TOP)
        carry = code.binary(">=", code.binary("^", a, top), code.binary("^", b, top))
        signs = code.binary("&", code.binary("^", a, b), code.binary("^", a, difference))
        overflow = code.binary("<", signs, zero)
    equal = code.binary("==", code.signed(a, bits), code.signed(b, bits))
    _set_flags(code, code.binary("<", result, zero), equal, carry, overflow)


def _flags_of_logic(code: Code, bits: int, result: ex.Expr) -> None:
    zero, low = code.const(0), code.signed(result, bits)
    _set_flags(code, code.binary("<", low, zero), code.binary("==", low, zero), zero, zero)


# Arithmetic and logic


def operate(op: str, *, flags: bool = False, invert: bool = False, into: bool = True) -> list[Form]:
    """`d := a op b`, `b` shifted or extended and, with `invert`, inverted; without `into` only the
    flags are set."""

    def emit(
        code: Code, bits: int, d: str, a: ex.Expr, b: ex.Expr, change: OperandShift | None = None
    ) -> None:
        if change is not None:
            limit(code, code.const(change.amount), bits)
            b = change.apply(code, b, bits)
        _fits(code, b, bits)
        if invert:
            b = code.unary("~", b)
        result = code.binary(op, a, b)
        if flags and op == "+":
            _flags_of_sum(code, bits, a, b)
        elif flags and op == "-":
            _flags_of_difference(code, bits, a, b)
        elif flags:
            _flags_of_logic(code, bits, result)
        code.set(d, code.unsigned(result, bits))

    def compare(code: Code, bits: int, *operands: Any) -> None:
        emit(code, bits, "", *operands)

    to, do = ("R,", emit) if into else ("", compare)
    forms = [form for last in ("r", "i", "r,s", "i,s") for form in sized(f"{to}r,{last}", do)]
    if op in "+-":
        w, x = (to.replace("R", letter) for letter in "WX")
        forms.append(Form(f"{w}w,w,e", _with_bits(do, 32)))
        forms += [Form(f"{x}x,{letter},e", _with_bits(do, 64)) for letter in "wx"]
    return forms


def _unary(make: Callable[[Code, ex.Expr], ex.Expr]) -> list[Form]:
    def emit(code: Code, bits: int, d: str, a: ex.Expr, change: OperandShift | None = None) -> None:
        if change is not None:
            limit(code, code.const(change.amount), bits)
            a = change.apply(code, a, bits)
        code.set(d, code.unsigned(make(code, a), bits))

    return [*sized("R,r", emit), *sized("R,r,s", emit)]


def _negate_with_flags() -> list[Form]:
    def emit(code: Code, bits: int, d: str, a: ex.Expr, change: OperandShift | None = None) -> None:
        if change is not None:
            limit(code, code.const(change.amount), bits)
            a = change.apply(code, a, bits)
        _flags_of_difference(code, bits, code.const(0), a)
        code.set(d, code.unsigned(code.binary("-", code.const(0), a), bits))

    return [*sized("R,r", emit), *sized("R,r,s", emit)]


def _shift(kind: str) -> list[Form]:
    def emit(code: Code, bits: int, d: str, a: ex.Expr, amount: ex.Expr) -> None:
        if isinstance(amount, ex.Const):
            limit(code, amount, bits)
        else:
            amount = code.binary("&", amount, code.const(bits - 1))
        code.set(d, code.unsigned(shifted(code, kind, a, amount, bits), bits))

    return [*sized("R,r,i", emit), *sized("R,r,r", emit)]


def _multiply(op: str, third: bool) -> list[Form]:
    """`d := c op a * b`, where c is an operand or 0."""

    def emit(
        code: Code, bits: int, d: str, a: ex.Expr, b: ex.Expr, c: ex.Expr | None = None
    ) -> None:
        product = code.binary("*", a, b)
        start = code.const(0) if c is None else c
        code.set(d, code.unsigned(code.binary(op, start, product), bits))

    return sized("R,r,r,r" if third else "R,r,r", emit)


def _multiply_long(signed: bool) -> list[Form]:
    def emit(code: Code, d: str, a: ex.Expr, b: ex.Expr) -> None:
        extend = code.signed if signed else code.unsigned
        code.set(d, code.binary("*", extend(a, 32), extend(b, 32)))

    return [Form("X,w,w", emit)]


def _divide(code: Code, bits: int, d: str, a: ex.Expr, b: ex.Expr) -> None:
    quotient = code.binary("/", code.signed(a, bits), code.signed(b, bits))
    code.set(d, code.unsigned(quotient, bits))


def _divide_unsigned(code: Code, d: str, a: ex.Expr, b: ex.Expr) -> None:
    code.set(d, code.binary("/", code.unsigned(a, 32), code.unsigned(b, 32)))


def _extend(signed: bool, width: int, shapes: tuple[str, ...]) -> list[Form]:
    def emit(code: Code, bits: int, d: str, a: ex.Expr) -> None:
        low = code.signed(a, width) if signed else code.unsigned(a, width)
        code.set(d, code.unsigned(low, bits))

    return [Form(s, _with_bits(emit, 32 if s[0] == "W" else 64)) for s in shapes]


def _field(signed: bool) -> list[Form]:
    """UBFM and SBFM, `d := a<imms:immr>` or, where imms is less than immr, `a<imms:0>` moved to the
    left."""

    def emit(code: Code, bits: int, d: str, a: ex.Expr, rotate: ex.Const, last: ex.Const) -> None:
        limit(code, rotate, bits)
        limit(code, last, bits)
        first, width = rotate.value, last.value - rotate.value + 1
        if last.value < rotate.value:
            first, width = 0, last.value + 1
        part = _bits_of(code, a, first, width, signed)
        left = code.const(bits - rotate.value if last.value < rotate.value else 0)
        code.set(d, code.unsigned(code.binary("<<", part, left), bits))

    return sized("R,r,i,i", emit)


def _extract(signed: bool) -> list[Form]:
    """UBFX and SBFX: `width` bits from bit `first` on."""

    def emit(code: Code, bits: int, d: str, a: ex.Expr, first: ex.Const, width: ex.Const) -> None:
        limit(code, first, bits)
        limit(code, code.const(width.value - 1), bits - first.value)
        part = _bits_of(code, a, first.value, width.value, signed)
        code.set(d, code.unsigned(part, bits))

    return sized("R,r,i,i", emit)


def _bits_of(code: Code, a: ex.Expr, first: int, width: int, signed: bool) -> ex.Expr:
    """`width` bits of `a`, from bit `first` on, as a number with or without its sign."""
    up = code.binary("<<", a, code.const(64 - first - width))
    return code.binary(">>" if signed else ">>>", up, code.const(64 - width))


def _swap(*sizes: int) -> Emit:
    """Exchanges neighbouring groups of bits of these sizes, one after another: the larger groups
    are reversed."""

    def emit(code: Code, bits: int, d: str, a: ex.Expr) -> None:
        if not d:
            return
        code.set(d, code.unsigned(a, bits))
        for size in sizes:
            low = sum((1 << size) - 1 << at for at in range(0, bits, 2 * size))
            mask, by, value = code.const(low), code.const(size), code.reg(d)
            down = code.binary("&", code.binary(">>>", value, by), mask)
            up = code.binary("<<", code.binary("&", value, mask), by)
            code.set(d, code.unsigned(code.binary("|", up, down), bits))

    return emit


def _reverse_bytes(code: Code, bits: int, d: str, a: ex.Expr) -> None:
    _swap(8, 16, *((32,) if bits == 64 else ()))(code, bits, d, a)


def _reverse_bits(code: Code, bits: int, d: str, a: ex.Expr) -> None:
    _swap(1, 2, 4, 8, 16, *((32,) if bits == 64 else ()))(code, bits, d, a)


# Moves


def _move(code: Code, bits: int, d: str, a: ex.Expr) -> None:
    _fits(code, a, bits)
    code.set(d, code.unsigned(a, bits))


def _move_wide(invert: bool) -> list[Form]:
    def emit(
        code: Code, bits: int, d: str, a: ex.Const, change: OperandShift | None = None
    ) -> None:
        value = _wide(code, bits, a, change)
        code.set(d, code.unsigned(code.unary("~", value) if invert else value, bits))

    return [*sized("R,i", emit), *sized("R,i,s", emit)]


def _move_keep(
    code: Code, bits: int, d: str, a: ex.Const, change: OperandShift | None = None
) -> None:
    value = _wide(code, bits, a, change)
    mask = code.const(~(0xFFFF << (0 if change is None else change.amount)))
    kept = code.binary("&", code.reg(d), mask)
    code.set(d, code.unsigned(code.binary("|", kept, value), bits))


def _wide(code: Code, bits: int, a: ex.Const, change: OperandShift | None) -> ex.Expr:
    """A number of 16 bits, moved left by a multiple of 16."""
    limit(code, a, 1 << 16)
    if change is None:
        return a
    if change.kind != "LSL" or change.amount % 16 or change.amount >= bits:
        message = f"unsupported instruction `{code.mnemonic}`: {change.kind} #{change.amount}"
        raise Unsupported(message, code.span, "expected LSL #0, #16, #32 or #48")
    return code.binary("<<", a, code.const(change.amount))


# Selections


def _choose(code: Code, bits: int, d: str, chosen: ex.Expr, yes: ex.Expr, no: ex.Expr) -> None:
    code.select(d, chosen, code.unsigned(yes, bits), code.unsigned(no, bits))


def _same(code: Code, a: ex.Expr) -> ex.Expr:
    return a


def _increment(code: Code, a: ex.Expr) -> ex.Expr:
    return code.binary("+", a, code.const(1))


def _invert(code: Code, a: ex.Expr) -> ex.Expr:
    return code.unary("~", a)


def _negate(code: Code, a: ex.Expr) -> ex.Expr:
    return code.binary("-", code.const(0), a)


def _select(make: Callable[[Code, ex.Expr], ex.Expr]) -> list[Form]:
    """`d := c ? a : make(b)`."""

    def emit(code: Code, bits: int, d: str, a: ex.Expr, b: ex.Expr, c: ex.Expr) -> None:
        _choose(code, bits, d, c, a, make(code, b))

    return sized("R,r,r,c", emit)


def _change_if(make: Callable[[Code, ex.Expr], ex.Expr]) -> list[Form]:
    """`d := c ? make(a) : a`."""

    def emit(code: Code, bits: int, d: str, a: ex.Expr, c: ex.Expr) -> None:
        _choose(code, bits, d, c, make(code, a), a)

    return sized("R,r,c", emit)


def _set_if(value: int) -> list[Form]:
    def emit(code: Code, bits: int, d: str, c: ex.Expr) -> None:
        _choose(code, bits, d, c, code.const(value), code.const(0))

    return sized("R,c", emit)


# The letters of a form: `R` a register that is written and `r` one that is read, each of W and X
# (`sized`); `W X w x` the same of one width; `i` a number, `s` a shift, `e` an extension, `c` a
# condition. aarch64_operands.SHAPES reads them.
TABLE: dict[str, list[Form]] = {
    "ADD": operate("+"),
    "ADDS": operate("+", flags=True),
    "SUB": operate("-"),
    "SUBS": operate("-", flags=True),
    "AND": operate("&"),
    "ANDS": operate("&", flags=True),
    "BIC": operate("&", invert=True),
    "BICS": operate("&", invert=True, flags=True),
    "ORR": operate("|"),
    "ORN": operate("|", invert=True),
    "EOR": operate("^"),
    "EON": operate("^", invert=True),
    "CMP": operate("-", flags=True, into=False),
    "CMN": operate("+", flags=True, into=False),
    "TST": operate("&", flags=True, into=False),
    "NEG": _unary(_negate),
    "NEGS": _negate_with_flags(),
    "MVN": _unary(_invert),
    "LSL": _shift("LSL"),
    "LSR": _shift("LSR"),
    "ASR": _shift("ASR"),
    "ROR": _shift("ROR"),
    "MUL": _multiply("+", third=False),
    "MNEG": _multiply("-", third=False),
    "MADD": _multiply("+", third=True),
    "MSUB": _multiply("-", third=True),
    "SMULL": _multiply_long(signed=True),
    "UMULL": _multiply_long(signed=False),
    "SDIV": sized("R,r,r", _divide),
    "UBFM": _field(signed=False),
    "SBFM": _field(signed=True),
    "UBFX": _extract(signed=False),
    "SBFX": _extract(signed=True),
    "REV": sized("R,r", _reverse_bytes),
    "REV16": sized("R,r", _swap(8)),
    "REV32": [Form("X,x", _with_bits(_swap(8, 16), 64))],
    "RBIT": sized("R,r", _reverse_bits),
    "UDIV": [Form("W,w,w", _divide_unsigned)],
    "SXTB": _extend(True, 8, ("W,w", "X,w")),
    "SXTH": _extend(True, 16, ("W,w", "X,w")),
    "SXTW": _extend(True, 32, ("X,w",)),
    "UXTB": _extend(False, 8, ("W,w",)),
    "UXTH": _extend(False, 16, ("W,w",)),
    "UXTW": _extend(False, 32, ("X,w", "W,w")),
    "MOV": [*sized("R,i", _move), *sized("R,r", _move)],
    "MOVZ": _move_wide(invert=False),
    "MOVN": _move_wide(invert=True),
    "MOVK": [*sized("R,i", _move_keep), *sized("R,i,s", _move_keep)],
    "CSEL": _select(_same),
    "CSINC": _select(_increment),
    "CSINV": _select(_invert),
    "CSNEG": _select(_negate),
    "CINC": _change_if(_increment),
    "CINV": _change_if(_invert),
    "CNEG": _change_if(_negate),
    "CSET": _set_if(1),
    "CSETM": _set_if(-1),
}
