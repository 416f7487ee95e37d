"""The known answers of bundled tests: what the page says of them is what their files and tables
say, and a run is compared with them."""

from __future__ import annotations

import pytest

from hybrid.batch.explore import Explorer, Exploring
from hybrid.engine.configuration import Configuration
from hybrid.frontend.load import load_program
from hybrid.model.load import load_model
from hybrid.report.row import Row
from hybrid.serve.bundle import bundled_tests, text_of_test
from hybrid.serve.known import compared, known_answers

LITMUS = [name for name in bundled_tests() if name.endswith(".litmus")]


def test_of_a_program() -> None:
    found = {each["model"]: each for each in known_answers("classic/SB.prog") or []}
    assert found["sc"] == {"model": "sc", "verdict": "FORBIDDEN", "executions": 3}
    assert found["power"] == {"model": "power", "verdict": "ALLOWED", "executions": 4}
    assert known_answers("classic/nothing.prog") is None


def test_of_a_program_in_c() -> None:
    found = {each["model"]: each["verdict"] for each in known_answers("c/nothing.c") or []}
    assert found == {}
    found = {each["model"]: each for each in known_answers("programs/textbook/treiber.c") or []}
    assert found["rc20"]["verdict"] == "HOLDS" and found["rc20"]["executions"] > 1


@pytest.mark.parametrize("name", LITMUS[::97])
def test_of_litmus_tests(name: str) -> None:
    """They are what comes out."""
    (known,) = known_answers(name) or []
    program, model = load_program(bundled_tests()[name]), load_model(known["model"])
    result = Explorer(Exploring(Configuration("auto"))).explore(program, model, None)
    assert (known["verdict"], known["executions"]) == (result.answer.value, result.traces)
    row = compared(Row.of(result), result, name, text_of_test(name) or "")
    assert row.as_expected is True and row.exit_code == 0 and not row.differences


def test_a_run_that_differs() -> None:
    name = "ppc/MP+syncs.litmus"
    program = load_program(bundled_tests()[name])
    text = text_of_test(name) or ""

    def row(model: str, text: str, satisfying: int = 0) -> Row:
        result = Explorer(Exploring(Configuration("auto"))).explore(
            program, load_model(model), None
        )
        result.satisfying += satisfying
        return compared(Row.of(result), result, name, text)

    assert row("power", text).word == "FORBIDDEN (as expected)"
    wrong = row("power", text, satisfying=1)
    assert wrong.exit_code == 1 and wrong.as_expected is False
    assert "traces_satisfying 1, expected 0" in wrong.differences
    assert row("power", f"{text}\n").as_expected is None  # another text
    assert row("tso", text).as_expected is None  # the table is of power
