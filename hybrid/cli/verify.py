"""`hybrid verify`: explore programs under models and answer their final conditions."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from hybrid.cli import common, report
from hybrid.cli.formats import EXTENSIONS, FORMATS, Shown, format_of
from hybrid.cli.main import EXIT_CODES
from hybrid.cli.progress import Progress
from hybrid.data import bundled
from hybrid.engine.summary import INTERRUPTED, Result, summarise
from hybrid.errors import InputError
from hybrid.model.core import Model
from hybrid.model.load import load_model
from hybrid.program.program import Program
from hybrid.verdict import Verdict, worst

EXAMPLES = """examples:
  hybrid verify                              the bundled programs, as a table
  hybrid verify SB.prog --model tso          one program under one model
  hybrid verify SB.prog --model sc,tso,my.cat
  hybrid verify tests/ --table --timeout 10  all programs below a folder
  hybrid verify MP.prog --first --witness mp.svg
  hybrid verify SB.prog --engine rsmc --oracle z3
  hybrid verify SB.prog --engine bmc --first  one formula, its answer, no enumeration
  hybrid verify SB.prog --json -o sb.json

A file may state what it expects under a model. An answer that differs from it is VIOLATED; one that
is equal to it is shown `(as expected)` and counts as 0 in the exit code, an expected VIOLATED or
BOUNDED included.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = "Explores programs under memory models and answers their final conditions."
    parser.epilog = f"{EXAMPLES}\n{EXIT_CODES}"
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="programs, or folders of programs; none: the bundled ones, under the models they have expectations for",
    )
    parser.add_argument(
        "--model",
        metavar="MODEL",
        action="append",
        help=f"a built-in model or a .cat file; several: again, or with commas; default {common.DEFAULT_MODEL}",
    )
    common.add_engine_options(parser)
    stop = parser.add_argument_group("when to stop")
    stop.add_argument(
        "--limit", metavar="N", type=common.positive, help="stop after N complete traces"
    )
    which = stop.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="explore everything (the default)")
    which.add_argument("--first", action="store_true", help="stop at the first trace that answers")
    out = parser.add_argument_group("output")
    how = out.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="one JSON object a program and model")
    how.add_argument("--table", action="store_true", help="one line a program and model")
    how.add_argument("--quiet", action="store_true", help="only name, model and verdict")
    out.add_argument("-o", "--output", metavar="FILE", help="write there, not to standard output")
    out.add_argument(
        "--witness",
        metavar="FILE",
        help=f"also write the witness, as its extension says: {', '.join(EXTENSIONS)}",
    )


@dataclass(frozen=True, slots=True)
class Job:
    """One program under one model; or why there is none."""

    path: Path
    program: Program | None
    model: Model | None
    model_name: str
    error: InputError | None = None


def run(args: argparse.Namespace) -> int:
    if args.witness is not None:
        format_of(args.witness)  # complains before the work, not after
        common.check_writable(args.witness)
    bundle = not args.files
    paths = common.program_paths(args.files or [str(bundled("litmus"))])
    models = None if args.model is None else [load_model(name) for name in _names(args.model)]
    single = len(paths) == 1 and (models is None or len(models) == 1) and not bundle
    if args.witness is not None and not single:
        raise InputError("--witness needs one program and one model")
    with common.output(args.output) as stream:
        batch = _Batch(
            args, stream, table=args.table or (bundle and not args.json and not args.quiet)
        )
        return batch.run(paths, models, bundle, single)


def _names(given: list[str]) -> list[str]:
    names = [name.strip() for text in given for name in text.split(",")]
    if not all(names):
        raise InputError("--model: a name is empty", hint="as in --model sc,tso")
    return list(dict.fromkeys(names))


