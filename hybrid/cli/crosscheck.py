"""`hybrid crosscheck`: every applicable engine, oracle and equivalence on a program; their traces
must be the same."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from hybrid.batch.pool import Pool
from hybrid.cli import options
from hybrid.cli.crosscheck_file import JSON, TABLE, TEXT, Checker, Compared, by_reason
from hybrid.crosscheck.configuration import ALL, GRAMMAR, parse_configurations
from hybrid.crosscheck.found import count
from hybrid.crosscheck.shrink import SECONDS
from hybrid.data import bundled
from hybrid.engine.api import DEFAULT_UNROLL
from hybrid.errors import InternalError
from hybrid.frontend.find_programs import program_paths
from hybrid.frontend.load import load_program
from hybrid.report.disagreement import (
    Reproducer,
    check_output,
    reproduce,
)
from hybrid.report.progress import Bar
from hybrid.verdict import Verdict, worst_code

EXAMPLES = f"""examples:
  hybrid crosscheck                        the bundled programs under all built-in models, as a table
  hybrid crosscheck SB.prog --model tso
  hybrid crosscheck tests/ --engines enumerate,rsmc,rsmc/last,rsmc+rf --timeout 60
  hybrid crosscheck ppc/ --engines enumerate,rsmc,bmc:sat -j 4 --table
  hybrid crosscheck bad.prog --model my.cat -o small.prog

A configuration is {GRAMMAR}: `rsmc:z3`, `rsmc+rf/last`, `bmc:sat`.
Those that do not take the program or the model are listed with the reason.

exit codes: 0 all equal, 2 input errors, 3 something was not finished or there was nothing to compare, 4 a disagreement
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Runs all configurations on each program under each model and compares their traces: the sets must be equal (reads-from classes: "
        "equal to the projection of the full traces), with no trace met twice and no run stuck. A disagreement is explained, "
        "and the first one is shrunk to a small program that still shows it."
    )
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add(
        "files",
        metavar="FILE",
        nargs="*",
        help="programs, folders, or @LIST for a file of their paths; none: the bundled ones",
    )
    add(
        "--model",
        metavar="MODEL",
        action="append",
        help="a built-in model or a .cat file; several: again, or with commas; default: that of a litmus test's architecture, "
        "for other programs all built-in ones",
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
        type=options.natural,
        default=DEFAULT_UNROLL,
        metavar="N",
        help="default %(default)s",
    )
    options.add_max_steps(add)
    options.add_memory_option(add)
    add("--timeout", type=options.seconds, metavar="SECONDS", help="for each configuration")
    add("-j", "--jobs", type=options.processes, default=1, metavar="N", help="processes; default 1")
    add("--seed", type=options.natural, default=0, metavar="N", help="for the policy random")
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--table", action="store_true", help="one line per program and model, as for the bundle"
    )
    how.add_argument("--json", action="store_true", help="one JSON object per program and model")
    options.add_map_option(parser)
    small = parser.add_argument_group("the reproducer")
    small.add_argument(
        "--shrink",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="make the program of the first disagreement small and save it (the default)",
    )
    small.add_argument(
        "--shrink-time",
        type=options.seconds,
        default=SECONDS,
        metavar="SECONDS",
        help="at most; default %(default)s",
    )
    small.add_argument(
        "-o", "--output", metavar="FILE", help="where it is saved; default: NAME-shrunk.prog here"
    )


def run(args: argparse.Namespace) -> int:
    check_output(args.output)
    configurations = parse_configurations(args.engines)
    paths = program_paths(args.files or [str(bundled("litmus"))])
    models = None if args.model is None else options.model_names(args.model)
    style = JSON if args.json else TEXT
    if args.table or (not args.files and not args.json):
        style = TABLE
    width = max(len("Program"), *(len(path.stem) for path in paths))
    checker = Checker(args, configurations, models, style, width)
    for name in models or ():  # complains of a bad one at once
        checker.model(name)
    return _Batch(args, checker, paths).run()


