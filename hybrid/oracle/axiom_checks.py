"""The axioms of a model on growing relations: each shape has a check that looks only at what a
round has gained, given that the axiom held before.

- `acyclic` of a union: a cycle goes through one of the new pairs;
- `irreflexive r ; s`: a new pair of one meets a pair of the other that leads back. The composition
  is never stored. With `s?` in place of s, r by itself must be irreflexive too;
- `empty p & (r ; s)`, where two events tell by themselves whether they are in p: a new pair of r or
  s completes a way from one end of a pair in p to the other. The composition is never stored, and
  neither is r or s where it is a filtered relation, as fr & ext;
- `irreflexive` and `empty` of a union: the new pairs tell;
- what is not monotone, or negated, is evaluated afresh.
"""

from __future__ import annotations

from hybrid.execution.bits import bit_of
from hybrid.model import core
from hybrid.oracle.coherence import hides_places, hides_sources
from hybrid.oracle.columns import FREE, GROW, Node, Op, growing_parts
from hybrid.oracle.from_scratch import Fresh
from hybrid.oracle.network import Network
from hybrid.oracle.relations import SOURCES, TARGETS, Relation


class _Part:
    """A growing relation, restricted by what its two events tell by themselves."""

    __slots__ = ("_points", "_within", "relation")

    def __init__(self, node: Node, network: Network) -> None:
        self._points = network.points
        self._within: Node | None = None
        if node.op == Op.INTER and node.args[0].level < GROW:
            self._within, node = node.args
        self.relation = network.relation(node)
        self.relation.stored = True

    def column(self, event: int, bits: int) -> int:
        """Of these events those that it relates to `event`."""
        bits &= self.relation.columns[event]
        if bits and self._within is not None:
            bits &= self._points.column(self._within, event)
        return bits


class AxiomCheck:
    """An axiom, and the relations whose union it speaks of or, two of them, whose composition."""

    __slots__ = (
        "_acyclic",
        "_empty",
        "_network",
        "_node",
        "_pairs",
        "_parts",
        "_reflexive",
        "_relations",
        "_two",
        "axiom",
        "hiding_places",
        "hiding_sources",
        "whole",
    )

    def __init__(self, axiom: core.Axiom, node: Node, network: Network) -> None:
        self.axiom = axiom
        self._node = node
        self._network = network
        self._relations: list[Relation] = []
        self._acyclic = axiom.test is core.Test.ACYCLIC
        self._empty = axiom.test is core.Test.EMPTY
        self._two = False  # a composition of two relations …
        self._reflexive = False  # … of which the first counts by itself too
        self._pairs: Node | None = None  # no way leads from one end of a pair of this …
        self._parts: list[_Part] = []  # … to the other through these two
        # orders that hide stores from what comes after, as coherence.py says: from loads, and from
        # stores
        self.hiding_sources: Relation | None = None
        self.hiding_places: Relation | None = None
        self.whole = node.level == FREE or axiom.negated  # it must be evaluated afresh
        if self.whole:
            return
        if axiom.test is core.Test.IRREFLEXIVE and node.op == Op.SEQ and node.level == GROW:
            self._compose(node.args[0], node.args[1])
        elif self._empty and _is_way(node):
            self._pairs, way = node.args
            self._parts = [_Part(part, network) for part in way.args]
        else:
            self._relations = [network.relation(part) for part in growing_parts(node)]
            self._store()

    def _compose(self, first: Node, second: Node) -> None:
        """r ; s, r ; s? or r? ; s."""
        self._two = True
        if first.op == Op.OPT and second.op != Op.OPT:
            first, second = second, first  # it leads back to where it began just the same
        if second.op == Op.OPT and first.op != Op.OPT:
            self._reflexive = True
            second = second.args[0]
        self._relations = [self._network.relation(first), self._network.relation(second)]
        self._store()
        for one, two in ((first, second), (second, first)):
            if hides_sources(one, two):
                self.hiding_sources = self._network.relation(one)
            if hides_places(one, two):
                self.hiding_places = self._network.relation(one)

    def _store(self) -> None:
        """The relations are looked at, not only what they gain."""
        for relation in self._relations:
            relation.stored = relation.asked = True

    def settle_on(self) -> None:
        """All relations are there: a union that is stored for another's sake is taken as one."""
        if self._relations and not self._two and self._node.index in self._network.built:
            self._relations = [self._network.relation(self._node)]
            self._store()

    def join_leaves(self, checks: list[AxiomCheck]) -> None:
        """Of a union without cycles, the parts that come from outside and that nobody else looks
        at are kept as one relation."""
        if not self._acyclic or self.whole:
            return
        others = {id(r) for check in checks if check is not self for r in check.relations()}
        alone = [r for r in self._relations if not r.users and id(r) not in others]
        joint, joined = self._network.joined(alone)
        self._relations = [r for r in self._relations if r not in joined]
        if joined:
            self._relations.append(joint)

    def relations(self) -> list[Relation]:
        """Those at which it looks."""
        return [*self._relations, *(part.relation for part in self._parts)]

    def holds(self) -> bool:
        """Whether the axiom holds after this round, given that it held before; not for one that
        must be evaluated afresh."""
        relations = self._relations
        if self._acyclic:
            return not _close_cycle(relations, self._network.now.new)
        if self._two:
            first, second = relations
            return not _meet(first, second, self._reflexive, self._network.now.new)
        if self._pairs is not None:
            return not self._way_through(self._pairs)
        for relation in relations:
            if relation.gained and (self._empty or _gains_a_loop(relation)):
                return False
        return True

    def _way_through(self, pairs: Node) -> bool:
        """Whether a pair that one of the two parts has gained in this round is on a way from one
        end of one of `pairs` to the other."""
        points = self._network.points
        first, second = self._parts
        for at, middle in enumerate(first.relation.gained):
            starts = first.column(middle, first.relation.gained_bits[at])
            while starts:
                low = starts & -starts
                starts ^= low
                ends = points.row(pairs, low.bit_length() - 1) & points.committed
                while ends:
                    low = ends & -ends
                    ends ^= low
                    if second.column(low.bit_length() - 1, 1 << middle):
                        return True
        for at, end in enumerate(second.relation.gained):
            starts = points.column(pairs, end) & points.committed
            if starts:
                middles = second.column(end, second.relation.gained_bits[at])
                while middles:
                    low = middles & -middles
                    middles ^= low
                    if first.column(low.bit_length() - 1, starts):
                        return True
        return False

    def holds_afresh(self, fresh: Fresh) -> bool:
        return fresh.satisfies(self.axiom.test, self.axiom.negated, self._node)


