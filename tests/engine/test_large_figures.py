"""The largest figures that rsmc must give exactly; a minute or so each."""

from __future__ import annotations

from support import model, program
from test_engines import fig11, lastzero

from hybrid.engine.api import Limits
from hybrid.engine.rsmc.engine import Rsmc


def test_fig11_with_ten_stores_and_no_fences() -> None:
    engine = Rsmc()
    traces = sum(1 for _ in engine.explore(program(fig11(10, "")), model("power"), Limits()))
    assert traces == engine.counters.complete == 184_759
    assert engine.counters.blocked == engine.counters.stuck == 0


def test_lastzero_of_fifteen() -> None:
    engine = Rsmc()
    traces = sum(1 for _ in engine.explore(program(lastzero(15)), model("sc"), Limits(unroll=16)))
    assert traces == engine.counters.complete == 147_456
    assert engine.counters.cut == 0
