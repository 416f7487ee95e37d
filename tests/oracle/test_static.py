"""The table of what is known at fetch, against sets of pairs: random expressions over the events of
random programs."""

from __future__ import annotations

import random

import pytest
from fetched_worlds import DEPENDENCIES, SETS, events_of, step_of, world_of
from naive_relations import RandomExpressions, pairs_of
from support import model_of, program

from hybrid.crosscheck.random_programs import random_program
from hybrid.execution.execution import Execution
from hybrid.execution.unfolding import Unfolding
from hybrid.oracle.columns import STATIC
from hybrid.oracle.plan import Plan
from hybrid.oracle.static import StaticTable
from hybrid.program.program import Program

# Read-modify-writes of each kind, and dependencies of all kinds
BUSY = """
x = 0 y = 0 z = 0
thread P: r0 := x; y := r0 + 1 @sc; sync; r1 := faa(z, r0); r2 := xchg(x, r1); z := r2;
thread Q: r0 := cas(x, 0, 1); r1 := faa(y, r0); r2 := cas(z, r0, r1); mfence; y := r2 @sc;
"""
OPERATORS = ["Union", "Inter", "Diff", "Seq", "Plus", "Star", "Opt", "Identity", "Product"]
OPERATORS += ["Complement", "Inverse"]
RELATIONS = ["po", "po", "id", "int", "ext", *DEPENDENCIES]


def check_table(source: Program, seed: int) -> tuple[int, int]:
    """Compares sets and STATIC relations of a few random expressions; how many there were, and how
    many of the relations hold a pair."""
    execution = Execution(Unfolding(source, 2, True))
    world = world_of(execution)
    random_ones = RandomExpressions(random.Random(seed), SETS, RELATIONS, OPERATORS)
    plan = Plan(model_of("acyclic po"))
    relations = [random_ones.relation(depth) for depth in (1, 2, 2, 3, 3, 3, 4, 4)]
    sets = [random_ones.set(3) for _ in range(4)]
    nodes = [plan.node(expr) for expr in relations]
    set_nodes = [plan.node(expr) for expr in sets]
    table = StaticTable(plan, execution.numbering.initial_writes)
    for _ in range(2):  # the second time from what was kept with the steps
        for event in events_of(execution):
            step = step_of(execution, event)
            if step is not None and event == step.event:
                table.fetch(step)
    for expr, node in zip(sets, set_nodes, strict=True):
        found = {e for e in world.events if table.members[node.index] >> e & 1}
        assert found == world.value(expr), node
    compared = filled = 0
    for expr, node in zip(relations, nodes, strict=True):
        if node.level == STATIC and not node.is_set:
            expected = world.value(expr)
            assert pairs_of(table.columns[node.index], world.events) == expected, node
            compared += 1
            filled += bool(expected)
    return compared, filled


@pytest.mark.parametrize("number", range(12))
def test_table(number: int) -> None:
    compared = filled = 0
    for seed in range(12):
        found = check_table(random_program(number, seed), 100 * number + seed)
        compared, filled = compared + found[0], filled + found[1]
    assert compared > 15
    assert filled > 5


def test_read_modify_writes() -> None:
    found = [check_table(program(BUSY), seed) for seed in range(80)]
    assert sum(compared for compared, _ in found) > 150
    assert sum(filled for _, filled in found) > 80


def test_paths_that_share_numbers() -> None:
    """Events of two paths have the same numbers; what is kept of a path comes back with it."""
    text = "x = 0 y = 0 thread P: r := x; if r goto A; sync; s := y; A: y := r; thread Q: x := 1;"
    execution = Execution(Unfolding(program(text), 2, True))
    steps = [step for step in execution.steps if step is not None]
    load, store = steps[0], next(step for step in steps if step.thread == 1)
    random_ones = RandomExpressions(random.Random(1), SETS, RELATIONS, OPERATORS)
    plan = Plan(model_of("acyclic po"))
    sets = [random_ones.set(2) for _ in range(20)]
    nodes = [plan.node(expr) for expr in sets]
    table = StaticTable(plan, execution.numbering.initial_writes)
    execution.commit(store.event, 1)
    worlds: list[list[set[int]]] = []
    for source in (*execution.co[execution.location[load.event]], *execution.co[0]):
        execution.commit(load.event, source)
        for event in events_of(execution):
            step = step_of(execution, event)
            if step is not None and event == step.event:
                table.fetch(step)
        world = world_of(execution)
        for expr, node in zip(sets, nodes, strict=True):
            found = {e for e in world.events if table.members[node.index] >> e & 1}
            assert found == world.value(expr), node
        worlds.append([world.value(expr) for expr in sets])
        execution.rollback()
    assert worlds[0] != worlds[1]
    assert worlds[:2] == worlds[2:]