class _Batch:
    def __init__(self, args: argparse.Namespace, checker: Checker, paths: list[Path]) -> None:
        self.args = args
        self.checker = checker
        self.paths = paths
        self.verdicts: list[Verdict] = []
        self.left_out: dict[tuple[str, str], int] = {}  # configuration and reason
        self.bugs = 0  # files lost
        self.shrunk = False  # the first disagreement was
        self.interrupted = ""  # what Ctrl-C left undone
        self.bar = Bar(len(paths), sys.stderr, len(paths) > 1, by_itself=False)

    def run(self) -> int:
        start = time.monotonic()
        if self.checker.style == TABLE:
            head = ("Program", "Model", "Result", "Traces", "Compared", "Time")
            print(self.checker.line(*head), end="")
        try:
            if self.args.jobs > 1 and len(self.paths) > 1:
                self._by_pool()
            else:
                self._here()
        except KeyboardInterrupt:
            self.interrupted = f" at {self.checker.at}: what follows was not run"
        finally:
            self.bar.end()
        if self.interrupted:
            self.verdicts.append(Verdict.INCONCLUSIVE)
        if self.checker.style == TABLE or (self.checker.style == TEXT and len(self.verdicts) > 1):
            print(self._totals(time.monotonic() - start))
        if self.interrupted:
            print(f"interrupted{self.interrupted}", file=sys.stderr)
        codes = [verdict.exit_code for verdict in self.verdicts]
        return worst_code([*codes, *([InternalError.exit_code] * bool(self.bugs))])

    def _here(self) -> None:
        for path in self.paths:
            for found in self.checker.each(path, progress=True):
                self._show(found)

    def _by_pool(self) -> None:
        checker = self.checker
        pool = Pool(
            self.paths,
            checker,
            checker.lost,
            self.args.jobs,
            arrived=lambda _, found: self.bar.count(
                [f.verdict.value for f in found if f.verdict is not Verdict.HOLDS]
            ),
            tick=self.bar.draw,
        )
        ran = 0
        for _, results in pool.results():
            ran += 1
            for found in results:
                self._show(found)
        if pool.interrupted:
            self.interrupted = f": {len(self.paths) - ran} of {len(self.paths)} files were not run"

    def _show(self, found: Compared) -> None:
        self.bar.erase()
        if found.complaint:
            print(found.complaint, file=sys.stderr)
        for reason in found.left_out:
            self.left_out[reason] = self.left_out.get(reason, 0) + 1
        if found.fields is not None:
            if found.disagreement:
                small = self._reproduce(found)
                found.fields["shrunk"] = None if small is None else small.as_json()
            print(json.dumps(found.fields, ensure_ascii=False))
        else:
            apart = self.verdicts and self.checker.style == TEXT and found.text
            print(("\n" if apart else "") + found.text, end="")
            if found.disagreement:
                print(f"\n{found.disagreement}", flush=True)
                self._show_reproducer(found)
        if found.bug:
            self.bugs += 1
        else:
            self.verdicts.append(found.verdict)
        sys.stdout.flush()

    def _reproduce(self, found: Compared) -> Reproducer | None:
        """Shrinks the first disagreement of the batch, if that is wanted."""
        if not self.args.shrink or self.shrunk:
            return None
        self.shrunk = True
        args, checker = self.args, self.checker
        comparison = found.comparison
        if comparison is None:  # of another process: once more here
            model = checker.model(found.model_name)
            program = checker.mapped(load_program(found.path), model)
            comparison = checker.compare(program, model, False)
            if not comparison.differences:  # only a time-out, or a fault that comes and goes
                return None
        return reproduce(
            comparison, checker.configurations, args.output, args.shrink_time, args.seed
        )

    def _show_reproducer(self, found: Compared) -> None:
        again = self.shrunk
        small = self._reproduce(found)
        if small is not None:
            print(small.text())
        elif again and self.args.shrink:
            print("not shrunk: only the first disagreement is\n")

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
        if self.bugs:
            parts.append(f"{self.bugs} with internal errors")
        lines = ["", f"{', '.join(parts)}; {seconds:.2f} s"]
        if self.checker.style == TABLE:
            pairs = [(name, (reason, times)) for (name, reason), times in self.left_out.items()]
            for (reason, times), names in by_reason(pairs).items():
                lines.append(f"not applicable ({count(times, 'time')}): {names}: {reason}")
        return "\n".join(lines)
