"""Subtrees of RSMC's exploration as data, for parallel exploration (see engine/subtrees.py).

A task is a path, as frame.py describes it, and what is to be done at its end, one of

- `("all",)`: Explore;
- `("rest", event, candidates, checked, found, template, place)`: an `RsmcRemainder`, the candidates
  that a frame has not tried;
- `("template", template)`: a template of the frame at the path's end, an OWNER.

A template that is found for a frame of the path belongs to the frame's other subtrees too, so it is
offered and not explored here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hybrid.engine.api import Counters
from hybrid.engine.rsmc.explorer import RsmcExploration
from hybrid.engine.rsmc.frame import (
    COMMITTED,
    OWNER,
    SKIPPING,
    TRAVERSED,
    Path,
    PathEntry,
    RsmcFrame,
    RsmcRemainder,
    Template,
)
from hybrid.engine.subtrees import Left, Task
from hybrid.execution.step import LOAD, RMW
from hybrid.execution.trace import Trace


class RsmcSubtrees:
    """One exploration, set to one task after the other."""

    def __init__(self, exploration: RsmcExploration) -> None:
        self.exploration = exploration
        self.counters = Counters()
        self._todo: list[Task] = []
        self._base = 0  # frames of the task's path, at the bottom of the stack

    def root(self) -> Task:
        return (), ("all",)

    def check(self, task: Task) -> None:
        path, rest = task
        _check_path(path)
        self.exploration.follow(path)
        if rest[0] == "template":
            (_, template) = rest
            _check_template(template)
            if not path or path[-1][0] != OWNER:
                raise ValueError("a template without its owner")
        elif rest[0] == "rest":
            _, *numbers = rest
            self._check_remainder(RsmcRemainder(*numbers))
        elif rest != ("all",):
            raise ValueError("not a task")
        self.exploration.rewind()

    def begin(self, tasks: Sequence[Task], until: float) -> None:
        self._todo = list(tasks)
        self.counters = self.exploration.counters = Counters()
        self.exploration.until = until

    def explore(self) -> Iterator[Trace]:
        exploration = self.exploration
        while self._todo:
            path, rest = self._todo.pop()
            self._base = len(path)
            exploration.follow(path)
            yield from self._enter(path, rest)
            yield from exploration.proceed()
            if exploration.stack:
                return

    def leave(self) -> Left:
        exploration = self.exploration
        left = Left([], [], [])
        path: Path = ()
        for depth, frame in enumerate(exploration.stack):
            if depth >= self._base:
                self._leave_frame(frame, path, left)
            path = (*path, self._entry(frame))
        left.tasks.extend(self._todo)
        offered = exploration.races.take_offered()
        left.offered = [(path, ("template", template)) for path, template in offered]
        exploration.rewind()
        return left

    def _leave_frame(self, frame: RsmcFrame, path: Path, left: Left) -> None:
        rest = frame.remainder()
        if rest is not None and frame.step.kind in (LOAD, RMW):
            portable = self.exploration.execution.numbering.portable
            sources = tuple(c if c < 0 else portable(c) for c in rest.candidates)
            rest = rest._replace(candidates=sources)
        if rest is not None:
            left.tasks.append((path, ("rest", *rest)))
        owner = (*path, (OWNER, frame.event, 0))
        for number, template in enumerate(frame.templates or ()):
            task = (owner, ("template", template))
            left.taken.append(task)
            if number >= frame.explored:
                left.tasks.append(task)

    def _entry(self, frame: RsmcFrame) -> PathEntry:
        """A frame as a part of a path, in words that other processes understand."""
        kind, event, parameter = frame.entry()
        if kind in (COMMITTED, TRAVERSED) and frame.step.kind in (LOAD, RMW):
            parameter = self.exploration.execution.numbering.portable(parameter)
        return kind, event, parameter

    def _enter(self, path: Path, rest: Task) -> Sequence[Trace]:
        """Starts what is to be done at the path's end; gives what it shows at once."""
        exploration = self.exploration
        if rest[0] == "all":
            return exploration.explore()
        if rest[0] == "template":
            exploration.traverse(rest[1], 0, exploration.stack[-1])
        else:
            _, *numbers = rest
            exploration.resume(path, RsmcRemainder(*numbers))
        return ()

    def _check_remainder(self, left: RsmcRemainder) -> None:
        _check_template(left.template)
        numbers = (left.event, left.found, left.place, *left.candidates)
        if type(left.checked) is not bool or not all(type(number) is int for number in numbers):
            raise ValueError("not the rest of a frame")
        steps = self.exploration.execution.steps
        if not 0 <= left.event < len(steps) or steps[left.event] is None:
            raise ValueError("not an event")
        if not 0 <= left.place <= len(left.template):
            raise ValueError("not a place")


def _check_path(path: Path) -> None:
    for kind, event, parameter in path:
        if kind not in (COMMITTED, SKIPPING, OWNER, TRAVERSED) or type(parameter) is not int:
            raise ValueError("not a path")
        if type(event) is not int or event < 0:  # beyond the last: as the path is followed
            raise ValueError("not an event")


def _check_template(template: Template) -> None:
    if not all(type(number) is int for pair in template for number in pair):
        raise ValueError("not a template")
