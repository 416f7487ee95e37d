"""Generated programs have as many traces as the papers say."""

from __future__ import annotations

from functools import cache
from math import comb, factorial

import pytest
from support import make_engine

from hybrid.engine.api import Limits
from hybrid.errors import InputError
from hybrid.frontend.generated_text import ORDERED
from hybrid.frontend.generators import (
    GENERATORS,
    cells,
    exp_mem,
    fib,
    fib_bench,
    fig11,
    generate,
    lastzero,
)
from hybrid.frontend.prog import parse_program
from hybrid.model.load import load_model
from hybrid.report.summary import summarise
from hybrid.source import Source

model = cache(load_model)


def count(text: str, under: str, engine: str) -> int:
    program = parse_program(Source("generated.prog", text))
    result = summarise(program, model(under), make_engine(engine), Limits(), duplicates=True)
    assert result.duplicates == 0
    assert not result.unfinished
    assert not result.counters.cut
    assert result.failing == 0
    return result.traces


BOTH = pytest.mark.parametrize("engine", ["rsmc", "enumerate"])


@BOTH
@pytest.mark.parametrize("k", [0, 1, 2, 3])
def test_fig11(k: int, engine: str) -> None:
    assert count(fig11(k, fences=False), "power", engine) == comb(2 * k, k) + 3
    assert count(fig11(k), "power", engine) == 3


def test_fig11_larger() -> None:
    assert count(fig11(6, fences=False), "power", "rsmc") == comb(12, 6) + 3
    assert count(fig11(10), "power", "rsmc") == 3


@BOTH
@pytest.mark.parametrize("n", [2, 3, 4])
def test_lastzero(n: int, engine: str) -> None:
    assert count(lastzero(n), "sc", engine) == (n + 3) * 2 ** (n - 2)


def test_lastzero_larger() -> None:
    assert count(lastzero(7), "sc", "rsmc") == 10 * 2**5


@BOTH
@pytest.mark.parametrize("n", [1, 2, 3])
def test_exp_mem(n: int, engine: str) -> None:
    assert count(exp_mem(n), "sc", engine) == 2 * factorial(n)


def test_exp_mem_larger() -> None:
    assert count(exp_mem(5), "sc", "rsmc") == 2 * factorial(5)


@BOTH
def test_ordered_and_added(engine: str) -> None:
    """As release and acquire order all there is, lastzero has no more traces than under sc."""
    assert count(lastzero(3, ORDERED), "rc11", engine) == 6 * 2
    assert count(fib(2, ORDERED), "rc11", engine) == 20


@pytest.mark.parametrize("engine", ["trust", "odpor"])
def test_fib_bench(engine: str) -> None:
    assert count(fib_bench(3), "sc", engine) == 1698


@pytest.mark.parametrize("engine", ["rsmc", "trust"])
def test_cells_that_nobody_touches(engine: str) -> None:
    assert count(cells(0), "rc11", engine) == count(cells(100), "rc11", engine) == 864


def test_generate_by_name() -> None:
    assert generate("fig11", 3) == fig11(3, fences=False)
    assert generate("fig11-syncs", 3) == fig11(3)
    for name in GENERATORS:
        program = parse_program(Source("generated.prog", generate(name, 2)))
        assert "2" in program.name
        assert program.description


@pytest.mark.parametrize("name, parameter", [("fig12", 3), ("lastzero", 0), ("exp-mem", 10**9)])
def test_bad_requests(name: str, parameter: int) -> None:
    with pytest.raises(InputError) as error:
        generate(name, parameter)
    assert name in str(error.value) or str(parameter) in str(error.value)
