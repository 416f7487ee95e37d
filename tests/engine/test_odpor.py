"""Optimal-DPOR-Await against a plain search over all interleavings: each class of executions is
explored once, and no other run is begun."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from interleavings import Interleavings, Lens, ProgramMaker, Truth
from support import make_engine, model, model_of, program

from hybrid.catalogue.engines import make, refusal
from hybrid.catalogue.spelling import parse_configuration
from hybrid.engine.api import FAA, POLICIES, Limits
from hybrid.engine.odpor.blocking_races import BlockingRaceReversal
from hybrid.engine.odpor.engine import Odpor, operational
from hybrid.engine.odpor.happens_before import HappensBefore
from hybrid.engine.odpor.independent_adds import independent_adds
from hybrid.engine.odpor.races import RaceReversal
from hybrid.errors import HybridError, InputError
from hybrid.execution.trace import Key, Status
from hybrid.program.program import Program

COUNT = int(os.environ.get("HYBRID_INTERLEAVINGS", "400"))  # random programs, in all
CHUNKS = 8
SC = model("sc")


class Counted:
    """What an engine finds."""

    def __init__(self, engine: Odpor, source: Program) -> None:
        traces = list(engine.explore(source, SC, Limits()))
        self.complete = [t.key() for t in traces if t.status is Status.COMPLETE]
        self.waiting = [t.key() for t in traces if t.status is Status.WAITING]
        counters = engine.counters
        self.blocked = counters.blocked + counters.deadlocks + counters.livelocks
        assert counters.complete == len(self.complete)

    def __str__(self) -> str:
        return f"{len(self.complete)}+{self.blocked}"


def differs(engine: Odpor, source: Program, truth: Truth) -> str:
    """In what a run of the engine differs from the truth; empty: in nothing."""
    found = Counted(engine, source)
    lens = Lens(source)

    def classes(keys: set[Key] | list[Key]) -> set[object]:
        return {lens.class_of(key) if engine.equivalence == FAA else key for key in keys}

    failed = len(classes(truth.failed))
    told = []
    for name, keys, known in (
        ("complete", found.complete, truth.complete),
        ("waiting", found.waiting, truth.waiting),
    ):
        if len(classes(keys)) < len(keys):
            told.append(f"{name} explored twice")
        if classes(keys) != classes(known):
            told.append(f"{name}: {len(classes(keys))} of {len(classes(known))}")
    if found.blocked != len(classes(truth.waiting)) + failed:
        told.append(f"blocked: {found.blocked}")
    return ", ".join(told)


def engines(seed: int, wakeup: bool = True) -> Iterator[Odpor]:
    for equivalence in ("trace", FAA):
        for policy in POLICIES:
            yield Odpor(policy, seed, equivalence, wakeup)


def differences(seed: int, wakeup: bool = True) -> list[str]:
    """In what the engine, in all its forms, is not right about a random program."""
    source = ProgramMaker(seed).program()
    truth = Interleavings(source).search()
    found = []
    for engine in engines(seed, wakeup):
        told = differs(engine, source, truth)
        if told:
            found.append(f"{seed}, {engine.policy}, {engine.equivalence}: {told}")
        assert wakeup <= (engine.counters.sleep_blocked == 0)
    return found


@pytest.mark.large
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_programs(chunk: int) -> None:
    for seed in range(chunk, COUNT, CHUNKS):
        assert differences(seed) == []


@pytest.mark.large
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_programs_with_source_sets(chunk: int) -> None:
    for seed in range(chunk, COUNT // 4, CHUNKS):
        assert differences(seed, wakeup=False) == []


def test_a_few_random_programs() -> None:
    for seed in range(5000, 5005):
        assert differences(seed) == []
        assert differences(seed, wakeup=False) == []


# Programs that a wrong reading of the paper miscounts: complete+blocked, with all fetch-and-adds in
# order, and with the independent ones in any.
READINGS = {
    # Definition 2 (ii) is about the pair.
    "a load does not enable": ("x = 0 thread P: r := x; thread Q: faa(x, 1) await != 2;", "2+0"),
    # Every write to its location may enable or disable an await.
    "what is written does not matter": (
        "x = 0 thread P: x := 1; thread Q: xchgawait(x <= 1, := 0);",
        "2+0",
    ),
    "further back": ("x = 0 thread P: x := 1; x := 1; thread Q: await(x != 1);", "1+1"),
    # Line 38 is about what is left of v, line 39 returns where p does not occur in v.
    "a failed cas": ("x = 0 thread P: x := 0; thread Q: r := cas(x, 2, 0);", "2+0"),
    "a weak initial that is not in v": (
        "x = 0 thread P: r := cas(x, 2, 2); thread Q: x := 1; thread R: r := x; s := x;",
        "6+0",
    ),
    # A cas may turn from read to write.
    "run v again": (
        "x = 0 thread P: r := faa(x, 1); assert r != 7; thread Q: r := cas(x, 1, 2);"
        " thread R: r := cas(x, 1, 1); await(x != 1);",
        "5+2",
    ),
}
READINGS_OF_ADDS = {
    # can-stop belongs to each e.
    "a flag of each event": (
        "x = 0 y = 0 z = 0 thread P: faa(x, 1); y := 1; thread Q: faa(x, 1); z := 1;"
        " thread R: await(y = 1); await(z = 1); x := 1; thread S: await(x = 1);",
        "3+0",
    ),
    "not any insertion": (
        "x = 0 thread P: faa(x, 1); thread Q: xchgawait(x >= 0, := 0); thread R: faa(x, 3);",
        "4+0",
    ),
    # Fetch-and-adds are taken out until the guard holds.
    "fewer than all": (
        "x = 0 thread P: faa(x, 2); thread Q: xchgawait(x <= 1, := 2); thread R: faa(x, 2);",
        "1+1",
    ),
    "Fig. 5": (
        "x = 0 y = 0 thread P: faa(x, 1); thread Q: faa(x, 1); thread R: faa(x, 3);"
        " thread S: await(x = 3); y := 1;",
        "1+1",
    ),
    "Fig. 5 with 1, 2, 3": (
        "x = 0 y = 0 thread P: faa(x, 1); thread Q: faa(x, 2); thread R: faa(x, 3);"
        " thread S: await(x = 3); y := 1;",
        "2+1",
    ),
}
ORDERED_ADDS = {"Fig. 5": "2+6", "Fig. 5 with 1, 2, 3": "4+6"}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", READINGS)
def test_readings(name: str, policy: str) -> None:
    text, expected = READINGS[name]
    for seed in range(6):
        assert str(Counted(Odpor(policy, seed), program(text))) == expected
    assert str(Counted(Odpor(policy, 0, "trace", False), program(text))) == expected


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", READINGS_OF_ADDS)
def test_readings_of_adds(name: str, policy: str) -> None:
    text, expected = READINGS_OF_ADDS[name]
    for seed in range(6):
        assert str(Counted(Odpor(policy, seed, FAA), program(text))) == expected
    assert str(Counted(Odpor(policy, 0, FAA, False), program(text))) == expected
    if name in ORDERED_ADDS:
        assert str(Counted(Odpor(policy), program(text))) == ORDERED_ADDS[name]


def test_many_adds_and_no_sum_that_fits() -> None:
    """Were all ways to leave some out tried, there would be 2^18 of them."""
    threads = " ".join(f"thread P{i}: faa(x, 2);" for i in range(18))
    source = program(f"x = 0 {threads} thread Q: await(x = 7);")
    assert str(Counted(Odpor("first", 0, FAA), source)) == "0+1"


# ---- that the comparison finds faults


def found_by_comparison() -> bool:
    for seed in range(60):
        try:
            if differences(seed):
                return True
        except HybridError:  # what must hold does not
            return True
    return False


@pytest.mark.interpreted
def test_fault_a_blocking_race_not_reversed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BlockingRaceReversal, "_unblock", lambda *_: None)
    assert found_by_comparison()


@pytest.mark.interpreted
def test_fault_a_sequence_not_inserted(monkeypatch: pytest.MonkeyPatch) -> None:
    original = RaceReversal.wake_up
    calls = 0

    def some(self: RaceReversal, *arguments: object) -> None:
        nonlocal calls
        calls += 1
        if calls % 5:
            original(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(RaceReversal, "wake_up", some)
    assert found_by_comparison()


@pytest.mark.interpreted
def test_fault_a_sequence_only_up_to_the_second_event(monkeypatch: pytest.MonkeyPatch) -> None:
    original = HappensBefore.not_after
    # the execution without its last three events
    monkeypatch.setattr(
        HappensBefore,
        "not_after",
        lambda self, event: original(self, event) & ((1 << max(event + 1, self.size - 3)) - 1),
    )
    assert found_by_comparison()


@pytest.mark.interpreted
def test_fault_nothing_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HappensBefore, "stays_asleep", lambda *_: False)
    assert found_by_comparison()


# ---- what it takes


def test_it_counts_what_other_engines_count() -> None:
    text = """x = 0 y = 0
    thread P: r := x; if r = 0 goto L; y := 1; L: assert r = 0;
    thread Q: s := y; assume s = 0; x := 1;
    thread R: r := y; s := [&x + r];"""
    kinds = {}
    for name in ("enumerate", "trust", "odpor", "odpor/last", "odpor-source"):
        engine = make_engine(name)
        traces = list(engine.explore(program(text), SC, Limits()))
        kinds[name] = sorted((t.status.value, t.failed, t.key()) for t in traces)
    assert all(found == kinds["enumerate"] for found in kinds.values())


def test_weak_cas_both_ways() -> None:
    text = "x = 0 thread P: r := cas_weak(x, 0, 1); thread Q: s := cas_weak(x, 1, 2);"
    for name in ("odpor", "odpor/last", "odpor-source", "enumerate"):
        engine = make_engine(name)
        assert len(list(engine.explore(program(text), SC, Limits()))) == 4, name


@pytest.mark.parametrize(
    ("text", "machine"),
    [
        ("acyclic po | rf | co | fr", "sc"),
        ("acyclic po | com as sc\nempty rmw & (fre ; coe) as atomic", "sc"),
        ("acyclic po | com\nacyclic po | rf", ""),
        ("acyclic po-loc | com", ""),
        ("acyclic po | com\nempty [SYNC]", ""),
        ("acyclic po | rf\n(*% operational sc *)", "sc"),
        ("acyclic po | rf\n(*% operational pso *)", "pso"),
    ],
)
def test_which_models(text: str, machine: str) -> None:
    assert operational(model_of(text)) == machine
    assert (refusal("odpor", model_of(text)) is None) == bool(machine)


def test_what_it_refuses() -> None:
    text = "x = 0 thread P: r := lr(x); s := sc(x, 1);"
    assert refusal("odpor", SC, program(text)) is None
    error = refusal("odpor", model("tso"), program(text))
    assert error is not None and "store-conditionals" in error.message
    loose = model_of("acyclic po | com")
    error = refusal("odpor", loose, program(text))
    assert error is not None and "atomic" in error.message
    flagged = model_of("acyclic po | com\nflag ~empty [SYNC] as odd")
    error = refusal("odpor", flagged)
    assert error is not None and "flag" in error.message
    error = refusal("odpor-source", model("power"))
    assert error is not None and "odpor-source runs programs step by step" in error.message


def test_a_false_claim_is_found() -> None:
    """The text says that the executions are those of sc, and forbids some of them."""
    false = model_of("acyclic po | com\nempty rfe\n(*% operational sc *)")
    with pytest.raises(InputError, match="refused by the axiom"):
        list(Odpor().explore(program("x = 1 thread P: r := x;"), false, Limits()))


def test_policies_have_the_same_traces() -> None:
    text = "x = 0 y = 0 thread P: x := 1; r := y; thread Q: y := 1; s := x; thread R: x := 2;"
    found = set()
    for name in ("odpor", "odpor/last", "odpor/random"):
        traces = make(parse_configuration(name), 3).explore(program(text), SC, Limits())
        found.add(frozenset(trace.key() for trace in traces))
    assert len(found) == 1


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("thread P: L0: faa(x, 1); L1: r := faa(x, 2);", {"L0", "L1"}),
        ("thread P: L0: r := faa(x, 1); y := r;", set()),
        ("thread P: L0: r := faa(x, 1); r := y; y := r;", {"L0"}),
        ("thread P: L0: r := faa(x, 1); if r = 1 goto L1; L1: y := 1;", set()),
        ("thread P: M: L0: r := faa(x, 1); s := y; if s = 0 goto M; assert r = 1;", set()),
        ("thread P: L0: faa(x, 1) await != 3; L1: xchg(x, 3); L2: fetch_or(x, 1);", set()),
        ("thread P: L0: r := faa(x, 1); exists (P:r = 0)", set()),
        ("thread P: L0: r := faa(x, 1); thread Q: r := y; exists (Q:r = 0)", {"L0"}),
    ],
)
def test_independent_adds(text: str, labels: set[str]) -> None:
    assert independent_adds(program(f"x = 0 y = 0 {text}")) == labels
