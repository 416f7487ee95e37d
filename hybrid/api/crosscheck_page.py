"""The file of `hybrid crosscheck --html`: one comparison, or the table of many."""

from __future__ import annotations

from hybrid.api.crosscheck_file import Compared
from hybrid.batch.html_report import write_answer, write_rows
from hybrid.printable import number_of
from hybrid.report.html.views import AnswerView, BatchRow


def write_comparisons(path: str, found: list[Compared], command: str) -> None:
    if len(found) == 1:
        write_answer(path, _view(found[0]), command)
        return
    rows = [_row(each) for each in found]
    equal = sum(row.verdict == "EQUAL" for row in rows)
    told = f"{number_of(len(rows), 'comparison')}, {equal} equal"
    write_rows(path, rows, (told,), command)


def _view(found: Compared) -> AnswerView:
    told = (found.complaint,) if found.complaint else ()
    word = found.verdict.value
    return found.view or AnswerView(
        found.name, found.model_name, word, "", "There is no answer.", told, ()
    )


def _row(found: Compared) -> BatchRow:
    view = _view(found)
    compared = view.comparison
    rows = () if compared is None else compared.rows
    outcomes = view.outcomes
    traces = None if outcomes is None else sum(row.count for row in outcomes.rows)
    return BatchRow(
        found.name,
        found.model_name,
        view.verdict,
        "",
        number_of(len(rows), "configuration"),
        traces,
        sum(row.seconds for row in rows),
        found.complaint,
        str(found.path),
        view,
    )
