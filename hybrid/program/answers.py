"""What every instruction says about itself, whatever it is."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Self

from hybrid.program.expr import Expr, registers
from hybrid.source import Span


@dataclass(frozen=True, slots=True)
class Guard:
    """What an await waits for: the value read stands in relation `op` to `value`."""

    span: Span
    op: str  # one of values.COMPARISONS
    value: Expr


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
        return frozenset[str]().union(*(registers(each) for each in self.expressions))

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
