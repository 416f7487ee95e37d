"""`hybrid bench trust`: what an execution costs and how much memory it takes, with the engines of
TruSt in their forms and the other explorers of graphs. `hybrid bench odpor`: the same for the
engines on interleavings beside TruSt, with the size of wakeup trees."""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import hybrid
from hybrid.catalogue.engines import make
from hybrid.catalogue.spelling import parse_configurations, spelled
from hybrid.engine.api import FAA, RF, Limits
from hybrid.engine.configuration import Configuration
from hybrid.engine.graphs.entry import REVISIT, STATEFUL
from hybrid.engine.odpor.entry import ODPOR, ODPOR_SOURCE
from hybrid.engine.trust.entry import TRUST, TRUST_LINEAR
from hybrid.errors import InputError, InternalError
from hybrid.execution.trace import Status
from hybrid.frontend.generators import GENERATORS, generate
from hybrid.frontend.prog import parse_program
from hybrid.model.load import load_model
from hybrid.source import Source

DEFAULT_ENGINES = ",".join(
    [TRUST.name, TRUST_LINEAR.name, f"{TRUST.name}+{RF}", REVISIT.name, STATEFUL.name]
)
DEFAULT_PROGRAMS = (
    "lastzero(10),lastzero(12),exp-mem(5),exp-mem(6),exp-mem(7),"
    "lastzero-ordered(8)/rc11,fib-ordered(3)/rc11,"
    "cells(0),cells(800),cells(0)/rc11,cells(800)/rc11"
)
INTERLEAVING_ENGINES = ",".join([TRUST.name, ODPOR.name, f"{ODPOR.name}+{FAA}", ODPOR_SOURCE.name])
INTERLEAVING_PROGRAMS = (
    "lastzero(8),lastzero(10),lastzero(12),exp-mem(6),fib-bench(3),fib-bench(4),fib-bench(5),"
    "fib-bench(3)/tso,fib-bench(3)/pso"
)
MODEL = "sc"


@dataclass(frozen=True, slots=True)
class TrustCase:
    generator: str
    parameter: int
    model: str = MODEL

    def __str__(self) -> str:
        under = "" if self.model == MODEL else f"/{self.model}"
        return f"{self.generator}({self.parameter}){under}"


@dataclass(frozen=True, slots=True)
class TrustRow:
    traces: int
    blocked: int
    checks: int
    seconds: float  # of processor time, the best of all repetitions
    kilobytes: int  # the most that the process had resident
    sleep_blocked: int = 0
    wakeup_nodes: int = 0


