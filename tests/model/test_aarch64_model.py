"""The built-in aarch64 on small programs: which outcomes each of its clauses forbids, and that
without the clause's annotation, fence or dependency the same outcome is allowed. `enumerate` and
`bmc` find the same traces."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from support import model, model_of, program

from hybrid.bmc.engine import Bmc
from hybrid.crosscheck.random_programs import Shape, random_program
from hybrid.data import bundled
from hybrid.engine.api import Engine, Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.execution.trace import Key, Status
from hybrid.model.core import Model
from hybrid.program import instructions as ins
from hybrid.program.condition import holds

pytestmark = pytest.mark.sample(3)

WRITER = "x := 1; dmb; y := 1;"  # of message passing, in order
SENDER = "r0 := x; dmb; y := 1;"  # of load buffering, in order


def two(left: str, right: str, condition: str) -> str:
    return f"x = 0; y = 0; z = 0; thread P: {left} thread Q: {right} exists ({condition})"


def mp(reader: str, writer: str = WRITER) -> str:
    """Q reads y into r0 first and x into r1 last."""
    return two(writer, reader, r"Q:r0 = 1 /\ Q:r1 = 0")


def lb(right: str, left: str = SENDER) -> str:
    """Q reads y into r0 first and stores 1 to x last."""
    return two(left, right, r"P:r0 = 1 /\ Q:r0 = 1")


def sb(between: str, store: str = "", load: str = "") -> str:
    left = f"x := 1 {store}; {between} r0 := y {load};"
    right = f"y := 1 {store}; {between} r0 := x {load};"
    return two(left, right, r"P:r0 = 0 /\ Q:r0 = 0")


def two_two_w(between: str, second: str = "") -> str:
    left = f"x := 2; {between} y := 1 {second};"
    right = f"y := 2; {between} x := 1 {second};"
    return two(left, right, r"x = 2 /\ y = 2")


ALLOWED: dict[str, str] = {
    "SB": sb(""),
    "SB, one-way fences": sb("dmb.ld; dmb.st;"),
    "SB, release then acquire-pc": sb("", "@L", "@Q"),
    "SB, dmb.st orders no loads": sb("dmb.st;"),
    "SB, isb": sb("isb;"),
    "MP": mp("r0 := y; r1 := x;", "x := 1; y := 1;"),
    "MP, reader unordered": mp("r0 := y; r1 := x;"),
    "MP, address by selection": mp("r0 := y; r2 := select(r0 = 1, &x, &z); r1 := [r2];"),
    "MP, address by selection, acquire": mp(
        "r0 := y; r2 := select(r0 = 1, &z, &y); r3 := [r2] @A; r1 := x;"
    ),
    "MP, data by selection and forwarding": mp(
        "r0 := y; r2 := select(r0 = 1, 1, 2); z := r2; r3 := z; r1 := [&x + (r3 ^ r3)];"
    ),
    "MP, the other operand is not depended on": mp(
        "r0 := y; r4 := z; r2 := select(r4 = 0, 0, r0 ^ r0); r1 := [&x + r2];"
    ),
    "MP, what a cas compares, and forwarding": mp(
        "r0 := y; r2 := cas(z, r0 ^ r0, 1); r3 := z; r1 := [&x + (r3 ^ r3)];"
    ),
    "MP, the result of a cas that stores": mp("r0 := cas(y, 1, 2); r1 := [&x + (r0 ^ r0)];"),
    "LB, a selection that the store does not depend on": lb(
        "r0 := y; r2 := select(r0 = 1, 1, 2); x := 1;"
    ),
    "LB, data by selection to another store": lb(
        "r0 := y; r2 := select(r0 = 1, 1, 2); z := r2; x := 1;"
    ),
    "LB, data by selection, forwarding and no more": lb(
        "r0 := y; r2 := select(r0 = 1, 1, 2); z := r2; r3 := z; x := 1;"
    ),
    "LB, what a cas that stores compares": lb(
        "r0 := y; r2 := cas(z, r0 ^ r0, 3); [&x + (r2 ^ r2)] := 1;"
    ),
    "MP, writer with dmb.ld": mp("r0 := y @A; r1 := x;", "x := 1; dmb.ld; y := 1;"),
    "MP, reader with dmb.st": mp("r0 := y; dmb.st; r1 := x;"),
    "MP, control to a load": mp("r0 := y; if r0 = 1 goto L; L: r1 := x;"),
    "MP, isb alone": mp("r0 := y; isb; r1 := x;"),
    "MP, release before, not after": mp("r0 := y @A; r1 := x;", "x := 1 @L; y := 1;"),
    "MP, acquire after": mp("r0 := y; r1 := x @A;"),
    "MP, flag read from own store": mp("r := y; y := 2; r0 := y; r1 := [&x + (r0 ^ r0)];").replace(
        "Q:r0 = 1", "Q:r = 1 /\\ Q:r0 = 2"
    ),
    "LB": lb("r0 := y; x := 1;", "r0 := x; y := 1;"),
    "LB, one side": lb("r0 := y; x := 1;"),
    "LB, dmb.st": lb("r0 := y; dmb.st; x := 1;"),
    "2+2W": two_two_w(""),
    "2+2W, dmb.ld": two_two_w("dmb.ld;"),
    "exclusive pair, then plain forwarding": mp(
        "r0 := lr(y); s := sc(y, 2); r2 := y; r1 := [&x + (r2 ^ r2)];"
    ).replace("Q:r0 = 1", "Q:r0 = 1 /\\ Q:s = 0 /\\ Q:r2 = 2"),
    "atomic, acquire: its store is not ordered with what follows": two(
        "xchg(x, 1) @A; r0 := y;", "xchg(y, 1) @A; r0 := x;", r"P:r0 = 0 /\ Q:r0 = 0"
    ),
    "atomic, release: its load is not ordered with what precedes": two(
        "r0 := x; r1 := faa(y, 0) @L;", "x := 1; dmb; y := 1;", r"P:r1 = 1 /\ P:r0 = 0"
    ),
    "operands of an atomic do not order its load": mp("r0 := y; r1 := cas(x, r0 + 5, r0);"),
    "fetch-and-op: its own load is not a dependency into a forwarded store": mp(
        "r0 := faa(y, 1); r2 := y; r1 := [&x + (r2 ^ r2)];"
    ).replace("Q:r0 = 1", "Q:r0 = 1 /\\ Q:r2 = 2"),
    "load without a register is not an acquire-like load for dmb.ld": mp(
        "faa(y, 1) @NoRet; dmb.ld; r1 := x;"
    ).replace("Q:r0 = 1", "y = 2"),
    "atomic that fails is not a release": two(
        "x := 1; r2 := cas(y, 5, 6) @A @L; r0 := z;",
        "z := 1; dmb; r0 := x;",
        r"P:r0 = 0 /\ Q:r0 = 0 /\ P:r2 = 0",
    ),
}

FORBIDDEN: dict[str, str] = {
    "SB, dmb": sb("dmb;"),
    "SB, dsb": sb("dsb;"),
    "SB, dsb.st orders later loads too": sb("dsb.st;"),
    "SB, release then acquire": sb("", "@L", "@A"),
    "MP, acquire": mp("r0 := y @A; r1 := x;"),
    "MP, acquire-pc": mp("r0 := y @Q; r1 := x;"),
    "MP, release": mp("r0 := y @A; r1 := x;", "x := 1; y := 1 @L;"),
    "MP, dmb.st and dmb.ld": mp("r0 := y; dmb.ld; r1 := x;", "x := 1; dmb.st; y := 1;"),
    "MP, dsb.ld": mp("r0 := y; dsb.ld; r1 := x;"),
    "MP, address": mp("r0 := y; r1 := [&x + (r0 ^ r0)];"),
    "MP, control and isb": mp("r0 := y; if r0 = 1 goto L; L: isb; r1 := x;"),
    "MP, address, po and isb": mp("r0 := y; r2 := [&z + (r0 ^ r0)]; isb; r1 := x;"),
    "MP, data and forwarding": mp("r0 := y; z := r0; r2 := z; r1 := [&x + (r2 ^ r2)];").replace(
        "Q:r0 = 1", "Q:r0 = 1 /\\ Q:r2 = 1"
    ),
    "MP, address and forwarding": mp(
        "r0 := y; [&z + (r0 ^ r0)] := 1; r2 := z; r1 := [&x + (r2 ^ r2)];"
    ),
    "MP, the selected operand is depended on": mp(
        "r0 := y; r4 := z; r2 := select(r4 = 1, 0, r0 ^ r0); r1 := [&x + r2];"
    ),
    "MP, the result of a cas that fails": mp("r0 := cas(y, 5, 2); r1 := [&x + (r0 ^ r0)];"),
    "MP, what a cas stores, and forwarding": mp(
        "r0 := y; r2 := cas(z, 0, r0); r3 := z; r1 := [&x + (r3 ^ r3)];"
    ).replace("Q:r0 = 1", "Q:r0 = 1 /\\ Q:r3 = 1"),
    "MP, address by selection, po and isb": mp(
        "r0 := y; r2 := select(r0 = 1, &z, &y); r3 := [r2]; isb; r1 := x;"
    ),
    "MP, control by selection and isb": mp(
        "r0 := y; r2 := select(r0 = 1, 1, 2); if r2 = 1 goto L; L: isb; r1 := x;"
    ),
    "MP, data by selection, forwarding, control and isb": mp(
        "r0 := y; r2 := select(r0 = 1, 1, 2); z := r2; r3 := z; if r3 = 1 goto L; L: isb; r1 := x;"
    ),
    "LB, data by selection": lb("r0 := y; r2 := select(r0 = 1, 1, 2); x := r2;"),
    "LB, data by two selections": lb(
        "r0 := y; r2 := select(r0 = 1, 1, 2); r3 := select(r2 = 1, 1, 2); x := r3;"
    ),
    "LB, address by selection": lb("r0 := y; r2 := select(r0 = 1, &x, &z); [r2] := 1;"),
    "LB, address by selection and po": lb(
        "r0 := y; r2 := select(r0 = 1, &z, &y); r3 := [r2]; x := 1;"
    ),
    "LB, data by selection, forwarding and data": lb(
        "r0 := y; r2 := select(r0 = 1, 1, 2); z := r2; r3 := z; x := (r3 ^ r3) + 1;"
    ),
    "LB, data by selection, forwarding and acquire": lb(
        "r0 := y; r2 := select(r0 = 1, 1, 2); z := r2; r3 := z @A; x := 1;"
    ),
    "LB, what a cas compares": lb("r0 := y; r2 := cas(x, r0 ^ r0, 1);"),
    "LB, the result of a cas that stores": lb("r0 := cas(y, 1, 2); [&x + (r0 ^ r0)] := 1;"),
    "MP, same location": mp("r0 := y; dmb.ld; r1 := x;"),
    "LB, data": lb("r0 := y; x := r0;"),
    "LB, address": lb("r0 := y; [&x + (r0 ^ r0)] := 1;"),
    "LB, control": lb("r0 := y; if r0 = 0 goto L; L: x := 1;"),
    "LB, address and po": lb("r0 := y; r1 := [&z + (r0 ^ r0)]; x := 1;"),
    "LB, data and a later store of the location": lb("r0 := y; x := r0 + 1; x := 1;"),
    "LB, dmb.ld": lb("r0 := y; dmb.ld; x := 1;"),
    "LB, acquire": lb("r0 := y @A; x := 1;"),
    "LB, release": lb("r0 := y; x := 1 @L;"),
    "2+2W, dmb.st": two_two_w("dmb.st;"),
    "2+2W, release": two_two_w("", "@L"),
    "coherence of loads": two("x := 1;", "r0 := x; r1 := x;", r"Q:r0 = 1 /\ Q:r1 = 0"),
    "WRC is multi-copy atomic": (
        "x = 0; y = 0; thread P: x := 1; thread Q: r0 := x; y := r0;"
        "thread S: r1 := y; r2 := [&x + (r1 ^ r1)];"
        r"exists (S:r1 = 1 /\ S:r2 = 0)"
    ),
    "IRIW is multi-copy atomic": (
        "x = 0; y = 0; thread P: x := 1; thread Q: y := 1;"
        "thread S: r1 := x; dmb.ld; r2 := y; thread T: r1 := y; dmb.ld; r2 := x;"
        r"exists (S:r1 = 1 /\ S:r2 = 0 /\ T:r1 = 1 /\ T:r2 = 0)"
    ),
    "exclusive pair, then forwarding to an acquire": mp(
        "r0 := lr(y); s := sc(y, 2); r2 := y @Q; r1 := x;"
    ).replace("Q:r0 = 1", "Q:r0 = 1 /\\ Q:s = 0 /\\ Q:r2 = 2"),
    "exclusive pair orders load before store": lb("r0 := lr(y); s := sc(y, 2); x := 1 @L;"),
    "no store between the events of an atomic": two(
        "r0 := faa(x, 1);", "r0 := faa(x, 1);", r"P:r0 = 0 /\ Q:r0 = 0"
    ),
    "no store between an exclusive pair": two(
        "r0 := lr(x); s := sc(x, 1);",
        "r0 := lr(x); s := sc(x, 2);",
        r"P:r0 = 0 /\ Q:r0 = 0 /\ P:s = 0 /\ Q:s = 0",
    ),
    "atomic, acquire and release: its store is before what follows": two(
        "xchg(x, 1) @A @L; r0 := y;", "xchg(y, 1) @A @L; r0 := x;", r"P:r0 = 0 /\ Q:r0 = 0"
    ),
    "atomic, acquire and release, as a fence": sb("faa(z, 1) @A @L;"),
    "atomic, acquire": mp("r0 := faa(y, 0) @A; r1 := x;"),
    "atomic that fails is an acquire": mp("r0 := cas(y, 5, 6) @A; r1 := x;"),
    "atomic, release": mp("r0 := y @A; r1 := x;", "x := 1; xchg(y, 1) @L;"),
    "operands of an atomic order its store": lb("r0 := y; r1 := xchg(x, r0);"),
    "load with a register, for dmb.ld": mp("r0 := faa(y, 1); dmb.ld; r1 := x;"),
}


@cache
def keys(text: str, which: str) -> tuple[frozenset[Key], bool]:
    """The complete traces, and whether one of them satisfies the condition."""
    source = program(text)
    engine: Engine = Enumerate() if which == "enumerate" else Bmc()
    assert source.condition is not None
    found, satisfied = [], False
    for trace in engine.explore(source, model("aarch64"), Limits()):
        assert trace.status is Status.COMPLETE
        found.append(trace.key())
        satisfied |= holds(source.condition.formula, trace.value_of)
    assert len(set(found)) == len(found)
    return frozenset(found), satisfied


@pytest.mark.parametrize("name", ALLOWED)
def test_allowed(name: str) -> None:
    assert keys(ALLOWED[name], "enumerate")[1]


@pytest.mark.parametrize("name", FORBIDDEN)
def test_forbidden(name: str) -> None:
    assert not keys(FORBIDDEN[name], "enumerate")[1]


@pytest.mark.parametrize("name", [*ALLOWED, *FORBIDDEN])
def test_bmc_agrees(name: str) -> None:
    text = {**ALLOWED, **FORBIDDEN}[name]
    assert keys(text, "bmc") == keys(text, "enumerate")


TEXT = bundled("encodings").joinpath("aarch64.cat").read_text(encoding="utf-8")
CLAUSES = [line for line in TEXT.splitlines() if line.startswith(("  | (", "    (", "    deps"))]


@pytest.mark.parametrize("clause", CLAUSES)
def test_every_clause_counts(clause: str) -> None:
    """Without it, something is allowed that must not be."""
    lead = "  | 0" if clause.startswith("  |") else "    0"
    text = TEXT.replace(f"{clause}\n", f"{lead}\n").split("\n", 1)[1]
    weaker = model_of(text)
    assert any(shown(text, weaker) for text in FORBIDDEN.values())


def shown(text: str, under: Model) -> bool:
    source = program(text)
    assert source.condition is not None
    formula = source.condition.formula
    return any(
        holds(formula, trace.value_of) for trace in Enumerate().explore(source, under, Limits())
    )


# The manual's order, with the last local store before a load (lrs) where the model has the store
# that it reads from.
REFERENCE = """
let lrs = [W] ; (po-loc \\ (po-loc ; [W] ; po-loc)) ; [R]
let lws = po-loc ; [W]
let all = addr | (data & (R * W))
let dp = (all \\ amo) \\ pick
let carries = ((dp | pick) ; lrs) | (addr ; [R])
let AQ = R & (A | Q)
let rec lob = lws | dp | (pick ; [W]) | (ctrl ; [W]) | (addr ; po ; [W])
  | (ctrl ; [ISB] ; po ; [M]) | (addr ; po ; [ISB] ; po ; [M])
  | (dp ; lrs) | rmw | (rmw ; lrs ; [AQ])
  | (po ; [DMB.SY | DSB.SY | SYNC | F & SC] ; po) | ([R \\ NoRet] ; po ; [DMB.LD | DSB.LD] ; po)
  | ([W] ; po ; [DMB.ST] ; po ; [W]) | ([W] ; po ; [DSB.ST] ; po)
  | ([range([R & A] ; amo ; [W & L])] ; po) | ([W & L] ; po ; [R & A])
  | ([AQ] ; po) | (po ; [W & L])
  | (lob ; lob)
