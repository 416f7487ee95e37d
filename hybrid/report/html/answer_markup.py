"""One answer as HTML: verdict, source, outcomes, and executions to step through."""

from __future__ import annotations

from hybrid.report.html.markup import attributes_markup, element, escape, listed
from hybrid.report.html.picture_markup import own_switches_markup, picture_markup, switches_markup
from hybrid.report.html.views import (
    NO_MODEL,
    AnswerView,
    AxiomView,
    ChoiceView,
    CompareView,
    EdgeView,
    EventName,
    OutcomesView,
    RunView,
    SourcePiece,
    SourceView,
    StepView,
)

_BUTTONS = ("Whole", "Start", "Back", "Next", "End")
_WORDS = {"taken": "taken", "allowed": "possible", "refused": "refused"}


def answer_markup(answer: AnswerView) -> str:
    """The part of a page that is about one program."""
    parts = [_head(answer)]
    if answer.comparison is not None:
        parts.append(_comparison(answer.comparison))
    parts += [_run(run, answer, number) for number, run in enumerate(answer.runs)]
    columns = [_source(source) for source in answer.sources]
    columns += [_outcomes(answer.outcomes)] if answer.outcomes is not None else []
    parts.append(f'<div class="columns">{"".join(columns)}</div>' if columns else "")
    facts = "".join(element("dt", name) + element("dd", value) for name, value in answer.facts)
    if facts:
        parts.append(f'<section class="facts"><h3>How it was found</h3><dl>{facts}</dl></section>')
    return f'<article class="answer">{"".join(parts)}</article>'


def verdict_markup(verdict: str, expected: str) -> str:
    kind = verdict.split(" ")[0].lower()
    told = element("span", expected, class_="expected") if expected else ""
    return element("strong", verdict, class_=f"verdict {kind}") + (f" {told}" if told else "")


def _head(answer: AnswerView) -> str:
    title = escape(answer.name)
    if answer.model != NO_MODEL:
        title += f' <span class="under">under {escape(answer.model)}</span>'
    return (
        f'<header><h2 tabindex="-1">{title}</h2>'
        f'<p class="says">{verdict_markup(answer.verdict, answer.expected)} '
        f"{element('span', answer.sentence, class_='sentence')}</p>"
        f"{listed(answer.notes, 'notes')}</header>"
    )


# ---- source and outcomes


def _source(source: SourceView) -> str:
    lines = "".join(
        f"<li><code>{''.join(map(_piece, line)) or ' '}</code></li>" for line in source.lines
    )
    return (
        f'<section class="source"><h3>{escape(source.name)}</h3>'
        f'<ol class="listing" tabindex="0" aria-label="Source, its events marked">{lines}</ol>'
        "</section>"
    )


def _piece(piece: SourcePiece) -> str:
    if not piece.labels:
        return escape(piece.text)
    keys = " ".join(label.replace(" ", "_") for label in piece.labels)
    return element("mark", piece.text, data_labels=keys)


def _outcomes(outcomes: OutcomesView) -> str:
    head = "".join(element("th", term, scope="col") for term in outcomes.terms)
    rows = []
    for row in outcomes.rows:
        cells = "".join(element("td", value) for value in row.values)
        word = "yes" if row.marked else ""
        kind = ' class="marked"' if row.marked else ""
        rows.append(
            f"<tr{kind}>{element('td', str(row.count), class_='number')}{cells}"
            f"{element('td', word) if outcomes.condition else ''}</tr>"
        )
    last = '<th scope="col">condition</th>' if outcomes.condition else ""
    told = element("p", f"Condition: {outcomes.condition}") if outcomes.condition else ""
    counted = element("th", outcomes.counted, scope="col", class_="number")
    return (
        f'<section class="outcomes"><h3>Outcomes</h3>{told}'
        '<div class="scroll" tabindex="0" role="group" aria-label="Outcomes">'
        f"<table><thead><tr>{counted}{head}{last}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div></section>"
    )


# ---- executions


def _run(run: RunView, answer: AnswerView, number: int) -> str:
    title = f"{answer.name} under {answer.model}: {run.heading}"
    axiom = "" if run.axiom is None else _axiom(run.axiom)
    text = element("p", run.run, class_="run") if run.run else ""
    notes = "".join(
        element("li", note, class_="bad" if note in run.picture.warnings else "")
        for note in run.picture.notes
    )
    switches = switches_markup(run.picture) + own_switches_markup(run.named)
    drawn = switches + picture_markup(run.picture, title)
    told = f'<ul class="notes">{notes}</ul>' if notes else ""
    words = listed(tuple(run.picture.description.split("; ")), "notes")
    text += f"<details><summary>The picture in words</summary>{words}</details>"
    return (
        f'<section class="execution" data-run="{number}">{element("h3", run.heading)}{axiom}'
        f'<div class="stage"><div class="drawn">{drawn}{told}{text}</div>{_stepper(run)}</div>'
        "</section>"
    )


