"""Relations whose pairs end in few events, as far as their sets tell."""

from __future__ import annotations

from typing import Final

from hybrid.oracle.columns import Node, Op

# Sets that most events are in, or most accesses.
_MANY: Final = frozenset(("_", "R", "W", "M", "B", "IW"))


def ends_in_few(node: Node) -> bool:
    """Whether all pairs end in sets of fences or of events with some annotation."""
    op, args = node.op, node.args
    if op == Op.IDENTITY:
        return _has_few(args[0])
    if op in (Op.INTO, Op.PRODUCT):
        return _has_few(args[1])
    if op == Op.UNION:
        return all(map(ends_in_few, args))
    if op == Op.INTER:
        return any(map(ends_in_few, args))
    if op == Op.DIFF:
        return ends_in_few(args[0])
    if op in (Op.SEQ, Op.FROM):
        return ends_in_few(args[1])
    return False


def _has_few(node: Node) -> bool:
    op, args = node.op, node.args
    if op == Op.SET_BASE:
        return node.name not in _MANY
    if op == Op.SET_UNION:
        return all(map(_has_few, args))
    if op == Op.SET_INTER:
        return any(map(_has_few, args))
    return op == Op.SET_DIFF and _has_few(args[0])
