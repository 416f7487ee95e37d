"""ARMv7's model on small programs, under enumerate and under bmc; and where it differs from
Power's."""

from __future__ import annotations

import pytest
from support import answer, model, program

from hybrid.engine.api import Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.report.summary import summarise
from hybrid.verdict import Verdict


def mp(writer: str, reader: str, more: str = "") -> str:
    return f"""x = 0; y = 0; z = 0 thread P: {writer} thread Q: {reader}
        exists (Q:r0 = 1 /\\ Q:r1 = 0{more})"""


def sb(between: str) -> str:
    return f"""x = 0; y = 0; z = 0
        thread P: x := 1; {between}; r := y; thread Q: y := 1; {between}; r := x;
        exists (P:r = 0 /\\ Q:r = 0)"""


def lb(code: str, more: str = "") -> str:
    return f"""x = 0; y = 0; z = 0 thread P: {code} thread Q: r := y; dmb; x := 1;
        exists (P:r = 1 /\\ Q:r = 1{more})"""


def two_two_w(between: str) -> str:
    return f"""x = 0; y = 0
        thread P: x := 2; {between}; y := 1; thread Q: y := 2; {between}; x := 1;
        exists (x = 2 /\\ y = 2)"""


def iriw(between: str, address: str = "") -> str:
    one = f"a := x; {between}; b := [&y + ({address or 'a ^ a'})];"
    two = f"a := y; {between}; b := [&x + ({address or 'a ^ a'})];"
    return f"""x = 0; y = 0 thread P: x := 1; thread Q: y := 1; thread R: {one} thread S: {two}
        exists (R:a = 1 /\\ R:b = 0 /\\ S:a = 1 /\\ S:b = 0)"""


W = "x := 1; dmb; y := 1;"
# a load, and a store of the same location behind it
EARLY = "r0 := y; y := 2; b := y; if b = 9 goto L; L: isb; r1 := x;"

FORBIDDEN = {
    "SB with dmb": sb("dmb"),
    "SB with dsb": sb("dsb"),
    "SB with fences of other machines": sb("sync"),
    "2+2W with dmb": two_two_w("dmb"),
    "2+2W with dmb.st": two_two_w("dmb.st"),
    "2+2W with dsb.st": two_two_w("dsb.st"),
    "IRIW with dmb": iriw("dmb", "0"),
    "MP with dmb and an address": mp(W, "r0 := y; r1 := [&x + (r0 ^ r0)];"),
    "MP with dmb.st and an address": mp("x := 1; dmb.st; y := 1;",
        "r0 := y; r1 := [&x + (r0 ^ r0)];"),
    "MP with dmb, control and isb": mp(W, "r0 := y; if r0 = 9 goto L; L: isb; r1 := x;"),
    "MP, data and a read of it": mp(
        W, "r0 := y; z := r0; b := z; r1 := [&x + (b ^ b)];", " /\\ Q:b = 1"
    ),
    "MP, loads of one location that read different stores": mp(
        W,
        "r0 := y; a := [&z + (r0 ^ r0)]; b := z; r1 := [&x + (b ^ b)]; thread R: z := 1;",
        " /\\ Q:a = 0 /\\ Q:b = 1",
    ),
    "LB with data": lb("r := x; y := r;"),
    "LB with an address": lb("r := x; [&y + (r ^ r)] := 1;"),
    "LB with control": lb("r := x; if r = 9 goto L; L: y := 1;"),
    "LB with an address and a store behind": lb("r := x; s := [&z + (r ^ r)]; y := 1;"),
    "WRC with dmb and an address": """x = 0; y = 0 thread P: x := 1; thread Q: a := x; dmb; y := 1;
        thread R: b := y; c := [&x + (b ^ b)]; exists (Q:a = 1 /\\ R:b = 1 /\\ R:c = 0)""",
    "CoRR": "x = 0 thread P: x := 1; thread Q: a := x; b := x; exists (Q:a = 1 /\\ Q:b = 0)",
    "two exclusive pairs read the same": """x = 0
        thread P: a := lr(x); s := sc(x, 1); thread Q: a := lr(x); s := sc(x, 2);
        exists (P:s = 0 /\\ Q:s = 0 /\\ P:a = Q:a)""",
}  # fmt: skip

ALLOWED = {
    "SB": sb("skip"),
    "SB with dmb.st": sb("dmb.st"),
    "SB with dsb.st": sb("dsb.st"),
    "SB with isb": sb("isb"),
    "SB with lwsync": sb("lwsync"),
    "MP": mp("x := 1; y := 1;", "r0 := y; dmb; r1 := x;"),
    "MP with ordered stores": mp(W, "r0 := y; r1 := x;"),
    "MP with dmb.st between the loads": mp(W, "r0 := y; dmb.st; r1 := x;"),
    "MP with isb between the loads": mp(W, "r0 := y; isb; r1 := x;"),
    "MP with control": mp(W, "r0 := y; if r0 = 9 goto L; L: r1 := x;"),
    "MP, control and a read of a store behind": mp(
        W, "r0 := y; if r0 = 9 goto L; L: z := 1; b := z; r1 := [&x + (b ^ b)];"
    ),
    "LB": lb("r := x; y := 1;"),
    "IRIW with addresses": iriw("skip"),
    "WRC without fences": """x = 0; y = 0 thread P: x := 1; thread Q: a := x; y := a;
        thread R: b := y; c := [&x + (b ^ b)]; exists (Q:a = 1 /\\ R:b = 1 /\\ R:c = 0)""",
    # po-loc is not in cc0: what Power forbids
    "MP, a store of the same location between": mp(W, EARLY, " /\\ Q:b = 2"),
    "LB, a store of the same location between": lb(
        "r := x; x := 3; b := x; if b = 9 goto L; L: y := 1;", " /\\ P:b = 3"
    ),
}  # fmt: skip

WEAKER_THAN_POWER = [name for name in ALLOWED if "of the same location between" in name]


@pytest.mark.parametrize("name", [*FORBIDDEN, *ALLOWED])
def test_litmus(name: str) -> None:
    text = FORBIDDEN.get(name) or ALLOWED[name]
    expected = Verdict.FORBIDDEN if name in FORBIDDEN else Verdict.ALLOWED
    under, parsed = model("armv7"), program(text)
    assert summarise(parsed, under, Enumerate(), Limits()).answer is expected
    assert answer(parsed, under, Limits()).answer is expected


@pytest.mark.parametrize("name", WEAKER_THAN_POWER)
def test_power_commits_accesses_of_one_location_in_order(name: str) -> None:
    text = ALLOWED[name].replace("dmb", "sync").replace("isb", "isync")
    assert (
        summarise(program(text), model("power"), Enumerate(), Limits()).answer is Verdict.FORBIDDEN
    )
