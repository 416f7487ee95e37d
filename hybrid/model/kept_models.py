"""Models of `encodings/` as they were read, kept from one run to the next (kept_files.py).

A model is written as a list of its parts, each the name of a class of ours and the values of its
fields: numbers and texts as they are, everything else as a pair of a mark and what it says. A part
comes before those that it is in, and is meant by its place. The file is named after the texts of
all models and after the code that reads them, so that one of another time is not found.
"""

from __future__ import annotations

from dataclasses import fields
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Final

from hybrid.data import MODEL_EXTENSION
from hybrid.kept_files import keep, kept, name_of
from hybrid.model import core
from hybrid.model.core import Model
from hybrid.source import Source, Span
from hybrid.versions import __version__

CLASSES: Final = {
    each.__name__: each
    for each in (
        Source,
        Span,
        *core.Expr.__args__,
        core.Definition,
        core.Axiom,
        core.ModelTexts,
        Model,
    )
}
ENUMS: Final = {each.__name__: each for each in (core.Kind, core.Test)}
_PART, _TUPLE, _SET, _MEMBER = "part", "tuple", "set", "member"  # marks
_PACKAGE: Final = Path(__file__).parents[1]
_CODE: Final = (_PACKAGE, _PACKAGE / "model", _PACKAGE / "program")  # what models come of

Parts = list[tuple[str, list[Any]]]


def name_of_model(path: Path) -> str:
    """The name of the file that keeps the model of this text."""
    texts = [
        (str(each), each.read_bytes())
        for folder in (path.parent, path.parent / "include")
        for each in sorted(folder.glob(f"*{MODEL_EXTENSION}"))
    ]
    return name_of("model", __version__, str(path), texts, _code())


@cache
def _code() -> list[tuple[str, int, int]]:
    """The files of code, each with its size and the time of its last change."""
    files = (path for folder in _CODE for path in folder.iterdir() if path.is_file())
    found = ((str(path), path.stat()) for path in files)
    return sorted((path, stat.st_size, stat.st_mtime_ns) for path, stat in found)


def keep_model(name: str, model: Model) -> None:
    keep(name, written(model))


def kept_model(name: str) -> Model | None:
    """The model that a file keeps; None where there is none, or something else."""
    try:
        model = read(kept(name))
    except (TypeError, ValueError, KeyError, IndexError, AttributeError):
        return None
    return model if isinstance(model, Model) else None


def written(model: Model) -> Parts:
    """The parts of a model, the model itself last."""
    parts: Parts = []
    places: dict[int, int] = {}  # of a part that is written, by its identity

    def value(what: Any) -> Any:
        if what is None or isinstance(what, str | int):
            return what
        if isinstance(what, tuple):
            return (_TUPLE, [value(each) for each in what])
        if isinstance(what, frozenset):
            return (_SET, [value(each) for each in sorted(what)])
        if isinstance(what, Enum):
            return (_MEMBER, type(what).__name__, what.value)
        if id(what) not in places:
            said = [value(getattr(what, field.name)) for field in fields(what)]
            places[id(what)] = len(parts)
            parts.append((type(what).__name__, said))
        return (_PART, places[id(what)])

    value(model)
    return parts


def read(parts: Any) -> object:
    """What the last of the parts is."""
    made: list[object] = []
    for name, said in parts:
        made.append(CLASSES[name](*[_value(each, made) for each in said]))
    return made[-1]


def _value(said: Any, made: list[object]) -> object:
    if not isinstance(said, tuple):
        return said
    mark = said[0]
    if mark == _PART:
        return made[said[1]]
    if mark == _MEMBER:
        return ENUMS[said[1]](said[2])
    values = (_value(each, made) for each in said[1])
    return tuple(values) if mark == _TUPLE else frozenset(values)
