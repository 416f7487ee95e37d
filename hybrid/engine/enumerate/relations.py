"""Sets and relations over events 0..n-1: a set is an int with one bit an event, a relation a list
of n such ints, the successors of each event. One small function an operator; none changes its
arguments."""

from __future__ import annotations

Relation = list[int]


def everything(size: int) -> int:
    return (1 << size) - 1


def members(bits: int) -> list[int]:
    """The events of a set, in order."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def union(left: Relation, right: Relation) -> Relation:
    return [a | b for a, b in zip(left, right, strict=True)]


def intersection(left: Relation, right: Relation) -> Relation:
    return [a & b for a, b in zip(left, right, strict=True)]


def difference(left: Relation, right: Relation) -> Relation:
    return [a & ~b for a, b in zip(left, right, strict=True)]


def complement(relation: Relation) -> Relation:
    all_events = everything(len(relation))
    return [all_events & ~row for row in relation]


def opt(relation: Relation) -> Relation:
    """With the identity."""
    return [row | 1 << i for i, row in enumerate(relation)]


def compose(left: Relation, right: Relation) -> Relation:
    followed = domain(right)
    known = {0: 0}  # most initial writes have the same successors
    result = []
    for row in left:
        middle = row & followed
        reached = known.get(middle)
        if reached is None:
            reached = 0
            for event in members(middle):
                reached |= right[event]
            known[middle] = reached
        result.append(reached)
    return result


def inverse(relation: Relation) -> Relation:
    alike: dict[int, int] = {}  # by their successors: events, of which initial writes share them
    for i, row in enumerate(relation):
        alike[row] = alike.get(row, 0) | 1 << i
    result = [0] * len(relation)
    for row, bits in alike.items():
        for event in members(row):
            result[event] |= bits
    return result


def plus(relation: Relation) -> Relation:
    """The transitive closure (Warshall), once for all events that have the same successors."""
    first: dict[int, int] = {}
    stands_for = [first.setdefault(row, i) for i, row in enumerate(relation)]
    standing = list(first.values())
    result = relation[:]
    for middle in members(range_of(relation)):
        bit = 1 << middle
        row = result[stands_for[middle]]
        if row:
            for i in standing:
                if result[i] & bit:
                    result[i] |= row
    return [result[i] for i in stands_for]


def identity(bits: int, size: int) -> Relation:
    return [bits & (1 << i) for i in range(size)]


def product(left: int, right: int, size: int) -> Relation:
    return [right if left >> i & 1 else 0 for i in range(size)]


def domain(relation: Relation) -> int:
    bits = 0
    for i, row in enumerate(relation):
        if row:
            bits |= 1 << i
    return bits


def range_of(relation: Relation) -> int:
    bits = 0
    for row in relation:
        bits |= row
    return bits


def acyclic(relation: Relation) -> bool:
    """Takes away events without successors until none is left, or all that are left have one: a
    cycle."""
    alive = domain(relation)
    while alive:
        before = alive
        for i in reversed(members(alive)):  # later events tend to have fewer successors
            if not relation[i] & alive:
                alive &= ~(1 << i)
        if alive == before:
            return False
    return True


def irreflexive(relation: Relation) -> bool:
    return not any(row >> i & 1 for i, row in enumerate(relation))


def shortest_cycle(relation: Relation) -> tuple[int, ...]:
    """A shortest cycle, each event once; empty when there is none."""
    best: tuple[int, ...] = ()
    for start in range(len(relation)):
        came_from: dict[int, int] = {}
        frontier = [start]
        while frontier and start not in came_from:
            following = []
            for event in frontier:
                for successor in members(relation[event]):
                    if successor not in came_from:
                        came_from[successor] = event
                        following.append(successor)
            frontier = following
        if start in came_from:
            cycle = [start]
            while came_from[cycle[-1]] != start:
                cycle.append(came_from[cycle[-1]])
            found = (start, *reversed(cycle[1:]))
            if not best or len(found) < len(best):
                best = found
    return best
