"""`hybrid verify` behind its options: one program, or a batch of them.

Both read, run and compare a file by a Verifier and write what came of it by a Writer. One program
is explored with a progress line, may be shared out, and is the one whose witness is written; bugs
and Ctrl-C are not caught for it. A batch goes on whatever comes of a file, and has last lines.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from hybrid.api.verify_file import Verifier, VerifyWork, differs
from hybrid.batch.batch import Batch
from hybrid.batch.done import VERIFY_JOURNAL, Done
from hybrid.batch.expected import ExpectedTable, known_answers
from hybrid.batch.explore import Explorer, Exploring
from hybrid.batch.journal import BatchJournal, compiler_settings, digest
from hybrid.batch.kernel_note import kernel_note
from hybrid.batch.models import Models
from hybrid.batch.summary import exit_code, groups_text, summary_text
from hybrid.frontend.compiler_options import CompilerOptions
from hybrid.parallel.sharing import Sharing
from hybrid.report.output import go_on, output, write_file
from hybrid.report.output_format import Conclusion, OutputFormat
from hybrid.report.result import Result
from hybrid.report.row import batch_line
from hybrid.report.screen import write_coloured
from hybrid.report.trace_formats import TRACE_FORMATS, Shown, format_of
from hybrid.verdict import worst_code

if TYPE_CHECKING:
    from hybrid.cli.verify_certificate import CertificateRequest

# for the reasons of a forbidden outcome that a report shows: of a program alone, of one in a batch
REASONS, REASONS_IN_BATCH = 10.0, 2.0


@dataclass(frozen=True, slots=True)
class VerifyRequest:
    """What the user asks for."""

    paths: list[Path]
    tables: tuple[ExpectedTable, ...]
    compiling: CompilerOptions
    models: Models
    exploring: Exploring
    form: OutputFormat
    output: str | None
    jobs: int
    resume: str | None  # the journal
    settings: Mapping[str, Any]  # what a run that goes on from a journal must have in common
    command_line: str
    html: str | None = None  # the file of a report
    certificate: CertificateRequest | None = None


def verify_program(asked: VerifyRequest, sharing: Sharing, witness: str | None) -> int:
    """One program under one model. Returns the exit code."""
    explorer = Explorer(asked.exploring, progress=asked.form.progress, sharing=sharing)
    verifier = _verifier(asked, explorer, REASONS)
    path = asked.paths[0]
    start = time.monotonic()
    with output(asked.output) as stream, _journal(asked) as journal:
        writer = Writer(asked.form, asked.paths, stream)
        known = None if journal is None else journal.before(path)
        result = None
        if known is not None:
            (done,) = known
        else:
            done, result = _one_program(verifier, path)
        writer.show(done)
        writer.end(not done.interrupted)
        if journal is not None and known is None:
            journal.add(path, [done])
        if asked.html is not None:
            from hybrid.batch.html_report import view_of, write_answer

            write_answer(asked.html, view_of(done), asked.command_line)
        if result is not None and witness is not None:
            _write_witness(result, witness)
        if result is not None and result.saved:
            print(go_on(asked.command_line, result.saved), file=sys.stderr)
    _tell_of_kernel(asked, writer, start)
    code = exit_code([done], asked.tables, asked.paths, done.interrupted)
    if result is not None and asked.certificate is not None:
        from hybrid.cli.verify_certificate import certify_answer

        return worst_code([code, certify_answer(result, asked.certificate)])
    return code


def _verifier(asked: VerifyRequest, explorer: Explorer, seconds: float) -> Verifier:
    """`seconds`: for the reasons of each program that a report shows."""
    reasons = None if asked.html is None else seconds
    return Verifier(explorer, asked.models, asked.tables, asked.form, asked.compiling, reasons)


def _one_program(verifier: Verifier, path: Path) -> tuple[Done, Result | None]:
    start = time.monotonic()
    program = verifier.read(path, start)
    if isinstance(program, Done):
        return program, None
    (name,) = verifier.models.names_for(program)
    done, result = verifier.run(path, program, name, start)
    if done.differences and not verifier.form.verdicts and not verifier.asked.demanded:
        told = differs(path, done.row, done.table)  # no last lines will say so
        done = replace(done, complaint="\n".join(filter(None, [told, done.complaint])))
    return done, result


def _write_witness(result: Result, target: str) -> None:
    trace = result.witness or result.waiting
    if trace is None:
        print(f"no witness: {target} is not written", file=sys.stderr)
        return
    shown = Shown(trace.data(), result.model, result.engine, result.limits)
    write_file(target, TRACE_FORMATS[format_of(target)](shown))


def verify_batch(asked: VerifyRequest) -> int:
    """Many programs, or one of which the last lines of a batch are wanted. Returns the exit
    code."""
    work = VerifyWork(_verifier(asked, Explorer(asked.exploring), REASONS_IN_BATCH))
    start = time.monotonic()
    with output(asked.output) as stream, _journal(asked) as journal:
        writer = Writer(asked.form, asked.paths, stream)
        batch = Batch(asked.paths, work, writer.show, asked.jobs, journal, asked.form.progress)
        batch.run()
        writer.end(not batch.interrupted)
        _conclude(asked, writer, batch.resumed, time.monotonic() - start)
        if asked.html is not None:
            from hybrid.batch.html_report import write_batch

            told = (batch_line([done.row for done in writer.results], time.monotonic() - start),)
            write_batch(asked.html, writer.results, told, asked.command_line)
    if batch.interrupted:
        print(batch.interrupted, file=sys.stderr)
        if asked.resume is not None:
            print(go_on(asked.command_line, asked.resume), file=sys.stderr)
    _tell_of_kernel(asked, writer, start)
    return exit_code(writer.results, asked.tables, asked.paths, bool(batch.interrupted))


def _tell_of_kernel(asked: VerifyRequest, writer: Writer, start: float) -> None:
    """People alone are told what a compiled kernel would have given."""
    rows = (done.row for done in writer.results)
    oracle = asked.exploring.configuration.oracle
    note = kernel_note(rows, oracle, time.monotonic() - start)
    if note and asked.form.conclusion is Conclusion.OUTPUT:
        print(note, file=sys.stderr)


def _conclude(asked: VerifyRequest, writer: Writer, resumed: int, seconds: float) -> None:
    form = asked.form
    if not asked.tables and form.conclusion is Conclusion.COMPARED:
        return
    last_lines = groups_text if form.by_group else summary_text
    text = last_lines(writer.results, asked.tables, asked.paths, seconds)
    if resumed:
        text += f"{resumed} of {len(asked.paths)} files were done before, says {asked.resume}\n"
    if form.parted:
        text = f"\n{text}"
    stream = writer.stream if form.conclusion is Conclusion.OUTPUT else sys.stderr
    write_coloured(stream, text, form.paint)


def _journal(asked: VerifyRequest) -> closing[BatchJournal[Done]] | nullcontext[None]:
    if asked.resume is None:
        return nullcontext()
    settings = {**asked.settings, "format": asked.form.name, **asked.models.settings()}
    if asked.html is not None:
        settings["html"] = True  # what a report shows is kept too
    settings |= compiler_settings(asked.paths, asked.compiling)
    tables = [table.path for table in asked.tables if table.asked]
    settings["expected"] = digest(*tables) if tables else None
    return closing(
        BatchJournal(
            Path(asked.resume),
            VERIFY_JOURNAL,
            settings,
            lambda path: known_answers(asked.tables, path),
        )
    )


class Writer:
    """Writes what came of each program, and keeps it."""

    def __init__(self, form: OutputFormat, paths: list[Path], stream: TextIO) -> None:
        self.stream = stream
        self.results: list[Done] = []
        self._form = form
        self._width = max(len(path.stem) for path in paths)
        self._written = False  # a text, to be parted from the next
        self._parts: list[str] = []  # of a document
        stream.write(form.head(self._width))

    def show(self, done: Done) -> None:
        self.results.append(done)
        if done.complaint:
            print(done.complaint, file=sys.stderr, flush=True)
        text = self._form.line(done.row, self._width) + done.text
        if self._form.document:
            self._parts.append(text)
        elif text:
            if self._written and self._form.parted:
                self.stream.write("\n")
            write_coloured(self.stream, text, self._form.paint)
            self._written = True
        self.stream.flush()

    def end(self, finished: bool) -> None:
        """Writes a document, which is whole only now; `finished`: nothing was left out."""
        if self._form.document:
            self.stream.write(self._form.whole(self._parts, finished))
            self.stream.flush()
