"""Subtrees of TruSt's exploration as data, for parallel exploration (see engine/subtrees.py).

A task is a graph, given by its units in the order of the stack, and what is to be done above it:
`("all",)`, or `("rest", event, before, second_before, forced, found, options, place)`, the options
that a frame has not tried: a `TrustRemainder`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hybrid.engine.api import Counters
from hybrid.engine.subtrees import Left, Task
from hybrid.engine.trust.explorer import TrustExploration
from hybrid.engine.trust.frame import TrustRemainder, TrustUnit
from hybrid.execution.trace import Trace


class TrustSubtrees:
    """One exploration, set to one task after the other."""

    def __init__(self, exploration: TrustExploration) -> None:
        self.exploration = exploration
        self.counters = Counters()
        self._todo: list[Task] = []

    def root(self) -> Task:
        return (), ("all",)

    def check(self, task: Task) -> None:
        units, rest = task
        left = None if rest == ("all",) else _checked_remainder(rest)
        self.exploration.go_to(_units(units))
        if left is not None:
            self.exploration.resume(left)
        self.exploration.rewind()

    def begin(self, tasks: Sequence[Task], until: float) -> None:
        self._todo = list(tasks)
        self.counters = self.exploration.counters = Counters()
        self.exploration.until = until

    def explore(self) -> Iterator[Trace]:
        exploration = self.exploration
        while self._todo:
            units, rest = self._todo.pop()
            if rest[0] == "all":
                yield from exploration.run(_units(units))
            else:
                exploration.go_to(_units(units))
                exploration.resume(_remainder(rest))
                yield from exploration.proceed(False)
            if exploration.is_open():
                return
            exploration.rewind()

    def leave(self) -> Left:
        """Goes down the stack; what a frame has left depends on the graph below it, so revisits are
        undone on the way."""
        exploration = self.exploration
        left = Left([], [], [])
        while exploration.is_open():
            rest = exploration.take_remainder()
            if rest is not None:
                units = tuple(tuple(unit) for unit in exploration.units())
                left.tasks.append((units, ("rest", *rest)))
        left.tasks.reverse()
        left.tasks.extend(self._todo)
        exploration.rewind()
        return left


def _units(units: Sequence[Sequence[int]]) -> list[TrustUnit]:
    return [TrustUnit(*unit) for unit in units]  # type: ignore[arg-type]


def _remainder(rest: Task) -> TrustRemainder:
    _, event, before, second_before, forced, found, options, place = rest
    options = tuple(tuple(option) for option in options)
    return TrustRemainder(event, before, second_before, forced, found, options, place)


def _checked_remainder(rest: Task) -> TrustRemainder:
    """The same of what may be anything; a ValueError or TypeError says that it is not a task."""
    kind, event, before, second_before, forced, found, options, place = rest
    numbers = (event, before, second_before, forced, place)
    if kind != "rest" or not all(type(number) is int for number in numbers) or event < 0:
        raise ValueError("not a task")
    if type(found) is not bool or place < 0:
        raise ValueError("not a task")
    if not all(type(number) is int for option in options for number in option):
        raise ValueError("not options")
    return _remainder(rest)
