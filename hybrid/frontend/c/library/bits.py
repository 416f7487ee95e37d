"""Arithmetic that LLVM has functions for: counting bits, swapping bytes, overflow, saturation.

What comes from memory is computed by expressions; values of n bits are kept as signed numbers.
"""

from __future__ import annotations

from collections.abc import Callable

from hybrid.frontend.c import access
from hybrid.frontend.c.library.entry import Arguments, LibraryFunction, known, number
from hybrid.frontend.c.operands import bits_of
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import (
    Aggregate,
    LlvmValue,
    Scalar,
    binary,
    compare,
    unsigned,
    wrapped,
)
from hybrid.frontend.llvm.module import CallInst, GlobalName
from hybrid.program.values import wrap

_PAIRS, _FOURS = 0x5555555555555555, 0x3333333333333333
_BYTES, _ONES = 0x0F0F0F0F0F0F0F0F, 0x0101010101010101


def _name(call: CallInst) -> str:
    return call.callee.name if isinstance(call.callee, GlobalName) else "an intrinsic"


def _settled(t: CThread, value: Scalar) -> Scalar:
    """The same in a register, where it is large."""
    return number(t, t.settle(value))


# ---- bits


def _ones(t: CThread, value: Scalar) -> Scalar:
    """How many bits are set, of 64."""
    pairs = _settled(t, binary("-", value, binary("&", binary(">>>", value, 1), _PAIRS)))
    fours = binary("+", binary("&", pairs, _FOURS), binary("&", binary(">>>", pairs, 2), _FOURS))
    fours = _settled(t, fours)
    bytes_ = _settled(t, binary("&", binary("+", fours, binary(">>>", fours, 4)), _BYTES))
    return _settled(t, binary(">>>", binary("*", bytes_, _ONES), 56))


