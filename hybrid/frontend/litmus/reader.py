"""herd's .litmus format: text to LitmusTest.

    PPC MP+sync+addr                              architecture and name
    "SyncdWW Rfe DpAddrdR Fre"                    a text in quotes, and lines Key=value
    { 0:r2=x; 0:r4=y; uint64_t z; int a[2]; }     the initial state
     P0           | P1           ;                one column per thread (of C: one function)
     stw r1,0(r2) | lwz r1,0(r2) ;
    locations [x; 0:r1;] filter (x=1)             what else to show; which executions count
    exists (1:r1=1 /\\ x=2)

After Alglave and Maranget's manual of herd and litmus. Names are not looked at here; see state.py
and conditions.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from hybrid.errors import InputError, Unsupported
from hybrid.frontend.litmus import syntax as sx
from hybrid.frontend.litmus.languages import refuse_language
from hybrid.frontend.litmus.read_final import FinalReader
from hybrid.frontend.litmus.read_initial import read_initial
from hybrid.frontend.litmus.scan import Scanner
from hybrid.source import Source

_HEADER = re.compile(r"([^\s{}\"]+)[ \t]+([^\s{}\"]+)[ \t]*(\([^()\n]*\))?")
_META = re.compile(r"([A-Za-z_][A-Za-z_0-9./-]*)[ \t]*=[ \t]*([^\r\n]*)")
_OTHER = re.compile(r"[^\n{]+")  # herd passes over such text too
_QUOTED = re.compile(r'"((?:[^"\n]|\n(?!\s*\{))*)"')  # not one that no `"` closes before the state
_COLUMN = re.compile(r"P?([0-9]{1,6})", re.ASCII)
_SPECIAL = re.compile(r"P[0-9]{1,6}\s*[.@].*", re.ASCII | re.DOTALL)  # `P0.F`, `P0@cta 0`
_SCOPED = re.compile(r"P[0-9]{1,6}\s*@[^(\n]*[^(\n\s]", re.ASCII)
_FUNCTION = re.compile(r"P([0-9]{1,6})\s*\(", re.ASCII)
_END = r"exists|forall|final|[oO]bserved|locations|filter"
_FINAL = re.compile(rf"((?:~|not\b)\s*exists|{_END})\b|<<|$(?!\n)")
_IN_CODE = re.compile(rf"\n[ \t]*((?:~|not\b)[ \t]*exists|{_END})\b")


def read_litmus(source: Source, known: Sequence[str] = ()) -> sx.LitmusTest:
    """What the text says; an InputError where it is not in the format, Unsupported where it is of
    a language that hybrid does not read. With `known`, the architectures that there are, any other
    is Unsupported before the rest is looked at."""
    scanner = Scanner(source)
    scanner.skip()
    refuse_language(scanner)
    header = _HEADER.match(source.text, scanner.position)
    if header is None:
        at = scanner.position
        raise InputError(
            "this is not a litmus test",
            scanner.span(at, at + 1),
            "expected an architecture and a name: `PPC MP+syncs`",
        )
    scanner.position = header.end()
    span = scanner.span(header.start(), header.end())
    if known and header[1] not in known:
        raise Unsupported(
            f"unsupported architecture `{header[1]}`",
            scanner.span(header.start(1), header.end(1)),
            f"known: {', '.join(known)}",
        )
    name = Path(source.name).stem if header[2] == "--" else header[2]
    doc, meta, notes = _preamble(scanner)
    initial = read_initial(scanner)
    scanner.take(";")
    columns: tuple[sx.Column, ...] = ()
    functions: tuple[sx.ThreadFunction, ...] = ()
    if header[1] == "C":
        functions = _functions(scanner)
    else:
        columns = _columns(scanner)
    final = FinalReader(scanner)
    final.read()
    return sx.LitmusTest(
        source,
        span,
        header[1],
        name,
        doc,
        meta,
        notes,
        initial,
        columns,
        functions,
        tuple(final.locations),
        final.filter,
        final.final,
    )


def _preamble(scanner: Scanner) -> tuple[str, dict[str, str], tuple[str, ...]]:
    """The text in quotes, the lines Key=value and other lines, up to the `{` of the initial
    state."""
    doc = ""
    meta: dict[str, str] = {}
    notes: list[str] = []
    while True:
        scanner.skip(prose=True)
        at = scanner.position
        if at >= len(scanner.text):
            message = "the initial state is missing"
            raise InputError(message, scanner.span(at, at + 1), "expected `{ … }`")
        if scanner.text.startswith("{", at):
            return doc, meta, tuple(notes)
        quoted = _QUOTED.match(scanner.text, at)
        if quoted is not None:
            doc = doc or " ".join(quoted[1].split())
            scanner.position = quoted.end()
            continue
        line = _META.match(scanner.text, at)
        if line is not None:
            meta[line[1]] = line[2].strip()
            scanner.position = line.end()
            continue
        other = _OTHER.match(scanner.text, at)
        assert other is not None  # there is a character, and no `{`
        if other[0].strip(" \t;"):
            notes.append(other[0].strip())
        scanner.position = other.end()


def _columns(scanner: Scanner) -> tuple[sx.Column, ...]:
    """The code of machine threads: rows of cells."""
    scanner.skip()
    start = scanner.position
    heads = [] if _ends(scanner) else _row(scanner)
    if not heads:
        raise InputError(
            "a test needs threads", scanner.span(start, start + 1), "expected `P0 | P1 ;`"
        )
    numbers: list[int] = []
    for cell in heads:
        match = None if cell is None else _COLUMN.fullmatch(cell.text)
        if cell is None or match is None:
            where = scanner.span(start, start + 1) if cell is None else cell.span
            if cell is not None and _SPECIAL.fullmatch(cell.text):
                raise Unsupported(f"unsupported thread `{cell.text}`", where)
            raise InputError("a column without a thread's name", where, "expected `P0`, `P1`, …")
        number = int(match[1])
        if number in numbers:
            raise InputError(f"thread `{cell.text}` is defined twice", cell.span)
        numbers.append(number)
    cells: list[list[sx.Cell]] = [[] for _ in heads]
    while not _ends(scanner):
        at = scanner.position
        row = _row(scanner)
        if len(row) != len(heads):
            message = f"cells in this row: {len(row)}, threads: {len(heads)}"
            raise InputError(message, scanner.span(at, scanner.position))
        for column, cell in zip(cells, row, strict=True):
            if cell is not None:
                column.append(cell)
    spans = [cell.span for cell in heads if cell is not None]
    return tuple(
        sx.Column(span, number, tuple(column))
        for span, number, column in zip(spans, numbers, cells, strict=True)
    )


def _ends(scanner: Scanner) -> bool:
    """Whether the code ends here."""
    scanner.skip()
    return scanner.position >= len(scanner.text) or bool(
        _FINAL.match(scanner.text, scanner.position)
    )


def _row(scanner: Scanner) -> list[sx.Cell | None]:
    """The cells up to the next `;`; None for an empty one."""
    text = scanner.text
    cells: list[sx.Cell | None] = []
    first = start = position = scanner.position
    blanked: list[str] = []  # the cell so far
    while True:
        if position >= len(text) or (text[position] == "\n" and _IN_CODE.match(text, position)):
            end = len(text[:position].rstrip())
            raise InputError(
                "missing `;` at the end of this row of code", scanner.span(max(first, end), end + 1)
            )
        if text.startswith(("(*", "/*", "//"), position):
            end = scanner.comment_end(position)
            blanked.append(" " * (end - position))
            position = end
            continue
        if text[position] in "|;":
            cells.append(_cell(scanner, start, "".join(blanked)))
            blanked = []
            start = position + 1
            if text[position] == ";":
                scanner.position = start
                return cells
        else:
            blanked.append(text[position])
        position += 1


def _cell(scanner: Scanner, start: int, blanked: str) -> sx.Cell | None:
    stripped = blanked.strip()
    if not stripped:
        return None
    start += len(blanked) - len(blanked.lstrip())
    return sx.Cell(scanner.span(start, start + len(stripped)), stripped)


def _functions(scanner: Scanner) -> tuple[sx.ThreadFunction, ...]:
    """The threads of C: what stands between their brackets is left to the reader of C."""
    found: list[sx.ThreadFunction] = []
    while not _ends(scanner):
        start = scanner.position
        match = _FUNCTION.match(scanner.text, start)
        if match is None:
            scoped = _SCOPED.match(scanner.text, start)
            if scoped is not None:
                where = scanner.span(start, scoped.end())
                raise Unsupported(f"unsupported thread `{scoped[0]}`", where)
            scanner.unexpected(scanner.peek(), "a thread `P0 (…) { … }` or the final condition")
        scanner.position = match.end() - 1
        parameters = _bracketed(scanner, "(", ")")
        name_end = scanner.position
        scanner.skip()
        if not scanner.text.startswith("{", scanner.position):
            scanner.unexpected(scanner.peek(), "`{`")
        body = _bracketed(scanner, "{", "}")
        number = int(match[1])
        span = scanner.span(start, name_end)
        if any(function.number == number for function in found):
            raise InputError(f"thread `P{number}` is defined twice", span)
        found.append(sx.ThreadFunction(span, number, parameters, body))
    if not found:
        at = scanner.position
        raise InputError(
            "a test needs threads", scanner.span(at, at + 1), "expected `P0 (…) { … }`"
        )
    return tuple(found)


def _bracketed(scanner: Scanner, opening: str, closing: str) -> sx.Piece:
    """What stands between the bracket at the scanner's place and its partner, behind which the
    scanner stands then."""
    start = position = scanner.position
    depth = 0
    while position < len(scanner.text):
        if scanner.text.startswith(("/*", "//"), position):
            position = scanner.comment_end(position)
            continue
        if scanner.text[position] == opening:
            depth += 1
        elif scanner.text[position] == closing:
            depth -= 1
            if depth == 0:
                scanner.position = position + 1
                return sx.Piece(scanner.span(start + 1, position), start + 1, position)
        position += 1
    message = f"this `{opening}` is never closed"
    raise InputError(message, scanner.span(start, start + 1), f"expected `{closing}`")
