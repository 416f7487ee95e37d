"""One file of a batch: read it, run it under its models, say what came of it. The same in this
process and in a worker.

Nothing that a single test does ends the batch: input errors, unsupported programs, time-outs, a
lack of memory and bugs of hybrid each become a `Done` that says so.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from hybrid.batch.done import ANSWERED, BUG, FAULTY, TIMED_OUT, UNFINISHED, UNSUPPORTED, Done
from hybrid.batch.expected import ExpectedTable, differences
from hybrid.batch.pool import LATE
from hybrid.catalogue.choice import choose, may_fall_back
from hybrid.catalogue.engines import entry_of, make
from hybrid.engine.api import Limits, Stopped
from hybrid.engine.configuration import Configuration
from hybrid.errors import InputError, Unsupported
from hybrid.files import real
from hybrid.frontend.load import load_program, model_of
from hybrid.memory import memory_limit
from hybrid.model import orders
from hybrid.model.core import Model
from hybrid.model.load import load_model
from hybrid.parallel.sharing import Sharing
from hybrid.program.c11 import annotated
from hybrid.program.program import Program
from hybrid.report.expectation import compare
from hybrid.report.explored import explore_with
from hybrid.report.output_format import OutputFormat
from hybrid.report.progress import Progress
from hybrid.report.result import INTERRUPTED, TIME_OUT, Result
from hybrid.report.row import Row, not_demanded
from hybrid.report.witness_lines import race_lines, waiting_line
from hybrid.time_limit import time_limit
from hybrid.verdict import Verdict

C11 = "C11"  # what a program of no machine with C11's orders is of


class Runner:
    """Does a file's work. Models are loaded once; a worker process has a Runner of its own."""

    def __init__(
        self,
        args: argparse.Namespace,
        asked: Configuration,
        models: list[str] | None,
        tables: tuple[ExpectedTable, ...],
        form: OutputFormat,
        bundle: bool = False,
        alone: bool = False,
        sharing: Sharing | None = None,
    ) -> None:
        self.args = args
        self.asked = asked
        self.form = form
        self.alone = alone  # the only test there is: bugs are not caught, there is a progress line
        self.sharing = sharing or Sharing()  # of that one
        self.result: Result | None = None  # of the last test
        self._names = models  # None: the default of the program's architecture
        self._tables = tables
        self._bundle = bundle  # run under the models that the file has expectations for
        self._models: dict[str, Model] = {}

    @property
    def seconds(self) -> float | None:
        """How long a file may take; None: no limit, or it is not known before the file is read."""
        if self.args.timeout is None or self._bundle:
            return None
        seconds: float = self.args.timeout * len(self._names or [""])
        return seconds

    def model(self, name: str) -> Model:
        if name not in self._models:
            self._models[name] = load_model(name)
        return self._models[name]

    def __call__(self, path: Path) -> list[Done]:
        return list(self.each(path))

    def each(self, path: Path) -> Iterator[Done]:
        """The file under each of its models."""
        start = time.monotonic()
        try:
            with time_limit(self.args.timeout), memory_limit(self.args.max_memory):
                program = load_program(path)
        except Stopped as stop:
            yield self._ended_by(stop, path, path.stem, "-", start)
        except InputError as error:
            yield self._refused(path, None, "-", error)
        except KeyboardInterrupt:
            if self.alone:
                raise
            yield self._stopped(path, path.stem, "-", INTERRUPTED, start)
        except MemoryError:
            yield self._stopped(path, path.stem, "-", "out of memory", start)
        except Exception as error:
            if self.alone:
                raise
            yield self._bug(path, path.stem, "-", error)
        else:
            for name in self._models_for(program):
                yield self._one(path, program, name, start)
                start = time.monotonic()  # what reading took counts for the first

    def _models_for(self, program: Program) -> list[str]:
        if self._names is not None:
            return self._names
        expected = [e.model for e in program.expectations] if self._bundle else []
        return list(dict.fromkeys(expected)) or [model_of(program)]

    def _one(self, path: Path, program: Program, name: str, start: float) -> Done:
        seconds = self.args.timeout
        left = None if seconds is None else max(seconds - (time.monotonic() - start), 0.001)
        try:
            with time_limit(left), memory_limit(self.args.max_memory):
                model = self.model(name)
                result = self._explore(program, model, None if left is None else start + seconds)
            return self._answer(path, result, name)
        except Stopped as stop:
            return self._ended_by(stop, path, program.name, name, start)
        except InputError as error:
            return self._refused(path, program, name, error)
        except KeyboardInterrupt:
            if self.alone:
                raise
            return self._stopped(path, program.name, name, INTERRUPTED, start)
        except MemoryError:
            return self._stopped(path, program.name, name, "out of memory", start)
        except Exception as error:
            if self.alone:
                raise
            return self._bug(path, program.name, name, error)

    def _explore(self, program: Program, model: Model, deadline: float | None) -> Result:
        args = self.args
        limits = self.asked.limits(deadline)
        program, more = orders.mapped(self.asked.mapping, program, model)
        choice = choose(self.asked, program, model)
        notes = [*choice.notes, *more]
        if self.alone and self._shared_out(choice.configuration, notes):
            how = choice.configuration
            result = self.sharing.explore(program, model, how, limits, args.first)
        else:
            result = self._explore_here(program, model, limits, choice.configuration)
        if result.counters.stuck and not result.partial and may_fall_back(self.asked):
            choice = choose(self.asked, program, model, stuck=True)
            notes = [*choice.notes, *more]
            before = result.seconds
            result = self._explore_here(program, model, limits, choice.configuration)
            result.seconds += before
        if result.partial.startswith(TIME_OUT) and args.timeout is not None:
            result.partial = f"{TIME_OUT} after {args.timeout:.3g} s"  # reading included
        ignored = orders.note(program, model)
        result.messages += [ignored, *notes] if ignored else notes
        if args.expect is not None:
            compare(result, args.expect)
        return result

    def _explore_here(
        self, program: Program, model: Model, limits: Limits, configuration: Configuration
    ) -> Result:
        args = self.args
        if args.first:
            configuration = entry_of(configuration.engine).answering(configuration)
        engine = make(configuration)
        with Progress(engine, program.name, sys.stderr, self.alone):
            return explore_with(
                engine,
                configuration,
                program,
                model,
                limits,
                first=args.first,
                max_traces=args.limit,
            )

    def _shared_out(self, configuration: Configuration, notes: list[str]) -> bool:
        """Whether the only exploration there is goes to several workers."""
        wanted, note = self.sharing.wanted(configuration, self.args.limit is not None)
        notes += [note] if note else []
        return wanted

    # ---- what is said

    def _answer(self, path: Path, result: Result, name: str) -> Done:
        self.result = result
        ignored = orders.unknown(result.program, result.model)
        row = replace(Row.of(result), chosen_for=self._chosen_for(result.program), ignored=ignored)
        end = ANSWERED
        if result.partial.startswith(TIME_OUT):
            end = TIMED_OUT
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
        complaint = ""
        if row.differences and not self.form.verdicts and (self.alone or result.demanded):
            of = f" ({table})" if found else ""  # a batch names these in its summary
            complaint = f"{path}: {'; '.join(row.differences)}{of}"
        if self.form.notes_aside:
            told = [orders.note(result.program, result.model), orders.told(result.program)]
            told += [*race_lines(result), waiting_line(result)]
            complaint = "\n".join(
                [*filter(None, [complaint]), *(f"{path}: {t}" for t in told if t)]
            )
        return Done(str(path), end, row, text, complaint, table, listed, found)

    def _chosen_for(self, program: Program) -> str:
        """The architecture whose model was taken; empty: the model was not chosen by it."""
        if self._names is not None:
            return ""
        return program.arch or (C11 if annotated(program) and not self._bundle else "")

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
            for table in self._tables
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
            return self._stopped(path, title, name, stop.told, start)
        return self._late(path, title, name, start)

    def _late(self, path: Path, title: str, name: str, start: float, more: str = "") -> Done:
        why = f"{TIME_OUT} after {self.args.timeout:.3g} s{more}"
        return self._stopped(path, title, name, why, start)

    def _stopped(self, path: Path, title: str, name: str, why: str, start: float) -> Done:
        """Stopped outside an exploration: there is nothing to show."""
        seconds = time.monotonic() - start
        open_ = Verdict.INCONCLUSIVE
        row = Row(title, name, "-", open_, open_, seconds=seconds, partial=why)
        if self.args.expect is not None:
            good = self.args.expect == open_.value
            counted = Verdict.HOLDS if good else Verdict.VIOLATED
            differs = () if good else (not_demanded(open_.value, self.args.expect),)
            row = replace(row, counted=counted, as_expected=good, differences=differs)
        end = TIMED_OUT if why.startswith(TIME_OUT) else UNFINISHED
        text = self.form.stopped(row, str(path))
        complaint = (
            f"{path}: {why}" if self.form.notes_aside else ""
        )  # herd's form has no word for it
        return self._unanswered(path, None, name, end, row, text, complaint)

    def _bug(self, path: Path, title: str, name: str, error: Exception) -> Done:
        message = f"{type(error).__name__}: {error}".rstrip(": ")
        if os.environ.get("HYBRID_DEBUG", "") not in ("", "0"):
            message += "\n" + "".join(traceback.format_exception(error))
        return self.lost(path, message, title, name)

    def ended(self, path: Path, reason: str) -> Done:
        """A test whose worker is gone: its time was over and it did not stop, or it died."""
        if reason == LATE:
            return self._late(path, path.stem, "-", time.monotonic(), "; its process was ended")
        return self.lost(path, reason)

    def lost(self, path: Path, reason: str, title: str = "", name: str = "-") -> Done:
        """A test that a bug of hybrid, or whatever ended its worker, has left without an answer."""
        row = Row.error(title or path.stem, name, bug=True)
        text = self.form.failure(row, str(path), f"internal error: {reason}")
        complaint = f"{path}: internal error (a bug in hybrid, please report it): {reason}"
        return self._unanswered(path, None, name, BUG, row, text, complaint)
