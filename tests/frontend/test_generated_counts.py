"""The numbers of litmus/generated.csv: small ones again by two engines, and what is known of
them."""

from __future__ import annotations

from functools import cache
from math import factorial, prod

import pytest
from support import make_engine, model

from hybrid.catalogue.engines import refusal
from hybrid.engine.api import Limits
from hybrid.execution.trace import Status
from hybrid.frontend.generated_counts import all_stated
from hybrid.frontend.generated_text import ORDERS
from hybrid.frontend.generators import FAMILIES, generate, name_of
from hybrid.frontend.prog import parse_program
from hybrid.program.program import Program
from hybrid.source import Source

SMALL = 70  # traces: counted again
ENGINES = ("trust", "rsmc", "enumerate", "bmc:sat")
ORDERS_BY_NAME = {orders.name: orders for orders in ORDERS}
CASES = [case for case, traces in all_stated().items() if traces <= SMALL]


@cache
def written(family: str, orders: str, size: int) -> Program:
    name = name_of(family, ORDERS_BY_NAME[orders])
    return parse_program(Source("generated.prog", generate(name, size)))


def count(engine: str, program: Program, under: str) -> int:
    maker = make_engine(engine)
    traces = list(maker.explore(program, model(under), Limits()))
    counters = maker.counters
    assert not counters.cut and not counters.stuck and not counters.errors
    keys = [trace.key() for trace in traces if trace.status is Status.COMPLETE]
    assert len(set(keys)) == len(keys)
    assert not any("race" in trace.flags for trace in traces)
    return len(keys)


@pytest.mark.sample(4)
@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, case)))
def test_two_engines_find_what_is_stated(case: tuple[str, str, int, str]) -> None:
    family, orders, size, under = case
    program = written(family, orders, size)
    engines = [name for name in ("trust", "rsmc") if refusal(name, model(under), program) is None]
    if family == "indexer" and size > 11 and orders == "ordered":
        engines = ["trust"]  # rsmc guesses whether each compare-and-swap will store
    larger = family in ("indexer", "private", "mutex", "twalock", "mpmc-queue")
    engines += [] if larger and len(engines) > 1 else ["bmc:sat" if larger else "enumerate"]
    for engine in engines[-2:]:
        assert count(engine, program, under) == all_stated()[case], engine


FORMULAS = {
    "lastzero": lambda n: (n + 3) * 2 ** (n - 2),
    "exp-mem": lambda n: 2 * factorial(n),
    "exp-mem2": lambda n: ((n + 2) * factorial(n)) ** 2,
    "casrot": lambda n: 1 + sum(k * (k + 1) ** (n - k - 1) for k in range(1, n)),
    "readers": lambda n: 2**n,
    "sigma": lambda n: prod(range(1, 2 * n, 2)),
    "indexer": lambda n: 8 ** max(0, n - 11),
    "ttaslock": lambda n: factorial(n) ** 2,
    "private": lambda m: 64,
}
# The numbers of the papers, or of the same programs in litmus/programs.
KNOWN = {
    "fib-bench": {3: 1698, 4: 19605},
    "mutex": {2: 12, 3: 6582},
    "twalock": {2: 4, 3: 96},
    "mcs": {2: 6, 3: 66},
    "seqlock": {2: 2, 3: 9, 4: 88},
    "mpmc-queue": {2: 3, 3: 166},
    "fig11": {4: 3},
}


def test_known_numbers_under_sc() -> None:
    for (family, _, size, under), traces in all_stated().items():
        if under != "sc":
            continue
        if family in FORMULAS:
            assert FORMULAS[family](size) == traces, (family, size)
        elif size in KNOWN.get(family, {}):
            assert KNOWN[family][size] == traces, (family, size)


@pytest.mark.parametrize("family", FAMILIES)
def test_annotated_programs_have_no_plain_access(family: str) -> None:
    for orders in ORDERS:
        text = generate(name_of(family, orders), 3)
        assert ("@" in text) == (orders.name != "plain")
