"""What registers hold, and what expressions over them come to: bound expressions with the loads
that they depend on, as hybrid.program.program says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

from hybrid.execution.bound import Bound, Constant, make_binary, make_unary
from hybrid.program import expr as ex
from hybrid.program import instructions as ins


class RegisterValue:
    """What a register holds: an expression, and the loads it depends on (more than `slots` only for
    a status, which may also depend on its own store, and where a guess was made)."""

    __slots__ = ("bound", "pick", "taint", "varies")

    def __init__(self, bound: Bound, taint: int, varies: bool, pick: int = 0) -> None:
        self.bound = bound  # a Constant where it does not vary
        self.taint = taint
        self.varies = varies  # it comes from memory, as hybrid.program.loops says
        self.pick = pick  # a part of `taint`: by selection alone

    @property
    def basic(self) -> int:
        """What it depends on in other ways than by selection."""
        return self.taint & ~self.pick


Registers = dict[str, RegisterValue]

ZERO: Final = RegisterValue(Constant(0), 0, False)


def initial_registers(values: Mapping[str, int]) -> Registers:
    return {name: RegisterValue(Constant(value), 0, False) for name, value in values.items()}


def bind(expr: ex.Expr, registers: Registers) -> RegisterValue:
    """The value of an expression."""
    if isinstance(expr, ex.Const):
        return RegisterValue(Constant(expr.value), 0, False)
    if isinstance(expr, ex.Register):
        return registers.get(expr.name, ZERO)
    if isinstance(expr, ex.Unary):
        operand = bind(expr.operand, registers)
        bound = make_unary(expr.op, operand.bound)
        return RegisterValue(bound, operand.taint, operand.varies, operand.pick)
    if isinstance(expr, ex.Binary):
        left, right = bind(expr.left, registers), bind(expr.right, registers)
        pick = left.pick | right.pick
        if pick:
            pick &= ~(left.basic | right.basic)
        return RegisterValue(
            make_binary(expr.op, left.bound, right.bound),
            left.taint | right.taint,
            left.varies or right.varies,
            pick,
        )
    assert_never(expr)


def constants_in(expr: ex.Expr, registers: Registers) -> tuple[int, ...]:
    """The values of the registers in `expr`, none of which varies."""
    found: list[int] = []
    for name in sorted(ex.registers(expr)):
        bound = registers.get(name, ZERO).bound
        assert isinstance(bound, Constant)
        found.append(bound.value)
    return tuple(found)


def is_open(select: ins.Select, registers: Registers) -> bool:
    """Whether it depends on memory what a selected register depends on."""
    yes, no = bind(select.yes, registers), bind(select.no, registers)
    differ = yes.taint != no.taint or yes.pick != no.pick
    return differ and bind(select.condition, registers).bound.slots != 0


def selected(select: ins.Select, registers: Registers, outcome: int) -> RegisterValue:
    """What a select puts into its register, where it goes as `outcome` says; -1: nothing is said of
    that."""
    condition = bind(select.condition, registers)
    yes, no = operands = bind(select.yes, registers), bind(select.no, registers)
    if outcome < 0 and isinstance(condition.bound, Constant):
        outcome = int(condition.bound.value != 0)
    if outcome >= 0:
        yes = no = yes if outcome else no
    chosen = yes.bound
    if yes is not no:  # no ^ ((yes ^ no) & -(condition != 0))
        mask = make_unary("-", make_binary("!=", condition.bound, Constant(0)))
        changed = make_binary("&", make_binary("^", yes.bound, no.bound), mask)
        chosen = make_binary("^", no.bound, changed)
    taint = yes.taint | no.taint | condition.taint
    varies = condition.varies or any(each.varies for each in operands)
    return RegisterValue(chosen, taint, varies, taint & ~(yes.basic | no.basic))
