"""What can be read off a model's text without evaluating it: sound, not complete."""

from __future__ import annotations

from functools import lru_cache

from hybrid.model import core
from hybrid.oracle.columns import Node, Op
from hybrid.oracle.plan import Plan


@lru_cache(maxsize=32)
def coherent(model: core.Model) -> bool:
    """Whether an axiom forbids a store to be co-before a po-earlier store of its location:
    `acyclic` of a union with co and with po or po & loc in it."""
    plan = Plan(model)
    for axiom in model.constraints:
        if axiom.test is core.Test.ACYCLIC and not axiom.negated:
            parts = _parts(plan.node(axiom.expr))
            if any(p.op == Op.CO for p in parts) and any(map(_orders_locally, parts)):
                return True
    return False


@lru_cache(maxsize=32)
def coherent_loads(model: core.Model) -> bool:
    """Whether an axiom forbids a load to read from a store that is co-before a po-earlier store of
    its location, or before one that a po-earlier load has read from: `acyclic` of a union with rf,
    co and fr and with po or po & loc in it."""
    plan = Plan(model)
    for axiom in model.constraints:
        if axiom.test is core.Test.ACYCLIC and not axiom.negated:
            parts = _parts(plan.node(axiom.expr))
            if {Op.RF, Op.CO, Op.FR} <= {p.op for p in parts} and any(map(_orders_locally, parts)):
                return True
    return False


@lru_cache(maxsize=32)
def atomic(model: core.Model) -> bool:
    """Whether an axiom keeps other threads' stores from coming between the two events of a
    read-modify-write: `empty rmw & (fre ; coe)`, or with fr and co in place of fre and coe."""
    plan = Plan(model)
    for axiom in model.constraints:
        if axiom.test is core.Test.EMPTY and not axiom.negated:
            node = plan.node(axiom.expr)
            if node.op == Op.INTER and any(map(_is_rmw, node.args)):
                seq = next((a for a in node.args if a.op == Op.SEQ), None)
                if seq is not None and _outer(seq.args[0], Op.FR) and _outer(seq.args[1], Op.CO):
                    return True
    return False


def _parts(node: Node) -> list[Node]:
    if node.op == Op.UNION:
        return [part for arg in node.args for part in _parts(arg)]
    if node.op == Op.PLUS:
        return [node, *_parts(node.args[0])]
    return [node]


def _orders_locally(node: Node) -> bool:
    if node.op == Op.INTER:
        return {a.op for a in node.args} == {Op.PO, Op.LOC}
    return node.op == Op.PO


def _is_rmw(node: Node) -> bool:
    return node.op == Op.UNION and {a.op for a in node.args} == {Op.AMO, Op.LXSX}


def _outer(node: Node, op: Op) -> bool:
    """The relation itself or its external part."""
    if node.op == Op.INTER:
        return {a.op for a in node.args} == {op, Op.EXT}
    return node.op == op
