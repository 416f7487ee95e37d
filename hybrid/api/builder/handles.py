"""Expressions of a program that is being built: registers, locations and what operators make of
them.

`r0 + 1`, `r0 == 1`, `(r0 == 1) & (x == 2)`: Python's operators give expressions. In the code of a
thread these are over its registers. In a final condition a location stands for its final value, a
comparison is a formula, and `&`, `|` and `~` are and, or and not. In what an await waits for, a
location stands for the value that is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from hybrid.api.builder.calls import call_span
from hybrid.errors import InputError
from hybrid.program import condition as cond
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program import values
from hybrid.source import Span

ONE_ACCESS = "an instruction makes one memory access: load into a register first"


class Layout(Protocol):
    """Where locations lie, and which threads there are; known when the program is complete."""

    @property
    def owner(self) -> object: ...

    def address(self, array: str) -> int: ...

    def thread(self, name: str) -> int: ...


class BuilderExpr:
    """What all of them are. Comparisons give expressions, not truth values."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, span: Span) -> None:
        self.span = span

    def __bool__(self) -> bool:
        raise InputError(
            "an expression of a program that is being built is neither true nor false",
            call_span(),
            "use &, | and ~ instead of and, or and not; p.if_(…) instead of if",
        )

    def __add__(self, other: Operand) -> BuilderExpr:
        return operation("+", self, other)

    def __radd__(self, other: Operand) -> BuilderExpr:
        return operation("+", other, self)

    def __sub__(self, other: Operand) -> BuilderExpr:
        return operation("-", self, other)

    def __rsub__(self, other: Operand) -> BuilderExpr:
        return operation("-", other, self)

    def __mul__(self, other: Operand) -> BuilderExpr:
        return operation("*", self, other)

    def __rmul__(self, other: Operand) -> BuilderExpr:
        return operation("*", other, self)

    def __and__(self, other: Operand) -> BuilderExpr:
        return operation("&", self, other)

    def __rand__(self, other: Operand) -> BuilderExpr:
        return operation("&", other, self)

    def __or__(self, other: Operand) -> BuilderExpr:
        return operation("|", self, other)

    def __ror__(self, other: Operand) -> BuilderExpr:
        return operation("|", other, self)

    def __xor__(self, other: Operand) -> BuilderExpr:
        return operation("^", self, other)

    def __rxor__(self, other: Operand) -> BuilderExpr:
        return operation("^", other, self)

    def __lshift__(self, other: Operand) -> BuilderExpr:
        return operation("<<", self, other)

    def __rshift__(self, other: Operand) -> BuilderExpr:
        return operation(">>", self, other)

    def __mod__(self, other: Operand) -> BuilderExpr:
        return operation("%", self, other)

    def __truediv__(self, other: Operand) -> BuilderExpr:
        return operation("/", self, other)

    def __neg__(self) -> BuilderExpr:
        return operation("-", self)

    def __invert__(self) -> BuilderExpr:
        return operation("~", self)

    def __eq__(self, other: object) -> BuilderExpr:  # type: ignore[override]
        return operation("==", self, other)

    def __ne__(self, other: object) -> BuilderExpr:  # type: ignore[override]
        return operation("!=", self, other)

    def __lt__(self, other: Operand) -> BuilderExpr:
        return operation("<", self, other)

    def __le__(self, other: Operand) -> BuilderExpr:
        return operation("<=", self, other)

    def __gt__(self, other: Operand) -> BuilderExpr:
        return operation(">", self, other)

    def __ge__(self, other: Operand) -> BuilderExpr:
        return operation(">=", self, other)


Operand = BuilderExpr | int


class BuilderNumber(BuilderExpr):
    def __init__(self, span: Span, value: int) -> None:
        super().__init__(span)
        self.value = value


class BuilderRegister(BuilderExpr):
    """A register of a thread."""

    def __init__(self, span: Span, owner: object, thread: str, name: str) -> None:
        super().__init__(span)
        self.owner = owner  # what tells the ProgramBuilder from others
        self.thread = thread
        self.name = name

    def __repr__(self) -> str:
        return f"<register {self.thread}:{self.name}>"


class BuilderPlace(BuilderExpr):
    """A place in memory: where loads and stores go."""

    @property
    def address(self) -> BuilderAddress:
        """Its address, as a value."""
        return BuilderAddress(call_span(), self)


