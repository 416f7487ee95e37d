"""A failed assert is shown with its text, its line and what its registers held when it failed."""

from __future__ import annotations

import pytest

from hybrid.engine.api import Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.frontend.prog import parse_program
from hybrid.model.load import load_model
from hybrid.source import Source
from hybrid.witness.failed_asserts import failed_asserts

LIMITS = Limits(unroll=2)


def shown(text: str, shows: bool = True) -> set[tuple[str, ...]]:
    program = parse_program(Source("t.prog", text, shows))
    traces = Enumerate().explore(program, load_model("sc"), LIMITS)
    found = (failed_asserts(trace.data(), LIMITS) for trace in traces)
    return {tuple(map(str, each)) for each in found if each}


def test_text_line_and_values() -> None:
    text = "x = 0\nthread P: x := 1;\nthread Q: r := x; s := &x;\n  A: assert r = 0 && s != 0;\n"
    assert shown(text) == {("A: assert r = 0 && s != 0 (t.prog:4), where r is 1, s is &x",)}


def test_the_values_are_those_of_the_assert_not_the_last_ones() -> None:
    text = "x = 7\nthread P: r := x; A: assert r != 7; r := 1;\n"
    assert shown(text) == {("A: assert r != 7 (t.prog:2), where r is 7",)}


def test_the_first_time_in_a_loop() -> None:
    text = "x = 1\nthread P: S: r := x; i := i + 1; A: assert i < 2; if r = 1 goto S;\n"
    assert shown(text) == {("A: assert i < 2 (t.prog:2), where i is 2",)}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x = 0 thread P: A: assert\n 1 = 2;", "A: assert … (t.prog:1)"),
        ("x = 0 thread P: A: assert 0;", "A: assert 0 (t.prog:1)"),
    ],
)
def test_without_registers_and_over_several_lines(text: str, line: str) -> None:
    assert shown(text) == {(line,)}


def test_a_source_that_is_not_to_be_shown() -> None:
    text = "x = 3 thread P: r := x; A: assert r = 0;"
    assert shown(text, shows=False) == {("A (t.prog:1), where r is 3",)}
