"""The `enumerate` engine: brute force over paths, rf and co; and the checker of single traces."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hybrid.engine.enumerate.engine import Enumerate

__all__ = ["Enumerate"]


def __getattr__(name: str) -> object:
    """The engine is loaded when it is asked for: its entry, which is in here, is always."""
    if name == "Enumerate":
        from hybrid.engine.enumerate.engine import Enumerate

        return Enumerate
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
