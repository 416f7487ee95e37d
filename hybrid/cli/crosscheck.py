"""`hybrid crosscheck`: every applicable engine, oracle and equivalence on a program; their traces
must be the same."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from hybrid.api.crosscheck import Comparing
from hybrid.api.crosscheck_file import CROSSCHECK_JOURNAL, Checker, Compared
from hybrid.batch.batch import Batch
from hybrid.batch.journal import BatchJournal, compiler_settings
from hybrid.batch.models import Models, Unnamed
from hybrid.catalogue.spelling import ALL, GRAMMAR, parse_configurations, spelled
from hybrid.cli import options
from hybrid.crosscheck.found import count
from hybrid.data import bundled
from hybrid.engine.api import DEFAULT_UNROLL, Limits
from hybrid.errors import InternalError
from hybrid.frontend.compiler_options import CompilerOptions
from hybrid.frontend.find_programs import program_paths
from hybrid.report.comparison import HEAD, JSON, TABLE, TEXT, by_reason, table_line
from hybrid.report.disagreement import Reproducer, check_output, reproduce
from hybrid.report.output import check_outputs, go_on
from hybrid.verdict import Verdict, worst_code
from hybrid.versions import __version__

EXAMPLES = f"""examples:
  hybrid crosscheck       the bundled programs under all built-in models, as a table
  hybrid crosscheck SB.prog --model tso
  hybrid crosscheck SB.prog --html sb.html   a report for a browser
  hybrid crosscheck tests/ --engines enumerate,rsmc,rsmc/last,rsmc+rf --timeout 60
  hybrid crosscheck ppc/ --engines enumerate,rsmc,bmc:sat -j 4 --table
  hybrid crosscheck bad.prog --model my.cat -o small.prog
  hybrid crosscheck a.c b.c --model rc11 -- -DN=3

A configuration is {GRAMMAR}: `rsmc:z3`, `rsmc+rf/last`, `bmc:sat`.
Those that do not take the program or the model are listed with the reason.

exit codes: 0 all equal, 2 input errors, 4 a disagreement,
3 something was not finished or there was nothing to compare
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Runs all configurations on each program under each model and compares their traces: the "
        "sets must be equal (reads-from classes: equal to the projection of the full traces), with "
        "no trace met twice and no run stuck. A disagreement is explained, and the first one is "
        "shrunk to a small program that still shows it."
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
        help="a built-in model or a .cat file; several: again, or with commas; default: that of a "
        "litmus test's architecture, for other programs all built-in ones",
    )
    add(
        "--engines",
        metavar="A,B,…",
        default=ALL,
        help="the configurations; the first with full traces is what the others are measured by; "
        "default %(default)s",
    )
    add(
        "--complete",
        action="store_true",
        help="also show by a formula that there are no other traces",
    )
    _add_limits(add)
    options.add_resume_option(add)
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--table", action="store_true", help="one line per program and model, as for the bundle"
    )
    how.add_argument("--json", action="store_true", help="one JSON object per program and model")
    options.add_html_option(add)
    options.add_map_option(parser)
    options.add_compiler_options(parser)
    options.add_reproducer_options(parser)


def _add_limits(add: Callable[..., object]) -> None:
    add(
        "--unroll",
        type=options.natural,
        metavar="N",
        help=f"default {DEFAULT_UNROLL}, or what a C file says",
    )
    options.add_loops_option(add)
    options.add_max_steps(add)
    options.add_memory_option(add)
    add("--timeout", type=options.seconds, metavar="SECONDS", help="for each configuration")
    options.add_jobs_option(add)
    add("--seed", type=options.natural, default=0, metavar="N", help="for the policy random")


@dataclass(frozen=True, slots=True)
class CrosscheckRequest:
    """What the user asks for."""

    paths: list[Path]
    models: list[str] | None
    comparing: Comparing
    jobs: int
    form: str  # TEXT, TABLE or JSON
    resume: str | None
    command_line: str
    shrink: bool
    shrink_time: float
    output: str | None  # of the reproducer
    html: str | None = None  # the file of a report


def run(args: argparse.Namespace) -> int:
    check_output(args.output)
    configurations = parse_configurations(args.engines)
    form = JSON if args.json else TEXT
    if args.table or (not args.files and not args.json):
        form = TABLE
    paths, compiling = options.programs_to_read(
        program_paths(args.files or [str(bundled("litmus"))]),
        not args.files,
        args.link,
        CompilerOptions(args.clang, tuple(args.compiler_flags)),
    )
    unroll = DEFAULT_UNROLL if args.unroll is None else args.unroll
    return _compare_files(
        CrosscheckRequest(
            paths=paths,
            models=options.model_names(args.model),
            comparing=Comparing(
                configurations,
                Limits(unroll, max_steps=args.max_steps),
                args.timeout,
                args.seed,
                args.complete,
                args.max_memory,
                args.map,
                args.loops or "",
                args.unroll,
                compiling,
            ),
            jobs=args.jobs,
            form=form,
            resume=args.resume,
            command_line=args.command_line,
            shrink=args.shrink,
            shrink_time=args.shrink_time,
            output=args.output,
            html=options.html_file(args.html),
        )
    )