class BuilderLocation(BuilderPlace):
    """A location, or a cell of an array that is known by its number."""

    def __init__(self, span: Span, owner: object, array: str, index: int | None = None) -> None:
        super().__init__(span)
        self.owner = owner
        self.array = array  # or the location's own name
        self.index = index  # None: it is no array

    @property
    def name(self) -> str:
        return self.array if self.index is None else f"{self.array}[{self.index}]"

    def __repr__(self) -> str:
        return f"<location {self.name}>"


class BuilderCell(BuilderPlace):
    """A cell of an array whose number a thread computes."""

    def __init__(self, span: Span, owner: object, array: str, index: BuilderExpr) -> None:
        super().__init__(span)
        self.owner = owner
        self.array = array
        self.index = index


class ComputedPlace(BuilderPlace):
    """Where an expression points."""

    def __init__(self, span: Span, expression: BuilderExpr) -> None:
        super().__init__(span)
        self.expression = expression


class BuilderAddress(BuilderExpr):
    """The address of a place, or of an array."""

    def __init__(self, span: Span, of: BuilderPlace | BuilderArray) -> None:
        super().__init__(span)
        self.of = of


@dataclass(frozen=True, slots=True)
class BuilderArray:
    """An array: `a[0]`, `a[r0]`."""

    name: str
    size: int
    owner: object = field(repr=False)

    @property
    def array(self) -> str:
        return self.name

    @property
    def address(self) -> BuilderAddress:
        """Where its first cell is, as a value."""
        return BuilderAddress(call_span(), self)

    def __getitem__(self, index: Operand) -> BuilderPlace:
        span = call_span()
        if isinstance(index, BuilderExpr):
            return BuilderCell(span, self.owner, self.name, index)
        if not 0 <= index < self.size:  # also tells a loop over it that this is the end
            raise _OutOfRange(
                f"index {index} is out of range",
                span,
                f"`{self.name}` has {self.size} cells, from `{self.name}[0]`",
            )
        return BuilderLocation(span, self.owner, self.name, index)

    def __len__(self) -> int:
        return self.size


class _OutOfRange(InputError, IndexError):
    """So that `for cell in array` ends."""


class BuilderOperation(BuilderExpr):
    def __init__(self, span: Span, op: str, operands: Sequence[BuilderExpr]) -> None:
        super().__init__(span)
        self.op = op  # an operator, or ALL or ANY of formulas
        self.operands = tuple(operands)


ALL, ANY = "all", "any"  # of formulas, however many


def operation(op: str, *operands: object) -> BuilderOperation:
    span = call_span()
    return BuilderOperation(span, op, [as_expr(operand, span) for operand in operands])


def as_expr(operand: object, span: Span) -> BuilderExpr:
    if isinstance(operand, BuilderExpr):
        return operand
    if isinstance(operand, BuilderArray):
        raise InputError(
            f"`{operand.name}` is an array", span, f"name a cell, as {operand.name}[0], or .address"
        )
    if isinstance(operand, bool) or not isinstance(operand, int):
        raise InputError(
            f"{operand!r} is not a value", span, "expected a whole number, a register or a location"
        )
    if values.wrap(operand) != operand:
        raise InputError(f"{operand} does not fit 64 bits", span)
    return BuilderNumber(span, operand)


# ---- what they are in a program


def check_owner(
    owner: object,
    handle: BuilderRegister | BuilderLocation | BuilderCell | BuilderArray,
    name: str,
    at: Span,
) -> None:
    """Complains of what another ProgramBuilder has made."""
    if handle.owner is not owner:
        raise InputError(
            f"`{name}` is of another ProgramBuilder", at, "use what this one's calls give back"
        )


def address_in(layout: Layout, node: BuilderLocation | BuilderCell | BuilderArray, at: Span) -> int:
    """That of a location, of an array that of its first cell."""
    check_owner(layout.owner, node, node.array, at)
    return layout.address(node.array)


