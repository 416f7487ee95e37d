"""Each kind of growing relation by itself, against sets of pairs: what it holds after every round,
and that the log takes a round back."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from naive_relations import (
    Pairs,
    closed,
    columns_of,
    compose,
    identity,
    pairs_of,
    random_pairs,
    turned,
)

from hybrid.oracle.columns import FIXED, ColumnEvaluator, Node, Op
from hybrid.oracle.operators import NODES
from hybrid.oracle.relations import (
    SOURCES,
    TARGETS,
    DomainOf,
    Filtered,
    InterOf,
    InverseOf,
    Log,
    PlusOf,
    RangeOf,
    Relation,
    Restricted,
    Round,
    SeqOf,
    UnionOf,
)

EVENTS = list(range(2, 10))  # 0 and 1 are not events
SIZE = EVENTS[-1] + 1
MEMBERS = {2, 3, 5, 8}  # of the set of restrictions
KEPT = {(a, b) for a in EVENTS for b in EVENTS if (3 * a + b) % 4 < 2}  # by filters


class _Kept(ColumnEvaluator):
    """The only pointwise relation here is KEPT."""

    def __init__(self) -> None:
        super().__init__([sum(1 << e for e in MEMBERS)])
        self.kept = columns_of(KEPT, SIZE)

    def column(self, node: Node, event: int) -> int:
        return self.kept[event]


SET = NODES[Op.SET_BASE](0, Op.SET_BASE, (), FIXED, "S")
POINT = NODES[Op.LOC](1, Op.LOC, (), FIXED, "")

Make = Callable[[list[Relation], bool], Relation]
Naive = Callable[[list[Pairs]], Pairs]

# name: how many inputs, the relation, what it means
KINDS: dict[str, tuple[int, Make, Naive]] = {
    "union": (3, UnionOf, lambda given: given[0] | given[1] | given[2]),
    "inter": (2, InterOf, lambda given: given[0] & given[1]),
    "seq": (
        2,
        lambda inputs, recursive: SeqOf(inputs, recursive, Round()),
        lambda given: compose(given[0], given[1]),
    ),
    "plus": (1, lambda inputs, rec: PlusOf(inputs, rec, Round()), lambda given: closed(given[0])),
    "closure of a union": (
        2,
        lambda inputs, recursive: PlusOf(inputs, recursive, Round()),
        lambda given: closed(given[0] | given[1]),
    ),
    "inverse": (1, InverseOf, lambda given: turned(given[0])),
    "domain": (1, DomainOf, lambda given: identity(a for a, _ in given[0])),
    "range": (1, RangeOf, lambda given: identity(b for _, b in given[0])),
    "filtered": (
        1,
        lambda inputs, recursive: Filtered(inputs[0], _Kept(), POINT, True, recursive),
        lambda given: given[0] & KEPT,
    ),
    "filtered out": (
        1,
        lambda inputs, recursive: Filtered(inputs[0], _Kept(), POINT, False, recursive),
        lambda given: given[0] - KEPT,
    ),
    "from": (
        1,
        lambda inputs, recursive: Restricted(inputs[0], _Kept().members, SET, True, recursive),
        lambda given: {(a, b) for a, b in given[0] if a in MEMBERS},
    ),
    "into": (
        1,
        lambda inputs, recursive: Restricted(inputs[0], _Kept().members, SET, False, recursive),
        lambda given: {(a, b) for a, b in given[0] if b in MEMBERS},
    ),
}


def holds(relation: Relation, pairs: Pairs) -> None:
    """The columns of a relation, its sources and its targets are those of the pairs."""
    assert pairs_of(relation.columns, EVENTS) == pairs
    assert relation.columns[SOURCES] == sum(1 << e for e in {a for a, _ in pairs})
    assert relation.columns[TARGETS] == sum(1 << e for e in {b for _, b in pairs})


@pytest.mark.parametrize("recursive", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_relation(kind: str, recursive: bool) -> None:
    count, make, naive = KINDS[kind]
    for seed in range(60):
        rng = random.Random(seed)
        leaves = [Relation([], False) for _ in range(count)]
        relation = make(leaves, recursive)
        for each in (*leaves, relation):
            each.grow(SIZE)
            each.stored = True
        given: list[Pairs] = [set() for _ in leaves]
        for _ in range(4):
            log = Log()
            before = [set(pairs) for pairs in given]
            # A recursive relation is updated several times in a round and sees each gain once.
            for _ in range(2 if recursive else 1):
                for leaf, pairs in zip(leaves, given, strict=True):
                    for a, b in random_pairs(rng, EVENTS, 0.06):
                        leaf.add(b, 1 << a, log)
                        pairs.add((a, b))
                relation.update(log)
            holds(relation, naive(given))
            new = zip(relation.gained, relation.gained_bits, strict=True)
            gained = {(a, b) for b, bits in new for a in EVENTS if bits >> a & 1}
            assert gained == naive(given) - naive(before)
            if rng.random() < 0.4:
                log.undo_to(0)
                given = before
                holds(relation, naive(given))
            for each in (*leaves, relation):
                each.forget()


@pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if kind not in ("plus", "closure of a union")]
)
def test_relation_that_is_not_stored(kind: str) -> None:
    """It passes on what is new, perhaps with pairs that it has had, and keeps nothing."""
    count, make, naive = KINDS[kind]
    for seed in range(60):
        rng = random.Random(seed)
        leaves = [Relation([], False) for _ in range(count)]
        relation = make(leaves, False)
        for each in (*leaves, relation):
            each.grow(SIZE)
        for leaf in leaves:
            leaf.stored = leaf.stored or rng.random() < 0.5
        given: list[Pairs] = [set() for _ in leaves]
        for _ in range(4):
            before = [set(pairs) for pairs in given]
            for leaf, pairs in zip(leaves, given, strict=True):
                for a, b in random_pairs(rng, EVENTS, 0.06):
                    leaf.add(b, 1 << a, Log())
                    pairs.add((a, b))
            relation.update(Log())
            new = zip(relation.gained, relation.gained_bits, strict=True)
            gained = {(a, b) for b, bits in new for a in EVENTS if bits >> a & 1}
            assert naive(given) - naive(before) <= gained <= naive(given)
            assert not any(relation.columns)
            for each in (*leaves, relation):
                each.forget()


def test_closure_with_new_events() -> None:
    """Events that come in a round have no pairs before it: a closure looks for what comes after
    them among the gains of the round alone."""
    for seed in range(200):
        rng = random.Random(seed)
        now = Round()
        leaf = Relation([], False)
        closure = PlusOf([leaf], True, now)
        leaf.stored = True
        for each in (leaf, closure):
            each.grow(SIZE)
        waiting = rng.sample(EVENTS, len(EVENTS))
        there: list[int] = []
        given: Pairs = set()
        while waiting:
            events = [waiting.pop() for _ in range(min(len(waiting), rng.choice((1, 2, 3))))]
            there += events
            now.new = sum(1 << e for e in events)
            log = Log()
            for _ in range(2):
                for a, b in random_pairs(rng, there, 0.1):
                    leaf.add(b, 1 << a, log)
                    given.add((a, b))
                closure.update(log)
            holds(closure, closed(given))
            leaf.forget()
            closure.forget()


class _Counting(list[int]):
    """Columns that count how often they are looked at."""

    def __init__(self, columns: list[int]) -> None:
        super().__init__(columns)
        self.looks = 0

    def __getitem__(self, index: Any) -> Any:
        self.looks += 1
        return super().__getitem__(index)


def _closure_of_threads(threads: int, length: int) -> tuple[Relation, PlusOf, _Counting]:
    """The closure of the order of events in threads, added one by one, thread by thread."""
    order = Relation([], False)
    closure = PlusOf([order], False, Round())
    order.stored = True
    for each in (order, closure):
        each.grow(2 + threads * length + 1)
    for thread in range(threads):
        before = 0
        for event in range(2 + thread * length, 2 + (thread + 1) * length):
            if before:
                order.add(event, before, Log())
                closure.update(Log())
                order.forget()
                closure.forget()
            before |= 1 << event
    closure.columns = counting = _Counting(closure.columns)
    return order, closure, counting


@pytest.mark.interpreted
def test_a_late_event_costs_a_closure_the_same_whatever_its_past() -> None:
    looks = []
    for length in (10, 80):
        order, closure, counting = _closure_of_threads(3, length)
        event = 2 + 3 * length
        order.add(event, (1 << event) - 4, Log())
        closure.update(Log())
        assert counting[event] == (1 << event) - 4
        looks.append(counting.looks)
    assert looks[0] == looks[1]


@pytest.mark.interpreted
def test_an_event_before_many_others_goes_through_a_closure_once() -> None:
    """In coherence a store comes before all later ones of its location."""
    looks = []
    for later in (2, 60):
        order, closure, counting = _closure_of_threads(1, 80)
        event = 2 + 80
        for each in reversed(range(event - later, event)):
            order.add(each, 1 << event, Log())
        closure.update(Log())
        assert all(counting[each] >> event & 1 for each in range(event - later, event))
        looks.append(counting.looks)
    assert looks[1] - looks[0] < 10 * 60
