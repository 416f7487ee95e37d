"""`hybrid fuzz`: random programs through several configurations, whose traces must be the same."""

from __future__ import annotations

import argparse
import hashlib
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from hybrid.catalogue.spelling import GRAMMAR, not_applicable, parse_configurations, spelled
from hybrid.cli import options
from hybrid.cli.models import axiom_text, definition_lines
from hybrid.crosscheck.c_compare import CComparison
from hybrid.crosscheck.compare import Comparison
from hybrid.crosscheck.fuzz import (
    MAX_STEPS,
    PROG,
    C,
    Finding,
    Task,
    compare_c_program,
    compare_program,
    drawn_program,
    fuzz,
    loop_quarrel,
)
from hybrid.crosscheck.journal import Journal
from hybrid.crosscheck.shape import ALL, C_PROFILES, PROFILES, Shape
from hybrid.crosscheck.vocabulary import RandomVocabulary, c_vocabulary, vocabulary
from hybrid.engine.enumerate.entry import ENUMERATE
from hybrid.engine.rsmc.entry import RSMC
from hybrid.errors import InputError
from hybrid.frontend.prog_print import print_program
from hybrid.memory import memory_limit
from hybrid.model.core import Model
from hybrid.model.load import load_model
from hybrid.parsing import did_you_mean
from hybrid.program.passes.setting import ASSUME, AWAIT, DYNAMIC, KEEP, LOOPS
from hybrid.report.c_comparison import c_comparison_text, c_reproducer, check_c_engines
from hybrid.report.comparison import by_reason, full_text
from hybrid.report.disagreement import check_output, disagreement_text, reproduce, reproduced
from hybrid.report.fuzzing import FuzzProgress, fuzz_totals
from hybrid.report.output import go_on
from hybrid.verdict import Verdict
from hybrid.versions import __version__
from hybrid.witness.recheck import recheck

SHOWN = 5  # disagreements in full

# the ground truth, and what is usually taken
DEFAULT_ENGINES = f"{ENUMERATE.name},{RSMC.name}"
C_ENGINES = f"{RSMC.name},{ENUMERATE.name}"

