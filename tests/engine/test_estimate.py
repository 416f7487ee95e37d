"""How many candidates a program is thought to have, against counting."""

from __future__ import annotations

from math import factorial, isclose

import pytest
from support import program

from hybrid.engine.estimate import estimated_candidates, estimated_orders


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("x = 0\nthread P: x := 1;", 1),
        ("x = 0\nthread P: r := x;", 1),
        ("x = 0\nthread P: x := 1; x := 2; x := 3;\nthread Q: r := x;", 4 * factorial(3)),
        ("x = 0 y = 0\nthread P: x := 1; r := y;\nthread Q: y := 1; r := x;", 4),
        # an rmw reads and stores
        ("x = 0\nthread P: r := faa(x, 1);\nthread Q: r := faa(x, 1);", 3**2 * factorial(2)),
        # a dependency on an address leaves it the same location
        ("x = 0 y = 0\nthread P: y := 1; r := x; s := [&y + (r ^ r)];", 2),
        # no location: each may be meant
        ("x = 0 y = 0\nthread P: r := x; s := [r];", 2),
        ("x = 0 y = 0\nthread P: r := x; [r] := 1;", 2),
    ],
)
def test_straight_programs(text: str, number: int) -> None:
    assert isclose(10 ** estimated_candidates(program(text), 5), number)


def test_loops_count_as_often_as_they_may_run() -> None:
    text = "x = 0\nthread P: x := 1;\nthread Q: L: r := x; if r = 0 goto L;"
    assert isclose(10 ** estimated_candidates(program(text), 3), 2**4)
    assert isclose(10 ** estimated_candidates(program(text), 0), 2)


def test_loops_on_constants_count_as_often_as_they_run() -> None:
    text = """x = 0
    thread P: x := 1;
    thread Q: i := 9; L: r := x; i := i - 1; if i != 0 goto L;"""
    for unroll in (0, 3):
        assert isclose(10 ** estimated_candidates(program(text), unroll), 2**9)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("x = 0\nthread P: x := 1; x := 2;", 1),  # the order of a thread's own stores is given
        ("x = 0\nthread P: x := 1;\nthread Q: x := 2;", 2),
        ("x = 0\nthread P: x := 1; x := 2;\nthread Q: x := 3; x := 4;", 6),
        # five stores and the initial one for one load
        ("x = 0\nthread P: x := 1; x := 2; x := 3;\nthread Q: x := 4; x := 5; r := x;", 10 / 6),
        ("x = 0\nthread P: x := 1; x := 2;\nthread Q: x := 3; r := x;", 1),
        # the last store counts as read where the condition asks for it
        ("x = 0\nthread P: x := 1; x := 2;\nthread Q: x := 3; x := 4;\nexists (x = 1)", 6 / 5),
        # it is not known what is written
        ("x = 0 y = 0\nthread P: x := 1; x := 2;\nthread Q: r := y; [r] := 3;", 1),
    ],
)
def test_orders_that_nothing_tells_apart(text: str, number: float) -> None:
    assert isclose(10 ** estimated_orders(program(text), 5), number)
