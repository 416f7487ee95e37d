"""Whether the kernel runs as native code: pyproject.toml lists the files that `make compiled`
compiles."""

from __future__ import annotations

from importlib.util import find_spec


def is_compiled() -> bool:
    found = find_spec("hybrid.execution.execution")
    return found is not None and found.origin is not None and not found.origin.endswith(".py")


def manner() -> str:
    """In a word, for those who compare times."""
    return "compiled" if is_compiled() else "interpreted"