def _stepper(run: RunView) -> str:
    if not run.steps:
        return element("p", run.note, class_="note") if run.note else ""
    buttons = "".join(
        element("button", word, type="button", data_go=word.lower()) for word in _BUTTONS
    )
    start = f'<li class="step" data-key="" data-label=""><h4>Start</h4>{_fetched(run.first)}</li>'
    steps = "".join(_step(step, place) for place, step in enumerate(run.steps, 1))
    note = element("p", run.note, class_="note") if run.note else ""
    return (
        '<div class="stepper" role="group" tabindex="0" aria-label="The run, commit by commit; '
        'arrow keys go back and forth">'
        f'<div class="controls">{buttons}<output class="at" aria-live="polite"></output></div>'
        f'{note}<ol class="steps" start="0">{start}{steps}</ol></div>'
    )


def _fetched(events: tuple[EventName, ...]) -> str:
    if not events:
        return '<p class="none">Nothing more is fetched.</p>'
    return f"<p>Fetched:</p>{_events(events, 'fetched')}"


def _events(events: tuple[EventName, ...], kind: str) -> str:
    inside = "".join(element("li", event.text, data_key=event.key) for event in events)
    return f'<ul class="{kind}">{inside}</ul>'


def _step(step: StepView, place: int) -> str:
    parameter = f"[{step.parameter}]" if step.parameter else ""
    refused = " refused" if step.refused else ""
    word = "Refused" if step.refused else "Commit"
    head = f"<h4>{word} {place}: {escape(step.text)} <code>{escape(parameter)}</code></h4>"
    parts = [element("p", step.meaning)] if step.meaning else []
    if step.choices:
        parts.append(_choices(step.choices))
    if step.refused:
        parts.append(element("p", "The model does not allow this commit: the run ends here."))
    else:
        parts.append(_fetched(step.fetched))
    if step.waiting:
        parts.append(f"<p>Waiting to be committed:</p>{_events(step.waiting, 'waiting')}")
    attributes = attributes_markup(
        class_=f"step{refused}", data_key=step.key, data_label=step.label.replace(" ", "_")
    )
    return f"<li{attributes}>{head}{''.join(parts)}</li>"


def _choices(choices: tuple[ChoiceView, ...]) -> str:
    return (
        '<div class="scroll"><table class="choices"><caption>Parameters that came into question'
        '</caption><thead><tr><th scope="col">parameter</th><th scope="col">meaning</th>'
        '<th scope="col">answer</th></tr></thead>'
        f"<tbody>{''.join(map(_choice, choices))}</tbody></table></div>"
    )


def _choice(choice: ChoiceView) -> str:
    answer = element("span", _WORDS[choice.state], class_="state")
    if choice.why:
        answer += f", {element('span', choice.why, class_='why')}"
    if choice.cycle:
        pairs = _pairs(choice.cycle)
        answer += f" {element('button', 'show', type='button', class_='show', data_cycle=pairs)}"
    return (
        f'<tr class="{choice.state}">{element("th", choice.parameter, scope="row")}'
        f"{element('td', choice.meaning)}<td>{answer}</td></tr>"
    )


def _pairs(cycle: tuple[EdgeView, ...]) -> str:
    """The boxes that a cycle goes through, for the script."""
    return " ".join(f"{edge.source}>{edge.target}" for edge in cycle)


def _axiom(axiom: AxiomView) -> str:
    definitions = "".join(
        f"<li><code>{escape(each.text)}</code> <small>{escape(each.place)}</small></li>"
        for each in axiom.definitions
    )
    edges = "".join(
        f"<li>{escape(e.source_name)} <b>{escape(e.label)}</b> {escape(e.target_name)}</li>"
        for e in axiom.cycle
    )
    more = (
        f"<details><summary>What its names mean</summary><ul>{definitions}</ul></details>"
        if definitions
        else ""
    )
    return (
        f'<div class="axiom"><p><code class="law">{escape(axiom.text)}</code> '
        f"<small>{escape(axiom.place)}</small></p>{more}{element('p', axiom.counted)}"
        f"<p>The cycle: <code>{escape(axiom.cycle_text)}</code></p>"
        f'<ol class="cycle" aria-label="The edges of the cycle">{edges}</ol></div>'
    )


# ---- comparisons


def _comparison(comparison: CompareView) -> str:
    rows = "".join(
        f"<tr>{element('th', row.name, scope='row')}{element('td', row.crash or row.counts)}"
        f"{element('td', f'{row.seconds:.2f} s', class_='number')}</tr>"
        for row in comparison.rows
    )
    left_out = "".join(
        f"<tr>{element('th', name, scope='row')}{element('td', why)}</tr>"
        for name, why in comparison.left_out
    )
    parts = [
        '<section class="comparison"><h3>Configurations</h3><div class="scroll" tabindex="0" '
        'role="group" aria-label="Configurations"><table><thead><tr><th scope="col">configuration'
        '</th><th scope="col">found</th><th scope="col" class="number">time</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    ]
    if comparison.disagreement:
        parts.append(element("pre", comparison.disagreement, class_="disagreement"))
    if left_out:
        parts.append(
            "<details><summary>Not applicable</summary><table><tbody>"
            f"{left_out}</tbody></table></details>"
        )
    return "".join((*parts, "</section>"))
