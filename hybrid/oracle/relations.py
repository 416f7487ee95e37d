"""Growing relations, updated by what changed: semi-naive evaluation with an undo log.

A relation is kept as columns: `columns[b]` holds the events related to b. Edges mostly go from
events committed earlier to events committed later, so a new event mostly fills its own column and
changes few others. Numbers 0 and 1 are not events: `columns[SOURCES]` is the union of all columns,
`columns[TARGETS]` the events whose column is not empty.

`update` reads what the inputs have gained in this round (new bits in the columns of some events),
adds what follows to `columns`, notes it and writes old values to the log. A relation on a recursive
cycle is updated until nothing is gained; `read` remembers how much of each input's gains it has
seen. Where nobody looks at the columns of a relation, it is not `stored`: its gains are passed on,
perhaps with pairs that it has had before.
"""

from __future__ import annotations

from typing import Final, cast

from hybrid.execution.bits import bit_of
from hybrid.oracle.columns import ColumnEvaluator, Node

SOURCES: Final = 0
TARGETS: Final = 1


class Log:
    """What was changed, oldest first: numbers in lists, with what stood there before."""

    __slots__ = ("_indices", "_lists", "_values")

    def __init__(self) -> None:
        # Side by side, as that is cheaper than a list of triples; and numbers as objects, which
        # native code need not take apart and make anew.
        self._lists: list[list[object]] = []
        self._indices: list[int] = []
        self._values: list[object] = []

    def note(self, numbers: list[int], index: int) -> None:
        """`numbers[index]` is about to change."""
        place = cast(list[object], numbers)
        self._lists.append(place)
        self._indices.append(index)
        self._values.append(place[index])

    def length(self) -> int:
        return len(self._indices)

    def undo_to(self, length: int) -> None:
        """Takes back all but the first `length` changes, the last first."""
        lists, indices, values = self._lists, self._indices, self._values
        for at in range(len(indices) - 1, length - 1, -1):
            lists[at][indices[at]] = values[at]
        del lists[length:]
        del indices[length:]
        del values[length:]

    def lift_to(self, length: int) -> Lifted:
        """The same, and what it takes to make the changes again."""
        lists, indices = self._lists[length:], self._indices[length:]
        values: list[object] = []
        for at in range(len(indices) - 1, -1, -1):
            place, index = lists[at], indices[at]
            values.append(place[index])
            place[index] = self._values[length + at]
        values.reverse()
        del self._lists[length:]
        del self._indices[length:]
        del self._values[length:]
        return Lifted(lists, indices, values)

    def put_back(self, lifted: Lifted) -> None:
        """Makes the changes again, where nothing has changed since that is not undone."""
        self._lists += lifted.lists
        self._indices += lifted.indices
        old = self._values
        for at, place in enumerate(lifted.lists):
            index = lifted.indices[at]
            old.append(place[index])
            place[index] = lifted.values[at]


class Lifted:
    """Changes that were taken back: numbers in lists, with what is to stand there."""

    __slots__ = ("indices", "lists", "values")

    def __init__(self, lists: list[list[object]], indices: list[int], values: list[object]) -> None:
        self.lists = lists
        self.indices = indices
        self.values = values


class Round:
    """One step of the network: some events come, relations gain."""

    __slots__ = ("new",)

    def __init__(self) -> None:
        self.new = 0  # the events that come


class Relation:
    """A leaf, filled from outside; operators are subclasses."""

    def __init__(self, inputs: list[Relation], recursive: bool) -> None:
        self.columns: list[int] = [0, 0]
        # gained in this round, side by side: events, and new bits in their columns
        self.gained: list[int] = []
        self.gained_bits: list[int] = []
        self.inputs = inputs
        self.read = [0] * len(inputs)
        self.recursive = recursive
        self.index = -1  # position in the order of updates
        self.users = 0  # bits of the positions of the relations that read this one
        # Somebody looks at its columns. A recursive one must tell what is new, by them or others.
        self.stored = recursive
        self.asked = False  # somebody looks at its targets

    def grow(self, size: int) -> None:
        columns = self.columns
        if len(columns) < size:
            columns.extend([0] * (size - len(columns)))

    def number(self, order: list[Relation]) -> None:
        """All relations are in this order, and know who reads them."""

    def add(self, event: int, bits: int, log: Log) -> None:
        """Adds pairs from `bits` to `event`."""
        if not self.stored:
            self.gained.append(event)
            self.gained_bits.append(bits)
            return
        columns = self.columns
        old = columns[event]
        new = bits & ~old if old else bits
        if new:
            log.note(columns, event)
            columns[event] = old | new if old else new
            self.gained.append(event)
            self.gained_bits.append(new)
            sources = columns[SOURCES] | new
            if sources != columns[SOURCES]:
                log.note(columns, SOURCES)
                columns[SOURCES] = sources
            if not old:
                targets = columns[TARGETS]
                log.note(columns, TARGETS)
                columns[TARGETS] = targets | bit_of(event)

    def forget(self) -> None:
        """The round is over."""
        self.gained.clear()
        self.gained_bits.clear()
        if self.recursive:
            self.read = [0] * len(self.read)

    def _unread(self, which: int) -> int:
        """From which of its gains on input number `which` was not read in this round; all are read
        then."""
        if not self.recursive:
            return 0
        start = self.read[which]
        self.read[which] = len(self.inputs[which].gained)
        return start

    def update(self, log: Log) -> None:
        raise NotImplementedError


