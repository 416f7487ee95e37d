"""Where text leaves for people: standard output, standard error and the files of `-o` show nothing
that steers a terminal."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from hybrid.printable import escaped, on_one_line
from hybrid.report.colour import Paint, has_colour

_ERASE = "\r\x1b[K"  # to the line's start, erase it


class Screen:
    """A stream on which everything is written escaped. `draw` alone moves the cursor, `paint`
    alone colours."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(escaped(text))
        return len(text)

    def paint(self, text: str, paint: Paint) -> None:
        """Writes `text` escaped and then coloured: nothing in it can bring codes of its own."""
        self._stream.write(paint(escaped(text)))

    def draw(self, line: str) -> None:
        """Puts `line` in the place of the line on which the cursor stands."""
        self._stream.write(f"{_ERASE}{on_one_line(line)}")
        self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def screen(stream: TextIO) -> TextIO:
    """The stream, seen to."""
    return stream if isinstance(stream, Screen) else cast(TextIO, Screen(stream))


def draw(stream: TextIO, line: str) -> None:
    """Puts `line` in the place of the present one, on a terminal that may be a Screen or not."""
    cast(Screen, screen(stream)).draw(line)


def write_line(stream: TextIO, line: str) -> None:
    """Writes one line to a log, at once."""
    seen = cast(Screen, screen(stream))
    seen.write(f"{on_one_line(line)}\n")
    seen.flush()


def write_coloured(stream: TextIO, text: str, paint: Paint) -> None:
    """Writes `text`, coloured by `paint` if the stream is a terminal that shows colours."""
    seen = cast(Screen, screen(stream))
    if has_colour(stream):
        seen.paint(text, paint)
    else:
        seen.write(text)


def terminal() -> TextIO:
    """Where it may be shown how far work has come: standard error, while the command line has it.
    Anyone else who calls hybrid finds nothing written there."""
    return cast(TextIO, sys.stderr) if isinstance(sys.stderr, Screen) else io.StringIO()


@contextmanager
def screens() -> Iterator[None]:
    """While entered, standard output and standard error are Screens."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = screen(sys.stdout), screen(sys.stderr)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
