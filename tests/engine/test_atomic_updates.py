"""What explorers take for granted of read-modify-writes; they refuse models that have it
otherwise."""

from __future__ import annotations

import pytest
from support import make_engine, model_of, program

from hybrid.catalogue.engines import refusal
from hybrid.engine.api import Limits

ATOMIC = """acyclic po | rf as causal
empty rmw & (fre ; coe) as atomic
(*% commit-before (po | rf)+ *)
"""
TEXT = "x = 0 thread P: x := 1; thread Q: r := xchg(x, 2);"
ENGINES = ("rsmc", "trust", "revisit", "stateful")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_store_that_may_come_before_what_was_read(engine: str) -> None:
    """The rmw reads 1, and its store may come before that one in coherence: three traces, of which
    the explorers would find two."""
    under = model_of(ATOMIC)
    assert len(list(make_engine("enumerate").explore(program(TEXT), under, Limits()))) == 3
    why = refusal(engine, under, program(TEXT))
    assert why is not None
    assert "to store after what they have read" in why.message
    assert "po & loc" in str(why.hint)
    assert refusal(engine, under, program("x = 0 thread P: x := 1;")) is None


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "coherence",
    [
        "acyclic (po & loc) | rf | co | fr",
        "acyclic po | rf | co",
        "irreflexive (po | rf)+ ; co",
        "irreflexive po ; (rf | co | fr)+",
    ],
)
def test_a_store_that_comes_after_what_was_read(engine: str, coherence: str) -> None:
    under = model_of(f"{ATOMIC}{coherence} as coherence")
    assert refusal(engine, under, program(TEXT)) is None
    keys = [
        sorted(trace.key() for trace in make_engine(name).explore(program(TEXT), under, Limits()))
        for name in (engine, "enumerate")
    ]
    assert keys[0] == keys[1]
    assert len(keys[0]) == 2


def test_awaits_that_may_read_what_their_thread_has_overwritten() -> None:
    """The await reads 0, or waits for ever, which rsmc would not find."""
    text = program("x = 0 thread P: x := 3; r := await(x = 0);")
    statuses = [
        trace.status for trace in make_engine("enumerate").explore(text, model_of(ATOMIC), Limits())
    ]
    assert sorted(status.value for status in statuses) == ["complete", "waiting"]
    why = refusal("rsmc", model_of(ATOMIC), text)
    assert why is not None
    assert "awaits" in why.message
    coherent = model_of(f"{ATOMIC}acyclic (po & loc) | rf | co | fr as coherence")
    assert refusal("rsmc", coherent, text) is None


def test_a_model_that_refuses_the_last_store_to_a_load() -> None:
    """TruSt would make the revisit by the second store from a graph in which the load reads from
    the first, which the model forbids: the run that it misses is told."""
    text = program("x = 0 thread P: r := x; thread Q: x := 1 @rel; x := 2;")
    under = model_of(f"{ATOMIC}irreflexive (po | rf)+ ; (co | fr) as c\nempty [W & REL] ; rf as d")
    assert len(list(make_engine("enumerate").explore(text, under, Limits()))) == 2
    engine = make_engine("trust")
    assert len(list(engine.explore(text, under, Limits()))) == 1
    assert engine.counters.stuck
