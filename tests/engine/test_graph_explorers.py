"""The explorers of graphs through one suite: numbers of traces, agreement with enumerate, ends of
runs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from graph_cases import (
    COUNTS,
    ENDS,
    IN_TURN,
    LARGE,
    MENDED,
    MODELS,
    OTHERS,
    against_enumerate,
    check_count,
    check_deep,
    check_end,
    check_random,
)
from support import keys_of, make_engine, model, program

from hybrid.engine.api import Engine
from hybrid.engine.graphs.revisit import Revisit
from hybrid.engine.graphs.stateful import Stateful
from hybrid.execution.trace import Status

pytestmark = pytest.mark.sample(12)

Make = Callable[..., Engine]

explorers = pytest.mark.parametrize("make", [Revisit, Stateful], ids=["revisit", "stateful"])


@explorers
@pytest.mark.parametrize(
    ("text", "count"), [c[1:] for c in COUNTS + LARGE], ids=[c[0] for c in COUNTS + LARGE]
)
def test_numbers_of_traces(make: Make, text: str, count: int) -> None:
    check_count(make(), text, count)


@explorers
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize("policy", ["first", "last"])
def test_as_enumerate(make: Make, text: str, name: str, policy: str) -> None:
    engine = make(policy=policy)
    result = against_enumerate(engine, program(text), name)
    assert result.agree, result.differences
    assert result.named(engine.name).traces


@explorers
@pytest.mark.parametrize("name", MODELS)
def test_as_enumerate_on_random_programs(make: Make, name: str) -> None:
    check_random(make(), name, 11, 20)


@explorers
@pytest.mark.parametrize("oracle", ["pysat", "z3"])
def test_with_the_other_oracles(make: Make, oracle: str) -> None:
    for text in (MENDED, IN_TURN):
        assert against_enumerate(make(oracle), program(text), "sc").agree


@explorers
@pytest.mark.parametrize(("after", "status"), ENDS)
def test_ends_of_runs(make: Make, after: str, status: Status) -> None:
    check_end(make(), after, status)


@explorers
def test_a_run_at_the_loop_bound_is_cut(make: Make) -> None:
    text = "x = 0 thread P: L: r := x; if r = 0 goto L; thread Q: x := 1;"
    keys, counters = keys_of(make(), text, model("sc"), 3)
    assert len(keys) == counters.complete == 4
    assert counters.cut > 0


@pytest.mark.large
@explorers
def test_deep_programs(make: Make) -> None:
    check_deep(make())


@pytest.mark.parametrize("name", ["rsmc", "trust", "trust-linear", "trust+rf", "stateful"])
def test_refused_checks_are_counted(name: str) -> None:
    """The one execution that tso allows beyond sc, where each refuses it once."""
    text = "x = 0 y = 0 thread P: x := 1; r := y; thread Q: y := 1; r := x;"
    for under, traces, refused in (("sc", 3, 1), ("tso", 4, 0)):
        keys, counters = keys_of(make_engine(name), text, model(under))
        assert (len(keys), counters.refused) == (traces, refused)
        assert counters.refused <= counters.checks