let isb = (ctrl | (addr ; po)) ; [ISB] ; po ; [M]
let rec ob = rfe | fre | coe | lob | (carries+ ; lob ; [W]) | (carries+ ; isb) | (ob ; ob)
acyclic po-loc | rf | co | fr as internal
irreflexive ob as external
empty rmw & (fre ; coe) as atomic
"""
_ACCESS = {"ACQ": "A", "REL": "L", "ACQ_REL": "AL", "SC": "AL", "CON": "Q", "RLX": "NoRet"}
_FENCE = {
    "SYNC": "DMB.SY", "LWSYNC": "DMB.LD", "EIEIO": "DMB.ST", "ISYNC": "ISB", "MFENCE": "DSB.ST",
    "LFENCE": "DSB.LD",
}  # fmt: skip


def as_aarch64(instruction: ins.Instruction) -> ins.Instruction:
    """A random instruction with AArch64's tags."""
    if isinstance(instruction, ins.Fence):
        (tag,) = instruction.tags
        return replace(instruction, tags=frozenset({_FENCE.get(tag, "DMB.SY")}))
    if isinstance(instruction, ins.Load | ins.Store | ins.StoreConditional | ins.Rmw):
        named = {_ACCESS.get(tag, "") for tag in instruction.tags}
        tags = {"A", "L"} & set("".join(named - {"NoRet"})) | ({"Q", "NoRet"} & named)
        if not isinstance(instruction, ins.Rmw):
            loads = isinstance(instruction, ins.Load)
            tags &= {"A", "Q"} if loads else {"L"}
        tags |= instruction.tags & {"X"}
        changed = replace(instruction, tags=frozenset(tags or {"NA"}))
        return replace(changed, failed_tags=None) if isinstance(changed, ins.Rmw) else changed
    return instruction


@pytest.mark.large
def test_equal_to_the_manual() -> None:
    shape = Shape(threads=(2, 3), instructions=(2, 4), locations=(1, 2), candidates=400, cycles=0.3)
    reference, ours = model_of(REFERENCE), model("aarch64")
    distinct = 0
    for number in range(250):
        made = random_program(7, number, shape)
        threads = tuple(
            replace(thread, code=tuple(as_aarch64(each) for each in thread.code))
            for thread in made.threads
        )
        source = replace(made, threads=threads)
        found = [
            [t.key() for t in Enumerate().explore(source, under, Limits(1))]
            for under in (ours, reference)
        ]
        assert found[0] == found[1], source
        distinct += len(found[0])
    assert distinct > 1000