class _Batch:
    def __init__(self, args: argparse.Namespace, stream: TextIO, table: bool) -> None:
        self.args = args
        self.stream = stream
        self.rows: list[report.Row] = []
        self.as_table = table
        self.models: dict[str, Model] = {}  # loaded ones, by the name the user gave

    def run(self, paths: list[Path], models: list[Model] | None, bundle: bool, single: bool) -> int:
        start = time.monotonic()
        table = report.Table(max(len(path.stem) for path in paths))
        if self.as_table:
            self.stream.write(table.head())
        interrupted = ""  # the name of the program at which Ctrl-C came
        for job in self._jobs(paths, models, bundle):
            row = self._run_one(job)
            self.rows.append(row)
            if self.as_table:
                self.stream.write(table.row(row))
            self.stream.flush()
            if row.partial == INTERRUPTED:
                interrupted = row.program
                break
        if not single and not self.args.json and not self.args.quiet:
            if not self.as_table:
                self.stream.write("\n")
            self.stream.write(report.batch_line(self.rows, time.monotonic() - start))
        counted = [row.counted for row in self.rows]
        if interrupted and not single:
            print(f"interrupted: nothing was run after {interrupted}", file=sys.stderr)
            counted.append(Verdict.INCONCLUSIVE)
        return worst(counted)

    def _run_one(self, job: Job) -> report.Row:
        """Runs a job and writes its result. Where the input is at fault that is said and the batch goes on."""
        error = job.error
        if error is None:
            try:
                result = self._explore(job)
            except InputError as found:
                error = found
        if error is not None:
            return self._fail(job, error)
        self._show(result, job)
        return report.Row.of(result)

    def _jobs(self, paths: list[Path], models: list[Model] | None, bundle: bool) -> Iterator[Job]:
        """All jobs in order; programs are loaded when their turn comes."""
        for path in paths:
            try:
                program = common.program_at(path)
            except InputError as error:
                yield Job(path, None, None, "", error)
                continue
            if models is not None:
                yield from (Job(path, program, model, model.name) for model in models)
                continue
            expected = [e.model for e in program.expectations] if bundle else []
            for name in dict.fromkeys(expected or [common.DEFAULT_MODEL]):
                try:
                    if name not in self.models:
                        self.models[name] = load_model(name)
                except InputError as error:
                    yield Job(path, program, None, name, error)
                else:
                    yield Job(path, program, self.models[name], name)

    def _explore(self, job: Job) -> Result:
        assert job.program is not None and job.model is not None
        engine, notes = common.engine_for(self.args, job.program, job.model)
        if engine.name == common.BMC and self.args.first:
            return self._ask(job, notes)
        with Progress(engine, job.program.name, sys.stderr):
            result = summarise(
                job.program,
                job.model,
                engine,
                common.limits_for(self.args),
                oracle=common.oracle_name(self.args, engine),
                equivalence=self.args.equivalence,
                first=self.args.first,
                max_traces=self.args.limit,
            )
        result.messages += notes
        return result

    def _ask(self, job: Job, notes: list[str]) -> Result:
        """The formula's answer to the condition, without going through traces."""
        from hybrid.bmc.engine import answer

        assert job.program is not None and job.model is not None
        solver = self.args.oracle or common.SOLVERS[0]
        limits = common.limits_for(self.args)
        result = answer(job.program, job.model, limits, solver, self.args.sat_solver or "")
        result.messages += notes
        return result

    def _show(self, result: Result, job: Job) -> None:
        if self.args.json:
            self.stream.write(report.json_line(result, str(job.path)))
        elif self.args.quiet:
            self.stream.write(report.quiet_line(result))
        elif not self.as_table:
            if self.rows:
                self.stream.write("\n")
            self.stream.write(report.full_text(result))
        if self.args.witness is not None:
            if result.witness is None:
                print(f"no witness: {self.args.witness} is not written", file=sys.stderr)
            else:
                shown = Shown(
                    result.witness.data(), result.model, result.engine, result.limits.unroll
                )
                common.write_file(self.args.witness, FORMATS[format_of(self.args.witness)](shown))

    def _fail(self, job: Job, error: InputError) -> report.Row:
        print(error.render(), file=sys.stderr)
        name = job.path.stem if job.program is None else job.program.name
        if self.args.json:
            self.stream.write(report.json_error_line(error, str(job.path), job.model_name or None))
        elif self.args.quiet:
            self.stream.write(f"{name} {job.model_name or '-'} {Verdict.ERROR.value}\n")
        return report.Row.error(name, job.model_name or "-")
