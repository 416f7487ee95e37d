"""What `hybrid.verify` gives back."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from hybrid.api.trace_view import TraceView
from hybrid.execution.trace import Trace
from hybrid.model import orders
from hybrid.report.as_json import JsonFormat
from hybrid.report.output_format import OutputFormat
from hybrid.report.result import INTERRUPTED, Result
from hybrid.report.row import Row
from hybrid.report.source_paths import SourcePaths
from hybrid.report.text import TextFormat
from hybrid.verdict import Verdict
from hybrid.witness.faults import Fault


@dataclass(frozen=True, slots=True)
class FinalState:
    """A final state, and in how many traces it is met."""

    values: Mapping[str, int]  # by names like `P:r0` and `x`
    traces: int
    satisfies: bool  # the formula of the program's condition

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))

    def __reduce__(self) -> tuple[type[FinalState], tuple[dict[str, int], int, bool]]:
        """For pickle and copy, which know no view of a dict."""
        return FinalState, (dict(self.values), self.traces, self.satisfies)

    def __getitem__(self, name: str) -> int:
        return self.values[name]


@dataclass(frozen=True, slots=True)
class Verified:
    """The answer about one program under one model."""

    name: str  # of the program
    model: str  # its name; - where the program could not be read in time
    verdict: Verdict  # VIOLATED, too, where another answer is expected
    answer: Verdict  # what was computed, whatever is expected
    exit_code: int  # that of the command line
    partial: str  # why the exploration did not reach its end; empty if it did
    seconds: float
    engine: str = ""
    count: int = 0  # complete traces, or what else the equivalence counts
    states: tuple[FinalState, ...] = field(default=(), repr=False)
    observation: str | None = None  # Always, Sometimes, Never, Unknown; None: no condition
    witness: TraceView | None = field(default=None, repr=False)
    waiting: TraceView | None = field(default=None, repr=False)  # threads wait for ever in it
    faults: tuple[Fault, ...] = field(default=(), repr=False)  # what goes wrong, with its place
    notes: tuple[str, ...] = field(default=(), repr=False)
    file: str = field(default="", repr=False)  # as the caller wrote it
    chosen_for: str = field(default="", repr=False)  # the architecture whose model was taken
    certificate: str = field(default="", repr=False)  # where it was written; empty: there is none
    # None: there was no exploration. What it says is in the fields above.
    result: Result | None = field(default=None, repr=False, compare=False)
    explore_again: Callable[[], Iterator[TraceView]] | None = field(
        default=None, repr=False, compare=False
    )

    @property
    def traces(self) -> Iterator[TraceView]:
        """All complete traces, each once, explored anew as they are asked for. Raises TimeoutError
        or MemoryError where a limit comes before the end."""
        if self.explore_again is None:
            raise TimeoutError(f"{self.name} was not explored: {self.partial}")
        return self.explore_again()

    @property
    def conclusive(self) -> bool:
        """Whether there is an answer: no bound and no limit came first."""
        return self.verdict not in (Verdict.BOUNDED, Verdict.INCONCLUSIVE, Verdict.ERROR)

    @property
    def interrupted(self) -> bool:
        return self.partial == INTERRUPTED

    def json(self) -> dict[str, Any]:
        """The object of `hybrid verify --json`."""
        found: dict[str, Any] = json.loads(self._as(JsonFormat()))
        return found

    def text(self) -> str:
        """What `hybrid verify` prints."""
        return self._as(TextFormat())

    def report(self) -> str:
        """The page that `hybrid verify --html` writes."""
        from hybrid.batch.html_report import answer_page, view_asked
        from hybrid.explain.view import answer_view, failure_view

        row = self._row()
        if self.result is None:
            return answer_page(failure_view(self.name, self.model, row, ""))
        return answer_page(answer_view(self.result, row, view_asked(self.result.program)))

    def _as(self, form: OutputFormat) -> str:
        if self.result is not None:
            return form.result(self.result, self.file, self._row())
        return form.stopped(self._row(), self.file)

    def _row(self) -> Row:
        if self.result is not None:
            ignored = orders.unknown(self.result.program, self.result.model)
            return replace(Row.of(self.result), ignored=ignored, chosen_for=self.chosen_for)
        return Row(
            self.name,
            self.model,
            "-",
            self.verdict,
            self.verdict,
            seconds=self.seconds,
            partial=self.partial,
        )

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        """For notebooks: the verdict, the states, the witness."""
        head = f"<b>{html.escape(self.name)}</b> under {html.escape(self.model)}"
        parts = [f"<p>{head}: <b>{self.verdict.value}</b></p>"]
        if self.partial:
            parts.append(f"<p>Partial result: {html.escape(self.partial)}</p>")
        parts += [f"<p>{html.escape(str(fault))}</p>" for fault in self.faults]
        if self.states:
            parts.append(_table(self.states))
        if self.witness is not None:
            parts.append(self.witness._repr_html_())
        return "\n".join(parts)


def _table(states: tuple[FinalState, ...]) -> str:
    names = list(states[0].values)
    head = "".join(f"<th>{html.escape(name)}</th>" for name in ("traces", *names))
    rows = "".join(
        f"<tr><td>{state.traces}{' *' if state.satisfies else ''}</td>"
        + "".join(f"<td>{state.values[name]}</td>" for name in names)
        + "</tr>"
        for state in states
    )
    return f"<table><tr>{head}</tr>{rows}</table>"


def verified_of(
    result: Result, file: str, again: Callable[[], Iterator[TraceView]] | None
) -> Verified:
    """What a Result says, for callers."""
    terms = result.program.terms
    states = tuple(
        FinalState(
            {t.name: v for t, v in zip(terms, outcome, strict=True)},
            traces,
            outcome in result.marked,
        )
        for outcome, traces in sorted(result.outcomes.items())
    )

    def view(trace: Trace | None) -> TraceView | None:
        if trace is None:
            return None
        return TraceView(trace.data(), result.model, result.engine, result.limits)

    paths = SourcePaths(result.program)
    faults = [violation.fault for violation in result.violations]
    return Verified(
        result.program.name,
        result.model.name,
        result.verdict,
        result.answer,
        result.exit_code,
        result.partial,
        result.seconds,
        result.engine,
        result.traces,
        states,
        result.observation,
        view(result.witness),
        view(result.waiting),
        tuple(replace(fault, file=paths.path(fault.file)) for fault in faults),
        tuple(dict.fromkeys(result.messages)),
        file,
        result=result,
        explore_again=again,
    )