def count_ones(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    bits = bits_of(t, call.type)
    return wrapped(_ones(t, unsigned(number(t, arguments[0]), bits)), bits)


def count_leading(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    """The zeros before the first bit that is set."""
    bits = bits_of(t, call.type)
    value = unsigned(number(t, arguments[0]), bits)
    for distance in (1, 2, 4, 8, 16, 32):
        value = _settled(t, binary("|", value, binary(">>>", value, distance)))
    return wrapped(binary("-", bits, _ones(t, value)), bits)


def count_trailing(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    """The zeros behind the last bit that is set."""
    bits = bits_of(t, call.type)
    value = number(t, arguments[0])
    lowest = binary("&", value, binary("-", 0, value))
    below = unsigned(_settled(t, binary("-", lowest, 1)), bits)
    return wrapped(_ones(t, below), bits)


def swap_bytes(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    bits = bits_of(t, call.type)
    value = number(t, arguments[0])
    swapped: Scalar = 0
    for at in range(0, bits, 8):
        byte = binary("&", binary(">>>", value, at), 255)
        swapped = _settled(t, binary("|", swapped, binary("<<", byte, bits - 8 - at)))
    return wrapped(swapped, bits)


def reverse_bits(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    bits = bits_of(t, call.type)
    value = known(t, arguments[0], f"{_name(call)} of a value") % 2**bits
    return wrapped(wrap(int(f"{value:0{bits}b}"[::-1], 2)), bits)


def _funnel(left: bool) -> LibraryFunction:
    """Some bits of two numbers side by side."""

    def shift(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
        bits = bits_of(t, call.type)
        high, low, by = (number(t, each) for each in arguments[:3])
        by = binary("&", by, bits - 1)
        if bits & (bits - 1):
            raise t.refuse(f"{_name(call)}")
        if by == 0:
            return high if left else low
        rest = binary("-", bits, by)
        up, down = (by, rest) if left else (rest, by)
        moved = binary("|", binary("<<", high, up), binary(">>>", unsigned(low, bits), down))
        value = wrapped(_settled(t, moved), bits)
        return access.chosen(t, compare("ne", by, 0, 64), value, high if left else low)

    return shift


# ---- numbers


def absolute(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
    bits = bits_of(t, call.type)
    value = number(t, arguments[0])
    return wrapped(binary("max", value, binary("-", 0, value)), bits)


def _choosing(op: str) -> LibraryFunction:
    """The smaller or the larger one."""

    def choose(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
        return binary(op, number(t, arguments[0]), number(t, arguments[1]))

    return choose


def _compared(signed: bool) -> LibraryFunction:
    """-1, 0 or 1."""

    def order(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
        left, right = number(t, arguments[0]), number(t, arguments[1])
        sign = "s" if signed else "u"
        more = compare(f"{sign}gt", left, right, 64)
        return binary("-", more, compare(f"{sign}lt", left, right, 64))

    return order


def _exact(
    t: CThread, op: str, signed: bool, values: tuple[Scalar, Scalar], bits: int, call: CallInst
) -> tuple[Scalar, Scalar]:
    """What an operation gives, and whether that is not what it should be."""
    left, right = values
    if isinstance(left, int) and isinstance(right, int):
        return _exact_known(op, signed, left, right, bits)
    if not signed:
        left, right = unsigned(left, bits), unsigned(right, bits)
    result = _settled(t, binary(op, left, right))
    value = wrapped(result, bits)
    if not signed and op == "-":
        return value, compare("ult", left, right, 64)
    if bits < 64:
        if signed and (op != "*" or bits <= 32):
            return value, compare("ne", result, value, 64)
        if not signed and (op != "*" or bits <= 32):
            return value, compare("ne", binary(">>>", result, bits), 0, 64)
    if op == "*":
        raise t.refuse(f"{_name(call)} of values that memory holds")
    if not signed:
        return value, compare("ult", result, left, 64)
    other = right if op == "+" else binary("^", right, -1)
    changed = binary("&", binary("^", result, left), binary("^", result, other))
    return value, compare("slt", changed, 0, 64)


def _exact_known(op: str, signed: bool, left: int, right: int, bits: int) -> tuple[Scalar, Scalar]:
    if not signed:
        left, right = left % 2**bits, right % 2**bits
    exact = {"+": left + right, "-": left - right, "*": left * right}[op]
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    return wrapped(wrap(exact), bits), int(not low <= exact <= high)


def _overflowing(op: str, signed: bool) -> LibraryFunction:
    def compute(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
        bits = int(_name(call).rsplit(".i", 1)[1])
        values = number(t, arguments[0]), number(t, arguments[1])
        return Aggregate(_exact(t, op, signed, values, bits, call))

    return compute


def _saturating(op: str, signed: bool) -> LibraryFunction:
    """The nearest number that there is."""

    def compute(t: CThread, arguments: Arguments, call: CallInst) -> LlvmValue:
        bits = bits_of(t, call.type)
        left, right = number(t, arguments[0]), number(t, arguments[1])
        value, wrong = _exact(t, op, signed, (left, right), bits, call)
        if not signed:
            return access.chosen(t, wrong, -1 if op == "+" else 0, value)
        least, most = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
        limit = access.chosen(t, compare("slt", left, 0, 64), least, most)
        return access.chosen(t, wrong, limit, value)

    return compute


_SIGNS = {"s": True, "u": False}
_OPERATIONS = {"add": "+", "sub": "-", "mul": "*"}
Made = Callable[[str, bool], LibraryFunction]


def _arithmetic(form: str, made: Made, words: tuple[str, ...]) -> dict[str, LibraryFunction]:
    return {
        f"llvm.{sign}{word}.{form}.": made(_OPERATIONS[word], signed)
        for sign, signed in _SIGNS.items()
        for word in words
    }


FUNCTIONS: dict[str, LibraryFunction] = dict.fromkeys(("abs", "labs", "llabs"), absolute)
COMPUTING: dict[str, LibraryFunction] = {  # by the beginnings of their names
    "llvm.ctpop.": count_ones,
    "llvm.ctlz.": count_leading,
    "llvm.cttz.": count_trailing,
    "llvm.bswap.": swap_bytes,
    "llvm.bitreverse.": reverse_bits,
    "llvm.fshl.": _funnel(left=True),
    "llvm.fshr.": _funnel(left=False),
    "llvm.abs.": absolute,
    "llvm.smin.": _choosing("min"),
    "llvm.smax.": _choosing("max"),
    "llvm.umin.": _choosing("umin"),
    "llvm.umax.": _choosing("umax"),
    "llvm.scmp.": _compared(signed=True),
    "llvm.ucmp.": _compared(signed=False),
    **_arithmetic("with.overflow", _overflowing, ("add", "sub", "mul")),
    **_arithmetic("sat", _saturating, ("add", "sub")),
}
