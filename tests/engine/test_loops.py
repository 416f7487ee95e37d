"""Loops on constants run to their end, others to the bound, endless ones to the bound on steps: the
same runs in every engine."""

from __future__ import annotations

import time
from random import Random

import pytest
from loop_programs import LOOPS, random_loops
from support import answer, make_engine, model, program

from hybrid.catalogue.engines import ENGINES, refusal
from hybrid.engine.api import Engine, Limits
from hybrid.engine.enumerate.check import Refusal, check_key
from hybrid.execution.trace import Status, Trace
from hybrid.program.loops import loops_of
from hybrid.program.program import Program
from hybrid.report.summary import summarise
from hybrid.verdict import Verdict

pytestmark = pytest.mark.sample(6)

Seen = list[tuple[str, object, object, object]]


def make(name: str) -> Engine:
    return make_engine("bmc:sat" if name == "bmc" else name)


def seen(traces: list[Trace]) -> Seen:
    """All that engines must agree on, places of cuts included."""
    return sorted(
        (t.status.value, t.key(), t.cut(), tuple(dict.fromkeys(t.failed))) for t in traces
    )


def explored(name: str, source: Program, under: str, limits: Limits) -> list[Trace]:
    return list(make(name).explore(source, model(under), limits))


@pytest.mark.large
@pytest.mark.parametrize("under", ["sc", "power"])
@pytest.mark.parametrize("name", list(ENGINES))
@pytest.mark.parametrize("loop", LOOPS)
def test_how_often_loops_run(loop: str, name: str, under: str) -> None:
    text, complete, cut, places = LOOPS[loop]
    source = program(text)
    if refusal(name, model(under), source) is not None:
        pytest.skip(f"{name} does not take {under}")
    limits = Limits(3, max_steps=60)
    traces = explored(name, source, under, limits)
    assert sum(t.status is Status.COMPLETE for t in traces) >= complete
    if under == "sc":
        assert sum(t.status is Status.COMPLETE for t in traces) == complete
        assert sum(t.status is Status.CUT for t in traces) == cut
    assert {place[1:] for t in traces for place in t.cut()} == places
    assert seen(traces) == seen(explored("enumerate", source, under, limits))
    for trace in traces:
        again = check_key(source, model(under), trace.key(), limits)
        assert not isinstance(again, Refusal), again.reason
        assert (again.status, again.cut) == (trace.status, trace.cut())
        assert again.events == trace.data().events


@pytest.mark.parametrize("number", range(40))
def test_random_loops(number: int) -> None:
    rng = Random(1000 + number)
    source = program(random_loops(rng))
    limits = Limits(rng.randint(0, 2), max_steps=rng.choice((6, 12, 18)))
    expected = seen(explored("enumerate", source, "sc", limits))
    for name in ("rsmc", "trust", "bmc"):
        assert seen(explored(name, source, "sc", limits)) == expected


@pytest.mark.large
@pytest.mark.parametrize("name", ["enumerate", "rsmc", "trust", "bmc"])
def test_the_default_bound_on_steps_is_reached_soon(name: str) -> None:
    """Branches on constants are not events, so what 100,000 instructions cost is only their
    execution."""
    text = "x = 0 thread P: L: i := i + 1; if i != 0 goto L; thread Q: x := 1; ~exists (x = 2)"
    start = time.process_time()
    result = summarise(program(text), model("sc"), make(name), Limits())
    assert time.process_time() - start < 30
    assert result.answer is Verdict.BOUNDED
    assert result.messages == [
        "1 run cut after 100000 instructions of a thread (--max-steps 100000) at P: L: "
        "a loop without end, or one that needs a larger --max-steps"
    ]


@pytest.mark.parametrize("name", ["enumerate", "rsmc", "trust", "bmc"])
def test_a_bounded_verdict_names_bound_and_place(name: str) -> None:
    text = """x = 0
    thread P: L: r := x; J: if r = 0 goto L;
    thread Q: K: goto K;
    ~exists (P:r = 1)"""
    result = summarise(program(text), model("sc"), make(name), Limits(5, max_steps=20))
    assert result.answer is Verdict.BOUNDED
    assert result.messages == [
        "1 run cut at the loop bound (--unroll 5) at P: J; --unroll 10 goes further",
        "1 run cut after 20 instructions of a thread (--max-steps 20) at Q: K: "
        "a loop without end, or one that needs a larger --max-steps",
    ]


def test_bmc_answers_for_constant_loops() -> None:
    text = "x = 0 thread P: i := 9; L: x := i; i := i - 1; if i != 0 goto L; exists (x = 1)"
    for unroll in (0, 5):
        assert answer(program(text), model("sc"), Limits(unroll), "sat").answer is Verdict.ALLOWED


def test_exits_and_heads() -> None:
    text = """x = 0
    thread P: A: r := x; B: if r = 0 goto E; C: s := x; if s = 0 goto C;
    D: if s = 1 goto A; E: x := 1;"""
    found = loops_of(program(text).threads[0].code)
    inner, outer = 3, 4
    assert found.heads == {0: (outer,), 2: (inner,)}
    assert found.exits == {1: (outer,), 3: (inner,), 4: (outer,)}
    assert found.around == {
        0: (outer,),
        1: (outer,),
        2: (inner, outer),
        3: (inner, outer),
        4: (outer,),
    }
