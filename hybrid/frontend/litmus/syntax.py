"""What a .litmus text says, before its names have a meaning: the output of reader.py.

`Compare(left, "==", right)` and its kin are the formulas of `filter` and of the final condition. A
name means its content on the left of a comparison and its address on the right, as in herd: `x=1`,
`0:r1=x`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hybrid.program.condition import Quantifier
from hybrid.source import Source, Span


@dataclass(frozen=True, slots=True)
class CType:
    """A type of C as the initial state spells it."""

    span: Span
    name: str  # `int`, `uint64_t`, without qualifiers and stars
    bits: int  # of what it names; with stars of what they point to
    signed: bool = True
    pointers: int = 0  # how many stars
    atomic: bool = False
    volatile: bool = False


@dataclass(frozen=True, slots=True)
class Number:
    span: Span
    value: int


@dataclass(frozen=True, slots=True)
class Place:
    """The content of a location: `x`, `[x]`, `*x`, `x[1]`."""

    span: Span
    name: str
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a location: `x` as a value, `&x`, `&x[1]`, `x+4`."""

    span: Span
    name: str
    index: int | None = None
    offset: int = 0  # in bytes


@dataclass(frozen=True, slots=True)
class RegisterPlace:
    """A register of a thread, as it is written: `0:r1`, `P0:r1`."""

    span: Span
    thread: int  # the number that is written, not an index
    register: str


Value = Number | Address
Operand = Number | Address | Place | RegisterPlace


@dataclass(frozen=True, slots=True)
class CompareClause:
    span: Span
    op: str  # == or !=
    left: Operand
    right: Operand


@dataclass(frozen=True, slots=True)
class NotClause:
    span: Span
    operand: Formula


@dataclass(frozen=True, slots=True)
class AndClause:
    span: Span
    operands: tuple[Formula, ...]  # of none: true


@dataclass(frozen=True, slots=True)
class OrClause:
    span: Span
    operands: tuple[Formula, ...]  # of none: false


@dataclass(frozen=True, slots=True)
class ImpliesClause:
    """`left => right`"""

    span: Span
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Cells:
    """`a={1,2}`: all cells of an array."""

    span: Span
    op: str  # == or !=
    place: Place
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Undefined:
    """`Undef`: the behaviour is undefined (a race)."""

    span: Span


Formula = CompareClause | Cells | NotClause | AndClause | OrClause | ImpliesClause | Undefined


@dataclass(frozen=True, slots=True)
class LocationInit:
    """A declaration of a location in the initial state, or of a cell: `x=1`, `x`, `int a[2]={1,2}`,
    `a[1]=2`."""

    span: Span
    type: CType | None
    name: str
    index: int | None  # of the cell that gets a value
    length: int | None  # of an array that is declared (then `index` is None)
    values: tuple[Value, ...] | None  # None: none is given; more than one only for an array


@dataclass(frozen=True, slots=True)
class RegisterInit:
    """`0:r1=x`, `uint64_t 1:X3=5`, `uint64_t 1:X3`."""

    span: Span
    type: CType | None
    place: RegisterPlace
    value: Value | None  # None: only its type is given


@dataclass(frozen=True, slots=True)
class NamedInit:
    """`%a=x`: a register that the test names itself, in every thread that uses it."""

    span: Span
    type: CType | None
    register: str  # with the `%`
    value: Value | None


Init = LocationInit | RegisterInit | NamedInit


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the text with its place: `source.text[start:end]`, comments included."""

    span: Span
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a column: an instruction, a label, or both. Comments are blanked."""

    span: Span
    text: str  # never empty


@dataclass(frozen=True, slots=True)
class Column:
    """A thread of assembly."""

    span: Span
    number: int  # 0 of `P0`
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class ThreadFunction:
    """A thread of C: `P0 (parameters) { body }`; the pieces are what stands between the
    brackets."""

    span: Span
    number: int
    parameters: Piece
    body: Piece


@dataclass(frozen=True, slots=True)
class Final:
    """The condition. `others` are the quantifiers that `final … with model: …` gives for single
    models."""

    span: Span
    quantifier: Quantifier
    formula: Formula
    others: Mapping[str, Quantifier] = field(default_factory=dict)


@dataclass(frozen=True)
class LitmusTest:
    source: Source
    span: Span  # of the header
    arch: str  # as the header spells it
    name: str
    doc: str  # the text in quotes; may be empty
    meta: Mapping[str, str]  # the lines `Cycle=…`, `Orig=…`; the last of a key
    notes: tuple[str, ...]  # other lines before the initial state
    initial: tuple[Init, ...]
    columns: tuple[Column, ...]  # in the order of the text; empty for C
    functions: tuple[ThreadFunction, ...]  # empty but for C
    locations: tuple[Place | RegisterPlace, ...]
    filter: Formula | None
    final: Final | None
