"""`hybrid.explain`: why an outcome is allowed (an execution) or forbidden (an axiom and its cycle).

A forbidden outcome is explained on the candidate executions that would reach it
(explain/refusals.py), for a limited time: each is refused by some axiom, with a shortest cycle.
"""

from __future__ import annotations

import html
import io
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TextIO, Unpack

from hybrid.api.inputs import (
    FileName,
    ModelSource,
    ProgramSource,
    Reading,
    compiling_of,
    model_for,
    timeouts,
)
from hybrid.api.options import (
    EngineOptions,
    by_keyword,
    checked,
    configuration_of,
    time_above_zero,
    whole_number,
)
from hybrid.api.trace_view import TraceView
from hybrid.engine.api import Limits, check_word
from hybrid.engine.configuration import Configuration
from hybrid.execution.trace import DataTrace, Status
from hybrid.explain.chosen import Chosen, choose_for
from hybrid.explain.explanation import BOTH, CORE, GRAPH, Explanation, ReasonsAsked
from hybrid.explain.race import find_race, is_race, race_text
from hybrid.explain.refusals import cycle_text
from hybrid.explain.search import Search, search
from hybrid.explain.target import Target, nothing_to_explain, target_of
from hybrid.memory import memory_limit
from hybrid.printable import joined
from hybrid.program.program import Program
from hybrid.report.result import INTERRUPTED, Result
from hybrid.verdict import Verdict
from hybrid.witness.text import trace_text

if TYPE_CHECKING:
    from hybrid.report.html.views import AnswerView

MAX_CANDIDATES = 20_000
SECONDS = 10.0  # for reasons, unless the caller gives a time
SOURCES = (GRAPH, CORE, BOTH)  # of reasons

OpenStream = Callable[[], AbstractContextManager[TextIO]]


@dataclass(frozen=True, slots=True)
class ForbiddingAxiom:
    """An axiom that forbids the outcome."""

    name: str
    cycle: str  # the shortest: `acyclic: L0 --ppo--> L1 --rfe--> L2 …`
    candidates: int  # executions that would reach the outcome and that it refuses


@dataclass(frozen=True, slots=True)
class Explained:
    """Why an outcome is allowed or forbidden."""

    name: str  # of the program
    model: str  # its name
    outcome: str  # what is explained
    verdict: Verdict
    exit_code: int  # that of the command line
    text: str = field(repr=False)  # what `hybrid explain` prints
    axioms: tuple[ForbiddingAxiom, ...] = ()  # the one with the shortest cycle first
    partial: str = ""  # why this is not all that could be said; empty if it is
    witness: TraceView | None = field(default=None, repr=False)  # drawn with the cycle in bold
    notes: tuple[str, ...] = field(default=(), repr=False)
    report: AnswerView | None = field(default=None, repr=False)  # where it was asked for

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        """For notebooks: the words and the drawing."""
        drawn = "" if self.witness is None else self.witness._repr_html_()
        return f"<pre>{html.escape(self.text)}</pre>\n{drawn}".rstrip("\n")


@dataclass(frozen=True, slots=True)
class ExplainRequest:
    """What is to be explained, and how."""

    configuration: Configuration
    outcome: str | None = None  # None: the file's condition, or a failing assert
    timeout: float | None = None
    reasons: str = GRAPH  # where they come from
    candidates: int = MAX_CANDIDATES
    option: str = "outcome"  # where the outcome is written, for messages
    drawn: bool = False  # the execution is drawn elsewhere, so that the words may do without it
    report: bool = False  # make what a report shows, too

    def limits(self, completed: Configuration) -> Limits:
        """Those of an exploration that starts now."""
        deadline = None if self.timeout is None else time.monotonic() + self.timeout
        return completed.limits(deadline)


@by_keyword()
def explain(
    program: ProgramSource,
    model: ModelSource | None = None,
    *,
    outcome: str | None = None,
    reasons: str = GRAPH,
    candidates: int = MAX_CANDIDATES,
    timeout: float | None = None,
    max_memory: int | None = None,
    clang: FileName | None = None,
    flags: Sequence[str] = (),
    link: Sequence[FileName] = (),
    **options: Unpack[EngineOptions],
) -> Explained:
    """Shows an execution that reaches the outcome, or the axioms that forbid it.

    `outcome` is a formula such as `P:r0=1 /\\ x=2`, by default the program's condition. `reasons`
    is `graph`, `core` or `both`. `timeout` is for the search and once more for the reasons, which
    have ten seconds without it. Raises MemoryError where `max_memory` is not enough.
    """
    start = time.monotonic()
    time_above_zero("timeout", timeout)
    whole_number("candidates", candidates, 1)
    whole_number("max_memory", max_memory, 1)
    check_word("source of reasons", reasons, SOURCES)
    asked = ExplainRequest(
        configuration_of(checked(options)), outcome, timeout, reasons, candidates
    )
    reading = Reading(compiling_of(program, clang, flags, link), timeout)
    text = io.StringIO()
    with timeouts("explain"), memory_limit(max_memory):
        if not isinstance(program, Program):
            program = reading.program(program, start)
        chosen = choose_for(program, model_for(program, model), asked.configuration)
        found = explain_chosen(chosen, asked, lambda: nullcontext(text))
    if found.partial == INTERRUPTED:
        raise KeyboardInterrupt
    return found


