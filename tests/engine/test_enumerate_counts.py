"""How many traces: the figures of the RSMC and TruSt papers, and verdicts of classic tests."""

from __future__ import annotations

from math import comb, factorial

import pytest
from enumerate_helpers import FREE, count, model, model_of, outcomes

FIG_2 = """
x = 0; y = 0
thread P: L0: r0 := x; L1: y := r0 + 1;
thread Q: L2: r1 := y; L3: x := 1;
exists (P:r0 = 1 /\\ Q:r1 = 2)
"""


def test_rsmc_figure_2() -> None:
    assert count(FIG_2, model("power")) == 4
    assert count(FIG_2, model("sc")) == 3
    assert (1, 2) in outcomes(FIG_2, model("power"))
    assert (1, 2) not in outcomes(FIG_2, model("sc"))


def test_one_load_two_stores() -> None:
    text = "x = 0 thread P: r := x; thread Q: x := 1; thread R: x := 2;"
    assert count(text, model("power")) == 6
    assert count(text, model("sc")) == 6
    assert count(text, model_of(FREE)) == 6


def fig_11(stores: int, fence: str) -> str:
    def thread(name: str, mine: str, other: str) -> str:
        body = "z := 1; " * stores
        return (
            f"thread {name}: {mine} := 1; {fence} r := {other}; "
            f"if r = 1 goto {name}E; {body} {name}E: r := 0;\n"
        )

    return "x = 0; y = 0; z = 0\n" + thread("P", "x", "y") + thread("Q", "y", "x")


@pytest.mark.parametrize("stores", [1, 2, 3])
def test_rsmc_figure_11(stores: int) -> None:
    assert count(fig_11(stores, ""), model("power")) == comb(2 * stores, stores) + 3
    assert count(fig_11(stores, "sync;"), model("power")) == 3


def test_w_w_rr() -> None:
    text = "x = 0; y = 0 thread P: x := 1; thread Q: y := 1; thread R: a := x; b := y;"
    assert count(text, model("sc")) == 4


def lastzero(n: int) -> str:
    text = (
        f"a[{n + 1}] = 0 thread M: i := {n}; L: r := a[i]; if r = 0 goto E; i := i - 1; "
        f"goto L; E: skip;\n"
    )
    return text + "\n".join(
        f"thread T{j}: r := a[{j - 1}]; a[{j}] := r + 1;" for j in range(1, n + 1)
    )


@pytest.mark.parametrize("n", [2, 3, 4])
def test_lastzero(n: int) -> None:
    assert count(lastzero(n), model("sc"), unroll=n) == (n + 3) * 2 ** (n - 2)


@pytest.mark.parametrize("n", [2, 3])
def test_exp_mem(n: int) -> None:
    adders = "\n".join(f"thread T{j}: faa(y, 1);" for j in range(n))
    text = f"x = 0; y = 0 thread A: faa(x, 1);\n{adders} faa(x, 1);"
    assert count(text, model("sc")) == 2 * factorial(n)


def test_address_dependency_to_later_stores() -> None:
    """Of `addr;po` the middle event counts, whatever is known of it."""
    text = """
    x at 2 = 0; y at 3 = 0
    thread T0: r0 := y; r1 := [2 + (r0 & 1)]; x := 1;
    thread T1: x := 1; sync; y := 1;
    """
    # y read as 0: r1 from x: 0, T1's store, in either order with T0's; as 1: r1 from y
    assert count(text, model("power")) == 4


def test_store_to_a_loaded_address() -> None:
    text = """
    x at 2 = 0; z at 4 = 0; y at 5 = 0
    thread T0: r1 := y; [2 + 2 * r1] := 7; x := 1;
    thread T1: r0 := x;
    thread T2: y := 1;
    """
    assert count(text, model("power")) == 5


SB = (
    "x = 0; y = 0 thread P: x := 1; {0} r := y; "
    "thread Q: y := 1; {0} r := x; exists (P:r = 0 /\\ Q:r = 0)"
)
MP = (
    "x = 0; y = 0 thread P: x := 1; {0} y := 1; "
    "thread Q: r := y; {1} s := x; exists (Q:r = 1 /\\ Q:s = 0)"
)
LB = (
    "x = 0; y = 0 thread P: r := x; {0} y := 1; "
    "thread Q: r := y; {0} x := 1; exists (P:r = 1 /\\ Q:r = 1)"
)
IRIW = """x = 0; y = 0 thread P: x := 1; thread Q: y := 1;
thread R: r := x; {0} s := y; thread S: r := y; {0} s := x;
exists (R:r = 1 /\\ R:s = 0 /\\ S:r = 1 /\\ S:s = 0)"""
TWO_TWO_W = (
    "x = 0; y = 0 thread P: x := 1; {0} y := 2; "
    "thread Q: y := 1; {0} x := 2; exists (x = 1 /\\ y = 1)"
)
MP_ADDR = (
    "x = 0; y = 0 thread P: x := 1; {0} y := 1; "
    "thread Q: r := y; s := [&x + (r ^ r)]; exists (Q:r = 1 /\\ Q:s = 0)"
)
MP_CTRL = (
    "x = 0; y = 0 thread P: x := 1; sync; y := 1; "
    "thread Q: r := y; if r = 0 goto E; {0} s := x; E: skip; exists (Q:r = 1 /\\ Q:s = 0)"
)
COHERENCE = "x = 0 thread P: x := 1; x := 2; thread Q: r := x; s := x; exists (Q:r = 2 /\\ Q:s = 1)"
WITNESS = {
    SB: (0, 0),
    MP: (1, 0),
    LB: (1, 1),
    IRIW: (1, 0, 1, 0),
    TWO_TWO_W: (1, 1),
    MP_ADDR: (1, 0),
    MP_CTRL: (1, 0),
    COHERENCE: (2, 1),
}


@pytest.mark.parametrize(
    ("test", "fences", "allowed_by"),
    [
        (SB, ("",), "tso pso power"),
        (SB, ("mfence;",), ""),
        (SB, ("sync;",), ""),
        (SB, ("lwsync;",), "tso pso power"),
        (MP, ("", ""), "pso power"),
        (MP, ("lwsync;", "lwsync;"), ""),
        (MP, ("lwsync;", ""), "power"),
        (MP, ("lwsync;", "isync;"), "power"),
        (MP, ("", "lwsync;"), "pso power"),
        (LB, ("",), "power"),
        (LB, ("lwsync;",), ""),
        (IRIW, ("",), "power"),
        (IRIW, ("lwsync;",), "power"),
        (IRIW, ("sync;",), ""),
        (TWO_TWO_W, ("",), "pso power"),
        (TWO_TWO_W, ("lwsync;",), ""),
        (MP_ADDR, ("lwsync;",), ""),
        (MP_ADDR, ("",), "pso power"),
        (MP_CTRL, ("",), "power"),
        (MP_CTRL, ("isync;",), ""),
        (COHERENCE, (), ""),
    ],
)
@pytest.mark.parametrize("name", ["sc", "tso", "pso", "power"])
def test_litmus(test: str, fences: tuple[str, ...], allowed_by: str, name: str) -> None:
    found = WITNESS[test] in outcomes(test.format(*fences), model(name))
    assert found == (name in allowed_by.split())
