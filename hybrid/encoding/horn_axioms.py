"""Axioms on relations of Horn clauses (horn.py): relations that nobody uses. `active` is the
literal of the axiom."""

from __future__ import annotations

from collections.abc import Sequence

from hybrid.encoding.acyclic import AcyclicEdges, Node
from hybrid.encoding.horn import (
    DerivedRelation,
    Horn,
    HornRelation,
    LiteralsOfPairs,
    Merge,
    key_of,
)


class Acyclic(DerivedRelation):
    """No cycle, by paths: each cycle is found from its greatest event, by a path that leads through
    smaller ones only."""

    def __init__(self, horn: Horn, inputs: Sequence[HornRelation], active: int) -> None:
        super().__init__(horn)
        self.active = active
        self.join()
        self.edges = Merge(horn, inputs)
        self.edges.join()
        self.edges.users.append((self, -2))
        self.users.append((self, -1))

    def receive(self, which: int, a: int, b: int, literal: int) -> None:
        if which == -1:
            ends = self.edges.out.get(b)
            if ends is not None:
                possible = self.horn.compatible[a]
                for i in range(0, len(ends), 2):
                    if ends[i] <= a and possible >> ends[i] & 1:
                        self._extend(a, ends[i], literal, ends[i + 1])
            return
        if a == b:
            self.horn.logic.put((-self.active, -literal))
            return
        if b < a:
            self.derive(a, b, literal)
        starts = self.into.get(a)
        if starts is not None:
            possible = self.horn.compatible[b]
            for i in range(0, len(starts), 2):
                if b <= starts[i] and possible >> starts[i] & 1:
                    self._extend(starts[i], b, starts[i + 1], literal)

    def _extend(self, a: int, b: int, path: int, edge: int) -> None:
        if a == b:
            self.horn.logic.put((-self.active, -path, -edge))
        else:
            self.derive_by_two(a, b, path, edge)


class Edges(HornRelation):
    """No cycle, seen to after the solver has said which edges there are: each cycle found becomes a
    clause."""

    def __init__(self, horn: Horn, inputs: Sequence[HornRelation], active: int) -> None:
        super().__init__(horn, inputs)
        self.active = active
        self.of_literal: dict[int, list[tuple[int, int]]] = {}

    def receive(self, which: int, a: int, b: int, literal: int) -> None:
        if a == b:
            self.horn.logic.put((-self.active, -literal))
        else:
            self.of_literal.setdefault(literal, []).append((a, b))

    def cycles(self, true: Sequence[int]) -> list[tuple[int, ...]]:
        """Clauses against cycles of edges with these literals; none when there is no cycle."""
        of_literal = self.of_literal
        after: dict[int, int] = {}
        starts = ends = 0
        for literal in true:
            for a, b in of_literal.get(literal, ()):
                after[a] = after.get(a, 0) | 1 << b
                starts |= 1 << a
                ends |= 1 << b
        left = starts & ends  # an event on a cycle has an edge in and an edge out
        while left:
            kept = reached = 0
            rest = left
            while rest:
                low = rest & -rest
                rest ^= low
                following = after[low.bit_length() - 1] & left
                if following:
                    kept |= low
                    reached |= following
            if kept & reached == left:
                break
            left = kept & reached
        if not left:
            return []
        edges: dict[tuple[Node, Node], int] = {
            (a, b): literal
            for literal in true
            for a, b in of_literal.get(literal, ())
            if left >> a & left >> b & 1
        }
        return AcyclicEdges(edges, self.active).broken(_is_true)


class Ordered(HornRelation):
    """No cycle, by the logic's own order: each edge goes up."""

    def __init__(self, horn: Horn, inputs: Sequence[HornRelation], active: int) -> None:
        super().__init__(horn, inputs)
        self.active = active
        self.name = ("order", active)

    def receive(self, which: int, a: int, b: int, literal: int) -> None:
        if a == b:
            self.horn.logic.put((-self.active, -literal))
        else:
            self.horn.logic.ascend(a, b, literal, self.name, self.active)


class Irreflexive(HornRelation):
    """No loop."""

    def __init__(self, horn: Horn, inputs: Sequence[HornRelation], active: int) -> None:
        super().__init__(horn, inputs)
        self.active = active

    def receive(self, which: int, a: int, b: int, literal: int) -> None:
        if a == b:
            self.horn.logic.put((-self.active, -literal))


class NoWayBack(HornRelation):
    """No loop in the composition of two relations."""

    def __init__(self, horn: Horn, left: HornRelation, right: HornRelation, active: int) -> None:
        super().__init__(horn, [left, right])
        self.active = active
        self.found = [LiteralsOfPairs(), LiteralsOfPairs()]  # of each side, the second turned round

    def receive(self, which: int, a: int, b: int, literal: int) -> None:
        key = key_of(a, b) if which == 0 else key_of(b, a)
        self.found[which].add(key, literal)
        for other in self.found[1 - which].of(key):
            self.horn.logic.put((-self.active, -literal, -other))


class HornEmpty(HornRelation):
    def __init__(self, horn: Horn, inputs: Sequence[HornRelation], active: int) -> None:
        super().__init__(horn, inputs)
        self.active = active

    def receive(self, which: int, a: int, b: int, literal: int) -> None:
        self.horn.logic.put((-self.active, -literal))


def _is_true(literal: int) -> bool:
    """Of edges that are known to be there."""
    return True
