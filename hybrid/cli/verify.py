"""`hybrid verify`: explore programs under models and answer their final conditions, one by one or
in a batch."""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TextIO

from hybrid import __version__
from hybrid.batch.done import VERIFY_JOURNAL, Done
from hybrid.batch.expected import NAME, ExpectedTable, find_tables, known_answers
from hybrid.batch.journal import BatchJournal, digest, digest_of
from hybrid.batch.one_file import Runner
from hybrid.batch.pool import Pool, cores
from hybrid.batch.summary import exit_code, groups_text, summary_text
from hybrid.cli import options, shared_out
from hybrid.cli.engine_options import add_engine_options, add_race_option, configuration_of
from hybrid.cli.main import EXIT_CODES
from hybrid.data import bundled
from hybrid.errors import InputError
from hybrid.frontend.find_programs import program_paths
from hybrid.parallel.sharing import divisible
from hybrid.parsing import did_you_mean
from hybrid.program.program import Expectation
from hybrid.report.formats import DEFAULT, FORMATS, OF_BUNDLE
from hybrid.report.output import check_outputs, check_writable, go_on, output, write_file
from hybrid.report.output_format import Conclusion
from hybrid.report.progress import Bar
from hybrid.report.result import INTERRUPTED
from hybrid.report.screen import write_coloured
from hybrid.report.trace_formats import EXTENSIONS, TRACE_FORMATS, Shown, format_of
from hybrid.verdict import EXPECTABLE

EXAMPLES = f"""examples:
  hybrid verify                              the bundled programs, one line per folder
  hybrid verify --table                      the same, one line per program and model
  hybrid verify SB.prog --model tso          one program under one model
  hybrid verify SB.prog --model sc,tso,my.cat
  hybrid verify MP.litmus                    under the model of its architecture
  hybrid verify tests/ --table --timeout 10  all programs below a folder
  hybrid verify @all -j 4 --format herd      those that the file `all` lists, by four processes, in herd's form
  hybrid verify ppc/ --resume ppc.journal    goes on where it was stopped
  hybrid verify MP.prog --first --witness mp.svg
  hybrid verify SB.prog --engine rsmc --oracle z3
  hybrid verify SB.prog --engine bmc --first  one formula, its answer, no enumeration
  hybrid verify large.prog -j 8 --checkpoint large.json   by eight processes; goes on from there if it is ended
  hybrid verify SB.prog --json -o sb.json
  hybrid verify SB.prog --expect FORBIDDEN   exits 1 on any other answer, for scripts

A file may state what it expects under a model. An answer that differs from it is VIOLATED; one that
is equal to it is shown `(as expected)` and counts as 0 in the exit code, an expected VIOLATED or
BOUNDED included. The same holds of known answers in a table, {NAME} beside the tests or --expected.
--expect VERDICT takes the place of what files expect: every program must get that answer, or the exit
code is 1. A table is compared besides.
"""
SETTINGS = (  # the options that decide what comes of a test
    "engine",
    "oracle",
    "sat_solver",
    "policy",
    "equivalence",
    "memory",
    "seed",
    "unroll",
    "max_steps",
    "timeout",
    "limit",
    "max_memory",
    "first",
    "expect",
    "races",
    "liveness",
    "map",
)
EXPECTED = (*EXPECTABLE, Expectation.RACE)  # what --expect takes
WRITTEN = ("output", "witness", "resume", "checkpoint")  # the options that name files to write


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = "Explores programs under memory models and answers their final conditions."
    parser.epilog = f"{EXAMPLES}\n{EXIT_CODES}"
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="programs, folders of programs, or @LIST for a file of their paths; none: the bundled ones, under the models they have expectations for",
    )
    parser.add_argument(
        "--model",
        metavar="MODEL",
        action="append",
        help="a built-in model or a .cat file; several: again, or with commas; default: "
        + options.WHICH_MODEL,
    )
    add_engine_options(parser)
    add_race_option(parser)
    options.add_map_option(parser)
    claims = parser.add_argument_group("claims")
    claims.add_argument(
        "--liveness",
        action="store_true",
        help="a run in which a thread waits for ever is a violation (exit code 1), not only a note",
    )
    stop = parser.add_argument_group("when to stop")
    stop.add_argument(
        "--limit", metavar="N", type=options.positive, help="stop after N complete traces"
    )
    which = stop.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="explore everything (the default)")
    which.add_argument("--first", action="store_true", help="stop at the first trace that answers")
    batch = parser.add_argument_group("batches")
    batch.add_argument(
        "-j",
        "--jobs",
        metavar="N",
        type=options.processes,
        help="processes: each takes one file after the other; a single exploration is "
        f"shared out ({divisible()}); default 1, and for the bundled programs one per core",
    )
    batch.add_argument(
        "--expected",
        metavar="FILE",
        help=f"a table of known answers to compare with; default: {NAME} in the tests' folder",
    )
    batch.add_argument(
        "--expect",
        metavar="VERDICT",
        help=f"exit with 1 if the answer for any program is another one: {', '.join(EXPECTED)}",
    )
    batch.add_argument(
        "--resume",
        metavar="FILE",
        help="a journal, written as it goes: a batch with the same settings goes on where it stopped",
    )
    shared_out.configure(parser)
    out = parser.add_argument_group("output")
    how = out.add_mutually_exclusive_group()
    how.add_argument(
        "--format",
        metavar="NAME",
        choices=list(FORMATS),
        help=f"{', '.join(FORMATS)}; default {DEFAULT}",
    )
    for form in FORMATS.values():
        if form.shortcut:
            how.add_argument(
                f"--{form.name}",
                dest="format",
                action="store_const",
                const=form.name,
                help=form.shortcut,
            )
    out.add_argument("-o", "--output", metavar="FILE", help="write there, not to standard output")
    out.add_argument(
        "--witness",
        metavar="FILE",
        help=f"also write the witness, as its extension says: {', '.join(EXTENSIONS)}",
    )


