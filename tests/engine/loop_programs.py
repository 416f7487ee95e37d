"""Programs with loops: by hand, each with the number of runs that it has, and at random."""

from __future__ import annotations

from random import Random

# name: program, complete runs, cut runs, where they are cut; with --unroll 3 and --max-steps 60
LOOPS: dict[str, tuple[str, int, int, set[tuple[str, str]]]] = {
    "do-while on a constant": (
        "x = 0 thread P: i := 10; L: x := i; i := i - 1; J: if i != 0 goto L; thread Q: r := x;",
        11,
        0,
        set(),
    ),
    "while on a constant, goto back": (
        (
            "x = 0 thread P: L: if i = 8 goto E; x := i; i := i + 1; goto L; E: x := 9; "
            "thread Q: r := x;"
        ),
        10,
        0,
        set(),
    ),
    "constant loop in one that waits": (
        (
            "x = 0 thread P: A: i := 8; L: i := i - 1; if i != 0 goto L; r := x; "
            "J: if r = 0 goto A; thread Q: x := 1;"
        ),
        3,
        1,
        {("L", "max-steps")},
    ),
    "short constant loop in one that waits": (
        (
            "x = 0 thread P: A: i := 2; L: i := i - 1; if i != 0 goto L; r := x; "
            "J: if r = 0 goto A; thread Q: x := 1;"
        ),
        4,
        1,
        {("J", "unroll")},
    ),
    "loop that waits in a constant one": (
        (
            "x = 0 thread P: i := 4; A: L: r := x; J: if r = 0 goto L; i := i - 1; "
            "if i != 0 goto L; thread Q: x := 1;"
        ),
        4,
        1,
        {("J", "unroll")},
    ),
    "endless, no events": (
        "x = 0 thread P: L: if 1 goto L; thread Q: x := 1;",
        0,
        1,
        {("L", "max-steps")},
    ),
    "endless counting, no events": (
        "x = 0 thread P: L: i := i + 1; J: if i != 0 goto L; thread Q: x := 1;",
        0,
        1,
        {("L", "max-steps")},
    ),
    "endless counting with events": (
        "x = 0 thread P: L: i := i + 1; mfence; J: if i != 0 goto L; thread Q: x := 1;",
        0,
        1,
        {("L", "max-steps")},
    ),
    "endless with a store, no exit": (
        "x = 0 thread P: L: x := 1; J: goto L; thread Q: r := x;",
        0,
        5,
        {("J", "unroll")},
    ),
    "endless with a store, on a constant that stays": (
        "x = 0 thread P: f := 1; L: x := 1; J: if f goto L; thread Q: r := x;",
        0,
        6,
        {("J", "unroll")},
    ),
    "a branch on memory inside": (
        (
            "x = 0 y = 0 thread P: i := 4; L: r := x; if r goto A; i := i - 1; A: i := i - 1; "
            "if i > 0 goto L; y := i; thread Q: x := 1;"
        ),
        3,
        0,
        set(),
    ),
    "constants that a branch on memory chose": (
        (
            "x = 0 y = 0 thread P: r := x; if r goto A; i := 7; goto M; A: i := 6; M: y := 9; "
            "L: y := i; i := i - 1; if i > 0 goto L; thread Q: x := 1;"
        ),
        2,
        0,
        set(),
    ),
    "a false dependency is one": (
        "x = 0 thread P: r := x; i := r ^ r; L: i := i + 1; J: if i < 9 goto L; thread Q: x := 1;",
        0,
        2,
        {("J", "unroll")},
    ),
    "a constant bound and a way out that memory decides": (
        (
            "x = 0 thread P: i := 9; L: r := x; if r = 1 goto E; i := i - 1; "
            "J: if i != 0 goto L; E: x := 2; thread Q: x := 1;"
        ),
        4,
        1,
        {("J", "unroll")},
    ),
    "an await inside": (
        "x = 0 thread P: i := 7; L: await(x = 1); i := i - 1; if i goto L; thread Q: x := 1;",
        1,
        0,
        set(),
    ),
    "an assume inside": (
        (
            "x = 0 thread P: i := 7; L: r := x; assume r = 0; i := i - 1; if i goto L; "
            "thread Q: x := 1;"
        ),
        1,
        0,
        set(),
    ),
    "a status is of memory, though it depends on no load": (
        "x = 0 thread P: L: r := lr(x); s := sc(x, 1); J: if s goto L;",
        4,
        1,
        {("J", "unroll")},
    ),
    "asserts inside": (
        (
            "x = 0 thread P: i := 7; L: i := i - 1; A: assert i != 3; r := x; "
            "B: assert r != 1; if i goto L; thread Q: x := 1;"
        ),
        8,
        0,
        set(),
    ),
    "a register that is a constant on one way only": (
        (
            "x = 0 y = 0 thread P: r := x; if r goto A; s := y; goto M; A: s := 0; M: i := 3; "
            "L: if s goto N; y := 1; N: i := i - 1; if i goto L; thread Q: x := 1;"
        ),
        2,
        0,
        set(),
    ),
    "two jumps to one head": (
        (
            "x = 0 thread P: i := 6; L: i := i - 1; x := i; if i > 3 goto L; if i > 0 goto L; "
            "thread Q: r := x;"
        ),
        7,
        0,
        set(),
    ),
    "into the middle of a loop": (
        (
            "x = 0 thread P: i := 5; goto M; L: x := i; M: i := i - 1; if i > 0 goto L; "
            "thread Q: r := x;"
        ),
        5,
        0,
        set(),
    ),
}


def random_loops(rng: Random) -> str:
    """A thread of constants, loads and stores, with jumps anywhere, beside one that stores."""
    size = rng.randint(3, 8)
    code = []
    for at in range(size):
        register = rng.choice("ijr")
        other = rng.choice("ijr")
        code.append(
            f"P{at}: "
            + rng.choice(
                [
                    f"{register} := {rng.randint(0, 3)};",
                    f"{register} := {other} + {rng.choice((1, 1, 2, -1))};",
                    f"{register} := {other} + {rng.choice((1, 1, 2, -1))};",
                    f"{register} := x;",
                    f"y := {register};",
                    f"assert {register} != 2;",
                    f"{register} := cas(y, {rng.randint(0, 1)}, {register});",
                    f"if {register} < {rng.randint(0, 4)} goto P{rng.randint(0, size)};",
                    f"if {register} != {rng.randint(0, 4)} goto P{rng.randint(0, size)};",
                    (
                        f"if {register} {rng.choice(('<', '!=', '='))} {rng.randint(0, 4)} "
                        f"goto P{rng.randint(0, at)};"
                    ),
                    f"goto P{rng.randint(0, at)};" if rng.random() < 0.3 else f"y := {at};",
                ]
            )
        )
    return (
        f"x = 0 y = 0 thread P: {' '.join(code)} P{size}: i := i; goto E; j := j; r := r; "
        f"E: i := i; thread Q: x := 1;"
    )
