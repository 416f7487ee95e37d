"""The graph oracle: what it keeps up to date equals what a fresh evaluation gives, and undoing
restores it."""

from __future__ import annotations

import pytest
from support import MODELS, model, model_of, program
from walks import Walk

from hybrid.crosscheck.random_programs import random_program
from hybrid.engine.api import Limits
from hybrid.engine.trust.engine import Trust
from hybrid.execution.bits import members
from hybrid.execution.execution import Execution
from hybrid.execution.unfolding import Unfolding
from hybrid.model.core import Model
from hybrid.oracle.columns import Node
from hybrid.oracle.from_scratch import Fresh
from hybrid.oracle.graph import GraphOracle
from hybrid.oracle.graph_reason import base_columns
from hybrid.oracle.reason import Reason

pytestmark = pytest.mark.sample(2)

# Operators that the built-in models use little: inverses, domains, recursion through closures,
# non-monotone parts.
ODD = """
let a = (rf^-1 ; po?) | (co^-1 & ext)
let s = domain(rf ; po) | range(addr) | RMW
let rec t = (a ; t) | ([s] ; co) | (t^-1 ; rf)
let u = (fr \\ t) | (~(rf | po) & (s * W))
let v = (po-loc | rf)* ; (co \\ po)+ ; [FW]
empty (u & 0) as one
irreflexive (v & po & po^-1) as two
empty (t & po & po^-1) as three
acyclic po | rf
empty rmw & (fre ; coe) as atomic
"""


def nodes_of(oracle: GraphOracle) -> list[Node]:
    return [node for node in oracle.plan.nodes if node.index in oracle.network.built]


def state(oracle: GraphOracle) -> list[list[int]]:
    return [list(oracle.network.built[n.index].columns) for n in nodes_of(oracle)]


def check_against_fresh(oracle: GraphOracle) -> None:
    points = oracle.points
    tried = oracle._tried
    event, candidate = (-1, -1) if tried is None else (tried.event, tried.candidate)
    fresh = Fresh(points, *base_columns(oracle.execution, points.committed, event, candidate))
    kept: dict[int, list[Node]] = {}
    relations = {}
    for node in nodes_of(oracle):
        relation = oracle.network.built[node.index]
        if relation.stored:  # one relation may stand for several that are looked at as a union
            kept.setdefault(id(relation), []).append(node)
            relations[id(relation)] = relation
    for key, nodes in kept.items():
        columns = relations[key].columns
        for event in members(points.committed):
            expected = 0
            for node in nodes:
                expected |= fresh.columns(node)[event]
            assert columns[event] == expected, nodes


@pytest.mark.parametrize("number", range(12))
@pytest.mark.parametrize("name", [*MODELS, "odd"])
def test_kept_relations_equal_fresh_ones(name: str, number: int) -> None:
    under = model_of(ODD) if name == "odd" else model(name)
    walk = Walk(random_program(5, number), under, number)
    steps = 0
    for _ in walk.steps(25):
        assert walk.oracle.settled(walk.execution)
        check_against_fresh(walk.oracle)
        steps += 1
    assert steps


@pytest.mark.parametrize("name", ["power", "rc11", "odd"])
def test_rolling_everything_back_restores_the_start(name: str) -> None:
    under = model_of(ODD) if name == "odd" else model(name)
    for number in range(10):
        walk = Walk(random_program(6, number), under, number)
        start = state(walk.oracle)
        fetched = walk.execution.fetched
        for _ in walk.steps(15):
            pass
        while walk.execution.run:
            walk.oracle.rollback()
            walk.execution.rollback()
        assert walk.execution.fetched == fetched
        for kept, before in zip(state(walk.oracle), start, strict=True):
            assert kept[: len(before)] == before
            assert not any(kept[len(before) :])


# ---- answers on partial traces


def started(text: str, under: Model) -> tuple[Execution, GraphOracle, dict[str, int]]:
    execution = Execution(Unfolding(program(text), 5, True))
    labels = {s.label: s.event for s in execution.steps if s is not None}
    return execution, GraphOracle(under, execution), labels


def commit(execution: Execution, oracle: GraphOracle, event: int, candidate: int) -> None:
    assert oracle.allowed(execution, event, [candidate]) == [candidate]
    oracle.commit(event, candidate)
    execution.commit(event, candidate)


MP = "x = 0 y = 0 thread P: A: x := 1; {} B: y := 1; thread Q: C: r := y; D: s := [&x + (r ^ r)];"


def reason_for_mp(fence: str, name: str) -> Reason | None:
    """Why D may not read the initial value after C has read 1; None if it may."""
    execution, oracle, at = started(MP.format(fence), model(name))
    commit(execution, oracle, at["A"], 1)
    commit(execution, oracle, at["B"], 1)
    commit(execution, oracle, at["C"], at["B"])
    initial = execution.co[0][0]
    if oracle.allowed(execution, at["D"], [initial, at["A"]]) == [initial, at["A"]]:
        return None
    assert oracle.allowed(execution, at["D"], [at["A"], initial]) == [at["A"]]
    return oracle.reason()


