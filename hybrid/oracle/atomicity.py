"""`empty rmw & (fre ; coe)`, read off the coherence orders: no other thread's store comes between
the store that a read-modify-write has read from and its own.

A load of a pair is committed no later than its store. So a store that is added can break the axiom
in two ways: as the store of a pair, and between the two of another.
"""

from __future__ import annotations

from hybrid.execution.execution import Execution
from hybrid.model import core
from hybrid.oracle.columns import Node, Op
from hybrid.oracle.pointwise import Points


def is_atomicity(axiom: core.Axiom, node: Node) -> bool:
    """Whether an axiom is this one, perhaps with fr and co for fre and coe."""
    if axiom.test is not core.Test.EMPTY or axiom.negated or node.op != Op.INTER:
        return False
    pairs, way = node.args
    if not _is_rmw(pairs) or way.op != Op.SEQ:
        return False
    return _is_part(way.args[0], Op.FR) and _is_part(way.args[1], Op.CO)


def _is_rmw(node: Node) -> bool:
    if node.op == Op.UNION:
        return all(map(_is_rmw, node.args))
    return node.op in (Op.AMO, Op.LXSX)


def _is_part(node: Node, op: Op) -> bool:
    """The relation itself, or its external part."""
    if node.op == Op.INTER:
        return node.args[0].op == Op.EXT and node.args[1].op == op
    return node.op == op


class Atomicity:
    """The axiom over the committed events of one execution."""

    __slots__ = ("_execution", "_outer", "_pairs", "_points")

    def __init__(self, node: Node, execution: Execution, points: Points) -> None:
        self._execution = execution
        self._points = points
        self._pairs, way = node.args
        # whether the load of a pair, and its store, must be of another thread than what is between
        self._outer = tuple(part.op == Op.INTER for part in way.args)

    def holds(self, store: int, order: list[int], place: int, own: int) -> bool:
        """Whether it holds with `store` directly after `order[place]`, given that it held before.
        `own` is the load of an rmw under way, which has read from there."""
        points = self._points
        loads = points.column(self._pairs, store) & points.committed & ~own
        if loads and not self._fits(loads, store, order, place):
            return False
        for at in range(place + 1, len(order)):
            pair = points.column(self._pairs, order[at]) & points.committed
            if pair and self._splits(pair, store, order, place, order[at]):
                return False
        return True

    def _fits(self, loads: int, store: int, order: list[int], place: int) -> bool:
        """Whether nothing is between the store and what the loads of its pairs have read from."""
        while loads:
            low = loads & -loads
            loads ^= low
            load = low.bit_length() - 1
            source = self._execution.source[load]
            if source not in order[: place + 1]:
                continue  # it reads from a store that comes later: nothing is between
            at = place
            while order[at] != source:
                if self._counts(load, order[at], store):
                    return False
                at -= 1
        return True

    def _splits(self, loads: int, store: int, order: list[int], place: int, last: int) -> bool:
        """Whether the store comes between a pair with the store `last`."""
        before = order[: place + 1]
        while loads:
            low = loads & -loads
            loads ^= low
            load = low.bit_length() - 1
            if self._execution.source[load] in before and self._counts(load, store, last):
                return True
        return False

    def _counts(self, load: int, between: int, store: int) -> bool:
        """Whether a store counts that is between those of a pair."""
        other = ~self._points.same_thread(between)
        first, second = self._outer
        return not (first and not other >> load & 1) and not (second and not other >> store & 1)
