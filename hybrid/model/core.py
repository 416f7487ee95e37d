"""A memory model after parsing: definitions and axioms over base sets and relations, functions
inlined.

This is all that executors (oracles, the enumerator, formulas) see of a cat text; each evaluates it
in its own way. Spans do not count in comparisons, so equal expressions are equal wherever they
stand.

Base sets: `_` (all events), `R`, `W`, `M` (R | W), `F`, `B` (branches), `IW`, `FW` (co-last
stores), `RMW` (the events of successful read-modify-writes and exclusive pairs), and tags, which
are the names in an event's `tags`. Base relations: `po rf co loc int ext id addr data ctrl pick amo
lxsx`; `rmw` is the union `amo | lxsx`, and `pick` a part of `addr | data`. The initial writes are
in no po; they count as one thread of their own for `int` and `ext`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from hybrid.source import Span


class Kind(Enum):
    SET = "set"
    RELATION = "relation"


@dataclass(frozen=True, slots=True)
class Base:
    """A set or relation that an execution gives."""

    span: Span = field(compare=False)
    kind: Kind
    name: str


@dataclass(frozen=True, slots=True)
class Ref:
    """The definition `Model.definitions[index]`: an earlier one, or one of the same recursive
    group."""

    span: Span = field(compare=False)
    kind: Kind
    index: int


@dataclass(frozen=True, slots=True)
class Empty:
    span: Span = field(compare=False)
    kind: Kind


@dataclass(frozen=True, slots=True)
class Union:
    span: Span = field(compare=False)
    kind: Kind
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Inter:
    span: Span = field(compare=False)
    kind: Kind
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Diff:
    span: Span = field(compare=False)
    kind: Kind
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Complement:
    """With respect to all events, or all pairs of events."""

    span: Span = field(compare=False)
    kind: Kind
    operand: Expr


@dataclass(frozen=True, slots=True)
class Seq:
    """Relational composition `left ; right`."""

    span: Span = field(compare=False)
    left: Expr
    right: Expr
    kind: Kind = Kind.RELATION


@dataclass(frozen=True, slots=True)
class Inverse:
    span: Span = field(compare=False)
    operand: Expr
    kind: Kind = Kind.RELATION


@dataclass(frozen=True, slots=True)
class Plus:
    span: Span = field(compare=False)
    operand: Expr
    kind: Kind = Kind.RELATION


@dataclass(frozen=True, slots=True)
class Star:
    span: Span = field(compare=False)
    operand: Expr
    kind: Kind = Kind.RELATION


@dataclass(frozen=True, slots=True)
class Opt:
    """`operand?`: the operand or the identity on all events."""

    span: Span = field(compare=False)
    operand: Expr
    kind: Kind = Kind.RELATION


@dataclass(frozen=True, slots=True)
class Product:
    """`left * right` of two sets."""

    span: Span = field(compare=False)
    left: Expr
    right: Expr
    kind: Kind = Kind.RELATION


@dataclass(frozen=True, slots=True)
class Identity:
    """`[operand]`: the identity on a set."""

    span: Span = field(compare=False)
    operand: Expr
    kind: Kind = Kind.RELATION


@dataclass(frozen=True, slots=True)
class Domain:
    span: Span = field(compare=False)
    operand: Expr
    kind: Kind = Kind.SET


@dataclass(frozen=True, slots=True)
class Range:
    span: Span = field(compare=False)
    operand: Expr
    kind: Kind = Kind.SET


Expr = (
    Base
    | Ref
    | Empty
    | Union
    | Inter
    | Diff
    | Complement
    | Seq
    | Inverse
    | Plus
    | Star
    | Opt
    | Product
    | Identity
    | Domain
    | Range
)


@dataclass(frozen=True, slots=True)
class Definition:
    """`let name = expr`. Members of one `let rec … and …` share `group` and mean its least fixpoint
    (the checker makes sure that they occur in it positively only)."""

    span: Span = field(compare=False)
    name: str
    kind: Kind
    expr: Expr
    group: int | None = None


class Test(Enum):
    ACYCLIC = "acyclic"
    IRREFLEXIVE = "irreflexive"
    EMPTY = "empty"


# machines that run threads step by step: over one memory; with a store buffer for each thread; with
# one for each thread and location
SEQUENTIAL, TOTAL_STORE_ORDER, PARTIAL_STORE_ORDER = "sc", "tso", "pso"
OPERATIONALS = (SEQUENTIAL, TOTAL_STORE_ORDER, PARTIAL_STORE_ORDER)

RACE = "race"  # `flag … as race`: an execution that raises it has a data race


@dataclass(frozen=True, slots=True)
class Axiom:
    """What every allowed execution satisfies; or, as a flag, what is reported of an execution that
    satisfies it."""

    span: Span = field(compare=False)
    test: Test
    negated: bool
    expr: Expr
    name: str  # after `as`, or made up from the place
    flag: bool = False


@dataclass(frozen=True, slots=True)
class ModelTexts:
    """What a model was read from, enough to read it again elsewhere."""

    main: str
    stdlib: str
    files: tuple[str, ...]  # those that are included, each once
    includes: tuple[tuple[str, int], ...]  # their names, as they are spelled, to places in `files`


@dataclass(frozen=True, slots=True)
class Model:
    name: str  # what the user calls it: `power`, or the stem of a file
    title: str  # the string at the head of the text; may be empty
    path: str  # where the text was read
    definitions: tuple[Definition, ...]
    axioms: tuple[Axiom, ...]  # flags included
    # as annotated, or the default; None: unknown, rsmc refuses the model
    commit_before: Expr | None
    commit_before_origin: str = ""  # `annotated`, `default`, or why there is none
    notes: tuple[str, ...] = ()  # what the user should know of how the text was read
    # annotated: (store, load) where the load may take the store's value before the store is
    # committed
    forward: Expr | None = None
    machine: str = ""  # annotated: the machine that it is of; empty for a language's or for none
    # annotated: tags that ask for no more than every event has
    implied: frozenset[str] = frozenset()
    # annotated: the machine of hybrid.engine.odpor whose runs are the executions that the axioms
    # allow; empty: the text does not say
    operational: str = ""
    # annotated: (store, event) where, once the event is committed, a place in coherence must
    # remain for the store
    look_ahead: Expr | None = None
    # what it was read from; None where an include has two meanings
    texts: ModelTexts | None = field(default=None, compare=False, repr=False)

    def __hash__(self) -> int:
        """What is known of a model is kept by the model: not all of its text is gone through."""
        return hash((self.name, self.path, len(self.definitions), len(self.axioms)))

    @property
    def constraints(self) -> tuple[Axiom, ...]:
        return tuple(a for a in self.axioms if not a.flag)

    @property
    def flags(self) -> tuple[Axiom, ...]:
        return tuple(a for a in self.axioms if a.flag)

    @property
    def races(self) -> tuple[Axiom, ...]:
        """The flags that say that a program has a data race."""
        return tuple(a for a in self.axioms if a.flag and a.name == RACE)


def children(expr: Expr) -> tuple[Expr, ...]:
    """The direct operands of `expr`; a Ref has none."""
    if isinstance(expr, Union | Inter | Diff | Seq | Product):
        return (expr.left, expr.right)
    if isinstance(expr, Complement | Inverse | Plus | Star | Opt | Identity | Domain | Range):
        return (expr.operand,)
    return ()
