"""`(rf | co | fr)+` without a closure: it is `rf | co | fr | ((co | fr) ; rf)`, in every execution.

For `co` is transitive, `fr ; co` is in `fr`, and `rf ; fr` is in `co`, as a load's source is at its
location, whose stores `co` orders; all other compositions of two of them are empty, as `rf` leads
from stores to loads, `co` from stores to stores and `fr` from loads to stores.
"""

from __future__ import annotations

from hybrid.model import core


def without_closure(model: core.Model, expr: core.Plus | core.Star) -> core.Expr:
    """The same as a union where it is such a closure, else as it is."""
    parts = _parts(model, expr.operand)
    kinds = [_kind(model, part) for part in parts]
    if sorted(kinds) != ["co", "fr", "rf"]:
        return expr
    rf, co, fr = (parts[kinds.index(kind)] for kind in ("rf", "co", "fr"))
    span, relation = expr.span, core.Kind.RELATION
    far = core.Seq(span, core.Union(span, relation, co, fr), rf)
    union = core.Union(span, relation, expr.operand, far)
    return core.Opt(span, union) if isinstance(expr, core.Star) else union


def _parts(model: core.Model, expr: core.Expr) -> list[core.Expr]:
    """The operands of a union, each by its name if it has one."""
    bare = _bare(model, expr)
    if isinstance(bare, core.Union):
        return _parts(model, bare.left) + _parts(model, bare.right)
    return [expr]


def _bare(model: core.Model, expr: core.Expr) -> core.Expr:
    """The expression behind names that are not recursive."""
    while isinstance(expr, core.Ref) and model.definitions[expr.index].group is None:
        expr = model.definitions[expr.index].expr
    return expr


def _kind(model: core.Model, expr: core.Expr) -> str:
    """`rf`, `co`, `fr`, or nothing of these."""
    bare = _bare(model, expr)
    if isinstance(bare, core.Base):
        return bare.name
    if isinstance(bare, core.Seq):
        left, right = _bare(model, bare.left), _bare(model, bare.right)
        if isinstance(left, core.Inverse) and _kind(model, right) == "co":
            return "fr" if _kind(model, left.operand) == "rf" else ""
    return ""
