"""The journal of a batch (`--resume FILE`): what came of each file, one line each, from which a
later run goes on.

A file whose text or known answer has changed since is run again; so is one that a bug or Ctrl-C
left without an answer: it is not written down.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from hybrid.batch.one_file import BUG, Done
from hybrid.errors import InputError
from hybrid.files import DATA_BYTES, read_bytes
from hybrid.json_lines import Lines, Settings
from hybrid.report.result import INTERRUPTED
from hybrid.report.row import Row
from hybrid.verdict import Verdict
from hybrid.versions import BATCH_JOURNAL

KIND = "hybrid verify"
# of a line: the digest of the rest, so that a damaged one is not taken for an answer
CHECK = "check"
VERDICTS = ("verdict", "counted")  # the fields of a row that hold a Verdict


def digest(*paths: Path) -> str:
    """What the files hold, in short; empty if one cannot be read."""
    try:
        texts = [read_bytes(path, DATA_BYTES) for path in paths]
    except InputError:
        return ""
    return hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class BatchJournal:
    """An open journal. `known` are the results of earlier runs, by file. `answer` gives what a
    table of known answers says of a file."""

    def __init__(
        self, path: Path, settings: Settings, answer: Callable[[Path], str] = lambda _: ""
    ) -> None:
        self._lines = Lines(path, KIND, BATCH_JOURNAL, settings)
        self._answer = answer
        self._digests: dict[str, tuple[str, str]] = {}  # of the text; the known answer
        self.known: dict[str, list[Done]] = {}
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
            self.known[file] = [_done(file, result) for result in results]
            self._digests[file] = (text, found["answer"])
        except (KeyError, TypeError, ValueError):
            raise self._lines.fault("this does not say what came of a file", number) from None

    def before(self, path: Path) -> list[Done] | None:
        """What came of a file, if that still stands."""
        known = self.known.get(str(path))
        if known is None or self._digests[str(path)] != (digest(path), self._answer(path)):
            return None
        return known

    def add(self, path: Path, results: list[Done]) -> None:
        if any(done.end == BUG or done.row.partial == INTERRUPTED for done in results):
            return
        line = {
            "file": str(path),
            "digest": digest(path),
            "answer": self._answer(path),
            "results": [_as_json(done) for done in results],
        }
        self._lines.add({**line, CHECK: _check(line)})

    def close(self) -> None:
        self._lines.close()


def _check(line: dict[str, Any]) -> str:
    return digest_of(json.dumps(line, sort_keys=True))


def _as_json(done: Done) -> dict[str, object]:
    found = asdict(done)
    del found["path"]
    for name in VERDICTS:
        found["row"][name] = found["row"][name].value
    return found


def _done(path: str, found: dict[str, Any]) -> Done:
    """Raises TypeError, KeyError or ValueError where `found` is no such result."""
    row = dict(found["row"])
    for name in VERDICTS:
        row[name] = Verdict(row[name])
    for name in ("flags", "ignored"):
        row[name] = tuple(map(str, row[name]))
    for holder in (row, rest := {**found, "row": None}):
        holder["differences"] = tuple(map(str, holder["differences"]))
    if not all(isinstance(rest[name], str) for name in ("end", "text", "complaint", "table")):
        raise TypeError
    numbers = (row["traces"], row["blocked"], row["seconds"])
    if not all(number is None or isinstance(number, int | float) for number in numbers):
        raise TypeError
    if {field.name for field in fields(Row)} != set(row):
        raise KeyError
    return Done(path=path, **{**rest, "row": Row(**row)})