class Resolver:
    """Turns expressions of one thread into those of a Program. `at` is the place of the call that
    uses an expression: registers and locations have the place where they are used."""

    def __init__(self, layout: Layout, thread: str) -> None:
        self.layout = layout
        self.thread = thread
        self.reads: list[tuple[str, Span]] = []  # the registers that occur, and where

    def expression(self, node: BuilderExpr, at: Span, reading: ex.Expr | None = None) -> ex.Expr:
        """In code. With `reading` a place stands for the value read, which must be the place of
        that address."""
        if isinstance(node, BuilderNumber):
            return ex.Const(at, node.value)
        if isinstance(node, BuilderRegister):
            return self._register(node, at)
        if isinstance(node, BuilderAddress):
            return self._address_of(node, at)
        if isinstance(node, BuilderOperation) and node.op not in (ALL, ANY):
            parts = [self.expression(each, node.span, reading) for each in node.operands]
            if len(parts) == 1:
                return ex.Unary(node.span, node.op, parts[0])
            return ex.Binary(node.span, node.op, parts[0], parts[1])
        if isinstance(node, BuilderPlace):
            if reading is not None and ex.show(self.address(node, at)) == ex.show(reading):
                return ex.Register(at, ins.READ)
            raise InputError("a memory access inside an expression", at, ONE_ACCESS)
        raise InputError("this is for final conditions", node.span, "in code there are & and |")

    def _register(self, node: BuilderRegister, at: Span) -> ex.Register:
        check_owner(self.layout.owner, node, node.name, at)
        if node.thread != self.thread:
            raise InputError(
                f"`{node.name}` is a register of thread {node.thread}",
                at,
                f"thread {self.thread} cannot use it",
            )
        self.reads.append((node.name, at))
        return ex.Register(at, node.name)

    def address(self, node: BuilderExpr, at: Span) -> ex.Expr:
        """The address of a place; of any other expression, where it points."""
        if isinstance(node, BuilderLocation):
            base = address_in(self.layout, node, at)
            return ex.Const(at, base + (node.index or 0), f"&{node.name}")
        if isinstance(node, BuilderCell):
            start = ex.Const(at, address_in(self.layout, node, at), f"&{node.array}")
            return ex.Binary(at, "+", start, self.expression(node.index, at))
        inner = node.expression if isinstance(node, ComputedPlace) else node
        return self.expression(inner, at)

    def _address_of(self, node: BuilderAddress, at: Span) -> ex.Expr:
        of = node.of
        if isinstance(of, BuilderArray):
            return ex.Const(at, address_in(self.layout, of, at), f"&{of.name}")
        return self.address(of, at)


def places_in(node: BuilderExpr) -> list[BuilderPlace]:
    """The places that stand for values in an expression."""
    if isinstance(node, BuilderPlace):
        return [node]
    if isinstance(node, BuilderOperation):
        return [place for operand in node.operands for place in places_in(operand)]
    return []


class FormulaReader:
    """Turns expressions into final conditions."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def formula(self, node: BuilderExpr, at: Span) -> cond.Formula:
        if isinstance(node, BuilderOperation):
            span, parts = node.span, node.operands
            if node.op in values.COMPARISONS:
                left, right = (self.operand(each, span) for each in parts)
                return cond.Compare(span, node.op, left, right)
            if node.op in ("~", "!"):
                return cond.Not(span, self.formula(parts[0], span))
            for words, make in ((("&", "&&"), cond.And), (("|", "||"), cond.Or)):
                if node.op in words:
                    chain = _chain(node, node.op)
                    return make(span, tuple(self.formula(each, span) for each in chain))
            if node.op in (ALL, ANY):
                make = cond.And if node.op == ALL else cond.Or
                return make(span, tuple(self.formula(each, span) for each in parts))
        raise InputError(
            "this is not a condition", at, "expected a comparison, or several with & | and ~"
        )

    def operand(self, node: BuilderExpr, at: Span) -> cond.Operand:
        if isinstance(node, BuilderNumber):
            return cond.Value(at, node.value)
        if isinstance(node, BuilderAddress):
            of = node.of
            if isinstance(of, BuilderArray):
                return cond.Value(at, address_in(self.layout, of, at), f"&{of.name}")
            if isinstance(of, BuilderLocation):
                address = address_in(self.layout, of, at) + (of.index or 0)
                return cond.Value(at, address, f"&{of.name}")
        return self.term(node, at)

    def term(self, node: BuilderExpr, at: Span) -> cond.Term:
        if isinstance(node, BuilderRegister):
            check_owner(self.layout.owner, node, node.name, at)
            thread = self.layout.thread(node.thread)
            return cond.RegisterTerm(at, thread, node.name, f"{node.thread}:{node.name}")
        if isinstance(node, BuilderLocation):
            address = address_in(self.layout, node, at) + (node.index or 0)
            return cond.LocationTerm(at, address, node.name)
        raise InputError(
            "a condition compares registers, locations and numbers",
            at,
            "compute the value in a thread, into a register",
        )


def _chain(node: BuilderExpr, op: str) -> list[BuilderExpr]:
    """The operands of `a & b & c`."""
    if isinstance(node, BuilderOperation) and node.op == op:
        first, last = node.operands
        return [*_chain(first, op), last]
    return [node]
