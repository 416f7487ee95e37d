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

from hybrid.encoding.acyclic import AcyclicEdges, Node
from hybrid.encoding.logic import Logic

Pair = tuple[int, int]  # the other event, the literal

_FIRST: Final = 1 << 30  # the pair (a, b) as a key: a * _FIRST + b


def _is_true(literal: int) -> bool:
    """Of edges that are known to be there."""
    return True


def key_of(a: int, b: int) -> int:
    return a * _FIRST + b


class Horn:
    """The clauses of a growing set of events, numbered from 0."""

    def __init__(self, logic: Logic) -> None:
        self.logic = logic
        # by event: bits of the events that it can be with, and its own
        self.compatible: list[int] = []
        self.joined: list[HornRelation] = []  # those of which pairs are looked up by their ends
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
        for relation in self.joined:
            relation.out.append([])
            relation.into.append([])
        return event

    def run(self) -> None:
        """Derives all that follows from the pairs in the queue."""
        queue = self.queue
        while queue:
            relation, a, b, literal = queue.pop()
            if relation.joined:
                relation.out[a].append((b, literal))
                relation.into[b].append((a, literal))
            for user, which in relation.users:
                user.receive(which, a, b, literal)


@mypyc_attr(allow_interpreted_subclasses=True)
class HornRelation:
    """A leaf, filled from outside by `Horn.queue`; operators are subclasses."""

    def __init__(self, horn: Horn, inputs: Sequence[HornRelation] = ()) -> None:
        self.horn = horn
        self.users: list[tuple[HornRelation, int]] = []
        self.joined = False  # `out` and `into` are kept
        self.out: list[list[Pair]] = []
        self.into: list[list[Pair]] = []
        self.heads: dict[int, int] = {}  # by key of a pair
        for which, source in enumerate(inputs):
            source.users.append((self, which))

    def join(self) -> None:
        """From now on, `out` and `into` are kept."""
        if not self.joined:
            self.joined = True
            self.horn.joined.append(self)
            self.out = [[] for _ in self.horn.compatible]
            self.into = [[] for _ in self.horn.compatible]

    def receive(self, which: int, a: int, b: int, literal: int) -> None:
        """A new pair of input number `which`."""
        raise NotImplementedError

    def send(self, a: int, b: int, literal: int) -> None:
        """A pair of this relation, with a literal of another."""
        if self.users or self.joined:
            self.horn.queue.append((self, a, b, literal))

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


class HornUnion(HornRelation):
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


class EndsOf(HornRelation):
    """The identity on the events that start (`end` false) or end a pair."""

    def __init__(self, horn: Horn, source: HornRelation, end: bool) -> None:
        super().__init__(horn, [source])
        self.end = end

    def receive(self, which: int, a: int, b: int, literal: int) -> None:
        event = b if self.end else a
        self.derive(event, event, literal)


class HornIntersection(HornRelation):
    def __init__(self, horn: Horn, left: HornRelation, right: HornRelation) -> None:
        super().__init__(horn, [left, right])
        # of each side, by key of a pair: its literals
        self.found: list[dict[int, list[int]]] = [{}, {}]

    def receive(self, which: int, a: int, b: int, literal: int) -> None:
        key = key_of(a, b)
        self.found[which].setdefault(key, []).append(literal)
        others = self.found[1 - which].get(key)
        if others is not None:
            for other in others:
                self.derive_by_two(a, b, literal, other)


class HornSequence(HornRelation):
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
            possible = self.horn.compatible[a] if mask is None else mask[a]
            for end, other in self.right.out[b]:
                if possible >> end & 1:
                    self.derive_by_two(a, end, literal, other)
            return
        possible = self.horn.compatible[b]
        for start, other in self.left.into[a]:
            if possible >> start & 1 and (mask is None or mask[start] >> b & 1):
                self.derive_by_two(start, b, other, literal)


class HornClosure(HornRelation):
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
            possible = self.horn.compatible[a]
            for end, edge in self.edges.out[b]:
                if possible >> end & 1:
                    self.derive_by_two(a, end, literal, edge)
            return
        self.derive(a, b, literal)
        possible = self.horn.compatible[b]
        for start, path in self.into[a]:
            if possible >> start & 1:
                self.derive_by_two(start, b, path, literal)


# ---- axioms: relations that nobody uses. `active` is the literal of the axiom.


class Acyclic(HornRelation):
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
            possible = self.horn.compatible[a]
            for end, edge in self.edges.out[b]:
                if end <= a and possible >> end & 1:
                    self._extend(a, end, literal, edge)
            return
        if a == b:
            self.horn.logic.put((-self.active, -literal))
            return
        if b < a:
            self.derive(a, b, literal)
        possible = self.horn.compatible[b]
        for start, path in self.into[a]:
            if b <= start and possible >> start & 1:
                self._extend(start, b, path, literal)

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
        # of each side, by key of a pair, the second turned round: its literals
        self.found: list[dict[int, list[int]]] = [{}, {}]

    def receive(self, which: int, a: int, b: int, literal: int) -> None:
        key = key_of(a, b) if which == 0 else key_of(b, a)
        self.found[which].setdefault(key, []).append(literal)
        others = self.found[1 - which].get(key)
        if others is not None:
            for other in others:
                self.horn.logic.put((-self.active, -literal, -other))


class HornEmpty(HornRelation):
    def __init__(self, horn: Horn, inputs: Sequence[HornRelation], active: int) -> None:
        super().__init__(horn, inputs)
        self.active = active

    def receive(self, which: int, a: int, b: int, literal: int) -> None:
        self.horn.logic.put((-self.active, -literal))
