"""How many workers of a cluster hybrid keeps busy, by simulation from what is measured here.

    python results/cluster_simulation.py [--seconds S] [--output FILE]

1. Explorations are shared out between two processes as `-j 2` does: how long units take, what they
   leave, how much is sent, and how long the coordinator works on each.
2. Tasks are cut short after a fiftieth of their work, and each task that is left is explored to its
   end: the shapes in which work falls apart.
3. hybrid's own coordinator hands units to simulated workers. Their tasks fall apart in the measured
   shapes, whatever their size. One scheduler hands on a unit in a millisecond, as Dask's does; the
   coordinator takes as long as was measured. There are S seconds of work for each worker.
"""

from __future__ import annotations

import argparse
import datetime
import heapq
import pickle
import random
import statistics
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from make import head

from hybrid.catalogue.engines import entry_of
from hybrid.compiled import manner
from hybrid.engine.api import Counters
from hybrid.engine.configuration import Configuration
from hybrid.engine.subtrees import Left, Task
from hybrid.frontend.generators import generate
from hybrid.frontend.prog import parse_program
from hybrid.model.load import load_model
from hybrid.parallel import coordinator as coordinating
from hybrid.parallel.coordinator import (
    LONG,
    RATE,
    SEVERAL,
    SHORT,
    Coordinator,
    ExplorationProgress,
    Lost,
)
from hybrid.parallel.processes import Processes
from hybrid.parallel.unit import Worker, subtrees
from hybrid.parallel.work import Job, Part, WorkUnit
from hybrid.report.tally import Tally
from hybrid.source import Source

PROGRAMS = (
    ("lastzero", 13, "sc"),
    ("exp-mem", 7, "sc"),
    ("exp-mem2", 4, "sc"),
    ("mutex-ordered", 3, "rc11"),
)
SERVICE = 0.001  # seconds in which the scheduler of a cluster hands on a unit
CUT = 50  # tasks are cut short after this part of their work
CUTS = 6  # the largest tasks left are cut again
WORKERS = (1, 10, 100, 300, 500, 1000, 2000)
LONGER = 5  # times the work, at last
OLD, NEW = "fixed", "by units out"


@dataclass(frozen=True, slots=True)
class Lengths:
    """Of the units of a real exploration."""

    seconds: list[float]
    left: list[int]  # tasks that each leaves
    sent: list[int]  # bytes of a unit and its answer
    own: float  # processor time of the coordinator for each unit
    job: int  # bytes


@dataclass(frozen=True, slots=True)
class Shapes:
    """How work falls apart."""

    fractions: list[tuple[float, ...]]  # of what is left, by task
    task: float  # seconds to come back to the place of a task


class Recorded:
    """Workers whose units are timed."""

    def __init__(self, inner: Processes) -> None:
        self.inner = inner
        self.capacity = inner.capacity
        self.began: dict[int, float] = {}
        self.sizes: dict[int, int] = {}
        self.besides = 0.0  # processor time of recording
        self.seconds: list[float] = []
        self.left: list[int] = []
        self.sent: list[int] = []

    def submit(self, unit: WorkUnit) -> int:
        number = self.inner.submit(unit)
        self.began[number] = time.monotonic()
        self.sizes[number] = self._size(unit)
        return number

    def _size(self, what: WorkUnit | Part) -> int:
        start = time.process_time()
        size = len(pickle.dumps(what))
        self.besides += time.process_time() - start
        return size

    def wait(self, seconds: float) -> list[tuple[int, Part | Lost]]:
        found = self.inner.wait(seconds)
        now = time.monotonic()
        for number, part in found:
            assert isinstance(part, Part)
            self.seconds.append(now - self.began[number])
            self.left.append(len(part.left.tasks) + len(part.left.offered))
            self.sent.append(self.sizes[number] + self._size(part))
        return found

    def close(self) -> None:
        self.inner.close()


def job_of(generator: str, size: int, model: str) -> Job:
    name = f"{generator}({size})"
    program = parse_program(Source(name, generate(generator, size)), name)
    return Job(program, load_model(model), entry_of("trust").completed(Configuration("trust")))


