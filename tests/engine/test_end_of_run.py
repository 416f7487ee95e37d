"""Runs that are not complete traces, and asserts that fail: every engine reports the same of
them."""

from __future__ import annotations

import json

import pytest
from support import model, program

from hybrid.catalogue.engines import make
from hybrid.catalogue.spelling import not_applicable, parse_configuration
from hybrid.crosscheck.endings import Ending, ending_of
from hybrid.engine.api import Limits
from hybrid.execution.trace import Trace
from hybrid.model.core import Model
from hybrid.program.program import Program
from hybrid.witness.as_json import from_json, to_json
from hybrid.witness.replay import replay

pytestmark = pytest.mark.sample(8)

ENGINES = (
    "rsmc", "rsmc/last", "rsmc:pysat", "rsmc+rf", "rsmc+rf:pysat",
    "trust", "trust+rf", "trust-linear", "trust-linear+rf",
    "revisit", "stateful", "bmc:z3", "bmc:sat",
)  # fmt: skip
MODELS = ("sc", "tso", "rc11", "power", "armv7", "aarch64", "riscv")
UNROLL = 1

LOOP = """
x = 0 y = 0
thread P: L: r0 := x; A: assert r0 = 1; B: assert 0 = r0 + r0; y := 1; if r0 = 0 goto L;
thread Q: C: assert r1 = 0; x := 1; D: assert 0 = 1; E: r1 := y; if r1 = 1 goto C;
"""
# The second assert fails before the first.
LATER_FIRST = (
    "x = 0 thread P: A: assert r0 = 0; B: assert r0 = 1; r0 := x; if r0 = 1 goto A; "
    "thread Q: x := 1;"
)
GUESSED_CAS = "x = 0 thread P: cas(x, 0, 0); thread Q: assert 0;"
OTHER_PLACE = """
x = 0 y = 0
thread P: r0 := lr(y); r1 := sc(x, 0); y := r1 + 2;
thread Q: r0 := y; L: if r0 = 2 goto L;
"""
# What Q reads decides whether it errs, and the guess whether there is anything to read.
ERRING = """
x = 0 y = 0
thread P: r0 := cas(x, 1, 2); y := 1 - r0;
thread Q: r1 := y; r2 := [&x + r1 * 4096]; assert r2 = 1;
"""
# The thread of the guess ends before its access: the guess is about nothing, and the run is one.
BEYOND_ERROR = """
x = 1 y = 0
thread P: r0 := x; [&x + r0 * 4096] := 1; dmb; r1 := cas(y, 0, 1); r2 := x;
thread Q: r3 := y; A: assert r3 = 1; x := 1;
"""
BEYOND_CUT = """
x = 1 y = 0
thread P: L: r0 := x; if r0 = 1 goto L; r1 := cas(y, 0, 1);
thread Q: r2 := cas(y, 1, 2); A: assert r2 = 1;
"""
BEYOND_ASSUME = """
x = 1 y = 0
thread P: r0 := x; assume r0 = 0; r1 := cas(y, 0, 1);
thread Q: r2 := lr(y); r3 := sc(x, 0); A: assert r3 = 0;
"""
# A store-conditional accesses its address whether it stores or not.
FAILING_STORE = """
x = 1 y = 0
thread P: r0 := x; r1 := sc([&y + r0 * 4096], 1); y := 1;
thread Q: r0 := lr(y); r1 := x; r2 := sc([&y + r1 * 4096], 2); A: assert r2 = 0;
"""
LATE = """
x = 0 y = 0
thread P: r0 := y; r1 := cas(x, r0, 2); A: assert r1 = r0; L: if r1 = 1 goto L;
thread Q: x := 1; y := 1;
"""
AWAITS = """
x = 0 y = 0
thread P: r0 := 7; L0: r0 := await(x = 5); fence @sc; r1 := 1; A: assert 0 = 1;
thread Q: r2 := cas(y, 0, 1); B: assert r2 = 1; r3 := cas(x, 0, 2) await = 1; y := 3;
"""
PROGRAMS = (
    LOOP, LATER_FIRST, GUESSED_CAS, OTHER_PLACE, ERRING,
    BEYOND_ERROR, BEYOND_CUT, BEYOND_ASSUME, FAILING_STORE, LATE,
)  # fmt: skip


def traces(engine: str, text: Program, under: Model) -> list[Trace]:
    return list(make(parse_configuration(engine), 0).explore(text, under, Limits(UNROLL)))


def endings(found: list[Trace], classes: bool) -> set[Ending]:
    """Complete traces too, with the asserts that fail in them."""
    all_ = {ending_of(trace) for trace in found}
    return {ending.by_class() for ending in all_} if classes else all_


@pytest.mark.parametrize("under", MODELS)
@pytest.mark.parametrize("text", PROGRAMS)
def test_every_engine_ends_its_runs_as_enumerate_does(text: str, under: str) -> None:
    parsed = program(text)
    expected = traces("enumerate", parsed, model(under))
    for engine in ENGINES:
        configuration = parse_configuration(engine)
        if not_applicable(configuration, model(under), parsed):
            continue
        classes = configuration.equivalence == "rf"
        found = traces(engine, parsed, model(under))
        assert endings(found, classes) == endings(expected, classes), engine


@pytest.mark.large
@pytest.mark.parametrize("engine", ("enumerate", *ENGINES))
def test_replay_confirms_every_run(engine: str) -> None:
    for text in (*PROGRAMS, AWAITS):
        parsed = program(text)
        for under in ("sc", "power", "aarch64"):
            if not_applicable(parse_configuration(engine), model(under), parsed):
                continue
            for trace in traces(engine, parsed, model(under)):
                written = to_json(trace.data(), under, engine, text, UNROLL)
                assert replay(from_json(json.dumps(written)), model(under)).differences == ()


@pytest.mark.parametrize("engine", ("enumerate", *ENGINES))
@pytest.mark.parametrize(
    ("text", "failed"),
    [(LOOP, ("A", "B", "C", "D")), (LATER_FIRST, ("A", "B"))],
    ids=["loop", "later-first"],
)
def test_failed_asserts_come_once_and_in_the_order_of_the_code(
    engine: str, text: str, failed: tuple[str, ...]
) -> None:
    found = {trace.failed for trace in traces(engine, program(text), model("sc"))}
    assert max(found, key=len) == failed
    assert all(list(one) == sorted(set(one)) for one in found)
