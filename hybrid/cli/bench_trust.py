"""`hybrid bench trust`: what an execution costs and how much memory it takes, with the engines of
TruSt in their forms and the other explorers of graphs."""

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
from hybrid.engine.api import RF, Limits
from hybrid.engine.configuration import Configuration
from hybrid.engine.graphs.entry import REVISIT, STATEFUL
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
DEFAULT_PROGRAMS = "lastzero(10),lastzero(12),exp-mem(5),exp-mem(6),exp-mem(7)"
MODEL = "sc"


@dataclass(frozen=True, slots=True)
class TrustCase:
    generator: str
    parameter: int

    def __str__(self) -> str:
        return f"{self.generator}({self.parameter})"


@dataclass(frozen=True, slots=True)
class TrustRow:
    traces: int
    blocked: int
    checks: int
    seconds: float  # of processor time, the best of all repetitions
    kilobytes: int  # the most that the process had resident


def configure(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("bench trust")
    group.add_argument(
        "--engines", metavar="A,B,…", default=DEFAULT_ENGINES, help="default %(default)s"
    )
    group.add_argument(
        "--generated",
        metavar="PROGRAMS",
        default=DEFAULT_PROGRAMS,
        help="generated programs with their parameters; default %(default)s",
    )


def parse_cases(text: str) -> list[TrustCase]:
    """Generated programs with commas between them."""
    found: list[TrustCase] = []
    for word in text.split(","):
        name, bracket, number = word.strip().partition("(")
        digits = number.removesuffix(")")
        if name not in GENERATORS or not bracket or not digits.isdecimal():
            raise InputError(
                f"'{word.strip()}' is not a generated program",
                hint=f"expected NAME(N) with one of {', '.join(GENERATORS)}",
            )
        generate(name, int(digits[:19]))  # complains of a size that it does not have
        found.append(TrustCase(name, int(digits)))
    return found


def measure(configuration: Configuration, case: TrustCase, repeat: int) -> TrustRow:
    """In this process."""
    program = parse_program(Source(str(case), generate(case.generator, case.parameter)), str(case))
    model = load_model(MODEL)
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
    return TrustRow(traces, counters.blocked, counters.checks, best, peak)


_CHILD = """
import sys
from hybrid.cli import bench_trust as bench
from hybrid.catalogue.spelling import parse_configuration
configuration, case = parse_configuration(sys.argv[1]), bench.parse_cases(sys.argv[2])[0]
row = bench.measure(configuration, case, int(sys.argv[3]))
print(row.traces, row.blocked, row.checks, row.seconds, row.kilobytes)
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
    traces, blocked, checks, seconds, kilobytes = run.stdout.split()
    return TrustRow(int(traces), int(blocked), int(checks), float(seconds), int(kilobytes))


def bench(engines: str, generated: str, repeat: int) -> int:
    configurations = parse_configurations(engines)
    cases = parse_cases(generated)
    width = max(len(spelled(c)) for c in configurations)
    print(
        f"{'program':<14} {'engine':<{width}} {'traces':>8} {'blocked':>8} {'checks':>8} "
        f"{'µs/trace':>9} {'peak MB':>8}"
    )
    for case in cases:
        for configuration in configurations:
            row = measure_apart(configuration, case, repeat)
            each = 1e6 * row.seconds / max(1, row.traces)
            print(
                f"{case!s:<14} {spelled(configuration):<{width}} "
                f"{row.traces:>8} {row.blocked:>8} {row.checks:>8} "
                f"{each:>9.1f} {row.kilobytes / 1024:>8.1f}",
                flush=True,
            )
    return 0
