"""RSMC beyond what every engine must say: larger figures, commit-before, blocked runs, refusals."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import pytest
from support import choose_engine, keys_of, model, model_of, program
from test_engines import FIG5, LB_DATA, exp_mem, fig11, lastzero

from hybrid.engine.api import POLICIES, Limits, Stopped
from hybrid.engine.commit_before import CommitBefore
from hybrid.engine.rsmc.engine import Rsmc
from hybrid.engine.rsmc.frame import Template
from hybrid.errors import InputError
from hybrid.execution.execution import Execution
from hybrid.execution.trace import EventId
from hybrid.execution.unfolding import Unfolding
from hybrid.frontend.generators import generate
from hybrid.model.core import Model
from hybrid.oracle.graph import GraphOracle
from hybrid.program.program import Program

pytestmark = pytest.mark.sample(2)

CB0 = 'include "power.cat"\n(*% commit-before (addr | data | ctrl | rf)+ *)'


def generated(family: str, size: int) -> Program:
    return program(generate(family, size))


@pytest.mark.parametrize("stores", [3, 5])
@pytest.mark.parametrize("policy", POLICIES)
def test_fig11_without_fences(stores: int, policy: str) -> None:
    keys, counters = keys_of(Rsmc(policy=policy), fig11(stores, ""), model("power"))
    assert len(keys) == len(set(keys)) == math.comb(2 * stores, stores) + 3
    assert counters.blocked == counters.stuck == 0


def test_fig11_with_ten_stores_and_syncs() -> None:
    keys, counters = keys_of(Rsmc(), fig11(10, "sync;"), model("power"))
    assert len(keys) == 3
    assert counters.blocked == 0


@pytest.mark.parametrize(("n", "unroll"), [(6, 8), (10, 11)])
def test_lastzero(n: int, unroll: int) -> None:
    count = sum(1 for _ in Rsmc().explore(program(lastzero(n)), model("sc"), Limits(unroll)))
    assert count == (n + 3) * 2 ** (n - 2)


def test_exp_mem() -> None:
    keys, _ = keys_of(Rsmc(), exp_mem(5), model("sc"))
    assert len(keys) == len(set(keys)) == 2 * math.factorial(5)


# ---- Fig. 5: a commit-before that is too weak


@cache
def weak() -> Model:
    return model_of(CB0)


def test_the_run_of_fig5_gets_stuck_with_the_weak_commit_before() -> None:
    execution = Execution(Unfolding(program(FIG5), 5, True))
    oracle = GraphOracle(weak(), execution)
    before = CommitBefore(weak(), execution)
    before.take_in(0)
    by_label = {s.label: s for s in execution.steps if s is not None}
    for label, parameter in (("L3", 1), ("L5", 1), ("L0", "L5"), ("L2", 1)):
        step = by_label[label]
        assert before.enabled(step)
        candidate = by_label[parameter].event if isinstance(parameter, str) else parameter
        assert oracle.allowed(execution, step.event, [candidate]) == [candidate]
        oracle.commit(step.event, candidate)
        execution.commit(step.event, candidate)
    blocked = by_label["L1"]
    assert before.enabled(blocked)
    places = list(range(1, len(execution.co[0]) + 1))
    assert oracle.allowed(execution, blocked.event, places) == []
    # Before L2 it is the cycle that the paper names: co; sync; rf; data.
    assert oracle.allowed(execution, blocked.event, [1]) == []
    cycle = "0.1 --prop: co;sync;rfe;data--> 0.1"
    assert str(oracle.reason()) == f"propagation (acyclic): {cycle}"


def test_the_weak_commit_before_gets_stuck_and_that_of_power_does_not() -> None:
    _, counters = keys_of(Rsmc(policy="last"), FIG5, weak())
    assert counters.stuck > 0
    for policy in POLICIES:
        _, counters = keys_of(Rsmc(policy=policy), FIG5, model("power"))
        assert counters.stuck == 0


def test_eieio_must_be_committed_in_order() -> None:
    text = "x = 0 y = 0 thread P: x := 1; eieio; y := 1; thread Q: r := y; s := [&x + (r ^ r)];"
    _, counters = keys_of(Rsmc(policy="last"), text, model("power"))
    assert counters.stuck == 0
    without = (
        'include "power.cat"\n(*% commit-before (addr | data | ctrl | rf | (addr ; '
        "po) | po-loc | sync | lwsync)+ *)"
    )
    _, counters = keys_of(Rsmc(policy="last"), text, model_of(without))
    assert counters.stuck > 0


# ---- the run


def test_the_run_is_a_commit_order_with_parameters() -> None:
    runs: set[tuple[tuple[EventId, EventId | int | None], ...]] = set()
    for trace in Rsmc().explore(program(LB_DATA), model("power"), Limits()):
        data = trace.data()
        done: set[EventId] = set()
        for event, parameter in data.run:
            if data.by_id[event].kind == "R":
                assert parameter == data.rf[event]
                assert data.rf[event] in done or data.rf[event][0] < 0
            else:
                order = [e for e in data.co[data.by_id[event].address or 0] if e in done]
                assert parameter in range(len(order) + 1)
            done.add(event)
        runs.add(data.run)
    # L3[0].L0[L3].L1[0].L2[L1], the run of Fig. 3, and the first one, of Fig. 6
    assert (((1, 1), 0), ((0, 0), (1, 1)), ((0, 1), 0), ((1, 0), (0, 1))) in runs
    assert len(runs) == 4


# ---- blocked runs, limits, refusals


def test_an_await_that_nothing_satisfies_waits() -> None:
    keys, counters = keys_of(Rsmc(), "x = 0 thread P: await(x = 3);", model("power"))
    assert (keys, counters.blocked, counters.livelocks, counters.stuck) == ([], 0, 1, 0)


def test_awaits_do_not_start_runs_that_read_too_early() -> None:
    text = "x = 0 thread P: await(x = 1); thread Q: x := 1;"
    keys, counters = keys_of(Rsmc(), text, model("sc"))
    assert (len(keys), counters.blocked) == (1, 0)


def test_the_deadline_stops_an_exploration() -> None:
    engine = Rsmc()
    with pytest.raises(Stopped):
        list(engine.explore(program(fig11(8, "")), model("power"), Limits(5, 0.0)))
    assert 0 < engine.counters.complete < 12873


def test_a_model_without_commit_before_is_refused() -> None:
    with pytest.raises(InputError, match="commit-before"):
        list(Rsmc().explore(program(LB_DATA), model_of("acyclic po-loc | com"), Limits()))


def test_an_axiom_that_can_become_true_later_is_refused() -> None:
    text = "acyclic po | rf\n~empty rf as some"
    with pytest.raises(InputError, match="can become true later"):
        choose_engine("rsmc", model_of(text), program(LB_DATA))


def test_rmws_need_an_atomicity_axiom() -> None:
    with pytest.raises(InputError, match="atomic"):
        choose_engine("rsmc", model_of("acyclic po | com"), program(exp_mem(2)))


def test_a_commit_before_over_co_is_refused() -> None:
    text = "acyclic po | com\n(*% commit-before (po | rf | co)+ *)"
    with pytest.raises(InputError, match="cannot evaluate"):
        choose_engine("rsmc", model_of(text), program(LB_DATA))


def test_the_default_engine_is_another_one_then() -> None:
    text = "acyclic po | com\n(*% commit-before (rf | co)+ *)"
    name, note = choose_engine(None, model_of(text), program(LB_DATA))
    assert name == "enumerate"
    assert "cannot evaluate" in note


def test_unknown_policy() -> None:
    with pytest.raises(InputError, match="no policy"):
        Rsmc(policy="best")


# ---- what an exploration keeps, and looks at


def test_templates_share_the_pairs_of_which_they_are_made() -> None:
    """They are kept until their load is done with, and most are made of the same pairs."""
    exploration = Rsmc().exploration(generated("fib-bench", 2), model("power"), Limits())
    templates: dict[int, Template] = {}
    for _ in exploration.run():
        found = [t for frame in exploration.stack for t in frame.known or ()]
        templates |= {id(template): template for template in found}
    pairs = [pair for template in templates.values() for pair in template]
    assert len(pairs) > 10 * len(set(pairs))
    assert len({id(pair) for pair in pairs}) == len(set(pairs))


class Counting(list[int]):
    """Columns that count how often they are looked at."""

    looks = 0

    def __getitem__(self, index: Any) -> Any:
        Counting.looks += 1
        return super().__getitem__(index)


@pytest.mark.interpreted
@pytest.mark.parametrize("locations", [1, 2])
def test_a_commit_looks_at_as_much_however_long_its_thread_is(locations: int) -> None:
    """Where the thread is alone with its locations: what comes before the event before is known to
    come before the event."""
    looks = []
    for length in (20, 80):
        accesses = [f"p{n % locations} := {n};" for n in range(length)]
        initial = " ".join(f"p{n} = 0" for n in range(locations))
        source = program(f"{initial} thread P: {' '.join(accesses)}")
        exploration = Rsmc().exploration(source, model("power"), Limits())
        assert isinstance(exploration.oracle, GraphOracle)
        for relation in exploration.oracle.network.order:
            relation.columns = Counting(relation.columns)
        Counting.looks = 0
        assert sum(1 for _ in exploration.run()) == 1
        looks.append(Counting.looks)
    assert looks[1] < 5 * looks[0], looks
