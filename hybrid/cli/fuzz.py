"""`hybrid fuzz`: random programs through several configurations, whose traces must be the same."""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path

from hybrid import __version__
from hybrid.cli import options
from hybrid.cli.models import axiom_text, definition_lines
from hybrid.crosscheck.compare import Comparison
from hybrid.crosscheck.configuration import GRAMMAR, not_applicable, parse_configurations
from hybrid.crosscheck.found import count
from hybrid.crosscheck.fuzz import MAX_STEPS, Finding, Summary, Task, compare_program, fuzz
from hybrid.crosscheck.journal import Journal
from hybrid.crosscheck.shape import ALL, PROFILES, Shape
from hybrid.crosscheck.vocabulary import vocabulary
from hybrid.errors import InputError
from hybrid.frontend.prog_print import print_program
from hybrid.memory import memory_limit
from hybrid.model.core import Model
from hybrid.model.load import load_model
from hybrid.parsing import did_you_mean
from hybrid.report.comparison import by_reason, full_text
from hybrid.report.disagreement import check_output, disagreement_text, reproduce
from hybrid.report.output import go_on
from hybrid.report.screen import draw
from hybrid.verdict import Verdict
from hybrid.witness.recheck import recheck

SHOWN = 5  # disagreements in full

EXAMPLES = f"""examples:
  hybrid fuzz --model power --count 1000 --seed 1
  hybrid fuzz --engines enumerate,rsmc,rsmc/last,rsmc+rf --model tso -j 2
  hybrid fuzz --engines all --model rc11 --count 5000 -j 2 --resume rc11.jsonl
  hybrid fuzz --profile locks --engines all --model rc11
  hybrid fuzz --model my.cat --only 417           one program of the seed again

A configuration is {GRAMMAR}; `all` stands for every engine, equivalence and oracle.
The first one with full traces is what the others are measured by.

exit codes: 0 no disagreement, 2 input errors, 3 something was not finished or not compared, 4 a disagreement
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Makes random programs, runs several configurations on each and compares their traces: they must be equal, with no "
        "trace met twice and no run stuck. Prints the programs on which they disagree, and shrinks the first."
    )
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("--engines", default="enumerate,rsmc", metavar="A,B,…", help="default %(default)s")
    add("--model", default="power", metavar="MODEL", help="default %(default)s")
    add("--count", type=options.positive, default=1000, metavar="N", help="default %(default)s")
    add("--seed", type=options.natural, default=1, metavar="N", help="default %(default)s")
    add("--only", type=options.natural, metavar="N", help="only program number N of the seed")
    add("--unroll", type=options.natural, default=2, metavar="N", help="default %(default)s")
    add(
        "--max-steps",
        type=options.positive,
        default=MAX_STEPS,
        metavar="N",
        help="instructions that a thread executes at most; default %(default)s",
    )
    add(
        "--profile",
        default=ALL,
        metavar="NAME",
        help=f"what the programs are like: {', '.join(PROFILES)}, or {ALL} (the default), where each program draws one",
    )
    add(
        "--candidates",
        type=options.positive,
        metavar="N",
        help=f"at most this many candidate executions per program (an estimate); default {Shape().candidates}",
    )
    add("--timeout", type=options.seconds, metavar="SECONDS", help="for each program")
    options.add_memory_option(add)
    add("-j", "--jobs", type=options.processes, default=1, metavar="N", help="processes; default 1")
    add(
        "--resume",
        metavar="FILE",
        help="a journal, written as it goes: a run with the same settings goes on where it stopped",
    )
    add(
        "--replay",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="write the witnesses of some runs of each kind (complete, failing, erring, cut, waiting, raced) and replay them "
        "(the default)",
    )
    options.add_reproducer_options(parser)


def run(args: argparse.Namespace) -> int:
    check_output(args.output)
    if args.resume is not None and args.only is not None:
        raise InputError("--only runs a single program: it goes without --resume")
    model = load_model(args.model)
    configurations = parse_configurations(args.engines)
    reasons = {str(c): not_applicable(c, model) for c in configurations}
    taken = [name for name, reason in reasons.items() if not reason]
    if len(taken) < 2:
        grouped = by_reason(reasons.items())
        why = "; ".join(f"{names}: {reason}" for reason, names in grouped.items() if reason)
        raise InputError(
            f"nothing to compare under {model.name}: {f'{taken[0]} alone' if taken else 'no configuration'} takes it",
            hint=why or "name two configurations: --engines enumerate,rsmc",
        )
    shapes = _shapes(args, model)
    judge = recheck if args.replay else None
    task = Task(
        tuple(reasons),
        args.model,
        args.seed,
        shapes,
        args.unroll,
        args.timeout,
        judge,
        args.max_steps,
        args.max_memory,
    )
    head = f"{', '.join(taken)} under {model.name}, seed {args.seed}, profile {args.profile}"
    print(head, flush=True)
    for reason, names in by_reason(reasons.items()).items():
        if reason:
            print(f"not applicable: {names}: {reason}")
    if args.only is not None:
        return _once(args, task)
    start = time.monotonic()
    if args.resume is None:
        summary = fuzz(task, args.count, args.jobs, _Progress(args.count, start))
    else:
        with closing(Journal(Path(args.resume), _settings(task, model, taken))) as journal:
            summary = fuzz(
                task,
                args.count,
                args.jobs,
                _Progress(args.count, start),
                done=journal.findings,
                on_finding=journal.add,
            )
    _erase()
    for number, finding in enumerate(summary.disagreements[:SHOWN]):
        _describe(args, task, finding, first=not number)
    print(_totals(summary, args, set(taken), time.monotonic() - start))
    if summary.disagreements:
        return Verdict.DISAGREE.exit_code
    if summary.interrupted or summary.stopped or summary.alone:
        return Verdict.INCONCLUSIVE.exit_code
    return 0


def _shapes(args: argparse.Namespace, model: Model) -> tuple[Shape, ...]:
    """What the profile stands for, in the words of the model."""
    if args.profile == ALL:
        names = list(PROFILES)
    elif args.profile in PROFILES:
        names = [args.profile]
    else:
        known = (*PROFILES, ALL)
        guess = did_you_mean(args.profile, known)
        raise InputError(
            f"no profile is called '{args.profile}'",
            hint=f"{guess} known: {', '.join(known)}".lstrip(),
        )
    words = vocabulary(model)
    shapes = [replace(PROFILES[name], words=words) for name in names]
    if args.candidates is not None:
        shapes = [replace(shape, candidates=args.candidates) for shape in shapes]
    return tuple(shapes)


def _settings(task: Task, model: Model, taken: list[str]) -> dict[str, object]:
    """What must be the same for a run that goes on: everything that decides what comes of a
    program."""
    text = [*definition_lines(model), *(axiom_text(axiom, model) for axiom in model.axioms)]
    text.append(repr((model.commit_before, model.forward, model.look_ahead)))
    return {
        "hybrid": __version__,
        "engines": list(task.engines),
        "applicable": taken,
        "model": task.model,
        "model_digest": hashlib.sha256("\n".join(text).encode()).hexdigest()[:16],
        "seed": task.seed,
        "shapes": [asdict(shape) for shape in task.shapes],
        "unroll": task.unroll,
        "max_steps": task.max_steps,
        "max_memory": task.max_memory,
        "timeout": task.timeout,
        "replay": task.recheck is not None,
    }


def _once(args: argparse.Namespace, task: Task) -> int:
    with memory_limit(args.max_memory):
        comparison = compare_program(task, args.only)
    print(print_program(comparison.program))
    print(full_text(comparison), end="")
    if comparison.differences:
        print(f"\n{disagreement_text(comparison)}")
        _shrink(args, task, comparison)
    return comparison.verdict.exit_code


def _describe(args: argparse.Namespace, task: Task, finding: Finding, first: bool) -> None:
    """A disagreement in full: the program, who differs, the traces in question; the first is
    shrunk."""
    comparison = compare_program(task, finding.number)
    print(f"\nDISAGREE on program {finding.number} (again: --only {finding.number})\n")
    print(print_program(comparison.program))
    if not comparison.differences:  # only a fault that comes and goes, or a time-out, gives this
        print("not met again; it was:", *finding.differences, sep="\n")
        return
    print(disagreement_text(comparison), flush=True)
    if first:
        _shrink(args, task, comparison)


def _shrink(args: argparse.Namespace, task: Task, comparison: Comparison) -> None:
    if args.shrink:
        small = reproduce(comparison, task.configurations, args.output, args.shrink_time, task.seed)
        print(small.text())


def _totals(summary: Summary, args: argparse.Namespace, taken: set[str], seconds: float) -> str:
    lines = [
        f"{summary.programs} programs, {summary.traces} traces, {summary.blocked} blocked runs, "
        f"{len(summary.disagreements)} disagreements, {seconds:.1f} s"
    ]
    if summary.replayed:
        lines.append(f"{summary.replayed} witnesses were replayed")
    if summary.before:
        lines.append(f"{summary.before} of them were done before, says {args.resume}")
    if len(summary.disagreements) > SHOWN:
        numbers = ", ".join(str(f.number) for f in summary.disagreements[SHOWN:][:50])
        lines.append(f"more disagreements, not shown: programs {numbers}")
    pairs = [(name, (reason, times)) for (name, reason), times in summary.left_out.items()]
    own = [pair for pair in pairs if pair[0] in taken]  # the others were named at the start
    for (reason, times), names in by_reason(own).items():
        lines.append(f"not applicable to {count(times, 'program')}: {names}: {reason}")
    if summary.alone:
        lines.append(f"{summary.alone} programs were taken by fewer than two: nothing compared")
    if summary.stopped:
        lines.append(f"{summary.stopped} programs were not finished: the time limit, or the memory")
    if summary.interrupted:
        lines.append(
            f"partial result: interrupted after {summary.programs} of {args.count} programs"
        )
        if args.resume is not None:
            lines.append(go_on(args.command_line, args.resume))
    return "\n".join(lines)


class _Progress:
    """A bar on a terminal, at most five times a second."""

    def __init__(self, count: int, start: float) -> None:
        self.count = count
        self.start = start
        self.last = start

    def __call__(self, summary: Summary) -> None:
        now = time.monotonic()
        if now - self.last < 0.2 or not sys.stderr.isatty():
            return
        self.last = now
        rate = (summary.programs - summary.before) / (now - self.start)
        left = (self.count - summary.programs) / rate if rate else 0.0
        filled = 20 * summary.programs // self.count
        draw(
            sys.stderr,
            f"[{'#' * filled}{'.' * (20 - filled)}] {summary.programs}/{self.count} programs, "
            f"{rate:.1f}/s, {len(summary.disagreements)} disagreements, {left:.0f} s left",
        )


def _erase() -> None:
    if sys.stderr.isatty():
        draw(sys.stderr, "")
