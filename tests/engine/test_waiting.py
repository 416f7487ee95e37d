"""Runs in which threads wait for ever: every engine finds the same ones, each once."""

from __future__ import annotations

import json

import pytest
from support import model, program

from hybrid.catalogue.engines import make
from hybrid.catalogue.spelling import not_applicable, parse_configuration, parse_configurations
from hybrid.crosscheck.compare import crosscheck
from hybrid.crosscheck.random_programs import Shape, random_program
from hybrid.engine.api import TRACE, Limits
from hybrid.execution.trace import Key, Status, Trace, class_key, key_of
from hybrid.program import instructions as ins
from hybrid.program.program import Program
from hybrid.witness.as_json import from_json, to_json
from hybrid.witness.replay import replay

pytestmark = pytest.mark.sample(24)

MODELS = ("sc", "tso", "pso", "ra", "rc11", "power", "armv7", "aarch64", "riscv")
ENGINES = (
    "enumerate", "bmc:sat", "bmc:z3", "rsmc", "rsmc/last", "rsmc+rf",
    "trust", "trust/last", "trust+rf",
    "trust-linear", "trust-linear+rf", "revisit", "stateful",
)  # fmt: skip
Place = tuple[int, str]  # thread, label

# Two locks, taken in either order.
AB_BA = """x = 0 y = 0
thread P: A: xchgawait(x = 0, := 1); B: xchgawait(y = 0, := 1); y := 0; x := 0;
thread Q: C: xchgawait(y = 0, := 1); D: xchgawait(x = 0, := 1); x := 0; y := 0;"""
CAS_AB_BA = """x = 0 y = 0
thread P: A: r0 := cas(x, 0, 1) await = 0; B: r1 := cas(y, 0, 1) await = 0; y := 0; x := 0;
thread Q: C: r0 := cas(y, 0, 1) await = 0; D: r1 := cas(x, 0, 1) await = 0; x := 0; y := 0;"""
ORDERED = """x = 0 y = 0
thread P: xchgawait(x = 0, := 1) @acq; xchgawait(y = 0, := 1) @acq; y := 0 @rel; x := 0 @rel;
thread Q: xchgawait(x = 0, := 1) @acq; xchgawait(y = 0, := 1) @acq; y := 0 @rel; x := 0 @rel;"""
# The lock is never given back by one of them.
KEPT = """x = 0
thread P: A: xchgawait(x = 0, := 1);
thread Q: B: xchgawait(x = 0, := 1); x := 0;"""
# The waiter clears the flag after the waker has set it.
LOST_WAKE_UP = """flag = 0
thread P: A: flag := 0; B: await(flag = 1);
thread Q: C: flag := 1;"""
# The value comes and goes: the await may see it, or never.
PASSED_BY = """x = 1 y = 0
thread P: A: await(x = 1); y := 1;
thread Q: B: x := 0;"""
# Each asks the other to go on only if it has not seen the other come: under sc one of them has.
DEKKER = """x = 0 y = 0 go = 0
thread P: x := 1; r := y; if r = 0 goto W; go := 1; W: await(go = 1);
thread Q: y := 1; r := x; if r = 0 goto V; go := 1; V: await(go = 1);"""
# A lock and a flag: one thread waits for each.
BOTH = """l = 0 f = 0
thread P: A: xchgawait(l = 0, := 1); B: await(f = 1); l := 0;
thread Q: C: xchgawait(l = 0, := 1); f := 1; l := 0;"""
ASSUMES = "x = 0 y = 0 thread P: await(x = 1); thread Q: r := y; assume r = 1;"
COMPUTED = """x = 0 y = 0 z = 0
thread P: r0 := z; r1 := &x; if r0 = 0 goto W; r1 := &y; W: r2 := [r1] await = r0 + 1;
thread Q: z := 1; x := 2;"""


def runs(engine: str, source: Program, under: str) -> list[Trace] | None:
    """What the engine yields; None: it does not take the program or the model."""
    configuration = parse_configuration(engine)
    if not_applicable(configuration, model(under), source):
        return None
    return list(make(configuration, 0).explore(source, model(under), Limits(2)))


def waiting(found: list[Trace]) -> list[Trace]:
    return [trace for trace in found if trace.status is Status.WAITING]


def places(trace: Trace) -> tuple[Place, ...]:
    return tuple((wait.thread, wait.label) for wait in trace.data().waiting)


def keys(engine: str, traces: list[Trace]) -> list[Key]:
    """The keys of the runs, or those of their classes."""
    found = [trace.key() for trace in waiting(traces)]
    assert len(found) == len(set(found)), engine
    return found


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("under", MODELS)
@pytest.mark.parametrize("text", [AB_BA, CAS_AB_BA], ids=["xchg", "cas"])
def test_locks_taken_in_either_order(text: str, under: str, engine: str) -> None:
    found = runs(engine, program(text), under)
    if found is None:
        pytest.skip("not for this engine")
    [trace] = waiting(found)
    assert places(trace) == ((0, "B"), (1, "D"))
    assert all(wait.locks for wait in trace.data().waiting)
    assert dict(trace.data().rf) == {(0, 0): (-1, 0), (1, 0): (-1, 1)}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("under", ("sc", "tso", "rc11", "power", "aarch64"))
