"""Compositions along an order that is known, program order above all, in one direction.

`a ; b` has a way to each pair for each middle: with `b` of everything that comes after something,
say `po ; b`, these are cubically many. But what follows all events from x on follows x, or what
comes right behind it, from on. With `from x on` as a relation of its own,

    from(x, c)  if  b(x, c)  or  from(y, c)  for a y right behind x,

`po ; b` needs two clauses for each pair. That is done for each event and each group of middles to
which it has the same ways: for those of them behind which, in the order, there are only middles to
which it has these ways, or to which it is related whatever the solution. Of these the first are
enough. All other middles are composed one by one.

A literal of `from` is implied where one of its ways is; it is for expressions whose literals may be
true elsewhere too.
"""

from __future__ import annotations

from collections.abc import Hashable

from hybrid.encoding.alternatives import Alternatives, Map, add, by_start, join
from hybrid.encoding.clauses import Clauses
from hybrid.encoding.folding import Name, fold
from hybrid.encoding.implied_closure import shortest_steps

Node = Hashable
Ways = dict[tuple[int, ...], None]
_WORTH_IT = 4  # times as many ways without


def compose(
    logic: Clauses,
    left: Alternatives,
    middles: Alternatives | None,
    right: Alternatives,
    order: Map,
    name: Name,
) -> Alternatives | None:
    """The composition by way of these middles (events; None: all); None where to compose one by one
    is as good. `order`: a strict order, closed."""
    forward = _Along(left, _beginning_in(right, middles), order)
    backward = _Along(_inverse(right), _beginning_in(_inverse(left), middles), _inverse_map(order))
    best = min(forward, backward, key=lambda along: along.cost)
    if best.cost * _WORTH_IT > _ways_one_by_one(left, right):
        return None
    found = best.compose(logic, name)
    return found if best is forward else _inverse(found)


def _beginning_in(relation: Alternatives, starts: Alternatives | None) -> Alternatives:
    if starts is None:
        return relation
    found: Alternatives = {}
    for key, ways in relation.items():
        if key[0] in starts:
            add(found, key, starts[key[0]], ways)
    return found


def _ways_one_by_one(left: Alternatives, right: Alternatives) -> int:
    ends: dict[Node, int] = {}
    for _, middle in left:
        ends[middle] = ends.get(middle, 0) + 1
    return sum(ends.get(middle, 0) for middle, _ in right)


def _inverse(relation: Alternatives) -> Alternatives:
    return {(b, a): ways for (a, b), ways in relation.items()}


def _inverse_map(relation: Map) -> Map:
    return {(b, a): x for (a, b), x in relation.items()}


class _Along:
    """A composition by what follows from an event on. `cost`: about how many ways it has."""

    def __init__(self, left: Alternatives, right: Alternatives, order: Map) -> None:
        self.left = left
        self.ahead = by_start(right)
        middles = list(dict.fromkeys(m for _, m in left if m in self.ahead))
        known = set(middles)
        within: Map = {(a, b): x for (a, b), x in order.items() if a in known and b in known}
        self.behind, before = shortest_steps(within)
        self.bit = {m: 1 << i for i, m in enumerate(middles)}
        self.before = {m: sum({self.bit[b] for b in before.get(m, ())}) for m in middles}
        self.on = dict(self.bit)  # by event: those from it on
        for a, b in within:
            self.on[a] |= self.bit[b]
        self.single: Alternatives = {}  # what is composed one by one
        self.first: Alternatives = {}  # and by what follows from a middle on
        for start, row in by_start({key: w for key, w in left.items() if key[1] in known}).items():
            self._divide(start, row)
        self.cost = self._cost()

    def _divide(self, start: Node, row: list[tuple[Node, Ways]]) -> None:
        groups: dict[frozenset[tuple[int, ...]], list[Node]] = {}
        for middle, ways in row:
            groups.setdefault(frozenset(ways), []).append(middle)
        always = sum(self.bit[m] for m, ways in row if () in ways)
        for group in groups.values():
            allowed = always | sum({self.bit[m] for m in group})
            whole = [m for m in group if not self.on[m] & ~allowed]
            bits = sum(self.bit[m] for m in whole)
            first = [m for m in whole if not self.before[m] & bits]
            if len(first) == len(whole):
                first, bits = [], 0
            for m in group:
                if not self.bit[m] & bits:
                    self.single[(start, m)] = self.left[(start, m)]
            for m in first:
                self.first[(start, m)] = self.left[(start, m)]

    def _cost(self) -> int:
        ends = {m: len({end for end, _ in self.ahead[m]}) for m in self.bit}
        most = len({end for row in self.ahead.values() for end, _ in row})
        cost = sum(ends[m] for _, m in self.single) + most * len(self.first)
        return cost + (2 * most * len(self.bit) if self.first else 0)

    def compose(self, logic: Clauses, name: Name) -> Alternatives:
        found: Alternatives = {}
        join(self.single, self.ahead, found)
        rows = self._from_on(logic, name)
        for (start, middle), ways in self.first.items():
            for end, literal in rows[middle].items():
                add(found, (start, end), ways, {() if literal == 1 else (literal,): None})
        return found

    def _from_on(self, logic: Clauses, name: Name) -> dict[Node, Map]:
        """By middle that is used: what follows from it on."""
        used = 0
        for _, middle in self.first:
            used |= self.on[middle]
        rows: dict[Node, Map] = {}
        # those with fewer behind them first
        for middle in sorted(self.bit, key=lambda m: self.on[m].bit_count()):
            if not used & self.bit[middle]:
                continue
            ways: dict[Node, Ways] = {}
            for end, here in self.ahead[middle]:
                ways.setdefault(end, {}).update(here)
            for following in self.behind.get(middle, ()):
                for end, literal in rows[following].items():
                    ways.setdefault(end, {})[() if literal == 1 else (literal,)] = None
            folded = fold(logic, {(middle, end): w for end, w in ways.items()}, False, name)
            rows[middle] = {end: x for (_, end), x in folded.items()}
        return rows
