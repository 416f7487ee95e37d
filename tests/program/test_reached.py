"""Which locations the accesses of a program may go to."""

from __future__ import annotations

import pytest
from support import program

# text, and the names of the locations that are reached
CASES = {
    "constants": ("x = 0 y = 0 z = 0 thread P: r := x; y := r;", "x y"),
    "a condition does not touch": ("x = 0 y = 0 thread P: x := 1; exists (y = 0)", "x"),
    "dependency": ("x = 0 y = 0 z = 0 thread P: r := x; s := [&y + (r ^ r)];", "x y"),
    "difference": ("x = 0 y = 0 z = 0 thread P: r := x; s := [&y + (r - r)];", "x y"),
    "masked": ("x = 0 y = 0 z = 0 thread P: r := x; s := [&y + (r & 0)];", "x y"),
    "two registers": ("x = 0 y = 0 z = 0 thread P: r := x; q := r; s := [&y + (r ^ q)];", "x y"),
    "pointer": ("p = &y x = 0 y = 0 z = 0 thread P: r := p; [r] := 1; x := 1;", "p x y"),
    "pointer stored": (
        "p = 0 x = 0 y = 0 z = 0 thread P: p := &z; thread Q: r := p; [r] := 1;",
        "p z",
    ),
    "pointer exchanged": (
        "p = &x x = 0 y = 0 z = 0 thread P: a := xchg(p, &y); thread Q: r := p; [r] := 1;",
        "p x y",
    ),
    "pointer added to, any number of times": (
        "p = 0 x = 0 y = 0 thread P: a := fetch_add(p, &y); thread Q: r := p; [r] := 1;",
        "p x y",
    ),
    "pointer by cas": (
        "p = 0 x = 0 y = 0 thread P: a := cas(p, 0, &y); thread Q: r := p; [r] := 1;",
        "p y",
    ),
    "pointer by sc": (
        "p = 0 x = 0 y = 0 thread P: a := lr(p); b := sc(p, &y); thread Q: r := p; [r] := 1;",
        "p y",
    ),
    "status as address": (
        "p = 0 x = 0 y = 0 thread P: a := lr(p); b := sc(p, 1); [&y + 0 * b] := 1;",
        "p y",
    ),
    "selected": (
        "x = 0 y = 0 z = 0 thread P: a := x; r := select(a = 0, &y, &z); [r] := 1;",
        "x y z",
    ),
    "a loop counts beyond all bounds": (
        "x = 0 y = 0 z = 0 thread P: L: r := r + 8; a := x; if a = 0 goto L; [r] := 1;",
        "x y z",
    ),
    "nothing": ("x = 0 y = 0 thread P: fence @sc;", ""),
}


@pytest.mark.parametrize("case", CASES)
def test_reached(case: str) -> None:
    text, names = CASES[case]
    source = program(text)
    assert " ".join(source.locations[index].name for index in source.reached) == names
