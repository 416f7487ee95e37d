"""What `enumerate` is."""

from __future__ import annotations

from hybrid.engine.api import Engine
from hybrid.engine.configuration import Configuration
from hybrid.engine.entry import Auto, EngineEntry, Role


def _make(_configuration: Configuration) -> Engine:
    from hybrid.engine.enumerate.engine import Enumerate

    return Enumerate()


ENUMERATE = EngineEntry(
    "enumerate", "brute force over paths, rf and co", _make, auto=Auto(Role.FEW)
)
