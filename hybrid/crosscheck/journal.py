"""The journal of a fuzzing run: a file of JSON lines, written as it goes, from which a later run goes on.

The first line holds the settings; a run with other settings refuses the file. Each further line is what came of one program. A last line without an
end (the run was killed while writing it) is cut off.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from hybrid.crosscheck.fuzz import Finding
from hybrid.errors import InputError
from hybrid.source import Source, Span

KIND = "hybrid fuzz"

Settings = Mapping[str, Any]  # values that JSON has


class Journal:
    """An open journal. `findings` are those of earlier runs."""

    def __init__(self, path: Path, settings: Settings) -> None:
        self.path = path
        self.findings: list[Finding] = []
        # As they come back from a file: tuples are lists there.
        self._settings: dict[str, Any] = json.loads(json.dumps({"journal": KIND, **settings}))
        self._stream = self._open()

    def _open(self) -> BinaryIO:
        try:
            stream = open(self.path, "a+b")  # noqa: SIM115 (closed by `close`)
            stream.seek(0)
            text = stream.read()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(f"cannot use the journal {self.path}: {reason}") from None
        try:
            if text:
                whole = text.rfind(b"\n") + 1
                self._read(text[:whole])
                stream.truncate(whole)
            else:
                self._write(stream, self._settings)
        except BaseException:
            stream.close()
            raise
        return stream

    def _read(self, text: bytes) -> None:
        lines = text.decode("utf-8", errors="replace").split("\n")[:-1] or [""]
        found = self._object(lines[0], 1)
        if found.get("journal") != KIND:
            raise self._fault(f"{self.path} is no journal of hybrid fuzz", lines[0], 1)
        for name in dict.fromkeys((*self._settings, *found)):
            here, there = self._settings.get(name), found.get(name)
            if here != there:
                raise InputError(
                    f"{self.path} is the journal of other settings: {name} is {json.dumps(there)} there, {json.dumps(here)} here",
                    hint="use another file, or the settings of its first line",
                )
        known: dict[int, Finding] = {}
        for number, line in enumerate(lines[1:], 2):
            finding = self._finding(line, number)
            if known.setdefault(finding.number, finding) != finding:
                raise self._fault(
                    f"program {finding.number} came out otherwise before", line, number
                )
        self.findings = list(known.values())

    def _object(self, line: str, number: int) -> dict[str, Any]:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise self._fault("a line of a journal is no JSON object", line, number)
        return found

    def _finding(self, line: str, number: int) -> Finding:
        found = self._object(line, number)
        counts: list[Any] = [found.get(n) for n in ("program", "traces", "blocked", "compared")]
        texts, left_out = found.get("differences"), found.get("left_out")
        stopped = found.get("stopped")
        if (
            not all(isinstance(c, int) and not isinstance(c, bool) and c >= 0 for c in counts)
            or not isinstance(stopped, bool)
            or not (isinstance(texts, list) and all(isinstance(t, str) for t in texts))
            or not (isinstance(left_out, list) and all(_is_pair(p) for p in left_out))
        ):
            raise self._fault("this does not say what came of a program", line, number)
        program, traces, blocked, compared = counts
        pairs = tuple((name, reason) for name, reason in left_out)
        return Finding(program, traces, blocked, tuple(texts), stopped, compared, pairs)

    def _fault(self, message: str, line: str, number: int) -> InputError:
        source = Source(str(self.path), "\n" * (number - 1) + line)
        return InputError(message, Span(source, number, 1, number, 2))

    def add(self, finding: Finding) -> None:
        """Writes what came of one program."""
        self._write(
            self._stream,
            {
                "program": finding.number,
                "traces": finding.traces,
                "blocked": finding.blocked,
                "differences": list(finding.differences),
                "stopped": finding.stopped,
                "compared": finding.compared,
                "left_out": [list(pair) for pair in finding.left_out],
            },
        )

    def _write(self, stream: BinaryIO, line: Settings) -> None:
        try:
            stream.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
            stream.flush()
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror or error}") from None

    def close(self) -> None:
        self._stream.close()


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(v, str) for v in value)
