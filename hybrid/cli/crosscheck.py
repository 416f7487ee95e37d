"""`hybrid crosscheck`: every applicable engine, oracle and equivalence on a program; their traces must be the same."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hybrid.cli import common
from hybrid.cli.disagreement import (
    Reproducer,
    check_output,
    disagreement_json,
    disagreement_text,
    reproduce,
)
from hybrid.cli.progress import Progress
from hybrid.cli.report import json_error_line
from hybrid.crosscheck.compare import Comparison, Found, count, crosscheck
from hybrid.crosscheck.configuration import ALL, GRAMMAR, RF, Configuration, parse_configurations
from hybrid.crosscheck.shrink import SECONDS
from hybrid.data import bundled
from hybrid.engine.api import DEFAULT_UNROLL, Engine, Limits
from hybrid.errors import InputError
from hybrid.model.core import Model
from hybrid.model.load import builtin_models, load_model
from hybrid.program.program import Program
from hybrid.verdict import Verdict, worst

EQUAL = "EQUAL"  # what HOLDS is called here

EXAMPLES = f"""examples:
  hybrid crosscheck                        the bundled programs under all built-in models, as a table
  hybrid crosscheck SB.prog --model tso
  hybrid crosscheck tests/ --engines enumerate,rsmc,rsmc/last,rsmc+rf --timeout 60
  hybrid crosscheck bad.prog --model my.cat -o small.prog

A configuration is {GRAMMAR}: `rsmc:z3`, `rsmc+rf/last`, `bmc:sat`.
Those that do not take the program or the model are listed with the reason.

exit codes: 0 all equal, 2 input errors, 3 something was not finished, 4 a disagreement
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Runs all configurations on each program under each model and compares their traces: the sets must be equal (reads-from classes: "
        "equal to the projection of the full traces), with no trace met twice and no deadlock. A disagreement is explained, "
        "and the first one is shrunk to a small program that still shows it."
    )
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("files", metavar="FILE", nargs="*", help="programs or folders; none: the bundled ones")
    add(
        "--model",
        metavar="MODEL",
        action="append",
        help="a built-in model or a .cat file; several: again, or with commas; default: all built-in ones",
    )
    add(
        "--engines",
        metavar="A,B,…",
        default=ALL,
        help="the configurations; the first with full traces is what the others are measured by; default %(default)s",
    )
    add(
        "--complete",
        action="store_true",
        help="also show by a formula that there are no other traces",
    )
    add(
        "--unroll",
        type=common.natural,
        default=DEFAULT_UNROLL,
        metavar="N",
        help="default %(default)s",
    )
    add("--timeout", type=common.seconds, metavar="SECONDS", help="for each configuration")
    add("--seed", type=common.natural, default=0, metavar="N", help="for the policy random")
    add("--table", action="store_true", help="one line a program and model, as for the bundle")
    add("--json", action="store_true", help="one JSON object a program and model")
    small = parser.add_argument_group("the reproducer")
    small.add_argument(
        "--shrink",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="make the program of the first disagreement small and save it (the default)",
    )
    small.add_argument(
        "--shrink-time",
        type=common.seconds,
        default=SECONDS,
        metavar="SECONDS",
        help="at most; default %(default)s",
    )
    small.add_argument(
        "-o", "--output", metavar="FILE", help="where it is saved; default: NAME-shrunk.prog here"
    )


@dataclass(frozen=True, slots=True)
class _Job:
    """One program under one model; or why there is none."""

    path: Path
    name: str
    model_name: str
    program: Program | None = None
    model: Model | None = None
    error: InputError | None = None


def run(args: argparse.Namespace) -> int:
    check_output(args.output)
    configurations = parse_configurations(args.engines)
    paths = common.program_paths(args.files or [str(bundled("litmus"))])
    names = builtin_models() if args.model is None else _names(args.model)
    models = [load_model(name) for name in names]
    as_table = args.table or (not args.files and not args.json)
    return _Batch(args, configurations, as_table).run(paths, models)


