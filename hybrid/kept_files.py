"""What is kept from one run to the next, since making it takes longer than a short run: tables of
parsers, models as they were read.

It is kept in a folder of the user's, `hybrid` in `$XDG_CACHE_HOME` or in `~/.cache`; the variable
HYBRID_CACHE of the environment names another one, and turns it off if it is empty. A file there is
named after all that its contents depend on and begins with a digest of the rest. It holds numbers
and texts only: nothing of it is run. One that cannot be read, is damaged, or belongs to someone
else or can be written to by others, is as good as none; a folder that cannot be written to stays as
it is.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import stat
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

VARIABLE: Final = "HYBRID_CACHE"
_FORMAT: Final = 1
_MOST: Final = 10_000_000  # bytes of a file
_DIGEST: Final = hashlib.sha256().digest_size


def name_of(*depends: object) -> str:
    """The name of the file whose contents depend on these, and on what all of them depend on."""
    every = (_FORMAT, marshal.version, sys.version, depends)
    return hashlib.sha256(repr(every).encode()).hexdigest()


def kept(name: str) -> Any | None:
    """What is in the file of that name; None where there is none, or none to rely on."""
    path = _place(name)
    if path is None:
        return None
    try:
        data = _own_bytes(path)
        if hashlib.sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
            return None
        return marshal.loads(data[_DIGEST:])
    except (OSError, ValueError, EOFError, TypeError):
        return None


def keep(name: str, value: Any) -> None:
    """Puts it into the file of that name, whole or not at all. It is made of numbers, texts, lists,
    tuples and dicts."""
    path = _place(name)
    if path is None:
        return
    try:
        data = marshal.dumps(value)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, new = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(data).digest() + data)
            os.replace(new, path)
        except BaseException:
            os.unlink(new)
            raise
    except (OSError, ValueError):
        return


def _place(name: str) -> Path | None:
    """The file of that name in the folder; None: nothing is kept."""
    folder = os.environ.get(VARIABLE)
    if folder is not None:
        return Path(folder, name) if folder else None
    base = os.environ.get("XDG_CACHE_HOME", "")
    try:
        return Path(base if Path(base).is_absolute() else Path.home() / ".cache", "hybrid", name)
    except (RuntimeError, ValueError):  # nobody knows where home is
        return None


def _own_bytes(path: Path) -> bytes:
    """What a file of ours holds; an OSError where it is not one, or others may have written it."""
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or found.st_size > _MOST:
            raise OSError("not a file that was kept")
        if hasattr(os, "geteuid") and (found.st_uid != os.geteuid() or found.st_mode & 0o022):
            raise OSError("a file that others may have written")
        return file.read()
