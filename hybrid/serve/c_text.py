"""Which C texts the page compiles: those that name no file but headers.

The compiler reads what a text tells it to read. So the text is looked at before the compiler is: an
`#include` must spell out a relative name without `..`, and whatever else could name a file, or find
out whether there is one, is refused. The check does not parse C. It takes a line for a directive if
it could be one in any mode of the compiler, be it in a comment or a string.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hybrid.errors import InputError
from hybrid.frontend.c.directives import read_directives
from hybrid.source import Source, Span

_SPACE: Final = r"[\s\u180e]"  # as the compiler has it, which takes other alphabets' too
_BLANK: Final = rf"(?:{_SPACE}|/\*.*?\*/)*"  # what it skips within a line
_END_OF_COMMENT: Final = re.compile(r"\*/")
_HASH: Final = re.compile(rf"\ufeff?{_BLANK}(?:#|%:)")
_WORD: Final = re.compile(rf"{_BLANK}(?P<word>\w+)(?P<after>.*)")
_GOES_ON: Final = re.compile(rf"\\{_SPACE}*$")
_HEADER: Final = re.compile(
    r"[ \t]*(?:<(?P<system>[\w+./-]+)>|\"(?P<own>[\w+./-]+)\")[ \t]*(?://.*|/\*.*\*/[ \t]*)?",
    re.ASCII,
)
_PRAGMA: Final = re.compile(r"[ \t]+(?:once|STDC\b.*|pack\b.*|(?:GCC|clang)[ \t]+diagnostic\b.*)")
# What asks for files without a directive, or could be put together to do so
_ASKING: Final = re.compile(
    r"\b(?:_Pragma|__pragma|__has_include\w*|__has_embed|\w*_CONCAT)\b|##|%:%:"
)
_READING: Final = ("include_next", "import", "embed", "line", "__include_macros", "include_alias")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_ESCAPE: Final = re.compile(r"\\[uUN]")
_TRIGRAPH: Final = re.compile(r"\?\?[=/]")
_FLAG: Final = re.compile(r"-[DU]\w+(?:=.*)?|-O[0-3sz]?|-std=[\w+]+|-W[\w=+-]*|-w|-pthread")
_HINT: Final = 'as in #include <stdatomic.h> or #include "queue.h"'


def check_c_text(source: Source) -> None:
    """Raises an InputError, with its place, for a text that could make the compiler read a file
    that is not a header."""
    for form, what in ((_CONTROL, "a control character"), (_TRIGRAPH, "a trigraph")):
        found = form.search(source.text)
        if found is not None:
            raise InputError(f"{what} is not for this page", _place(source, found.start()))
    for line, start, end in _lines(source.text):
        _check_line(source, line, start, end)
    for flag in read_directives(source).flags:
        if not _FLAG.fullmatch(flag) or _ASKING.search(flag):
            at = source.text.find(flag)
            raise InputError(
                f"the page does not take the flag `{flag}` from a text",
                _place(source, at) if at >= 0 else None,
                "it takes -D, -U, -O, -std, -W, -w and -pthread",
            )


def _lines(text: str) -> Iterator[tuple[str, int, int]]:
    """The lines as the compiler joins them, with where each begins and ends in the text."""
    joined, begin, at = "", 0, 0
    for line in re.split(r"(\r\n|\r|\n)", text):
        at += len(line)
        if line in ("\r\n", "\r", "\n"):
            begin = begin if joined else at
        elif _GOES_ON.search(line):
            joined += _GOES_ON.sub("", line) or " "
        else:
            yield joined + line, begin, at
            joined, begin = "", at
    if joined:
        yield joined, begin, at


def _check_line(source: Source, line: str, start: int, end: int) -> None:
    piece = source.text[start:end]
    begin = start + len(piece) - len(piece.lstrip())
    span = _place(source, begin, len(piece.strip().split("\n", 1)[0]))
    word = _ASKING.search(line)
    if word is not None:
        raise InputError(f"`{word[0]}` is not for this page", span)
    ends = [match.end() for match in _END_OF_COMMENT.finditer(line)]
    for place in (0, *ends):  # where a `#` would begin a directive
        sharp = _HASH.match(line, place)
        if sharp is not None:
            _check_directive(line[sharp.end() :], span, sure=True)
        elif place:
            _check_directive(line[place:], span, sure=False)


def _check_directive(rest: str, span: Span, sure: bool) -> None:
    """`rest` follows a `#`; or, if not `sure`, a comment that may have begun behind one."""
    if sure and _ESCAPE.search(rest):
        raise InputError("an escape in a directive is not for this page", span)
    found = _WORD.match(rest)
    if found is None:
        return
    word, after = found["word"], found["after"]
    if word == "include":
        header = _HEADER.fullmatch(after) if sure else None
        name = "" if header is None else header["system"] or header["own"]
        if not name or name.startswith("/") or ".." in name.split("/"):
            raise InputError("the page includes headers by their plain names only", span, _HINT)
    elif word in _READING or (word[0].isdigit() and (sure or '"' in after)):
        raise InputError(f"`#{word}` is not for this page: it names a file", span)
    elif word == "pragma" and not (sure and _PRAGMA.fullmatch(after)):
        raise InputError("this pragma is not for this page", span, "known: once, STDC, pack")


def _place(source: Source, at: int, length: int = 1) -> Span:
    line = source.text.count("\n", 0, at) + 1
    column = at - source.text.rfind("\n", 0, at)
    return Span(source, line, column, line, column + max(1, length))