def run(args: argparse.Namespace) -> int:
    if args.witness is not None:
        format_of(args.witness)  # complains before the work, not after
        check_writable(args.witness)
    asked = configuration_of(args)
    if args.expect is not None:
        args.expect = _verdict(args.expect)
    bundle = not args.files
    if args.jobs is None:
        args.jobs = cores() if bundle else 1
    arguments = args.files or [str(bundled("litmus"))]
    paths = program_paths(arguments)
    models = None if args.model is None else options.model_names(args.model)
    tables = find_tables(args.expected, arguments, paths)
    single = len(paths) == 1 and (models is None or len(models) == 1) and not bundle
    if args.witness is not None:
        if not single:
            raise InputError("--witness needs one program and one model")
        if args.resume is not None:
            raise InputError("--witness and --resume do not go together")
    written = {f"--{name}": getattr(args, name) for name in WRITTEN}
    check_outputs(written, [*paths, *(table.path for table in tables)])
    form = FORMATS[args.format or (OF_BUNDLE if bundle else DEFAULT)]
    alone = single and not form.batch and not any(table.whole for table in tables)
    sharing = shared_out.sharing_of(args, single, alone)
    runner = Runner(args, asked, models, tables, form, bundle, alone, sharing)
    for name in models or ():  # complains of a bad one at once; workers have them from the start
        runner.model(name)
    with output(args.output) as stream, _journal(args, runner, models, tables) as journal:
        return _Batch(args, runner, paths, tables, stream, journal).run()


def _verdict(text: str) -> str:
    """The verdict that --expect names, in whatever case."""
    if text.upper() in EXPECTED:
        return text.upper()
    guess = did_you_mean(text.upper(), EXPECTED)
    known = f"known: {', '.join(EXPECTED)}"
    raise InputError(f"--expect: no verdict is called '{text}'", hint=f"{guess} {known}".lstrip())


def _journal(
    args: argparse.Namespace,
    runner: Runner,
    models: list[str] | None,
    tables: tuple[ExpectedTable, ...],
) -> closing[BatchJournal[Done]] | nullcontext[None]:
    if args.resume is None:
        return nullcontext()
    settings: dict[str, object] = {"hybrid": __version__}
    settings |= {name: getattr(args, name) for name in SETTINGS}
    settings["format"] = runner.form.name
    settings["models"] = models
    settings["model_texts"] = (
        digest(*sorted(bundled("encodings").rglob("*.cat")))  # any of them may be asked for
        if models is None
        else [digest_of(repr(runner.model(name))) for name in models]  # with what it includes
    )
    settings["expected"] = None if args.expected is None else digest(Path(args.expected))
    return closing(
        BatchJournal(
            Path(args.resume), VERIFY_JOURNAL, settings, lambda path: known_answers(tables, path)
        )
    )


