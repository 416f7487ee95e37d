"""Where the bundled texts are: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def bundled(room: str) -> Path:
    """The folder `encodings` or `litmus`."""
    inside = _PACKAGE / "_data" / room
    return inside if inside.is_dir() else _PACKAGE.parent / room
