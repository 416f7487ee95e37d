"""What a parallel exploration hands around.

A **task** describes a subtree of an exploration by the choices that lead to it. It is made of
numbers, strings and tuples, so that it can be sent to another process and saved. A **unit** is a
list of tasks that one worker explores for a while; the worker answers with one **part**: what it
has counted, and the tasks that are left. A part comes whole or not at all, so a unit whose worker
was lost is done again elsewhere, and nothing counts twice.

Within a subtree an engine may find work that belongs to an ancestor of it (RSMC's templates): such
a task is **offered**, as other subtrees may find the same, and the coordinator takes each offer
once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from hybrid.engine.api import Counters, Limits
from hybrid.engine.races import Races
from hybrid.execution.trace import Trace
from hybrid.model.core import Model
from hybrid.program.loops import DEFAULT_MAX_STEPS
from hybrid.program.program import Program
from hybrid.report.tally import Counts

Task = tuple[Any, ...]  # understood by the engine that made it


@dataclass(frozen=True, slots=True)
class Job:
    """What is explored, and how; the same for all units."""

    program: Program
    model: Model
    engine: str
    oracle: str
    equivalence: str
    policy: str
    seed: int
    sat_solver: str
    unroll: int
    races: Races | None = None  # None: what suits the program
    max_steps: int = DEFAULT_MAX_STEPS
    # bytes that a worker may have; it does not matter to what is explored
    memory: int | None = None

    @property
    def limits(self) -> Limits:
        return Limits(self.unroll, max_steps=self.max_steps)


@dataclass(frozen=True, slots=True)
class WorkUnit:
    tasks: tuple[Task, ...]
    seconds: float  # how long to explore before handing back what is left
    first: bool  # stop at the first trace that answers


@dataclass(slots=True)
class Left:
    """What an exploration leaves when it stops."""

    tasks: list[Task]  # to be done
    offered: list[Task]  # to be done by whoever is given them, if nobody was yet
    taken: list[Task]  # done already, but others may offer them


@dataclass(slots=True)
class Part:
    """What a worker answers."""

    counts: Counts
    counters: Counters
    left: Left
    answered: bool  # a trace answers the question
    full: bool = False  # the worker has more memory than it may have


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