class _Batch:
    """Runs the files, here or by a pool, and writes what comes of them in the order of the files."""

    def __init__(
        self,
        args: argparse.Namespace,
        runner: Runner,
        paths: list[Path],
        tables: tuple[ExpectedTable, ...],
        stream: TextIO,
        journal: BatchJournal[Done] | None,
    ) -> None:
        self.args = args
        self.runner = runner
        self.paths = paths
        self.tables = tables
        self.stream = stream
        self.journal = journal
        self.results: list[Done] = []
        self.known = {} if journal is None else _known(journal, paths)
        self.resumed = len(self.known)
        self.interrupted = ""  # what Ctrl-C left undone
        self.written = False  # a text, to be parted from the next
        self.width = max(len(path.stem) for path in paths)
        pooled = args.jobs > 1 and len(paths) - len(self.known) > 1
        self.bar = Bar(len(paths), sys.stderr, not runner.alone, by_itself=not pooled)
        self.work = self._by_pool if pooled else self._here

    def run(self) -> int:
        start = time.monotonic()
        self.stream.write(self.runner.form.head(self.width))
        try:
            todo = [number for number in range(len(self.paths)) if number not in self.known]
            self.bar.done = self.bar.before = len(self.known)
            self.work(todo)
            self._show_known(len(self.paths))
        finally:
            self.bar.end()
        if self.runner.alone:
            self._write_witness()
            self._say_how_to_go_on()
        else:
            self._conclude(time.monotonic() - start)
        return exit_code(self.results, self.tables, self.paths, bool(self.interrupted))

    def _here(self, todo: list[int]) -> None:
        for number in todo:
            self._show_known(number)
            path = self.paths[number]
            self.bar.now = path.stem
            found: list[Done] = []
            for done in self.runner.each(path):
                found.append(done)
                self._show(done)
                if done.row.partial == INTERRUPTED:
                    self.interrupted = f"nothing was run after {done.row.program}"
                    return
            self._finished(path, found)

    def _by_pool(self, todo: list[int]) -> None:
        paths = [self.paths[number] for number in todo]
        pool = Pool(
            paths,
            self.runner,
            lambda path, reason: [self.runner.ended(path, reason)],
            self.args.jobs,
            self.runner.seconds,
            arrived=lambda place, found: self._finished(paths[place], found),
            tick=self.bar.draw,
        )
        ran = 0
        for place, found in pool.results():
            self._show_known(todo[place])
            ran += 1
            for done in found:
                self._show(done)
        if pool.interrupted:
            self.interrupted = f"{len(todo) - ran} of {len(self.paths)} files were not run"

    def _finished(self, path: Path, found: list[Done]) -> None:
        """A file is done, though its turn to be shown may not have come."""
        if self.journal is not None:
            self.journal.add(path, found)
        self.bar.count([done.trouble for done in found if done.trouble])

    def _show_known(self, number: int) -> None:
        """What an earlier run found of the files before that one."""
        for place in sorted(place for place in self.known if place < number):
            for done in self.known.pop(place):
                self._show(done)

    def _show(self, done: Done) -> None:
        self.results.append(done)
        self.bar.erase()
        if done.complaint:
            print(done.complaint, file=sys.stderr, flush=True)
        form = self.runner.form
        text = form.line(done.row, self.width) + done.text
        if text:
            if self.written and form.parted:
                self.stream.write("\n")
            write_coloured(self.stream, text, form.paint)
            self.written = True
        self.stream.flush()

    def _conclude(self, seconds: float) -> None:
        form = self.runner.form
        shown = form.conclusion is Conclusion.OUTPUT
        if self.tables or form.conclusion is not Conclusion.COMPARED:
            told = groups_text if form.by_group else summary_text
            text = told(self.results, self.tables, self.paths, seconds)
            if self.resumed:
                text += f"{self.resumed} of {len(self.paths)} files were done before, says {self.args.resume}\n"
            if form.parted:
                text = f"\n{text}"
            write_coloured(self.stream if shown else sys.stderr, text, form.paint)
        if self.interrupted:
            print(f"interrupted: {self.interrupted}", file=sys.stderr)
            if self.journal is not None:
                print(go_on(self.args.command_line, self.args.resume), file=sys.stderr)

    def _say_how_to_go_on(self) -> None:
        """After Ctrl-C, a time-out or the like: where what is left was saved."""
        result = self.runner.result
        if result is not None and result.saved:
            print(go_on(self.args.command_line, result.saved), file=sys.stderr)

    def _write_witness(self) -> None:
        result, target = self.runner.result, self.args.witness
        if target is None or result is None:
            return
        trace = result.witness or result.waiting
        if trace is None:
            print(f"no witness: {target} is not written", file=sys.stderr)
            return
        shown = Shown(trace.data(), result.model, result.engine, result.limits)
        write_file(target, TRACE_FORMATS[format_of(target)](shown))


def _known(journal: BatchJournal[Done], paths: list[Path]) -> dict[int, list[Done]]:
    """What the journal knows, by the number of the file."""
    found = {number: journal.before(path) for number, path in enumerate(paths)}
    return {number: dones for number, dones in found.items() if dones is not None}
