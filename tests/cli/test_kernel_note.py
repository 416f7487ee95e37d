"""A long run with the interpreted kernel says what compiling would give: once, to people."""

from __future__ import annotations

import pytest
from cli_helpers import Hybrid

from hybrid.batch import kernel_note as module
from hybrid.batch.kernel_note import LONG, kernel_note
from hybrid.report.row import Row
from hybrid.verdict import Verdict


def row(engine: str, seconds: float | None) -> Row:
    return Row("SB", "sc", engine, Verdict.HOLDS, Verdict.HOLDS, seconds=seconds)


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "is_compiled", lambda: False)


@pytest.mark.usefixtures("interpreted")
def test_long_runs_alone() -> None:
    rows = [row("rsmc", LONG / 2), row("trust", LONG / 2), row("-", None)]
    assert kernel_note(rows, "", LONG).startswith("note: the kernel is interpreted; a compiled one")
    assert kernel_note(rows, "graph", LONG)
    assert kernel_note(rows, "", LONG / 2) == ""  # known from an earlier run
    assert kernel_note(rows[1:], "", LONG) == ""
    assert kernel_note(rows, "z3", LONG) == ""  # the solver's time
    assert kernel_note([row("bmc", 2 * LONG)], "", 2 * LONG) == ""


def test_not_of_a_compiled_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "is_compiled", lambda: True)
    assert kernel_note([row("rsmc", LONG)], "", LONG) == ""


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(
    ("form", "times"),
    [("text", 1), ("table", 1), ("summary", 1), ("json", 0), ("quiet", 0), ("herd", 0)],
)
@pytest.mark.parametrize("models", ["sc", "sc,tso"])
def test_it_is_said_once_and_to_people(
    form: str, times: int, models: str, hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LONG", 0.0)
    run = hybrid.on("verify", "sb", "--model", models, "--format", form)
    assert run.err.count("a compiled one is") == times
    assert "a compiled one is" not in run.out
