"""What the text of an onward relation (onward.py) says of its pairs, wherever it is looked at."""

from __future__ import annotations

from typing import Final

from hybrid.oracle.columns import Node, Op

# Kinds of events, as bits.
LOADS: Final = 1
STORES: Final = 2
OTHERS: Final = 4  # fences and branches
KINDS: Final = LOADS | STORES | OTHERS

_STRICT: Final = frozenset(
    (Op.PO, Op.RF, Op.ADDR, Op.DATA, Op.CTRL, Op.PICK, Op.AMO, Op.LXSX, Op.EXT, Op.EMPTY)
)
_BASE: Final = {
    "R": LOADS,
    "W": STORES,
    "IW": STORES,
    "M": LOADS | STORES,
    "F": OTHERS,
    "B": OTHERS,
}


def is_strict(node: Node) -> bool:
    """Whether such a relation relates no event to itself for certain."""
    op, args = node.op, node.args
    if op in _STRICT:
        return True
    if op == Op.UNION:
        return all(map(is_strict, args))
    if op in (Op.SEQ, Op.INTER):
        return any(map(is_strict, args))
    if op in (Op.DIFF, Op.PLUS, Op.INTO):
        return is_strict(args[0])
    return op == Op.FROM and is_strict(args[1])


def ends(node: Node) -> int:
    """The kinds of the events in which its pairs may end: sound, not exact."""
    op, args = node.op, node.args
    if op == Op.RF:
        return LOADS
    if op == Op.AMO or op == Op.LXSX:
        return STORES
    if op == Op.EMPTY:
        return 0
    if op == Op.PRODUCT:
        return _kinds(args[1])
    if op == Op.IDENTITY:
        return _kinds(args[0])
    if op == Op.INTO:
        return ends(args[0]) & _kinds(args[1])
    if op == Op.UNION:
        return ends(args[0]) | ends(args[1])
    if op == Op.INTER:
        return ends(args[0]) & ends(args[1])
    if op == Op.DIFF or op == Op.PLUS or op == Op.RANGE:
        return ends(args[0])
    if op == Op.SEQ or op == Op.FROM:
        return ends(args[1])
    return KINDS


def _kinds(inside: Node) -> int:
    """The kinds of the events in a set."""
    op, args = inside.op, inside.args
    if op == Op.SET_BASE:
        return _BASE.get(inside.name, KINDS)
    if op == Op.SET_EMPTY:
        return 0
    if op == Op.SET_UNION:
        return _kinds(args[0]) | _kinds(args[1])
    if op == Op.SET_INTER:
        return _kinds(args[0]) & _kinds(args[1])
    if op == Op.SET_DIFF:
        return _kinds(args[0])
    return KINDS
