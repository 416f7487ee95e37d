"""What can be read off a model's text without evaluating it: sound, not complete."""

from __future__ import annotations

from functools import lru_cache

from hybrid.model import core
from hybrid.oracle.atomicity import is_atomicity
from hybrid.oracle.columns import Node, Op
from hybrid.oracle.plan import Plan


@lru_cache(maxsize=32)
def coherent(model: core.Model) -> bool:
    """Whether an axiom forbids a store to be co-before a po-earlier store of its location:
    `acyclic` of a union with co and with po or po & loc in it, or `irreflexive r ; s` with co in
    one of the two and po or po & loc in the other."""
    unions = any(_local(parts) and _has(parts, Op.CO) for parts in _acyclic(model))
    return unions or any(
        _local(_parts(one)) and _has(_parts(two), Op.CO) for one, two in _composed(model)
    )


@lru_cache(maxsize=32)
def coherent_loads(model: core.Model) -> bool:
    """Whether an axiom forbids a load to read from a store that is co-before a po-earlier store of
    its location, or before one that a po-earlier load has read from: `acyclic` of a union with rf,
    co and fr and with po or po & loc in it, or `irreflexive r ; s` with po or po & loc in one of
    the two, fr in the other and rf in one that is a closure."""
    unions = any(_local(parts) and _has(parts, Op.RF, Op.CO, Op.FR) for parts in _acyclic(model))
    return unions or any(_hides(one, two) for one, two in _composed(model))


def _hides(order: Node, communication: Node) -> bool:
    """A load r that reads from before w' is fr-before w'. So it is refused where w' is ordered
    before r. If an earlier load r' has read from w', either rf and what orders r' before r are
    ordered together, or fr and rf communicate together."""
    return _local(_parts(order)) and _reaches(order, communication, Op.FR)


def _keeps(order: Node, communication: Node) -> bool:
    """The same for a store that would be co-before w'."""
    return _local(_parts(order)) and _reaches(order, communication, Op.CO)


def _reaches(order: Node, communication: Node, op: Op) -> bool:
    """Whether what is related by `op` and then rf is related back by the composition, be it that
    rf belongs to the order or to the communication."""
    before, after = _parts(order), _parts(communication)
    by_rf = _closed(order) and _has(before, Op.RF)
    return _has(after, op) and (by_rf or (_closed(communication) and _has(after, Op.RF)))


def hides_sources(order: Node, communication: Node) -> bool:
    """Whether `irreflexive order ; communication` hides, from a load, all stores before one that is
    ordered before it, or that a load ordered before it has read from, where `order` is a closure
    with po in it: so it orders before the load what it orders before an earlier event of its
    thread."""
    return _follows_po(order) and _hides(order, communication)


def hides_places(order: Node, communication: Node) -> bool:
    """The same for a store: it does not come before such stores."""
    return _follows_po(order) and _keeps(order, communication)


def _follows_po(order: Node) -> bool:
    return order.op == Op.PLUS and _has(_parts(order), Op.PO)


def _acyclic(model: core.Model) -> list[list[Node]]:
    """The parts of unions that have no cycle."""
    plan = Plan(model)
    return [
        _parts(plan.node(axiom.expr))
        for axiom in model.constraints
        if axiom.test is core.Test.ACYCLIC and not axiom.negated
    ]


def _composed(model: core.Model) -> list[tuple[Node, Node]]:
    """Pairs of relations that are irreflexive one after the other; then they also are the other
    way round."""
    plan = Plan(model)
    found: list[tuple[Node, Node]] = []
    for axiom in model.constraints:
        node = plan.node(axiom.expr)
        if axiom.test is core.Test.IRREFLEXIVE and not axiom.negated and node.op == Op.SEQ:
            one, two = node.args
            found += [(one, two), (two, one)]
    return found


@lru_cache(maxsize=32)
def coherent_after_loads(model: core.Model) -> bool:
    """Whether an axiom forbids a store to be co-before one that a po-earlier load has read from:
    `acyclic` of a union with rf and co and with po or po & loc in it, or `irreflexive r ; s` with
    po or po & loc in one of the two, co in the other and rf in one that is a closure."""
    unions = any(_local(parts) and _has(parts, Op.RF, Op.CO) for parts in _acyclic(model))
    return unions or any(_keeps(one, two) for one, two in _composed(model))


@lru_cache(maxsize=32)
def atomic(model: core.Model) -> bool:
    """Whether an axiom keeps other threads' stores from coming between the two events of a
    read-modify-write: `empty rmw & (fre ; coe)`, or with fr and co in place of fre and coe."""
    plan = Plan(model)
    nodes = [(axiom, plan.node(axiom.expr)) for axiom in model.constraints]
    return any(is_atomicity(axiom, node) and _is_rmw(node.args[0]) for axiom, node in nodes)


def _parts(node: Node) -> list[Node]:
    """Relations that are in this one for certain."""
    if node.op == Op.UNION:
        return [part for arg in node.args for part in _parts(arg)]
    if node.op in (Op.PLUS, Op.STAR, Op.OPT):
        return [node, *_parts(node.args[0])]
    return [node]


def _has(parts: list[Node], *ops: Op) -> bool:
    return set(ops) <= {part.op for part in parts}


def _local(parts: list[Node]) -> bool:
    return any(map(_orders_locally, parts))


def _closed(node: Node) -> bool:
    """Whether what it relates by two steps it relates by one."""
    if node.op == Op.OPT:
        node = node.args[0]
    return node.op in (Op.PLUS, Op.STAR)


def _orders_locally(node: Node) -> bool:
    if node.op == Op.INTER:
        return {a.op for a in node.args} == {Op.PO, Op.LOC}
    return node.op == Op.PO


def _is_rmw(node: Node) -> bool:
    return node.op == Op.UNION and {a.op for a in node.args} == {Op.AMO, Op.LXSX}
