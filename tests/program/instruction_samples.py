"""A program around each kind of instruction: the one labelled L is the sample."""

from __future__ import annotations

from hybrid.program import instructions as ins

_OTHER = "thread Q: M0: x := 1; M1: y := 1;\n"

# In each, everything that the sample may do can happen: it reads, writes, jumps, fails.
CODE: dict[type[ins.Instruction], tuple[str, ...]] = {
    ins.Assign: ("P0: r0 := x; L: r1 := r0 + 1; P1: y := r1",),
    ins.Select: ("P0: r0 := x; L: r1 := select(r0 = 1, r0, &y); P1: y := r1",),
    ins.Load: (
        "L: r0 := x",
        "P0: r1 := x; L: _ := [&y + (r1 ^ r1)] @acq; P1: x := r1",
        "P0: r1 := x; L: r0 := await(y = r1); P1: x := r0",
        "P0: r1 := x; L: r0 := await(y satisfies (_ & 1) = 0 || _ = r1 + 1); P1: x := r0",
        "P0: r1 := x; L: r0 := await(y = 0) while (x = r1); P1: x := r0",
        "L: r0 := lr(x); P0: s := sc(x, r0)",
    ),
    ins.Store: ("L: x := 2", "P0: r0 := x; L: [&y + (r0 ^ r0)] := r0 @rel"),
    ins.Rmw: (
        "L: r0 := xchg(x, 2)",
        "P0: r1 := y; L: r0 := fetch_add8(x, r1) @acqrel",
        "P0: r1 := y; L: r0, s := cas_weak(x, r1, r1 + 2) @acqrel @fail.acq; P1: y := s",
        "P0: r1 := y; L: r0 := xchgawait(x = r1, := 2)",
        "P0: r1 := y; L: r0 := xchgawait(x satisfies (_ ^ 1) = r1, := 2) while (y = r1)",
    ),
    ins.StoreConditional: (
        "P0: r0 := lr(x); L: s := sc(x, r0 + 1) @rel; P1: y := s",
        "P0: r0 := lr(x); L: stx(x, 3)",
        "P0: r0 := lr(x); L: s := sc_store(x, r0); P1: y := s",
    ),
    ins.Fence: ("P0: x := 2; L: sync; P1: r0 := y", "P0: x := 2; L: fence @sc; P1: r0 := y"),
    ins.Branch: (
        "P0: r0 := x; L: if r0 = 1 goto P2; P1: y := 2; P2: r1 := y",
        "P0: r0 := x; L: if r0 = 0 goto P0; P1: y := 2",
    ),
    ins.Goto: ("P0: r0 := x; P1: if r0 goto P3; L: goto P4; P3: y := 2; P4: r1 := y",),
    ins.Assume: (
        "P0: r0 := x; L: assume r0 = 1; P1: r1 := y",
        "P0: r0 := x; L: assume r0 = 1 else wait; P1: r1 := y",
        "P0: r0 := x; L: assume r0 = 1 else wait while (x = r0); P1: r1 := y",
    ),
    ins.Assert: ("P0: r0 := x; L: assert r0 = 1; P1: r1 := y",),
}

SAMPLES: list[tuple[type[ins.Instruction], str]] = [
    (kind, f"x = 0; y = 0\nthread P: {code};\n{_OTHER}")
    for kind, codes in CODE.items()
    for code in codes
]
