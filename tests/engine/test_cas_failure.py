"""A compare-and-swap that does not store: with tags of its own, or because it is weak."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support import keys_of, model, model_of, program

from hybrid.bmc.engine import Bmc
from hybrid.engine.api import Engine, Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.engine.enumerate.check import check_key
from hybrid.engine.rsmc.engine import Rsmc
from hybrid.execution.trace import Status, TraceData

pytestmark = pytest.mark.sample(3)

ENGINES: dict[str, Callable[[], Engine]] = {
    "enumerate": Enumerate,
    "rsmc": Rsmc,
    "rsmc/last": lambda: Rsmc(policy="last"),
    "rsmc/z3": lambda: Rsmc(oracle="z3"),
    "rsmc/pysat": lambda: Rsmc(oracle="pysat"),
    "bmc": lambda: Bmc("sat"),
    "bmc/z3": lambda: Bmc("z3"),
}


def message(failed: str) -> str:
    """Message passing, in which the flag is read by a cas that must fail: it expects what nobody
    stores."""
    return f"""
x = 0; f = 0
thread P: x := 1; f := 1 @rel;
thread Q: r := cas(f, 7, 8) @acqrel {failed}; if r = 0 goto E; s := x; E: skip;
exists (Q:r = 1 /\\ Q:s = 0)
"""


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(
    ("failed", "stale"),
    [("", False), ("@fail.acq", False), ("@fail.sc", False), ("@fail.rlx", True)],
)
def test_order_of_a_failure(name: str, failed: str, stale: bool) -> None:
    traces = list(
        ENGINES[name]().explore(program(message(failed)), model("rc11"), Limits(unroll=5))
    )
    complete = [trace for trace in traces if trace.status is Status.COMPLETE]
    data = [trace.data() for trace in complete]
    outcomes = {(t.registers[1].get("r"), t.registers[1].get("s")) for t in data}
    assert ((1, 0) in outcomes) == stale
    assert {(0, None), (1, 1)} <= outcomes
    assert len(complete) == 3 if stale else 2
    races = [trace for trace in data if "race" in trace.flags]
    assert bool(races) == stale


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("under", ["sc", "rc11", "power"])
def test_weak_and_strong(name: str, under: str) -> None:
    strong, counters = keys_of(ENGINES[name](), "x = 0 thread P: r := cas(x, 0, 1);", model(under))
    assert len(strong) == 1
    assert counters.stuck == 0
    weak, counters = keys_of(
        ENGINES[name](), "x = 0 thread P: r := cas_weak(x, 0, 1);", model(under)
    )
    assert len(set(weak)) == len(weak) == 2
    assert counters.stuck == 0


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("under", ["sc", "rc11", "power"])
def test_contest(name: str, under: str) -> None:
    """Two threads want to be first. One of them is unless both are weak: then neither need be."""
    text = "x = 0 thread P: r := {0}(x, 0, 1) @acqrel {1}; thread Q: r := {0}(x, 0, 2) @acqrel {1};"
    for failed in ("", "@fail.rlx"):
        strong, _ = keys_of(ENGINES[name](), text.format("cas", failed), model(under))
        assert len(set(strong)) == len(strong) == 2
        weak, _ = keys_of(ENGINES[name](), text.format("cas_weak", failed), model(under))
        # Both fail; one fails, before or after the other; …
        assert len(set(weak)) == len(weak) == 1 + 2 * 2


@pytest.mark.parametrize("name", ENGINES)
def test_tags_are_those_of_the_outcome(name: str) -> None:
    """A set in the model that the event is in with one outcome only."""
    failing = model_of(
        "acyclic po | rf | co | fr as sc\nempty [R & RLX] as none\nempty rmw & (fre ; "
        "coe) as atomic"
    )
    text = "x = 0 thread P: r := cas(x, {}, 1) @sc @fail.rlx; thread Q: x := 1;"
    stores, _ = keys_of(ENGINES[name](), text.format(0), failing)
    assert len(stores) == 1  # the other reads 1 and fails
    fails, _ = keys_of(ENGINES[name](), text.format(1), failing)
    assert len(fails) == 1


@pytest.mark.parametrize("weak", [False, True])
def test_a_trace_has_the_tags_of_its_outcome(weak: bool) -> None:
    text = f"x = 0 thread P: r := cas{'_weak' * weak}(x, 0, 1) @sc @fail.rlx; thread Q: x := 1;"
    for make in ENGINES.values():
        for trace in make().explore(program(text), model("sc"), Limits(unroll=5)):
            if trace.status is not Status.COMPLETE:
                continue
            events = {event.id: event for event in trace.data().events}
            assert events[0, 0].tags == ({"SC"} if (0, 1) in events else {"RLX"})
            assert (0, 1) not in events or events[0, 1].tags == {"SC"}
            again = check_key(program(text), model("sc"), trace.key(), Limits(5))
            assert isinstance(again, TraceData), again
            assert again.events == trace.data().events


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("under", ["sc", "rc11", "power"])
def test_it_tells_whether_it_stored(name: str, under: str) -> None:
    """The second result is right, steers the thread, and carries the dependencies of the
    comparison."""
    text = """
x = 0; y = 0; z = 0
thread P: e := y; r, s := {}(x, e, 5); if s = 0 goto E; z := 1; E: skip;
thread Q: y := 1; x := 1;
"""
    found = set()
    for cas in ("cas", "cas_weak"):
        for trace in ENGINES[name]().explore(program(text.format(cas)), model(under), Limits(5)):
            if trace.status is not Status.COMPLETE:
                continue
            data = trace.data()
            stored = int(any(event.id == (0, 2) for event in data.events))
            registers = data.registers[0]
            z = data.program.locations[2].address
            assert registers["s"] == stored == data.memory[z]
            assert not stored or registers["r"] == registers["e"]
            found.add((cas, registers["r"] == registers["e"], stored))
            branch = next(event for event in data.events if event.kind == "B")
            later = [event.id for event in data.events if event.id > branch.id and event.id[0] == 0]
            assert all({((0, 0), e), ((0, 1), e)} <= data.ctrl for e in later)
    assert found == {
        ("cas", True, 1), ("cas", False, 0), ("cas_weak", True, 1), ("cas_weak", True, 0),
        ("cas_weak", False, 0),
    }  # fmt: skip
