"""The code of a thread as an assembler builds it, and what an architecture tells the assembler.

Flags are registers like others (`cr0`, `ZF`), so that a branch depends on what the last comparison
compared, and no more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from hybrid.errors import InputError
from hybrid.frontend.litmus.state import Memory
from hybrid.parsing import did_you_mean
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program import values
from hybrid.program.tags import EXCLUSIVE, PLAIN
from hybrid.source import Span


@dataclass(frozen=True, slots=True)
class RegisterOperand:
    """A register as an operand names it."""

    name: str  # the canonical name, as in IR and outcomes; "" for the zero register
    bits: int = 64  # of the part that is named


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write an instruction: shapes of its operands, `"R,r,i"`, and what it does."""

    shapes: str
    emit: Callable[..., None]  # gets the Code and one value per operand

    @property
    def letters(self) -> tuple[str, ...]:
        return tuple(self.shapes.split(",")) if self.shapes else ()


Shape = Callable[["Code", str, Span], object | None]


@dataclass(frozen=True)
class InstructionSet:
    name: str  # of Program.arch
    register: Callable[[str], RegisterOperand | None]  # None: no register
    shapes: Mapping[str, Shape]
    words: Mapping[str, str]  # shapes in messages: {"R": "a register"}
    table: Mapping[str, Sequence[Form]]  # by mnemonic, which tests may write in any case
    capitals: bool = False  # the table has them in capitals, else in small letters
    # mnemonic and operands, if not at the first blank
    split: Callable[[str], tuple[str, str]] | None = None
    flags: frozenset[str] = frozenset()  # registers that tests cannot name; not set where not read
    hints: Mapping[str, str] = field(
        default_factory=dict
    )  # what to say of mnemonics that are refused
    instruction_bytes: int = 4  # for jumps by a distance, `.+8`; 0: instructions differ in length


@dataclass(frozen=True, slots=True)
class _Jump:
    """A branch or, without a condition, a goto; its target is found when all labels are known."""

    span: Span
    condition: ex.Expr | None
    label: str
    place: Span


