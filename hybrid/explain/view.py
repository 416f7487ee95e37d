"""What came of one program, as a report shows it: of an exploration (`answer_view`), or of a file
that could not be used (`failure_view`).

Nothing here writes, reads files or asks for the time of day.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hybrid.engine.api import Limits
from hybrid.explain.refusals import RefusalGroup, Refusals
from hybrid.explain.target import target_of
from hybrid.explain.view_runs import refused_view, run_view
from hybrid.model.core import RACE, Model
from hybrid.printable import number_of
from hybrid.program.condition import show_condition
from hybrid.report.html.source_view import source_views
from hybrid.report.html.views import AnswerView, OutcomeRow, OutcomesView, RunView
from hybrid.report.meaning import meaning
from hybrid.report.result import Result
from hybrid.report.row import Row
from hybrid.report.witness_lines import race_lines
from hybrid.verdict import Verdict

MOST_GROUPS = 6  # of axioms that refuse candidates, each with a picture


@dataclass(frozen=True, slots=True)
class ViewAsked:
    """How much is to be found out for a view."""

    seconds: float = 10.0  # for the reasons of a forbidden outcome
    candidates: int = 20_000  # to be looked at for them
    texts: Mapping[str, str] | None = None  # sources of a compiled program, by name


NOTHING_MORE = ViewAsked()


def answer_view(
    result: Result, row: Row | None = None, asked: ViewAsked = NOTHING_MORE
) -> AnswerView:
    """What an exploration says. Where the answer is that nothing reaches the outcome, the
    candidates that would are looked at, and the axioms that refuse them are shown."""
    row = Row.of(result) if row is None else row
    runs, more = _runs(result, asked)
    notes = [f"Differs: {each}" for each in row.differences]
    notes += [f"Partial result: {result.partial}"] if result.partial else []
    if result.program.compiled:
        wrong = [each for each in result.violations if each.fault.kind != RACE]
        notes += [f"Violation: {each.lines()[0]}" for each in wrong]
    notes += [line.strip() for line in race_lines(result)]
    notes += [told for told in result.messages if told != result.offence]
    return AnswerView(
        result.program.name,
        result.model.name,
        result.verdict.value if not result.unsupported else "UNSUPPORTED",
        expected_word(row),
        meaning(result),
        tuple(dict.fromkeys((*notes, *more))),
        _facts(result, row),
        source_views(result.program, asked.texts or {}),
        _outcomes(result),
        runs,
    )


def failure_view(name: str, model: str, row: Row, message: str) -> AnswerView:
    """A program that was not explored."""
    sentence = row.partial or "There is no answer."
    return AnswerView(name, model, row.word, "", sentence, (message,) if message else (), ())


def expected_word(row: Row) -> str:
    if row.as_expected is None:
        return ""
    return "as expected" if row.as_expected else "not as expected"


def _facts(result: Result, row: Row) -> tuple[tuple[str, str], ...]:
    model = result.model
    facts = [("Model", f"{model.name} ({model.title})" if model.title else model.name)]
    facts.append(("Engine", result.engine + (f", oracle {result.oracle}" if result.oracle else "")))
    noun = {"trace": "Executions", "witness": "Runs looked at"}.get(result.equivalence, "Classes")
    facts.append((noun, str(result.traces)))
    counters = result.counters
    others = {"blocked": counters.blocked, "cut": counters.cut, "errors": counters.errors}
    others |= {"stuck": counters.stuck, "deadlocks": counters.deadlocks}
    others |= {"livelocks": counters.livelocks, "thin air": counters.thin_air}
    told = [f"{word} {number}" for word, number in others.items() if number]
    facts += [("Other runs", ", ".join(told))] if told else []
    if result.observation is not None:
        said = f"{result.observation} {result.satisfying} {result.negative}"
        facts.append(("Observation", said))
    facts += [("Flags", ", ".join(result.raised))] if result.raised else []
    return (*facts, ("Time", f"{result.seconds:.2f} s"))


def _outcomes(result: Result) -> OutcomesView | None:
    terms = result.program.terms
    if not terms or not result.outcomes:
        return None
    spell = result.program.addresses.show
    rows = [
        OutcomeRow(
            count,
            tuple(spell(term, value) for term, value in zip(terms, outcome, strict=True)),
            outcome in result.marked,
        )
        for outcome, count in sorted(result.outcomes.items())
    ]
    condition = result.program.condition
    counted = {"trace": "executions", "witness": "runs"}.get(result.equivalence, "classes")
    return OutcomesView(
        tuple(term.name for term in terms),
        tuple(rows),
        "" if condition is None else show_condition(condition),
        counted,
    )


# ---- executions


def _runs(result: Result, asked: ViewAsked) -> tuple[tuple[RunView, ...], list[str]]:
    """The executions to show, and what is to be said of them."""
    runs: list[RunView] = []
    if result.witness is not None:
        head = _heading(result)
        runs.append(run_view(result.witness.data(), result.model, result.limits, head))
    if result.waiting is not None and result.waiting is not result.witness:
        head = "A run in which threads wait for ever"
        runs.append(run_view(result.waiting.data(), result.model, result.limits, head))
    if runs or result.answer not in (Verdict.FORBIDDEN, Verdict.HOLDS):
        return tuple(runs), []
    condition = result.program.condition
    if condition is None or condition.asks_nothing:
        return (), []
    refusals = Refusals()
    target = target_of(result.program, None)
    refusals.look(
        result.program,
        result.model,
        target.formula,
        result.limits,
        asked.seconds,
        asked.candidates,
    )
    return refusal_views(refusals, result.model, result.limits), refusal_notes(refusals)


def refusal_views(refusals: Refusals, model: Model, limits: Limits) -> tuple[RunView, ...]:
    """For each axiom that refuses candidates the one with the shortest cycle."""
    return tuple(
        refused_view(group.shortest, model, limits, group.count)
        for group in _in_order(refusals)[:MOST_GROUPS]
        if group.shortest is not None
    )


def _in_order(refusals: Refusals) -> list[RefusalGroup]:
    groups = [(g.shortest.rank, g) for g in refusals.groups.values() if g.shortest is not None]
    return [group for _, group in sorted(groups, key=lambda pair: pair[0])]


def refusal_notes(refusals: Refusals) -> list[str]:
    """How many candidates there are, and whether all were looked at."""
    notes = []
    if refusals.total:
        kind = "coherent candidate execution" if refusals.coherent else "candidate execution"
        them = "it" if refusals.total == 1 else "each"
        told = f"{number_of(refusals.total, kind)} would reach it; the model refuses {them}."
        notes.append(told)
    elif not refusals.stopped:
        within = " within the loop bound" if refusals.cut else ""
        notes.append(f"No candidate execution{within} reaches it, whatever the model.")
    if refusals.stopped:
        notes.append(f"The reasons are partial: {refusals.stopped}.")
    if refusals.circular:
        notes.append("Left out: candidates whose values justify themselves in a circle.")
    return notes


def _heading(result: Result) -> str:
    if result.witness is result.waiting and not result.offence:
        return "A run in which threads wait for ever"
    witness = result.witness
    if result.race is not None and witness is not None and witness.data() is result.race:
        return "An execution with a data race"
    if result.answer is Verdict.VIOLATED:
        return "An execution that violates the claim"
    return "An execution that satisfies the condition"
