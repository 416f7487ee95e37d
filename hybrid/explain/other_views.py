"""What an explanation and a comparison of engines say, as a report shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hybrid.crosscheck.compare import Comparison
from hybrid.crosscheck.disputes import Dispute, dispute
from hybrid.crosscheck.found import Found, final_terms
from hybrid.engine.api import TRACE
from hybrid.explain.explanation import Explanation
from hybrid.explain.refusals import Refused
from hybrid.explain.view import refusal_notes, refusal_views
from hybrid.explain.view_runs import refused_view, run_view
from hybrid.program.condition import RegisterTerm, Term, holds, show_condition
from hybrid.program.program import Program
from hybrid.report.comparison import counts_of, result_name
from hybrid.report.disagreement import disagreement_text
from hybrid.report.html.source_view import source_views
from hybrid.report.html.views import (
    AnswerView,
    CompareRow,
    CompareView,
    OutcomeRow,
    OutcomesView,
    RunView,
)
from hybrid.verdict import Verdict

Texts = Mapping[str, str]  # sources of a compiled program, by name
MOST_DISPUTES = 3  # of which the trace is drawn


def explanation_view(explanation: Explanation, verdict: Verdict, texts: Texts) -> AnswerView:
    """What was found out about an outcome."""
    program, model, asked = explanation.program, explanation.model, explanation.asked
    refusals, shown = explanation.refusals, explanation.shown
    runs: tuple[RunView, ...] = ()
    notes: list[str] = []
    if refusals is not None and refusals.allowed is None:
        runs, notes = refusal_views(refusals, model, asked.limits), refusal_notes(refusals)
    elif shown is not None:
        runs = (run_view(shown, model, asked.limits, "The execution", explanation.emphasis),)
    head = explanation.text.split("\n", 1)[0]
    return AnswerView(
        program.name,
        model.name,
        verdict.value,
        "",
        f"Asked for {explanation.target.text}: {head.removeprefix(f'{verdict.value}: ')}",
        tuple(notes),
        (("Model", model.title or model.name), ("Engine", explanation.engine)),
        source_views(program, texts),
        None,
        runs,
    )


def comparison_view(comparison: Comparison, texts: Texts) -> AnswerView:
    """What several configurations found on one program."""
    program, model = comparison.program, comparison.model
    rows = [
        CompareRow(
            found.name, "" if found.crash else counts_of(found), found.seconds, _fails(found)
        )
        for found in comparison.findings
    ]
    wrong = disagreement_text(comparison) if comparison.differences else ""
    return AnswerView(
        program.name,
        model.name,
        result_name(comparison),
        "",
        _sentence(comparison),
        (*(f"Not finished: {reason}" for reason in comparison.open),),
        (("Model", model.title or model.name),),
        source_views(program, texts),
        _outcomes(comparison),
        _disputed(comparison),
        CompareView(tuple(rows), tuple(comparison.left_out), wrong),
    )


def _fails(found: Found) -> str:
    return f"fails: {found.crash}" if found.crash else ""


def _sentence(comparison: Comparison) -> str:
    number = len(comparison.findings)
    word = "configuration" if number == 1 else "configurations"
    complete = f" {comparison.completeness}" if comparison.completeness else ""
    match comparison.verdict:
        case Verdict.HOLDS:
            return f"Under {comparison.model.name}, {number} {word} find the same.{complete}"
        case Verdict.DISAGREE:
            return f"Under {comparison.model.name}, {number} {word} disagree.{complete}"
        case _:
            return f"Under {comparison.model.name}, there was nothing to compare, or not all of it."


def _outcomes(comparison: Comparison) -> OutcomesView | None:
    """The final states that the first configuration with full traces found."""
    whole = [f for f in comparison.findings if f.equivalence == TRACE and not f.crash]
    program = comparison.program
    if not whole or not program.terms:
        return None
    places = {_where(term): place for place, term in enumerate(final_terms(program))}
    counts: dict[tuple[int, ...], int] = {}
    for facts in whole[0].traces.values():
        outcome = tuple(
            facts.finals[places[where]] if where in places else 0  # a register that nothing sets
            for where in map(_where, program.terms)
        )
        counts[outcome] = counts.get(outcome, 0) + 1
    spell = program.addresses.show
    rows = [
        OutcomeRow(
            count,
            tuple(spell(term, value) for term, value in zip(program.terms, each, strict=True)),
            _satisfies(program, each),
        )
        for each, count in sorted(counts.items())
    ]
    condition = "" if program.condition is None else show_condition(program.condition)
    names = tuple(term.name for term in program.terms)
    return OutcomesView(names, tuple(rows), condition)


def _where(term: Term) -> tuple[int, str]:
    """What a term speaks of, however it is spelled: `1:r1` is a register of the thread P1."""
    if isinstance(term, RegisterTerm):
        return term.thread, term.register
    return term.address, ""


def _satisfies(program: Program, outcome: tuple[int, ...]) -> bool:
    values = {term.name: value for term, value in zip(program.terms, outcome, strict=True)}
    condition = program.condition
    return condition is not None and holds(condition.formula, lambda term: values[term.name])


def _disputed(comparison: Comparison) -> tuple[RunView, ...]:
    """The traces that differences are about, each once."""
    seen: set[object] = set()
    runs: list[RunView] = []
    for difference in comparison.differences:
        found = dispute(comparison, difference)
        if found is None or found.data is None or found.key in seen:
            continue
        seen.add(found.key)
        has, lacks = ", ".join(found.has) or "none", ", ".join(found.lacks) or "none"
        head = f"A trace in dispute: found by {has}, not by {lacks}"
        runs.append(_judged(comparison, found, head))
        if len(runs) == MOST_DISPUTES:
            break
    return tuple(runs)


def _judged(comparison: Comparison, found: Dispute, heading: str) -> RunView:
    """A trace in dispute, with the cycle where the graph refuses it."""
    assert found.data is not None
    model, limits = comparison.model, comparison.limits
    if found.explained is None:
        return run_view(found.data, model, limits, heading)
    refused = refused_view(Refused(found.explained, found.data), model, limits, 1)
    return replace(refused, heading=heading)