class UnionOf(Relation):
    def update(self, log: Log) -> None:
        for which, source in enumerate(self.inputs):
            gained, bits = source.gained, source.gained_bits
            for at in range(self._unread(which), len(gained)):
                self.add(gained[at], bits[at], log)


class InterOf(Relation):
    def __init__(self, inputs: list[Relation], recursive: bool) -> None:
        super().__init__(inputs, recursive)
        for each in inputs:
            each.stored = True

    def update(self, log: Log) -> None:
        for which in (0, 1):
            source, other = self.inputs[which], self.inputs[1 - which].columns
            gained, bits = source.gained, source.gained_bits
            for at in range(self._unread(which), len(gained)):
                event = gained[at]
                both = bits[at] & other[event]
                if both:
                    self.add(event, both, log)


class Filtered(Relation):
    """The pairs of the input that are also in a pointwise relation (or, `inside` false, that are
    not)."""

    def __init__(
        self, source: Relation, points: ColumnEvaluator, node: Node, inside: bool, recursive: bool
    ) -> None:
        super().__init__([source], recursive)
        self.points = points
        self.node = node
        self.inside = inside

    def update(self, log: Log) -> None:
        source = self.inputs[0]
        for at in range(self._unread(0), len(source.gained)):
            event, bits = source.gained[at], source.gained_bits[at]
            mask = self.points.column(self.node, event)
            bits &= mask if self.inside else ~mask
            if bits:
                self.add(event, bits, log)


class Restricted(Relation):
    """The pairs of the input that start in a set (`start`) or end in it."""

    def __init__(
        self, source: Relation, members: list[int], node: Node, start: bool, recursive: bool
    ) -> None:
        super().__init__([source], recursive)
        self.members = members
        self.set_index = node.index
        self.start = start

    def update(self, log: Log) -> None:
        members = self.members[self.set_index]
        source = self.inputs[0]
        for at in range(self._unread(0), len(source.gained)):
            event, bits = source.gained[at], source.gained_bits[at]
            if self.start:
                bits &= members
            elif not members >> event & 1:
                continue
            if bits:
                self.add(event, bits, log)


class SeqOf(Relation):
    """left ; right

    Where a relation `cover` is known with left ; cover within left, as left itself is if it is a
    closure, the column of an event need not be asked for once that of one that covers it is in: the
    pairs that this leaves out come when left ; cover has brought them to the latter. As that may be
    the very composition that is made here, an event is covered by those between it and the end of
    the new pairs alone, by their numbers: so one does not wait for the other in a circle.

    In a recursion, a composition that is there for one union alone is not stored: what is new is
    told by the columns of the union, which are `known`.
    """

    def __init__(self, inputs: list[Relation], recursive: bool, now: Round) -> None:
        super().__init__(inputs, recursive)
        self.now = now
        self.stored = False
        self.cover: Relation | None = None
        self.known: Relation | None = None
        for each in inputs:
            each.stored = each.asked = True

    def number(self, order: list[Relation]) -> None:
        """All relations are there, and know who reads them."""
        if self.recursive and not self.stored:
            users = self.users
            user = order[users.bit_length() - 1]
            if users and not users & (users - 1) and isinstance(user, UnionOf) and user.recursive:
                self.known = user
                return
            self.stored = True
        if self.stored:
            self.known = self

    def update(self, log: Log) -> None:
        if self.inputs[1].gained:
            self._join_right(log)
        if self.inputs[0].gained:
            self._join_left(log)

    def _join_right(self, log: Log) -> None:
        """New pairs of the right side, with all of the left."""
        left = self.inputs[0].columns
        gained, new = self.inputs[1].gained, self.inputs[1].gained_bits
        start = self._unread(1)
        targets = left[TARGETS]
        if not targets:
            return
        known = None if self.known is None else self.known.columns
        cover = None if self.cover is None else self.cover.columns
        for at in range(start, len(gained)):
            middle = new[at] & targets
            if not middle:
                continue
            event = gained[at]
            if known is None:
                self.add(event, _image(left, middle, cover, event), log)
            elif left[SOURCES] & ~known[event]:
                union = _image(left, middle, cover, event)
                if union & ~known[event]:
                    self.add(event, union, log)

    def _join_left(self, log: Log) -> None:
        """New pairs of the left side, with all of the right."""
        right = self.inputs[1].columns
        gained, new = self.inputs[0].gained, self.inputs[0].gained_bits
        start = self._unread(0)
        sources = right[SOURCES]
        if not sources:
            return
        known = None if self.known is None else self.known.columns
        for at in range(start, len(gained)):
            event = gained[at]
            if sources >> event & 1:
                bits = new[at]
                ends = right[TARGETS]
                if self.now.new >> event & 1:  # these pairs of the right side are new, too
                    ends = 0
                    for end in self.inputs[1].gained:
                        ends |= 1 << end
                while ends:
                    low = ends & -ends
                    ends ^= low
                    end = low.bit_length() - 1
                    if right[end] >> event & 1 and (known is None or bits & ~known[end]):
                        self.add(end, bits, log)


