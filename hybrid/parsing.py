"""What the front ends share around lark: its errors in plain words, spans of tokens and trees,
reading files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path

import lark
from lark.lexer import PatternStr

from hybrid.errors import InputError
from hybrid.files import TEXT_BYTES, read_bytes, size
from hybrid.printable import on_one_line
from hybrid.source import Source, Span

# levels of nesting that a parsed text may have; Python's own recursion limit is far off
MAX_DEPTH = 150


_WORD = re.compile(r"\w+|[^\w\s]")
MAX_NAME = 200  # characters; longer ones are not compared with others
MAX_WORD = 10_000  # characters of a name or a number
MAX_WORDS = 40_000  # words, numbers and signs of a program or a model, comments included


def read_source(
    path: str | Path, latin: bool = False, most: int = TEXT_BYTES, pipes: bool = False
) -> Source:
    """The text of a file, or an InputError that says why there is none. With `latin` what is not
    UTF-8 is Latin-1."""
    data = read_bytes(path, most, pipes)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if latin:
            return Source(str(path), data.decode("latin-1"))
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"cannot read {path}: not UTF-8 text (byte {data[error.start]:#04x} in line {line})"
        ) from None
    return Source(str(path), text)


def check_length(source: Source) -> None:
    """Refuses a text that is so long that reading it would take more than a second or two."""
    text = source.text
    if len(text) > TEXT_BYTES:
        raise InputError(f"{source.name}: the text has more than {size(TEXT_BYTES)}")
    for number, match in enumerate(_WORD.finditer(text)):
        if number < MAX_WORDS and match.end() - match.start() <= MAX_WORD:
            continue
        if number == MAX_WORDS:
            message = f"the text is too long: more than {MAX_WORDS} words, numbers and signs"
        else:
            message = f"this word is too long: more than {MAX_WORD} characters"
        line = text.count("\n", 0, match.start()) + 1
        column = match.start() - text.rfind("\n", 0, match.start())
        raise InputError(message, Span(source, line, column, line, column + 1))


def token_span(source: Source, token: lark.Token) -> Span:
    line, column = token.line or 1, token.column or 1
    return Span(source, line, column, token.end_line or line, token.end_column or column)


def tree_span(source: Source, tree: lark.Tree[lark.Token]) -> Span:
    """The span of a tree that was parsed with `propagate_positions`; at the text's start if it is
    empty."""
    meta = tree.meta
    if meta.empty:
        return Span(source, 1, 1, 1, 1)
    return Span(source, meta.line, meta.column, meta.end_line, meta.end_column)


def check_depth(
    source: Source,
    tree: lark.Tree[lark.Token],
    limit: int = MAX_DEPTH,
    uncounted: frozenset[str] = frozenset(),
) -> None:
    """Refuse a tree with more than `limit` levels, so that its walkers may recurse. Nodes of
    `uncounted` kinds add no level."""
    todo = [(tree, 1)]
    while todo:
        node, depth = todo.pop()
        if depth > limit:
            raise InputError(
                f"nested too deeply (more than {limit} levels)", tree_span(source, node)
            )
        below = depth if node.data in uncounted else depth + 1
        todo.extend((child, below) for child in node.children if isinstance(child, lark.Tree))


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint naming the known name nearest to `name`, or nothing."""
    if len(name) > MAX_NAME:
        return ""
    known = sorted(known)
    close = get_close_matches(name, known, n=1, cutoff=0.6)
    if not close:
        close = [k for k in known if k.lower() == name.lower()]
    return f"did you mean `{close[0]}`?" if close else ""


@cache
def literal_words(parser: lark.Lark) -> Mapping[str, str]:
    """For each terminal of `parser` that stands for one fixed string: that string in backquotes."""
    return {
        terminal.name: f"`{terminal.pattern.value}`"
        for terminal in parser.terminals
        if isinstance(terminal.pattern, PatternStr)
    }


def syntax_error(
    source: Source,
    error: lark.UnexpectedInput,
    parser: lark.Lark | None = None,
    words: Mapping[str, str] | None = None,
) -> InputError:
    """The InputError for lark's `error`: what was found, and in plain words what was expected.

    `parser` spells the fixed terminals as they are written. `words` names terminals (`{"NAME": "a
    name"}`); several may share a word (`"an operator"`), which is then listed once; one named "" is
    never listed.
    """
    naming = dict(literal_words(parser)) if parser is not None else {}
    naming.update(words or {})
    if isinstance(error, lark.UnexpectedToken):
        token = error.token
        accepted = set(error.accepts or error.expected)
        if token.type == "$END":
            place = token_span(source, token)
            after = Span(
                source, place.end_line, place.end_column, place.end_line, place.end_column + 1
            )
            return InputError("the text ends too early", after, _expected(accepted, naming))
        span = token_span(source, token)
        unclosed = _unclosed(source, token.start_pos or 0, span)
        if unclosed is not None:
            return unclosed
        hint = _expected(accepted, naming)
        if token.isidentifier() and token.type != "NAME" and "NAME" in accepted:
            return InputError(f"`{token}` is a reserved word and cannot stand here", span, hint)
        return InputError(f"unexpected {_quoted(str(token))}", span, hint)
    line, column = max(error.line, 1), max(error.column, 1)
    span = Span(source, line, column, line, column + 1)
    position = error.pos_in_stream if error.pos_in_stream is not None else 0
    unclosed = _unclosed(source, position, span)
    if unclosed is not None:
        return unclosed
    found = source.text[position : position + 1]
    return InputError(f"unexpected character {_quoted(found)}", span)


def _quoted(text: str) -> str:
    """`text` in backquotes, cut when long, with unprintable characters escaped."""
    if len(text) > 40:
        text = text[:37] + "..."
    return f"`{on_one_line(text)}`"


def _unclosed(source: Source, position: int, span: Span) -> InputError | None:
    """The error of a comment or string that opens at or just before `position` and never ends."""
    text = source.text
    if text.startswith("(*", position):
        start = span
    elif position > 0 and text.startswith("(*", position - 1):
        start = Span(source, span.line, span.column - 1, span.line, span.column + 1)
    elif text.startswith('"', position) and text.count('"', position) == 1:
        return InputError("this string is never closed", span, 'expected `"`')
    else:
        return None
    if "*)" in text[position + 1 :]:
        return None
    start = Span(source, start.line, start.column, start.line, start.column + 2)
    return InputError("this comment is never closed", start, "expected `*)`")


def _expected(accepted: set[str], naming: Mapping[str, str]) -> str:
    """`expected A, B or C`: names first, then what is written as it is, each once."""
    found: set[str] = set()
    for terminal in accepted:
        word = naming.get(terminal, "the end of the text" if terminal == "$END" else terminal)
        if word:
            found.add(word)
    ordered = sorted(found, key=lambda word: (word.startswith("`"), word))
    if not ordered:
        return ""
    if len(ordered) == 1:
        return f"expected {ordered[0]}"
    return f"expected {', '.join(ordered[:-1])} or {ordered[-1]}"
