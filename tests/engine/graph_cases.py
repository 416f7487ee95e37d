"""Programs for the explorers of graphs, with their numbers of traces under sc, and what each
explorer must say of them."""

from __future__ import annotations

from math import factorial

from support import keys_of, model, program
from test_engines import AWAIT, CAS, LOCKS, RWW, WWRR, exp_mem, lastzero

from hybrid.crosscheck.compare import Comparison, compare
from hybrid.crosscheck.random_programs import Shape, random_program
from hybrid.engine.api import Engine, Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.execution.trace import Status
from hybrid.program.program import Program

MODELS = ("sc", "tso", "pso", "ra", "rc11")

# Under sc, Q's second store cannot come first as long as P reads y = 0; but P is to read R's.
MENDED = (
    "x = 0 y = 0 thread P: x := 1; q := y; thread Q: y := 1; x := 2; "
    "thread R: y := 3; locations [P:q; x;]"
)
# W revisits the rmw, whose store is new then and goes to the load.
IN_TURN = "x = 0 thread P: r := x; thread Q: _ := faa(x, 1); thread R: x := 5; locations [P:r; x;]"
# The place of x := 3 before x := 1 must not stand in the way of a revisit of q.
PLACES = (
    "x = 0 y = 0 thread P: x := 1; thread Q: q := y; x := 2; thread R: x := 3; thread S: y := 1;"
)
WEAK = "x = 0 thread P: r := cas_weak(x, 0, 1); thread Q: r := cas_weak(x, 0, 2); thread R: s := x;"
EXCLUSIVE = (
    "x = 0 thread P: r := lr(x); s := sc(x, 1); thread Q: t := lr(x); u := sc(x, 2); "
    "thread R: x := 3;"
)
MESSAGE = (
    "x = 0 y = 0 thread P: r := await(y = 1); s := x; thread Q: x := 1; y := 1; thread R: y := 2;"
)


def writers(n: int) -> str:
    """One reader and n writers."""
    return "x = 0 thread P: r := x; " + "".join(f"thread W{i}: x := {i}; " for i in range(1, n + 1))


COUNTS = [
    ("W+W+RR", WWRR, 4),
    ("R+W+W", RWW, 6),
    *((f"one reader, {n} writers", writers(n), factorial(n + 1)) for n in range(2, 6)),
    *((f"lastzero({n})", lastzero(n), (n + 3) * 2 ** (n - 2)) for n in (2, 3, 7)),
    *((f"exp-mem({n})", exp_mem(n), 2 * factorial(n)) for n in (2, 3, 5)),
    ("two locks", LOCKS, 2),
    ("await passed by", AWAIT, 3),
    ("cas passed by", CAS, 5),
]

LARGE = [("lastzero(10)", lastzero(10), 3328), ("exp-mem(6)", exp_mem(6), 1440)]

OTHERS = {
    "mended by a revisit": MENDED,
    "revisits in turn": IN_TURN,
    "places in coherence": PLACES,
    "exclusives": EXCLUSIVE,
    "a cas that may fail": WEAK,
    "a cas with its own order on failure": WEAK.replace(
        "cas_weak(x, 0, 2)", "cas(x, 0, 2) @sc @fail.rlx"
    ),
    "an await": MESSAGE,
    "a lock and a reader": f"{LOCKS} thread R: r := l;",
}

# ends of runs: text, how they end
ENDS = [
    ("await(x = 7);", Status.WAITING),
    ("assume r = 0;", Status.BLOCKED),
    ("L: s := y; if s = 0 goto L;", Status.CUT),
    ("[r + 70] := 1;", Status.ERROR),
    ("", Status.COMPLETE),
]


def check_count(engine: Engine, text: str, count: int) -> None:
    keys, counters = keys_of(engine, text, model("sc"), 16)
    assert len(keys) == len(set(keys)) == counters.complete == count
    assert counters.stuck == counters.cut == counters.errors == 0


def against_enumerate(engine: Engine, source: Program, name: str, unroll: int = 2) -> Comparison:
    return compare(
        source, model(name), [("enumerate", Enumerate()), (engine.name, engine)], Limits(unroll)
    )


def check_random(engine: Engine, name: str, seed: int, count: int) -> None:
    """Equal to enumerate on random programs, which have rmws, exclusives, awaits and branches."""
    for number in range(count):
        source = random_program(seed, number, Shape(candidates=800))
        result = against_enumerate(engine, source, name)
        assert result.agree, f"{source.name}: {result.differences[0]}"


def check_end(engine: Engine, after: str, status: Status) -> None:
    text = f"x = 0 y = 0 thread P: r := x; A: assert r = 0; {after} thread Q: x := 1;"
    traces = list(engine.explore(program(text), model("tso"), Limits(unroll=1)))
    assert {t.status for t in traces if t.failed} == {status}
    assert {t.failed for t in traces} <= {(), ("A",)}


def check_deep(engine: Engine) -> None:
    """Longer than Python's stack is high."""
    text = f"x = 0 thread P: {'x := 1; ' * 1100}"
    [trace] = engine.explore(program(text), model("sc"), Limits())
    assert len(trace.key()[1][0][1]) == 1100
