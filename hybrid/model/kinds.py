"""The kinds of recursive definitions, found before their bodies are elaborated: set or relation, no
checks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hybrid.model import core
from hybrid.model.core import Kind
from hybrid.model.scope import (
    MAX_CALLS,
    Entry,
    Function,
    Member,
    ModelValue,
    Primitive,
    Scope,
    unknown_name,
)
from hybrid.model.syntax import (
    Binding,
    Bracket,
    Call,
    Chain,
    ComplementOf,
    Cross,
    DifferenceOf,
    Lambda,
    LetIn,
    Name,
    Node,
    Postfix,
    TryWith,
)
from hybrid.parsing import MAX_DEPTH


@dataclass(slots=True)
class Kinds:
    calls: int = 0  # calls of functions looked into, up to MAX_CALLS

    def of_group(self, bindings: tuple[Binding, ...], outer: Scope) -> list[Kind]:
        """The kinds of a recursive group: what its bodies say, a relation where they say
        nothing."""
        kinds: list[Kind | None] = [None] * len(bindings)
        while True:
            members: dict[str, Entry] = {
                binding.name: Member(kind) for binding, kind in zip(bindings, kinds, strict=True)
            }
            scope = outer.extended(members)
            found = [self._kind_of(binding.value, scope, 0) for binding in bindings]
            if found == kinds:
                return [kind or Kind.RELATION for kind in kinds]
            kinds = [new or old for new, old in zip(found, kinds, strict=True)]

    def _kind_of(self, node: Node, scope: Scope, depth: int) -> Kind | None:
        """The kind that `node` has, as far as it can be told while members of a recursive group
        have none; no checks."""
        if depth > MAX_DEPTH:
            return None
        depth += 1
        match node:
            case Chain(op="|" | "&"):
                return self._first_kind(node.operands, scope, depth)
            case DifferenceOf():
                return self._first_kind((node.left, node.right), scope, depth)
            case ComplementOf():
                return self._kind_of(node.operand, scope, depth)
            case Chain() | Cross() | Postfix() | Bracket():
                return Kind.RELATION
            case _:
                entry = self._kind_entry(node, scope, depth)
                if isinstance(entry, Member):
                    return entry.kind
                if isinstance(entry, ModelValue) and not isinstance(entry.expr, core.Empty):
                    return entry.kind
                return None

    def _first_kind(self, nodes: Iterable[Node], scope: Scope, depth: int) -> Kind | None:
        for node in nodes:
            kind = self._kind_of(node, scope, depth)
            if kind is not None:
                return kind
        return None

    def _kind_entry(self, node: Node, scope: Scope, depth: int) -> Entry | None:
        """What a name, call, function or local definition is, its kind alone being right."""
        if depth > MAX_DEPTH:
            return None
        if isinstance(node, Name):
            return scope.get(node.name)
        if isinstance(node, TryWith):
            known = unknown_name(node.first, scope) is None
            return self._kind_entry(node.first if known else node.second, scope, depth + 1)
        if isinstance(node, Lambda):
            return Function("fun", node.params, node.body, scope)
        if isinstance(node, LetIn):
            local = {b.name: self._kind_binding(b, scope, depth) for b in node.bindings}
            return Member(self._kind_of(node.body, scope.extended(local), depth))
        if not isinstance(node, Call):
            return Member(self._kind_of(node, scope, depth))
        function = scope.get(node.function.name)
        if isinstance(function, Primitive):
            return Member(Kind.SET)
        if isinstance(function, Function):
            function = scope.form(function, node.function.name, len(node.arguments))
        self.calls += 1
        if (
            not isinstance(function, Function)
            or len(function.params) != len(node.arguments)
            or self.calls > MAX_CALLS
        ):
            return None
        local = {
            param: self._kind_entry(argument, scope, depth + 1) or Member(None)
            for param, argument in zip(function.params, node.arguments, strict=True)
        }
        return Member(self._kind_of(function.body, function.scope.extended(local), depth))

    def _kind_binding(self, binding: Binding, scope: Scope, depth: int) -> Entry:
        if binding.params is not None:
            return Function(binding.name, binding.params, binding.value, scope)
        return self._kind_entry(binding.value, scope, depth + 1) or Member(None)