def explain_chosen(chosen: Chosen, asked: ExplainRequest, output: OpenStream) -> Explained:
    """The same for a program whose engine is chosen. The words go to the stream that `output`
    opens as soon as they are known. After Ctrl-C the explanation is partial."""
    program, model, engine = chosen.program, chosen.model, chosen.engine
    how = chosen.configuration
    raced = None
    if asked.outcome is None:
        raced = find_race(program, model, engine, how, asked.limits(how))
        if raced is not None and is_race(raced):
            return _race(chosen, raced, asked, output)
    target = target_of(program, asked.outcome, asked.option)
    found = None if raced is None else _known(raced, target)
    if raced is not None and raced.partial == INTERRUPTED:
        found = Search(None, raced.traces, INTERRUPTED)
    if found is None:
        unfinished = target.formula is None
        found = search(program, model, engine, asked.limits(how), target.reached, unfinished)
    if target.nothing and not (found.erring or found.waiting or found.open):
        raise nothing_to_explain(program, asked.option)
    reasons = ReasonsAsked(
        asked.reasons,
        SECONDS if asked.timeout is None else asked.timeout,
        asked.candidates,
        how.limits(),
        errors=asked.outcome is None,
    )
    with output() as stream:
        head = joined([f"{program.name} under {model.name}: {target.text}"])
        stream.write(head)
        explanation = Explanation(program, model, target, engine.name, reasons, stream)
        verdict = explanation.tell(found)
    return Explained(
        program.name,
        model.name,
        target.text,
        verdict,
        verdict.exit_code,
        f"{head}{explanation.text}",
        _axioms(explanation),
        explanation.partial,
        _view(explanation),
        chosen.notes,
        _report(explanation, verdict) if asked.report else None,
    )


def _race(chosen: Chosen, result: Result, asked: ExplainRequest, output: OpenStream) -> Explained:
    """A program with a race: the accesses, and an execution in which nothing orders them."""
    data = result.race
    assert data is not None
    head = race_text(result)
    words = joined(head) if asked.drawn else "\n".join([*head, "", trace_text(data)])
    with output() as stream:
        stream.write(words)
    name, model = result.program.name, result.model
    view = TraceView(data, model, result.engine, result.limits)
    return Explained(
        name,
        model.name,
        "a data race",
        result.answer,
        result.exit_code,
        words,
        partial=result.partial if result.partial == INTERRUPTED else "",
        witness=view,
        notes=chosen.notes,
        report=_race_report(result) if asked.report else None,
    )


def _race_report(result: Result) -> AnswerView:
    from hybrid.batch.html_report import view_asked
    from hybrid.explain.view import answer_view

    assert result.race is not None
    raced = replace(result, witness=DataTrace(result.race))  # whatever else is wrong in another one
    return answer_view(raced, asked=view_asked(result.program))


def _report(explanation: Explanation, verdict: Verdict) -> AnswerView:
    from hybrid.batch.html_report import source_texts
    from hybrid.explain.other_views import explanation_view

    return explanation_view(explanation, verdict, source_texts(explanation.program))


def _known(result: Result, target: Target) -> Search | None:
    """What an exploration that looked for races says of the target; None if it leaves that open."""
    witness = result.witness
    if witness is not None and target.formula is not None:
        complete = witness.status is Status.COMPLETE
        return Search(witness, result.traces, "") if complete and target.reached(witness) else None
    if result.answer in (Verdict.HOLDS, Verdict.FORBIDDEN) and not result.filtered:
        return Search(None, result.traces, "", waiting=result.waiting)
    return None


def _axioms(explanation: Explanation) -> tuple[ForbiddingAxiom, ...]:
    refusals = explanation.refusals
    groups = {} if refusals is None else refusals.groups
    found = [
        (group.shortest.rank, ForbiddingAxiom(name, cycle_text(group.shortest), group.count))
        for name, group in groups.items()
        if group.shortest is not None
    ]
    return tuple(axiom for _, axiom in sorted(found, key=lambda each: each[0]))


def _view(explanation: Explanation) -> TraceView | None:
    """The execution that is shown, with its cycle."""
    if explanation.shown is None:
        return None
    return TraceView(
        explanation.shown,
        explanation.model,
        explanation.engine,
        explanation.asked.limits,
        explanation.emphasis,
    )
