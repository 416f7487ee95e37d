"""Relations that only grow, as Horn clauses that are added as soon as their premises can meet, and
never taken back.

A pair of a relation is (a, b, literal): a and b are related whenever the literal is true. New pairs
are joined with those that are there (semi-naive evaluation, as of Datalog), and each way to derive
a pair becomes one clause, premises → pair. Which of the pairs hold at the moment is for the solver
to say, under assumptions; the clauses are true whatever these are. Pairs of events that cannot be
in one execution are not made.

Restrictions and inverses make no variables: their pairs have the literals of the pairs that they
come from. A pair may so have several literals, each of which is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mypy_extensions import mypyc_attr

from hybrid.encoding.logic import Logic

_FIRST: Final = 1 << 30  # the pair (a, b) as a key: a * _FIRST + b


def key_of(a: int, b: int) -> int:
    return a * _FIRST + b


# By event: those at the other end of its pairs, each followed by the literal of the pair
Ends = dict[int, list[int]]

_NO_ENDS: Final[Ends] = {}


def _note(ends: Ends, event: int, other: int, literal: int) -> None:
    found = ends.get(event)
    if found is None:
        ends[event] = [other, literal]
    else:
        found.append(other)
        found.append(literal)


class LiteralsOfPairs:
    """By key of a pair: its literals, mostly one."""

    def __init__(self) -> None:
        self._first: dict[int, int] = {}
        self._more: dict[int, list[int]] = {}

    def add(self, key: int, literal: int) -> None:
        if key in self._first:
            self._more.setdefault(key, []).append(literal)
        else:
            self._first[key] = literal

    def of(self, key: int) -> list[int]:
        first = self._first.get(key)
        if first is None:
            return []
        more = self._more.get(key)
        return [first] if more is None else [first, *more]


class Horn:
    """The clauses of a growing set of events, numbered from 0."""

    def __init__(self, logic: Logic) -> None:
        self.logic = logic
        # by event: bits of the events that it can be with, and its own
        self.compatible: list[int] = []
        self.queue: list[tuple[HornRelation, int, int, int]] = []  # pairs that nobody has seen yet

    def add_event(self, compatible: int) -> int:
        """A new event that can be with these, and nothing else of those there are."""
        event = len(self.compatible)
        bit = 1 << event
        rest = compatible
        while rest:
            low = rest & -rest
            rest ^= low
            self.compatible[low.bit_length() - 1] |= bit
        self.compatible.append(compatible | bit)
        return event

    def run(self) -> None:
        """Derives all that follows from the pairs in the queue."""
        queue = self.queue
        while queue:
            relation, a, b, literal = queue.pop()
            if relation.joined:
                _note(relation.out, a, b, literal)
                _note(relation.into, b, a, literal)
            for user, which in relation.users:
                user.receive(which, a, b, literal)


@mypyc_attr(allow_interpreted_subclasses=True)
class HornRelation:
    """A leaf, filled from outside by `Horn.queue`; operators are subclasses."""

    def __init__(self, horn: Horn, inputs: Sequence[HornRelation] = ()) -> None:
        self.horn = horn
        self.users: list[tuple[HornRelation, int]] = []
        self.joined = False  # `out` and `into` are kept
        self.out = self.into = _NO_ENDS
        for which, source in enumerate(inputs):
            source.users.append((self, which))

    def join(self) -> None:
        """From now on, `out` and `into` are kept."""
        if not self.joined:
            self.joined = True
            self.out = {}
            self.into = {}

    def receive(self, which: int, a: int, b: int, literal: int) -> None:
        """A new pair of input number `which`."""
        raise NotImplementedError

    def send(self, a: int, b: int, literal: int) -> None:
        """A pair of this relation, with a literal of another."""
        if self.users or self.joined:
            self.horn.queue.append((self, a, b, literal))


@mypyc_attr(allow_interpreted_subclasses=True)
class DerivedRelation(HornRelation):
    """One whose pairs have literals of their own."""

    def __init__(self, horn: Horn, inputs: Sequence[HornRelation] = ()) -> None:
        super().__init__(horn, inputs)
        self.heads: dict[int, int] = {}  # by key of a pair

    def head(self, a: int, b: int) -> int:
        """The literal of a pair that is derived."""
        key = key_of(a, b)
        head = self.heads.get(key)
        if head is None:
            head = self.heads[key] = self.horn.logic.fresh()
            self.horn.queue.append((self, a, b, head))
        return head

    def derive(self, a: int, b: int, premise: int) -> None:
        """A pair that follows from one literal."""
        self.horn.logic.put((-premise, self.head(a, b)))

    def derive_by_two(self, a: int, b: int, one: int, two: int) -> None:
        """A pair that follows from two literals."""
        self.horn.logic.put((-one, -two, self.head(a, b)))


class Merge(HornRelation):
    """The pairs of all inputs as they are."""

    def receive(self, which: int, a: int, b: int, literal: int) -> None:
        self.send(a, b, literal)


class HornUnion(DerivedRelation):
    """The pairs of all inputs, one literal each."""

    def receive(self, which: int, a: int, b: int, literal: int) -> None:
        self.derive(a, b, literal)


class Masked(HornRelation):
    """The pairs that are in `mask` as well: rows of bits by event (or, `inside` false, those that
    are not)."""

    def __init__(self, horn: Horn, source: HornRelation, mask: list[int], inside: bool) -> None:
        super().__init__(horn, [source])
        self.mask = mask
        self.inside = inside

    def receive(self, which: int, a: int, b: int, literal: int) -> None:
        if bool(self.mask[a] >> b & 1) == self.inside:
            self.send(a, b, literal)


class HornRestriction(HornRelation):
    """The pairs that start (`start`) or end in a set: bits of events, in `sets` by its index."""

    def __init__(
        self, horn: Horn, source: HornRelation, sets: list[int], index: int, start: bool
    ) -> None:
        super().__init__(horn, [source])
        self.sets = sets
        self.index = index
        self.start = start

    def receive(self, which: int, a: int, b: int, literal: int) -> None:
        if self.sets[self.index] >> (a if self.start else b) & 1:
            self.send(a, b, literal)


class HornInverse(HornRelation):
    def receive(self, which: int, a: int, b: int, literal: int) -> None:
        self.send(b, a, literal)


class EndsOf(DerivedRelation):
    """The identity on the events that start (`end` false) or end a pair."""

    def __init__(self, horn: Horn, source: HornRelation, end: bool) -> None:
        super().__init__(horn, [source])
        self.end = end

    def receive(self, which: int, a: int, b: int, literal: int) -> None:
        event = b if self.end else a
        self.derive(event, event, literal)


class HornIntersection(DerivedRelation):
    def __init__(self, horn: Horn, left: HornRelation, right: HornRelation) -> None:
        super().__init__(horn, [left, right])
        self.found = [LiteralsOfPairs(), LiteralsOfPairs()]  # of each side

    def receive(self, which: int, a: int, b: int, literal: int) -> None:
        key = key_of(a, b)
        self.found[which].add(key, literal)
        for other in self.found[1 - which].of(key):
            self.derive_by_two(a, b, literal, other)


class HornSequence(DerivedRelation):
    """left ; right, within `mask` if there is one."""

    def __init__(
        self, horn: Horn, left: HornRelation, right: HornRelation, mask: list[int] | None = None
    ) -> None:
        super().__init__(horn, [left, right])
        left.join()
        right.join()
        self.left = left
        self.right = right
        self.mask = mask

    def receive(self, which: int, a: int, b: int, literal: int) -> None:
        mask = self.mask
        if which == 0:
            ends = self.right.out.get(b)
            if ends is None:
                return
            possible = self.horn.compatible[a] if mask is None else mask[a]
            for i in range(0, len(ends), 2):
                if possible >> ends[i] & 1:
                    self.derive_by_two(a, ends[i], literal, ends[i + 1])
            return
        starts = self.left.into.get(a)
        if starts is None:
            return
        possible = self.horn.compatible[b]
        for i in range(0, len(starts), 2):
            start = starts[i]
            if possible >> start & 1 and (mask is None or mask[start] >> b & 1):
                self.derive_by_two(start, b, starts[i + 1], literal)


class HornClosure(DerivedRelation):
    """The transitive closure of the union of the inputs: an edge, or a path and an edge."""

    def __init__(self, horn: Horn, inputs: Sequence[HornRelation]) -> None:
        super().__init__(horn)
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
                    if possible >> ends[i] & 1:
                        self.derive_by_two(a, ends[i], literal, ends[i + 1])
            return
        self.derive(a, b, literal)
        starts = self.into.get(a)
        if starts is not None:
            possible = self.horn.compatible[b]
            for i in range(0, len(starts), 2):
                if possible >> starts[i] & 1:
                    self.derive_by_two(starts[i], b, starts[i + 1], literal)