def _names(given: list[str]) -> list[str]:
    names = [name.strip() for text in given for name in text.split(",")]
    if not all(names):
        raise InputError("--model: a name is empty", hint="as in --model sc,tso")
    return list(dict.fromkeys(names))


def _jobs(paths: list[Path], models: list[Model]) -> Iterator[_Job]:
    """All jobs in order; programs are loaded when their turn comes."""
    for path in paths:
        try:
            program = common.program_at(path)
        except InputError as error:
            yield _Job(path, path.stem, "-", error=error)
            continue
        for model in models:
            yield _Job(path, program.name, model.name, program, model)


class _Batch:
    def __init__(
        self, args: argparse.Namespace, configurations: tuple[Configuration, ...], as_table: bool
    ) -> None:
        self.args = args
        self.configurations = configurations
        self.as_table = as_table
        self.verdicts: list[Verdict] = []
        self.left_out: dict[tuple[str, str], int] = {}  # configuration and reason
        self.shrunk = False  # the first disagreement was
        self.width = 0  # of names

    def run(self, paths: list[Path], models: list[Model]) -> int:
        start = time.monotonic()
        self.width = max(len("Program"), *(len(path.stem) for path in paths))
        if self.as_table:
            print(self._line("Program", "Model", "Result", "Traces", "Compared", "Time"))
        interrupted = ""
        for job in _jobs(paths, models):
            try:
                self._one(job)
            except KeyboardInterrupt:
                interrupted = f"{job.name} under {job.model_name}"
                self.verdicts.append(Verdict.INCONCLUSIVE)
                break
            sys.stdout.flush()
        if not self.args.json and (self.as_table or len(self.verdicts) > 1):
            print(self._totals(time.monotonic() - start))
        if interrupted:
            print(f"interrupted at {interrupted}: what follows was not run", file=sys.stderr)
        return worst(self.verdicts)

    def _one(self, job: _Job) -> None:
        if job.program is None or job.model is None:
            assert job.error is not None
            self._fail(job, job.error)
            return
        comparison = self._compare(job.program, job.model)
        for reason in comparison.left_out:
            self.left_out[reason] = self.left_out.get(reason, 0) + 1
        if self.args.json:
            small = self._reproduce(comparison)
            print(json.dumps(_as_json(comparison, str(job.path), small), ensure_ascii=False))
        else:
            if self.as_table:
                print(self._row(comparison))
            else:
                print(("\n" if self.verdicts else "") + full_text(comparison), end="")
            if comparison.differences:
                print(f"\n{disagreement_text(comparison)}", flush=True)
                self._show_reproducer(comparison)
        self.verdicts.append(comparison.verdict)

    def _compare(self, program: Program, model: Model) -> Comparison:
        progress: list[Progress] = []

        def started(configuration: Configuration, engine: Engine) -> None:
            ended()
            progress.append(Progress(engine, f"{program.name} {configuration}", sys.stderr))
            progress[-1].__enter__()

        def ended() -> None:
            while progress:
                progress.pop().__exit__(None, None, None)

        try:
            return crosscheck(
                program,
                model,
                self.configurations,
                Limits(self.args.unroll),
                seconds=self.args.timeout,
                seed=self.args.seed,
                complete=self.args.complete,
                on_start=started,
            )
        finally:
            ended()

    def _reproduce(self, comparison: Comparison) -> Reproducer | None:
        """Shrinks the first disagreement of the batch, if that is wanted."""
        if not comparison.differences or not self.args.shrink or self.shrunk:
            return None
        self.shrunk = True
        args = self.args
        return reproduce(comparison, self.configurations, args.output, args.shrink_time, args.seed)

    def _show_reproducer(self, comparison: Comparison) -> None:
        again = self.shrunk
        small = self._reproduce(comparison)
        if small is not None:
            print(small.text())
        elif again and self.args.shrink:
            print("not shrunk: only the first disagreement is\n")

    def _fail(self, job: _Job, error: InputError) -> None:
        print(error.render(), file=sys.stderr)
        if self.args.json:
            print(json_error_line(error, str(job.path), None), end="")
        elif self.as_table:
            print(self._line(job.name, "-", Verdict.ERROR.value, "-", "-", "-"))
        self.verdicts.append(Verdict.ERROR)

    # ---- text

    def _line(self, name: str, model: str, result: str, *numbers: str) -> str:
        traces, compared, seconds = numbers
        return f"{name:<{self.width}}  {model:<8}  {result:<12}  {traces:>8}  {compared:>8}  {seconds:>9}"

    def _row(self, comparison: Comparison) -> str:
        traces = [str(len(f.traces)) for f in comparison.findings if f.equivalence != RF]
        return self._line(
            comparison.program.name,
            comparison.model.name,
            result_name(comparison),
            traces[0] if traces else "-",
            str(len(comparison.findings)),
            f"{sum(found.seconds for found in comparison.findings):.2f} s",
        ) + "".join(f"\n  not finished: {reason}" for reason in comparison.open)

    def _totals(self, seconds: float) -> str:
        tally = {verdict: self.verdicts.count(verdict) for verdict in Verdict}
        parts = [
            f"{len(self.verdicts)} compared",
            f"{tally[Verdict.HOLDS]} equal",
            f"{tally[Verdict.DISAGREE]} in disagreement",
        ]
        if tally[Verdict.INCONCLUSIVE]:
            parts.append(f"{tally[Verdict.INCONCLUSIVE]} not finished")
        if tally[Verdict.ERROR]:
            parts.append(f"{tally[Verdict.ERROR]} with errors")
        lines = ["", f"{', '.join(parts)}; {seconds:.2f} s"]
        if self.as_table:
            for (name, reason), times in self.left_out.items():
                lines.append(f"not applicable ({count(times, 'time')}): {name}: {reason}")
        return "\n".join(lines)