def _image(left: list[int], middle: int, cover: list[int] | None, end: int) -> int:
    """The union of the columns of these events, but of those that others cover on the way to
    `end`."""
    union = 0
    if cover is None:
        while middle:
            low = middle & -middle
            middle ^= low
            union |= left[low.bit_length() - 1]
        return union
    while middle:
        last = middle.bit_length() - 1
        union |= left[last]
        middle ^= bit_of(last)
        if middle and last < end:
            middle &= ~cover[last]
    return union


class PlusOf(Relation):
    """The transitive closure of the union of the inputs; of one input and the identity, the
    reflexive one.

    The columns are closed after each new pair. So the column of an event need not be asked for once
    that of a later one with it is in; later events mostly have higher numbers. Gains that are equal
    mostly follow each other: they are taken together.
    """

    def __init__(self, inputs: list[Relation], recursive: bool, now: Round) -> None:
        super().__init__(inputs, recursive)
        self.now = now
        self.stored = True

    def update(self, log: Log) -> None:
        columns = self.columns
        for which, source in enumerate(self.inputs):
            gained, new = source.gained, source.gained_bits
            at, end = self._unread(which), len(gained)
            while at < end:
                bits = new[at]
                events = 1 << gained[at]
                at += 1
                while at < end and new[at] == bits:
                    events |= 1 << gained[at]
                    at += 1
                past = bits
                middle = bits & columns[TARGETS]
                while middle:
                    last = middle.bit_length() - 1
                    column = columns[last]
                    past |= column
                    middle ^= bit_of(last)
                    if middle:
                        middle &= ~column
                self._add_past(events, past, log)

    def _add_past(self, events: int, past: int, log: Log) -> None:
        """Adds pairs from `past`, which is closed, to these events and to all after them."""
        columns = self.columns
        ends = events
        sources = columns[SOURCES] & events
        if sources & ~self.now.new:
            after = columns[TARGETS] & ~events
            while after:
                low = after & -after
                after ^= low
                if columns[low.bit_length() - 1] & events:
                    ends |= low
        elif sources:  # what comes after new events has gained that in this round
            for event in self.gained:
                if columns[event] & events:
                    ends |= 1 << event
        while ends:
            low = ends & -ends
            ends ^= low
            end = low.bit_length() - 1
            if past & ~columns[end]:
                self.add(end, past, log)


class InverseOf(Relation):
    def update(self, log: Log) -> None:
        source = self.inputs[0]
        for at in range(self._unread(0), len(source.gained)):
            bit, bits = 1 << source.gained[at], source.gained_bits[at]
            while bits:
                low = bits & -bits
                bits ^= low
                self.add(low.bit_length() - 1, bit, log)


class DomainOf(Relation):
    """The identity on the events that the input relates to something."""

    def update(self, log: Log) -> None:
        source = self.inputs[0]
        for at in range(self._unread(0), len(source.gained)):
            bits = source.gained_bits[at]
            while bits:
                low = bits & -bits
                bits ^= low
                self.add(low.bit_length() - 1, low, log)


class RangeOf(Relation):
    """The identity on the events to which the input relates something."""

    def update(self, log: Log) -> None:
        gained = self.inputs[0].gained
        for at in range(self._unread(0), len(gained)):
            self.add(gained[at], 1 << gained[at], log)
