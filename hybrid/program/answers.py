"""What every instruction says about itself, whatever it is."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from hybrid.program import values
from hybrid.program.expr import Binary, Const, Expr, Register, evaluate, registers
from hybrid.source import Span

READ: Final = "_"  # the value read, in the expression of a guard; no register has this name


@dataclass(frozen=True, slots=True)
class Reread:
    """A load that a thread which waits in a loop does again and again, and what it read there."""

    address: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Guard:
    """What an await waits for: the value read, or what `of` makes of it, stands in relation `op` to
    `value`. How executors treat awaits is in hybrid.program.program."""

    span: Span
    op: str  # one of values.COMPARISONS
    value: Expr
    sleeps: bool = False  # it waits as for a lock, not in a loop: the join of a compiled program
    of: Expr | None = None  # over registers and READ; None: the value read itself
    # Of an await that stands for a loop: what else the loop reads on its way here. The thread waits
    # for ever only as long as memory holds that.
    rereads: tuple[Reread, ...] = ()

    @property
    def sides(self) -> tuple[Expr, ...]:
        """What is compared, as far as it is made of registers."""
        return (self.value,) if self.of is None else (self.of, self.value)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return (
            *self.sides,
            *(part for each in self.rereads for part in (each.address, each.value)),
        )

    @property
    def uses(self) -> frozenset[str]:
        """The registers on which it depends what is awaited."""
        return frozenset[str]().union(*(registers(each) for each in self.sides)) - {READ}

    def with_expressions(self, change: Callable[[Expr], Expr]) -> Guard:
        """The same with each of its expressions changed, in their order."""
        of = None if self.of is None else change(self.of)
        value = change(self.value)
        return replace(self, of=of, value=value, rereads=changed_rereads(self.rereads, change))

    def accepts(self, read: int, held: Mapping[str, int]) -> bool:
        """Whether an await may read a value, where registers hold this."""
        left = read if self.of is None else evaluate(self.of, {**held, READ: read})
        return values.binary(self.op, left, evaluate(self.value, held)) != 0


def guard_of(test: Expr, span: Span, rereads: tuple[Reread, ...] = ()) -> Guard:
    """The guard that accepts a value READ for which `test` is not 0; a comparison is told apart."""
    if isinstance(test, Binary) and test.op in values.COMPARISONS:
        for op, left, right in (
            (test.op, test.left, test.right),
            (values.MIRRORED[test.op], test.right, test.left),
        ):
            if READ in registers(left) and READ not in registers(right):
                of = None if isinstance(left, Register) else left
                return Guard(span, op, right, of=of, rereads=rereads)
    return Guard(span, "!=", Const(span, 0), of=test, rereads=rereads)


def test_of(guard: Guard) -> Expr:
    """What the value READ must satisfy, as an expression: the converse of `guard_of`."""
    zero = isinstance(guard.value, Const) and guard.value.value == 0
    if guard.of is not None and guard.op == "!=" and zero:
        return guard.of
    left = Register(guard.span, READ) if guard.of is None else guard.of
    return Binary(guard.span, guard.op, left, guard.value)


def changed_rereads(
    rereads: tuple[Reread, ...], change: Callable[[Expr], Expr]
) -> tuple[Reread, ...]:
    return tuple(Reread(change(each.address), change(each.value)) for each in rereads)


class Answers:
    """What every instruction says about itself. Nothing has a default: mypy does not let a class be
    instantiated that leaves a question open. (There is no ABCMeta, which would slow `isinstance`.)
    """

    __slots__ = ()

    @property
    @abstractmethod
    def reads(self) -> bool:
        """Whether it may read memory."""

    @property
    @abstractmethod
    def writes(self) -> bool:
        """Whether it may write memory."""

    @property
    @abstractmethod
    def place(self) -> Expr | None:
        """The address of the memory that it reads or writes; None if it does neither."""

    @property
    @abstractmethod
    def awaits(self) -> Guard | None:
        """What it waits to read, if it waits."""

    @property
    @abstractmethod
    def event_tags(self) -> frozenset[str]:
        """All tags that one of its events may carry."""

    @property
    @abstractmethod
    def sets(self) -> tuple[str, ...]:
        """The registers that it may set."""

    @property
    @abstractmethod
    def expressions(self) -> tuple[Expr, ...]:
        """All its expressions in the order in which they are written: its place first, if it has
        one; what it waits for last."""

    @property
    @abstractmethod
    def targets(self) -> tuple[int, ...]:
        """Where it may jump: indices into the thread's code, whose length stands for the end."""

    @property
    @abstractmethod
    def goes_on(self) -> bool:
        """Whether the instruction after it may come next."""

    @abstractmethod
    def with_sets(self, rename: Callable[[str], str]) -> Self:
        """The same with each register that it sets renamed."""

    @abstractmethod
    def with_expressions(self, change: Callable[[Expr], Expr]) -> Self:
        """The same with each of its expressions changed, in the order of `expressions`."""

    @abstractmethod
    def with_targets(self, move: Callable[[int], int]) -> Self:
        """The same with each of its targets moved."""

    # What follows from the above

    @property
    def uses(self) -> frozenset[str]:
        """The registers that occur in its expressions."""
        return frozenset[str]().union(*(registers(each) for each in self.expressions)) - {READ}

    @property
    def jumps(self) -> bool:
        """Whether an instruction other than the one after it may come next."""
        return bool(self.targets)


class NoAccess(Answers):
    """An instruction that does not touch memory."""

    __slots__ = ()

    reads: ClassVar[bool] = False
    writes: ClassVar[bool] = False
    place: ClassVar[None] = None
    awaits: ClassVar[None] = None


class NoJump(Answers):
    """An instruction after which the next one comes, if any."""

    __slots__ = ()

    targets: ClassVar[tuple[int, ...]] = ()
    goes_on: ClassVar[bool] = True

    def with_targets(self, move: Callable[[int], int]) -> Self:
        return self


class SetsNothing(Answers):
    """An instruction that sets no register."""

    __slots__ = ()

    sets: ClassVar[tuple[str, ...]] = ()

    def with_sets(self, rename: Callable[[str], str]) -> Self:
        return self
