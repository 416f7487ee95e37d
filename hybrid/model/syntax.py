"""The syntax tree of a cat text, as written: names not yet looked up, kinds not yet known. Every
node has its span."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hybrid.model.core import OPERATIONALS, Kind, Test
from hybrid.program.machine_map import MACHINES
from hybrid.source import Span


@dataclass(frozen=True, slots=True)
class Name:
    span: Span
    name: str


@dataclass(frozen=True, slots=True)
class Nothing:
    """`0` or `{}`: empty, a set or a relation as its place asks; `kind` where its place does
    not."""

    span: Span
    kind: Kind


@dataclass(frozen=True, slots=True)
class Chain:
    """`a op b op …` of an associative operator."""

    span: Span
    op: str  # one of | & ;
    operands: tuple[Node, ...]  # at least two


@dataclass(frozen=True, slots=True)
class DifferenceOf:
    span: Span
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Cross:
    """`left * right`."""

    span: Span
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class ComplementOf:
    span: Span
    operand: Node


@dataclass(frozen=True, slots=True)
class Postfix:
    span: Span
    op: str  # one of * + ? ^-1
    operand: Node


@dataclass(frozen=True, slots=True)
class Bracket:
    """`[operand]`."""

    span: Span
    operand: Node


@dataclass(frozen=True, slots=True)
class Call:
    """`function argument …` or `function(argument, …)`."""

    span: Span
    function: Name
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Binding:
    """`name = value`, or `name params = value` of a function."""

    span: Span  # of the name
    name: str
    params: tuple[str, ...] | None  # None: not a function
    value: Node


@dataclass(frozen=True, slots=True)
class LetIn:
    span: Span
    bindings: tuple[Binding, ...]
    body: Node


@dataclass(frozen=True, slots=True)
class Lambda:
    """`fun params -> body`."""

    span: Span
    params: tuple[str, ...]
    body: Node


@dataclass(frozen=True, slots=True)
class TryWith:
    """`try first with second`: the first, unless a name in it is unknown."""

    span: Span
    first: Node
    second: Node


Node = (
    Name
    | Nothing
    | Chain
    | DifferenceOf
    | Cross
    | ComplementOf
    | Postfix
    | Bracket
    | Call
    | LetIn
    | Lambda
    | TryWith
)


@dataclass(frozen=True, slots=True)
class Let:
    span: Span
    bindings: tuple[Binding, ...]
    recursive: bool


@dataclass(frozen=True, slots=True)
class Check:
    """`[flag | undefined_unless] [~] test expr [as name]`."""

    span: Span
    test: Test
    negated: bool
    qualifier: str  # "", "flag" or "undefined_unless"
    expr: Node
    name: str  # "" when there is none


@dataclass(frozen=True, slots=True)
class Include:
    span: Span
    path: str


@dataclass(frozen=True, slots=True)
class WithFrom:
    """`with name from expr`."""

    span: Span
    name: str
    expr: Node


Statement = Let | Check | Include | WithFrom


@dataclass(frozen=True, slots=True)
class Annotation:
    """`(*% word expr *)`."""

    span: Span
    word: str  # one of RELATIONS
    expr: Node


COMMIT_BEFORE = "commit-before"
FORWARD = "forward"
LOOK_AHEAD = "look-ahead"
RELATIONS = (COMMIT_BEFORE, FORWARD, LOOK_AHEAD)  # words for relations
MACHINE = "machine"  # which machine the model is of
IMPLIED = "implied"  # tags that ask for no more than every event has in this model
OPERATIONAL = "operational"  # a machine whose runs are the executions that the model allows
WORDS = (MACHINE, IMPLIED, OPERATIONAL)  # words for names
KNOWN = {MACHINE: tuple(MACHINES), OPERATIONAL: OPERATIONALS}  # words for one of these
ANNOTATIONS = (*RELATIONS, *WORDS)


@dataclass(frozen=True, slots=True)
class Remark:
    """`(*% word name | name … *)`."""

    span: Span
    word: str  # one of WORDS
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class File:
    title: str
    statements: tuple[Statement, ...]  # `show` and `unshow` left out: they say what to draw only
    annotations: tuple[Annotation, ...] = ()  # at most one of each word; a commit-before among them
    said: tuple[Remark, ...] = ()  # at most one of each word


def children(node: Node) -> tuple[Node, ...]:
    """The expressions directly inside `node`."""
    match node:
        case Chain():
            return node.operands
        case DifferenceOf() | Cross():
            return (node.left, node.right)
        case ComplementOf() | Postfix() | Bracket():
            return (node.operand,)
        case Call():
            return (node.function, *node.arguments)
        case LetIn():
            return (*(binding.value for binding in node.bindings), node.body)
        case Lambda():
            return (node.body,)
        case TryWith():
            return (node.first, node.second)
        case _:
            return ()


def names_in(file: File) -> set[str]:
    """All names that the expressions of `file` mention."""
    return {node.name for node in nodes_in(file) if isinstance(node, Name)}


def nodes_in(file: File) -> Iterator[Node]:
    """All expressions of `file` and in them."""
    todo: list[Node] = []
    for statement in file.statements:
        if isinstance(statement, Let):
            todo += (binding.value for binding in statement.bindings)
        elif isinstance(statement, Check | WithFrom):
            todo.append(statement.expr)
    while todo:
        node = todo.pop()
        yield node
        todo += children(node)


def defined_in(file: File) -> dict[str, Span]:
    """Where `file` itself defines names, the last place each."""
    return {
        binding.name: binding.span
        for statement in file.statements
        if isinstance(statement, Let)
        for binding in statement.bindings
    }
