"""What `hybrid verify` does with one file: read it, run it under a model, say what came of it.

A Verifier leaves bugs of hybrid and Ctrl-C outside of explorations to its caller. VerifyWork does
the same for a batch, which nothing that a single test does may end: these, too, become a `Done`.
"""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hybrid.api.inputs import Reading
from hybrid.api.verify import chosen_for, verify_loaded
from hybrid.batch.done import ANSWERED, BUG, FAULTY, TIMED_OUT, UNFINISHED, UNSUPPORTED, Done
from hybrid.batch.expected import ExpectedTable, differences
from hybrid.batch.explore import Explorer
from hybrid.batch.models import Models, Unnamed
from hybrid.batch.pool import LATE
from hybrid.errors import InputError, Stopped, Unsupported
from hybrid.files import real
from hybrid.frontend.c.provenance import sources_of
from hybrid.frontend.compiler_options import NO_OPTIONS, CompilerOptions
from hybrid.frontend.load import model_of
from hybrid.model import orders
from hybrid.program.program import Program
from hybrid.report.output_format import OutputFormat
from hybrid.report.result import INTERRUPTED, TIME_OUT, Result
from hybrid.report.row import Row, not_demanded
from hybrid.report.witness_lines import race_lines, waiting_line
from hybrid.verdict import Verdict

if TYPE_CHECKING:
    from hybrid.report.html.views import AnswerView

T = TypeVar("T")


class Verifier:
    """Reads programs, runs them, and says what came of them."""

    def __init__(
        self,
        explorer: Explorer,
        models: Models,
        tables: tuple[ExpectedTable, ...],
        form: OutputFormat,
        compiling: CompilerOptions = NO_OPTIONS,
        views: float | None = None,
    ) -> None:
        """`views`: also make what --html shows of each program, with so many seconds for
        reasons."""
        self.views = views
        self.explorer = explorer
        self.asked = explorer.asked
        self.reading = Reading(compiling, self.asked.seconds, self.asked.max_memory)
        self.models = models
        self.tables = tables
        self.form = form

    def read(self, path: Path, start: float) -> Program | Done:
        """The program in a file, or what to say if there is none; its time began at `start`."""
        try:
            return self.reading.program(path, start)
        except Stopped as stop:
            return self._ended_by(stop, path, path.stem, "-", start)
        except InputError as error:
            return self._refused(path, None, "-", error)
        except MemoryError:
            return self.stopped(path, path.stem, "-", "out of memory", start)

    def run(
        self, path: Path, program: Program, name: str, start: float
    ) -> tuple[Done, Result | None]:
        """What came of the program under the model `name`; the Result, if it was explored."""
        try:
            model = self.models.load(name)
            verified = verify_loaded(program, model, self.explorer, start, str(path))
        except InputError as error:
            return self._refused(path, program, name, error), None
        result = verified.result
        if result is None:
            return self.stopped(path, program.name, name, verified.partial, start), None
        return self._answer(path, result, name), result

    # ---- what is said

    def _answer(self, path: Path, result: Result, name: str) -> Done:
        ignored = orders.unknown(result.program, result.model)
        row = replace(Row.of(result), chosen_for=self._chosen_for(result.program), ignored=ignored)
        end = ANSWERED
        if result.partial.startswith(TIME_OUT):
            end = TIMED_OUT
        elif result.unsupported:
            end = UNSUPPORTED
        elif result.unfinished:
            end = UNFINISHED
        table, listed, found = self._compared(path, result, name, end)
        if listed and end == ANSWERED:
            good = not found and (not result.demanded or result.as_expected is True)
            counted = Verdict.HOLDS if good else Verdict.VIOLATED
            row = replace(
                row, counted=counted, as_expected=good, differences=(*row.differences, *found)
            )
        text = self.form.result(result, str(path), row)
        told = []
        if row.differences and not self.form.verdicts and result.demanded:
            told.append(differs(path, row, table if found else ""))
        if self.form.notes_aside:
            notes = [orders.note(result.program, result.model), orders.told(result.program)]
            notes += [*race_lines(result), waiting_line(result)]
            told += [f"{path}: {note}" for note in notes if note]
        sources = sources_of(result.program.meta)
        view = self._view(result, row)
        return Done(str(path), end, row, text, "\n".join(told), table, listed, found, sources, view)

    def _view(self, result: Result, row: Row) -> AnswerView | None:
        if self.views is None:
            return None
        from hybrid.batch.html_report import view_asked
        from hybrid.explain.view import answer_view

        return answer_view(result, row, view_asked(result.program, self.views))

    def _chosen_for(self, program: Program) -> str:
        """The architecture whose model was taken; empty: the model was not chosen by it."""
        if self.models.names is not None:
            return ""
        return chosen_for(program) if self.models.unnamed is Unnamed.OWN else program.arch

    def _compared(
        self, path: Path, result: Result, name: str, end: str
    ) -> tuple[str, bool, tuple[str, ...]]:
        """The table that speaks of the test, whether it has a row for it, and the differences."""
        tables = self._tables_for(path, result.program, name)
        for table in tables:
            row = table.row(path)
            if row is not None:
                found = differences(row, result) if end == ANSWERED else ()
                return str(table.path), True, tuple(map(str, found))
        return (str(tables[0].path) if tables else ""), False, ()

    def _tables_for(self, path: Path, program: Program | None, name: str) -> list[ExpectedTable]:
        """A table beside the tests speaks of the default model alone."""
        own = program is None or name == model_of(program)
        here = real(path.parent)
        return [
            table
            for table in self.tables
            if table.asked or (own and real(table.path.parent) == here)
        ]

    def _unanswered(
        self,
        path: Path,
        program: Program | None,
        name: str,
        end: str,
        row: Row,
        text: str,
        complaint: str,
    ) -> Done:
        tables = self._tables_for(path, program, name)
        listed = [table for table in tables if table.row(path) is not None]
        table = str((listed or tables)[0].path) if tables else ""
        return Done(str(path), end, row, text, complaint, table, bool(listed))

    def _refused(self, path: Path, program: Program | None, name: str, error: InputError) -> Done:
        refused = isinstance(error, Unsupported)
        title = path.stem if program is None else program.name
        row = Row.error(title, name, refused)
        text = self.form.failure(row, str(path), error.message, error.hint, error.span)
        end = UNSUPPORTED if refused else FAULTY
        return self._unanswered(path, program, name, end, row, text, error.render())

    def _ended_by(self, stop: Stopped, path: Path, title: str, name: str, start: float) -> Done:
        if stop.told:
            return self.stopped(path, title, name, stop.told, start)
        return self.late(path, title, name, start)

    def late(self, path: Path, title: str, name: str, start: float, more: str = "") -> Done:
        why = f"{TIME_OUT} after {self.asked.seconds:.3g} s{more}"
        return self.stopped(path, title, name, why, start)

    def stopped(self, path: Path, title: str, name: str, why: str, start: float) -> Done:
        """Stopped outside an exploration: there is nothing to show."""
        seconds = time.monotonic() - start
        open_ = Verdict.INCONCLUSIVE
        row = Row(title, name, "-", open_, open_, seconds=seconds, partial=why)
        if self.asked.demanded:
            good = self.asked.demanded == open_.value
            counted = Verdict.HOLDS if good else Verdict.VIOLATED
            told = () if good else (not_demanded(open_.value, self.asked.demanded),)
            row = replace(row, counted=counted, as_expected=good, differences=told)
        end = TIMED_OUT if why.startswith(TIME_OUT) else UNFINISHED
        text = self.form.stopped(row, str(path))
        # herd's form has no word for it
        complaint = f"{path}: {why}" if self.form.notes_aside else ""
        return self._unanswered(path, None, name, end, row, text, complaint)

    def lost(self, path: Path, reason: str, title: str = "", name: str = "-") -> Done:
        """A test that a bug of hybrid, or whatever ended its worker, has left without an answer."""
        row = Row.error(title or path.stem, name, bug=True)
        text = self.form.failure(row, str(path), f"internal error: {reason}")
        complaint = f"{path}: internal error (a bug in hybrid, please report it): {reason}"
        return self._unanswered(path, None, name, BUG, row, text, complaint)


