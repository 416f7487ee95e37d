"""The table of a batch: rows to sort and filter, each of which opens its answer.

On a phone the style sheet lays rows out as blocks. Browsers then no longer tell screen readers that
this is a table, so the roles are written out.
"""

from __future__ import annotations

from hybrid.report.html.answer_markup import answer_markup, verdict_markup
from hybrid.report.html.markup import attributes_markup, element, escape, listed
from hybrid.report.html.views import BatchRow, PageView

# title, whether it is a number
_COLUMNS = (
    ("Program", False),
    ("Model", False),
    ("Verdict", False),
    ("Engine", False),
    ("Executions", True),
    ("Time", True),
    ("Note", False),
)


def batch_markup(page: PageView) -> str:
    """The table, and what its rows open."""
    rows = "".join(_row(row, number) for number, row in enumerate(page.rows))
    head = "".join(_column(name, number) for name, number in _COLUMNS)
    answers = "".join(
        f'<template id="answer-{number}">{answer_markup(row.answer)}</template>'
        for number, row in enumerate(page.rows)
        if row.answer is not None
    )
    verdicts = list(dict.fromkeys(row.verdict for row in page.rows))
    choices = "".join(element("option", verdict) for verdict in sorted(verdicts))
    return (
        f'<section class="batch"><h1>{escape(page.title)}</h1>{listed(page.summary, "notes")}'
        '<form class="filter" role="search"><label>Filter <input type="search" name="text" '
        'autocomplete="off" placeholder="name, model, note"></label>'
        f'<label>Verdict <select name="verdict"><option value="">all</option>{choices}</select>'
        '</label><label><input type="checkbox" name="unexpected"> only not as expected</label>'
        '<output class="count" aria-live="polite"></output></form>'
        '<div class="scroll" tabindex="0" role="group" aria-label="The table; it can be scrolled">'
        '<table class="rows" role="table"><thead role="rowgroup">'
        f'<tr role="row">{head}</tr></thead>'
        f'<tbody role="rowgroup">{rows}</tbody></table></div>'
        '<p class="more" hidden><button type="button">Show all</button></p>'
        '</section><section class="opened" hidden aria-label="One answer"><p><button type="button" '
        'class="close">Back to the table</button></p><div class="place"></div></section>'
        f"{answers}"
    )


def _column(name: str, number: bool) -> str:
    kind = "number" if number else "text"
    button = element("button", name, type="button")
    return f'<th scope="col" role="columnheader" class="{kind}" aria-sort="none">{button}</th>'


def _row(row: BatchRow, number: int) -> str:
    name = element("span", row.name)
    if row.answer is not None:
        name = f'<a href="#answer-{number}">{escape(row.name)}</a>'
    traces = "" if row.traces is None else str(row.traces)
    seconds = "" if row.seconds is None else f"{row.seconds:.2f}"
    cells = [
        f'<th scope="row" role="rowheader"{attributes_markup(title=row.path)}>{name}</th>',
        element("td", row.model, role="cell"),
        f'<td role="cell">{verdict_markup(row.verdict, row.expected)}</td>',
        element("td", row.engine, role="cell"),
        element("td", traces, role="cell", class_="number"),
        element("td", seconds, role="cell", class_="number"),
        element("td", row.note, role="cell"),
    ]
    unexpected = ' data-unexpected=""' if row.expected.startswith("not") else ""
    verdict = attributes_markup(data_verdict=row.verdict, role="row")
    return f"<tr{verdict}{unexpected}>{''.join(cells)}</tr>"
