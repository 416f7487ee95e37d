"""Explorations by a configuration: what of it reaches the result."""

from __future__ import annotations

import pytest
from support import model, program

from hybrid.catalogue.engines import ENTRIES
from hybrid.engine.api import RF, TRACE, WITNESS
from hybrid.engine.configuration import Configuration
from hybrid.engine.entry import EngineEntry
from hybrid.engine.races import Races
from hybrid.report.explored import explore, explore_with
from hybrid.verdict import Verdict

SB = """x = 0; y = 0
thread P: x := 1; r := y;
thread Q: y := 1; s := x;
exists (P:r = 0)"""
WAITS = "x = 0 thread P: await(x = 1); ~exists (x = 5)"
RACE = "x = 0 thread P: x := 1 @na; thread Q: r := x @na; ~exists (Q:r = 5)"


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_the_result_says_how_it_was_found(entry: EngineEntry) -> None:
    result = explore(Configuration(entry.name), program(SB), model("sc"))
    assert (result.engine, result.equivalence) == (entry.name, TRACE)
    assert result.oracle == (entry.oracles[0] if entry.oracles else "")
    assert (result.traces, result.answer) == (3, Verdict.ALLOWED)


def test_claims() -> None:
    def answer(text: str, under: str, **how: object) -> Verdict:
        configuration = Configuration("rsmc", **how)  # type: ignore[arg-type]
        return explore(configuration, program(text), model(under)).answer

    assert answer(WAITS, "sc") is Verdict.HOLDS
    assert answer(WAITS, "sc", liveness=True) is Verdict.VIOLATED
    assert answer(RACE, "rc11", races=Races.NOTE) is Verdict.HOLDS
    assert answer(RACE, "rc11", races=Races.ERROR) is Verdict.VIOLATED


def test_bounds() -> None:
    loop = program("x = 0 thread P: L: r := x; if r = 0 goto L; ~exists (x = 5)")
    result = explore(Configuration("rsmc", unroll=3), loop, model("sc"))
    assert (result.answer, result.limits.unroll) == (Verdict.BOUNDED, 3)


def test_classes() -> None:
    text = program("x = 0 thread P: x := 1; thread Q: x := 2; thread R: r := x; exists (R:r = 1)")
    traces = explore(Configuration("trust"), text, model("sc")).traces
    assert traces > explore(Configuration("trust", RF), text, model("sc")).traces


def test_witnesses_are_all_needed() -> None:
    """The first run of bmc's alone would not tell that the condition can be false as well."""
    result = explore(Configuration("bmc"), program(SB), model("sc"), first=True)
    assert (result.equivalence, result.partial, result.observation) == (WITNESS, "", "Sometimes")
    usual = explore(Configuration("rsmc"), program(SB), model("sc"), first=True)
    assert (usual.equivalence, usual.partial) == (TRACE, "stopped at the first answer")


def test_a_limit_on_traces() -> None:
    entry = next(entry for entry in ENTRIES if entry.witnesses)
    how = entry.completed(Configuration(entry.name))
    for configuration, partial in ((how, "limit of 1 trace"), (entry.answering(how), "")):
        engine = entry.make(configuration)
        limits = configuration.limits()
        result = explore_with(engine, configuration, program(SB), model("sc"), limits, max_traces=1)
        assert result.partial == partial