class Code:
    """The code of a thread as it grows. Emitting functions call it; `span` is the instruction that
    they emit."""

    def __init__(self, architecture: InstructionSet, memory: Memory, name: str) -> None:
        self.architecture = architecture
        self.memory = memory
        self.name = name  # of the thread
        self.span: Span
        self.mnemonic = ""
        self._code: list[ins.Instruction | _Jump] = []
        self._labels: dict[str, int] = {}
        self._fresh = 0
        self._instructions = 0  # of the text, begun so far
        self.widths: dict[
            str, tuple[int | None, str]
        ] = {}  # of accesses, by label; None: the location's

    # Expressions

    def const(self, value: int, name: str = "") -> ex.Const:
        return ex.Const(self.span, values.wrap(value), name)

    def reg(self, name: str) -> ex.Expr:
        """What a register holds; 0 for the zero register."""
        return ex.Register(self.span, name) if name else self.const(0)

    def address_of(self, name: str, span: Span, index: int | None = None) -> ex.Const:
        """The address of a location that the code names."""
        return ex.Const(span, *self.memory.address(name, index, 0, span))

    def binary(self, op: str, left: ex.Expr, right: ex.Expr) -> ex.Expr:
        if isinstance(left, ex.Const) and isinstance(right, ex.Const):
            return self.const(values.binary(op, left.value, right.value))
        if isinstance(right, ex.Const) and right.value == 0 and op in ("+", "-", "|", "^", "<<"):
            return left
        if isinstance(left, ex.Const) and left.value == 0 and op in ("+", "|", "^"):
            return right
        return ex.Binary(self.span, op, left, right)

    def unary(self, op: str, operand: ex.Expr) -> ex.Expr:
        if isinstance(operand, ex.Const):
            folded = values.unary(op, operand.value)
            return operand if folded == operand.value else self.const(folded)
        return ex.Unary(self.span, op, operand)

    def signed(self, operand: ex.Expr, bits: int) -> ex.Expr:
        """The low bits with their sign."""
        return operand if bits == values.BITS else self.unary(f"s{bits}", operand)

    def unsigned(self, operand: ex.Expr, bits: int) -> ex.Expr:
        """The low bits without their sign; 64 bits stay as they are."""
        return operand if bits == values.BITS else self.unary(f"u{bits}", operand)

    # Instructions

    def set(self, register: str | None, value: ex.Expr) -> None:
        """`register := value`; nothing for the zero register (None or "")."""
        if register:
            self._add(ins.Assign(self.span, self._label(), register, value))

    def select(self, register: str | None, condition: ex.Expr, yes: ex.Expr, no: ex.Expr) -> None:
        """`register := yes` where the condition holds, else `:= no`."""
        if register:
            self._add(ins.Select(self.span, self._label(), register, condition, yes, no))

    def load(
        self,
        register: str | None,
        address: ex.Expr,
        bits: int,
        *,
        signed: bool = False,
        tags: frozenset[str] = frozenset(),
        exclusive: bool = False,
    ) -> None:
        """A load; the value is extended to 64 bits by its sign or by zeros."""
        label = self._access(bits)
        into = register or None
        self._add(
            ins.Load(self.span, label, into, address, _tags(tags, exclusive), None, exclusive)
        )
        self._extend(into, bits, signed)

    def store(
        self,
        address: ex.Expr,
        value: ex.Expr,
        bits: int | None,
        *,
        tags: frozenset[str] = frozenset(),
    ) -> None:
        """A store of the low bits; without `bits` it is as wide as the location."""
        stored = value if bits is None else self.signed(value, bits)
        self._add(ins.Store(self.span, self._access(bits), address, stored, _tags(tags)))

    def rmw(
        self,
        register: str | None,
        op: str,
        address: ex.Expr,
        operand: ex.Expr,
        bits: int,
        *,
        expected: ex.Expr | None = None,
        signed: bool = False,
        tags: frozenset[str] = frozenset(),
        failed_tags: frozenset[str] | None = None,
    ) -> None:
        """A read-modify-write; the register gets the old value, extended. `op` is xchg, cas or a
        binary operator."""
        into = register or None
        operand = self.signed(operand, bits)
        if expected is not None:
            expected = self.signed(expected, bits)
        self._add(
            ins.Rmw(
                self.span,
                self._access(bits),
                into,
                op,
                address,
                operand,
                expected,
                _tags(tags),
                None,
                values.BITS if op in ("xchg", "cas") else bits,
                failed_tags,
            )
        )
        self._extend(into, bits, signed)

    def store_conditional(
        self,
        status: str | None,
        address: ex.Expr,
        value: ex.Expr,
        bits: int,
        *,
        tags: frozenset[str] = frozenset(),
        free: bool = False,
        by_store: bool = False,
    ) -> None:
        """`status` becomes 0 where it stores and 1 where it fails; what it depends on is as in
        StoreConditional."""
        label = self._access(bits)
        stored = self.signed(value, bits)
        into, tags = status or None, _tags(tags, True)
        self._add(
            ins.StoreConditional(self.span, label, into, address, stored, tags, free, by_store)
        )

    def fence(self, *tags: str) -> None:
        self._add(ins.Fence(self.span, self._label(), frozenset(tags)))

    def branch(self, condition: ex.Expr, label: tuple[str, Span]) -> None:
        """`if condition goto label`; a label is what the shape `l` gives."""
        self._add(_Jump(self.span, condition, *label))

    def goto(self, label: tuple[str, Span]) -> None:
        self._add(_Jump(self.span, None, *label))

    def local_label(self) -> tuple[str, Span]:
        """A new label, for jumps within what one instruction becomes; `here` puts it."""
        self._fresh += 1
        return f" {self._fresh}", self.span

    def here(self, label: tuple[str, Span]) -> None:
        """Puts a label before the next instruction."""
        name, span = label
        if name in self._labels:
            raise InputError(f"label `{name}` is defined twice in {self.name}", span)
        self._labels[name] = len(self._code)

    def begin(self, span: Span) -> None:
        """An instruction of the text begins: a place to which `distant` can jump."""
        self.span = span
        self.here((_place(self._instructions), span))
        self._instructions += 1

    def distant(self, count: int, span: Span) -> tuple[str, Span]:
        """The label of the instruction that comes so many after this one, or before it."""
        return _place(self._instructions - 1 + count), span

    def _add(self, instruction: ins.Instruction | _Jump) -> None:
        self._code.append(instruction)

    def _label(self) -> str:
        return f"{self.name}_{len(self._code)}"

    def _access(self, bits: int | None) -> str:
        label = self._label()
        self.widths[label] = (bits, self.mnemonic)
        return label

    def _extend(self, register: str | None, bits: int, signed: bool) -> None:
        if register is not None and not signed and bits != values.BITS:
            self.set(register, self.unsigned(self.reg(register), bits))

    # The end

    def finish(self) -> tuple[ins.Instruction, ...]:
        """The instructions, with the targets of jumps found and without flags that are not read."""
        self._labels[_place(self._instructions)] = len(self._code)
        self._drop_flags()
        found: list[ins.Instruction] = []
        for index, instruction in enumerate(self._code):
            if isinstance(instruction, _Jump):
                if instruction.label not in self._labels:
                    if instruction.label.startswith(_PLACE):
                        raise InputError("a jump out of the thread's code", instruction.place)
                    written = (name for name in self._labels if not name.startswith(" "))
                    hint = did_you_mean(instruction.label, written)
                    message = f"unknown label `{instruction.label}` in {self.name}"
                    raise InputError(message, instruction.place, hint)
                target = self._labels[instruction.label]
                label = f"{self.name}_{index}"
                if instruction.condition is None:
                    found.append(ins.Goto(instruction.span, label, target))
                else:
                    found.append(ins.Branch(instruction.span, label, instruction.condition, target))
            else:
                found.append(instruction)
        return tuple(found)

    def _drop_flags(self) -> None:
        """Takes out assignments to flags that nothing in the thread reads; again, since they read
        others."""
        flags = self.architecture.flags
        while True:
            read: set[str] = set()
            for instruction in self._code:
                if isinstance(instruction, _Jump):
                    if instruction.condition is not None:
                        read |= ex.registers(instruction.condition)
                else:
                    read |= instruction.uses
            kept = [
                not (isinstance(i, ins.Assign) and i.register in flags and i.register not in read)
                for i in self._code
            ]
            if all(kept):
                return
            places = [0]
            for keep in kept:
                places.append(places[-1] + keep)
            self._code = [i for i, keep in zip(self._code, kept, strict=True) if keep]
            self._labels = {name: places[index] for name, index in self._labels.items()}


_PLACE = " at "  # begins the labels of instructions, which no test can write


def _place(number: int) -> str:
    return f"{_PLACE}{number}"


def _tags(tags: frozenset[str], exclusive: bool = False) -> frozenset[str]:
    if exclusive:
        return tags | {EXCLUSIVE}
    return tags or frozenset({PLAIN})
