"""Where instructions, functions and variables stand in the source of the program, from the metadata
for debuggers.

A line of metadata is taken apart when it is first needed. What is missing, or of a kind that is not
read, gives no place; only places that contain themselves are refused.
"""

from __future__ import annotations

import re
from typing import NoReturn

from hybrid.errors import InputError
from hybrid.frontend.llvm.module import DebugPlace
from hybrid.frontend.llvm.source_types import SourceParts, SourceTypes
from hybrid.source import Source, Span

DEEPEST = 100  # functions inlined into one another, and blocks inside one another
_LINE = re.compile(
    r"^[ \t]*+!([0-9]+)[ \t]*=[ \t]*(?:distinct )?!(DI(?:Location|Subprogram|LexicalBlockFile"
    r"|LexicalBlock|File|LocalVariable|GlobalVariableExpression|GlobalVariable))\(([^\n]*)\)",
    re.MULTILINE,
)
_FIELD = re.compile(r'(\w++):[ ]?("[^"]*+"|[^,]*+)')
_ESCAPE = re.compile(r"\\([0-9a-fA-F]{2})|\\\\")
_SCOPES = ("DILexicalBlock", "DILexicalBlockFile")


def _text(field: str) -> str:
    """What a field of strings says."""
    if field[:1] != '"' or field[-1:] != '"':
        return ""
    raw = _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else "\\", field[1:-1])
    try:  # the bytes of UTF-8 are written one by one
        return raw.encode("latin-1").decode("utf-8") if "\\" in field else raw
    except UnicodeError:
        return raw


def _number(field: str) -> int:
    return int(field) if field.isdecimal() and len(field) <= 9 else 0


class DebugInfo:
    """The metadata of a text."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.lines = {f"!{n}": (kind, rest) for n, kind, rest in _LINE.findall(source.text)}
        self._fields: dict[str, dict[str, str]] = {}
        self._places: dict[str, DebugPlace | None] = {}
        self.files: dict[tuple[str, str], None] = {}
        self.types = SourceTypes(source)
        self.parts = SourceParts()

    def _kind(self, node: str) -> str:
        return self.lines[node][0] if node in self.lines else ""

    def _of(self, node: str) -> dict[str, str]:
        """The fields of a node, such as `!12`."""
        found = self._fields.get(node)
        if found is None:
            line = self.lines.get(node)
            found = dict(_FIELD.findall(line[1])) if line else {}
            self._fields[node] = found
        return found

    def _fail(self, node: str, message: str) -> NoReturn:
        found = re.search(rf"^[ \t]*{node}[ \t]*=", self.source.text, re.MULTILINE)
        start = found.start() if found else 0
        line = self.source.text.count("\n", 0, start) + 1
        raise InputError(message, Span(self.source, line, 1, line, 1 + len(node)))

    def _file(self, node: str) -> tuple[str, str]:
        fields = self._of(node) if self._kind(node) == "DIFile" else {}
        return _text(fields.get("filename", "")), _text(fields.get("directory", ""))

    def _scope(self, node: str) -> tuple[tuple[str, str], str]:
        """The file of a scope, and the name of the function that it is in."""
        start, file = node, ""
        for _ in range(DEEPEST):
            fields = self._of(node)
            file = file or fields.get("file", "")
            if self._kind(node) not in _SCOPES:
                break
            node = fields.get("scope", "")
        else:
            self._fail(start, "the scopes of this one do not end")
        of_function = self._kind(node) == "DISubprogram"
        return self._file(file), _text(self._of(node).get("name", "")) if of_function else ""

    def place(self, node: str) -> DebugPlace | None:
        """Where `!dbg !12` says that an instruction stands."""
        if node in self._places:
            return self._places[node]
        chain: list[str] = []  # the calls that were inlined, from the innermost
        while node and node not in self._places and self._kind(node) == "DILocation":
            chain.append(node)
            if len(chain) > DEEPEST:
                self._fail(chain[0], "the calls that this place is inlined at do not end")
            node = self._of(node).get("inlinedAt", "")
        outer = self._places.get(node)
        for each in reversed(chain):
            fields = self._of(each)
            file, function = self._scope(fields.get("scope", ""))
            line, column = (_number(fields.get(key, "")) for key in ("line", "column"))
            outer = self._made(file, line, column, function, outer)
            self._places[each] = outer
        return outer

    def _made(
        self,
        file: tuple[str, str],
        line: int,
        column: int,
        function: str,
        outer: DebugPlace | None = None,
    ) -> DebugPlace:
        if file[0]:
            self.files[file] = None
        return DebugPlace(file[0], file[1], line, column, function, outer)

    def function(self, node: str) -> DebugPlace | None:
        """Where the function of a DISubprogram begins."""
        if self._kind(node) != "DISubprogram":
            return None
        fields = self._of(node)
        file = self._file(fields.get("file", ""))
        line, name = _number(fields.get("line", "")), _text(fields.get("name", ""))
        return self._made(file, line, 0, name)

    def variable(self, node: str) -> tuple[str, bool]:
        """The name of a local variable, and whether it is a parameter."""
        if self._kind(node) != "DILocalVariable":
            return "", False
        fields = self._of(node)
        return _text(fields.get("name", "")), "arg" in fields

    def global_variable(self, node: str) -> tuple[str, DebugPlace | None]:
        """The name and the place of a global variable."""
        if self._kind(node) == "DIGlobalVariableExpression":
            node = self._of(node).get("var", "")
        if self._kind(node) != "DIGlobalVariable":
            return "", None
        fields = self._of(node)
        file, function = self._scope(fields.get("scope", ""))
        own = self._file(fields.get("file", ""))
        place = self._made(own if own[0] else file, _number(fields.get("line", "")), 0, function)
        return _text(fields.get("name", "")), place
