"""What an expression of a model leads to, through the names that it uses."""

from __future__ import annotations

from collections.abc import Iterable

from hybrid.model import core


def base_names(model: core.Model, exprs: Iterable[core.Expr]) -> frozenset[str]:
    """The base sets and relations that these expressions, and the definitions that they use, speak
    of."""
    found: set[str] = set()
    seen: set[int] = set()
    todo = list(exprs)
    while todo:
        expr = todo.pop()
        if isinstance(expr, core.Base):
            found.add(expr.name)
        elif isinstance(expr, core.Ref):
            if expr.index not in seen:
                seen.add(expr.index)
                todo.append(model.definitions[expr.index].expr)
        else:
            todo.extend(core.children(expr))
    return frozenset(found)
