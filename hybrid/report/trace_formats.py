"""A trace in the format that the user asks for: by name (`--format`) or by the extension of the
output file. What writes one is loaded when it is asked for."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hybrid.data import bundled
from hybrid.engine.api import Limits
from hybrid.errors import InputError
from hybrid.execution.trace import TraceData
from hybrid.model.core import Model
from hybrid.program.c11 import C_SOURCE
from hybrid.witness.run import run_table, run_text

if TYPE_CHECKING:
    from hybrid.witness.graph import Emphasis


@dataclass(frozen=True, slots=True)
class Shown:
    """A trace and what else a format may say about it."""

    data: TraceData
    model: Model
    engine: str
    limits: Limits  # under which it was found
    emphasis: Emphasis | None = None  # what drawings show in bold

    @property
    def title(self) -> str:
        return f"{self.data.program.name} ({self.model.name})"


def _text(shown: Shown) -> str:
    from hybrid.witness.text import trace_text

    return trace_text(shown.data)


def _table(shown: Shown) -> str:
    if shown.data.program.compiled:
        return run_table(shown.data)
    return f"{run_text(shown.data)}\n\n{run_table(shown.data)}"


def _json(shown: Shown) -> str:
    """The witness file that `hybrid replay` takes: with the text of the program (of one in C what
    it was compiled from), and the model's path if it is not a built-in one."""
    from hybrid.witness.as_json import to_json

    program = shown.data.program
    text = "" if program.arch == C_SOURCE else program.threads[0].span.source.text
    built_in = Path(shown.model.path).parent == bundled("encodings")
    model = shown.model.name if built_in else shown.model.path
    limits = shown.limits
    witness = to_json(shown.data, model, shown.engine, text, limits.unroll, limits.max_steps)
    return json.dumps(witness, indent=1, ensure_ascii=False) + "\n"


def _svg(shown: Shown) -> str:
    from hybrid.witness.svg import draw_svg

    return draw_svg(shown.data, shown.title, shown.emphasis)


def _dot(shown: Shown) -> str:
    from hybrid.witness.dot import draw_dot

    return draw_dot(shown.data, shown.title, shown.emphasis)


TRACE_FORMATS: dict[str, Callable[[Shown], str]] = {
    "text": _text,
    "table": _table,
    "json": _json,
    "svg": _svg,
    "dot": _dot,
}
EXTENSIONS = {".json": "json", ".svg": "svg", ".dot": "dot"}


def format_of(path: str, known: str = ", ".join(EXTENSIONS)) -> str:
    """The format that a file's extension names; `known` is what to suggest when it names none."""
    suffix = Path(path).suffix
    if suffix not in EXTENSIONS:
        raise InputError(f"{path}: its extension does not say a format", hint=f"known: {known}")
    return EXTENSIONS[suffix]
