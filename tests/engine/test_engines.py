"""What every engine must say, whatever it does inside: the same suite for each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from support import keys_of, model, program

from hybrid.engine.api import Engine, Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.engine.rsmc.engine import Rsmc
from hybrid.execution.trace import Status

pytestmark = pytest.mark.sample(2)

ENGINES: dict[str, Callable[[], Engine]] = {
    "enumerate": Enumerate,
    "rsmc/first": Rsmc,
    "rsmc/last": lambda: Rsmc(policy="last"),
    "rsmc/random": lambda: Rsmc(policy="random", seed=3),
}

LB_DATA = """
x = 0 y = 0
thread P: L0: r0 := x; L1: y := r0 + 1;
thread Q: L2: r1 := y; L3: x := 1;
exists (P:r0 = 1 /\\ Q:r1 = 2)
"""
RWW = "x = 0 thread P: L0: r := x; thread Q: L1: x := 1; thread R: L2: x := 2;"
WWRR = "x = 0 y = 0 thread P: x := 1; thread Q: y := 1; thread R: a := x; b := y;"
FIG5 = """
x = 0 y = 0
thread P: L0: r0 := y; L1: x := r0; L2: x := 2;
thread Q: L3: x := 3; L4: sync; L5: y := 1;
"""
# The middle event of addr;po is not committed when x := 1 is considered.
MIDDLE = """
x = 0 y = 0
thread P: r0 := y; r1 := [&x + (&y - &x) * (r0 & 1)]; x := 1;
thread Q: x := 1; sync; y := 1;
"""
# P and Q kept beyond their frame would explore six runs.
STALE = """
x = 0 y = 0 z = 0
thread P: r1 := y; [&x + (&z - &x) * r1] := 7; x := 1;
thread Q: r0 := x;
thread R: y := 1;
"""


def fig11(stores: int, fence: str) -> str:
    text = "x = 0 y = 0 z = 0\n"
    for thread, own, other in (("P", "x", "y"), ("Q", "y", "x")):
        body = "z := 1; " * stores
        text += (
            f"thread {thread}: {own} := 1; {fence} r := {other}; if r = 1 goto {thread}E; "
            f"{body}{thread}E: r := 0;\n"
        )
    return text


def lastzero(n: int) -> str:
    text = f"a[{n + 1}] = 0\nthread R: i := {n}; L: r := a[i]; i := i - 1; if r != 0 goto L;\n"
    return text + "".join(
        f"thread W{j}: r := a[{j - 1}]; a[{j}] := r + 1;\n" for j in range(1, n + 1)
    )


def exp_mem(n: int) -> str:
    text = "x = 0 y = 0\nthread P: faa(x, 1);\n"
    for j in range(1, n + 1):
        last = "faa(x, 1);" if j == n else ""
        text += f"thread T{j}: r := faa(y, 1); {last}\n"
    return text


# Loads that wait: others must be able to go first, as if the load were not there.
LOCKS = "l = 0 thread P: xchgawait(l = 0, := 1); l := 0; thread Q: xchgawait(l = 0, := 1); l := 0;"
AWAIT = "w = 0; x = 0 thread P: w := 1; await(x = 0); thread Q: x := 1; r := w; x := 0;"
CAS = "w = 0; x = 0 thread P: w := 1; _ := cas(x, 0, 5); thread Q: _ := xchg(x, 1); r := w; x := 0;"

COUNTS = [
    ("two locks", LOCKS, "sc", 2),
    ("two locks", LOCKS, "power", 2),
    ("await passed by", AWAIT, "sc", 3),
    ("await passed by", AWAIT, "power", 4),
    ("cas passed by", CAS, "sc", 5),
    ("cas passed by", CAS, "power", 6),
    ("LB+data", LB_DATA, "power", 4),
    ("LB+data", LB_DATA, "sc", 3),
    ("R+W+W", RWW, "power", 6),
    ("R+W+W", RWW, "sc", 6),
    ("W+W+RR", WWRR, "sc", 4),
    ("Fig. 5", FIG5, "power", 4),
    ("middle of addr;po", MIDDLE, "power", 4),
    ("stale templates", STALE, "power", 5),
    ("Fig. 11, 1 store", fig11(1, ""), "power", 5),
    ("Fig. 11, 2 stores", fig11(2, ""), "power", 9),
    ("Fig. 11, 2 stores, syncs", fig11(2, "sync;"), "power", 3),
    ("lastzero(2)", lastzero(2), "sc", 5),
    ("lastzero(3)", lastzero(3), "sc", 12),
    ("exp-mem(2)", exp_mem(2), "sc", 4),
    ("exp-mem(3)", exp_mem(3), "sc", 12),
]


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Engine:
    return ENGINES[request.param]()


@pytest.mark.parametrize(
    ("text", "under", "count"), [c[1:] for c in COUNTS], ids=[f"{c[0]}-{c[2]}" for c in COUNTS]
)
def test_numbers_of_traces(engine: Engine, text: str, under: str, count: int) -> None:
    keys, counters = keys_of(engine, text, model(under))
    assert len(keys) == len(set(keys)) == count
    assert counters.complete == count
    assert counters.stuck == 0


def outcomes(engine: Engine, text: str, under: str, unroll: int = 5) -> Counter[tuple[int, ...]]:
    source = program(text)
    return Counter(
        trace.outcome(source.terms)
        for trace in engine.explore(source, model(under), Limits(unroll))
        if trace.status is Status.COMPLETE
    )


OUTCOMES = [
    (
        "a read-modify-write takes its operands before it reads",
        """
        x = 0 y = 0 z = 0
        thread P: r0 := y; r1 := xchg(x, r0); z := r1;
        thread Q: r2 := z; y := r2;
        thread R: x := 1;
        locations [P:r0;]
        """,
        "power",
        {(0,)},
    ),
    (
        "a cas that fails has taken its operands too",
        """
        x = 0 y = 0 z = 0
        thread P: r0 := y; r1 := cas(x, r0 + 1, 5); z := r1;
        thread Q: r2 := z; y := r2;
        thread R: x := 1;
        locations [P:r0;]
        """,
        "power",
        {(0,)},
    ),
    (
        "xchg is atomic",
        "x = 0 thread P: r := xchg(x, 1); thread Q: r := xchg(x, 2); locations [P:r; Q:r; x;]",
        "power",
        {(0, 1, 2), (2, 0, 1)},
    ),
    (
        "a failed cas stores nothing",
        "x = 0 thread P: r := cas(x, 1, 5); thread Q: x := 1; locations [P:r; x;]",
        "sc",
        {(0, 1), (1, 5)},
    ),
    (
        "two cas: one wins",
        "x = 0 thread P: r := cas(x, 0, 1); thread Q: r := cas(x, 0, 2); locations [P:r; Q:r; x;]",
        "power",
        {(0, 1, 1), (2, 0, 2)},
    ),
    (
        "a store-conditional may fail, and does when another store comes between",
        "x = 0 thread P: r := lr(x); s := sc(x, 1); thread Q: x := 2; locations [P:r; P:s; x;]",
        "power",
        {(0, 0, 2), (0, 1, 2), (2, 0, 1), (2, 1, 2)},
    ),
    (
        "a store-conditional without a reservation fails",
        "x = 0 thread P: s := sc(x, 1); locations [P:s; x;]",
        "power",
        {(1, 0)},
    ),
    (
        "a store-conditional to another address fails",
        "x = 0 y = 0 thread P: r := lr(x); s := sc(y, 1); locations [P:s; y;]",
        "power",
        {(1, 0)},
    ),
    (
        "an await happens only with a value that fits",
        "x = 0 thread P: r := await(x > 1); thread Q: x := 1; x := 2; locations [P:r;]",
        "power",
        {(2,)},
    ),
    (
        "assume cuts runs off",
        "x = 0 thread P: r := x; assume r = 1; thread Q: x := 1; locations [P:r;]",
        "tso",
        {(1,)},
    ),
    (
        "a loop ends when it may",
        "x = 0 thread P: L: r := x; if r = 0 goto L; thread Q: x := 1; locations [P:r;]",
        "sc",
        {(1,)},
    ),
    (
        "addresses are values",
        "x = 5 y = &x thread P: r := y; s := [r]; [r] := 7; locations [P:s; x;]",
        "power",
        {(5, 7)},
    ),
    (
        "arithmetic wraps at 64 bits",
        "x = 9223372036854775807 thread P: r := x; s := r + 1; locations [P:s;]",
        "sc",
        {(-(2**63),)},
    ),
]


@pytest.mark.parametrize(
    ("text", "under", "expected"), [o[1:] for o in OUTCOMES], ids=[o[0] for o in OUTCOMES]
)
def test_outcomes(engine: Engine, text: str, under: str, expected: set[tuple[int, ...]]) -> None:
    assert set(outcomes(engine, text, under)) == expected


def test_a_run_at_the_loop_bound_is_cut(engine: Engine) -> None:
    text = "x = 0 thread P: L: r := x; if r = 0 goto L; thread Q: x := 1;"
    traces = list(engine.explore(program(text), model("sc"), Limits(unroll=3)))
    assert engine.counters.cut > 0
    assert {t.status for t in traces} == {Status.COMPLETE, Status.CUT}
    assert engine.counters.complete == 4  # leaves the loop after 0, 1, 2 or 3 more turns


def test_an_access_to_no_location_is_an_error(engine: Engine) -> None:
    text = "x = &x y = 0 thread P: r := x; [r] := 1; y := 1; thread Q: x := 77;"
    traces = list(engine.explore(program(text), model("power"), Limits()))
    errors = [t for t in traces if t.status is Status.ERROR]
    assert errors
    assert "77" in errors[0].data().error
    assert engine.counters.errors == len(errors)
    assert engine.counters.complete == 2


@pytest.mark.parametrize("name", ["power", "sc"])
def test_what_follows_an_await_that_never_ends_does_not_count(engine: Engine, name: str) -> None:
    """Fetching may run ahead of the await, into the loop bound or to a bad address; the thread does
    not."""
    loop = "x = 0 z = 0 thread P: r0 := z; L: r1 := await(x != r0); if r0 = 0 goto L;"
    bad = "x = 0 z = 9 thread P: r0 := z; await(x = 1); [r0] := 1;"
    for text in (loop, bad):
        found = list(engine.explore(program(text), model(name), Limits()))
        assert [trace.status for trace in found] == [Status.WAITING]
        assert engine.counters.cut == engine.counters.errors == engine.counters.stuck == 0


def test_failed_asserts_are_named(engine: Engine) -> None:
    text = "x = 0 thread P: r := x; A: assert r = 0; B: assert r < 2; thread Q: x := 1;"
    traces = list(engine.explore(program(text), model("sc"), Limits()))
    assert sorted(t.failed for t in traces) == [(), ("A",)]


def test_the_trace_is_spelled_out(engine: Engine) -> None:
    found = {
        trace.key(): trace.data()
        for trace in engine.explore(program(LB_DATA), model("power"), Limits())
    }
    data = next(d for d in found.values() if d.rf == {(0, 0): (1, 1), (1, 0): (0, 1)})
    assert data.registers == ({"r0": 1}, {"r1": 2})
    assert [data.memory[place.address] for place in data.program.locations] == [1, 2]
    assert data.data == {((0, 0), (0, 1))}
    assert data.by_id[(0, 1)].value == 2
    assert not data.addr | data.ctrl | data.amo | data.lxsx


def test_engines_spell_traces_out_alike() -> None:
    """Everything but the order of commits, which only an explorer has."""
    text = """
    x = 0 y = 1
    thread P: r0 := x @acq; if r0 = 1 goto L; sync;
    L: r1 := faa(y, r0) @rlx; r2 := [&x + (r1 ^ r1)]; x := r2;
    thread Q: r0 := lr(x); s := sc(x, r0 + 1); if s = 1 goto E; y := 3 @rel; E: r3 := cas(y, 1, 2);
    """
    under = model("power")
    first, *others = (
        {
            trace.key(): trace.data()
            for trace in make().explore(program(text), under, Limits())
            if trace.status is Status.COMPLETE
        }
        for make in ENGINES.values()
    )
    assert len(first) > 10
    for other in others:
        assert other.keys() == first.keys()
        for key, data in first.items():
            for part in ("events", "rf", "co", "addr", "data", "ctrl", "amo", "lxsx", "memory"):
                assert getattr(other[key], part) == getattr(data, part), part
            assert [dict(r) for r in other[key].registers] == [dict(r) for r in data.registers]


@pytest.mark.parametrize(
    ("after", "status"),
    [
        ("await(x = 7);", Status.WAITING),
        ("assume r = 0;", Status.BLOCKED),
        ("L: s := y; if s = 0 goto L;", Status.CUT),
        ("[r + 70] := 1;", Status.ERROR),
        ("", Status.COMPLETE),
    ],
)
def test_an_assert_counts_however_the_run_ends(engine: Engine, after: str, status: Status) -> None:
    text = f"x = 0 y = 0 thread P: r := x; A: assert r = 0; {after} thread Q: x := 1;"
    traces = list(engine.explore(program(text), model("power"), Limits(unroll=1)))
    assert {t.status for t in traces if t.failed} == {status}
    assert {t.failed for t in traces} <= {(), ("A",)}
