"""One row per program and model, written as they come."""

from __future__ import annotations

import re

from hybrid.printable import joined
from hybrid.report.colour import VERDICT, verdict
from hybrid.report.output_format import Conclusion, OutputFormat
from hybrid.report.row import Row, flagged

_COLUMN = re.compile(rf"(?<=  ){VERDICT}(?=  )")


class TableFormat(OutputFormat):
    name = "table"
    shortcut = "one line per program and model"
    conclusion = Conclusion.OUTPUT

    def head(self, width: int) -> str:
        line = _line(width, "Program", "Model", "Engine", "Verdict", "Traces", "Blocked", "Time")
        return f"{line}\n{'-' * len(line)}\n"

    def line(self, row: Row, width: int) -> str:
        time = "-" if row.seconds is None else f"{row.seconds:.2f} s"
        numbers = (_cell(row.traces), _cell(row.blocked), time)
        line = _line(width, row.program, row.model, row.engine, row.word, *numbers)
        if row.partial:
            line += f"  partial: {row.partial}"
        if row.differences:
            line += f"  differs: {'; '.join(row.differences)}"
        return joined([f"{line}{flagged(row)}"])

    def paint(self, text: str) -> str:
        return "\n".join(_COLUMN.sub(verdict, line, count=1) for line in text.split("\n"))


def _line(width: int, name: str, model: str, engine: str, verdict: str, *numbers: str) -> str:
    traces, blocked, time = numbers
    return (
        f"{name:<{max(width, len('Program'))}}  {model:<8}  {engine:<9}  {verdict:<26}  "
        f"{traces:>8}  {blocked:>8}  {time:>9}"
    )


def _cell(number: int | None) -> str:
    return "-" if number is None else str(number)
