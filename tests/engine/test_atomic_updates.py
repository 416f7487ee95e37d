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
