"""A64 instructions on memory: loads and stores, pairs, acquire and release, exclusives, and the
atomic instructions of LSE.

A pair is two accesses, the lower address first; but a pair of W registers of an exclusive or atomic
instruction (LDXP, STXP, CASP) is one access of 64 bits, as these happen at once: the first register
has the low half. The status of a store-exclusive carries no dependencies. An atomic instruction
whose destination is the zero register (STADD, SWP to WZR, …) is in NoRet and no acquire. A CAS that
fails is a load with the same annotations.
"""

from __future__ import annotations

from collections.abc import Callable

from hybrid.errors import Unsupported
from hybrid.frontend.litmus.aarch64_operands import AddressOperand
from hybrid.frontend.litmus.machine import Code, Form
from hybrid.program import expr as ex

_TEMPORARY = "pair"  # holds the address of a load pair that overwrites its base
_SIZES = (("", "W", 32), ("", "X", 64), ("B", "W", 8), ("H", "W", 16))  # suffix, register, bits
Emit = Callable[..., None]


def _refuse(code: Code, why: str) -> None:
    raise Unsupported(f"unsupported instruction `{code.mnemonic}`: {why}", code.span)


def _write_back(code: Code, address: AddressOperand, changed: tuple[str, ...]) -> None:
    """The base of a pre-indexed access gets the address; none of the registers that the access
    takes may be the base."""
    if address.base in changed:
        _refuse(code, f"{address.base} is written back and used")
    code.set(address.base, address.expr(code))


def _post(code: Code, address: AddressOperand, offset: ex.Expr, changed: tuple[str, ...]) -> None:
    if address.base in changed:
        _refuse(code, f"{address.base} is written back and used")
    code.set(address.base, code.binary("+", code.reg(address.base), offset))


# Loads and stores


def _load(
    register: str,
    bits: int,
    shape: str = "",
    *,
    signed: bool = False,
    tag: str = "",
    exclusive: bool = False,
) -> list[Form]:
    """Of `bits` bits into a W or X register; with a shape in that form only, else in all that LDR
    has."""
    tags = frozenset((tag,)) if tag else frozenset()

    def plain(code: Code, d: str, address: AddressOperand) -> None:
        code.load(d, address.expr(code), bits, signed=signed, tags=tags, exclusive=exclusive)
        if d and signed and register == "W":
            code.set(d, code.unsigned(code.reg(d), 32))

    def pre(code: Code, d: str, address: AddressOperand) -> None:
        plain(code, d, address)
        _write_back(code, address, (d,))

    def post(code: Code, d: str, address: AddressOperand, offset: ex.Expr) -> None:
        plain(code, d, address)
        _post(code, address, offset, (d,))

    return _in_forms(register, shape, plain, pre, post)


def _store(register: str, bits: int, shape: str = "", *, tag: str = "") -> list[Form]:
    tags = frozenset((tag,)) if tag else frozenset()

    def plain(code: Code, source: str, address: AddressOperand) -> None:
        code.store(address.expr(code), code.reg(source), bits, tags=tags)

    def pre(code: Code, source: str, address: AddressOperand) -> None:
        plain(code, source, address)
        _write_back(code, address, (source,))

    def post(code: Code, source: str, address: AddressOperand, offset: ex.Expr) -> None:
        plain(code, source, address)
        _post(code, address, offset, (source,))

    return _in_forms(register, shape, plain, pre, post)


def _in_forms(registers: str, shape: str, plain: Emit, pre: Emit, post: Emit) -> list[Form]:
    if shape:
        return [Form(f"{registers},{shape}", plain)]
    offset = "o" if "," in registers else "m"
    return [
        Form(f"{registers},{offset}", plain),
        Form(f"{registers},p", pre),
        Form(f"{registers},a,i", post),
    ]


