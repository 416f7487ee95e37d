"""The figures of "Awaiting for Godot" that have loops: how many traces are left when their pure
iterations are gone. Each program says it under every model it names."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import model, program

from hybrid.engine.configuration import Configuration
from hybrid.engine.prepare import prepared
from hybrid.program.passes.setting import AWAIT
from hybrid.program.program import Expectation, Program
from hybrid.report.explored import explore


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
