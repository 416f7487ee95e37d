"""The columns of onward relations (onward.py), one class for each operator: what is related to the
event that comes, from what is known of earlier ones. That holds committed events alone."""

from __future__ import annotations

from hybrid.errors import InternalError
from hybrid.execution.bits import bit_of
from hybrid.oracle.columns import Node
from hybrid.oracle.pointwise import Points


class Columns:
    """Unless it is kept, the column of an event is computed each time that it is asked for."""

    __slots__ = ()

    def column(self, event: int) -> int:
        """The events that the relation relates to this one."""
        raise InternalError("the columns of no relation")

    def image(self, events: int) -> int:
        """The union of the columns of these events."""
        union = 0
        while events:
            low = events & -events
            events ^= low
            union |= self.column(low.bit_length() - 1)
        return union


class KeptColumns(Columns):
    """Of events that have come; somebody fills them in."""

    __slots__ = ("columns", "made_of")

    def __init__(self, size: int, made_of: Columns) -> None:
        self.columns = [0] * size
        self.made_of = made_of

    def column(self, event: int) -> int:
        return self.columns[event]

    def image(self, events: int) -> int:
        if not events:
            return 0
        columns = self.columns
        last = events.bit_length() - 1
        union = columns[last]
        events ^= bit_of(last)  # mostly it is one event
        while events:
            last = events.bit_length() - 1
            events ^= bit_of(last)
            union |= columns[last]
        return union


class FetchedColumns(Columns):
    """What is known at fetch."""

    __slots__ = ("_columns", "_points")

    def __init__(self, points: Points, node: Node) -> None:
        self._points = points
        self._columns = points.columns[node.index]

    def column(self, event: int) -> int:
        return self._columns[event] & self._points.committed


class PointColumns(Columns):
    """What two events tell by themselves."""

    __slots__ = ("_node", "_points")

    def __init__(self, points: Points, node: Node) -> None:
        self._points = points
        self._node = node

    def column(self, event: int) -> int:
        points = self._points
        return points.column(self._node, event) & points.committed


class UnionColumns(Columns):
    __slots__ = ("_parts",)

    def __init__(self, parts: list[Columns]) -> None:
        self._parts = parts

    def column(self, event: int) -> int:
        found = 0
        for part in self._parts:
            found |= part.column(event)
        return found


class InterColumns(Columns):
    __slots__ = ("_first", "_second")

    def __init__(self, first: Columns, second: Columns) -> None:
        self._first = first
        self._second = second

    def column(self, event: int) -> int:
        found = self._second.column(event)
        return found & self._first.column(event) if found else 0


class DiffColumns(Columns):
    __slots__ = ("_first", "_second")

    def __init__(self, first: Columns, second: Columns) -> None:
        self._first = first
        self._second = second

    def column(self, event: int) -> int:
        found = self._first.column(event)
        return found & ~self._second.column(event) if found else 0


class SeqColumns(Columns):
    """left ; right"""

    __slots__ = ("_left", "_right")

    def __init__(self, left: Columns, right: Columns) -> None:
        self._left = left
        self._right = right

    def column(self, event: int) -> int:
        middle = self._right.column(event)
        return self._left.image(middle) if middle else 0


class ClosureColumns(Columns):
    """The transitive closure; what is kept of it is told later."""

    __slots__ = ("_inner", "_kept", "_strict")

    def __init__(self, inner: Columns, strict: bool) -> None:
        """`strict`: the inner relation relates no event to itself."""
        self._inner = inner
        self._strict = strict
        self._kept: KeptColumns | None = None

    def keep(self, size: int) -> KeptColumns:
        self._kept = KeptColumns(size, self)
        return self._kept

    def column(self, event: int) -> int:
        assert self._kept is not None
        columns = self._kept.columns
        middle = found = self._inner.column(event)
        if not self._strict:
            middle = found & ~bit_of(event)  # its own column is not there yet
        while middle:  # what a later one leads from need not be asked; later ones have high numbers
            last = middle.bit_length() - 1
            middle ^= bit_of(last)
            column = columns[last]
            if column:
                found |= column
                middle &= ~column
        return found


class OptionalColumns(Columns):
    __slots__ = ("inner",)

    def __init__(self, inner: Columns) -> None:
        self.inner = inner

    def column(self, event: int) -> int:
        return self.inner.column(event) | bit_of(event)

    def image(self, events: int) -> int:
        return events | self.inner.image(events)


class RangeColumns(Columns):
    """The identity on what the relation leads to."""

    __slots__ = ("_inner",)

    def __init__(self, inner: Columns) -> None:
        self._inner = inner

    def column(self, event: int) -> int:
        return bit_of(event) if self._inner.column(event) else 0


class FromColumns(Columns):
    """The pairs that start in a set."""

    __slots__ = ("_inner", "_members", "_set")

    def __init__(self, points: Points, inside: Node, inner: Columns) -> None:
        self._members = points.members
        self._set = inside.index
        self._inner = inner

    def column(self, event: int) -> int:
        found = self._inner.column(event)
        return found & self._members[self._set] if found else 0


class IntoColumns(Columns):
    """The pairs that end in a set."""

    __slots__ = ("_inner", "_kept", "_members", "_set")

    def __init__(self, points: Points, inside: Node, inner: Columns) -> None:
        self._members = points.members
        self._set = inside.index
        self._inner = inner
        self._kept = isinstance(inner, KeptColumns)  # and mostly empty, so it is asked first

    def column(self, event: int) -> int:
        if self._kept:
            found = self._inner.column(event)
            return found if found and self._members[self._set] & bit_of(event) else 0
        return self._inner.column(event) if self._members[self._set] & bit_of(event) else 0
