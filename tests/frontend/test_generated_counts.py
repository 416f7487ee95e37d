"""The numbers of litmus/generated.csv: small ones again by two engines, and what is known of
them."""

from __future__ import annotations

from functools import cache
from math import comb, factorial, prod

import pytest
from support import make_engine, model

from hybrid.engine.api import Limits
from hybrid.execution.trace import Status
from hybrid.frontend.generated_counts import all_stated, stated_traces
from hybrid.frontend.generated_text import ORDERS
from hybrid.frontend.generators import FAMILIES, generate, name_of
from hybrid.frontend.prog import parse_program
from hybrid.program.program import Program
from hybrid.source import Source

SMALL = 70  # traces: counted again
ORDERS_BY_NAME = {orders.name: orders for orders in ORDERS}
SLOW = (("indexer", 13, None), ("mutex", 2, "power"))  # for bmc; None: under every model
CASES = [
    case
    for case, traces in all_stated().items()
    if traces <= SMALL
    and (case[0], case[2], None) not in SLOW
    and (case[0], case[2], case[3]) not in SLOW
]


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


@pytest.mark.large
@pytest.mark.sample(4)
@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, case)))
def test_two_engines_find_what_is_stated(case: tuple[str, str, int, str]) -> None:
    family, orders, size, under = case
    program = written(family, orders, size)
    engines = ["trust", "odpor"] if orders == "plain" else ["trust", "rsmc"]
    if under == "power":
        engines = ["rsmc", "bmc:sat"]
    elif family == "indexer" and orders == "ordered":
        engines = ["trust", "bmc:sat"]  # rsmc guesses whether each compare-and-swap will store
    for engine in engines:
        assert count(engine, program, under) == all_stated()[case], engine


def test_all_families_are_there_in_all_their_forms() -> None:
    variants = {("plain", "sc"), ("plain", "tso"), ("plain", "power")}
    variants |= {(o, m) for o in ("ordered", "relaxed") for m in ("rc11", "rc20")}
    for family in FAMILIES:
        found = {(orders, under) for name, orders, _, under in all_stated() if name == family}
        assert found == variants, family
    assert stated_traces("lastzero", "plain", 10, "sc") == 3328
    assert stated_traces("lastzero", "plain", 999, "sc") is None


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
    for family, numbers in KNOWN.items():
        for size in numbers:
            assert stated_traces(family, "plain", size, "sc") is not None


def test_fig11_under_power() -> None:
    for k in (1, 2, 4, 6):
        assert stated_traces("fig11", "plain", k, "power") == comb(2 * k, k) + 3


@pytest.mark.parametrize("family", FAMILIES)
def test_annotated_programs_have_no_plain_access(family: str) -> None:
    for orders in ORDERS:
        text = generate(name_of(family, orders), 3)
        assert ("@" in text) == (orders.name != "plain")