EXAMPLES = f"""examples:
  hybrid fuzz --model power --count 1000 --seed 1
  hybrid fuzz --engines enumerate,rsmc,rsmc/last,rsmc+rf --model tso -j 2
  hybrid fuzz --engines all --model rc11 --count 5000 -j 2 --resume rc11.jsonl
  hybrid fuzz --profile locks --engines all --model rc11
  hybrid fuzz --model my.cat --only 417           one program of the seed again
  hybrid fuzz --language c --model rc11 --count 500

A configuration is {GRAMMAR}; `all` stands for every engine,
equivalence and oracle. The first one with full traces is what the others are measured by.

exit codes: 0 no disagreement, 2 input errors, 4 a disagreement,
3 something was not finished or not compared
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Makes random programs, runs several configurations on each and compares their traces: "
        "they must be equal, with no trace met twice and no run stuck. Prints the programs on "
        "which they disagree, and shrinks the first."
    )
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add(
        "--engines",
        metavar="A,B,…",
        help=f"default {DEFAULT_ENGINES}; with --language c {C_ENGINES}",
    )
    add("--model", default="power", metavar="MODEL", help="default %(default)s")
    _add_programs(add)
    add("--timeout", type=options.seconds, metavar="SECONDS", help="for each program")
    options.add_memory_option(add)
    options.add_jobs_option(add)
    add(
        "--resume",
        metavar="FILE",
        type=options.file_name,
        help="a journal, written as it goes: a run with the same settings goes on where it stopped",
    )
    add(
        "--replay",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="write the witnesses of some runs of each kind (complete, failing, erring, cut, "
        "waiting, raced) and replay them (the default)",
    )
    options.add_reproducer_options(parser)


def _add_programs(add: Callable[..., object]) -> None:
    add(
        "--language",
        choices=(PROG, C),
        default=PROG,
        help=f"{C}: each program is also written in C, compiled and read; both must have the same "
        f"traces. Default {PROG}",
    )
    add("--count", type=options.positive, default=1000, metavar="N", help="default %(default)s")
    add("--seed", type=options.natural, default=1, metavar="N", help="default %(default)s")
    add("--only", type=options.natural, metavar="N", help="only program number N of the seed")
    add("--unroll", type=options.natural, default=2, metavar="N", help="default %(default)s")
    add(
        "--loops",
        choices=LOOPS,
        default="",
        help=f"{AWAIT}, {ASSUME}, {DYNAMIC}: take out iterations that change nothing, and compare "
        f"the outcomes with those of the program as it is; default: {AWAIT} and {DYNAMIC} in "
        f"turn for programs with odd numbers, {KEEP} for the others",
    )
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
        help=f"what the programs are like: {', '.join(PROFILES)}, or {ALL} (the default), where "
        "each program draws one; with --language c also registers, atomics",
    )
    add(
        "--candidates",
        type=options.positive,
        metavar="N",
        help="at most this many candidate executions per program (an estimate); "
        f"default {Shape().candidates}",
    )


@dataclass(frozen=True, slots=True)
class FuzzRequest:
    """What the user asks for."""

    model: Model
    task: Task  # what is done with each program
    reasons: dict[str, str]  # why a configuration does not take the model; empty: it does
    profile: str
    count: int
    jobs: int
    resume: str | None
    command_line: str
    shrink: bool
    shrink_time: float
    output: str | None  # of the reproducer

    @property
    def taken(self) -> list[str]:
        """The configurations that take the model."""
        return [name for name, reason in self.reasons.items() if not reason]


def run(args: argparse.Namespace) -> int:
    check_output(args.output)
    if args.resume is not None and args.only is not None:
        raise InputError("--only runs a single program: it goes without --resume")
    model = load_model(args.model)
    in_c = args.language == C
    engines = args.engines or (C_ENGINES if in_c else DEFAULT_ENGINES)
    reasons = {spelled(c): not_applicable(c, model) for c in parse_configurations(engines)}
    words = c_vocabulary(model) if in_c else vocabulary(model)
    shapes = _shapes(args.profile, args.candidates, C_PROFILES if in_c else PROFILES, words)
    if in_c:
        check_c_engines(engines)
    task = Task(
        tuple(reasons),
        args.model,
        args.seed,
        shapes,
        args.unroll,
        args.timeout,
        recheck if args.replay and not in_c else None,
        args.max_steps,
        args.max_memory,
        args.language,
        args.loops,
    )
    asked = FuzzRequest(
        model,
        task,
        reasons,
        args.profile,
        args.count,
        args.jobs,
        args.resume,
        args.command_line,
        args.shrink,
        args.shrink_time,
        args.output,
    )
    _begin(asked)
    return _many(asked) if args.only is None else _once(asked, args.only)


def _begin(asked: FuzzRequest) -> None:
    """Says what is compared, or complains that there is nothing to compare."""
    taken, left_out = asked.taken, by_reason(asked.reasons.items())
    if len(taken) < (1 if asked.task.language == C else 2):
        why = "; ".join(f"{names}: {reason}" for reason, names in left_out.items() if reason)
        who = f"{taken[0]} alone" if taken else "no configuration"
        raise InputError(
            f"nothing to compare under {asked.model.name}: {who} takes it",
            hint=why or f"name two configurations: --engines {DEFAULT_ENGINES}",
        )
    seed = asked.task.seed
    names = ", ".join(taken)
    where = f"{names} on programs and their C" if asked.task.language == C else names
    print(f"{where} under {asked.model.name}, seed {seed}, profile {asked.profile}", flush=True)
    for reason, names in left_out.items():
        if reason:
            print(f"not applicable: {names}: {reason}")


def _many(asked: FuzzRequest) -> int:
    start = time.monotonic()
    progress = FuzzProgress(asked.count, start)
    if asked.resume is None:
        summary = fuzz(asked.task, asked.count, asked.jobs, progress)
    else:
        with closing(Journal(Path(asked.resume), _settings(asked))) as journal:
            summary = fuzz(
                asked.task,
                asked.count,
                asked.jobs,
                progress,
                done=journal.findings,
                on_finding=journal.add,
            )
    progress.end()
    for number, finding in enumerate(summary.disagreements[:SHOWN]):
        _describe(asked, finding, first=not number)
    seconds = time.monotonic() - start
    print(fuzz_totals(summary, asked.taken, asked.count, SHOWN, seconds, asked.resume or ""))
    if summary.interrupted and asked.resume is not None:
        print(go_on(asked.command_line, asked.resume))
    if summary.disagreements:
        return Verdict.DISAGREE.exit_code
    if summary.interrupted or summary.stopped or summary.alone:
        return Verdict.INCONCLUSIVE.exit_code
    return 0


def _shapes(
    profile: str, candidates: int | None, profiles: Mapping[str, Shape], words: RandomVocabulary
) -> tuple[Shape, ...]:
    """What the profile stands for, in these words."""
    if profile == ALL:
        names = list(profiles)
    elif profile in profiles:
        names = [profile]
    else:
        known = (*profiles, ALL)
        guess = did_you_mean(profile, known)
        raise InputError(
            f"no profile is called '{profile}'",
            hint=f"{guess} known: {', '.join(known)}".lstrip(),
        )
    shapes = [replace(profiles[name], words=words) for name in names]
    if candidates is not None:
        shapes = [replace(shape, candidates=candidates) for shape in shapes]
    return tuple(shapes)


def _settings(asked: FuzzRequest) -> dict[str, object]:
    """What must be the same for a run that goes on: everything that decides what comes of a
    program."""
    task, model = asked.task, asked.model
    text = [*definition_lines(model), *(axiom_text(axiom, model) for axiom in model.axioms)]
    text.append(repr((model.commit_before, model.forward, model.look_ahead)))
    return {
        "hybrid": __version__,
        "engines": list(task.engines),
        "applicable": asked.taken,
        "model": task.model,
        "model_digest": hashlib.sha256("\n".join(text).encode()).hexdigest()[:16],
        "seed": task.seed,
        "shapes": [asdict(shape) for shape in task.shapes],
        "unroll": task.unroll,
        "max_steps": task.max_steps,
        "max_memory": task.max_memory,
        "timeout": task.timeout,
        "replay": task.recheck is not None,
        "language": task.language,
        "loops": task.loops,
    }


def _once(asked: FuzzRequest, number: int) -> int:
    if asked.task.language == C:
        return _once_in_c(asked, number)
    with memory_limit(asked.task.max_memory):
        comparison = compare_program(asked.task, number)
    print(print_program(comparison.program))
    print(full_text(comparison), end="")
    if comparison.differences:
        print(f"\n{disagreement_text(comparison)}")
        _shrink(asked, comparison)
    if _show_loops(asked, number, True):
        return Verdict.DISAGREE.exit_code
    return comparison.verdict.exit_code


def _describe(asked: FuzzRequest, finding: Finding, first: bool) -> None:
    """A disagreement in full: the program, who differs, the traces in question; the first is
    shrunk."""
    print(f"\nDISAGREE on program {finding.number} (again: --only {finding.number})\n")
    if asked.task.language == C:
        _show_c(asked, compare_c_program(asked.task, finding.number), first)
        return
    if _show_loops(asked, finding.number, first):
        return
    comparison = compare_program(asked.task, finding.number)
    print(print_program(comparison.program))
    if not comparison.differences:  # only a fault that comes and goes, or a time-out, gives this
        print("not met again; it was:", *finding.differences, sep="\n")
        return
    print(disagreement_text(comparison), flush=True)
    if first:
        _shrink(asked, comparison)


def _show_loops(asked: FuzzRequest, number: int, shrunk: bool) -> bool:
    """Shows what the treatment of loops has lost or added, if it has."""
    program, quarrel = drawn_program(asked.task, number), loop_quarrel(asked.task, number)
    differences = quarrel.differences(program)
    if differences:
        print(print_program(program))
        print(*(difference.text for difference in differences), sep="\n", flush=True)
        if shrunk and asked.shrink:
            small = reproduced(program, asked.model, quarrel, asked.output, asked.shrink_time)
            print(f"\n{small.text()}")
    return bool(differences)


def _shrink(asked: FuzzRequest, comparison: Comparison) -> None:
    if asked.shrink:
        task = asked.task
        small = reproduce(
            comparison, task.configurations, asked.output, asked.shrink_time, task.seed
        )
        print(small.text())


# ---- programs and their C


def _once_in_c(asked: FuzzRequest, number: int) -> int:
    with memory_limit(asked.task.max_memory):
        comparison = compare_c_program(asked.task, number)
    _show_c(asked, comparison, True)
    if comparison.differences:
        return Verdict.DISAGREE.exit_code
    return Verdict.INCONCLUSIVE.exit_code if comparison.unfinished else 0


def _show_c(asked: FuzzRequest, comparison: CComparison, shrunk: bool) -> None:
    print(c_comparison_text(comparison), end="", flush=True)
    if shrunk and comparison.differences and asked.shrink:
        print(c_reproducer(comparison, asked.task, asked.output, asked.shrink_time))
