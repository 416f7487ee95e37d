"""Expressions of a model in cat's spelling, for messages."""

from __future__ import annotations

from hybrid.model import core
from hybrid.model.core import Expr, Kind, Model

# How tightly each form binds; an operand that binds less is put in parentheses.
_UNION, _SEQ, _DIFF, _INTER, _PRODUCT, _NOT, _POSTFIX, _ATOM = range(8)
_SIGN = {core.Plus: "+", core.Star: "*", core.Opt: "?", core.Inverse: "^-1"}


def show_expr(expr: Expr, model: Model) -> str:
    """`expr` as cat text; definitions appear by name. Parsing it again gives an expression of the
    same meaning."""
    return _show(expr, model, _UNION)


def _show(expr: Expr, model: Model, level: int) -> str:
    text, own = _spell(expr, model)
    return f"({text})" if own < level else text


def _spell(expr: Expr, model: Model) -> tuple[str, int]:
    """The text of `expr` and how tightly it binds."""
    match expr:
        case core.Base():
            return expr.name, _ATOM
        case core.Ref():
            return model.definitions[expr.index].name, _ATOM
        case core.Empty():
            return "0" if expr.kind is Kind.RELATION else "{}", _ATOM
        case core.Union():
            return _binary(expr.left, " | ", expr.right, model, _UNION, _UNION), _UNION
        case core.Seq():
            return _binary(expr.left, " ; ", expr.right, model, _SEQ, _SEQ), _SEQ
        case core.Diff():
            return _binary(expr.left, " \\ ", expr.right, model, _DIFF, _INTER), _DIFF
        case core.Inter():
            return _binary(expr.left, " & ", expr.right, model, _INTER, _INTER), _INTER
        case core.Product():
            return _binary(expr.left, " * ", expr.right, model, _ATOM, _ATOM), _PRODUCT
        case core.Complement():
            return f"~{_show(expr.operand, model, _NOT)}", _NOT
        case core.Plus() | core.Star() | core.Opt() | core.Inverse():
            operand = _show(expr.operand, model, _POSTFIX)
            sign = _SIGN[type(expr)]
            gap = " " if sign == "+" and operand.endswith("+") else ""  # `++` is a sign of its own
            return f"{operand}{gap}{sign}", _POSTFIX
        case core.Identity():
            return f"[{_show(expr.operand, model, _UNION)}]", _ATOM
        case core.Domain():
            return f"domain({_show(expr.operand, model, _UNION)})", _ATOM
        case core.Range():
            return f"range({_show(expr.operand, model, _UNION)})", _ATOM


def _binary(left: Expr, sign: str, right: Expr, model: Model, inner: int, outer: int) -> str:
    return f"{_show(left, model, inner)}{sign}{_show(right, model, outer)}"
