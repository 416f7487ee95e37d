"""`hybrid bench parallel`: what more processes gain on one exploration, in wall-clock time, and
what they cost in processor time.

The programs have different shapes: many threads with few events, few threads with many, one
location with many stores; and conditions that many traces satisfy, as what is shown of these must
not depend on how the work is shared out.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from collections.abc import Callable

from hybrid.catalogue.engines import entry_of, make
from hybrid.cli import options
from hybrid.engine.api import Limits
from hybrid.engine.configuration import Configuration
from hybrid.engine.rsmc.entry import RSMC
from hybrid.engine.trust.entry import TRUST
from hybrid.errors import InternalError
from hybrid.frontend.generators import fig11, lastzero
from hybrid.frontend.prog import parse_program
from hybrid.model.core import Model
from hybrid.model.load import load_model
from hybrid.parallel.summarise import summarise_parallel
from hybrid.parallel.work import Job
from hybrid.program.program import Program
from hybrid.report.result import Result
from hybrid.report.summary import summarise
from hybrid.source import Source

UNROLL = 40


def _lastzero(n: int) -> str:
    return f"{lastzero(n)}exists (T0:r = 0)\n"


def _fig11(k: int) -> str:
    return f"{fig11(k, fences=False)}exists (z = 1)\n"


def _writers(n: int) -> str:
    """One location, a store in each of n threads, and a load."""
    threads = "".join(f"thread T{i}: x := {i};\n" for i in range(1, n + 1))
    return f"x = 0\n{threads}thread R: r := x;\nexists (R:r = 1)\n"


# name, text by size, how much smaller than the size given, model, engines
SHAPES: tuple[tuple[str, Callable[[int], str], int, str, tuple[str, ...]], ...] = (
    ("lastzero", _lastzero, 0, "sc", (TRUST.name, RSMC.name)),
    ("fig11", _fig11, 4, "power", (RSMC.name,)),
    ("writers", _writers, 6, "sc", (TRUST.name, RSMC.name)),
)


def configure(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("bench parallel")
    group.add_argument(
        "--size",
        type=options.positive,
        default=13,
        metavar="N",
        help="of lastzero(N), fig11(N-4) and writers(N-6); default 13",
    )
    group.add_argument(
        "-j", "--jobs", type=options.processes, default=2, metavar="N", help="processes; default 2"
    )


def bench(largest: int, jobs: int) -> int:
    print(f"{os.cpu_count()} cores")
    several = f"{jobs} processes"
    print(
        f"{'program':<14} {'engine':<6} {'traces':>8} {'1 process':>10} {several:>12} "
        f"{'gain':>7} {'processor time':>20}"
    )
    for name, text_of, less, under, engines in SHAPES:
        size = max(largest - less, 2)
        title = f"{name}({size})"
        program = parse_program(Source(title, text_of(size)), title)
        model = load_model(under)
        for engine in engines:
            print(_row(title, program, model, engine, jobs), flush=True)
    return 0


def _row(title: str, program: Program, model: Model, engine: str, jobs: int) -> str:
    """One program, explored by one process and by several."""
    configuration = entry_of(engine).completed(Configuration(engine, unroll=UNROLL))
    alone = make(configuration)
    job = Job(program, model, configuration)
    one, wall, cpu = _measured(lambda: summarise(program, model, alone, Limits(UNROLL)))
    shared, together, spent = _measured(lambda: summarise_parallel(job, Limits(UNROLL), jobs))
    if shared.outcomes != one.outcomes:
        raise InternalError(f"{engine}: {one.traces} traces, shared out {shared.traces}")
    return (
        f"{title:<14} {engine:<6} {one.traces:>8} {wall:>8.2f} s {together:>10.2f} s "
        f"{wall / together:>5.2f} × "
        f"{cpu:>6.2f} s → {spent:.2f} s ({spent / cpu - 1:+.0%})"
    )


def _measured(work: Callable[[], Result]) -> tuple[Result, float, float]:
    """What `work` gives, its wall-clock time, and the processor time of this process and of those
    that it has waited for."""
    start, before = time.monotonic(), _processor_time()
    result = work()
    return result, time.monotonic() - start, _processor_time() - before


def _processor_time() -> float:
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
