"""How far a run has come, from its process to the server: a line in a file of its folder.

The process of a run takes the file for its terminal, so that the line is the one that `hybrid
verify` draws there (report/progress.py).
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hybrid.report.screen import screen

NAME: Final = ".progress"
COLUMNS: Final = 300  # of this terminal
MOST: Final = 1000  # characters that are read of a line
_STEERING: Final = re.compile(r"\r\x1b\[K")  # what goes to the start of a line and erases it
_LEFT_OUT: Final = re.compile(r"^.*?: (?:\[[#.]*\] )?| \(Ctrl-C .*$")  # name, bar, what to press


class ProgressFile(io.StringIO):
    """A terminal that shows one line, in a file."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        line = _LEFT_OUT.sub("", _STEERING.sub("", text)).strip()
        new = self._path.with_suffix(".new")
        with contextlib.suppress(OSError):  # whole or not at all
            new.write_text(line, encoding="utf-8")
            os.replace(new, self._path)
        return len(text)


@contextmanager
def shown_in_file() -> Iterator[None]:
    """While entered, what goes to standard error goes to the file in the present folder."""
    before = sys.stderr
    sys.stderr = screen(ProgressFile(Path(NAME).absolute()))
    try:
        yield
    finally:
        sys.stderr = before


def read_progress(folder: str) -> str:
    """The line of the run in a folder; empty: there is none yet, or no more."""
    try:
        with open(os.path.join(folder, NAME), encoding="utf-8", errors="replace") as stream:
            return stream.read(MOST)
    except OSError:
        return ""
