"""The largest figures that rsmc must give exactly; a minute or so each, and smaller ones."""

from __future__ import annotations

import pytest
from support import model, program
from test_engines import fig11, lastzero

from hybrid.engine.api import Limits
from hybrid.engine.rsmc.engine import Rsmc


@pytest.mark.parametrize(
    ("stores", "count"), [(7, 3_435), pytest.param(10, 184_759, marks=pytest.mark.large)]
)
def test_fig11_without_fences(stores: int, count: int) -> None:
    engine = Rsmc()
    traces = sum(1 for _ in engine.explore(program(fig11(stores, "")), model("power"), Limits()))
    assert traces == engine.counters.complete == count
    assert engine.counters.blocked == engine.counters.stuck == 0


@pytest.mark.parametrize(
    ("size", "count"), [(10, 3_328), pytest.param(15, 147_456, marks=pytest.mark.large)]
)
def test_lastzero(size: int, count: int) -> None:
    engine = Rsmc()
    limits = Limits(unroll=size + 1)
    traces = sum(1 for _ in engine.explore(program(lastzero(size)), model("sc"), limits))
    assert traces == engine.counters.complete == count
    assert engine.counters.cut == 0
