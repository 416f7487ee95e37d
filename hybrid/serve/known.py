"""The known answers of the bundled tests: what their files state (`expect`), or the table beside
them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from hybrid.batch.expected import COUNTED, NAME, ExpectedRow, ExpectedTable, differences, load_table
from hybrid.frontend.c.directives import read_directives
from hybrid.frontend.compiler_options import is_compiled
from hybrid.frontend.load import load_program, model_of
from hybrid.parsing import read_source
from hybrid.program.condition import Quantifier
from hybrid.report.herd import KINDS
from hybrid.report.result import Result
from hybrid.report.row import Row
from hybrid.serve.bundle import bundled_tests
from hybrid.verdict import Verdict

_EXISTS: Final = KINDS[Quantifier.EXISTS]
_FORALL: Final = KINDS[Quantifier.FORALL]


def known_answers(name: str) -> list[dict[str, Any]] | None:
    """For each model of which an answer is known `model`, `verdict` and `executions` (null: it is
    not stated how many there are); None: there is no such test."""
    path = bundled_tests().get(name)
    if path is None:
        return None
    if is_compiled(path):
        stated = read_directives(read_source(path)).expectations
    else:
        program = load_program(path)
        row = _row(path)
        if row is not None:
            return [_of_row(model_of(program), row)]
        stated = program.expectations
    return [
        {"model": each.model_name, "verdict": each.verdict, "executions": each.traces}
        for each in stated
    ]


def compared(row: Row, result: Result, name: str, text: str) -> Row:
    """The row of a run with what the table says of the bundled test whose text it is. The table is
    of the architecture's own model, and of explorations that came to their end."""
    path = bundled_tests().get(name)
    known = None if path is None else _row(path)
    if path is None or known is None or text != path.read_text(encoding="utf-8"):
        return row
    if result.unfinished or result.unsupported or result.model.name != model_of(result.program):
        return row
    found = tuple(map(str, differences(known, result)))
    counted = Verdict.VIOLATED if found else Verdict.HOLDS
    return replace(row, counted=counted, as_expected=not found, differences=found)


def _of_row(model: str, row: ExpectedRow) -> dict[str, Any]:
    numbers = [int(row.cells[column]) for column in COUNTED if column in row.cells]
    return {
        "model": model,
        "verdict": _verdict(row.cells.get("quantifier", _EXISTS), row.cells.get("observation", "")),
        "executions": sum(numbers) if len(numbers) == len(COUNTED) else None,
    }


def _verdict(quantifier: str, observation: str) -> str:
    """What herd's observation means as an answer."""
    if quantifier == _EXISTS:
        answer = Verdict.FORBIDDEN if observation == "Never" else Verdict.ALLOWED
    else:
        holds = "Always" if quantifier == _FORALL else "Never"
        answer = Verdict.HOLDS if observation == holds else Verdict.VIOLATED
    return answer.value


def _row(path: Path) -> ExpectedRow | None:
    table = _table(path.parent)
    return None if table is None else table.row(path)


@cache
def _table(folder: Path) -> ExpectedTable | None:
    place = folder / NAME
    return load_table(place, asked=False, whole=False) if place.exists() else None
