"""The bundled tests and models that the page offers, and their texts: what is in these lists can be
asked for, and no other file."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from hybrid.data import MODEL_EXTENSION, builtin_models, bundled
from hybrid.files import TEXT_BYTES, read_bytes

_OFFERED: Final = (".prog", ".litmus", ".c")


@cache
def bundled_tests() -> dict[str, Path]:
    """The files by their names: `classic/SB.prog`.."""
    root = bundled("litmus")
    found = sorted(path for path in root.rglob("*") if path.suffix in _OFFERED and path.is_file())
    return {path.relative_to(root).as_posix(): path for path in found}


@cache
def program_folders() -> frozenset[str]:
    """The folders of these files: `classic`, `programs/trust`."""
    return frozenset(folder_of(name) for name in bundled_tests())


def folder_of(name: str) -> str:
    return name.rpartition("/")[0]


def text_of_test(name: str) -> str | None:
    """The text of a bundled test; None: there is no such test."""
    path = bundled_tests().get(name)
    return None if path is None else _text(path)


def model_text(name: str) -> str | None:
    """The text of a built-in model; None: there is no such model."""
    if name not in builtin_models():
        return None
    return _text(bundled("encodings") / f"{name}{MODEL_EXTENSION}")


def _text(path: Path) -> str:
    return read_bytes(path, TEXT_BYTES).decode("utf-8", "replace")
