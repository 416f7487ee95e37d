"""The file of `--html`: one answer, or the table of a batch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from hybrid.batch.done import Done
from hybrid.errors import InputError
from hybrid.explain.view import ViewAsked, expected_word, failure_view
from hybrid.files import TEXT_BYTES, read_bytes
from hybrid.frontend.c.provenance import sources_of
from hybrid.program.program import Program
from hybrid.report.html.page import render
from hybrid.report.html.views import NO_MODEL, AnswerView, BatchRow, PageView
from hybrid.report.output import write_file
from hybrid.report.row import Row, flagged
from hybrid.versions import __version__


def view_asked(program: Program, seconds: float | None = None) -> ViewAsked:
    """How much is found out for the view of one program; the sources of one in C are read."""
    texts = source_texts(program)
    return ViewAsked(texts=texts) if seconds is None else ViewAsked(seconds, texts=texts)


def source_texts(program: Program) -> dict[str, str]:
    """The files that a compiled program's events come from; those that can no longer be read are
    left out."""
    wanted = {origin.file for origin in program.origins.values()}
    found: dict[str, str] = {}
    for name, _ in sources_of(program.meta):
        for short in wanted - set(found):
            if short == name or name.endswith(f"/{short}"):
                try:
                    found[short] = read_bytes(name, TEXT_BYTES).decode(errors="replace")
                except InputError:
                    continue
    return found


def view_of(done: Done) -> AnswerView:
    """What to show of a file under a model, explored or not."""
    row = done.row
    return done.view or failure_view(row.program, row.model, row, done.complaint)


def answer_page(view: AnswerView, command: str = "") -> str:
    """One answer as a page."""
    under = "" if view.model == NO_MODEL else f" under {view.model}"
    return render(PageView(f"{view.name}{under}: {view.verdict}", __version__, command, view))


def write_answer(path: str, view: AnswerView, command: str) -> None:
    write_file(path, answer_page(view, command))


def write_batch(path: str, results: Sequence[Done], summary: Iterable[str], command: str) -> None:
    rows = [row_of(done.row, done.path, view_of(done)) for done in results]
    write_rows(path, rows, summary, command)


def write_rows(path: str, rows: list[BatchRow], summary: Iterable[str], command: str) -> None:
    """The page of a batch."""
    folders = {str(Path(row.path).parent) for row in rows}
    where = f" of {folders.pop()}" if len(folders) == 1 else ""
    title = f"{len(rows)} answers{where}"
    page = PageView(title, __version__, command, None, tuple(rows), tuple(summary))
    write_file(path, render(page))


def row_of(row: Row, path: str, view: AnswerView) -> BatchRow:
    notes = [row.partial and f"partial: {row.partial}", "; ".join(row.differences)]
    notes.append(flagged(row).strip())
    return BatchRow(
        row.program,
        row.model,
        view.verdict,
        expected_word(row),
        row.engine,
        row.traces,
        row.seconds,
        "; ".join(filter(None, notes)),
        path,
        view,
    )
