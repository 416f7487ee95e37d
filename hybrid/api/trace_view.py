"""One execution, as a caller looks at it: its final state, its words and its drawing."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from hybrid.engine.api import Limits
from hybrid.execution.trace import DataTrace, TraceData
from hybrid.model.core import Model
from hybrid.report.output import write_file
from hybrid.report.trace_formats import TRACE_FORMATS, Shown, format_of
from hybrid.witness.graph import Emphasis


@dataclass(frozen=True, slots=True)
class TraceView:
    """An execution: the witness of an answer, or one of all traces."""

    data: TraceData = field(repr=False)  # events, rf, co and all
    model: Model = field(repr=False)
    engine: str
    limits: Limits = field(repr=False)
    emphasis: Emphasis | None = field(default=None, repr=False)  # what drawings show in bold

    @property
    def status(self) -> str:
        """How the run ended: `complete`, `waiting`, `cut`, `error`, `blocked`."""
        return self.data.status.value

    @property
    def state(self) -> Mapping[str, int]:
        """The final values of what the program's condition and its `locations` name."""
        trace = DataTrace(self.data)
        terms = self.data.program.terms
        return MappingProxyType({term.name: trace.value_of(term) for term in terms})

    @property
    def registers(self) -> Mapping[str, int]:
        """The final values of all registers, by names like `P:r0`."""
        threads = self.data.program.threads
        found = {
            f"{thread.name}:{register}": value
            for thread, held in zip(threads, self.data.registers, strict=True)
            for register, value in held.items()
        }
        return MappingProxyType(found)

    @property
    def memory(self) -> Mapping[str, int]:
        """The final values of all locations."""
        names = self.data.program.by_address
        found = {names[a].name: v for a, v in self.data.memory.items() if a in names}
        return MappingProxyType(found)

    @property
    def failed(self) -> tuple[str, ...]:
        """The labels of the asserts that fail in it."""
        return self.data.failed

    def text(self) -> str:
        """Events, reads-from and coherence, for people."""
        return self._as("text")

    def table(self) -> str:
        """The run, step by step."""
        return self._as("table")

    def json(self) -> str:
        """The witness file that `hybrid replay` takes."""
        return self._as("json")

    def svg(self) -> str:
        """A drawing."""
        return self._as("svg")

    def dot(self) -> str:
        """The same for Graphviz."""
        return self._as("dot")

    def save(self, path: str) -> None:
        """Writes it to a file, as the extension says: .json, .svg or .dot."""
        write_file(path, self._as(format_of(path)))

    def _as(self, form: str) -> str:
        return TRACE_FORMATS[form](self._shown())

    def _shown(self) -> Shown:
        return Shown(self.data, self.model, self.engine, self.limits, self.emphasis)

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        """For notebooks. An image, so that its style stays its own."""
        drawn = base64.b64encode(self.svg().encode("utf-8")).decode("ascii")
        return f'<img alt="an execution" src="data:image/svg+xml;base64,{drawn}">'
