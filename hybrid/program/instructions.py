"""Instructions of a thread.

Each has `label` (unique in the program; made up where the text has none) and `span`. `tags` are
names of cat sets to which the instruction's events belong: the annotations (`ACQ`, `REL`, `SC`, …)
of an access and the kinds (`SYNC`, `MFENCE`, …) of a fence. A plain access has the tag `NA`.
"""

from __future__ import annotations

from dataclasses import dataclass

from hybrid.program.expr import Expr
from hybrid.source import Span


@dataclass(frozen=True, slots=True)
class Guard:
    """What an await waits for: the value read stands in relation `op` to `value`."""

    span: Span
    op: str  # one of values.COMPARISONS
    value: Expr


@dataclass(frozen=True, slots=True)
class Assign:
    """`register := value`, no memory access; no event."""

    span: Span
    label: str
    register: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Select:
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


@dataclass(frozen=True, slots=True)
class Load:
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


@dataclass(frozen=True, slots=True)
class Store:
    """`[address] := value`."""

    span: Span
    label: str
    address: Expr
    value: Expr
    tags: frozenset[str]


@dataclass(frozen=True, slots=True)
class Rmw:
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

    @property
    def tags_without_store(self) -> frozenset[str]:
        """The tags of the load when the store does not happen."""
        return self.tags if self.failed_tags is None else self.failed_tags


@dataclass(frozen=True, slots=True)
class StoreConditional:
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


@dataclass(frozen=True, slots=True)
class Fence:
    span: Span
    label: str
    tags: frozenset[str]


@dataclass(frozen=True, slots=True)
class Branch:
    """`if condition goto target`: `target` is an index into the thread's code (its length: the
    end)."""

    span: Span
    label: str
    condition: Expr
    target: int


@dataclass(frozen=True, slots=True)
class Goto:
    span: Span
    label: str
    target: int


@dataclass(frozen=True, slots=True)
class Assume:
    """The thread goes on only if the condition holds; else it stops here and the run is no complete
    one."""

    span: Span
    label: str
    condition: Expr


@dataclass(frozen=True, slots=True)
class Assert:
    """The condition must hold in every run that comes here, however it ends; the thread goes on
    either way."""

    span: Span
    label: str
    condition: Expr


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
Access = Load | Store | Rmw | StoreConditional