@pytest.mark.parametrize(
    ("fence", "name", "reason"),
    [
        ("", "power", None),
        (
            "sync;",
            "power",
            (
                "observation (irreflexive): 1.1 --fre--> 0.0 --prop: sync;rfe--> 1.0 --ppo: "
                "addr--> 1.1"
            ),
        ),
        (
            "lwsync;",
            "power",
            (
                "observation (irreflexive): 1.1 --fre--> 0.0 --prop: lwsync--> 0.2 --rfe--> "
                "1.0 --ppo: addr--> 1.1"
            ),
        ),
        ("isync;", "power", None),
        ("", "sc", "sc (acyclic): 0.0 --po--> 0.1 --rf--> 1.0 --po--> 1.1 --fr--> 0.0"),
        ("", "tso", "tso (acyclic): 0.0 --ppo--> 0.1 --rfe--> 1.0 --ppo--> 1.1 --fr--> 0.0"),
        ("", "pso", None),
        ("", "rc11", None),
    ],
)
def test_reasons(fence: str, name: str, reason: str | None) -> None:
    found = reason_for_mp(fence, name)
    assert (None if found is None else str(found)) == reason


def test_the_last_refused_candidate_is_explained() -> None:
    execution, oracle, at = started("x = 0 thread P: A: x := 1; B: r := x;", model("power"))
    commit(execution, oracle, at["A"], 1)
    initial = execution.co[0][0]
    assert oracle.allowed(execution, at["B"], [initial, at["A"]]) == [at["A"]]
    assert str(oracle.reason()) == ("sc-per-location (acyclic): 0.0 --po-loc--> 0.1 --fr--> 0.0")
    # the explanation changes nothing
    commit(execution, oracle, at["B"], at["A"])
    check_against_fresh(oracle)


def test_a_committed_answer_need_not_be_the_last_one() -> None:
    execution, oracle, at = started("x = 0 thread P: A: x := 1; thread Q: B: r := x;", model("sc"))
    commit(execution, oracle, at["A"], 1)
    initial = execution.co[0][0]
    assert oracle.allowed(execution, at["B"], [initial, at["A"]]) == [initial, at["A"]]
    oracle.commit(at["B"], initial)
    execution.commit(at["B"], initial)
    check_against_fresh(oracle)
    assert oracle.rf.columns[at["B"]] == 1 << initial


def test_fences_fetched_after_a_branch_count() -> None:
    text = """
    x = 0 y = 0
    thread P: A: r := x; if r = 0 goto L; L: isync; B: s := y;
    thread Q: C: y := 1; D: sync; E: x := 1;
    """
    execution, oracle, at = started(text, model("power"))
    commit(execution, oracle, at["C"], 1)
    commit(execution, oracle, at["E"], 1)
    commit(execution, oracle, at["A"], at["E"])
    load = next(s.event for s in execution.steps if s is not None and s.label == "B")
    initial = execution.co[1][0]
    assert oracle.allowed(execution, load, [initial]) == []
    assert "ppo: ctrl-isync" in str(oracle.reason())


def test_flags_of_a_whole_trace() -> None:
    racy = "x = 0 thread P: A: x := 1; thread Q: B: r := x;"
    execution, oracle, at = started(racy, model("rc11"))
    commit(execution, oracle, at["A"], 1)
    commit(execution, oracle, at["B"], at["A"])
    assert oracle.flags() == ("race",)
    atomic = "x = 0 thread P: A: x := 1 @rlx; thread Q: B: r := x @rlx;"
    execution, oracle, at = started(atomic, model("rc11"))
    commit(execution, oracle, at["A"], 1)
    commit(execution, oracle, at["B"], at["A"])
    assert oracle.flags() == ()


PATHS = """
x = 0; y = 0; z = 0
thread P: r := x @rlx; if r = 0 goto A; y := 1 @rel; goto E; A: y := 2 @rlx; E: s := z @acq;
thread Q: z := 1 @rel; x := 1 @rlx; t := y @acq;
thread R: x := 2 @rlx; z := 2 @rlx;
"""


@pytest.mark.interpreted
def test_what_is_known_at_fetch_comes_back_with_a_commit() -> None:
    """A number stands for other events on other paths: when a commit is put back, what follows it
    is what it was."""
    engine = Trust()
    exploration = engine.exploration(program(PATHS), model("rc11"), Limits(2))
    oracle = exploration.oracle
    assert isinstance(oracle, GraphOracle)
    table, compared = oracle.table, 0
    for _ in exploration.run():
        for frame in exploration.stack:
            if frame.on:
                assert table._entered[frame.event] is frame.step.cache[table._owner]
                compared += 1
    assert compared > 100
