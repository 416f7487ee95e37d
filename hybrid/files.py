"""Reading files that may be anything: endless, a pipe that nobody writes to, a link to itself, gone
a moment later."""

from __future__ import annotations

import errno
import os
import select
import stat
from pathlib import Path
from typing import Final

from hybrid.errors import InputError

TEXT_BYTES: Final = 1_000_000  # of a program or a model
DATA_BYTES: Final = 500_000_000  # of a list, a table, a witness, a journal, a checkpoint
_PIECE: Final = 1 << 20


def read_bytes(path: str | Path, most: int, pipes: bool = False) -> bytes:
    """What a file holds; an InputError where it is not a file, cannot be read or has more than
    `most` bytes.

    With `pipes` a pipe will do, as shells make them for `<(…)`; it must have a writer.
    """
    try:
        place = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    try:
        mode = os.fstat(place).st_mode
        if not (stat.S_ISREG(mode) or (pipes and stat.S_ISFIFO(mode))):
            raise InputError(f"cannot read {path}: {_kind(mode)}")
        found: list[bytes] = []
        left = most
        while piece := _piece(place, min(_PIECE, left + 1)):
            found.append(piece)
            left -= len(piece)
            if left < 0:
                raise InputError(f"cannot read {path}: it has more than {size(most)}")
        return b"".join(found)
    except OSError as error:
        raise unreadable(path, error) from None
    finally:
        os.close(place)


def _piece(place: int, most: int) -> bytes:
    while True:
        try:
            return os.read(place, most)
        except BlockingIOError:  # a pipe whose writer has not written yet
            select.select([place], [], [])


def unreadable(path: str | Path, error: Exception) -> InputError:
    return InputError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}")


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return os.strerror(errno.EISDIR)
    return "it is a pipe" if stat.S_ISFIFO(mode) else "it is not a file"


def size(number: int) -> str:
    """A number of bytes in words: `1 MB`."""
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if number >= unit:
            return f"{number / unit:.3g} {name}"
    return f"{number} bytes"


def is_folder(path: str | Path) -> bool:
    """False also where that cannot be found out: a name that is too long, a link to itself."""
    return os.path.isdir(path)


def is_file(path: str | Path) -> bool:
    return os.path.isfile(path)


def real(path: str | Path) -> Path:
    """The path without links, to tell whether two are the same; as it is where the links lead
    nowhere."""
    try:
        return Path(path).resolve()
    except (OSError, RuntimeError, ValueError):  # RuntimeError: links in a circle
        return Path(os.path.abspath(path)) if "\0" not in str(path) else Path(path)
