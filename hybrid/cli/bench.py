"""`hybrid bench rsmc`: what a trace costs, and how the cost grows with the number of events.
`hybrid bench WHAT` otherwise: see bench_WHAT.py."""

from __future__ import annotations

import argparse
import platform
import time
from dataclasses import dataclass
from itertools import islice

from hybrid.catalogue.engines import make
from hybrid.cli import bench_kernel, bench_oracles, bench_parallel, bench_trust, options
from hybrid.compiled import manner
from hybrid.engine.api import Limits
from hybrid.engine.configuration import Configuration
from hybrid.engine.odpor.entry import ODPOR
from hybrid.engine.rsmc.entry import RSMC
from hybrid.engine.trust.entry import TRUST
from hybrid.errors import InputError
from hybrid.execution.trace import Status
from hybrid.frontend.compiler_options import CompilerOptions
from hybrid.frontend.generated_text import ORDERED
from hybrid.frontend.generators import cells, exp_mem, fib, fig11, lastzero
from hybrid.frontend.prog import parse_program
from hybrid.model.load import load_model
from hybrid.source import Source

EXAMPLES = """examples:
  hybrid bench rsmc
  hybrid bench rsmc --repeat 5
  hybrid bench rsmc --largest 10       Fig. 11 up to ten stores per thread: 184,759 traces
  hybrid bench oracles                 what a check costs with each oracle
  hybrid bench kernel                  programs of the literature under several models, compared
  hybrid bench kernel --generated 'lastzero(10),mutex(3)' --model sc,rc11 --limit 60
  hybrid bench kernel --csv kernel.csv --plot kernel.svg
  hybrid bench parallel -j 4           what four processes gain
  hybrid bench trust                   what an execution costs TruSt in its forms, and its memory
  hybrid bench odpor                   the same for interleavings, beside TruSt
  hybrid bench oracles --model power --oracles graph,pysat:cadical195,z3/difference
"""

OPTIONS = {  # of each
    RSMC.name: ("repeat", "largest"),
    "kernel": ("repeat", "engines", "generated", "model", "limit", "language", "csv", "plot"),
    "oracles": ("model", "oracles", "programs", "clang"),
    "parallel": ("size", "jobs"),
    TRUST.name: ("repeat", "engines", "generated"),
    ODPOR.name: ("repeat", "engines", "generated"),
}
UNTOUCHED = (0, 800)  # cells, of which the cost should not be seen
_SAMPLE = 100  # traces looked at for the number of events


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    text: str
    model: str


@dataclass(frozen=True, slots=True)
class BenchRow:
    case: Case
    traces: int
    events: int  # the most that one of the first traces has, initial writes left out
    checks: int
    seconds: float  # of processor time, the best of all repetitions

    @property
    def milliseconds(self) -> float:
        """For one trace."""
        return 1000 * self.seconds / self.traces


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "rsmc: measures the explorer on programs of growing size, in processor time on one core, "
        "and prints the cost of a trace and of an event. kernel: the cost of an execution on "
        "programs of the literature under several models, beside that under sc. "
        "oracles: measures what a check costs with each oracle, in one run over the bundled "
        "programs; the traces must be the same. "
        "parallel: one exploration by one process and by several. "
        "trust: time and memory of TruSt in its forms, each in a process of its own. "
        "odpor: the same for the engines on interleavings, with the size of wakeup trees."
    )
    parser.epilog = EXAMPLES
    parser.add_argument("what", metavar="WHAT", choices=list(OPTIONS), help=", ".join(OPTIONS))
    parser.add_argument(
        "--repeat",
        type=options.positive,
        default=1,
        metavar="N",
        help="rsmc, kernel, trust and odpor: take the best of N runs; default 1",
    )
    parser.add_argument(
        "--largest",
        type=options.positive,
        default=8,
        metavar="K",
        help="rsmc: stores per thread in the largest Fig. 11; default %(default)s",
    )
    bench_kernel.configure(parser)
    bench_oracles.configure(parser, bench_kernel.DEFAULT_MODELS)
    bench_trust.configure(parser)
    bench_parallel.configure(parser)
    options.add_compiler_options(parser, link=False)
    names = {name for options in OPTIONS.values() for name in options}
    parser.set_defaults(defaults={name: parser.get_default(name) for name in names})


