"""One run of the page: from the texts to the answer, as JSON has it.

verdict      a word of verdict.py; `word` adds whether it is the expected one
exit_code    what `hybrid verify` would exit with
error        null, or what is wrong with a text: `message`, `hint`, `rendered` as on a terminal,
             and `in` ("program", "model" or null) with `line`, `column`, `end_line` and
             `end_column`, from 1, the end exclusive
partial      why there may be more than was found; empty: there is not
text         the report as `hybrid verify` prints it
html         the report as a page of its own; empty: there is none
"""

from __future__ import annotations

import io
import re
import shlex
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

from hybrid.api.crosscheck import Comparing, crosscheck_loaded, crosschecked_of
from hybrid.api.explain import ExplainRequest, explain_chosen
from hybrid.batch.explore import Explorer, Exploring
from hybrid.batch.html_report import source_texts, view_asked
from hybrid.catalogue.spelling import ALL, parse_configurations
from hybrid.data import bundled
from hybrid.engine.api import DEFAULT_UNROLL, Limits
from hybrid.errors import InputError, Stopped
from hybrid.explain.chosen import choose_for
from hybrid.explain.other_views import comparison_view
from hybrid.explain.view import answer_view
from hybrid.files import real
from hybrid.frontend.c.clang import CompilerError
from hybrid.frontend.compiler_options import CompilerOptions
from hybrid.frontend.load import load_program, model_of
from hybrid.memory import memory_limit, out_of_memory
from hybrid.model.core import Model
from hybrid.model.load import load_model, parse_model
from hybrid.program.program import Program
from hybrid.report.html.page import render
from hybrid.report.html.views import AnswerView, PageView
from hybrid.report.meaning import meaning
from hybrid.report.result import INTERRUPTED, TIME_OUT, Result
from hybrid.report.row import Row
from hybrid.report.text import TextFormat
from hybrid.serve.answers import Answer, faulty, unfinished
from hybrid.serve.c_text import check_c_text
from hybrid.serve.known import compared
from hybrid.serve.progress_file import shown_in_file
from hybrid.serve.request import C, RunRequest
from hybrid.source import Source
from hybrid.time_limit import time_limit
from hybrid.versions import __version__

REASON_SECONDS: Final = 10.0  # for the reasons of a forbidden outcome
REPORT_SECONDS: Final = 20.0  # for the whole report
LEAST_SHARE: Final = 1.0  # seconds of one engine among all
_OF_COMPILER: Final = re.compile(
    r"^(?P<file>[^\n:]+):(?P<line>\d+):(?P<column>\d+): "
    r"(?:fatal )?error: (?P<message>.*)$",
    re.MULTILINE,
)


def run_request(asked: RunRequest, seconds: float, memory: int) -> Answer:
    """What comes of the run, in the present folder, which is its own and empty."""
    start = time.monotonic()
    try:
        with time_limit(seconds), memory_limit(memory), shown_in_file():
            program = _program(asked)
            model = _model(asked, program)
            if asked.engine == ALL:
                return _compared(asked, program, model, seconds, memory)
            if asked.outcome:
                return _explained(asked, program, model, seconds)
            exploring = Exploring(asked.configuration, seconds, memory)
            result = Explorer(exploring, progress=True).explore(program, model, start + seconds)
        return _answered(asked, result, seconds, memory)
    except InputError as error:
        return faulty(error, place_of(error, asked))
    except Stopped as stop:
        return unfinished(stop.told or f"{TIME_OUT} after {seconds:.3g} s")
    except KeyboardInterrupt:
        return unfinished(INTERRUPTED)
    except MemoryError as error:
        return unfinished(out_of_memory(error))


def _program(asked: RunRequest) -> Program:
    path = Path(asked.file)
    flags: tuple[str, ...] = ()
    if asked.kind == C:
        check_c_text(Source(str(path), asked.text))
        if asked.folder:
            flags = ("-iquote", str(bundled("litmus") / asked.folder))
    path.write_text(asked.text, encoding="utf-8", newline="")
    return load_program(path, CompilerOptions(flags=flags))


def _model(asked: RunRequest, program: Program) -> Model:
    if asked.cat:
        source = Source(asked.model_file, asked.cat)
        return parse_model(source, Path(asked.model_file).stem, None)
    return load_model(asked.model or model_of(program))


# ---- what is said


