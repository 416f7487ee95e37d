"""Models by name or path. Those of `encodings/` are read once and then kept from run to run
(kept_models.py); what reads a model is loaded when it is needed."""

from __future__ import annotations

from pathlib import Path

from hybrid.data import MODEL_EXTENSION, builtin_models, bundled
from hybrid.errors import InputError
from hybrid.files import is_file
from hybrid.model.core import Model
from hybrid.model.kept_models import keep_model, kept_model, name_of_model
from hybrid.parsing import did_you_mean
from hybrid.source import Source


def load_model(name_or_path: str) -> Model:
    """A built-in model by its name, or the model in a file."""
    names = builtin_models()
    if name_or_path in names:
        return _built_in(bundled("encodings") / f"{name_or_path}{MODEL_EXTENSION}")
    path = Path(name_or_path)
    if path.suffix != MODEL_EXTENSION and len(path.parts) <= 1 and not is_file(path):
        hint = did_you_mean(name_or_path, names)
        known = f"the built-in models are {', '.join(names)}; a file's name ends in .cat"
        raise InputError(
            f"unknown model `{name_or_path}`", None, f"{hint} {known}" if hint else known
        )
    return _read(path)


def parse_model(
    source: Source, name: str, search: list[Path] | None, confined: bool = False
) -> Model:
    """The model that `source` spells. Includes are looked for in `search`, then among hybrid's own
    files; with None among these alone, and no other file can be named. `confined`: no path leads
    out of these folders."""
    from hybrid.model import read

    return read.parse_model(source, name, search, confined)


def _built_in(path: Path) -> Model:
    name = name_of_model(path)
    found = kept_model(name)
    if found is None:
        found = _read(path)
        keep_model(name, found)
    return found


def _read(path: Path) -> Model:
    from hybrid.model.read import read_text

    return parse_model(read_text(path), path.stem, [path.parent])
