"""Coherence read off a model's text, and what the engines leave out because of it."""

from __future__ import annotations

import pytest
from support import MODELS, make_engine, model, model_of, program

from hybrid.crosscheck.random_programs import Shape, random_program
from hybrid.engine.api import Limits
from hybrid.oracle.coherence import coherent, coherent_after_loads, coherent_loads

REST = "acyclic po | rf as causal\nempty rmw & (fre ; coe) as atomic\n"

# axioms, whether they force coherence of stores, of loads, and of stores after loads
AXIOMS = {
    "acyclic po | rf | co | fr as a": (True, True, True),
    "acyclic (po & loc) | co as a": (True, False, False),
    "acyclic (po & loc) | rf | co as a": (True, False, True),
    "irreflexive (po | rf)+ ; (rf | co | fr)+? as a": (True, True, True),
    "irreflexive (rf | co | fr)+? ; (po | rf)+ as a": (True, True, True),
    "irreflexive ((po & loc) | (rf & ext))+ ; (rf | co | fr)+ as a": (True, True, True),
    "irreflexive po ; co as a": (True, False, False),
    "irreflexive po ; fr as a": (False, False, False),  # loads may still read in the wrong order
    "irreflexive (po | rf)+ ; fr as a": (False, True, False),
    "irreflexive (po | rf)+ ; co as a": (True, False, True),
    "irreflexive po ; (rf | fr)+ as a": (False, True, False),
    "irreflexive po ; (rf | co)+ as a": (True, False, True),
    "irreflexive po ; (co | fr) as a": (True, False, False),
    "irreflexive rf ; (rf | co | fr)+ as a": (False, False, False),
    "irreflexive (po & (W * W)) ; (rf | co | fr)+ as a": (False, False, False),
    "irreflexive po ; (co & ext) as a": (False, False, False),
    "irreflexive po ; co ; rf as a": (False, False, False),
    "empty po & co as a": (False, False, False),
}


@pytest.mark.parametrize("axiom", AXIOMS)
def test_by_the_shape_of_an_axiom(axiom: str) -> None:
    under = model_of(f"let fr = rf^-1 ; co\n{axiom}")
    found = (coherent(under), coherent_loads(under), coherent_after_loads(under))
    assert found == AXIOMS[axiom]


@pytest.mark.parametrize("name", [*MODELS, "armv7", "aarch64", "riscv"])
def test_the_bundled_models_are_coherent(name: str) -> None:
    under = model(name)
    assert coherent(under) and coherent_loads(under) and coherent_after_loads(under)


@pytest.mark.parametrize("axiom", AXIOMS)
def test_nothing_allowed_is_left_out(axiom: str) -> None:
    """The engines leave out sources and places that the text forbids: they find the same traces as
    the brute force, which knows nothing of that."""
    under = model_of(f"let fr = rf^-1 ; co\n{REST}{axiom}")
    for number in range(12):
        source = random_program(31, number, Shape(candidates=150, cycles=0))
        truth = sorted(t.key() for t in make_engine("enumerate").explore(source, under, Limits(2)))
        for engine in ("rsmc", "trust"):
            found = make_engine(engine).explore(source, under, Limits(2))
            assert sorted(t.key() for t in found) == truth, f"program {number}"


def test_what_the_own_thread_hides_is_not_tried() -> None:
    """Under rc11, whose text says so by `irreflexive hb ; eco?`: neither sources before what the
    thread has read or stored, nor places before its own stores. (With all of them tried there are
    more than ten checks a trace.)"""
    rounds = [f"L{i}: r := x @acq; M{i}: s := y @acq; N{i}: {{}} := r + s @rel;" for i in range(6)]
    first, second = " ".join(rounds[:3]).format(*"xxx"), " ".join(rounds[3:]).format(*"yyy")
    source = program(f"x = 1 y = 1 thread P: {first} thread Q: {second}")
    for engine in ("rsmc", "trust"):
        tried = make_engine(engine)
        traces = sum(1 for _ in tried.explore(source, model("rc11"), Limits()))
        assert traces == 175
        assert tried.counters.checks < 7 * traces


# x is stored twice before y is released; after y is acquired it is loaded, or stored.
PASSED = """x = 0 y = 0 thread P: x := 1; x := 2; y := 1 @rel;
    thread Q: r := y @acq; if r = 0 goto E; {}; E: skip;"""


@pytest.mark.parametrize("name", ["rc11", "ra"])
@pytest.mark.parametrize("engine", ["rsmc", "trust"])
@pytest.mark.parametrize("access", ["s := x", "x := 3"])
def test_what_happens_before_hides_is_not_tried(access: str, engine: str, name: str) -> None:
    """Neither sources nor places of x before the last store of the other thread. (The solvers'
    oracle knows what the own thread hides, no more.)"""
    source = program(PASSED.format(access))
    checks = []
    for each in (engine, f"{engine}:pysat"):
        tried = make_engine(each)
        assert len(list(tried.explore(source, model(name), Limits()))) == 2
        checks.append(tried.counters.checks)
    assert checks[0] == checks[1] - 2
