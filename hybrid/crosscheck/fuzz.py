"""Random programs through several configurations, in parallel; the outcome depends on the seed
alone."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from itertools import islice

from hybrid.catalogue.spelling import parse_configuration
from hybrid.crosscheck.c_compare import CComparison, compare_with_c
from hybrid.crosscheck.c_form import c_form
from hybrid.crosscheck.c_sizes import sized
from hybrid.crosscheck.compare import Comparison, Difference, crosscheck
from hybrid.crosscheck.found import Recheck
from hybrid.crosscheck.kept_loops import LoopQuarrel
from hybrid.crosscheck.random_programs import drawn_shape, random_program
from hybrid.crosscheck.shape import Shape
from hybrid.engine.api import Limits
from hybrid.engine.configuration import Configuration
from hybrid.engine.prepare import prepared
from hybrid.errors import Stopped
from hybrid.memory import memory_limit
from hybrid.model.core import Model
from hybrid.model.load import load_model
from hybrid.program.passes.setting import AWAIT, DYNAMIC, KEEP
from hybrid.program.program import Program

MAX_STEPS = 60  # instructions a thread: a random loop on constants may well have no end
PROG, C = "prog", "c"  # languages
_CHUNK = 2  # programs that a process takes at once; few, so that Ctrl-C need not wait long


@dataclass(frozen=True, slots=True)
class Task:
    """What is done with each program."""

    engines: tuple[str, ...]  # configurations, as they are spelled
    model: str
    seed: int
    shapes: tuple[Shape, ...]  # each program draws one
    unroll: int
    timeout: float | None  # seconds a program
    recheck: Recheck | None = None  # replays witnesses
    max_steps: int = MAX_STEPS
    max_memory: int | None = None  # bytes
    language: str = PROG  # C: each configuration on the program and on its C
    # what is done with iterations that change nothing; empty: one thing or the other
    loops: str = KEEP

    @property
    def configurations(self) -> tuple[Configuration, ...]:
        return tuple(parse_configuration(spec) for spec in self.engines)

    def loops_of(self, number: int) -> str:
        """What is done with the loops of a program: in turn, if nobody says."""
        return self.loops or (KEEP, AWAIT, KEEP, DYNAMIC)[number % 4]


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one program."""

    number: int
    traces: int  # of the first configuration that takes it
    blocked: int  # runs, of all configurations
    differences: tuple[str, ...] = ()
    stopped: bool = False  # some configuration did not finish
    compared: int = 0  # configurations that took the program
    left_out: tuple[tuple[str, str], ...] = ()  # those that did not, and why
    replayed: int = 0  # witnesses, of all configurations


@dataclass(slots=True)
class Summary:
    programs: int = 0
    before: int = 0  # how many of them an earlier run had done
    traces: int = 0
    blocked: int = 0
    replayed: int = 0
    stopped: int = 0
    alone: int = 0  # programs that fewer than two configurations took
    left_out: dict[tuple[str, str], int] = field(default_factory=dict)  # configuration, why
    disagreements: list[Finding] = field(default_factory=list)
    interrupted: bool = False

    def add(self, finding: Finding) -> None:
        self.programs += 1
        self.traces += finding.traces
        self.blocked += finding.blocked
        self.replayed += finding.replayed
        self.stopped += finding.stopped
        self.alone += finding.compared < 2
        for reason in finding.left_out:
            self.left_out[reason] = self.left_out.get(reason, 0) + 1
        if finding.differences:
            self.disagreements.append(finding)


@cache
def _model(name: str) -> Model:
    """A model, read once per process."""
    return load_model(name)


def drawn_program(task: Task, number: int) -> Program:
    """A program as it is written."""
    return random_program(task.seed, number, drawn_shape(task.seed, number, task.shapes))


def loop_quarrel(task: Task, number: int) -> LoopQuarrel:
    """What is found out about a program whose loops are treated."""
    how, loops = task.configurations, task.loops_of(number)
    return LoopQuarrel(_model(task.model), how, loops, task.unroll, task.max_steps, task.timeout)


