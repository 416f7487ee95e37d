"""Views as JSON, and back: a journal keeps what a row of a batch opens, and a process that explores
may send it to one that shows it."""

from __future__ import annotations

from dataclasses import asdict, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from hybrid.report.html.views import AnswerView

T = TypeVar("T")


def to_json(view: AnswerView) -> dict[str, Any]:
    return asdict(view)


def from_json(found: object) -> AnswerView:
    """Raises TypeError, KeyError or ValueError where `found` is not such a view."""
    view = _read(AnswerView, found)
    assert isinstance(view, AnswerView)
    return view


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _read(kind: Any, found: object) -> object:
    if is_dataclass(kind) and isinstance(kind, type):
        if not isinstance(found, dict) or set(found) != {field.name for field in fields(kind)}:
            raise KeyError(kind.__name__)
        hints = _hints(kind)
        return kind(**{name: _read(hints[name], value) for name, value in found.items()})
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        (only,) = (part for part in parts if part is not type(None))
        return None if found is None else _read(only, found)
    if origin is tuple:
        if not isinstance(found, list | tuple):
            raise TypeError("a list is expected")
        if len(parts) == 2 and parts[1] is Ellipsis:
            return tuple(_read(parts[0], each) for each in found)
        return tuple(_read(part, each) for part, each in zip(parts, found, strict=True))
    if kind is float and type(found) is int:
        return float(found)
    if type(found) is not kind:
        raise TypeError(f"{kind.__name__} is expected")
    return found
