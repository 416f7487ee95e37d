"""Colours for a terminal: verdicts green, red or yellow, headings and figures dim.

A text is made without colours, wherever it goes. They are added line by line where it leaves for a
terminal (screen.py), after everything in it that steers one was escaped: the codes are ours alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import TextIO

from hybrid.verdict import Verdict

Paint = Callable[[str], str]

_GREEN, _RED, _YELLOW, _DIM = "32", "31", "33", "2"
_COLOURS = {
    Verdict.HOLDS.value: _GREEN,
    Verdict.ALLOWED.value: _GREEN,
    Verdict.FORBIDDEN.value: _GREEN,
    Verdict.VIOLATED.value: _RED,
    Verdict.BOUNDED.value: _YELLOW,
    Verdict.INCONCLUSIVE.value: _YELLOW,
    Verdict.DISAGREE.value: _RED,
    "INTERNAL ERROR": _RED,
    Verdict.ERROR.value: _RED,
    "UNSUPPORTED": _YELLOW,
}
VERDICT = rf"(?:{'|'.join(_COLOURS)})(?: \((?:as |un)expected\))?"
_LAST = re.compile(rf"{VERDICT}$")
_FIRST = re.compile(rf"^{VERDICT}(?=:)")
_DIMMED = re.compile(
    r"^(?:Test|States|Ok|No|Loop|\?\?|Witnesses|Positive|Condition|Observation|Time|Model|Engine"
    r"|Traces|Classes|Graphs|Answered|Flags)(?=[ :]|$)|^  (?:Event +Parameter |-+(?:  -+)*$)"
)


def has_colour(stream: TextIO) -> bool:
    """Whether a stream is a terminal that shows colours, to a user who wants them."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and stream.isatty()


def in_report(text: str) -> str:
    """The colours of a report: `Verdict SB ALLOWED` or `ALLOWED: …`, headings, figures."""
    return "\n".join(map(_line, text.split("\n")))


def _line(line: str) -> str:
    if line.startswith("Verdict "):
        return _LAST.sub(verdict, line)
    if _DIMMED.match(line):
        return dim(line)
    return _FIRST.sub(verdict, line)


def verdict(found: re.Match[str]) -> str:
    """A match of VERDICT, in its colour: green also when it is the expected one."""
    word, _, expected = found[0].partition(" (")
    colour = _COLOURS[word]
    if expected:
        colour = _GREEN if expected == "as expected)" else _RED
    return _with(colour, found[0])


def dim(line: str) -> str:
    return _with(_DIM, line)


def _with(colour: str, text: str) -> str:
    return f"\x1b[{colour}m{text}\x1b[0m"