def result_name(comparison: Comparison) -> str:
    verdict = comparison.verdict
    return EQUAL if verdict is Verdict.HOLDS else verdict.value


def full_text(comparison: Comparison) -> str:
    """The result, then a line a configuration."""
    rows = [(found.name, _counts(found)) for found in comparison.findings]
    rows += [(name, f"not applicable: {reason}") for name, reason in comparison.left_out]
    width = max(len(name) for name, _ in rows)
    lines = [f"{comparison.program.name} under {comparison.model.name}: {result_name(comparison)}"]
    lines += [f"  {name:<{width}}  {text}" for name, text in rows]
    if comparison.completeness:
        lines.append(f"  complete: {comparison.completeness}")
    lines += [f"  not finished: {reason}" for reason in comparison.open]
    return "\n".join(lines) + "\n"


def _counts(found: Found) -> str:
    if found.crash:
        return f"fails: {found.crash}"
    what = "class" if found.equivalence == RF else "trace"
    counters = found.counters
    parts = [count(len(found.traces), what)]
    for number, word in (
        (len(found.duplicates), "met again"),
        (counters.blocked, "blocked"),
        (counters.cut, "cut"),
        (counters.errors, "erring"),
        (counters.deadlocks, "deadlocks"),
    ):
        if number:
            parts.append(f"{number} {word}")
    return f"{', '.join(parts)}  {found.seconds:.2f} s"


def _as_json(comparison: Comparison, path: str, small: Reproducer | None) -> dict[str, object]:
    return {
        "program": comparison.program.name,
        "file": path,
        "model": comparison.model.name,
        "verdict": result_name(comparison),
        "unroll": comparison.limits.unroll,
        "configurations": [
            {
                "name": found.name,
                "equivalence": found.equivalence,
                "traces": len(found.traces),
                "duplicates": len(found.duplicates),
                "blocked": found.counters.blocked,
                "cut": found.counters.cut,
                "errors": found.counters.errors,
                "deadlocks": found.counters.deadlocks,
                "seconds": round(found.seconds, 6),
                "unfinished": found.unfinished,
                "crash": found.crash,
            }
            for found in comparison.findings
        ],
        "not_applicable": [{"name": n, "reason": r} for n, r in comparison.left_out],
        "complete": comparison.complete,
        "completeness": comparison.completeness,
        "open": comparison.open,
        "differences": disagreement_json(comparison),
        "shrunk": None if small is None else small.as_json(),
    }