def _load_pair(register: str, bits: int, *, signed: bool = False) -> list[Form]:
    def plain(code: Code, first: str, second: str, address: AddressOperand) -> None:
        if first == second:
            _refuse(code, f"{first} is loaded twice")
        places = (address.expr(code), address.expr(code, bits // 8))
        if first == address.base:
            code.set(_TEMPORARY, places[1])
            places = (places[0], code.reg(_TEMPORARY))
        code.load(first, places[0], bits, signed=signed)
        code.load(second, places[1], bits, signed=signed)

    def pre(code: Code, first: str, second: str, address: AddressOperand) -> None:
        plain(code, first, second, address)
        _write_back(code, address, (first, second))

    def post(code: Code, first: str, second: str, address: AddressOperand, offset: ex.Expr) -> None:
        plain(code, first, second, address)
        _post(code, address, offset, (first, second))

    return _in_forms(f"{register},{register}", "", plain, pre, post)


def _store_pair(register: str, bits: int) -> list[Form]:
    def plain(code: Code, first: str, second: str, address: AddressOperand) -> None:
        code.store(address.expr(code), code.reg(first), bits)
        code.store(address.expr(code, bits // 8), code.reg(second), bits)

    def pre(code: Code, first: str, second: str, address: AddressOperand) -> None:
        plain(code, first, second, address)
        _write_back(code, address, (first, second))

    def post(code: Code, first: str, second: str, address: AddressOperand, offset: ex.Expr) -> None:
        plain(code, first, second, address)
        _post(code, address, offset, (first, second))

    return _in_forms(f"{register},{register}", "", plain, pre, post)


def _store_exclusive(register: str, bits: int, release: bool) -> list[Form]:
    tags = frozenset(("L",)) if release else frozenset()

    def emit(code: Code, status: str, source: str, address: AddressOperand) -> None:
        if status and status in (source, address.base):
            _refuse(code, f"{status} is its status and an operand")
        code.store_conditional(
            status, address.expr(code), code.reg(source), bits, tags=tags, free=True
        )

    return [Form(f"W,{register},a", emit)]


def _both(code: Code, first: str, second: str) -> ex.Expr:
    """Two W registers as one number of 64 bits."""
    high = code.binary("<<", code.reg(second), code.const(32))
    return code.binary("|", code.unsigned(code.reg(first), 32), high)


def _halves(code: Code, held: str | None, first: str, second: str) -> None:
    """Gives the halves of what register `held`, one of the two, has read to the two W registers."""
    if held is None:
        return
    other = second if held == first else first
    low, high = (
        code.unsigned(code.reg(held), 32),
        code.binary(">>>", code.reg(held), code.const(32)),
    )
    if other:
        code.set(other, high if other == second else low)
    code.set(held, low if held == first else high)


def _load_exclusive_pair(tag: str) -> list[Form]:
    tags = frozenset((tag,)) if tag else frozenset()

    def emit(code: Code, first: str, second: str, address: AddressOperand) -> None:
        if first and first == second:
            _refuse(code, f"{first} is loaded twice")
        held = first or second or None
        code.load(held, address.expr(code), 64, tags=tags, exclusive=True)
        _halves(code, held, first, second)

    return [Form("W,W,a", emit), Form("X,X,a", _refuse_wide)]


def _store_exclusive_pair(release: bool) -> list[Form]:
    tags = frozenset(("L",)) if release else frozenset()

    def emit(code: Code, status: str, first: str, second: str, address: AddressOperand) -> None:
        if status and status in (first, second, address.base):
            _refuse(code, f"{status} is its status and an operand")
        value = _both(code, first, second)
        code.store_conditional(status, address.expr(code), value, 64, tags=tags, free=True)

    return [Form("W,W,W,a", emit), Form("W,X,X,a", _refuse_wide)]


def _compare_and_swap_pair(order: str) -> list[Form]:
    def emit(code: Code, a: str, b: str, c: str, d: str, address: AddressOperand) -> None:
        for first, second in ((a, b), (c, d)):
            if not _follow_each_other(first, second):
                _refuse(code, "expected an even register and the next one, twice")
        expected, operand = _both(code, a, b), _both(code, c, d)
        where, tags = address.expr(code), _tags(order, a)
        code.rmw(a, "cas", where, operand, 64, expected=expected, tags=tags)
        _halves(code, a, a, b)

    return [Form("W,W,W,W,a", emit), Form("X,X,X,X,a", _refuse_wide)]


def _follow_each_other(first: str, second: str) -> bool:
    """Whether the registers are an even one and the next."""
    numbers = [int(name[1:]) if name[1:].isdigit() else -1 for name in (first, second)]
    return numbers[0] >= 0 and numbers[0] % 2 == 0 and numbers[1] == numbers[0] + 1


def _refuse_wide(code: Code, *operands: object) -> None:
    _refuse(code, "an access of 128 bits")


# Atomic instructions


def _tags(order: str, into: str) -> frozenset[str]:
    """Of an atomic instruction with A, L or AL in its name that gives the value read to register
    `into`."""
    return frozenset(tag for tag in order if tag == "L" or into) | (
        frozenset() if into else {"NoRet"}
    )


def _fetch(op: str, order: str, register: str, bits: int, invert: bool = False) -> list[Form]:
    """`op` is an operator or xchg; `invert` inverts the operand."""

    def emit(code: Code, source: str, d: str, address: AddressOperand) -> None:
        operand = code.unary("~", code.reg(source)) if invert else code.reg(source)
        tags = _tags(order, d)
        code.rmw(d, op, address.expr(code), operand, bits, tags=tags)

    return [Form(f"{register},{register},a", emit)]


def _update(op: str, order: str, register: str, bits: int, invert: bool = False) -> list[Form]:
    """The same without a destination: STADD and its relatives."""

    def emit(code: Code, source: str, address: AddressOperand) -> None:
        operand = code.unary("~", code.reg(source)) if invert else code.reg(source)
        code.rmw(None, op, address.expr(code), operand, bits, tags=_tags(order, ""))

    return [Form(f"{register},a", emit)]


def _compare_and_swap(order: str, register: str, bits: int) -> list[Form]:
    def emit(code: Code, compared: str, new: str, address: AddressOperand) -> None:
        expected, operand = code.reg(compared), code.reg(new)
        tags = _tags(order, compared)
        code.rmw(compared, "cas", address.expr(code), operand, bits, expected=expected, tags=tags)

    return [Form(f"{register},{register},a", emit)]


# name, operator, whether the operand is inverted
_OPERATIONS = (
    ("ADD", "+", False),
    ("CLR", "&", True),
    ("SET", "|", False),
    ("EOR", "^", False),
    ("SMAX", "max", False),
    ("SMIN", "min", False),
    ("UMAX", "umax", False),
    ("UMIN", "umin", False),
)

# The letters of a form, read by aarch64_operands.SHAPES: `W X` a register that is written, `w x`
# one
# that is read; an address: `a` [Xn], `o` with a number, `m` with a number or register, `p` one that
# is written back; `i` a number.
TABLE: dict[str, list[Form]] = {
    "LDRSB": [*_load("W", 8, signed=True), *_load("X", 8, signed=True)],
    "LDRSH": [*_load("W", 16, signed=True), *_load("X", 16, signed=True)],
    "LDRSW": _load("X", 32, signed=True),
    "LDURSB": [*_load("W", 8, "o", signed=True), *_load("X", 8, "o", signed=True)],
    "LDURSH": [*_load("W", 16, "o", signed=True), *_load("X", 16, "o", signed=True)],
    "LDURSW": _load("X", 32, "o", signed=True),
    "LDP": [*_load_pair("W", 32), *_load_pair("X", 64)],
    "LDPSW": _load_pair("X", 32, signed=True),
    "STP": [*_store_pair("W", 32), *_store_pair("X", 64)],
    "LDXP": _load_exclusive_pair(""),
    "LDAXP": _load_exclusive_pair("A"),
    "STXP": _store_exclusive_pair(release=False),
    "STLXP": _store_exclusive_pair(release=True),
    **{f"CASP{order}": _compare_and_swap_pair(order) for order in ("", "A", "L", "AL")},
}


def _fill() -> None:
    """The instructions that come in several sizes and orders."""
    for suffix, register, bits in _SIZES:
        entries = {
            "LDR": _load(register, bits),
            "LDUR": _load(register, bits, "o"),
            "LDAR": _load(register, bits, "a", tag="A"),
            "LDAPR": _load(register, bits, "a", tag="Q"),
            "LDAPUR": _load(register, bits, "o", tag="Q"),
            "LDXR": _load(register, bits, "a", exclusive=True),
            "LDAXR": _load(register, bits, "a", tag="A", exclusive=True),
            "STR": _store(register, bits),
            "STUR": _store(register, bits, "o"),
            "STLR": _store(register, bits, "a", tag="L"),
            "STLUR": _store(register, bits, "o", tag="L"),
            "STXR": _store_exclusive(register, bits, release=False),
            "STLXR": _store_exclusive(register, bits, release=True),
        }
        for order in ("", "A", "L", "AL"):
            entries[f"CAS{order}"] = _compare_and_swap(order, register, bits)
            entries[f"SWP{order}"] = _fetch("xchg", order, register, bits)
            for name, op, invert in _OPERATIONS:
                entries[f"LD{name}{order}"] = _fetch(op, order, register, bits, invert)
                if "A" not in order:
                    entries[f"ST{name}{order}"] = _update(op, order, register, bits, invert)
        for name, forms in entries.items():
            TABLE.setdefault(f"{name}{suffix}", []).extend(forms)


_fill()
