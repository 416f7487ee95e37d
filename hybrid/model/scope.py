"""What names mean in a cat text, and the building of expressions that stay within limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from hybrid.errors import InputError
from hybrid.model import core
from hybrid.model.core import Kind
from hybrid.model.names import BASE, FENCE_NAMES
from hybrid.model.syntax import Lambda, LetIn, Name, Node, TryWith, children
from hybrid.parsing import MAX_DEPTH
from hybrid.source import Span

MAX_SIZE = 100_000  # operators in one definition once its functions are inlined
MAX_CALLS = 20_000  # calls of functions in one model


@dataclass(frozen=True, slots=True)
class ModelValue:
    """A set or relation."""

    expr: core.Expr
    size: int = 1
    depth: int = 1

    @property
    def kind(self) -> Kind:
        return self.expr.kind


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    params: tuple[str, ...]
    body: Node
    scope: Scope


@dataclass(frozen=True, slots=True)
class Primitive:
    """`domain` or `range`."""

    name: str


@dataclass(frozen=True, slots=True)
class Member:
    """A name of the recursive group whose kinds are being found; `kind` is None while unknown."""

    kind: Kind | None


# Frames that a scope may have, so that a text of thousands of definitions is not read in quadratic
# time.
DEEPEST: Final = 100
Entry = ModelValue | Function | Primitive | Member


@dataclass(frozen=True, slots=True)
class Scope:
    """What names mean at a place of the text: a list of frames, the innermost first."""

    names: dict[str, Entry]
    outer: Scope | None = None
    depth: int = 1  # how many frames there are

    def get(self, name: str) -> Entry | None:
        scope: Scope | None = self
        while scope is not None:
            entry = scope.names.get(name)
            if entry is not None:
                return entry
            scope = scope.outer
        return None

    def form(self, function: Function, name: str, count: int) -> Function:
        """Of a function that can have other numbers of arguments (`f.2` is `f` of two), the form
        that takes `count`."""
        if len(function.params) != count:
            other = self.get(f"{name}.{count}")
            if isinstance(other, Function):
                return other
        return function

    def all_names(self) -> Iterator[str]:
        scope: Scope | None = self
        while scope is not None:
            yield from scope.names
            scope = scope.outer

    def extended(self, names: dict[str, Entry]) -> Scope:
        if self.depth < DEEPEST:
            return Scope(names, self, self.depth + 1)
        merged: dict[str, Entry] = {}
        scope: Scope | None = self
        while scope is not None:
            merged = {**scope.names, **merged}
            scope = scope.outer
        return Scope(merged | names)


def unknown_name(node: Node, scope: Scope, bound: frozenset[str] = frozenset()) -> Name | None:
    """The first name in `node` that means nothing in `scope` and is not `bound`; after a `try` with
    one, what stands behind its `with` is looked at instead."""
    parts = [(child, bound) for child in children(node)]
    match node:
        case Name():
            return None if node.name in bound or scope.get(node.name) is not None else node
        case LetIn():
            parts = [(b.value, bound | frozenset(b.params or ())) for b in node.bindings]
            parts.append((node.body, bound | {b.name for b in node.bindings}))
        case Lambda():
            parts = [(node.body, bound | frozenset(node.params))]
        case TryWith():
            if unknown_name(node.first, scope, bound) is None:
                return None
            parts = [(node.second, bound)]
    for part, names in parts:
        found = unknown_name(part, scope, names)
        if found is not None:
            return found
    return None


def base_scope(span: Span) -> Scope:
    """The names that executions give, and the primitive functions."""
    names: dict[str, Entry] = {
        name: ModelValue(core.Base(span, kind, name)) for name, kind in BASE.items()
    }
    for name, tag in FENCE_NAMES.items():
        names[name] = ModelValue(core.Base(span, Kind.SET, tag))
    names["domain"] = Primitive("domain")
    names["range"] = Primitive("range")
    return Scope(names)


POSTFIX: dict[str, Callable[[Span, core.Expr], core.Expr]] = {
    "*": core.Star,
    "+": core.Plus,
    "?": core.Opt,
    "^-1": core.Inverse,
}


def fold(
    build: Callable[[Span, Kind, core.Expr, core.Expr], core.Expr],
    operands: list[core.Expr],
    span: Span,
) -> core.Expr:
    """The operands of an associative operator as a balanced tree, so that long chains are not
    deep."""
    while len(operands) > 1:
        paired = [
            build(span, left.kind, left, right)
            for left, right in zip(operands[::2], operands[1::2], strict=False)
        ]
        operands = paired + operands[len(paired) * 2 :]
    return operands[0]


def joined(expr: core.Expr, *parts: ModelValue) -> ModelValue:
    """The value of an operator on `parts`, if it is not too large."""
    size = sum(part.size for part in parts) + max(1, len(parts) - 1)
    levels = max(1, (len(parts) - 1).bit_length())
    depth = max(part.depth for part in parts) + levels
    if size > MAX_SIZE or depth > MAX_DEPTH:
        what = "large" if size > MAX_SIZE else "deep"
        raise InputError(f"this is too {what} once its functions are inlined", expr.span)
    return ModelValue(expr, size, depth)