def cases(largest: int) -> list[Case]:
    found = [
        Case(f"Fig. 11, {k} stores, no fences", fig11(k, False), "power")
        for k in range(2, largest + 1, 2)
    ]
    found.append(Case("Fig. 11, 10 stores, syncs", fig11(10, True), "power"))
    found += [Case(f"lastzero({n})", lastzero(n), "sc") for n in (5, 8)]
    found += [Case(f"exp-mem({n})", exp_mem(n), "sc") for n in (4, 6)]
    found += [Case(f"lastzero({n}), ordered", lastzero(n, ORDERED), "rc11") for n in (5, 8)]
    found += [Case(f"fib({n}), ordered", fib(n, ORDERED), "rc11") for n in (2, 3)]
    for model in ("sc", "rc11"):
        found += [Case(f"{n} untouched cells", cells(n), model) for n in UNTOUCHED]
    return found


def measure(case: Case, repeat: int) -> BenchRow:
    program = parse_program(Source(case.name, case.text), case.name)
    model = load_model(case.model)
    best = float("inf")
    traces = events = checks = 0
    for _ in range(repeat):
        engine = make(Configuration(RSMC.name))
        traces = 0
        start = time.process_time()
        for trace in engine.explore(program, model, Limits()):
            if trace.status is Status.COMPLETE:
                traces += 1
                trace.outcome(program.terms)
        best = min(best, time.process_time() - start)
        checks = engine.counters.checks
    for trace in islice(make(Configuration(RSMC.name)).explore(program, model, Limits()), _SAMPLE):
        events = max(events, sum(event.thread >= 0 for event in trace.data().events))
    return BenchRow(case, traces, events, checks, best)


def run(args: argparse.Namespace) -> int:
    for name, default in sorted(args.defaults.items()):
        if name not in OPTIONS[args.what] and getattr(args, name) != default:
            *others, last = [what for what, options in OPTIONS.items() if name in options]
            which = f"{', '.join(others)} and {last}" if others else last
            raise InputError(f"--{name} is for bench {which}, not for {args.what}")
    if args.compiler_flags and args.what != "oracles":
        raise InputError(f"flags for the compiler are for bench oracles, not for {args.what}")
    print(f"kernel {manner()}, Python {platform.python_version()}")
    if args.what == "oracles":
        compiling = CompilerOptions(args.clang, tuple(args.compiler_flags))
        return bench_oracles.bench(args.oracles, args.model, args.programs, compiling)
    if args.what == "kernel":
        return bench_kernel.bench(
            bench_kernel.Asked(
                args.generated,
                args.model,
                args.engines,
                args.language,
                args.repeat,
                args.limit,
                args.csv,
                args.plot,
            )
        )
    if args.what == TRUST.name:
        return bench_trust.bench(args.engines, args.generated, args.repeat)
    if args.what == ODPOR.name:
        return bench_trust.bench_interleavings(args.engines, args.generated, args.repeat)
    if args.what == "parallel":
        return bench_parallel.bench(args.size, args.jobs)
    print(
        f"{'program':<32} {'model':<6} {'traces':>8} {'events':>7} {'ms/trace':>9} {'µs/event':>9}"
    )
    growth: list[BenchRow] = []
    untouched: list[BenchRow] = []
    for case in cases(args.largest):
        row = measure(case, args.repeat)
        each = 1000 * row.milliseconds / row.events
        print(
            f"{case.name:<32} {case.model:<6} {row.traces:>8} {row.events:>7} "
            f"{row.milliseconds:>9.3f} {each:>9.2f}",
            flush=True,
        )
        if case.name.endswith("no fences") and row.traces > 50:
            growth.append(row)
        elif case.name.endswith("untouched cells"):
            untouched.append(row)
    if len(growth) > 1:
        print(_growth(growth))
    for few, many in zip(untouched[::2], untouched[1::2], strict=True):
        ratio = many.seconds / few.seconds
        print(f"with {many.case.name} the cost under {many.case.model} is × {ratio:.2f}")
    return 0


def _growth(rows: list[BenchRow]) -> str:
    """How the cost of a trace grows against the number of events, over Fig. 11."""
    first, last = rows[0], rows[-1]
    cost = last.milliseconds / first.milliseconds
    size = last.events / first.events
    word = "at most linearly" if cost <= size else "faster than linearly"
    return (
        f"from {first.events} to {last.events} events (× {size:.2f}) the cost of a trace "
        f"is × {cost:.2f}: it grows {word}"
    )
