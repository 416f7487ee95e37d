"""The checker of single traces, and the engine against the checker on random programs."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from enumerate_helpers import COHERENT, FREE, explore, model, model_of, program, random_program

from hybrid.engine.api import Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.engine.enumerate.check import Refusal, check_key, judge
from hybrid.execution.trace import Key, Status, TraceData

pytestmark = pytest.mark.sample(2)

SB = "x = 0; y = 0 thread P: x := 1; r := y; thread Q: y := 1; r := x;"


def address(text: str, name: str) -> int:
    return next(place.address for place in program(text).locations if place.name == name)


def relaxed_sb() -> Key:
    stores = sorted([(address(SB, "x"), ((0, 0),)), (address(SB, "y"), ((1, 0),))])
    return ((((0, 1), (-1, 1)), ((1, 1), (-1, 0))), tuple(stores))


def test_allowed_and_forbidden() -> None:
    data = check_key(program(SB), model("tso"), relaxed_sb(), Limits(5))
    assert isinstance(data, TraceData)
    assert data.status is Status.COMPLETE
    refusal = check_key(program(SB), model("sc"), relaxed_sb(), Limits(5))
    assert isinstance(refusal, Refusal)
    assert refusal.axiom is not None
    assert set(refusal.cycle) == {(0, 0), (0, 1), (1, 0), (1, 1)}


def test_judge() -> None:
    data = check_key(program(SB), model("tso"), relaxed_sb(), Limits(5))
    assert isinstance(data, TraceData)
    assert judge(data, model("tso")) is None
    refusal = judge(data, model("sc"))
    assert refusal is not None and refusal.axiom is not None


@pytest.mark.parametrize(
    ("axiom", "cycle"),
    [
        ("irreflexive rf; po as a", ((0, 1),)),
        ("empty rf & int as b", ((0, 1), (0, 0))),
        ("~acyclic po as c", ()),
        ("empty FW & B as d", None),
        ("empty FW & R | W \\ IW as e", ((0, 1),)),
    ],
)
def test_offences(axiom: str, cycle: tuple[tuple[int, int], ...] | None) -> None:
    """A load that reads from the store after it."""
    source = program("x = 0 thread P: r := x; x := 1;")
    key: Key = ((((0, 0), (0, 1)),), ((source.locations[0].address, ((0, 1),)),))
    found = check_key(source, model_of(axiom), key, Limits(5))
    if cycle is None:
        assert isinstance(found, TraceData)
    else:
        assert isinstance(found, Refusal)
        assert (found.axiom, found.cycle) == (axiom.split()[-1], cycle)


PROGRAM = """x at 1 = 0; y at 2 = 0
thread P: r := x; if r = 0 goto E; y := 1; E: skip;
thread Q: s := y; c := cas(x, 0, 1); a := lr(y); b := sc(y, 4);"""
# 0: r := x, branch, y := 1    1: s := y, cas (1, 2), lr 3, sc 4
RF = {(0, 0): (1, 2), (1, 0): (-1, 1), (1, 1): (-1, 0), (1, 3): (-1, 1)}
CO = {1: ((1, 2),), 2: ((0, 2), (1, 4))}


def key_of(rf: dict[tuple[int, int], tuple[int, int]], co: dict[int, object]) -> Key:
    return tuple(sorted(rf.items())), tuple(sorted(co.items()))  # type: ignore[return-value]


def test_the_key_is_what_it_is() -> None:
    data = check_key(program(PROGRAM), model_of(FREE), key_of(RF, CO), Limits(5))
    assert isinstance(data, TraceData)
    assert (data.rf, data.co, data.memory) == (RF, CO, {1: 1, 2: 4})


@pytest.mark.parametrize(
    ("rf", "co", "reason"),
    [
        ({(0, 0): (-1, 0)}, {}, "does not happen"),  # then the branch skips the store
        ({(0, 0): (-1, 0)}, {2: ((1, 4),)}, ""),
        ({(1, 3): (1, 2)}, {}, "another location"),
        ({(0, 0): (0, 0)}, {}, "not a store"),
        ({(0, 0): (5, 0)}, {}, "not a store"),
        ({(0, 0): (-1, 2)}, {}, "not a store"),
        ({(0, 7): (-1, 0)}, {}, "does not happen"),
        ({(0, 1): (-1, 0)}, {}, "does not happen"),
        ({}, {2: ((0, 2),)}, ""),
        ({}, {2: ((1, 4),)}, "no place in co"),
        ({(0, 0): (-1, 0)}, {1: (), 2: ((1, 4),)}, "does not store"),
        ({}, {1: ((0, 2),), 2: ((1, 2), (1, 4))}, "another location"),
        ({}, {1: ((1, 2), (1, 2))}, "twice"),
        ({}, {3: ((1, 2),), 1: ()}, "not a location"),
        ({(1, 1): (1, 4)}, {}, "having read 4"),
        ({(1, 1): (1, 2)}, {}, "having read 1"),
        ({(1, 0): None}, {}, "no source"),
    ],
)
def test_wrong_keys(rf: dict, co: dict, reason: str) -> None:  # type: ignore[type-arg]
    """`rf` and `co` are changes to the key; None takes a load out."""
    sources = {load: source for load, source in {**RF, **rf}.items() if source is not None}
    found = check_key(program(PROGRAM), model_of(FREE), key_of(sources, {**CO, **co}), Limits(5))
    if reason:
        assert isinstance(found, Refusal)
        assert reason in found.reason
        assert found.axiom is None
    else:
        assert isinstance(found, TraceData)


def test_circular_values_are_refused() -> None:
    source = program("x at 1 = 0; y at 2 = 0 thread P: r := x; y := r; thread Q: r := y; x := r;")
    key = key_of({(0, 0): (1, 1), (1, 0): (0, 1)}, {1: ((1, 1),), 2: ((0, 1),)})
    found = check_key(source, model_of(FREE), key, Limits(5))
    assert isinstance(found, Refusal)
    assert "circle" in found.reason


def test_a_run_may_stop_short_where_another_thread_erred() -> None:
    text = "x at 1 = 9; y at 2 = 0 thread P: a := x; b := [a]; thread Q: y := 1; y := 2;"
    found = check_key(
        program(text), model("sc"), key_of({(0, 0): (-1, 0)}, {2: ((1, 0),)}), Limits(5)
    )
    assert isinstance(found, TraceData)
    assert found.status is Status.ERROR
    assert "address 9" in found.error


def test_loops_replay_within_their_bound() -> None:
    source = program("x at 1 = 0 thread P: L: r := x; if r = 0 goto L; thread Q: x := 1;")
    key = key_of({(0, 0): (-1, 0), (0, 2): (-1, 0), (0, 4): (1, 0)}, {1: ((1, 0),)})
    found = check_key(source, model("sc"), key, Limits(2))
    assert isinstance(found, TraceData) and found.status is Status.COMPLETE
    assert isinstance(check_key(source, model("sc"), key, Limits(1)), Refusal)


@pytest.mark.parametrize("seed", range(50))
def test_random_programs_agree_with_judging_every_candidate(seed: int) -> None:
    """What the engine finds under a model is what is left of all candidates when each is judged
    whole."""
    text = random_program(seed)
    source = program(text)
    free = Enumerate()
    candidates = []
    for trace in free.explore(source, model_of(FREE), Limits(1)):
        candidates.append((trace.key(), trace.data()))
        if len(candidates) > 1500:
            pytest.skip("too many candidates")
    for under in (model("power"), model("sc"), model_of(COHERENT)):
        allowed = {key for key, data in candidates if judge(data, under) is None}
        traces, _ = explore(text, under, unroll=1)
        assert {trace.key() for trace in traces} == allowed


STRAIGHT = [
    "x at 1 = 0; y at 2 = 0 thread P: r := x; y := r + 1; thread Q: s := y; [1 + (s & 1)] := 2;",
    (
        "x at 1 = 0; y at 2 = 0 thread P: r := cas(x, 0, 1); s := xchg(y, r); "
        "thread Q: t := x; x := 1;"
    ),
    "x at 1 = 0; y at 2 = 0 thread P: r := lr(x); s := sc(x, 1); y := s; thread Q: x := 2; t := y;",
    (
        "x at 1 = 0; y at 2 = 1 thread P: r := y; s := faa([1 + (r & 1)], 1); "
        "thread Q: y := 0; x := 1;"
    ),
]


@pytest.mark.parametrize("text", STRAIGHT)
def test_all_keys_that_run_are_found(text: str) -> None:
    """Every rf and co over the events that there may be is given to the checker; those accepted are
    the engine's traces."""
    source = program(text)
    traces, _ = explore(text, model_of(FREE))
    loads = sorted({load for trace in traces for load, _ in trace.key()[0]})
    stores = sorted({s for t in traces for _, order in t.key()[1] for s in order})
    initial = [(-1, i) for i in range(len(source.locations))]
    keys = set()
    for sources in product([*initial, *stores], repeat=len(loads)):
        for homes in product([None, 1, 2], repeat=len(stores)):
            for order in permutations(range(len(stores))):
                co = {
                    home: tuple(stores[i] for i in order if homes[i] == home)
                    for home in (1, 2)
                    if home in homes
                }
                key = key_of(dict(zip(loads, sources, strict=True)), co)
                keys.add(key)
    assert len(keys) > 10 * len(traces)
    accepted = {
        k for k in keys if isinstance(check_key(source, model_of(FREE), k, Limits(5)), TraceData)
    }
    assert accepted == {trace.key() for trace in traces}