def test_locks_taken_in_one_order(under: str, engine: str) -> None:
    found = runs(engine, program(ORDERED), under)
    if found is None:
        pytest.skip("not for this engine")
    assert found
    assert not waiting(found)


# text, who waits where, the models under which nobody does
CASES: dict[str, tuple[str, tuple[Place, ...], tuple[str, ...]]] = {
    "kept": (KEPT, ((1, "B"),), ()),
    "lost wake-up": (LOST_WAKE_UP, ((0, "B"),), ()),
    "passed by": (PASSED_BY, ((0, "A"),), ()),
    "Dekker": (DEKKER, ((0, "W"), (1, "V")), ("sc",)),
    "a lock and a flag": (BOTH, ((0, "B"), (1, "C")), ()),
    "a failed assume": (ASSUMES, (), MODELS),
}


@pytest.mark.parametrize("under", MODELS)
@pytest.mark.parametrize("name", CASES)
def test_who_waits_where(name: str, under: str) -> None:
    text, expected, without = CASES[name]
    for engine in ENGINES:
        found = runs(engine, program(text), under)
        if found is not None:
            told = {places(trace) for trace in waiting(found)}
            assert told == (set() if under in without else {expected}), engine


@pytest.mark.parametrize("under", MODELS)
@pytest.mark.parametrize(
    "text", [AB_BA, CAS_AB_BA, KEPT, LOST_WAKE_UP, PASSED_BY, DEKKER, BOTH, COMPUTED]
)
def test_all_engines_find_the_same_runs(text: str, under: str) -> None:
    source = program(text)
    expected = runs("enumerate", source, under)
    assert expected is not None
    whole = {trace.key(): trace.data().waiting for trace in waiting(expected)}
    for engine in ENGINES:
        found = runs(engine, source, under)
        if found is None:
            continue
        if parse_configuration(engine).equivalence == TRACE:
            assert set(keys(engine, found)) == set(whole), engine
            assert {t.key(): t.data().waiting for t in waiting(found)} == whole, engine
        else:
            assert set(keys(engine, found)) == {class_key(key, set()) for key in whole}, engine
            assert {key_of(t.data()) for t in waiting(found)} <= set(whole), engine


@pytest.mark.parametrize("under", ("tso", "power", "aarch64"))
@pytest.mark.parametrize("engine", ENGINES)
def test_replay_confirms_waiting_runs_and_no_forged_ones(engine: str, under: str) -> None:
    for text in (AB_BA, CAS_AB_BA, LOST_WAKE_UP, PASSED_BY, DEKKER, BOTH, COMPUTED):
        for trace in waiting(runs(engine, program(text), under) or []):
            written = to_json(trace.data(), under, engine, text, 2)
            assert replay(from_json(json.dumps(written)), model(under)).agrees
            written["status"] = "blocked"
            assert not replay(from_json(json.dumps(written)), model(under)).agrees
            written |= {"status": "waiting", "waiting": []}
            [told] = replay(from_json(json.dumps(written)), model(under)).differences
            assert "wait for ever" in told


def test_a_run_that_may_go_on_does_not_wait() -> None:
    """The await has not happened, but what memory holds would let it."""
    text = "x = 0 thread P: A: await(x = 1); thread Q: x := 1;"
    [trace] = waiting(runs("enumerate", program(text.replace("x := 1", "x := 2")), "sc") or [])
    written = to_json(trace.data(), "sc", "enumerate", text, 2)
    told = replay(from_json(json.dumps(written)), model("sc")).differences
    assert any("how the run ended: the witness says waiting" in each for each in told)


@pytest.mark.large
@pytest.mark.parametrize("under", MODELS)
def test_random_programs_with_awaits(under: str) -> None:
    """All engines agree, and the formula has no other waiting runs."""
    chosen = parse_configurations(
        "enumerate,rsmc,rsmc/random,rsmc+rf,trust,trust/random,trust+rf,"
        "trust-linear,revisit,stateful"
    )
    number = met = 0
    while met < 12:
        source = random_program(2026, number, Shape(candidates=400))
        number += 1
        if not any(
            isinstance(i, ins.Load | ins.Rmw) and i.guard is not None
            for thread in source.threads
            for i in thread.code
        ):
            continue
        result = crosscheck(source, model(under), chosen, Limits(1), complete=True)
        assert result.agree, f"{source.name}: {result.differences[0]}"
        assert result.complete, result.completeness
        met += bool(result.findings[0].waiting)
