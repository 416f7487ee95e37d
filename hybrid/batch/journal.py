"""The journal of a batch (`--resume FILE`): what came of each file, one line each, from which a
later run goes on.

A file whose text or known answer has changed since is run again, and a C program if anything that
it includes has; so is one without a lasting answer (a bug, Ctrl-C): it is not written down.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from hybrid.errors import InputError
from hybrid.files import DATA_BYTES, read_bytes
from hybrid.frontend.c.provenance import Sources, unchanged
from hybrid.frontend.compiler_options import CompilerOptions, is_compiled, needs_compiler
from hybrid.json_lines import Lines, Settings

R = TypeVar("R")

# of a line: the digest of the rest, so that a damaged one is not taken for an answer
CHECK = "check"


@dataclass(frozen=True, slots=True)
class JournalKind(Generic[R]):
    """The journals of a verb, and how they keep what came of a file under one model."""

    command: str  # that writes them
    version: int
    written: Callable[[R], dict[str, Any]]
    read: Callable[[str, dict[str, Any]], R]  # of a file; raises KeyError, TypeError, ValueError
    lasting: Callable[[R], bool]  # it is an answer, which need not be looked for again
    sources: Callable[[R], Sources]  # what else a program was compiled from


def digest(*paths: Path) -> str:
    """What the files hold, in short; empty if one cannot be read."""
    try:
        texts = [read_bytes(path, DATA_BYTES) for path in paths]
    except InputError:
        return ""
    return hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def compiler_settings(paths: Sequence[Path], how: CompilerOptions) -> dict[str, object]:
    """What a batch with programs in C must have in common with one that goes on from its journal:
    the flags, the compiler, the files that are linked to the first."""
    if not any(map(is_compiled, paths)):
        return {}
    from hybrid.frontend.c.clang import find_compiler

    compiled = any(map(needs_compiler, (*paths, *how.linked)))
    return {
        "compiler": find_compiler(how).version if compiled else None,
        "flags": list(how.flags),
        "linked": [str(path) for path in how.linked],
        "linked_texts": digest(*how.linked),
    }


class BatchJournal(Generic[R]):
    """An open journal. `known` are the results of earlier runs, by file. `answer` gives what a
    table of known answers says of a file."""

    def __init__(
        self,
        path: Path,
        kind: JournalKind[R],
        settings: Settings,
        answer: Callable[[Path], str] = lambda _: "",
    ) -> None:
        self._lines = Lines(path, kind.command, kind.version, settings)
        self._kind = kind
        self._answer = answer
        self._digests: dict[str, tuple[str, str]] = {}  # of the text; the known answer
        self.known: dict[str, list[R]] = {}
        try:
            for number, found in self._lines.found:
                self._take(found, number)
        except BaseException:
            self.close()
            raise

    def _take(self, found: dict[str, Any], number: int) -> None:
        try:
            if found.pop(CHECK) != _check(found):
                raise ValueError
            file, text, results = found["file"], found["digest"], found["results"]
            if not (isinstance(file, str) and isinstance(text, str) and isinstance(results, list)):
                raise TypeError
            self.known[file] = [self._kind.read(file, result) for result in results]
            self._digests[file] = (text, found["answer"])
        except (KeyError, TypeError, ValueError):
            raise self._lines.fault("this does not say what came of a file", number) from None

    def before(self, path: Path) -> list[R] | None:
        """What came of a file, if that still stands."""
        known = self.known.get(str(path))
        if known is None or self._digests[str(path)] != (digest(path), self._answer(path)):
            return None
        compiled = {source for each in known for source in self._kind.sources(each)}
        return known if unchanged(tuple(compiled)) else None

    def add(self, path: Path, results: list[R]) -> None:
        if not all(map(self._kind.lasting, results)):
            return
        line = {
            "file": str(path),
            "digest": digest(path),
            "answer": self._answer(path),
            "results": [self._kind.written(result) for result in results],
        }
        self._lines.add({**line, CHECK: _check(line)})

    def close(self) -> None:
        self._lines.close()


def _check(line: dict[str, Any]) -> str:
    return digest_of(json.dumps(line, sort_keys=True))
