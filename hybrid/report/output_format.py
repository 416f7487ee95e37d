"""What every output format of `hybrid verify` answers. A format is one file with a class of this
kind, and one entry in formats.py."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import ClassVar

from hybrid.report.result import Result
from hybrid.report.row import Row
from hybrid.source import Span


class Conclusion(Enum):
    """Where the last lines of a batch go."""

    OUTPUT = auto()  # after the programs
    ASIDE = auto()  # to standard error
    COMPARED = auto()  # to standard error, and only if there are known answers to compare with


class OutputFormat:
    """How what came of programs is written. Whatever a format does not say is left out."""

    name: ClassVar[str]
    shortcut: ClassVar[str] = ""  # the help of an option `--name`; empty: only --format has it
    parted: ClassVar[bool] = False  # an empty line between programs, and before the last lines
    verdicts: ClassVar[bool] = True  # it shows the verdict of each program
    counts: ClassVar[bool] = True  # it shows how many traces there are
    # what it has no place for (races, annotations without a meaning) is said on standard error
    notes_aside: ClassVar[bool] = False
    progress: ClassVar[bool] = True  # how far the work has come is said on standard error
    batch: ClassVar[bool] = False  # it is about all programs, even if there is only one
    by_group: ClassVar[bool] = False  # the last lines of a batch are a table of groups
    conclusion: ClassVar[Conclusion] = Conclusion.COMPARED
    document: ClassVar[bool] = False  # the texts of programs are parts of one, which `whole` makes

    def head(self, width: int) -> str:
        """Before the first program; `width` is that of the longest name."""
        return ""

    def result(self, result: Result, path: str, row: Row) -> str:
        """A program that was explored, to its end or not."""
        return ""

    def stopped(self, row: Row, path: str) -> str:
        """A program that was stopped before there was anything to show."""
        return ""

    def failure(
        self, row: Row, path: str, message: str, hint: str = "", span: Span | None = None
    ) -> str:
        """A program that could not be run; people read more about it on standard error."""
        return ""

    def whole(self, texts: Sequence[str], finished: bool) -> str:
        """Of a document: all of it, made of the texts of the programs in their order. `finished`:
        Ctrl-C did not come before the last of them."""
        return "".join(texts)

    def paint(self, text: str) -> str:
        """What it has written, with colours for a terminal."""
        return text

    def line(self, row: Row, width: int) -> str:
        """Any of them, by its row alone, for formats that need the width of all."""
        return ""
