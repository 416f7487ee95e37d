"""What is said of a run without a result: it was stopped, the input is at fault, or hybrid is."""

from __future__ import annotations

import os
from typing import Any, Final

from hybrid.errors import InputError
from hybrid.verdict import Verdict

Answer = dict[str, Any]  # as JSON has it: run.py says what is in it
BUG: Final = 70


def unfinished(why: str) -> Answer:
    """A run that was stopped before there was anything to show."""
    return {**_without_report(Verdict.INCONCLUSIVE), "partial": why}


def faulty(error: InputError, place: dict[str, Any] | None = None) -> Answer:
    """The input is at fault, at `place` if that is known."""
    told = {"message": error.message, "hint": error.hint, "rendered": error.render(), "in": None}
    return {**_without_report(Verdict.ERROR), "error": told | (place or {})}


def broken(message: str, details: str = "") -> Answer:
    """A bug of hybrid."""
    told = f"internal error (a bug in hybrid, please report it): {message}"
    shown = details if os.environ.get("HYBRID_DEBUG", "") not in ("", "0") else ""
    return {**faulty(InputError(told)), "exit_code": BUG, "text": shown}


def _without_report(verdict: Verdict) -> Answer:
    return {
        "verdict": verdict.value,
        "word": verdict.value,
        "exit_code": verdict.exit_code,
        "error": None,
        "partial": "",
        "text": "",
        "html": "",
    }
