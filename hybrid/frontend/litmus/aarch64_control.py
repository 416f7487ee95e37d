"""A64 branches and barriers, and what does nothing."""

from __future__ import annotations

from hybrid.frontend.litmus.aarch64_alu import limit, sized
from hybrid.frontend.litmus.aarch64_operands import CONDITION_NAMES, condition
from hybrid.frontend.litmus.machine import Code, Form
from hybrid.program import expr as ex
from hybrid.source import Span


def _branch_if(name: str) -> list[Form]:
    def emit(code: Code, label: tuple[str, Span]) -> None:
        code.branch(condition(code, name), label)

    return [Form("l", emit)]


def _compare_and_branch(op: str) -> list[Form]:
    def emit(code: Code, bits: int, a: ex.Expr, label: tuple[str, Span]) -> None:
        code.branch(code.binary(op, code.signed(a, bits), code.const(0)), label)

    return sized("r,l", emit)


def _test_and_branch(op: str) -> list[Form]:
    def emit(code: Code, bits: int, a: ex.Expr, bit: ex.Const, label: tuple[str, Span]) -> None:
        limit(code, bit, bits)
        tested = code.binary("&", a, code.const(1 << bit.value))
        code.branch(code.binary(op, tested, code.const(0)), label)

    return sized("r,i,l", emit)


def _barrier(name: str) -> list[Form]:
    return [Form("b", lambda code, option: code.fence(f"{name}.{option}"))]


def _goto(code: Code, label: tuple[str, Span]) -> None:
    code.goto(label)


def _isb(code: Code, option: str = "SY") -> None:
    code.fence("ISB")


def _nothing(code: Code) -> None:
    """No effect."""


# The letters of a form: `r` a register that is read (of W and X), `i` a number, `l` a label, `b`
# the option of a barrier.
TABLE: dict[str, list[Form]] = {
    "B": [Form("l", _goto)],
    "B.AL": [Form("l", _goto)],
    **{f"B{dot}{name}": _branch_if(name) for name in CONDITION_NAMES for dot in (".", "")},
    "CBZ": _compare_and_branch("=="),
    "CBNZ": _compare_and_branch("!="),
    "TBZ": _test_and_branch("=="),
    "TBNZ": _test_and_branch("!="),
    "DMB": _barrier("DMB"),
    "DSB": _barrier("DSB"),
    "ISB": [Form("", _isb), Form("b", _isb)],
    "NOP": [Form("", _nothing)],
}
