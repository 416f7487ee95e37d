"""Parsers by lark, whose tables are kept from one run to the next: making them takes longer than
everything else in a short run.

They are kept in a folder of the user's, `hybrid` in `$XDG_CACHE_HOME` or in `~/.cache`; the
variable HYBRID_CACHE of the environment names another one, and turns it off if it is empty. A file
there is named after all that its contents depend on, grammar, options and versions, and begins with
a digest of the rest. It holds numbers and texts only: nothing of it is run. One that cannot be
read, or is damaged, is as good as none, and a folder that cannot be written to stays as it is.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from hybrid.files import read_bytes

VARIABLE: Final = "HYBRID_CACHE"
_FORMAT: Final = 1
_MOST: Final = 10_000_000  # bytes of a file
_DIGEST: Final = hashlib.sha256().digest_size

Callbacks = Mapping[str, Callable[[lark.Token], lark.Token]]


def make_parser(
    grammar: Path,
    start: Sequence[str] = ("start",),
    maybe_placeholders: bool = True,
    callbacks: Callbacks | None = None,
) -> lark.Lark:
    """The parser of the grammar in a file."""
    text = grammar.read_text(encoding="utf-8")
    functions = dict(callbacks or {})
    names = (list(start), maybe_placeholders, sorted(functions))
    versions = (_FORMAT, marshal.version, lark.__version__, sys.version)
    path = _place(hashlib.sha256(repr((text, names, versions)).encode()).hexdigest())
    if path is not None:
        found = _kept(path, functions)
        if found is not None:
            return found
    made = lark.Lark(
        text,
        parser="lalr",
        lexer="basic",
        start=list(start),
        propagate_positions=True,
        maybe_placeholders=maybe_placeholders,
        lexer_callbacks=functions,
    )
    if path is not None:
        _keep(path, made)
    return made


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


def _kept(path: Path, callbacks: dict[str, Any]) -> lark.Lark | None:
    """The parser whose tables are in a file; None where they are not."""
    try:
        data = read_bytes(path, _MOST)
        if hashlib.sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
            return None
        tables, memo = marshal.loads(data[_DIGEST:])
        load: Callable[..., lark.Lark] = lark.Lark._load_from_dict
        return load(tables, memo, lexer_callbacks=callbacks)
    except Exception:  # not there, not a file, or not what this lark takes for tables
        return None


def _keep(path: Path, parser: lark.Lark) -> None:
    """Puts the tables of a parser into a file, whole or not at all."""
    try:
        tables, memo = parser.memo_serialize([TerminalDef, Rule])
        tables["options"]["lexer_callbacks"] = {}  # they are given when it is loaded
        data = marshal.dumps((tables, memo))
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(data).digest() + data)
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except (OSError, ValueError, TypeError, AttributeError, KeyError):
        return  # a folder that cannot be written to, or a lark with other insides
