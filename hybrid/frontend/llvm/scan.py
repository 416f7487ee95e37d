"""The tokens of LLVM's intermediate language, and a place among them.

One regular expression cuts the text; lines of metadata and of attributes are passed over with the
comments. A token is a piece of the text: its kind shows in its first character. Where it stands is
found again only when a message needs it.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import NoReturn

from hybrid.errors import InputError
from hybrid.frontend.llvm.module import NamedType, Type
from hybrid.frontend.llvm.read_debug import DebugInfo
from hybrid.source import Source, Span

DEEPEST = 64  # types and constants inside one another
LONGEST_NUMBER = 60  # digits

_TOKEN = re.compile(
    r"""
    (?: [ \t\r\n]++ | ;[^\n]*+                    # spaces, comments
      | ![-\w.$\\]++[ \t]*=[^\n]*+                # !12 = …
      | attributes[ ]\#[0-9]++[ \t]*=[^\n]*+
      | \^[0-9]++[ \t]*=[^\n]*+                   # a summary for the linker
      | uselistorder(?:_bb)?[ ][^\n]*+
    )*+
    ( [%@$](?: [-\w.$]++ | "[^"]*+" )
    | ![-\w.$\\]*+
    | c?"[^"]*+" :?+
    | [-+\w.$]++ :?+                              # a word, a number, `...`, a label
    | \#\w*+
    | .
    | \Z
    )
    """,
    re.VERBOSE | re.ASCII | re.DOTALL,
)
_ESCAPE = re.compile(r"\\([0-9a-fA-F]{2})|\\\\")
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def unescape(text: str) -> str:
    """The inside of a string: `\\0A` is a character by its number."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else "\\", text)


class TokenCursor:
    """A place among the tokens of a text, with what is known of the module so far."""

    __slots__ = (
        "at",
        "debug",
        "depth",
        "global_uses",
        "known_types",
        "label_uses",
        "local_uses",
        "source",
        "tokens",
        "type_uses",
        "types",
    )

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens: list[str] = _TOKEN.findall(source.text)
        self.tokens += ["", "", "", ""]  # behind the end, for looking ahead
        self.at = 0
        self.depth = 0
        self.debug = DebugInfo(source)
        self.types: dict[str, Type] = {}
        self.known_types: dict[str, int] = {}  # where each named type is defined, opaque ones too
        # where a name is first used
        self.type_uses: dict[str, int] = {}
        self.global_uses: dict[str, int] = {}
        self.label_uses: dict[str, int] = {}  # in the function that is read
        # of the function that is read: each use of a local with its type; None outside
        self.local_uses: list[tuple[str, Type, int]] | None = None

    def span(self, at: int) -> Span:
        """Where token number `at` stands."""
        found = next(islice(_TOKEN.finditer(self.source.text), at, None), None)
        start = end = len(self.source.text)
        if found is not None:
            start, end = found.span(1)
        line_start = self.source.text.rfind("\n", 0, start) + 1
        line = self.source.text.count("\n", 0, start) + 1
        column = start - line_start + 1
        if "\n" in self.source.text[start:end]:
            end = self.source.text.index("\n", start)
        return Span(self.source, line, column, line, column + end - start)

    def fail(self, message: str, at: int | None = None) -> NoReturn:
        """An input error at token `at`, or at this one."""
        raise InputError(message, self.span(self.at if at is None else at))

    def fail_expected(self, what: str) -> NoReturn:
        token = self.tokens[self.at]
        found = f"`{token}`" if token else "the end of the text"
        self.fail(f"expected {what}, found {found}")

    def next(self) -> str:
        """This token; the cursor goes past it."""
        token = self.tokens[self.at]
        if not token:
            self.fail("the text ends too early")
        self.at += 1
        return token

    def accept(self, text: str) -> bool:
        """Whether this token is `text`; if so, the cursor goes past it."""
        if self.tokens[self.at] != text:
            return False
        self.at += 1
        return True

    def expect(self, text: str) -> None:
        if self.tokens[self.at] != text:
            self.fail_expected(f"`{text}`")
        self.at += 1

    def name(self, sign: str, what: str) -> str:
        """The name of this token, which begins with `sign`."""
        token = self.tokens[self.at]
        name = token[1:]
        if token[:1] != sign or not name:
            self.fail_expected(what)
        if name[0] == '"':
            name = unescape(name[1:-1])
            if not name:
                self.fail("an empty name")
        self.at += 1
        return name

    def string(self, what: str) -> str:
        """The text of this token, which is a string."""
        token = self.tokens[self.at]
        if token[:1] != '"' or len(token) < 2 or token[-1] != '"':
            self.fail_expected(what)
        self.at += 1
        return unescape(token[1:-1])

    def number(self, what: str) -> int:
        """This token, which is a natural number."""
        token = self.tokens[self.at]
        if not token.isdecimal():
            self.fail_expected(what)
        if len(token) > LONGEST_NUMBER:
            self.fail("the number is too large")
        self.at += 1
        return int(token)

    def deeper(self) -> None:
        """Goes one level into a type or a constant; `depth` is lowered by hand behind it."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail(f"more than {DEEPEST} types or constants inside one another")

    def skip_group(self) -> None:
        """Past the bracket that closes the one here."""
        start = self.at
        open_ones = [_CLOSING[self.next()]]
        while open_ones:
            token = self.tokens[self.at]
            if token in _CLOSING:
                open_ones.append(_CLOSING[token])
            elif token == open_ones[-1]:
                open_ones.pop()
            elif not token or token in (")", "]", "}"):
                self.fail(f"`{self.tokens[start]}` is not closed", start)
            self.at += 1

    def resolve(self, kind: Type) -> Type:
        """What a named type stands for; an opaque one stands for itself."""
        while isinstance(kind, NamedType):
            meant = self.types.get(kind.name)
            if meant is None:
                return kind
            kind = meant
        return kind
