"""Control flow: order, dominators, loops, live registers."""

from __future__ import annotations

from hybrid.frontend.prog import parse_program
from hybrid.program.passes.cfg import RESERVATION, ControlFlow
from hybrid.program.passes.ssa import Iteration
from hybrid.source import Source


def flow(code: str) -> ControlFlow:
    return ControlFlow(
        parse_program(Source("<t>", f"x = 0; y = 0\nthread P: {code}")).threads[0].code
    )


NESTED = """
  A: a := x;
  B: b := y;
     if b = 0 goto B;
     if a = 0 goto A;
  C: c := x;
     if c = 1 goto D;
     y := 1;
  D: y := 2;
"""


def test_loops_are_found_from_the_inside() -> None:
    graph = flow(NESTED)
    assert [(loop.header, sorted(loop.body), loop.back) for loop in graph.loops] == [
        (1, [1, 2], (2,)),
        (0, [0, 1, 2, 3], (3,)),
    ]
    assert all(graph.reducible(loop) for loop in graph.loops)
    assert graph.dominates(4, 7)
    assert not graph.dominates(6, 7)
    assert graph.order[0] == 0
    assert graph.rank[7] > graph.rank[6]


def test_a_jump_into_a_loop_is_told() -> None:
    graph = flow("a := x; if a = 1 goto M; L: b := y; M: c := x; if c = 0 goto L; if b = 1 goto L;")
    outer = flow("H: a := x; if a = 1 goto M; L: b := y; M: c := x; if c = 0 goto L; goto H;")
    assert not graph.loops or not all(graph.reducible(loop) for loop in graph.loops)
    assert [outer.reducible(loop) for loop in outer.loops] == [False]


def test_a_branch_to_the_next_instruction_decides_nothing() -> None:
    graph = flow("a := x; if a = a goto L; L: y := 1;")
    assert [edge.truth for edge in graph.following[1]] == [None]


def test_registers_live_as_long_as_they_may_be_used() -> None:
    graph = flow(NESTED)
    live = graph.live(frozenset({"c"}))
    assert live[0] == frozenset()
    assert live[1] == {"a"}
    assert live[3] == {"a"}
    assert live[5] == {"c"}
    assert live[-1] == {"c"}


def test_a_reservation_is_like_a_register() -> None:
    graph = flow("L: a := lr(x); s := sc(x, 1); if s goto L; t := sc(x, 2);")
    live = graph.live(frozenset())
    assert RESERVATION in live[1]
    assert RESERVATION not in live[0]
    assert RESERVATION in live[3]


def test_values_have_names() -> None:
    graph = flow(
        "L: a := x; c := a + 1; if a = 0 goto M; a := 2; M: b := c; if b = k goto L; k := 1;"
    )
    (loop,) = graph.loops
    names = Iteration(graph, loop)
    assert names.entering[0] == {}
    assert names.entering[2] == {"a": "a@0", "c": "c@1"}
    assert names.entering[4]["a"] == "a@phi4"
    assert names.meeting[4]["a@phi4"] == {2: "a@0", 3: "a@3"}
    from hybrid.program.expr import show

    branch = graph.code[5]
    (condition,) = branch.expressions
    assert show(names.term_at(condition, 5)) == "(a@0 + 1) = k@in"
    assert names.loads("c@1") == {0}
    assert names.loads("a@phi4") == {0}
