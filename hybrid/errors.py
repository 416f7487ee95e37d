"""The errors that hybrid raises on purpose: the user's fault, or a bug of ours."""

from __future__ import annotations

from hybrid.printable import on_one_line
from hybrid.source import Span

MAX_SHOWN = 2000  # characters of a message


class HybridError(Exception):
    """The root of all errors that hybrid raises; `exit_code` is what the command line returns."""

    exit_code = 70


class InputError(HybridError):
    """The input is at fault: it says where, what is wrong and, where known, what was expected."""

    exit_code = 2

    def __init__(self, message: str, span: Span | None = None, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.hint = hint  # what to do or what was expected; may be empty

    @property
    def file(self) -> str:
        """Where the fault is; empty, with line and column 0, where it is in no text."""
        return "" if self.span is None else self.span.source.name

    @property
    def line(self) -> int:
        return 0 if self.span is None else self.span.line

    @property
    def column(self) -> int:
        return 0 if self.span is None else self.span.column

    def render(self) -> str:
        """The whole message for a terminal: place, message, source line with caret, hint."""
        parts: list[str] = []
        if self.span is None:
            parts.append(f"error: {_shown(self.message)}")
        else:
            parts.append(f"{_shown(str(self.span))}: error: {_shown(self.message)}")
            caret = self.span.caret()
            if caret.strip(" ^\n"):
                parts.extend(f"  {line}" for line in caret.split("\n"))
        if self.hint:
            parts.append(f"  {_shown(self.hint)}")
        return "\n".join(parts)

    def __str__(self) -> str:
        return self.render()


def _shown(text: str) -> str:
    return on_one_line(text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…")


class Stopped(Exception):
    """Raised inside an engine when the deadline has passed; `explore` lets it through to its
    caller."""

    told = ""  # why, where it is not the time


class Unsupported(InputError):
    """The input may well be right, but uses something that hybrid does not take: an instruction, an
    architecture, a form."""


class InternalError(HybridError):
    """A bug in hybrid: an invariant of ours does not hold."""

    def render(self) -> str:
        return f"internal error (a bug in hybrid, please report it): {self}"
