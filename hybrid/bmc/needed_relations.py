"""Which base relations a model needs, and how exactly.

`int`, `ext` and `loc` hold for nearly all pairs of events. Where a model only ever intersects them
with other relations, or takes them away, it does not matter whether they hold for events that do
not happen: then they cost no variables.
"""

from __future__ import annotations

from functools import lru_cache

from hybrid.model import core

DENSE = frozenset(("int", "ext", "loc"))


@lru_cache(maxsize=32)
def uses(model: core.Model, flags: bool) -> tuple[frozenset[str], frozenset[str]]:
    """The names of base relations that axioms (and flags) need, and those of DENSE that may be
    given loosely."""
    used: set[str] = set()
    strict: set[str] = set()
    seen: set[tuple[int, bool]] = set()  # definitions, and whether they may be loose
    todo = [(axiom.expr, False) for axiom in model.axioms if flags or not axiom.flag]
    while todo:
        expr, loose = todo.pop()
        if isinstance(expr, core.Ref):
            if (expr.index, loose) not in seen:
                seen.add((expr.index, loose))
                todo.append((model.definitions[expr.index].expr, loose))
        elif isinstance(expr, core.Base):
            used.add(expr.name)
            if not loose:
                strict.add(expr.name)
        elif isinstance(expr, core.Inter):
            # One side may be loose when the other is not.
            right = _is_dense(model, expr.right)
            left = not right and _is_dense(model, expr.left)
            todo += [(expr.left, loose or left), (expr.right, loose or right)]
        elif isinstance(expr, core.Diff):
            todo += [(expr.left, loose), (expr.right, True)]
        else:
            todo += [(child, False) for child in core.children(expr)]
    return frozenset(used), frozenset(DENSE & used - strict)


def _is_dense(model: core.Model, expr: core.Expr) -> bool:
    """Whether it is one of DENSE, perhaps by another name."""
    while isinstance(expr, core.Ref) and model.definitions[expr.index].group is None:
        expr = model.definitions[expr.index].expr
    return isinstance(expr, core.Base) and expr.name in DENSE
