"""The scanner of .litmus texts: places, comments, tokens.

Comments are `(* … *)`, which nest, `/* … */` and `// …`. Inside functions of C `(*` is not a
comment: there it opens `(*x)`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import NoReturn

from hybrid.errors import InputError, Unsupported
from hybrid.program.values import wrap
from hybrid.source import Source, Span

_TOKEN = re.compile(
    r"(?P<number>0[xX][0-9a-fA-F]+|[0-9]+)(?![A-Za-z_0-9])"
    r"|(?P<name>[A-Za-z_.$%][A-Za-z_0-9.$%]*)"
    r"|(?P<op>/\\|\\/|=>|==|!=|<>|<<|>>|[~=()\[\]{};:,*&+|-])",
    re.ASCII,
)
_BLANK = re.compile(r"[ \t\r\n\f\v]+")
_COMMENT = re.compile(r"\(\*|//|/\*")
_MOST_DIGITS = 40


@dataclass(frozen=True, slots=True)
class Token:
    kind: str  # number, name, op, or end at the end of the text
    text: str
    start: int
    end: int


class Scanner:
    """Reads a text from the front; `position` is where it stands."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.position = 0
        self._lines = [0]
        self._lines += [match.end() for match in re.finditer("\n", source.text)]

    def span(self, start: int, end: int) -> Span:
        """The span of `text[start:end]`."""
        line, column = self._place(start)
        end_line, end_column = self._place(max(start, end))
        return Span(self.source, line, column, end_line, end_column)

    def _place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def fail(self, message: str, token: Token, hint: str = "") -> NoReturn:
        raise InputError(message, self.span(token.start, max(token.end, token.start + 1)), hint)

    def refuse(self, message: str, token: Token, hint: str = "") -> NoReturn:
        """The same, of what is right in herd but not supported here."""
        raise Unsupported(f"unsupported {message}", self.span(token.start, token.end), hint)

    def skip(self, prose: bool = False) -> None:
        """Passes blanks and comments; in prose, one that is never closed does not count."""
        while True:
            blank = _BLANK.match(self.text, self.position)
            if blank is not None:
                self.position = blank.end()
            elif _COMMENT.match(self.text, self.position):
                if prose and not self._is_closed(self.position):
                    return
                self.position = self.comment_end(self.position)
            else:
                return

    def _is_closed(self, start: int) -> bool:
        """Whether the comment that starts at `start` ends."""
        try:
            self.comment_end(start)
        except InputError:
            return False
        return True

    def comment_end(self, start: int) -> int:
        """Where the comment that starts at `start` ends."""
        text = self.text
        if text.startswith("//", start):
            end = text.find("\n", start)
            return len(text) if end < 0 else end
        if text.startswith("/*", start):
            end = text.find("*/", start + 2)
            if end < 0:
                message = "this comment is never closed"
                raise InputError(message, self.span(start, start + 2), "expected `*/`")
            return end + 2
        depth = 0
        for match in re.compile(r"\(\*|\*\)").finditer(text, start):
            depth += 1 if match[0] == "(*" else -1
            if depth == 0:
                return match.end()
        message = "this comment is never closed"
        raise InputError(message, self.span(start, start + 2), "expected `*)`")

    def peek(self) -> Token:
        """The next token, which stays."""
        self.skip()
        start = self.position
        if start >= len(self.text):
            return Token("end", "", start, start)
        match = _TOKEN.match(self.text, start)
        if match is None or match.lastgroup is None:
            found = self.text[start]
            raise InputError(f"unexpected character `{found}`", self.span(start, start + 1))
        return Token(match.lastgroup, match[0], start, match.end())

    def next(self) -> Token:
        token = self.peek()
        self.position = token.end
        return token

    def at(self, *texts: str) -> bool:
        """Whether the next token is one of `texts`."""
        return self.peek().text in texts

    def take(self, *texts: str) -> bool:
        """Takes the next token if it is one of `texts`."""
        if self.at(*texts):
            self.next()
            return True
        return False

    def expect(self, text: str) -> Token:
        token = self.next()
        if token.text != text:
            self.unexpected(token, f"`{text}`")
        return token

    def unexpected(self, token: Token, expected: str) -> NoReturn:
        if token.kind == "end":
            self.fail("the text ends too early", token, f"expected {expected}")
        self.fail(f"unexpected `{token.text}`", token, f"expected {expected}")

    def number(self, token: Token, negative: bool = False) -> int:
        """The value of a number, between -2**63 and 2**64, as a 64-bit one."""
        if len(token.text) > _MOST_DIGITS:
            self.fail("this number does not fit 64 bits", token)
        value = int(token.text, 16 if token.text[:2] in ("0x", "0X") else 10)
        value = -value if negative else value
        if not -(1 << 63) <= value < 1 << 64:
            self.fail("this number does not fit 64 bits", token)
        return wrap(value)
