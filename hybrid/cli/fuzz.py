"""`hybrid fuzz`: random programs through several engines, whose traces must be the same."""

from __future__ import annotations

import argparse
import sys
import time

from hybrid.cli import common
from hybrid.crosscheck.compare import Comparison, compare
from hybrid.crosscheck.fuzz import Finding, Summary, Task, engine_named, fuzz
from hybrid.crosscheck.random_programs import Shape, random_program
from hybrid.engine.api import Limits
from hybrid.engine.registry import choose_engine
from hybrid.execution.trace import Key, Status
from hybrid.frontend.prog_print import print_program
from hybrid.model.load import load_model
from hybrid.verdict import Verdict
from hybrid.witness.text import trace_text

EXAMPLES = """examples:
  hybrid fuzz --model power --count 1000 --seed 1
  hybrid fuzz --engines enumerate,rsmc,rsmc/last,rsmc/random --model tso -j 2
  hybrid fuzz --model my.cat --only 417           one program of the seed again

The first engine is what the others are measured by. A policy stands after a slash.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Makes random programs, runs several engines on each and compares their sets of traces: they must be equal, with no "
        "trace met twice and no deadlock. Exits with 4 on a disagreement and prints the program."
    )
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("--engines", default="enumerate,rsmc", metavar="A,B,…", help="default %(default)s")
    add("--model", default="power", metavar="MODEL", help="default %(default)s")
    add("--count", type=common.positive, default=1000, metavar="N", help="default %(default)s")
    add("--seed", type=common.natural, default=1, metavar="N", help="default %(default)s")
    add("--only", type=common.natural, metavar="N", help="only program number N of the seed")
    add("--unroll", type=common.natural, default=2, metavar="N", help="default %(default)s")
    add(
        "--candidates",
        type=common.positive,
        default=Shape().candidates,
        metavar="N",
        help="at most so many candidate executions a program (an estimate); default %(default)s",
    )
    add("--timeout", type=common.seconds, metavar="SECONDS", help="for each program")
    add("-j", "--jobs", type=common.positive, default=1, metavar="N", help="processes; default 1")


def run(args: argparse.Namespace) -> int:
    model = load_model(args.model)
    engines = tuple(name.strip() for name in args.engines.split(","))
    shape = Shape(candidates=args.candidates)
    for spec in engines:
        engine_named(spec, args.seed)
        choose_engine(spec.partition("/")[0], model, random_program(args.seed, 0, shape))
    task = Task(engines, args.model, args.seed, shape, args.unroll, args.timeout)
    print(f"{', '.join(engines)} under {model.name}, seed {args.seed}")
    if args.only is not None:
        return _once(task, args.only)
    start = time.monotonic()
    summary = fuzz(task, args.count, args.jobs, _Progress(args.count, start))
    _erase()
    for finding in summary.disagreements[:5]:
        print(_describe(task, finding))
    print(_totals(summary, args.count, time.monotonic() - start))
    if summary.disagreements:
        return Verdict.DISAGREE.exit_code
    if summary.interrupted or summary.stopped:
        return Verdict.INCONCLUSIVE.exit_code
    return 0


def _once(task: Task, number: int) -> int:
    program = random_program(task.seed, number, task.shape)
    print(print_program(program))
    comparison = _compare(task, number)
    for found in comparison.findings:
        print(f"{found.engine}: {len(found.keys)} traces, {found.counters}")
    if comparison.agree:
        print("they agree")
        return 0
    print(_differences(task, comparison))
    return Verdict.DISAGREE.exit_code


def _compare(task: Task, number: int) -> Comparison:
    program = random_program(task.seed, number, task.shape)
    engines = [(spec, engine_named(spec, task.seed)) for spec in task.engines]
    return compare(program, load_model(task.model), engines, Limits(task.unroll))


def _describe(task: Task, finding: Finding) -> str:
    """A disagreement in full: the program, who differs, and one trace of each kind."""
    program = random_program(task.seed, finding.number, task.shape)
    return (
        f"\nDISAGREE on program {finding.number} (again: --only {finding.number})\n\n"
        f"{print_program(program)}\n{_differences(task, _compare(task, finding.number))}"
    )


def _differences(task: Task, comparison: Comparison) -> str:
    lines = list(comparison.differences)
    first = comparison.findings[0]
    for other in comparison.findings[1:]:
        for title, keys, engine in (
            (f"missing in {other.engine}", first.keys - other.keys, first.engine),
            (f"only in {other.engine}", other.keys - first.keys, other.engine),
        ):
            if keys:
                lines += ["", f"{title}:", _show(task, comparison, engine, min(keys))]
    return "\n".join(lines)


def _show(task: Task, comparison: Comparison, spec: str, key: Key) -> str:
    engine = engine_named(spec, task.seed)
    model = load_model(task.model)
    for trace in engine.explore(comparison.program, model, Limits(task.unroll)):
        if trace.status is Status.COMPLETE and trace.key() == key:
            return trace_text(trace.data())
    return "(not found again)"


def _totals(summary: Summary, count: int, seconds: float) -> str:
    text = (
        f"{summary.programs} programs, {summary.traces} traces, {summary.blocked} blocked runs, "
        f"{len(summary.disagreements)} disagreements, {seconds:.1f} s"
    )
    if summary.stopped:
        text += f"\n{summary.stopped} programs were given up at the time limit"
    if summary.interrupted:
        text += f"\npartial result: interrupted after {summary.programs} of {count} programs"
    return text


class _Progress:
    """A line on a terminal, at most five times a second."""

    def __init__(self, count: int, start: float) -> None:
        self.count = count
        self.start = start
        self.last = start

    def __call__(self, summary: Summary) -> None:
        now = time.monotonic()
        if now - self.last < 0.2 or not sys.stderr.isatty():
            return
        self.last = now
        rate = summary.programs / (now - self.start)
        left = (self.count - summary.programs) / rate if rate else 0.0
        print(
            f"\r\x1b[K{summary.programs}/{self.count} programs, {rate:.0f}/s, "
            f"{len(summary.disagreements)} disagreements, {left:.0f} s left",
            end="",
            file=sys.stderr,
            flush=True,
        )


def _erase() -> None:
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
