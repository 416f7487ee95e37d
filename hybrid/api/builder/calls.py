"""Where a Python program calls the builder: what messages and faults point at."""

from __future__ import annotations

import contextlib
import linecache
import sys
from itertools import islice
from pathlib import Path
from types import FrameType

from hybrid.source import Source, Span

_OURS = (str(Path(__file__).parent), contextlib.__file__)
_sources: dict[str, Source] = {}


def call_span() -> Span:
    """The call of the builder that is being made: its place in the caller's file."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_OURS):
        frame = frame.f_back
    if frame is None:
        return Span(Source("<python>", ""), 1, 1, 1, 1)
    source = _source(frame.f_code.co_filename)
    line, end, column, end_column = _position(frame)
    return Span(source, line, column, end, end_column)


def _position(frame: FrameType) -> tuple[int, int, int, int]:
    """First and last line, first column and the one behind the last, from 1."""
    positions = islice(frame.f_code.co_positions(), frame.f_lasti // 2, None)
    line, end, column, end_column = next(positions, (None, None, None, None))
    if line is None or end is None or column is None or end_column is None:
        return frame.f_lineno, frame.f_lineno, 1, 1
    return line, end, column + 1, end_column + 1


def _source(file: str) -> Source:
    text = "".join(linecache.getlines(file))
    known = _sources.get(file)
    if known is None or known.text != text:
        known = _sources[file] = Source(file, text)
    return known
