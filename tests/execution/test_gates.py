"""A cas is not guessed under models that order by control dependencies, if a branch on its outcome
is all that follows: no run is given up for it, and no trace is lost."""

from __future__ import annotations

import random

import pytest
from support import keys_of, model, model_of, program

from hybrid.engine.commit_before import CommitBefore
from hybrid.engine.enumerate import Enumerate
from hybrid.engine.rsmc.engine import Rsmc
from hybrid.execution.gates import gates_of

POWER = "power"
BRANCHED = "_, s := cas(x, 0, 1); if s == 0 goto E; y := 1; E: skip;"
# The first load reads what comes of the branch behind it, which the failing cas does not wait for.
AHEAD = """x = 0; y = 0; z = 0
    thread P: a := z; r := cas(x, 0, 1); if r == 0 goto E; y := 1; E: skip;
    thread Q: b := y; z := b;
    thread R: x := 2;
    exists (P:a = 1)"""
FENCED = """x = 0; y = 0; z = 0
    thread P: a := z; w := a; eieio; r := cas(x, 0, 1); if r == 0 goto E; y := 1; E: skip;
    thread Q: b := y; z := b;
    thread R: x := 2;"""


@pytest.mark.parametrize(
    ("code", "gates"),
    [
        (BRANCHED, {0}),
        ("r := cas(x, 0, 1);", {0}),
        ("r := cas(x, 0, 1); a := r + 1; b := a; if b goto E; y := 1; E: skip;", {0}),
        ("r := cas(x, 0, 1); r := 1; if r goto E; y := 1; E: skip;", set()),
        ("a := y; r := cas(x, 0, 1); if a goto E; y := 1; E: skip;", set()),
        ("r := cas(x, 0, 1); y := 1; if r goto E; y := 2; E: skip;", set()),
        ("r := cas(x, 0, 1); sync; if r goto E; y := 1; E: skip;", set()),
        ("r := xchg(x, 1); if r goto E; y := 1; E: skip;", set()),
        ("L: r := cas(x, 0, 1); if r goto L;", {0}),
    ],
)
def test_which_are_gates(code: str, gates: set[int]) -> None:
    assert gates_of(program(f"x = 0; y = 0; thread P: {code}")) == [gates]


def test_models_under_which_they_are_not_guessed() -> None:
    plain, fenced = program(AHEAD), program(f"w = 0; {FENCED}")
    assert CommitBefore.gates_cas(model(POWER), plain)
    assert not CommitBefore.gates_cas(model(POWER), fenced)  # eieio is about stores alone
    for name in ("armv7", "aarch64", "riscv"):
        assert not CommitBefore.gates_cas(model(name), plain)
    free = model_of('include "power.cat"\n(*% commit-before (addr | data | rf | po-loc)+ *)')
    assert not CommitBefore.gates_cas(free, plain)


def test_nothing_is_given_up_for_one() -> None:
    """Each of four threads takes the next free cell of eight; a guess of each failure would cost a
    run."""
    cells = "; ".join(f"c{n} = 0" for n in range(8))
    takers = "".join(
        f"thread T{t}: _, s := cas(c{2 * t}, 0, 1); if s goto E{t}; "
        f"r := cas(c{2 * t + 1}, 0, 1); E{t}: skip;\n"
        for t in range(4)
    )
    keys, counters = keys_of(Rsmc(), f"{cells}\n{takers}", model(POWER))
    assert len(keys) == 1
    assert counters.blocked == 0


def same(text: str) -> int:
    """How many traces rsmc and brute force find."""
    found, counters = keys_of(Rsmc(), text, model(POWER), 2)
    assert counters.stuck == 0
    assert len(found) == len(set(found))
    assert set(found) == set(keys_of(Enumerate(), text, model(POWER), 2)[0]), text
    return len(found)


def test_a_failing_cas_may_come_before_an_earlier_load() -> None:
    assert any(dict(key[0])[(0, 0)] == (1, 1) for key in keys_of(Rsmc(), AHEAD, model(POWER))[0])
    same(AHEAD)
    same(f"w = 0; {FENCED}")


PIECES = (
    "{x} := {n};",
    "r{i} := {x};",
    "r{i} := {x}; {y} := r{i} + 1;",
    "r{i} := {x}; s{i} := [&{y} + (r{i} ^ r{i})];",
    "sync;",
    "lwsync;",
    "eieio;",
    "r{i} := cas({x}, {m}, {n}); if r{i} == {m} goto E{p}{i}; {y} := {n}; E{p}{i}: skip;",
    "_, s{i} := cas({x}, {m}, {n}); if s{i} == 0 goto E{p}{i}; r{i} := {y}; E{p}{i}: skip;",
    "L{p}{i}: _, s{i} := cas({x}, {m}, {n}); if s{i} == 0 goto L{p}{i};",
)


def random_text(seed: int) -> str:
    rng = random.Random(seed)
    threads = []
    size = rng.randint(2, 3)
    for name in "PQR"[:size]:
        pieces = []
        for i in range(rng.randint(1, 5 - size)):
            x, y = rng.sample("xyz", 2)
            n, m = rng.randint(1, 2), rng.randint(0, 2)
            pieces.append(rng.choice(PIECES).format(p=name, i=i, x=x, y=y, n=n, m=m))
        threads.append(f"thread {name}: {' '.join(pieces)}")
    return "x = 0; y = 0; z = 0\n" + "\n".join(threads)


@pytest.mark.large
def test_random_programs() -> None:
    texts = [random_text(seed) for seed in range(150)]
    gated = [text for text in texts if any(gates_of(program(text)))]
    assert len(gated) > 60
    assert sum(map(same, gated)) > 150
