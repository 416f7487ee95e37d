"""Whether the kernel runs as native code: pyproject.toml lists the files, hatch_build.py compiles
them when hybrid is installed."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

GAIN = "mostly five to ten times as fast"
_INSIDE = Path(__file__).parent / "_data"  # only in what was installed from a wheel
_NOTE = _INSIDE / "kernel.txt"  # why that was not compiled


def is_compiled() -> bool:
    found = find_spec("hybrid.execution.execution")
    return found is not None and found.origin is not None and not found.origin.endswith(".py")


def manner() -> str:
    """In a word, for those who compare times."""
    return "compiled" if is_compiled() else "interpreted"


def why_not() -> str:
    """Why the kernel was not compiled when hybrid was installed; empty if nobody tried."""
    try:
        return "" if is_compiled() else _NOTE.read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return ""


def manner_and_why() -> str:
    """`interpreted: there is no C compiler: no command is called gcc`"""
    why = why_not()
    return f"{manner()}: {why}" if why else manner()


def how_to_compile() -> str:
    """What to do for a compiled kernel."""
    if not _INSIDE.is_dir():
        return "`make compiled` builds one, build/compiled/bin/hybrid"
    why = why_not()
    tried = f" (this one was not compiled: {why})" if why else ""
    return f"hybrid has one when it is installed with HYBRID_COMPILE=always{tried}"
