"""On random programs bmc finds exactly the runs that enumerate finds, each once, with the same
events, dependencies and values."""

from __future__ import annotations

import pytest
from bmc_programs import arithmetic_program, assert_same
from support import MODELS, model, model_of

from hybrid.bmc.solvers import SOLVERS
from hybrid.crosscheck.random_programs import Shape, estimate, random_program
from hybrid.execution.trace import Status

pytestmark = pytest.mark.large

SMALL = Shape(threads=(2, 3), instructions=(2, 4), candidates=400)
COUNT = {"sat": 40, "z3": 24}

# Models that allow nearly everything: values, branches and addresses that depend on what follows
# from them.
LENIENT = {
    "atomic": "empty rmw & (fre ; coe) as atomic",
    "coherent": "acyclic po-loc | com as coherent",
    "negative": (
        "acyclic po-loc | com\n~empty rf & ext as communicates\nflag ~empty [FW] ; rf as last"
    ),
    "complement": (
        "acyclic po-loc | com\nlet w = ~(po | rf | id) & (R * W)\nirreflexive w ; co ; w as odd"
    ),
}


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", MODELS)
def test_same_as_enumerate(name: str, solver: str) -> None:
    for number in range(COUNT[solver]):
        assert_same(random_program(31, number, SMALL), model(name), solver)


@pytest.mark.large
@pytest.mark.parametrize("solver", SOLVERS)
def test_same_as_enumerate_larger(solver: str) -> None:
    for number in range(COUNT[solver] // 4):
        program = random_program(32, number, Shape(candidates=6000))
        for name in ("tso", "power", "rc11"):
            assert_same(program, model(name), solver)


@pytest.mark.parametrize("text", LENIENT.values(), ids=LENIENT)
@pytest.mark.parametrize("solver", SOLVERS)
def test_same_as_enumerate_under_lenient_models(text: str, solver: str) -> None:
    shape = Shape(threads=(2, 2), instructions=(2, 4), candidates=150)
    for number in range(COUNT[solver]):
        assert_same(random_program(33, number, shape), model_of(text), solver, unroll=1)


@pytest.mark.large
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", ["sc", "power", "atomic"])
def test_arithmetic(name: str, solver: str) -> None:
    under = model_of(LENIENT[name]) if name in LENIENT else model(name)
    seen: set[Status] = set()
    for seed in range(4 * COUNT[solver]):
        program = arithmetic_program(seed)
        if estimate(program) > 300:
            continue
        found = assert_same(program, under, solver, unroll=1)
        seen.update(status for status, _ in found)
    assert seen == set(Status) - {Status.WAITING}  # these programs have no awaits
