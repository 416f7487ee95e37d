"""Instructions of a thread.

Each has `label` (unique in the program; made up where the text has none) and `span`. `tags` are
names of cat sets to which the instruction's events belong: the annotations (`ACQ`, `REL`, `SC`, …)
of an access and the kinds (`SYNC`, `MFENCE`, …) of a fence. A plain access has the tag `NA`.

What is asked of any instruction (may it write memory, which registers does it set, where may it
jump) each class answers itself: see answers.py. How an instruction executes and how it is spelled
is not known here. Code that takes instructions apart for that handles every class and ends in
`assert_never`, so that the type checker names each such place when a class is added.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from hybrid.program.answers import READ as READ
from hybrid.program.answers import Guard as Guard
from hybrid.program.answers import NoAccess, NoJump, SetsNothing, changed_rereads
from hybrid.program.answers import Reread as Reread
from hybrid.program.answers import guard_of as guard_of
from hybrid.program.answers import test_of as test_of
from hybrid.program.expr import Expr
from hybrid.source import Span

_NO_TAGS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Assign(NoAccess, NoJump):
    """`register := value`, no memory access; no event."""

    span: Span
    label: str
    register: str
    value: Expr

    event_tags: ClassVar[frozenset[str]] = _NO_TAGS

    @property
    def sets(self) -> tuple[str, ...]:
        return (self.register,)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return (self.value,)

    def with_sets(self, rename: Callable[[str], str]) -> Self:
        return replace(self, register=rename(self.register))

    def with_expressions(self, change: Callable[[Expr], Expr]) -> Self:
        return replace(self, value=change(self.value))


@dataclass(frozen=True, slots=True)
class Select(NoAccess, NoJump):
    """`register := select(condition, yes, no)`: what the condition selects, no memory access; no
    event and no branch.

    The register depends on what the selected operand depends on, and by selection on what the
    condition depends on.
    """

    span: Span
    label: str
    register: str
    condition: Expr
    yes: Expr  # its value where the condition is not 0
    no: Expr

    event_tags: ClassVar[frozenset[str]] = _NO_TAGS

    @property
    def sets(self) -> tuple[str, ...]:
        return (self.register,)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return (self.condition, self.yes, self.no)

    def with_sets(self, rename: Callable[[str], str]) -> Self:
        return replace(self, register=rename(self.register))

    def with_expressions(self, change: Callable[[Expr], Expr]) -> Self:
        return replace(
            self, condition=change(self.condition), yes=change(self.yes), no=change(self.no)
        )


@dataclass(frozen=True, slots=True)
class Load(NoJump):
    """`register := [address]`. With a guard it is an await: it happens only with a value that
    satisfies it.

    An exclusive load (load-reserve) opens a reservation for the next store-conditional of its
    thread.
    """

    span: Span
    label: str
    register: str | None  # None: the value read is dropped
    address: Expr
    tags: frozenset[str]
    guard: Guard | None = None
    exclusive: bool = False

    reads: ClassVar[bool] = True
    writes: ClassVar[bool] = False

    @property
    def place(self) -> Expr:
        return self.address

    @property
    def awaits(self) -> Guard | None:
        return self.guard

    @property
    def rereads(self) -> tuple[Reread, ...]:
        return () if self.guard is None else self.guard.rereads

    @property
    def event_tags(self) -> frozenset[str]:
        return self.tags

    @property
    def sets(self) -> tuple[str, ...]:
        return _present(self.register)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return (self.address, *_guarding(self.guard))

    def with_sets(self, rename: Callable[[str], str]) -> Self:
        return replace(self, register=_renamed(self.register, rename))

    def with_expressions(self, change: Callable[[Expr], Expr]) -> Self:
        address = change(self.address)
        return replace(self, address=address, guard=_changed(self.guard, change))


@dataclass(frozen=True, slots=True)
class Store(NoJump, SetsNothing):
    """`[address] := value`."""

    span: Span
    label: str
    address: Expr
    value: Expr
    tags: frozenset[str]

    reads: ClassVar[bool] = False
    writes: ClassVar[bool] = True
    awaits: ClassVar[None] = None

    @property
    def place(self) -> Expr:
        return self.address

    @property
    def event_tags(self) -> frozenset[str]:
        return self.tags

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return (self.address, self.value)

    def with_expressions(self, change: Callable[[Expr], Expr]) -> Self:
        return replace(self, address=change(self.address), value=change(self.value))


@dataclass(frozen=True, slots=True)
class Rmw(NoJump):
    """An atomic read-modify-write. `op` is `xchg` (stores `operand`), `cas` (stores `operand` if
    the value read is `expected`, else does not store) or a binary operator (fetch-and-op: stores
    `old op operand`). The register gets the old value.

    A weak cas may also not store when the value read is the expected one. A cas that does not store
    is a load with `failed_tags`, where these are given.
    """

    span: Span
    label: str
    register: str | None
    op: str
    address: Expr
    operand: Expr
    expected: Expr | None  # of a cas, else None
    tags: frozenset[str]
    guard: Guard | None = None
    bits: int = 64  # of a fetch-and-op: what it stores is wrapped to so many, 8, 16, 32 or 64
    failed_tags: frozenset[str] | None = None  # None: as `tags`
    weak: bool = False  # of a cas
    # of a cas: a second register, which gets 1 if it stores and 0 if not
    success: str | None = None

    reads: ClassVar[bool] = True
    writes: ClassVar[bool] = True

    @property
    def tags_without_store(self) -> frozenset[str]:
        """The tags of the load when the store does not happen."""
        return self.tags if self.failed_tags is None else self.failed_tags

    @property
    def is_choice(self) -> bool:
        """Whether the value read does not settle all of how it goes: whether it stores, or with
        which tags it reads."""
        return self.op == "cas" and (self.weak or self.failed_tags is not None)

    @property
    def place(self) -> Expr:
        return self.address

    @property
    def awaits(self) -> Guard | None:
        return self.guard

    @property
    def rereads(self) -> tuple[Reread, ...]:
        return () if self.guard is None else self.guard.rereads

    @property
    def event_tags(self) -> frozenset[str]:
        return self.tags | self.tags_without_store

    @property
    def sets(self) -> tuple[str, ...]:
        return (*_present(self.register), *_present(self.success))

    @property
    def expressions(self) -> tuple[Expr, ...]:
        compared = () if self.expected is None else (self.expected,)
        return (self.address, *compared, self.operand, *_guarding(self.guard))

    def with_sets(self, rename: Callable[[str], str]) -> Self:
        register = _renamed(self.register, rename)
        return replace(self, register=register, success=_renamed(self.success, rename))

    def with_expressions(self, change: Callable[[Expr], Expr]) -> Self:
        address = change(self.address)
        expected = None if self.expected is None else change(self.expected)
        operand = change(self.operand)
        guard = _changed(self.guard, change)
        return replace(self, address=address, expected=expected, operand=operand, guard=guard)


@dataclass(frozen=True, slots=True)
class StoreConditional(NoJump):
    """`status := sc([address], value)`: stores and sets status to 0, or fails and sets it to 1.

    It may succeed only when the last exclusive instruction of its thread was a load-reserve of the
    same address; it may fail always. A success is paired with that load in `lxsx`.
    """

    span: Span
    label: str
    status: str | None
    address: Expr
    value: Expr
    tags: frozenset[str]
    free: bool = False  # the status depends on no load, as on Arm
    by_store: bool = False  # it depends on the store alone, on nothing if that fails: RISC-V

    reads: ClassVar[bool] = False
    writes: ClassVar[bool] = True
    awaits: ClassVar[None] = None

    @property
    def place(self) -> Expr:
        return self.address

    @property
    def event_tags(self) -> frozenset[str]:
        return self.tags

    @property
    def sets(self) -> tuple[str, ...]:
        return _present(self.status)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return (self.address, self.value)

    def with_sets(self, rename: Callable[[str], str]) -> Self:
        return replace(self, status=_renamed(self.status, rename))

    def with_expressions(self, change: Callable[[Expr], Expr]) -> Self:
        return replace(self, address=change(self.address), value=change(self.value))


@dataclass(frozen=True, slots=True)
class Fence(NoAccess, NoJump, SetsNothing):
    span: Span
    label: str
    tags: frozenset[str]

    expressions: ClassVar[tuple[Expr, ...]] = ()

    @property
    def event_tags(self) -> frozenset[str]:
        return self.tags

    def with_expressions(self, change: Callable[[Expr], Expr]) -> Self:
        return self


@dataclass(frozen=True, slots=True)
class Branch(NoAccess, SetsNothing):
    """`if condition goto target`: `target` is an index into the thread's code (its length: the
    end)."""

    span: Span
    label: str
    condition: Expr
    target: int

    event_tags: ClassVar[frozenset[str]] = _NO_TAGS
    goes_on: ClassVar[bool] = True

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return (self.condition,)

    @property
    def targets(self) -> tuple[int, ...]:
        return (self.target,)

    def with_expressions(self, change: Callable[[Expr], Expr]) -> Self:
        return replace(self, condition=change(self.condition))

    def with_targets(self, move: Callable[[int], int]) -> Self:
        return replace(self, target=move(self.target))


@dataclass(frozen=True, slots=True)
class Goto(NoAccess, SetsNothing):
    span: Span
    label: str
    target: int

    event_tags: ClassVar[frozenset[str]] = _NO_TAGS
    expressions: ClassVar[tuple[Expr, ...]] = ()
    goes_on: ClassVar[bool] = False

    @property
    def targets(self) -> tuple[int, ...]:
        return (self.target,)

    def with_expressions(self, change: Callable[[Expr], Expr]) -> Self:
        return self

    def with_targets(self, move: Callable[[int], int]) -> Self:
        return replace(self, target=move(self.target))


@dataclass(frozen=True, slots=True)
class Assume(NoAccess, NoJump, SetsNothing):
    """The thread goes on only if the condition holds; else it stops here and the run is not a
    complete one. One that stands for a loop waits there: see Guard."""

    span: Span
    label: str
    condition: Expr
    waits: bool = False  # it stands for a loop that would go round again
    rereads: tuple[Reread, ...] = ()  # of such a one: what the loop reads on its way here

    event_tags: ClassVar[frozenset[str]] = _NO_TAGS

    @property
    def expressions(self) -> tuple[Expr, ...]:
        read = (part for each in self.rereads for part in (each.address, each.value))
        return (self.condition, *read)

    def with_expressions(self, change: Callable[[Expr], Expr]) -> Self:
        condition = change(self.condition)
        return replace(self, condition=condition, rereads=changed_rereads(self.rereads, change))


@dataclass(frozen=True, slots=True)
class Assert(NoAccess, NoJump, SetsNothing):
    """The condition must hold in every run that comes here, however it ends; the thread goes on
    either way."""

    span: Span
    label: str
    condition: Expr

    event_tags: ClassVar[frozenset[str]] = _NO_TAGS

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return (self.condition,)

    def with_expressions(self, change: Callable[[Expr], Expr]) -> Self:
        return replace(self, condition=change(self.condition))


Instruction = (
    Assign
    | Select
    | Load
    | Store
    | Rmw
    | StoreConditional
    | Fence
    | Branch
    | Goto
    | Assume
    | Assert
)
Access = Load | Store | Rmw | StoreConditional  # those that have a place


def _present(register: str | None) -> tuple[str, ...]:
    return () if register is None else (register,)


def _renamed(register: str | None, rename: Callable[[str], str]) -> str | None:
    return None if register is None else rename(register)


def _guarding(guard: Guard | None) -> tuple[Expr, ...]:
    return () if guard is None else guard.expressions


def _changed(guard: Guard | None, change: Callable[[Expr], Expr]) -> Guard | None:
    return None if guard is None else guard.with_expressions(change)
