"""One line per group of tests, a group being the tests of one folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hybrid.report.colour import dim
from hybrid.report.output_format import Conclusion, OutputFormat
from hybrid.report.row import Row

_HEAD = ("Group", "Models", "Tests", "As expected", "Seconds")


class GroupsFormat(OutputFormat):
    name = "groups"
    verdicts = False
    batch = True
    by_group = True
    conclusion = Conclusion.OUTPUT

    def paint(self, text: str) -> str:
        head, *rest = text.split("\n")
        return "\n".join([dim(head), *rest])


@dataclass(slots=True)
class _Group:
    models: dict[str, None] = field(default_factory=dict)  # in the order of their first test
    tests: int = 0
    expected: int = 0
    seconds: float = 0.0

    def add(self, row: Row) -> None:
        self.models[row.model] = None
        self.tests += 1
        self.expected += row.as_expected is True
        self.seconds += row.seconds or 0.0


def group_table(rows: Sequence[tuple[str, Row]]) -> list[str]:
    """The lines of the table; `rows` have the paths of their files."""
    names = _names([path for path, _ in rows])
    groups: dict[str, _Group] = {}
    for path, row in rows:
        groups.setdefault(names[os.path.dirname(path)], _Group()).add(row)
    lines = [_HEAD]
    for name, group in groups.items():
        models = ", ".join(group.models)
        numbers = (str(group.tests), str(group.expected), f"{group.seconds:.2f}")
        lines.append((name, models, *numbers))
    widths = [max(len(line[column]) for line in lines) for column in range(len(_HEAD))]
    return [
        "  ".join(
            cell.ljust(width) if column < 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def _names(paths: Sequence[str]) -> dict[str, str]:
    """What folders are called: without what all have in common, but never by nothing."""
    folders = {os.path.dirname(path): Path(path).resolve().parent for path in paths}
    common = Path(os.path.commonpath(folders.values())) if folders else Path()
    return {
        name: folder.name if folder == common else str(folder.relative_to(common))
        for name, folder in folders.items()
    }
