"""Which annotations and fences mean something to a model: those that its axioms speak of, by the
kind of event that carries them.

A set that is only shown, or that occurs in no definition that an axiom uses, means nothing. `F &
SC` speaks of fences alone.
"""

from __future__ import annotations

from functools import lru_cache

from hybrid.model import core
from hybrid.program.tags import TAGS

EVERY = frozenset("RWF")  # kinds of events that carry tags
_KINDS = {
    "R": frozenset("R"),
    "W": frozenset("W"),
    "M": frozenset("RW"),
    "RMW": frozenset("RW"),
    "IW": frozenset("W"),
    "FW": frozenset("W"),
    "F": frozenset("F"),
    "B": frozenset[str](),
}
Known = frozenset[tuple[str, str]]  # a tag, and the kind of event that has it


@lru_cache(maxsize=64)
def known_tags(model: core.Model) -> Known:
    """What the axioms and flags of `model` speak of."""
    found: set[tuple[str, str]] = set()
    seen: set[tuple[core.Expr, frozenset[str]]] = set()
    todo = [(axiom.expr, EVERY) for axiom in model.axioms]
    while todo:
        expr, kinds = todo.pop()
        if (expr, kinds) in seen:
            continue
        seen.add((expr, kinds))
        if isinstance(expr, core.Base):
            if expr.name in TAGS:
                found.update((expr.name, kind) for kind in kinds)
        elif isinstance(expr, core.Ref):
            todo.append((model.definitions[expr.index].expr, kinds))
        elif isinstance(expr, core.Inter) and expr.kind is core.Kind.SET:
            todo.append((expr.left, kinds & _kinds(model, expr.right)))
            todo.append((expr.right, kinds & _kinds(model, expr.left)))
        elif isinstance(expr, core.Union | core.Diff) and expr.kind is core.Kind.SET:
            todo += [(expr.left, kinds), (expr.right, kinds)]
        else:
            todo += [(child, EVERY) for child in core.children(expr)]
    return frozenset(found)


def _kinds(model: core.Model, expr: core.Expr) -> frozenset[str]:
    """The kinds of events that a set can have."""
    if isinstance(expr, core.Base):
        return _KINDS.get(expr.name, EVERY)
    if isinstance(expr, core.Ref) and model.definitions[expr.index].group is None:
        return _kinds(model, model.definitions[expr.index].expr)
    if isinstance(expr, core.Union):
        return _kinds(model, expr.left) | _kinds(model, expr.right)
    if isinstance(expr, core.Inter):
        return _kinds(model, expr.left) & _kinds(model, expr.right)
    return _kinds(model, expr.left) if isinstance(expr, core.Diff) else EVERY


@lru_cache(maxsize=64)
def sequential(model: core.Model) -> bool:
    """Whether an axiom keeps program order and communication acyclic, so that annotations and
    fences can add nothing."""
    for axiom in model.constraints:
        if axiom.test is core.Test.ACYCLIC and not axiom.negated:
            parts = {_plain(part) for part in _parts(model, axiom.expr)}
            if {"po", "rf", "co", "fr"} <= parts:
                return True
    return False


def _parts(model: core.Model, expr: core.Expr) -> list[core.Expr]:
    if isinstance(expr, core.Ref) and model.definitions[expr.index].group is None:
        return _parts(model, model.definitions[expr.index].expr)
    if isinstance(expr, core.Union):
        return _parts(model, expr.left) + _parts(model, expr.right)
    return _parts(model, expr.operand) if isinstance(expr, core.Plus) else [expr]


def _plain(expr: core.Expr) -> str:
    """The name of a base relation, `fr` where it is spelled out; else empty."""
    if isinstance(expr, core.Base):
        return expr.name
    if isinstance(expr, core.Seq) and isinstance(expr.left, core.Inverse):
        source, order = expr.left.operand, expr.right
        if isinstance(source, core.Base) and isinstance(order, core.Base):
            return "fr" if (source.name, order.name) == ("rf", "co") else ""
    return ""
