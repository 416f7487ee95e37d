"""Growing relations, updated by what changed: semi-naive evaluation with an undo log.

A relation is kept as columns: `columns[b]` holds the events related to b. Edges mostly go from
events committed earlier to events committed later, so a new event mostly fills its own column and
changes few others. Numbers 0 and 1 are not events: `columns[SOURCES]` is the union of all columns,
`columns[TARGETS]` the events whose column is not empty.

`update` reads what the inputs have gained in this round (`gained`: pairs of an event and the new
bits in its column), adds what follows to `columns`, notes it in `gained` and writes old values to
the log. A relation on a recursive cycle is updated until nothing is gained; `read` remembers how
much of each input's gains it has seen.
"""

from __future__ import annotations

from typing import Final

from hybrid.oracle.columns import ColumnEvaluator, Node

SOURCES: Final = 0
TARGETS: Final = 1

Log = list[tuple[list[int], int, int]]  # (columns, index, value before), oldest first
Gained = list[tuple[int, int]]


class Relation:
    """A leaf, filled from outside; operators are subclasses."""

    def __init__(self, inputs: list[Relation], recursive: bool) -> None:
        self.columns: list[int] = [0, 0]
        self.gained: Gained = []
        self.inputs = inputs
        self.read = [0] * len(inputs)
        self.recursive = recursive
        self.index = -1  # position in the order of updates
        self.users = 0  # bits of the positions of the relations that read this one
        self.asked = False  # somebody looks at its targets

    def grow(self, size: int) -> None:
        columns = self.columns
        if len(columns) < size:
            columns.extend([0] * (size - len(columns)))

    def add(self, event: int, bits: int, log: Log) -> None:
        """Adds pairs from `bits` to `event`."""
        columns = self.columns
        old = columns[event]
        new = bits & ~old
        if new:
            log.append((columns, event, old))
            columns[event] = old | new
            self.gained.append((event, new))
            sources = columns[SOURCES]
            if new & ~sources:
                log.append((columns, SOURCES, sources))
                columns[SOURCES] = sources | new
            if not old:
                targets = columns[TARGETS]
                log.append((columns, TARGETS, targets))
                columns[TARGETS] = targets | 1 << event

    def fresh(self, which: int) -> Gained:
        """What input number `which` has gained since it was read last in this round."""
        gained = self.inputs[which].gained
        if self.recursive:
            start = self.read[which]
            self.read[which] = len(gained)
            return gained[start:] if start else gained[:]
        return gained

    def update(self, log: Log) -> None:
        raise NotImplementedError


def by_bits(gained: Gained) -> Gained:
    """The gains that are equal together: pairs of the bits and the set of the events."""
    if len(gained) == 1:
        event, bits = gained[0]
        return [(bits, 1 << event)]
    found: dict[int, int] = {}
    for event, bits in gained:
        found[bits] = found.get(bits, 0) | 1 << event
    return list(found.items())


class UnionOf(Relation):
    def update(self, log: Log) -> None:
        columns = self.columns
        read = self.read
        gains = self.gained
        recursive = self.recursive
        for which in range(len(self.inputs)):
            gained = self.inputs[which].gained
            if not gained:
                continue
            start = 0
            if recursive:
                start = read[which]
                read[which] = len(gained)
            for at in range(start, len(gained)):
                event, bits = gained[at]
                old = columns[event]
                new = bits & ~old
                if new:
                    log.append((columns, event, old))
                    columns[event] = old | new
                    gains.append((event, new))
                    sources = columns[SOURCES]
                    if new & ~sources:
                        log.append((columns, SOURCES, sources))
                        columns[SOURCES] = sources | new
                    if not old:
                        targets = columns[TARGETS]
                        log.append((columns, TARGETS, targets))
                        columns[TARGETS] = targets | 1 << event


class InterOf(Relation):
    def update(self, log: Log) -> None:
        for which in (0, 1):
            other = self.inputs[1 - which].columns
            for event, bits in self.fresh(which):
                bits &= other[event]
                if bits:
                    self.add(event, bits, log)


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
        for event, bits in self.fresh(0):
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
        for event, bits in self.fresh(0):
            if self.start:
                bits &= members
            elif not members >> event & 1:
                continue
            if bits:
                self.add(event, bits, log)


class SeqOf(Relation):
    """left ; right"""

    def update(self, log: Log) -> None:
        if self.inputs[1].gained:
            self._join_right(log)
        if self.inputs[0].gained:
            self._join_left(log)

    def _join_right(self, log: Log) -> None:
        """New pairs of the right side, with all of the left."""
        columns = self.columns
        left = self.inputs[0].columns
        gained = self.inputs[1].gained
        start = 0
        if self.recursive:
            start = self.read[1]
            self.read[1] = len(gained)
        targets = left[TARGETS]
        if not targets:
            return
        for at in range(start, len(gained)):
            event, bits = gained[at]
            middle = bits & targets
            if middle:
                union = 0
                while middle:
                    low = middle & -middle
                    middle ^= low
                    union |= left[low.bit_length() - 1]
                if union & ~columns[event]:
                    self.add(event, union, log)

    def _join_left(self, log: Log) -> None:
        """New pairs of the left side, with all of the right."""
        columns = self.columns
        right = self.inputs[1].columns
        gained = self.inputs[0].gained
        start = 0
        if self.recursive:
            start = self.read[0]
            self.read[0] = len(gained)
        sources = right[SOURCES]
        if not sources:
            return
        for at in range(start, len(gained)):
            event, bits = gained[at]
            if sources >> event & 1:
                ends = right[TARGETS]
                while ends:
                    low = ends & -ends
                    ends ^= low
                    end = low.bit_length() - 1
                    if right[end] >> event & 1 and bits & ~columns[end]:
                        self.add(end, bits, log)


class PlusOf(Relation):
    """The transitive closure of the union of the inputs; of one input and the identity, the
    reflexive one.

    The columns are closed after each new pair. So the column of an event need not be asked for once
    that of a later one with it is in; later events mostly have higher numbers.
    """

    def update(self, log: Log) -> None:
        columns = self.columns
        for which in range(len(self.inputs)):
            for bits, events in by_bits(self.fresh(which)):
                past = bits
                middle = bits & columns[TARGETS]
                while middle:
                    last = middle.bit_length() - 1
                    column = columns[last]
                    past |= column
                    middle &= ~(column | 1 << last)
                self._add_past(events, past, log)

    def _add_past(self, events: int, past: int, log: Log) -> None:
        """Adds pairs from `past`, which is closed, to these events and to all after them."""
        columns = self.columns
        ends = events
        if columns[SOURCES] & events:
            after = columns[TARGETS] & ~events
            while after:
                low = after & -after
                after ^= low
                if columns[low.bit_length() - 1] & events:
                    ends |= low
        while ends:
            low = ends & -ends
            ends ^= low
            end = low.bit_length() - 1
            if past & ~columns[end]:
                self.add(end, past, log)


class InverseOf(Relation):
    def update(self, log: Log) -> None:
        for event, bits in self.fresh(0):
            bit = 1 << event
            while bits:
                low = bits & -bits
                bits ^= low
                self.add(low.bit_length() - 1, bit, log)


class DomainOf(Relation):
    """The identity on the events that the input relates to something."""

    def update(self, log: Log) -> None:
        for _, bits in self.fresh(0):
            while bits:
                low = bits & -bits
                bits ^= low
                self.add(low.bit_length() - 1, low, log)


class RangeOf(Relation):
    """The identity on the events to which the input relates something."""

    def update(self, log: Log) -> None:
        for event, _ in self.fresh(0):
            self.add(event, 1 << event, log)
