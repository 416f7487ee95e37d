"""Where the bundled texts are: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

MODEL_EXTENSION = ".cat"  # of every file that is read as a model
STDLIB = "stdlib"  # what models find defined, no model itself

_PACKAGE = Path(__file__).resolve().parent


def bundled(room: str) -> Path:
    """The folder `encodings` or `litmus`."""
    inside = _PACKAGE / "_data" / room
    return inside if inside.is_dir() else _PACKAGE.parent / room


def builtin_models() -> list[str]:
    """The names of the models in `encodings/`, sorted."""
    return sorted(path.stem for path in bundled("encodings").glob("*.cat") if path.stem != STDLIB)


def names_a_model(word: str) -> bool:
    """Whether it is a built-in model, or the path of a file that may hold one."""
    return word in builtin_models() or Path(word).suffix == MODEL_EXTENSION