def _answered(asked: RunRequest, result: Result, seconds: float, memory: int) -> Answer:
    row = Row.of(result)
    if not asked.cat:
        row = compared(row, result, f"{asked.folder}/{asked.file}", asked.text)
    try:
        with time_limit(REPORT_SECONDS), memory_limit(memory):
            html = _report(asked, result, row, min(seconds, REASON_SECONDS))
    except (Stopped, MemoryError, KeyboardInterrupt):
        html = ""  # there is still the text
    return {
        "verdict": result.verdict.value,
        "word": row.word,
        "sentence": meaning(result),
        "exit_code": row.exit_code,
        "error": None,
        "partial": result.partial,
        "model": result.model.name,
        "engine": result.engine,
        "text": TextFormat().result(result, asked.file, row),
        "html": html,
    }


def _compared(
    asked: RunRequest, program: Program, model: Model, seconds: float, memory: int
) -> Answer:
    """What all engines say. The time is shared out among them."""
    configurations = parse_configurations(ALL)
    unroll = DEFAULT_UNROLL if asked.unroll is None else asked.unroll
    share = max(seconds / len(configurations), LEAST_SHARE)
    comparing = Comparing(
        configurations, Limits(unroll), share, 0, False, memory, None, unroll=asked.unroll
    )
    comparison = crosscheck_loaded(program, model, comparing, progress=True)
    view = comparison_view(comparison, source_texts(comparison.program))
    return {
        "verdict": comparison.verdict.value,
        "word": view.verdict,
        "sentence": view.sentence,
        "exit_code": comparison.verdict.exit_code,
        "error": None,
        "partial": "",
        "model": model.name,
        "engine": ALL,
        "text": crosschecked_of(comparison).text(),
        "html": _page(asked, view),
    }


def _explained(asked: RunRequest, program: Program, model: Model, seconds: float) -> Answer:
    """Why an outcome is allowed or forbidden. Half of the time is for the search, half for the
    reasons."""
    wanted = ExplainRequest(asked.configuration, asked.outcome, seconds / 2, report=True)
    chosen = choose_for(program, model, asked.configuration)
    found = explain_chosen(chosen, wanted, lambda: nullcontext(io.StringIO()))
    return {
        "verdict": found.verdict.value,
        "word": found.verdict.value,
        "sentence": found.outcome,
        "exit_code": found.exit_code,
        "error": None,
        "partial": found.partial,
        "model": model.name,
        "engine": chosen.engine.name,
        "text": found.text,
        "html": "" if found.report is None else _page(asked, found.report),
    }


def _report(asked: RunRequest, result: Result, row: Row, seconds: float) -> str:
    return _page(asked, answer_view(result, row, view_asked(result.program, seconds)))


def _page(asked: RunRequest, view: AnswerView) -> str:
    title = f"{view.name} under {view.model}: {view.verdict}"
    return render(PageView(title, __version__, shlex.join(asked.command), view))


def place_of(error: InputError, asked: RunRequest) -> dict[str, Any]:
    """Which of the two texts is at fault, and where in it."""
    place: dict[str, Any] = {"in": None}
    if isinstance(error, CompilerError):
        return _place_by_compiler(error, asked)
    if error.span is None:
        return place
    span, name = error.span, error.span.source.name
    if asked.cat and name == asked.model_file:
        place["in"] = "model"
    elif name == asked.file or real(name) == real(asked.file):
        place["in"] = "program"
    else:
        return place
    numbers = (span.line, span.column, span.end_line, span.end_column)
    return place | dict(zip(("line", "column", "end_line", "end_column"), numbers, strict=True))


def _place_by_compiler(error: CompilerError, asked: RunRequest) -> dict[str, Any]:
    place: dict[str, Any] = {"in": None, "hint": error.render().partition("\n")[2]}  # its start
    for found in _OF_COMPILER.finditer(error.hint):
        if Path(found["file"]).name == asked.file:
            line = int(found["line"])
            text = Source(asked.file, asked.text).line(line)
            column = _characters(text, int(found["column"]))
            return place | {
                "in": "program",
                "message": found["message"],
                "line": line,
                "column": column,
                "end_line": line,
                "end_column": column + 1,
            }
    return place


def _characters(line: str, column: int) -> int:
    """The column in characters, where the compiler counts bytes."""
    return len(line.encode()[: column - 1].decode("utf-8", "replace")) + 1