def _compare_files(asked: CrosscheckRequest) -> int:
    read = [*asked.paths, *asked.comparing.compiling.linked]
    check_outputs({"-o": asked.output, "--resume": asked.resume, "--html": asked.html}, read)
    models = Models(asked.models, Unnamed.OWN_OR_ALL)
    checker = Checker(asked.comparing, models, asked.form, asked.html is not None)
    start = time.monotonic()
    with _journal(asked, models) as journal:
        writer = _Writer(asked, checker)
        batch = Batch(asked.paths, checker, writer.show, asked.jobs, journal)
        batch.run()
    if batch.interrupted:
        writer.verdicts.append(Verdict.INCONCLUSIVE)
    writer.conclude(time.monotonic() - start, batch.resumed)
    if asked.html is not None:
        from hybrid.api.crosscheck_page import write_comparisons

        write_comparisons(asked.html, writer.found, asked.command_line)
    if batch.interrupted:
        print(batch.interrupted, file=sys.stderr)
        if asked.resume is not None:
            print(go_on(asked.command_line, asked.resume), file=sys.stderr)
    return writer.exit_code


def _journal(
    asked: CrosscheckRequest, models: Models
) -> closing[BatchJournal[Compared]] | nullcontext[None]:
    if asked.resume is None:
        return nullcontext()
    how = asked.comparing
    settings = {
        "hybrid": __version__,
        "engines": [spelled(each) for each in how.configurations],
        "unroll": how.unroll,
        "max_steps": how.limits.max_steps,
        "timeout": how.seconds,
        "seed": how.seed,
        "complete": how.complete,
        "max_memory": how.max_memory,
        "map": how.mapping,
        "loops": how.loops,
        "format": asked.form,
        **({"html": True} if asked.html is not None else {}),
        **models.settings(),
        **compiler_settings(asked.paths, how.compiling),
    }
    return closing(BatchJournal(Path(asked.resume), CROSSCHECK_JOURNAL, settings))


class _Writer:
    """Writes what came of each program, shrinks the first disagreement, and counts."""

    def __init__(self, asked: CrosscheckRequest, checker: Checker) -> None:
        self.verdicts: list[Verdict] = []
        self.found: list[Compared] = []
        self._asked = asked
        self._checker = checker
        self._left_out: dict[tuple[str, str], int] = {}  # configuration and reason
        self._bugs = 0  # files lost
        self._shrunk = False  # the first disagreement was
        self._width = max(len(HEAD[0]), *(len(path.stem) for path in asked.paths))
        if asked.form == TABLE:
            print(table_line(self._width, HEAD), end="")

    @property
    def exit_code(self) -> int:
        codes = [verdict.exit_code for verdict in self.verdicts]
        return worst_code([*codes, *([InternalError.exit_code] * bool(self._bugs))])

    def show(self, found: Compared) -> None:
        self.found.append(replace(found, comparison=None))
        if found.complaint:
            print(found.complaint, file=sys.stderr)
        for reason in found.left_out:
            self._left_out[reason] = self._left_out.get(reason, 0) + 1
        if found.fields is not None:
            self._show_fields(found, found.fields)
        else:
            self._show_text(found)
        if found.bug:
            self._bugs += 1
        else:
            self.verdicts.append(found.verdict)
        sys.stdout.flush()

    def _show_fields(self, found: Compared, fields: dict[str, object]) -> None:
        if found.disagreement:
            small = self._reproduce(found)
            fields = {**fields, "shrunk": None if small is None else small.as_json()}
        print(json.dumps(fields, ensure_ascii=False))

    def _show_text(self, found: Compared) -> None:
        text = (table_line(self._width, found.cells) if found.cells else "") + found.text
        apart = self.verdicts and self._asked.form == TEXT and text
        print(("\n" if apart else "") + text, end="")
        if not found.disagreement:
            return
        print(f"\n{found.disagreement}", flush=True)
        again = self._shrunk
        small = self._reproduce(found)
        if small is not None:
            print(small.text())
        elif again and self._asked.shrink:
            print("not shrunk: only the first disagreement is\n")

    def _reproduce(self, found: Compared) -> Reproducer | None:
        """Shrinks the first disagreement of the batch, if that is wanted."""
        asked = self._asked
        if not asked.shrink or self._shrunk:
            return None
        self._shrunk = True
        comparison = self._checker.again(found)
        if not comparison.differences:  # only a time-out, or a fault that comes and goes
            return None
        return reproduce(
            comparison,
            asked.comparing.configurations,
            asked.output,
            asked.shrink_time,
            asked.comparing.seed,
        )

    def conclude(self, seconds: float, resumed: int) -> None:
        """The last lines, after more than one comparison."""
        form = self._asked.form
        if form == TABLE or (form == TEXT and len(self.verdicts) > 1):
            print(self._totals(seconds))
            if resumed:
                files = f"{resumed} of {len(self._asked.paths)} files"
                print(f"{files} were done before, says {self._asked.resume}")

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
        if self._bugs:
            parts.append(f"{self._bugs} with internal errors")
        lines = ["", f"{', '.join(parts)}; {seconds:.2f} s"]
        if self._asked.form == TABLE:
            pairs = [(name, (reason, times)) for (name, reason), times in self._left_out.items()]
            for (reason, times), names in by_reason(pairs).items():
                lines.append(f"not applicable ({count(times, 'time')}): {names}: {reason}")
        return "\n".join(lines)