def differs(path: Path, row: Row, table: str) -> str:
    """How an answer differs from the known ones, of `table` if that is not empty."""
    return f"{path}: {'; '.join(row.differences)}{f' ({table})' if table else ''}"


class VerifyWork:
    """The work of a batch. A worker process has a copy of its own."""

    own_progress = False

    def __init__(self, verifier: Verifier) -> None:
        self.verifier = verifier
        self.at = ""

    @property
    def seconds(self) -> float | None:
        models, seconds = self.verifier.models, self.verifier.asked.seconds
        if seconds is None or (models.names is None and models.unnamed is Unnamed.EXPECTED):
            return None
        return (seconds + (self.verifier.views or 0)) * len(models.names or [""])

    def __call__(self, path: Path) -> list[Done]:
        return list(self.each(path))

    def each(self, path: Path) -> Iterator[Done]:
        start = time.monotonic()
        self.at = path.stem
        program = self._guarded(
            lambda: self.verifier.read(path, start), path, path.stem, "-", start
        )
        if isinstance(program, Done):
            yield program
            return
        for name in self.verifier.models.names_for(program):
            self.at = f"{program.name} under {name}"
            yield self._one(path, program, name, start)
            start = time.monotonic()  # what reading took counts for the first

    def _one(self, path: Path, program: Program, name: str, start: float) -> Done:
        return self._guarded(
            lambda: self.verifier.run(path, program, name, start)[0],
            path,
            program.name,
            name,
            start,
        )

    def _guarded(
        self, work: Callable[[], T], path: Path, title: str, name: str, start: float
    ) -> T | Done:
        """What `work` gives; or what to say of the test if Ctrl-C or a bug comes first."""
        try:
            return work()
        except KeyboardInterrupt:
            return self.verifier.stopped(path, title, name, INTERRUPTED, start)
        except Exception as error:
            message = f"{type(error).__name__}: {error}".rstrip(": ")
            if os.environ.get("HYBRID_DEBUG", "") not in ("", "0"):
                message += "\n" + "".join(traceback.format_exception(error))
            return self.verifier.lost(path, message, title, name)

    def lost(self, path: Path, reason: str) -> list[Done]:
        """A worker's time was over and it did not stop, or it died."""
        if reason != LATE:
            return [self.verifier.lost(path, reason)]
        start = time.monotonic()
        return [self.verifier.late(path, path.stem, "-", start, "; its process was ended")]
