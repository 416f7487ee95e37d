"""The worker's side: explores units of one job."""

from __future__ import annotations

import time

from hybrid.engine.registry import ENGINES, make_engine
from hybrid.errors import InputError
from hybrid.memory import over
from hybrid.parallel.work import Divisible, Job, Part, Subtrees, WorkUnit
from hybrid.report.result import Result
from hybrid.report.tally import Tally


def subtrees(job: Job) -> Subtrees:
    """The exploration in pieces; refused for an engine that has none."""
    engine = make_engine(
        job.engine, job.oracle, job.policy, job.seed, job.equivalence, job.sat_solver
    )
    if not isinstance(engine, Divisible):
        others = [name for name in ENGINES if isinstance(make_engine(name), Divisible)]
        raise InputError(
            f"{job.engine} explores with one process only",
            hint=f"engines that can share their work out: {', '.join(others)}",
        )
    return engine.subtrees(job.program, job.model, job.limits)


class Worker:
    """What all units of a job share is made once: the unfolded program, the model's plan, the
    oracle."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.limits = job.limits
        self.subtrees = subtrees(job)

    def __call__(self, unit: WorkUnit) -> Part:
        job, pieces = self.job, self.subtrees
        result = Result(
            job.program,
            job.model,
            job.engine,
            job.oracle,
            job.equivalence,
            self.limits,
            asked_races=job.races,
        )
        tally = Tally(result, smallest=not unit.first)
        pieces.begin(unit.tasks, time.monotonic() + unit.seconds)
        for trace in pieces.explore():
            tally.add(trace)
            if unit.first and tally.answered:
                break
        counters = pieces.counters
        return Part(tally.counts(), counters, pieces.leave(), tally.answered, over(job.memory))
