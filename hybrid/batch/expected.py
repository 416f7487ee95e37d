"""Known answers: an `expected.csv` beside the tests, and how a result differs from its row.

The first line names the columns: `file`, and any of those in COLUMNS. A file is named as seen from
the folder of the table. An empty cell says nothing. The answers are those of the architecture's own
model (frontend/litmus), unless the user names the table for another one.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from hybrid.errors import InputError
from hybrid.files import DATA_BYTES, is_folder, real
from hybrid.parsing import read_source
from hybrid.report.herd import KINDS
from hybrid.report.result import Result
from hybrid.source import Source, Span

NAME = "expected.csv"  # found without being asked for

OBSERVATIONS = ("Always", "Sometimes", "Never")
COUNTED = ("traces_satisfying", "traces_not_satisfying")  # full traces, no reads-from classes
COLUMNS = ("quantifier", "observation", *COUNTED, "states")


@dataclass(frozen=True, slots=True)
class ExpectedRow:
    """What a table says of one file."""

    file: str
    line: int  # in the table
    cells: dict[str, str]  # by column, those that are not empty


@dataclass(frozen=True, slots=True)
class AnswerDifference:
    column: str
    ours: str
    theirs: str

    def __str__(self) -> str:
        return f"{self.column} {self.ours}, expected {self.theirs}"


@dataclass(frozen=True)
class ExpectedTable:
    path: Path
    rows: dict[Path, ExpectedRow]  # by the resolved path of the file
    asked: bool  # the user named it; else it lay beside the tests
    whole: bool  # every row should have a file among the tests

    def row(self, path: Path) -> ExpectedRow | None:
        """The row of a test. A table that the user names may lie elsewhere: there the file's name
        is enough."""
        found = self.rows.get(real(path))
        return found if found is not None or not self.asked else self._by_name.get(path.name)

    @cached_property
    def _by_name(self) -> dict[str, ExpectedRow]:
        return {row.file: row for row in self.rows.values()}

    def without_file(self, paths: Iterable[Path]) -> list[ExpectedRow]:
        """The rows whose files are not among the tests."""
        met = {row.line for path in paths if (row := self.row(path)) is not None}
        return [row for row in self.rows.values() if row.line not in met]


def load_table(path: Path, asked: bool, whole: bool) -> ExpectedTable:
    """The table in a file; an InputError says what is wrong with it."""
    source = read_source(path, most=DATA_BYTES)
    if path.suffix != Path(NAME).suffix:  # it may be anything: no message shows its lines
        source = Source(source.name, source.text, shown=False)
    reader = csv.reader(io.StringIO(source.text))
    rows: dict[Path, ExpectedRow] = {}
    columns: list[str] = []
    last = 0  # line on which the one before ended
    try:
        for cells in reader:
            line, last = last + 1, reader.line_num
            if not any(cells):
                continue
            if not columns:
                columns = _columns(source, line, cells)
                continue
            row = _row(source, line, columns, cells)
            place = real(path.parent / row.file)
            if place in rows:
                raise _fault(
                    source,
                    line,
                    f"a second row for {row.file}",
                    f"line {rows[place].line} has the first",
                )
            rows[place] = row
    except csv.Error as error:
        raise _fault(source, last + 1, f"this is not CSV: {error}") from None
    if not columns:
        raise InputError(f"{path} is empty", hint=f"expected columns: file, {', '.join(COLUMNS)}")
    return ExpectedTable(path, rows, asked, whole)


def _columns(source: Source, line: int, cells: list[str]) -> list[str]:
    columns = [cell.strip() for cell in cells]
    known = f"expected columns: file, {', '.join(COLUMNS)}"
    for column in columns:
        if column not in ("file", *COLUMNS):
            named = f" `{column}`" if source.shown else ""
            raise _fault(source, line, f"unknown column{named}", known)
        if columns.count(column) > 1:
            raise _fault(source, line, f"two columns `{column}`", known)
    if "file" not in columns or len(columns) < 2:
        raise _fault(source, line, "the table needs a column `file` and one more", known)
    return columns


def _row(source: Source, line: int, columns: list[str], cells: list[str]) -> ExpectedRow:
    if len(cells) != len(columns):
        raise _fault(source, line, f"{len(cells)} cells where the table has {len(columns)} columns")
    found = {name: cell.strip() for name, cell in zip(columns, cells, strict=True)}
    file = found.pop("file")
    if not file or "\0" in file:
        raise _fault(source, line, "the row names no file")
    kept = {name: cell for name, cell in found.items() if cell}
    for column, cell in kept.items():
        if column in ("quantifier", "observation"):
            words = OBSERVATIONS if column == "observation" else tuple(KINDS.values())
            if cell not in words:
                raise _fault(
                    source, line, f"unknown {column} `{cell}`", f"expected {', '.join(words)}"
                )
        elif not (cell.isascii() and cell.isdigit() and len(cell) < 19):
            raise _fault(source, line, f"`{cell}` in column {column} is not a number")
        else:
            kept[column] = str(int(cell))
    return ExpectedRow(file, line, kept)


def _fault(source: Source, line: int, message: str, hint: str = "") -> InputError:
    return InputError(message, Span(source, line, 1, line, 2), hint)


def find_tables(
    asked: str | None, arguments: list[str], paths: list[Path]
) -> tuple[ExpectedTable, ...]:
    """The table that the user names, or those beside the tests. A folder among the arguments should
    have a file for every row."""
    if asked is not None:
        return (load_table(Path(asked), asked=True, whole=True),)
    folders = {real(argument) for argument in arguments if is_folder(argument)}
    tables = []
    for folder in dict.fromkeys(path.parent for path in paths):
        place = folder / NAME
        if os.path.lexists(place):
            here = real(folder)
            whole = here in folders or any(parent in folders for parent in here.parents)
            tables.append(load_table(place, asked=False, whole=whole))
    return tuple(tables)


def known_answers(tables: Iterable[ExpectedTable], path: Path) -> str:
    """What the tables say of a test, so that a change can be told."""
    here = real(path.parent)
    found = []
    for table in tables:
        if table.asked or real(table.path.parent) == here:
            row = table.row(path)
            found.append(f"{table.path}: {'no row' if row is None else row.cells}")
    return "; ".join(found)


def differences(row: ExpectedRow, result: Result) -> tuple[AnswerDifference, ...]:
    """Where a result that is whole differs from its row. Classes are not traces: their numbers are
    not compared; nor are those of an answer by witnesses alone, nor its states."""
    compared: tuple[str, ...]
    if result.equivalence == "trace":
        compared = COLUMNS
    elif result.equivalence != "witness":
        compared = tuple(column for column in COLUMNS if column not in COUNTED)
    else:
        compared = ("quantifier", "observation")
    condition = result.program.condition
    ours = {
        "quantifier": "none" if condition is None else KINDS[condition.quantifier],
        "observation": result.observation or "none",
        "traces_satisfying": str(result.satisfying),
        "traces_not_satisfying": str(result.negative),
        "states": str(len(result.outcomes)),
    }
    return tuple(
        AnswerDifference(column, ours[column], cell)
        for column, cell in row.cells.items()
        if column in compared and cell != ours[column]
    )