def measure_units(job: Job) -> Lengths:
    tally = Tally(job.new_result(job.configuration.limits()), smallest=True)
    workers = Recorded(Processes(job, 2))
    progress = ExplorationProgress([subtrees(job).root()])
    start = time.process_time()
    try:
        Coordinator(progress, tally, workers).run()
    finally:
        workers.close()
    own = (time.process_time() - start - workers.besides) / len(workers.seconds)
    return Lengths(workers.seconds, workers.left, workers.sent, own, len(pickle.dumps(job)))


def explored(worker: Worker, task: Task, seconds: float) -> tuple[float, list[Task]]:
    """The processor time that it took, and what is left."""
    start = time.process_time()
    part = worker(WorkUnit((task,), seconds, False))
    return time.process_time() - start, part.left.tasks


def measure_shapes(job: Job) -> Shapes:
    worker = Worker(job)
    explored(worker, subtrees(job).root(), 0.05)  # what is made once
    root = subtrees(job).root()
    whole, _ = explored(worker, root, 1e9)
    fractions: list[tuple[float, ...]] = []
    extra: list[float] = []
    todo = [(whole, root)]
    for _ in range(CUTS + 1):
        work, task = max(todo, key=lambda each: each[0])
        todo.remove((work, task))
        taken, left = explored(worker, task, work / CUT)
        works = [explored(worker, each, 1e9)[0] for each in left]
        if not works:
            continue
        fractions.append(tuple(each / sum(works) for each in works))
        extra.append((taken + sum(works) - work) / len(works))
        todo += zip(works, left, strict=True)
    return Shapes(fractions, max(0.0, statistics.median(extra)))


class NothingCounted:
    """Takes a tally's place."""

    answered = False

    def merge(self, counts: Any) -> None:
        pass


class Simulated:
    """Workers and a scheduler in simulated time."""

    def __init__(self, capacity: int, shapes: Shapes, own: float, seed: int) -> None:
        self.capacity = capacity
        self.shapes = shapes
        self.own = own
        self.now = 0.0
        self.scheduler = 0.0  # when it is free
        self.busy = 0.0  # of all workers
        self.units = 0
        self.ends: list[tuple[float, int, Part]] = []
        self.chance = random.Random(seed)

    def submit(self, unit: WorkUnit) -> int:
        self.now += self.own
        self.scheduler = max(self.scheduler, self.now) + SERVICE
        taken, left = self._explored(unit)
        self.busy += taken
        self.units += 1
        part = Part(None, Counters(), Left(left, [], []), False)  # type: ignore[arg-type]
        heapq.heappush(self.ends, (self.scheduler + taken, self.units, part))
        return self.units

    def _explored(self, unit: WorkUnit) -> tuple[float, list[Task]]:
        todo = list(unit.tasks)
        left = unit.seconds
        while todo:
            (work,) = todo.pop()
            work += self.shapes.task
            if work > left:
                shape = self.chance.choice(self.shapes.fractions)
                pieces = [((work - left) * part,) for part in shape]
                return unit.seconds, [*pieces, *todo]
            left -= work
        return unit.seconds - left, []

    def wait(self, seconds: float) -> list[tuple[int, Part | Lost]]:
        self.now = max(self.now, self.ends[0][0])
        found: list[tuple[int, Part | Lost]] = []
        while self.ends and self.ends[0][0] <= self.now:
            _, number, part = heapq.heappop(self.ends)
            found.append((number, part))
        return found

    def close(self) -> None: ...


def fixed_seconds(enough: bool, out: int) -> float:
    """The rule without a look at how many units are out."""
    return LONG if enough else SHORT


