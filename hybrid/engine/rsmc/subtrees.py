"""Subtrees of RSMC's exploration as data, for parallel exploration (see engine/subtrees.py).

A path is a list of frames from the bottom of the stack, each (kind, event, parameter): COMMITTED is
a call of Explore with its event committed, SKIPPING one with its event left out, OWNER one whose
template is being traversed, TRAVERSED a call of Traverse. What is to be done at the end of a path
is one of

- `("all",)`: Explore;
- `("rest", event, candidates, checked, found, template, place)`: the candidates that a frame has
  not tried; the template is () for Explore;
- `("template", template)`: a template of the frame at the path's end, an OWNER.

A template that is found for a frame of the path belongs to the frame's other subtrees too, so it is
offered and not explored here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from hybrid.engine.api import Counters
from hybrid.engine.rsmc.explorer import RsmcExploration
from hybrid.engine.rsmc.frame import Path, RsmcFrame, Template
from hybrid.engine.subtrees import Left, Task
from hybrid.errors import InternalError
from hybrid.execution.execution import FAIL
from hybrid.execution.step import CHOICE, LOAD, RMW
from hybrid.execution.trace import Trace

COMMITTED: Final = 0
SKIPPING: Final = 1
OWNER: Final = 2
TRAVERSED: Final = 3


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
        steps = self.exploration.execution.steps
        for kind, event, parameter in path:
            if kind not in (COMMITTED, SKIPPING, OWNER, TRAVERSED) or type(parameter) is not int:
                raise ValueError("not a path")
            if type(event) is not int or event < 0:  # beyond the last: as the path is followed
                raise ValueError("not an event")
        self._follow(path)
        if rest[0] == "template":
            (_, template) = rest
            _check_template(template)
            if not path or path[-1][0] != OWNER:
                raise ValueError("a template without its owner")
        elif rest[0] == "rest":
            _, event, candidates, checked, found, template, place = rest
            _check_template(template)
            numbers = (event, found, place, *candidates)
            if type(checked) is not bool or not all(type(number) is int for number in numbers):
                raise ValueError("not the rest of a frame")
            if (
                not 0 <= event < len(steps)
                or steps[event] is None
                or not 0 <= place <= len(template)
            ):
                raise ValueError("not an event, or not a place")
        elif rest != ("all",):
            raise ValueError("not a task")
        self._rewind()

    def begin(self, tasks: Sequence[Task], until: float) -> None:
        self._todo = list(tasks)
        self.counters = self.exploration.counters = Counters()
        self.exploration.until = until

    def explore(self) -> Iterator[Trace]:
        exploration = self.exploration
        while self._todo:
            path, rest = self._todo.pop()
            self._follow(path)
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
        left.offered = [(path, ("template", template)) for path, template in exploration.offered]
        exploration.offered = []
        self._rewind()
        return left

    # ---- from the stack to tasks

    def _leave_frame(self, frame: RsmcFrame, path: Path, left: Left) -> None:
        if frame.tried < len(frame.candidates) or not frame.found:
            rest = tuple(frame.candidates[frame.tried :])
            template = frame.template or ()
            left.tasks.append(
                (
                    path,
                    ("rest", frame.event, rest, frame.checked, frame.found, template, frame.place),
                )
            )
        owner = (*path, (OWNER, frame.event, 0))
        for number, template in enumerate(frame.templates):
            task = (owner, ("template", template))
            left.taken.append(task)
            if number >= frame.explored:
                left.tasks.append(task)

    def _entry(self, frame: RsmcFrame) -> tuple[int, int, int]:
        if frame.template is not None:
            return TRAVERSED, frame.event, frame.parameter
        if frame.skipping:
            return SKIPPING, frame.event, 0
        return (COMMITTED, frame.event, frame.parameter) if frame.open else (OWNER, frame.event, 0)

    def _rewind(self) -> None:
        """Back to the beginning, with nothing explored."""
        exploration = self.exploration
        while exploration.stack:
            exploration._step_back(exploration.stack[-1])
            exploration._leave(exploration.stack[-1])

    # ---- from tasks to the stack

    def _follow(self, path: Path) -> None:
        exploration = self.exploration
        self._base = len(path)
        for depth, (kind, event, parameter) in enumerate(path):
            frame = self._push(event, traversed=kind == TRAVERSED)
            frame.path = (*path[:depth], (OWNER, event, 0))
            frame.found = 1
            if kind == SKIPPING:
                exploration._skip(frame)
            elif kind != OWNER:
                self._commit(frame, parameter)

    def _commit(self, frame: RsmcFrame, parameter: int) -> None:
        """Commits what is known to be allowed; the oracle has to be asked all the same."""
        exploration = self.exploration
        oracle, execution = exploration.oracle, exploration.execution
        if parameter == FAIL or frame.step.kind == CHOICE:
            fine = oracle.settled(execution)
        else:
            fine = bool(oracle.allowed(execution, frame.event, [parameter]))
        if not fine:
            raise InternalError("the path to a subtree is not allowed")
        exploration._commit(frame, parameter)

    def _enter(self, path: Path, rest: Task) -> Iterator[Trace]:
        exploration = self.exploration
        if rest[0] == "all":
            yield from exploration._explore()
        elif rest[0] == "template":
            exploration._traverse(rest[1], 0, exploration.stack[-1])
        else:
            _, event, candidates, checked, found, template, place = rest
            owner = None
            if template:
                owner = next(f for f in reversed(exploration.stack) if f.template is None)
            frame = self._push(event, traversed=bool(template))
            frame.candidates = list(candidates)
            frame.checked = checked
            frame.found = found
            if template:
                frame.template = template
                frame.place = place
                frame.owner = owner
            else:
                frame.path = (*path, (OWNER, event, 0))

    def _push(self, event: int, traversed: bool) -> RsmcFrame:
        """A frame without anything to try."""
        exploration = self.exploration
        step = exploration.execution.steps[event]
        assert step is not None
        frame = exploration._frame(step)
        exploration.stack.append(frame)
        if traversed:
            frame.template = _NONE
        elif step.kind in (LOAD, RMW):
            exploration.frame_of[event] = frame
            exploration.framed |= 1 << event
        return frame


def _check_template(template: Template) -> None:
    if not all(type(number) is int for pair in template for number in pair):
        raise ValueError("not a template")


_NONE: Final[Template] = ()