def configure(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(f"bench {TRUST.name}, {ODPOR.name} and kernel")
    group.add_argument(
        "--engines",
        metavar="A,B,…",
        help=f"default {DEFAULT_ENGINES}; of {ODPOR.name} {INTERLEAVING_ENGINES}; of kernel the "
        f"first of {TRUST.name} and rsmc that takes the model",
    )
    group.add_argument(
        "--generated",
        metavar="PROGRAMS",
        help="generated programs with their parameters, with /MODEL behind those that are not "
        f"explored under {MODEL}; default {DEFAULT_PROGRAMS}; of {ODPOR.name} "
        f"{INTERLEAVING_PROGRAMS}; kernel takes no /MODEL",
    )


def parse_cases(text: str) -> list[TrustCase]:
    """Generated programs with commas between them."""
    found: list[TrustCase] = []
    for word in text.split(","):
        program, _, model = word.strip().partition("/")
        name, bracket, number = program.partition("(")
        digits = number.removesuffix(")")
        if name not in GENERATORS or not bracket or not digits.isdecimal():
            raise InputError(
                f"'{word.strip()}' is not a generated program",
                hint=f"expected NAME(N) or NAME(N)/MODEL, NAME one of {', '.join(GENERATORS)}",
            )
        generate(name, int(digits[:19]))  # complains of a size that it does not have
        found.append(TrustCase(name, int(digits), load_model(model).name if model else MODEL))
    return found


def measure(configuration: Configuration, case: TrustCase, repeat: int) -> TrustRow:
    """In this process."""
    program = parse_program(Source(str(case), generate(case.generator, case.parameter)), str(case))
    model = load_model(case.model)
    best = float("inf")
    traces = 0
    for _ in range(repeat):
        engine = make(configuration)
        traces = 0
        start = time.process_time()
        for trace in engine.explore(program, model, Limits()):
            traces += trace.status is Status.COMPLETE
        best = min(best, time.process_time() - start)
        counters = engine.counters
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return TrustRow(
        traces,
        counters.blocked,
        counters.checks,
        best,
        peak,
        counters.sleep_blocked,
        counters.wakeup_nodes,
    )


_CHILD = """
import sys
from hybrid.cli import bench_trust as bench
from hybrid.catalogue.spelling import parse_configuration
configuration, case = parse_configuration(sys.argv[1]), bench.parse_cases(sys.argv[2])[0]
row = bench.measure(configuration, case, int(sys.argv[3]))
print(row.seconds, row.traces, row.blocked, row.checks, row.kilobytes, row.sleep_blocked,
      row.wakeup_nodes)
"""


def measure_apart(configuration: Configuration, case: TrustCase, repeat: int) -> TrustRow:
    """In a process of its own, so that the memory is its own."""
    command = [sys.executable, "-P", "-c", _CHILD, spelled(configuration), str(case), str(repeat)]
    # the same hybrid as here, compiled or not, whatever the working directory has
    environment = {**os.environ, "PYTHONPATH": str(Path(hybrid.__file__).parent.parent)}
    run = subprocess.run(command, capture_output=True, text=True, env=environment)
    if run.returncode:
        why = run.stderr.strip().rpartition("\n")[2] or f"exit code {run.returncode}"
        raise InternalError(f"{spelled(configuration)} on {case}: {why}")
    seconds, *numbers = run.stdout.split()
    traces, blocked, checks, *memory = map(int, numbers)
    return TrustRow(traces, blocked, checks, float(seconds), *memory)


def bench_interleavings(engines: str | None, generated: str | None, repeat: int) -> int:
    """The cost of a trace as a multiple of what the first engine takes for one."""
    configurations = parse_configurations(engines or INTERLEAVING_ENGINES)
    cases = parse_cases(generated or INTERLEAVING_PROGRAMS)
    width = max(len(spelled(c)) for c in configurations)
    names = max(14, *(len(str(case)) for case in cases))
    print(
        f"{'program':<{names}} {'engine':<{width}} {'traces':>8} {'asleep':>8} {'nodes':>8} "
        f"{'µs/trace':>9} {'×':>5} {'peak MB':>8}"
    )
    for case in cases:
        first = 0.0
        for configuration in configurations:
            row = measure_apart(configuration, case, repeat)
            each = 1e6 * row.seconds / max(1, row.traces)
            first = first or each
            print(
                f"{case!s:<{names}} {spelled(configuration):<{width}} "
                f"{row.traces:>8} {row.sleep_blocked:>8} {row.wakeup_nodes:>8} "
                f"{each:>9.1f} {each / first:>5.2f} {row.kilobytes / 1024:>8.1f}",
                flush=True,
            )
    return 0


def bench(engines: str | None, generated: str | None, repeat: int) -> int:
    configurations = parse_configurations(engines or DEFAULT_ENGINES)
    cases = parse_cases(generated or DEFAULT_PROGRAMS)
    width = max(len(spelled(c)) for c in configurations)
    names = max(14, *(len(str(case)) for case in cases))
    print(
        f"{'program':<{names}} {'engine':<{width}} {'traces':>8} {'blocked':>8} {'checks':>8} "
        f"{'µs/trace':>9} {'peak MB':>8}"
    )
    for case in cases:
        for configuration in configurations:
            row = measure_apart(configuration, case, repeat)
            each = 1e6 * row.seconds / max(1, row.traces)
            print(
                f"{case!s:<{names}} {spelled(configuration):<{width}} "
                f"{row.traces:>8} {row.blocked:>8} {row.checks:>8} "
                f"{each:>9.1f} {row.kilobytes / 1024:>8.1f}",
                flush=True,
            )
    return 0
