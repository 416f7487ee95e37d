"""Subtrees of TruSt's exploration as data, for parallel exploration (see parallel/work.py).

A task is a graph, given by its units in the order of the stack, and what is to be done above it:
`("all",)`, or `("rest", event, before, second_before, forced, found, options, place)`, the options
that a frame has not tried. With a `place` that is not 0, the first of the options is a revisit of
which so many places were tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hybrid.engine.api import Counters
from hybrid.engine.trust.explorer import TrustExploration
from hybrid.engine.trust.frame import TrustUnit, UnitFrame
from hybrid.execution.trace import Trace
from hybrid.parallel.work import Left, Task


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
        exploration = self.exploration
        if rest == ("all",):
            for unit in units:
                exploration._go_to(TrustUnit(*unit))
        else:
            kind, event, before, second_before, forced, found, options, place = rest
            numbers = (event, before, second_before, forced, place)
            if kind != "rest" or not all(type(number) is int for number in numbers) or event < 0:
                raise ValueError("not a task")
            if type(found) is not bool or place < 0:
                raise ValueError("not a task")
            if not all(type(number) is int for option in options for number in option):
                raise ValueError("not options")
            self._enter(units, rest)
        self._rewind()

    def begin(self, tasks: Sequence[Task], until: float) -> None:
        self._todo = list(tasks)
        self.counters = self.exploration.counters = Counters()
        self.exploration.until = until

    def explore(self) -> Iterator[Trace]:
        exploration = self.exploration
        while self._todo:
            units, rest = self._todo.pop()
            if rest[0] == "all":
                yield from exploration.run([TrustUnit(*unit) for unit in units])
            else:
                self._enter(units, rest)
                yield from exploration.proceed(False)
            if self._is_open():
                return
            self._rewind()

    def leave(self) -> Left:
        """Goes down the stack; what a frame has left depends on the graph below it, so revisits are
        undone on the way."""
        exploration = self.exploration
        left = Left([], [], [])
        while self._is_open():
            frame = exploration.stack[-1]
            if frame.on:
                exploration._take_off(frame)
            options, place = frame.options[frame.tried :], 0
            if frame.revisits >= 0:
                if frame.place < len(frame.places):
                    options, place = [frame.option, *options], frame.place
                exploration._restore(frame)
            if not options:
                exploration._leave(frame)
                continue
            exploration.stack.pop()
            left.tasks.append((self._units(), self._rest(frame, options, place)))
        left.tasks.reverse()
        left.tasks.extend(self._todo)
        self._rewind()
        return left

    def _units(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(unit) for unit in self.exploration.units())

    def _rest(self, frame: UnitFrame, options: list[tuple[int, int, int]], place: int) -> Task:
        step = frame.choice or frame.step
        before = (frame.before, frame.second_before, frame.forced)
        return ("rest", step.event, *before, frame.found, tuple(options), place)

    def _enter(self, units: Sequence[Sequence[int]], rest: Task) -> None:
        exploration = self.exploration
        for unit in units:
            exploration._go_to(TrustUnit(*unit))  # type: ignore[arg-type]
        _, event, before, second_before, forced, found, options, place = rest
        frame = UnitFrame(exploration._at(event), before, forced)
        frame.second_before = second_before
        frame.found = found
        frame.options = [tuple(option) for option in options]
        exploration.stack.append(frame)
        if place:
            frame.option = frame.options[0]
            frame.tried = 1
            _, load, source = frame.option
            exploration._restrict(frame, load, source)
            frame.place = place

    def _rewind(self) -> None:
        """Back to the empty graph."""
        exploration = self.exploration
        while exploration.stack:
            exploration._take_off(exploration.stack.pop())

    def _is_open(self) -> bool:
        """Whether the stack has something left to explore."""
        stack = self.exploration.stack
        return bool(stack) and not stack[-1].given
