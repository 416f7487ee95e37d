"""The order of threads of engine/trust/groups.py."""

from __future__ import annotations

from itertools import permutations

import pytest
from graph_cases import EXCLUSIVE, MESSAGE, WEAK, against_enumerate
from support import model, program

from hybrid.crosscheck.random_programs import random_program
from hybrid.crosscheck.shape import Shape
from hybrid.engine.api import Limits
from hybrid.engine.trust.engine import Trust
from hybrid.engine.trust.graph import ExecutionGraph, dense_unfolding
from hybrid.engine.trust.groups import in_groups
from hybrid.program.program import Program

CELLS = "x = 0 y = 0 z = 0 "
# P, R and T meet at x, Q and S at y
PAIRS = (
    "thread P: x := 1; thread Q: y := 1; thread R: r := x; thread S: r := y; thread T: r := x; "
    "thread U: z := 1;"
)


def graph_of(source: Program, unroll: int = 2) -> ExecutionGraph:
    return ExecutionGraph(dense_unfolding(source, model("sc"), unroll, 10_000, "graph"), False)


def state(graph: ExecutionGraph) -> tuple[object, ...]:
    """All of a graph that an exploration begins with; locations may have become known."""
    return (
        graph.present,
        graph.not_maximal,
        graph.pending,
        graph.moving,
        graph.committed & ~graph.initial,
        graph.fetched & ~graph.initial,
        [order[:] for order in graph.co if len(order) > 1],
        [reads for reads in graph.reads if reads],
        graph.thread_past[:],
        graph.next[:],
        graph.errors[:],
        graph.run[:],
    )


def order_of(text: str, threads: list[int]) -> list[int]:
    graph = graph_of(program(CELLS + text))
    before = state(graph)
    order = in_groups(graph, threads)
    assert state(graph) == before
    assert sorted(order) == sorted(threads)
    return order


@pytest.mark.parametrize(
    ("text", "threads", "order"),
    [
        (PAIRS, [0, 1, 2, 3, 4, 5], [5, 1, 3, 0, 2, 4]),
        (PAIRS, [5, 4, 3, 2, 1, 0], [5, 3, 1, 4, 2, 0]),
        ("thread P: x := 1; thread Q: y := 1; thread R: z := 1;", [2, 0, 1], [2, 0, 1]),
        # Q meets P, and R meets Q
        (
            "thread P: x := 1; thread Q: r := x; y := 1; thread R: r := y; thread S: z := 1;",
            [0, 1, 2, 3],
            [3, 0, 1, 2],
        ),
        # nobody writes x
        (
            "thread P: r := x; thread Q: y := 1; thread R: r := x; thread S: r := y;",
            [2, 0, 1, 3],
            [2, 0, 1, 3],
        ),
        ("thread P: x := 1; thread Q: y := 1;", [1, 0], [1, 0]),
    ],
    ids=["pairs", "pairs, the last first", "alone", "a chain", "readers", "two"],
)
def test_threads_that_meet_are_together(text: str, threads: list[int], order: list[int]) -> None:
    assert order_of(text, threads) == order


def test_an_address_that_is_computed() -> None:
    text = "p = &y x = 0 y = 0 thread P: x := 1; thread Q: r := p; [r] := 1; thread R: r := y;"
    assert in_groups(graph_of(program(text)), [1, 0, 2]) == [0, 1, 2]


@pytest.mark.parametrize(
    "stop", ["await(x = 7);", "r := y; assume r = 1;", "r := x; [r + 70] := 1;"]
)
def test_a_thread_that_stops_is_known_up_to_there(stop: str) -> None:
    """Its store to z is not met."""
    text = f"thread P: {stop} z := 1; thread Q: x := 1; thread R: r := z;"
    assert order_of(text, [2, 0, 1])[0] == 2


def test_a_loop_at_its_bound() -> None:
    text = "thread P: L: r := x; if r = 0 goto L; thread Q: y := 1; thread R: x := 1;"
    assert order_of(text, [0, 1, 2]) == [1, 0, 2]


def test_a_long_thread() -> None:
    text = f"thread P: {'x := 1; ' * 1100} y := 1; thread Q: y := 1; thread R: x := 1;"
    assert order_of(text, [0, 1, 2]) == [1, 0, 2]


@pytest.mark.parametrize("text", [EXCLUSIVE, MESSAGE, WEAK], ids=["exclusive", "await", "weak"])
def test_nothing_is_left_on_the_graph(text: str) -> None:
    for order in permutations(range(3)):
        graph = graph_of(program(text))
        before = state(graph)
        assert sorted(in_groups(graph, order)) == [0, 1, 2]
        assert state(graph) == before


def test_nothing_is_left_of_random_programs() -> None:
    for number in range(60):
        source = random_program(5, number, Shape(threads=(3, 4)))
        graph = graph_of(source)
        before = state(graph)
        in_groups(graph, range(len(source.threads)))
        assert state(graph) == before


def test_interleaved_pairs_cost_what_adjacent_ones_do() -> None:
    firsts = [f"thread {cell}: {cell} := 1; r := {cell};" for cell in "abc"]
    seconds = [f"thread {cell}2: {cell} := 2; r := {cell};" for cell in "abc"]
    apart = firsts + seconds
    together = [thread for pair in zip(firsts, seconds, strict=True) for thread in pair]
    checks: list[int] = []
    for threads in (apart, together):
        engine = Trust()
        traces = engine.explore(
            program("a = 0 b = 0 c = 0 " + " ".join(threads)), model("sc"), Limits()
        )
        assert len(list(traces)) == 4**3
        checks.append(engine.counters.checks)
    assert checks[0] == checks[1]


@pytest.mark.parametrize("policy", ["first", "last", "random"])
@pytest.mark.parametrize("memory", ["stack", "linear"])
def test_traces_are_those_of_enumerate(policy: str, memory: str) -> None:
    result = against_enumerate(
        Trust(policy=policy, seed=3, memory=memory), program(CELLS + PAIRS), "rc11"
    )
    assert result.agree
