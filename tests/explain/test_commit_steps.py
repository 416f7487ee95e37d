"""Traces committed once more: every access once, the trace's own parameters allowed, and what is
refused or allowed at the last step is what the ground truth says."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support import make_engine, model, model_of, program

from hybrid.engine.api import Limits
from hybrid.execution.trace import EventId, Key, Status, TraceData, key_of
from hybrid.explain.commit_steps import CommitStep, Judged, commit_steps

LIMITS = Limits()
PROGRAMS = {
    "sb": r"""
        x = 0; y = 0
        thread P: L0: x := 1; L1: r0 := y;
        thread Q: L2: y := 1; L3: r1 := x;
        """,
    "coherence": r"""
        x = 0
        thread P: L0: x := 1; L1: x := 2;
        thread Q: L2: x := 3; L3: r0 := x; L4: r1 := x;
        """,
    "iriw": r"""
        x = 0; y = 0
        thread A: x := 1;
        thread B: y := 1;
        thread C: r0 := x; sync; r1 := y;
        thread D: r0 := y; sync; r1 := x;
        """,
    "lb": r"""
        x = 0; y = 0
        thread P: L0: r0 := x; L1: y := 1;
        thread Q: L2: r1 := y; L3: x := r1;
        """,
    "cas": r"""
        x = 0
        thread P: L0: r0 := cas(x, 0, 1); L1: r1 := x;
        thread Q: L2: r0 := cas(x, 0, 2);
        """,
    "forwarding": r"""
        x = 0; y = 0
        thread P: L0: x := 1; L1: r0 := x; L2: y := r0;
        thread Q: L3: r1 := y; sync; L4: r2 := x;
        """,
    "exclusive": r"""
        x = 0
        thread P: L0: r0 := lr(x); L1: s0 := sc(x, 1);
        thread Q: L2: x := 2;
        """,
    "await": r"""
        x = 0; y = 0
        thread P: L0: y := 1; L1: x := 1;
        thread Q: L2: await(x = 1); L3: r0 := y;
        """,
}
MODELS = ("sc", "tso", "power", "aarch64", "armv7", "rc11")
FREE = {("cas", "armv7"), ("exclusive", "armv7")}  # rsmc does not take these


def traces(engine: str, text: str, under: str) -> list[TraceData]:
    found = make_engine(engine).explore(program(text), model(under), LIMITS)
    return [trace.data() for trace in found if trace.status is Status.COMPLETE]


@pytest.mark.parametrize("under", MODELS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_every_trace_of_the_ground_truth(name: str, under: str) -> None:
    known = traces("enumerate", PROGRAMS[name], under)
    keys = {key_of(data) for data in known}
    for data in known:
        found = commit_steps(data, model(under), LIMITS)
        assert bool(found.note) == ((name, under) in FREE)
        done = [step.event for step in found.steps]
        assert len(done) == len(set(done))
        apart = {store for _, store in data.amo if store not in done}
        accesses = {e.id for e in data.events if e.kind in "RW" and e.thread >= 0}
        assert accesses - apart <= set(done)
        for step in found.steps:
            (taken,) = [judged for judged in step.judged if judged.taken]
            assert taken.allowed and not step.refused
            for judged in step.judged:
                assert judged.allowed == (judged.reason is None and not judged.why)
        last = found.steps[-1]
        if last.event in data.by_id and last.event not in dict(data.amo) and not data.lxsx:
            assert allowed_keys(data, last) == {
                key for key in keys if same_but(key, data, last.event)
            }


def allowed_keys(data: TraceData, last: CommitStep) -> set[Key]:
    """The traces that the choices at the last step lead to."""
    return {key_of(changed(data, last.event, j)) for j in last.judged if j.allowed}


def changed(data: TraceData, event: EventId, judged: Judged) -> TraceData:
    if judged.source is not None:
        return replace(data, rf={**data.rf, event: judged.source})
    address = data.by_id[event].address
    assert address is not None and judged.place is not None
    others = [store for store in data.co[address] if store != event]
    order = (*others[: judged.place], event, *others[judged.place :])
    return replace(data, co={**data.co, address: order})


def same_but(key: Key, data: TraceData, event: EventId) -> bool:
    """Whether the trace is the same up to what this event reads, or where it is in co."""
    rf = {load: source for load, source in key[0] if load != event}
    own = {load: source for load, source in data.rf.items() if load != event}
    co = {address: [s for s in order if s != event] for address, order in key[1]}
    wanted = {a: [s for s in order if s != event] for a, order in data.co.items() if order}
    return rf == own and co == wanted


@pytest.mark.parametrize("engine", ["rsmc", "bmc:sat", "trust", "odpor"])
def test_any_engine(engine: str) -> None:
    for name in ("sb", "coherence", "cas"):
        for data in traces(engine, PROGRAMS[name], "sc"):
            found = commit_steps(data, model("sc"), LIMITS)
            assert found.steps and not found.note
            if data.run:
                assert [s.event for s in found.steps] == [event for event, _ in data.run]


def test_what_is_fetched() -> None:
    """A load on which an address depends: what follows the branch comes with its commit."""
    text = "x = 0; thread P: L0: r := x; L1: if r = 0 goto E; L2: x := 1; E: skip;"
    (data,) = traces("rsmc", text, "power")
    found = commit_steps(data, model("power"), LIMITS)
    assert found.first == ((0, 0), (0, 1))
    assert [step.fetched for step in found.steps] == [()]
    text = "x = 0; thread P: L0: r := x; L1: if r = 1 goto E; L2: x := 1; E: skip;"
    (data,) = traces("rsmc", text, "power")
    found = commit_steps(data, model("power"), LIMITS)
    assert [step.fetched for step in found.steps] == [((0, 2),), ()]


def test_a_forbidden_candidate_ends_with_a_refusal() -> None:
    (relaxed,) = (
        data
        for data in traces("enumerate", PROGRAMS["sb"], "tso")
        if all(source[0] < 0 for source in data.rf.values())
    )
    found = commit_steps(relaxed, model("sc"), LIMITS)
    last = found.steps[-1]
    assert last.refused and not any(step.refused for step in found.steps[:-1])
    (taken,) = [judged for judged in last.judged if judged.taken]
    assert taken.reason is not None and taken.reason.axiom == "sc" and len(taken.reason.edges) > 1


def test_awaits_take_one_value() -> None:
    (data,) = traces("enumerate", PROGRAMS["await"], "sc")
    steps = {step.event: step for step in commit_steps(data, model("sc"), LIMITS).steps}
    waits = [judged for judged in steps[1, 0].judged if judged.why]
    assert [judged.source for judged in waits] == [(-1, 0)]


def test_many_parameters_are_not_all_looked_at() -> None:
    data = traces("enumerate", PROGRAMS["coherence"], "sc")[0]
    found = commit_steps(data, model("sc"), LIMITS, most=3)
    assert "too many" in found.note and not found.steps[-1].judged
    assert len(found.steps) == 5


def test_a_commit_that_is_refused_is_always_looked_at() -> None:
    relaxed = next(
        data
        for data in traces("enumerate", PROGRAMS["sb"], "tso")
        if all(source[0] < 0 for source in data.rf.values())
    )
    wanted = commit_steps(relaxed, model("sc"), LIMITS)
    found = commit_steps(relaxed, model("sc"), LIMITS, most=0)
    assert found.steps[-1] == wanted.steps[-1] and found.steps[-1].refused
    assert [each.reason is not None for each in found.steps[-1].judged if each.taken] == [True]
    assert found.steps[0].judged and not found.steps[-2].judged
    assert "later steps, but for the last, were not looked at" in found.note and not wanted.note


def test_a_model_without_commit_before() -> None:
    """Then an order of dependencies and reads-from will do; the judge is the same."""
    weak = model_of("acyclic po-loc | com as coherence")
    found_all = make_engine("enumerate").explore(program(PROGRAMS["coherence"]), weak, LIMITS)
    known = [trace.data() for trace in found_all]
    keys = {key_of(data) for data in known}
    for data in known:
        found = commit_steps(data, weak, LIMITS)
        assert "commit-before" in found.note and len(found.steps) == 5
        last = found.steps[-1]
        assert allowed_keys(data, last) == {k for k in keys if same_but(k, data, last.event)}


def test_an_axiom_that_can_become_true() -> None:
    later = model_of("acyclic po-loc | com as coherence\n~empty rf as reads")
    (data, *_) = traces("enumerate", PROGRAMS["sb"], "sc")
    found = commit_steps(data, later, LIMITS)
    assert not found.steps and "can become true later" in found.note


def test_a_candidate_against_commit_before() -> None:
    """Load buffering: po and rf make a cycle, so that no order of commits leads there under tso.
    It is shown all the same how far one comes, and what refuses it."""
    text = r"""
        x = 0; y = 0
        thread P: L0: r0 := x; L1: y := 1;
        thread Q: L2: r1 := y; L3: x := 1;
        """
    relaxed = traces("enumerate", text, "power")
    (data,) = (d for d in relaxed if all(source[0] >= 0 for source in d.rf.values()))
    found = commit_steps(data, model("tso"), LIMITS)
    last = found.steps[-1]
    assert last.refused and len(found.steps) > 1 and "in a circle" in found.note
    (taken,) = [judged for judged in last.judged if judged.taken]
    assert taken.reason is not None and taken.reason.axiom == "tso"
