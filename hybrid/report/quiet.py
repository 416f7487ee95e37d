"""Name, model and verdict, one line per program and model."""

from __future__ import annotations

import re

from hybrid.engine.api import RF
from hybrid.printable import joined
from hybrid.report.colour import VERDICT, verdict
from hybrid.report.output_format import OutputFormat
from hybrid.report.result import Result
from hybrid.report.row import Row, flagged
from hybrid.source import Span

_AFTER_MODEL = re.compile(rf"(?<= ){VERDICT}(?=$|  (?:by|flags|ignored|waiting|continues|differs))")


class QuietFormat(OutputFormat):
    name = "quiet"
    shortcut = "only name, model and verdict"
    progress = False
    counts = False

    def result(self, result: Result, path: str, row: Row) -> str:
        differs = f"  differs: {'; '.join(row.differences)}" if row.differences else ""
        classes = "  by reads-from classes" if result.equivalence == RF else ""
        return joined([f"{_words(row)}{classes}{flagged(row)}{differs}"])

    def stopped(self, row: Row, path: str) -> str:
        return joined([_words(row)])

    def failure(
        self, row: Row, path: str, message: str, hint: str = "", span: Span | None = None
    ) -> str:
        return joined([_words(row)])

    def paint(self, text: str) -> str:
        return "\n".join(_AFTER_MODEL.sub(verdict, line) for line in text.split("\n"))


def _words(row: Row) -> str:
    return f"{row.program} {row.model} {row.word}"
