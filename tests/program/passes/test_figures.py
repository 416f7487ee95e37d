"""The figures of "Awaiting for Godot": how many executions odpor finds under sc when iterations of
their loops that change nothing are gone. What is left under other models, the bundled programs say
themselves (tests/test_bundle.py); a lock of Table I, which is larger, says it here."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import model, program

from hybrid.data import bundled
from hybrid.engine.api import FAA, TRACE
from hybrid.engine.configuration import Configuration
from hybrid.engine.prepare import prepared, without_pure_iterations
from hybrid.frontend.prog import load_prog
from hybrid.program.passes.setting import ASSUME, AWAIT
from hybrid.program.program import Expectation, Program
from hybrid.program.show import show_instruction
from hybrid.report.explored import explore

FIGURES = bundled("litmus") / "papers"
# by file and treatment of loops: complete+blocked executions
COUNTS = [
    ("fig1-spin", AWAIT, TRACE, "1+0"),
    ("fig1-spin", ASSUME, TRACE, "1+2"),
    ("fig1-await", AWAIT, TRACE, "1+0"),
    ("fig1-assume", AWAIT, TRACE, "1+2"),
    ("fig2a", AWAIT, TRACE, "1+0"),
    ("fig2a", ASSUME, TRACE, "1+1"),
    ("fig2b", AWAIT, TRACE, "1+1"),
    ("fig2c", AWAIT, TRACE, "1+0"),
    ("fig3", AWAIT, TRACE, "4+0"),
    ("fig4", AWAIT, TRACE, "2+0"),
    ("fig5", AWAIT, TRACE, "2+6"),
    ("fig5", AWAIT, FAA, "1+1"),
    ("fig5-sums", AWAIT, TRACE, "4+6"),
    ("fig5-sums", AWAIT, FAA, "2+1"),
]


@pytest.mark.parametrize(("name", "loops", "equivalence", "expected"), COUNTS)
def test_executions(name: str, loops: str, equivalence: str, expected: str) -> None:
    figure = prepared(load_prog(FIGURES / f"godot-{name}.prog"), model("sc"), loops)
    result = explore(Configuration("odpor", equivalence), figure, model("sc"))
    counters = result.counters
    blocked = counters.blocked + counters.deadlocks + counters.livelocks
    assert f"{result.traces}+{blocked}" == expected
    assert counters.sleep_blocked == 0


@pytest.mark.parametrize(
    ("name", "loops", "behind"),
    [
        ("sc", ASSUME, "L0: a := x"),  # where a > 4 is known: between the two loads
        ("power", ASSUME, "L2: b := y"),  # a test there would order what follows it
    ],
)
def test_where_the_test_of_fig6_stands(name: str, loops: str, behind: str) -> None:
    found = without_pure_iterations(load_prog(FIGURES / "godot-fig6.prog"), model(name), loops)
    assert found.reports[0].condition == ("a > 4",)
    code = found.program.threads[0].code
    shown = [f"{each.label}: {show_instruction(each, code)}" for each in code]
    (at,) = (number for number, each in enumerate(shown) if "assume" in each)
    assert shown[at - 1] == behind, shown
    assert "assume a <= 4" in shown[at]


def figures() -> list[tuple[Program, Expectation]]:
    found = sorted((Path(__file__).parent / "figures").glob("*.prog"))
    read = [program(path.read_text(encoding="utf-8")) for path in found]
    return [(each, expected) for each in read for expected in each.expectations]


@pytest.mark.parametrize(
    ("text", "expected"), figures(), ids=lambda it: getattr(it, "model_name", None) or it.name
)
def test_traces_that_are_left(text: Program, expected: Expectation) -> None:
    judge = model(expected.model_name)
    result = explore(Configuration("rsmc"), prepared(text, judge, AWAIT), judge)
    assert (result.answer.value, result.traces) == (expected.verdict, expected.traces)
