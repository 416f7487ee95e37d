"""Text for people: characters that would steer a terminal, or make a text look like another one,
are shown escaped.

Names of files, threads and models and lines of sources come from the author of the input.
Everything that is printed goes through `escaped` where it leaves (report/screen.py); what has to
stay on one line goes through `on_one_line` before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

# Controls (C0 but tab and newline, DEL, C1), separators of lines and paragraphs, marks of
# direction, characters without a width.
_HIDDEN: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
)
_ESCAPED: Final = re.compile(f"[{_HIDDEN}\U000e0000-\U000e007f]")
_LINE: Final = re.compile(f"[\n{_HIDDEN}\U000e0000-\U000e007f]")
_NAMED: Final = {"\n": "\\n", "\r": "\\r"}


def escaped(text: str) -> str:
    """`text` with such characters as `\\x1b` or `\\u202e`. JSON stays JSON: there the former occur
    as escapes only, and the latter are its own."""
    return _ESCAPED.sub(_escape, text)


def on_one_line(text: str) -> str:
    """The same, newlines included."""
    return _LINE.sub(_escape, text)


def joined(lines: Iterable[str]) -> str:
    """The lines, each with its end; a newline within one is escaped."""
    return "".join(f"{on_one_line(line)}\n" for line in lines)


def number_of(number: int, noun: str) -> str:
    """`1 trace`, `2 traces`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    code = ord(character)
    if character in _NAMED:
        return _NAMED[character]
    if code < 0x7F:
        return f"\\x{code:02x}"
    if code < 0x10000:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)  # as JSON has it
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
