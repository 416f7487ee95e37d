"""Explorations in pieces, for engines whose work can be shared out.

A **task** describes a subtree of an exploration by the choices that lead to it. It is made of
numbers, strings and tuples, so that it can be sent to another process and saved.

Within a subtree an engine may find work that belongs to an ancestor of it (RSMC's templates): such
a task is **offered**, as other subtrees may find the same, and each offer is to be taken once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from hybrid.engine.api import Counters, Limits
from hybrid.execution.trace import Trace
from hybrid.model.core import Model
from hybrid.program.program import Program

Task = tuple[Any, ...]  # understood by the engine that made it


@dataclass(slots=True)
class Left:
    """What an exploration leaves when it stops."""

    tasks: list[Task]  # to be done
    offered: list[Task]  # to be done by the worker they are given to, once only
    taken: list[Task]  # done already, but others may offer them


class Subtrees(Protocol):
    """An exploration in pieces. `explore` may be left between two traces; `leave` then tells what
    is left and makes it ready for the next."""

    counters: Counters  # since `begin`

    def root(self) -> Task:
        """The whole exploration."""
        ...

    def check(self, task: Task) -> None:
        """Raises an exception, of any kind, if the task leads to no place of this exploration; then
        this object is of no use any more."""
        ...

    def begin(self, tasks: Sequence[Task], until: float) -> None:
        """Sets out to explore these tasks, up to the time `until` of time.monotonic()."""
        ...

    def explore(self) -> Iterator[Trace]: ...

    def leave(self) -> Left: ...


@runtime_checkable
class Divisible(Protocol):
    """An engine whose explorations can be shared out."""

    def subtrees(self, program: Program, model: Model, limits: Limits) -> Subtrees: ...