def compare_program(task: Task, number: int) -> Comparison:
    """The task's configurations on one program."""
    deadline = None if task.timeout is None else time.monotonic() + task.timeout
    return crosscheck(
        prepared(drawn_program(task, number), _model(task.model), task.loops_of(number)),
        _model(task.model),
        task.configurations,
        Limits(task.unroll, deadline, task.max_steps),
        seed=task.seed,
        recheck=task.recheck,
        relocate=True,
    )


def compare_c_program(task: Task, number: int) -> CComparison:
    """One program, in the form that C has, and its C."""
    shape = drawn_shape(task.seed, number, task.shapes)
    program = random_program(task.seed, number, shape)
    program = c_form(sized(program, random.Random(f"{task.seed}/{number}/sizes")))
    deadline = None if task.timeout is None else time.monotonic() + task.timeout
    limits = Limits(task.unroll, deadline)
    return compare_with_c(program, _model(task.model), task.configurations, limits)


def _try_c_program(task: Task, number: int) -> Finding:
    with memory_limit(task.max_memory):
        result = compare_c_program(task, number)
    return Finding(
        number,
        result.traces,
        result.blocked,
        tuple(str(difference) for difference in result.differences),
        bool(result.unfinished),
        2 * result.compared or 2 * bool(result.differences or result.unfinished),
        tuple(result.left_out),
    )


def _found_in_loops(task: Task, number: int) -> Sequence[Difference] | None:
    """None: not within the limits; what the configurations found before counts all the same."""
    try:
        return loop_quarrel(task, number).differences(drawn_program(task, number))
    except Stopped:
        return None


def try_program(task: Task, number: int) -> Finding:
    """The same in short."""
    try:
        if task.language == C:
            return _try_c_program(task, number)
        with memory_limit(task.max_memory):
            result = compare_program(task, number)
            found_in_loops = _found_in_loops(task, number)
    except Stopped:  # outside of all explorations: nothing was compared
        return Finding(number, 0, 0, (), True, 2)
    return Finding(
        number,
        len(result.findings[0].traces) if result.findings else 0,
        sum(found.counters.blocked for found in result.findings),
        tuple(str(difference) for difference in (*result.differences, *(found_in_loops or ()))),
        found_in_loops is None
        or result.not_relocated
        or any(found.unfinished for found in result.findings),
        len(result.findings),
        tuple(result.left_out),
        sum(found.replayed for found in result.findings),
    )


def _try_chunk(task: Task, numbers: Sequence[int]) -> list[Finding]:
    return [try_program(task, number) for number in numbers]


def fuzz(
    task: Task,
    count: int,
    jobs: int,
    on_progress: Callable[[Summary], None] | None = None,
    *,
    done: Sequence[Finding] = (),
    on_finding: Callable[[Finding], None] | None = None,
) -> Summary:
    """Tries programs 0 to count - 1 of the seed, those of `done` left out. Ctrl-C gives a summary
    of what is done."""
    summary = Summary()
    for finding in done:
        if finding.number < count:
            summary.add(finding)
    summary.before = summary.programs
    known = {finding.number for finding in done}
    todo = [number for number in range(count) if number not in known]
    try:
        for findings in _results(task, todo, jobs):
            for finding in findings:
                summary.add(finding)
                if on_finding is not None:
                    on_finding(finding)
            if on_progress is not None:
                on_progress(summary)
    except KeyboardInterrupt:
        summary.interrupted = True
    summary.disagreements.sort(key=lambda finding: finding.number)
    return summary


def _results(task: Task, todo: list[int], jobs: int) -> Iterator[list[Finding]]:
    if jobs == 1:
        for number in todo:
            yield [try_program(task, number)]
        return
    chunks = iter(todo[i : i + _CHUNK] for i in range(0, len(todo), _CHUNK))
    with ProcessPoolExecutor(jobs, initializer=_leave_interrupts) as pool:
        waiting = [pool.submit(_try_chunk, task, chunk) for chunk in islice(chunks, 2 * jobs)]
        try:
            while waiting:
                yield waiting.pop(0).result()
                waiting.extend(pool.submit(_try_chunk, task, c) for c in islice(chunks, 1))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _leave_interrupts() -> None:
    """Ctrl-C is for the first process alone, which tells the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
