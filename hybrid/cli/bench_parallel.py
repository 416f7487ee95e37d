"""`hybrid bench parallel`: what more processes gain on one exploration, by the clock on the wall."""

from __future__ import annotations

import argparse
import os
import time

from hybrid.cli import common
from hybrid.engine.api import Limits
from hybrid.engine.parallel.summarise import summarise_parallel
from hybrid.engine.parallel.work import Job
from hybrid.engine.registry import make_engine
from hybrid.engine.summary import summarise
from hybrid.errors import InternalError
from hybrid.frontend.generators import lastzero
from hybrid.frontend.prog import parse_program
from hybrid.model.load import load_model
from hybrid.source import Source

ENGINES = ("trust", "rsmc")
UNROLL = 40


def configure(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("bench parallel")
    group.add_argument(
        "--size", type=common.positive, default=13, metavar="N", help="of lastzero(N); default 13"
    )
    group.add_argument(
        "-j", "--jobs", type=common.processes, default=2, metavar="N", help="processes; default 2"
    )


def run(args: argparse.Namespace) -> int:
    name = f"lastzero({args.size})"
    program = parse_program(Source(name, lastzero(args.size)), name)
    model = load_model("sc")
    print(f"{name} under sc, {os.cpu_count()} cores")
    print(
        f"{'engine':<8} {'traces':>8} {'1 process':>10} {f'{args.jobs} processes':>12} {'gain':>7}"
    )
    for engine in ENGINES:
        start = time.monotonic()
        one = summarise(program, model, make_engine(engine), Limits(UNROLL))
        alone = time.monotonic() - start
        job = Job(program, model, engine, "graph", "trace", "first", 0, "", UNROLL)
        start = time.monotonic()
        shared = summarise_parallel(job, Limits(UNROLL), args.jobs)
        together = time.monotonic() - start
        if shared.traces != one.traces:
            raise InternalError(f"{engine}: {one.traces} traces, shared out {shared.traces}")
        print(
            f"{engine:<8} {one.traces:>8} {alone:>8.2f} s {together:>10.2f} s {alone / together:>5.2f} ×",
            flush=True,
        )
    return 0
