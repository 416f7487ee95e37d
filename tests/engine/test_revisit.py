"""revisit: every trace once, by revisit sets."""

from __future__ import annotations

import time

import pytest
from graph_cases import MENDED, writers
from support import choose_engine, keys_of, model, model_of, program

from hybrid.catalogue.engines import engines_for
from hybrid.crosscheck.random_programs import random_program
from hybrid.engine.api import Limits, Stopped
from hybrid.engine.graphs.later_stores import LaterStores
from hybrid.engine.graphs.revisit import Revisit
from hybrid.errors import InputError
from hybrid.execution.step import Step
from hybrid.execution.unfolding import Unfolding
from hybrid.program import instructions as ins


def test_a_graph_that_the_model_refuses_is_mended() -> None:
    """q = 3 with x := 1 last goes through a graph that sc refuses, or it is not found."""
    source = program(MENDED)
    traces = Revisit().explore(source, model("sc"), Limits())
    assert (3, 1) in {trace.outcome(source.terms) for trace in traces}


@pytest.mark.large
def test_no_run_is_blocked_where_consistency_is_a_matter_of_pasts() -> None:
    """ra without rmws, awaits and assumes: nothing is explored in vain."""
    explored = 0
    for number in range(60):
        source = random_program(5, number)
        code = [instruction for thread in source.threads for instruction in thread.code]
        if any(
            isinstance(i, ins.Rmw | ins.StoreConditional | ins.Assume) or getattr(i, "guard", None)
            for i in code
        ):
            continue
        engine = Revisit()
        explored += sum(1 for _ in engine.explore(source, model("ra"), Limits(2)))
        assert engine.counters.blocked == engine.counters.stuck == 0
    assert explored > 50


def test_revisits_are_counted() -> None:
    engine = Revisit()
    keys, counters = keys_of(engine, writers(2), model("sc"))
    # x := 1 revisits the load, so does x := 2, at either of two places
    assert len(keys) == 6
    assert counters.revisits == 3
    assert counters.stored == 0


def test_the_time_limit_holds_within_the_revisits_of_one_store() -> None:
    """A billion sets of loads, and so many graphs from one."""
    readers = "".join(f"thread R{i}: r := x; " for i in range(30))
    source = program(f"x = 0 {readers} thread W: x := 1;")
    start = time.monotonic()
    with pytest.raises(Stopped):
        list(Revisit().explore(source, model("sc"), Limits(deadline=start + 0.2)))
    assert time.monotonic() - start < 30


def test_models_that_it_does_not_take() -> None:
    assert "revisit" in engines_for(model("rc11"))
    assert "revisit" not in engines_for(model("power"))
    with pytest.raises(InputError, match=r"revisit needs a model in which po \| rf is acyclic"):
        choose_engine("revisit", model("power"), program("x = 0 thread P: x := 1;"))
    with pytest.raises(InputError) as caught:
        choose_engine("revisit", model("power"))
    assert caught.value.hint is not None
    assert "rsmc" in caught.value.hint
    with pytest.raises(InputError, match="no policy"):
        Revisit(policy="odd")


def test_rmws_need_a_model_in_which_they_are_atomic() -> None:
    loose = model_of('include "stdlib.cat"\nacyclic po | rf | co | fr as sc')
    faa = program("x = 0 thread P: faa(x, 1);")
    with pytest.raises(InputError, match="revisit takes read-modify-writes to be atomic"):
        choose_engine("revisit", loose, faa)
    assert list(Revisit().explore(program("x = 0 thread P: x := 1;"), loose, Limits()))


def test_what_a_thread_may_still_store_to() -> None:
    source = program(
        "x = 0 y = 0 z = 0 thread P: a := x; L: b := y; x := 1; if b = 0 goto L; c := z; "
        "[c] := 1; d := z;"
    )
    unfolding = Unfolding(source, 1, False)
    later = LaterStores(source, unfolding.numbering)
    step: object = unfolding.roots[0]
    found = []
    while isinstance(step, Step):
        if step.kind <= 1:
            found.append(later.at(step))
        step = unfolding.follow(step, 0)
    assert found == [0b111, 0b111, 0b111, 0b111, 0b111, 0]
    fixed = program("x = 0 y = 0 thread P: a := x; y := 1; b := x; x := 2;")
    unfolding = Unfolding(fixed, 1, False)
    step, found = unfolding.roots[0], []
    while isinstance(step, Step):
        found.append(LaterStores(fixed, unfolding.numbering).at(step))
        step = unfolding.follow(step, 0)
    assert found == [0b11, 0b11, 0b01, 0b01]
