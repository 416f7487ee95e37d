"""The worker's side: explores units of one job."""

from __future__ import annotations

import time

from hybrid.catalogue.engines import ENTRIES, entry_of, make
from hybrid.engine.subtrees import Divisible, Subtrees
from hybrid.errors import InputError
from hybrid.memory import over
from hybrid.parallel.work import Job, Part, WorkUnit
from hybrid.report.tally import Tally


def subtrees(job: Job) -> Subtrees:
    """The exploration in pieces; refused for an engine that has none."""
    entry = entry_of(job.configuration.engine)
    if not entry.divisible:
        others = [other.name for other in ENTRIES if other.divisible]
        raise InputError(
            f"{entry.name} explores with one process only",
            hint=f"engines that can share their work out: {', '.join(others)}",
        )
    engine = make(job.configuration)
    assert isinstance(engine, Divisible)
    return engine.subtrees(job.program, job.model, job.configuration.limits())


class Worker:
    """What all units of a job share is made once: the unfolded program, the model's plan, the
    oracle."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.limits = job.configuration.limits()
        self.subtrees = subtrees(job)

    def __call__(self, unit: WorkUnit) -> Part:
        job, pieces = self.job, self.subtrees
        tally = Tally(job.new_result(self.limits), smallest=not unit.first)
        pieces.begin(unit.tasks, time.monotonic() + unit.seconds)
        for trace in pieces.explore():
            tally.add(trace)
            if unit.first and tally.answered:
                break
        counters, full = pieces.counters, over(job.max_memory)
        return Part(tally.counts(), counters, pieces.leave(), tally.answered, full)
