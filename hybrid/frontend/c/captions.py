"""What instructions are called: labels by file and line, and the piece of source they come from."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import PurePath

from hybrid.frontend.llvm.module import DebugPlace, LlvmFunction
from hybrid.program.origin import Frame, Origin
from hybrid.source import Source, Span, nowhere

_LONGEST = 160  # characters of a piece of source
_MEMBER = re.compile(r"(?:\w+(?:\[[^]]*\]|\(\))*(?:\.|->))+$")  # `q->head.`, before `load()`
_ASKED = re.compile(r"\s*(?:(?:if|while|for|switch)\s*\(|(?:else|do)\b|case\b[^:]*:)")
_SYSTEM = re.compile(  # folders of the headers of the system
    r"/(?:include/(?:[^/]+/)?c\+\+|libcxx|libcxxabi|lib/clang|lib/gcc|ziglang/lib|usr/include)/"
)


class Captions:
    """Labels and origins of one program."""

    def __init__(self, sources: Mapping[str, Source], name: str) -> None:
        """`sources`: by the names that places have."""
        self.name = name
        self.origins: dict[str, Origin] = {}
        self._sources = sources
        self._taken: dict[str, int] = {}
        self._lines: dict[str, list[str]] = {}
        self._files: dict[tuple[str, str], str] = {}
        self._pieces: dict[tuple[str, int, int], tuple[int, str]] = {}

    def source_of(self, place: DebugPlace) -> Source | None:
        found = self._sources.get(place.file)
        if found is None:
            found = self._sources.get(str(PurePath(place.folder, place.file)))
        return found

    def own(self, place: DebugPlace | None) -> DebugPlace | None:
        """The place, if it is in a file of the user's; of what is inlined from a header of the
        system, where it is called. None: it is in such a header."""
        while place is not None and _is_of_system(place.folder, place.file):
            place = place.inlined_at
        return place

    def file(self, place: DebugPlace) -> str:
        name = self._files.get((place.folder, place.file))
        if name is None:
            found = self.source_of(place)
            name = PurePath(found.name if found is not None else place.file).name
            self._files[place.folder, place.file] = name
        return name

    def place(self, place: DebugPlace | None) -> str:
        """`queue.c:41`."""
        return "" if place is None or not place.line else f"{self.file(place)}:{place.line}"

    def span(self, place: DebugPlace | None) -> Span:
        if place is None or not place.line:
            return nowhere(self.name)
        found = self.source_of(place) or Source(place.file, "")
        column, text = self._piece(place)
        return Span(found, place.line, column, place.line, column + max(1, len(text)))

    def text(self, place: DebugPlace | None) -> str:
        """The source from a place on to the end of the expression or statement."""
        return "" if place is None or not place.line else self._piece(place)[1]

    def _piece(self, place: DebugPlace) -> tuple[int, str]:
        """The expression or statement at a place, behind the column in which it begins."""
        key = (self.file(place), place.line, place.column)
        piece = self._pieces.get(key)
        if piece is None:
            begins, text = _statement(self._line(place), max(0, place.column - 1))
            piece = self._pieces[key] = (begins + 1 if text else max(1, place.column), text)
        return piece

    def _line(self, place: DebugPlace) -> str:
        """The whole line of a place."""
        found = self.source_of(place)
        if found is None:
            return ""
        lines = self._lines.get(found.name)
        if lines is None:
            lines = self._lines[found.name] = found.text.split("\n")
        return lines[place.line - 1] if place.line <= len(lines) else ""

    def label(self, place: DebugPlace | None, word: str = "") -> str:
        """A label that no other instruction has."""
        base = self.place(place) or self.name
        if word:
            base = f"{base} {word}"
        count = self._taken.get(base, 0) + 1
        self._taken[base] = count
        return base if count == 1 else f"{base}#{count}"

    def describe(
        self,
        label: str,
        place: DebugPlace | None,
        stack: Sequence[Frame],
        text: str = "",
        kind: str = "",
        message: str = "",
    ) -> None:
        """Says what the instruction with a label is."""
        file = self.file(place) if place is not None else self.name
        line = place.line if place is not None else 0
        column, piece = self._piece(place) if place is not None and line else (0, "")
        self.origins[label] = Origin(file, line, column, text or piece, tuple(stack), kind, message)


def source_name(function: LlvmFunction) -> str:
    """What a function is called in the source, as far as that is known."""
    return (function.place.function if function.place is not None else "") or function.name


@cache
def _is_of_system(folder: str, file: str) -> bool:
    path = str(PurePath(folder, file)).replace("\\", "/")
    return _SYSTEM.search(path) is not None


def _beginning(line: str, at: int) -> int:
    """Where the expression or statement begins that has an operator at a place: behind the end of
    the one before, behind an open bracket, or behind what is asked first (`if (x)`)."""
    depth, found = 0, at
    while found and not (depth == 0 and line[found - 1] in ";{},"):
        depth += (line[found - 1] in ")]") - (line[found - 1] in "([")
        if depth < 0:
            break
        found -= 1
    while (asked := _ASKED.match(line, found, at)) is not None:
        found = asked.end()
        depth = asked[0].endswith("(")
        while depth and found < at:
            depth += (line[found] == "(") - (line[found] == ")")
            found += 1
    return found + len(line[found:at]) - len(line[found:at].lstrip())


def _statement(line: str, start: int) -> tuple[int, str]:
    """Where it begins, and what it is: the line from `start` on, up to the end of a statement, of
    an argument, or to a bracket that closes one which was opened before. An operator in the middle
    of an expression stands for the whole of it."""
    member = _MEMBER.search(line, max(0, start - _LONGEST), start)
    rest = line[member.start() if member else start :]
    if rest and not (rest[0].isalnum() or rest[0] in "_*&(!~-"):
        rest = line[_beginning(line, start) :]
    before = line[: len(line) - len(rest)]
    argument = before.count("(") > before.count(")")
    depth, end = 0, len(rest)
    for at, char in enumerate(rest):
        depth += (char in "([") - (char in ")]")
        ends = char in ";{" or (char == "," and argument)
        if depth < 0 or (ends and depth == 0) or rest.startswith(("//", "/*"), at):
            end = at
            break
    found = rest[:end].rstrip()
    return len(before), found if len(found) <= _LONGEST else found[: _LONGEST - 1] + "…"