def fixed_tasks(tasks: int, capacity: int, free: int) -> int:
    """The rule without a look at how many workers are free."""
    return max(1, tasks // (2 * capacity))


def simulate(capacity: int, shapes: Shapes, own: float, work: float) -> tuple[float, float, float]:
    """The part of the time in which workers are busy, units in a second, and their mean length."""
    workers = Simulated(capacity, shapes, own, seed=1)
    progress = ExplorationProgress([(capacity * work,)])
    Coordinator(progress, NothingCounted(), workers).run()  # type: ignore[arg-type]
    units = workers.units
    return workers.busy / (capacity * workers.now), units / workers.now, workers.busy / units


def measured() -> tuple[list[str], Shapes, float]:
    """A table of the units of real explorations; the shapes of all; the coordinator's time."""
    lines = [
        "units of real explorations, two processes",
        f"{'program':<18} {'model':<6} {'units':>6} {'median s':>9} {'mean s':>7} {'longest':>8} "
        f"{'left':>6} {'kB sent':>8} {'own ms':>7} {'job kB':>7}",
    ]
    own: list[float] = []
    shapes: list[Shapes] = []
    for generator, size, model in PROGRAMS:
        job = job_of(generator, size, model)
        found = measure_units(job)
        own.append(found.own)
        shapes.append(measure_shapes(job))
        lines.append(
            f"{f'{generator}({size})':<18} {model:<6} {len(found.seconds):>6} "
            f"{statistics.median(found.seconds):>9.3f} {statistics.mean(found.seconds):>7.3f} "
            f"{max(found.seconds):>8.3f} {statistics.mean(found.left):>6.1f} "
            f"{statistics.mean(found.sent) / 1024:>8.1f} {1000 * found.own:>7.2f} "
            f"{found.job / 1024:>7.1f}"
        )
    every = Shapes(
        [each for shape in shapes for each in shape.fractions],
        statistics.median(shape.task for shape in shapes),
    )
    pieces = [len(each) for each in every.fractions]
    largest = [max(each) for each in every.fractions]
    lines += [
        "left: tasks; kB sent: a unit and its answer; own: processor time of the coordinator",
        "",
        f"a task that is cut short leaves {statistics.mean(pieces):.0f} tasks, the largest with "
        f"{statistics.mean(largest):.0%} of the work; {1e6 * every.task:.0f} µs to come back to "
        "one",
        "",
    ]
    return lines, every, max(own)


def simulated(shapes: Shapes, own: float, work: float) -> list[str]:
    lines = [
        f"simulated: {1 / SERVICE:.0f} units a second at most by the scheduler, "
        f"{1000 * own:.2f} ms of the coordinator for each, {work:g} s of work for each worker",
        f"{'rule':<13} {'workers':>8} {'busy':>6} {'units/s':>8} {'mean s':>7}",
    ]
    rules = (
        (OLD, fixed_seconds, fixed_tasks),
        (NEW, coordinating.unit_seconds, coordinating.unit_tasks),
    )
    for rule, seconds, tasks in rules:
        coordinating.unit_seconds, coordinating.unit_tasks = seconds, tasks
        for capacity in WORKERS:
            lines.append(_row(rule, capacity, shapes, own, work))
    lines.append(f"{NEW}, and {LONGER} times as much work:")
    lines += [_row(NEW, capacity, shapes, own, LONGER * work) for capacity in WORKERS[-3:]]
    lines.append(f"{OLD}: {SHORT:g} s while there are few tasks, else {LONG:g} s")
    lines.append(f"{NEW}: at least the number of units out divided by {RATE}, and up to {SEVERAL}")
    lines.append("tasks in a unit where half of the tasks are left for others")
    return lines


def _row(rule: str, capacity: int, shapes: Shapes, own: float, work: float) -> str:
    busy, rate, mean = simulate(capacity, shapes, own, work)
    row = f"{rule:<13} {capacity:>8} {busy:>6.1%} {rate:>8.0f} {mean:>7.2f}"
    print(row, flush=True)
    return row


def main(work: float, target: Path) -> None:
    lines, shapes, own = measured()
    lines += simulated(shapes, own, work)
    command = ["python", "results/cluster_simulation.py", "--seconds", f"{work:g}"]
    text = head(command, manner() == "compiled", datetime.date.today()) + "\n".join(lines) + "\n"
    target.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60.0)
    beside = Path(__file__).resolve().parent / "cluster-simulation.txt"
    parser.add_argument("--output", type=Path, default=beside)
    asked = parser.parse_args()
    main(asked.seconds, asked.output)
