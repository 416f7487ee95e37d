"""The first process's side: hands units out, takes parts in, until nothing is left."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Final, Protocol

from hybrid.engine.api import Counters
from hybrid.engine.subtrees import Task
from hybrid.parallel.undisturbed import Undisturbed
from hybrid.parallel.work import Part, WorkUnit
from hybrid.report.tally import Tally

SHORT: Final = 0.1  # seconds of a unit while there are few tasks, so that there are more soon
LONG: Final = 0.5
SEVERAL: Final = 64  # tasks
RATE: Final = 500  # units in a second at most, half of what the scheduler of a cluster hands out
TICK: Final = 0.2  # seconds between looks at the clock
# workers lost one after the other, no part coming in between, after which another one would not
# help
MANY: Final = 20


@dataclass(frozen=True, slots=True)
class Lost:
    """Instead of a part: the worker is gone, and why. Its unit is done again."""

    reason: str


class Full(Exception):
    """A worker has more memory than it may have. What was counted stays."""


class Gone(Exception):
    """There are no workers any more, and why. What was counted stays."""


class Workers(Protocol):
    """All may raise Gone but `close`."""

    @property
    def capacity(self) -> int:
        """How many units are worked on at once."""
        ...

    def submit(self, unit: WorkUnit) -> int:
        """Hands a unit out; gives its number."""
        ...

    def wait(self, seconds: float) -> list[tuple[int, Part | Lost]]:
        """What has come in, waiting up to `seconds` for the first."""
        ...

    def close(self) -> None: ...


@dataclass(slots=True)
class ExplorationProgress:
    """How far an exploration is; all that a checkpoint has to keep besides what was counted."""

    tasks: list[Task]  # to be handed out
    taken: set[bytes] = field(default_factory=set)  # digests of the offers that somebody was given
    counters: Counters = field(default_factory=Counters)
    seconds: float = 0.0  # of earlier runs
    lost: int = 0  # units that were done again
    made: int = 1  # tasks that there ever were, the first included
    explored: int = 0  # those of them that are not left


class Coordinator:
    """`run` explores to the end, to the first answer or to the deadline; `pending` is then what is
    not explored."""

    def __init__(
        self,
        progress: ExplorationProgress,
        tally: Tally,
        workers: Workers,
        first: bool = False,
        deadline: float | None = None,
        look: Callable[[Coordinator], None] = lambda _: None,
        undisturbed: Undisturbed | None = None,
    ) -> None:
        self.progress = progress
        self.tally = tally
        self.workers = workers
        self.first = first
        self.deadline = deadline
        self.look = look  # called now and then: to show progress, to save
        self.out: dict[int, WorkUnit] = {}  # units being worked on
        self.answered = first and tally.answered  # so says a checkpoint
        self.late = False
        self.in_a_row = 0  # workers lost since the last part came in
        self.undisturbed = undisturbed or Undisturbed()

    @property
    def pending(self) -> list[Task]:
        """Everything that is not counted yet."""
        return [*self.progress.tasks, *(task for unit in self.out.values() for task in unit.tasks)]

    def run(self) -> None:
        while (self.progress.tasks or self.out) and not self.answered:
            if self.deadline is not None and time.monotonic() > self.deadline:
                self.late = True
                return
            self._hand_out()
            for number, part in self.workers.wait(TICK):
                with self.undisturbed.step():
                    self._take_back(self.out.pop(number), part)
                if isinstance(part, Lost) and self.in_a_row >= max(MANY, 3 * self.workers.capacity):
                    raise Gone(
                        f"{self.in_a_row} workers were lost one after the other: {part.reason}"
                    )
                if isinstance(part, Part) and part.full and self.pending and not self.answered:
                    raise Full
            self.look(self)

    def _hand_out(self) -> None:
        tasks = self.progress.tasks
        capacity = self.workers.capacity if tasks else 0
        while tasks and len(self.out) < capacity:
            # The first tasks lead to the largest subtrees; each unit gets some of these and some of
            # the others.
            share = unit_tasks(len(tasks), capacity, capacity - len(self.out))
            step = max(1, len(tasks) // share)
            chosen = tuple(tasks[::step])
            enough = len(tasks) - len(chosen) >= 4 * capacity
            unit = WorkUnit(chosen, unit_seconds(enough, len(self.out)), self.first)
            with self.undisturbed.step():  # where a process is forked, an exception gets lost
                self.out[self.workers.submit(unit)] = unit
                del tasks[::step]

    def _take_back(self, unit: WorkUnit, part: Part | Lost) -> None:
        if isinstance(part, Lost):
            self.progress.lost += 1
            self.in_a_row += 1
            self.progress.tasks.extend(unit.tasks)
        else:
            self.in_a_row = 0
            self.progress.explored += len(unit.tasks)
            self._take_in(part)

    def _take_in(self, part: Part) -> None:
        progress = self.progress
        self.tally.merge(part.counts)
        for each in fields(Counters):
            total = getattr(progress.counters, each.name) + getattr(part.counters, each.name)
            setattr(progress.counters, each.name, total)
        for task in part.left.taken:
            progress.taken.add(digest(task))
        progress.tasks.extend(part.left.tasks)
        progress.made += len(part.left.tasks)
        for task in part.left.offered:
            mark = digest(task)
            if mark not in progress.taken:
                progress.taken.add(mark)
                progress.tasks.append(task)
                progress.made += 1
        self.answered = self.first and self.tally.answered


def unit_tasks(tasks: int, capacity: int, free: int) -> int:
    """How many of the tasks a unit gets. Most tasks are small, so it gets several where half are
    then left for workers that are free, or are soon."""
    several = min(SEVERAL, tasks // (2 * max(free, capacity // 10)))
    return max(1, tasks // (2 * capacity), several)


def unit_seconds(enough: bool, out: int) -> float:
    """How long a worker explores before it answers: not long while there are few tasks, so that
    there are more soon; longer the more units are out, as each answer takes the coordinator and a
    cluster's scheduler some time."""
    return max(LONG if enough else SHORT, out / RATE)


def digest(task: Task) -> bytes:
    """Tells tasks apart: 16 bytes that differ when they do."""
    return hashlib.blake2b(repr(task).encode(), digest_size=16).digest()
