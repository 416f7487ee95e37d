"""A file of JSON lines, written as a long run goes, from which a later run goes on.

The first line holds the settings; a run with other settings refuses the file. A last line without
an end (the run was killed while writing it) is cut off.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from hybrid.errors import InputError
from hybrid.files import is_file
from hybrid.source import Source, Span
from hybrid.versions import check_version

Settings = Mapping[str, Any]  # values that JSON has


class Lines:
    """An open file. `found` are the objects of earlier runs with their line numbers."""

    def __init__(self, path: Path, kind: str, version: int, settings: Settings) -> None:
        self.path = path
        self.kind = kind  # the command that writes such files
        self.found: list[tuple[int, dict[str, Any]]] = []
        # As they come back from a file: tuples are lists there.
        head = {"journal": kind, "version": version, **settings}
        self._settings: dict[str, Any] = json.loads(json.dumps(head))
        self._stream = self._open()

    def _open(self) -> BinaryIO:
        if os.path.exists(self.path) and not is_file(self.path):
            raise InputError(f"cannot use the journal {self.path}: it is not a file")
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
        self._text = lines
        found = self._object(1)
        if found.get("journal") != self.kind:
            raise self.fault(f"{self.path} is not a journal of {self.kind}", 1)
        known = self._settings["version"]
        check_version(f"the journal {self.path}", found.get("version"), known, "use another file")
        for name in dict.fromkeys((*self._settings, *found)):
            here, there = self._settings.get(name), found.get(name)
            if here != there:
                raise InputError(
                    (
                        f"{self.path} is the journal of other settings: {name} is "
                        f"{json.dumps(there)} there, {json.dumps(here)} here"
                    ),
                    hint="use another file, or the settings of its first line",
                )
        self.found = [(number, self._object(number)) for number in range(2, len(lines) + 1)]

    def _object(self, number: int) -> dict[str, Any]:
        try:
            found = json.loads(self._text[number - 1])
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise self.fault("a line of a journal is not a JSON object", number)
        return found

    def fault(self, message: str, number: int) -> InputError:
        """What is wrong with a line that was read."""
        source = Source(str(self.path), "", shown=False)  # the file may not be a journal at all
        return InputError(message, Span(source, number, 1, number, 2))

    def add(self, line: Settings) -> None:
        self._write(self._stream, line)

    def _write(self, stream: BinaryIO, line: Settings) -> None:
        try:
            stream.write(json.dumps(line).encode() + b"\n")  # names of files need not be UTF-8
            stream.flush()
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror or error}") from None

    def close(self) -> None:
        self._stream.close()
