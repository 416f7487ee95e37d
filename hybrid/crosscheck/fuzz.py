"""Random programs through several engines, in parallel; the outcome depends on the seed alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import islice

from hybrid.crosscheck.compare import compare
from hybrid.crosscheck.random_programs import Shape, random_program
from hybrid.engine.api import Engine, Limits, Stopped
from hybrid.engine.registry import ENGINES, make_engine
from hybrid.errors import InputError
from hybrid.model.load import load_model

_CHUNK = 20  # programs that a process takes at once


@dataclass(frozen=True, slots=True)
class Task:
    """What is done with each program. Engines are names, with a policy after a slash where they have one: `rsmc/last`."""

    engines: tuple[str, ...]
    model: str
    seed: int
    shape: Shape
    unroll: int
    timeout: float | None  # seconds a program


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one program."""

    number: int
    traces: int  # of the first engine
    blocked: int  # runs, of all engines
    differences: tuple[str, ...] = ()
    stopped: bool = False  # the time was over before all engines were done


@dataclass(slots=True)
class Summary:
    programs: int = 0
    traces: int = 0
    blocked: int = 0
    stopped: int = 0
    disagreements: list[Finding] = field(default_factory=list)
    interrupted: bool = False

    def add(self, finding: Finding) -> None:
        self.programs += 1
        self.traces += finding.traces
        self.blocked += finding.blocked
        self.stopped += finding.stopped
        if finding.differences:
            self.disagreements.append(finding)


def engine_named(spec: str, seed: int) -> Engine:
    """The engine of a name such as `rsmc` or `rsmc/random`."""
    name, _, policy = spec.partition("/")
    if policy and name in ENGINES and not ENGINES[name].oracle:
        raise InputError(f"{name} has no policy, as in '{spec}'")
    return make_engine(name, policy=policy or "first", seed=seed)


def try_program(task: Task, number: int) -> Finding:
    """Runs the task's engines on one program."""
    program = random_program(task.seed, number, task.shape)
    model = load_model(task.model)
    engines = [(spec, engine_named(spec, task.seed)) for spec in task.engines]
    deadline = None if task.timeout is None else time.monotonic() + task.timeout
    try:
        result = compare(program, model, engines, Limits(task.unroll, deadline))
    except Stopped:
        return Finding(number, 0, 0, (), True)
    return Finding(
        number,
        len(result.findings[0].keys),
        sum(found.counters.blocked for found in result.findings),
        tuple(result.differences),
    )


def _try_chunk(task: Task, numbers: range) -> list[Finding]:
    return [try_program(task, number) for number in numbers]


def fuzz(
    task: Task, count: int, jobs: int, on_progress: Callable[[Summary], None] | None = None
) -> Summary:
    """Tries programs 0 to count - 1 of the seed. Ctrl-C gives a summary of what is done."""
    summary = Summary()
    try:
        for findings in _results(task, count, jobs):
            for finding in findings:
                summary.add(finding)
            if on_progress is not None:
                on_progress(summary)
    except KeyboardInterrupt:
        summary.interrupted = True
    return summary


def _results(task: Task, count: int, jobs: int) -> Iterator[list[Finding]]:
    chunks = iter(range(i, min(i + _CHUNK, count)) for i in range(0, count, _CHUNK))
    if jobs == 1:
        for chunk in chunks:
            for number in chunk:
                yield [try_program(task, number)]
        return
    with ProcessPoolExecutor(jobs) as pool:
        waiting = [pool.submit(_try_chunk, task, chunk) for chunk in islice(chunks, 2 * jobs)]
        try:
            while waiting:
                yield waiting.pop(0).result()
                waiting.extend(pool.submit(_try_chunk, task, c) for c in islice(chunks, 1))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
