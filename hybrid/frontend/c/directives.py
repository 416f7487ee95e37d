"""What a C file says to hybrid: lines that begin with `//@`.

    //@ expect sc: HOLDS 64 traces, rc20: VIOLATED   as `expect` in a .prog
    //@ flags -DN=3 -Iinclude                        for the compiler; paths from the file's folder
    //@ unroll 3                                     instead of the default of --unroll
    //@ recursion 20                                 so deep, where memory decides about it

In a text of LLVM they begin with `;@`.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hybrid.errors import InputError
from hybrid.frontend.c.clang import PATH_FLAGS, check_written_flags
from hybrid.frontend.c.thread import MOST_CALLS
from hybrid.frontend.compiler_options import LLVM_SUFFIX
from hybrid.frontend.prog import parse_expectations
from hybrid.parsing import did_you_mean
from hybrid.program.program import Expectation
from hybrid.source import Source, Span

EXPECT, FLAGS, UNROLL, RECURSION = "expect", "flags", "unroll", "recursion"
_KNOWN = (EXPECT, FLAGS, UNROLL, RECURSION)
_LARGEST = {UNROLL: 10**18, RECURSION: MOST_CALLS}


@dataclass(frozen=True, slots=True)
class Directives:
    expectations: tuple[Expectation, ...] = ()
    flags: tuple[str, ...] = ()
    unroll: int | None = None
    recursion: int | None = None


@dataclass(frozen=True, slots=True)
class _Line:
    """A directive: its word and what follows, with their places in the line, from 0."""

    source: Source
    number: int  # of the line, from 1
    at: int  # of the word
    word: str
    rest_at: int
    rest: str

    def fail(self, message: str, hint: str = "", rest: bool = False) -> InputError:
        start = self.rest_at if rest and self.rest else self.at
        end = start + max(1, len(self.rest if rest and self.rest else self.word))
        span = Span(self.source, self.number, start + 1, self.number, end + 1)
        return InputError(message, span, hint)


def read_directives(source: Source) -> Directives:
    """What the lines of a file say; an InputError for one that says something else."""
    lines = _lines(source)
    flags: list[str] = []
    bounds: dict[str, int] = {}
    for line in lines:
        if line.word == FLAGS:
            flags += _flags(line)
        elif line.word in (UNROLL, RECURSION):
            if line.word in bounds:
                raise line.fail(f"a file has one `{line.word}`")
            bounds[line.word] = _number(line)
        elif line.word != EXPECT:
            hint = did_you_mean(line.word, _KNOWN) or f"known: {', '.join(_KNOWN)}"
            raise line.fail(f"no directive is called '{line.word}'", hint)
    expected = [line for line in lines if line.word == EXPECT]
    found = _expectations(source, expected)
    return Directives(found, tuple(flags), bounds.get(UNROLL), bounds.get(RECURSION))


def _lines(source: Source) -> list[_Line]:
    marker = ";@" if Path(source.name).suffix == LLVM_SUFFIX else "//@"
    if marker not in source.text:
        return []
    form = re.compile(rf"[ \t]*{marker}[ \t]*(?P<word>[^\s]*)[ \t]*(?P<rest>.*?)[ \t\r]*")
    found: list[_Line] = []
    for number, text in enumerate(source.text.split("\n"), 1):
        match = form.fullmatch(text) if marker in text else None
        if match is not None:
            word, rest = match["word"], match["rest"]
            found.append(
                _Line(source, number, match.start("word"), word, match.start("rest"), rest)
            )
    return found


def _flags(line: _Line) -> list[str]:
    if Path(line.source.name).suffix == LLVM_SUFFIX:
        raise line.fail("nothing is compiled here: the file is LLVM's text already")
    try:
        flags = shlex.split(line.rest)
        check_written_flags(flags, "a file")
    except InputError as error:
        raise line.fail(error.message, error.hint, rest=True) from None
    except ValueError as error:  # a quotation that does not end
        raise line.fail(f"these are not flags: {str(error).lower()}", rest=True) from None
    if not flags:
        raise line.fail(f"`{FLAGS}` without flags", f"as in //@ {FLAGS} -DN=3 -Iinclude")
    return _from(os.path.dirname(line.source.name), flags)


def _from(folder: str, flags: Sequence[str]) -> list[str]:
    """The flags with paths that lead from here, and not from the folder of the file."""
    found: list[str] = []
    before = ""
    for flag in flags:
        if before in PATH_FLAGS:
            found.append(os.path.join(folder, flag))
            before = ""
            continue
        before = flag
        joined = next((word for word in PATH_FLAGS if flag.startswith(word)), "")
        if joined and flag != joined and flag not in PATH_FLAGS:
            flag = joined + os.path.join(folder, flag.removeprefix(joined))
        found.append(flag)
    return found


def _number(line: _Line) -> int:
    text, least, most = line.rest, int(line.word == RECURSION), _LARGEST[line.word]
    fits = text.isascii() and text.isdigit() and len(text) <= len(str(most))
    if not (fits and least <= int(text) < most):
        upto = f" to {most - 1}" if line.word == RECURSION else ""
        message = f"`{line.word}` needs a whole number from {least}{upto}"
        raise line.fail(message, f"as in //@ {line.word} 3", rest=True)
    return int(text)


def _expectations(source: Source, lines: Sequence[_Line]) -> tuple[Expectation, ...]:
    """Read as in a .prog, from a text in which all else is blank: places stay as they are."""
    if not lines:
        return ()
    kept = {line.number: line for line in lines}
    blank = [
        _blanked(text, kept.get(number)) for number, text in enumerate(source.text.split("\n"), 1)
    ]
    return parse_expectations(source, "\n".join(blank))


def _blanked(text: str, line: _Line | None) -> str:
    if line is None:
        return " " * len(text)
    return f"{' ' * line.at}{line.word}{text[line.at + len(line.word) :]}"
