"""Witness files: writing, reading, refusing, replaying."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from explored import COHERENCE, PROGRAMS, SC, traces
from golden_files import check_golden
from hypothesis import given, settings
from hypothesis import strategies as st
from trace_samples import SAMPLES

from hybrid.errors import InputError
from hybrid.execution.trace import Status, TraceData, key_of
from hybrid.witness.as_json import from_json, key_in, to_json
from hybrid.witness.replay import replay
from hybrid.witness.run import commits

MODELS = {"sc": SC, "coherence": COHERENCE}


def reached() -> TraceData:
    """The trace of `lb` that its condition asks for, with its run."""
    return next(
        d
        for d in traces("lb", "coherence")
        if dict(d.registers[0])["r0"] == 1 and d.registers[1]["r1"] == 2
    )


def with_run(data: TraceData, found: dict[str, Any]) -> dict[str, Any]:
    """The witness with the run that `commits` finds."""
    run = commits(data)
    assert run is not None
    found["run"] = [
        {
            "event": list(c.step.id),
            "parameter": list(c.source.write.id)
            if c.source is not None and c.source.write is not None
            else c.place,
        }
        for c in run
    ]
    return found


def witness() -> dict[str, Any]:
    data = reached()
    return with_run(data, dict(to_json(data, "coherence", "enumerate", PROGRAMS["lb"])))


@pytest.mark.parametrize("name", SAMPLES)
def test_golden_json(name: str) -> None:
    found = to_json(SAMPLES[name](), "power", "rsmc", "(* its text *)")
    check_golden(f"witness/{name}.json", json.dumps(found, indent=2) + "\n")
    read = from_json(json.dumps(found))
    addresses = {place.name: place.address for place in SAMPLES[name]().program.locations}
    assert key_in(read, addresses) == key_of(SAMPLES[name]())
    assert read.run == SAMPLES[name]().run


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_every_trace_replays(name: str, model: str) -> None:
    for data in traces(name, model):
        found = with_run(data, dict(to_json(data, model, "enumerate", PROGRAMS[name], unroll=2)))
        result = replay(from_json(json.dumps(found)), MODELS[model])
        assert result.differences == ()
        assert result.agrees
        assert result.data is not None and key_of(result.data) == key_of(data)


def test_another_model_refuses() -> None:
    result = replay(from_json(json.dumps(witness())), SC)
    assert not result.agrees
    assert result.data is None and result.refusal is not None and result.refusal.axiom == "sc"
    assert "sc does not allow this trace" in result.differences[0]
    assert all(label in result.differences[0] for label in ("L0", "L1", "L2", "L3"))


CHANGES: list[tuple[list[str | int], object, str]] = [
    (["outcome", "P:r0"], 7, "outcome P:r0: the witness says 7, replay gives 1"),
    (["outcome", "P:r9"], 7, "outcome P:r9: the witness says 7, replay has none"),
    (["registers", 0, "r0"], 7, "final register P:r0: the witness says 7, replay gives 1"),
    (["registers", 1, "new"], 7, "final register Q:new: the witness says 7, replay gives 0"),
    (["memory", "x"], 7, "final memory x: the witness says 7, replay gives 1"),
    (["events", 2, "value"], 7, "event 0 of thread P, value: the witness says 7, replay gives 1"),
    (["events", 2, "label"], "L9",
     "event 0 of thread P, label: the witness says L9, replay gives L0"),
    (["events", 2, "kind"], "W", "event 0 of thread P, kind: the witness says W, replay gives R"),
    (["events", 2, "location"], "y",
     "event 0 of thread P, location: the witness says y, replay gives x"),
    (["events", 2, "id"], [0, 9], "event 0 of thread P: not in the witness"),
    (["events", 2, "id"], [5, 9], "event 9 of thread 5: in the witness, but not in the trace"),
    (["status"], "cut", "how the run ended: the witness says cut, replay gives complete"),
    (["failed"], ["L0"], "the failed asserts: the witness says L0, replay gives none"),
    (["flags"], ["race"], "the flags: the witness says race, replay gives none"),
    (["claim"], None, "the claim: the witness says None, replay gives exists (P:r0=1 /\\ Q:r1=2)"),
    (["claim", "text"], "forall (true)", "the claim: the witness says forall (true)"),
    (["claim", "formula_holds"], False,
     "whether the claim's formula holds: the witness says False"),
    (["claim", "answer"], "violated",
     "the answer to the claim: the witness says violated, replay gives reached"),
    (["run", 0, "parameter"], 1,
     "step 1 of the run (event 1 of thread Q): its parameter is not a place"),
    (["run", 1, "parameter"], [-1, 0],
     "step 2 of the run (event 0 of thread P): its parameter is not the source"),
    (["run", 3, "event"], [1, 1], "step 4 of the run (event 1 of thread Q): committed before"),
    (["run", 3, "event"], [1, 7], "step 4 of the run (event 7 of thread Q): no such event"),
    (["rf", 0, "source"], [0, 1], "coherence does not allow this trace"),
    (["co", 0, "stores"], [], "coherence does not allow this trace"),
    (["registers"], [{"r0": 1}, {"r1": 2}, {}], "registers of 1 more thread(s)"),
]  # fmt: skip


def changed(path: list[str | int], value: object) -> dict[str, Any]:
    found = copy.deepcopy(witness())
    part: Any = found
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return found


@pytest.mark.parametrize(("path", "value", "message"), CHANGES)
def test_each_lie_is_told(path: list[str | int], value: object, message: str) -> None:
    result = replay(from_json(json.dumps(changed(path, value))), COHERENCE)
    assert not result.agrees
    assert any(message in difference for difference in result.differences), result.differences


def test_the_unchanged_witness_agrees() -> None:
    assert replay(from_json(json.dumps(witness())), COHERENCE).differences == ()


def test_a_shorter_run_is_told() -> None:
    found = witness()
    found["run"].pop()
    result = replay(from_json(json.dumps(found)), COHERENCE)
    assert result.differences == ("the run leaves out event 0 of thread Q",)


def test_a_run_in_another_order_is_told() -> None:
    found = witness()
    found["run"].reverse()
    result = replay(from_json(json.dumps(found)), COHERENCE)
    assert any("its source is not committed yet" in d for d in result.differences)


def test_a_bad_program_in_a_witness() -> None:
    with pytest.raises(InputError):
        replay(from_json(json.dumps(changed(["program", "text"], "thread P: L0: := ;"))), SC)
    with pytest.raises(InputError, match="orders stores to `q`"):
        replay(from_json(json.dumps(changed(["co", 0, "location"], "q"))), SC)


MALFORMED: list[tuple[list[str | int], object, str]] = [
    (["format"], "other", 'at $.format: expected "hybrid-witness"'),
    (["format"], 1, "at $.format: expected a string, found an integer"),
    (["version"], 2, "has version 2, from a newer hybrid"),
    (["version"], True, "at $.version: expected an integer, found true or false"),
    (["unroll"], -1, "at $.unroll: a loop bound is not negative"),
    (["unroll"], 1.5, "at $.unroll: expected an integer, found a number"),
    (["status"], "fine", "at $.status: no such status: fine"),
    (["program"], "text", "at $.program: expected an object, found a string"),
    (["program", "text"], None, "at $.program.text: expected a string, found null"),
    (["events"], {}, "at $.events: expected a list, found an object"),
    (["max_steps"], 0, "at $.max_steps: a bound on instructions is at least 1"),
    (["events", 1], 3, "at $.events[1]: expected an object, found an integer"),
    (["events", 1, "id"], [0], "at $.events[1].id: an event id is [thread, po index]"),
    (["events", 1, "id"], [-2, 0], "at $.events[1].id: an event id is [thread, po index]"),
    (["events", 1, "id"], [0, "0"], "at $.events[1].id[1]: expected an integer, found a string"),
    (["events", 1, "id"], [-1, 0], "at $.events[1].id: this event occurs twice"),
    (["events", 1, "kind"], "Q", "at $.events[1].kind: no such kind of event: Q"),
    (["rf", 1, "load"], [0, 0], "at $.rf[1].load: this load has two sources"),
    (["co", 1, "location"], "x", "at $.co[1].location: this location occurs twice"),
    (["run", 0, "parameter"], "0", "at $.run[0].parameter: expected an integer, found a string"),
    (["registers", 0, "r0"], None, "at $.registers[0].r0: expected an integer, found null"),
    (["memory"], [], "at $.memory: expected an object, found a list"),
    (["claim", "formula_holds"], 1,
     "at $.claim.formula_holds: expected true or false, found an integer"),
    (["failed"], ["L0", 3], "at $.failed[1]: expected a string, found an integer"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "message"), MALFORMED)
def test_malformed_witnesses(path: list[str | int], value: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        from_json(json.dumps(changed(path, value)), "w.json")
    assert caught.value.message.startswith("w.json: ")
    assert message in caught.value.message


@pytest.mark.parametrize("key", sorted(witness().keys() - {"max_steps"}))
def test_missing_keys(key: str) -> None:
    found = witness()
    del found[key]
    with pytest.raises(InputError, match=f'the key "{key}" is missing'):
        from_json(json.dumps(found))


@pytest.mark.parametrize(
    "text", ["", "{", "[" * 100_000, "9" * 10_000, "[]", "null", "{}", '{"format": NaN}']
)
def test_not_a_witness(text: str) -> None:
    with pytest.raises(InputError):
        from_json(text)


def test_json_errors_have_a_place() -> None:
    with pytest.raises(InputError) as caught:
        from_json('{\n  "format": oops\n}', "w.json")
    assert caught.value.render().startswith("w.json:2:13: error: not JSON")


@pytest.mark.large
@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.data())
def test_damaged_witnesses_are_refused_or_judged(data: st.DataObject) -> None:
    """Random damage anywhere gives an input error or a judgement, nothing else."""
    found = copy.deepcopy(witness())
    for _ in range(data.draw(st.integers(1, 3))):
        part: Any = found
        while True:
            keys = sorted(part) if isinstance(part, dict) else list(range(len(part)))
            if not keys:
                break
            key = data.draw(st.sampled_from(keys))
            if isinstance(part[key], dict | list) and data.draw(st.integers(0, 4)):
                part = part[key]
                continue
            part[key] = data.draw(
                st.none() | st.booleans() | st.integers(-2, 3) | st.sampled_from(["x", "L0", "R"])
                | st.lists(st.integers(-1, 2), max_size=2) | st.just({})
            )  # fmt: skip
            break
    try:
        result = replay(from_json(json.dumps(found)), COHERENCE)
    except InputError:
        return
    assert result.data is not None or result.differences


def test_statuses_survive() -> None:
    for name in ("cut", "error"):
        for data in traces(name, "sc"):
            text = json.dumps(to_json(data, "sc", "enumerate", PROGRAMS[name], 2))
            assert from_json(text).status is data.status
    assert {d.status for d in traces("cut", "sc")} == {Status.CUT}
    assert Status.ERROR in {d.status for d in traces("error", "sc")}
