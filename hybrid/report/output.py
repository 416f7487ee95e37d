"""Where a verb writes: the output stream, files, and what speaks against writing to them."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from hybrid.errors import InputError
from hybrid.files import is_file, is_folder, real
from hybrid.printable import escaped
from hybrid.report.screen import screen


@contextmanager
def output(path: str | None) -> Iterator[TextIO]:
    """The stream that the verb writes to: the file, or standard output."""
    if path is None:
        yield sys.stdout
        return
    try:
        # closed below
        stream = open(path, "w", encoding="utf-8", errors="backslashreplace")  # noqa: SIM115
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None
    with stream:
        yield screen(stream)


def check_outputs(outputs: Mapping[str, str | None], inputs: Iterable[Path] = ()) -> None:
    """Complains of an output, by its option, that would overwrite an input or another output."""
    taken = {real(path): "an input" for path in inputs}
    for option, name in outputs.items():
        if name is None or (os.path.exists(name) and not is_file(name)):  # as /dev/stdout
            continue
        place = real(name)
        if place in taken:
            raise InputError(f"{option} {name} would overwrite {taken[place]}")
        taken[place] = f"what {option} writes"


def check_writable(path: str) -> None:
    """Complains of a file that cannot be written, before the work whose result is to stand there.
    Makes no file."""
    parent = Path(path).parent
    if not path:
        raise InputError("cannot write to a file without a name")
    if is_folder(path):
        raise InputError(f"cannot write {path}: it is a folder")
    if not is_folder(parent):
        raise InputError(f"cannot write {path}: there is no folder {parent}")
    if not os.access(path if os.path.exists(path) else parent, os.W_OK):
        raise InputError(f"cannot write {path}: {os.strerror(errno.EACCES)}")


def write_file(path: str, text: str) -> None:
    try:
        Path(path).write_text(escaped(text), encoding="utf-8", errors="backslashreplace")
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


def _unwritable(path: str, error: Exception) -> InputError:
    return InputError(f"cannot write {path}: {getattr(error, 'strerror', None) or error}")


def go_on(command_line: str, file: str) -> str:
    """How a run that was stopped is taken up again."""
    return f"what was done is saved in {file}; to go on from there: {command_line}"
