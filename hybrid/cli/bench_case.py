"""One case of `hybrid bench kernel`: a generated program under a model by an engine, at growing
sizes, measured in a process of its own so that the memory is its own."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import hybrid
from hybrid.catalogue.engines import make
from hybrid.catalogue.spelling import parse_configuration
from hybrid.data import bundled
from hybrid.engine.api import Counters, Engine, Limits
from hybrid.engine.prepare import prepared
from hybrid.errors import InternalError, Stopped
from hybrid.execution.trace import Status
from hybrid.frontend.compiler_options import CompilerOptions
from hybrid.frontend.generators import generate
from hybrid.frontend.load import load_program
from hybrid.frontend.prog import parse_program
from hybrid.model.core import Model
from hybrid.model.load import load_model
from hybrid.program.program import Program
from hybrid.source import Source

# The same programs in C, by the names of the generators; N is the size.
C_PROGRAMS = {
    "lastzero": "trust/lastzero-5.c",
    "exp-mem": "trust/exp-mem-4.c",
    "exp-mem2": "trust/exp-mem2-3.c",
    "fib-bench": "dpor/fib_bench-3.c",
    "readers": "dpor/readers-4.c",
    "sigma": "dpor/sigma-4.c",
    "indexer": "dpor/indexer-12.c",
    "mutex": "awaits/mutex-2.c",
    "ttaslock": "awaits/ttaslock-2.c",
    "twalock": "awaits/twalock-2.c",
    "mcs": "awaits/mcslock-2.c",
    "seqlock": "awaits/seqlock-2.c",
    "mpmc-queue": "awaits/mpmc-queue-2.c",
    "fig11": "power/sb-w-4.c",
}
C = "c"  # in place of a program's annotations, which are those of the C text

_ENOUGH = 0.05  # seconds of processor time: shorter explorations are repeated
_GRACE = 30.0  # seconds more, on the clock, for an exploration that finds no trace


@dataclass(frozen=True, slots=True)
class KernelCase:
    program: str  # the family
    orders: str  # the name of its annotations
    model: str
    engine: str

    def name(self, size: int) -> str:
        under = "" if self.orders == "plain" else f" {self.orders}"
        return f"{self.program}({size}){under}"


@dataclass(frozen=True, slots=True)
class KernelRow:
    case: KernelCase
    size: int
    executions: int
    finished: bool  # within the limit
    blocked: int  # runs given up, and those in which threads wait for ever
    checks: int
    refused: int
    seconds: float  # of processor time, the best of all repetitions
    kilobytes: int  # the most that the process had resident

    @property
    def microseconds(self) -> float:
        """For one execution."""
        return 1e6 * self.seconds / max(1, self.executions)


def program_of(case: KernelCase, size: int) -> Program:
    name = case.name(size)
    if case.orders == C:
        path = bundled("litmus") / "programs" / C_PROGRAMS[case.program]
        return load_program(path, CompilerOptions(flags=(f"-DN={size}",)))
    generator = case.program if case.orders == "plain" else f"{case.program}-{case.orders}"
    return parse_program(Source(name, generate(generator, size)), name)


def measure(case: KernelCase, size: int, repeat: int, limit: float) -> KernelRow:
    """In this process: the best of so many explorations at least, each given up after `limit`
    seconds of processor time."""
    model = load_model(case.model)
    program = program_of(case, size)
    if case.orders == C:  # loops that wait become awaits, as in verify
        program = prepared(program, model, "")
    best = total = 0.0
    runs = executions = 0
    finished = True
    while finished and (runs < repeat or total < _ENOUGH):
        engine = make(parse_configuration(case.engine))
        start = time.process_time()
        executions, finished = _explore(engine, program, model, limit)
        taken = time.process_time() - start
        runs, total = runs + 1, total + taken
        best = min(best, taken) if runs > 1 and finished else taken
    counters = engine.counters
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return KernelRow(
        case,
        size,
        executions,
        finished,
        _given_up(counters),
        counters.checks,
        counters.refused,
        best,
        peak,
    )


def _given_up(counters: Counters) -> int:
    if counters.cut or counters.stuck or counters.errors or counters.thin_air:
        raise InternalError(f"an exploration that ought to be whole: {counters}")
    return counters.blocked + counters.deadlocks + counters.livelocks


def _explore(engine: Engine, program: Program, model: Model, limit: float) -> tuple[int, bool]:
    """The number of executions found, and whether these are all. The limit is one of processor
    time; the clock, which is cheaper to read, says when to look."""
    until = time.process_time() + limit
    look = time.monotonic() + limit
    executions = 0
    try:
        for trace in engine.explore(program, model, Limits(deadline=look + 4 * limit + _GRACE)):
            executions += trace.status is Status.COMPLETE
            if time.monotonic() > look:
                left = until - time.process_time()
                if left <= 0:
                    return executions, False
                look = time.monotonic() + left
    except Stopped:
        return executions, False
    return executions, True


_CHILD = """
import json, sys
from dataclasses import asdict
from hybrid.cli import bench_case
from hybrid.garbage import look_rarely
look_rarely()
case, sizes, repeat, limit = json.loads(sys.argv[1])
for size in sizes:
    row = bench_case.measure(bench_case.KernelCase(**case), size, repeat, limit)
    print(json.dumps(asdict(row)), flush=True)
    if not row.finished:
        break
"""


def measure_apart(
    case: KernelCase, sizes: list[int], repeat: int, limit: float
) -> Iterator[KernelRow]:
    """In a process of its own, from the smallest size up to the first that is not finished."""
    told = json.dumps([asdict(case), sorted(sizes), repeat, limit])
    # the same hybrid as here, compiled or not, whatever the working directory has
    environment = {**os.environ, "PYTHONPATH": str(Path(hybrid.__file__).parent.parent)}
    command = [sys.executable, "-P", "-c", _CHILD, told]
    run = subprocess.run(command, capture_output=True, text=True, env=environment)
    for line in run.stdout.splitlines():
        found = json.loads(line)
        found["case"] = case
        yield KernelRow(**found)
    if run.returncode:
        why = run.stderr.strip().rpartition("\n")[2] or f"exit code {run.returncode}"
        raise InternalError(f"{case.engine} on {case.program} under {case.model}: {why}")