def _is_way(node: Node) -> bool:
    """p & (r ; s), of which the first does not grow."""
    if node.op != Op.INTER or node.level != GROW:
        return False
    pairs, way = node.args
    return pairs.level < GROW and way.op == Op.SEQ


def _meet(first: Relation, second: Relation, reflexive: bool, new: int) -> bool:
    """Whether first ; second relates an event to itself by a pair that one of them gained in this
    round; if `reflexive`, also whether the first does. Pairs with an event that is new in this
    round are all gained in it, so they need be met from one side only."""
    ones, others = first.columns, second.columns
    ends = 0
    for event in second.gained:
        ends |= 1 << event
    sources = others[SOURCES]
    for at, event in enumerate(first.gained):
        if reflexive and first.gained_bits[at] >> event & 1:
            return True
        if sources >> event & 1:
            back = first.gained_bits[at] & (ends if new >> event & 1 else others[TARGETS])
            while back:
                low = back & -back
                back ^= low
                if others[low.bit_length() - 1] >> event & 1:
                    return True
    sources = ones[SOURCES]
    known = ones[TARGETS] & ~new
    for at, event in enumerate(second.gained):
        if sources >> event & 1 and not new >> event & 1:
            back = second.gained_bits[at] & known
            while back:
                low = back & -back
                back ^= low
                if ones[low.bit_length() - 1] >> event & 1:
                    return True
    return False


def _close_cycle(relations: list[Relation], new: int) -> bool:
    """Whether a cycle goes through a pair that their union gained in this round. Such a pair mostly
    has a new event at one end: it is enough to look for a cycle through that. If all of these pairs
    lead to new events, none leads from those back to others, and a cycle is among them alone."""
    tests = sources = 0
    others = ~new
    for relation in relations:
        sources |= relation.columns[SOURCES]
        for at, event in enumerate(relation.gained):
            bits = relation.gained_bits[at]
            if bits & others:
                tests |= bit_of(event)
            else:
                tests |= bits
    tests &= sources
    if not tests:
        return False
    within = -1 if _lead_to_others(relations, new) else new
    tables = [relation.columns for relation in relations]
    if tests & (tests - 1):
        return _cyclic(tables, tests, within)
    event = tests.bit_length() - 1
    past = 0
    for columns in tables:
        past |= columns[event]
    past &= within
    todo = past
    while todo:
        if past & tests:
            return True
        low = todo & -todo
        todo ^= low
        event = low.bit_length() - 1
        found = 0
        for columns in tables:
            found |= columns[event]
        found &= within & ~past
        if found:
            past |= found
            todo |= found
    return False


def _lead_to_others(relations: list[Relation], new: int) -> bool:
    """Whether a pair of this round leads to an event that is not new."""
    for relation in relations:
        for event in relation.gained:
            if not new >> event & 1:
                return True
    return False


def _gains_a_loop(relation: Relation) -> bool:
    """Whether a pair of this round relates an event to itself."""
    bits = relation.gained_bits
    return any(bits[at] >> event & 1 for at, event in enumerate(relation.gained))


def _cyclic(tables: list[list[int]], tests: int, within: int) -> bool:
    """Whether some of the events in `tests`, or of those from which they can be reached, are on a
    cycle among the events `within`."""
    done = ~within
    while tests:
        low = tests & -tests
        path = low  # those on the way, and …
        way = [low.bit_length() - 1]  # … in order
        while way:
            event = way[-1]
            found = 0
            for columns in tables:
                found |= columns[event]
            found &= ~done
            if found & path:
                return True
            if found:
                low = found & -found
                path |= low
                way.append(low.bit_length() - 1)
            else:
                way.pop()
                path ^= 1 << event
                done |= 1 << event
        tests &= ~done
    return False
