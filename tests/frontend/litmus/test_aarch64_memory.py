"""A64 instructions on memory: values, annotations and dependencies."""

from __future__ import annotations

import pytest
from aarch64_helpers import memory, run, runs

from hybrid.execution.trace import TraceData

ONES = 0xFFFFFFFFFFFFFFFF
# code; initial state; final registers (without sign) and locations (with their sign)
TABLE: list[tuple[str, str, dict[str, int]]] = [
    ("LDR W0,[X20]", "x=-1;", {"X0": 0xFFFFFFFF}),
    ("LDR X0,[X20]", "int64_t x=-1;", {"X0": ONES}),
    ("LDR WZR,[X20]", "x=1;", {"x": 1}),
    ("LDRB W0,[X20]", "uint8_t x=0xff;", {"X0": 0xFF}),
    ("LDRH W0,[X20]", "uint16_t x=0xffff;", {"X0": 0xFFFF}),
    ("LDRSB W0,[X20]", "int8_t x=-2;", {"X0": 0xFFFFFFFE}),
    ("LDRSH X0,[X20]", "int16_t x=-2;", {"X0": ONES - 1}),
    ("LDRSW X0,[X20]", "int x=-2;", {"X0": ONES - 1}),
    ("LDURSW X0,[X20]", "int x=-2;", {"X0": ONES - 1}),
    ("STR W0,[X20]", "0:X0=0x80000000; x=1;", {"x": -(1 << 31)}),
    ("STR X0,[X20]", "int64_t x=0; 0:X0=0x100000000;", {"x": 1 << 32}),
    ("STR WZR,[X20]", "x=1;", {"x": 0}),
    ("STRB W0,[X20]", "uint8_t x=0; 0:X0=0x1ff;", {"x": -1}),
    ("STRH W0,[X20]", "int16_t x=0; 0:X0=0x17fff;", {"x": 0x7FFF}),
    ("LDR W0,[X20,#4]", "int x[2]={1,2};", {"X0": 2}),
    ("LDR X0,[X20,X1]", "int64_t x[2]={1,2}; 0:X1=8;", {"X0": 2}),
    ("LDR W0,[X20,X1,LSL #2]", "int x[2]={1,2}; 0:X1=1;", {"X0": 2}),
    ("LDR W0,[X19,W1,SXTW]", "int x[2]={1,2}; 0:X19=x[1]; 0:X1=0xfffffffc;", {"X0": 1}),
    ("LDR W0,[X20, W1, UXTW #2]", "int x[2]={1,2}; 0:X1=0x100000001;", {"X0": 2}),
    ("LDR W0,[X20],#4; LDR W1,[X20]", "int x[2]={1,2};", {"X0": 1, "X1": 2}),
    ("LDR W0,[X20,#4]!; LDR W1,[X20]", "int x[2]={1,2};", {"X0": 2, "X1": 2}),
    ("STR W0,[X20],#4; STR W1,[X20]", "int x[2]; 0:X0=3; 0:X1=4;", {"x[0]": 3, "x[1]": 4}),
    ("STR W0,[X20,#4]!; STR W1,[X20,#-4]", "int x[2]; 0:X0=3; 0:X1=4;", {"x[0]": 4, "x[1]": 3}),
    ("LDUR W0,[X20,#4]; STUR W0,[X20]", "int x[2]={1,2};", {"x[0]": 2}),
    ("LDP W0,W1,[X20]", "int x[2]={1,2};", {"X0": 1, "X1": 2}),
    ("LDP X20,X1,[X20]", "int64_t x[2]={1,2};", {"X20": 1, "X1": 2}),
    ("LDP X0,X20,[X20]", "int64_t x[2]={1,2};", {"X0": 1, "X20": 2}),
    ("LDP W0,W1,[X20],#8; LDR W2,[X20]", "int x[3]={1,2,3};", {"X0": 1, "X1": 2, "X2": 3}),
    ("LDP W0,W1,[X20,#4]!; LDR W2,[X20]", "int x[3]={1,2,3};", {"X0": 2, "X1": 3, "X2": 2}),
    ("LDPSW X0,X1,[X20]", "int x[2]={-1,2};", {"X0": ONES, "X1": 2}),
    ("STP W0,W1,[X20,#4]", "int x[3]; 0:X0=3; 0:X1=4;", {"x[1]": 3, "x[2]": 4}),
    ("STP XZR,X1,[X20],#8; STR X1,[X20]", "int64_t x[2]; 0:X1=4;", {"x[0]": 0, "x[1]": 4}),
    ("LDAR W0,[X20]; STLR W0,[X21]", "x=3;", {"X0": 3, "y": 3}),
    ("LDARB W0,[X20]; STLRB W0,[X21]", "uint8_t x=0x80; uint8_t y;", {"X0": 128, "y": -128}),
    ("LDAPR X0,[X20]; STLUR X0,[X21,#0]", "int64_t x=3; int64_t y;", {"X0": 3, "y": 3}),
    ("SWP W0,W1,[X20]", "x=-1; 0:X0=5;", {"x": 5, "X1": 0xFFFFFFFF}),
    ("SWP W0,W0,[X20]", "x=7; 0:X0=5;", {"x": 5, "X0": 7}),
    ("SWPALH W0,W1,[X20]", "uint16_t x=0xffff; 0:X0=0x18000;", {"x": -0x8000, "X1": 0xFFFF}),
    ("LDADD W0,W1,[X20]", "x=0x7fffffff; 0:X0=1;", {"x": -(1 << 31), "X1": 0x7FFFFFFF}),
    ("LDADDA X0,X1,[X20]", "int64_t x=-1; 0:X0=3;", {"x": 2, "X1": ONES}),
    ("LDADDLB W0,W1,[X20]", "uint8_t x=0xff; 0:X0=3;", {"x": 2, "X1": 0xFF}),
    ("LDCLR W0,W1,[X20]", "x=7; 0:X0=2;", {"x": 5, "X1": 7}),
    ("LDSET W0,W1,[X20]", "x=5; 0:X0=2;", {"x": 7, "X1": 5}),
    ("LDEOR W0,W1,[X20]", "x=5; 0:X0=6;", {"x": 3, "X1": 5}),
    ("LDSMAX W0,W1,[X20]", "x=-1; 0:X0=1;", {"x": 1, "X1": 0xFFFFFFFF}),
    ("LDSMIN W0,W1,[X20]", "x=1; 0:X0=0xffffffff;", {"x": -1, "X1": 1}),
    ("LDUMAX W0,W1,[X20]", "x=-1; 0:X0=1;", {"x": -1, "X1": 0xFFFFFFFF}),
    ("LDUMIN W0,W1,[X20]", "x=-1; 0:X0=1;", {"x": 1, "X1": 0xFFFFFFFF}),
    ("LDUMAX X0,X1,[X20]", "int64_t x=-1; 0:X0=1;", {"x": -1, "X1": ONES}),
    ("STADD W0,[X20]; STADDL W0,[X20]", "x=1; 0:X0=1;", {"x": 3}),
    ("STCLRH W0,[X20]; STSETLH W1,[X20]", "uint16_t x=3; 0:X0=1; 0:X1=4;", {"x": 6}),
    ("CAS W0,W1,[X20]", "x=-1; 0:X0=0xffffffff; 0:X1=2;", {"x": 2, "X0": 0xFFFFFFFF}),
    ("CAS W0,W1,[X20]", "x=1; 0:X0=0x100000001; 0:X1=2;", {"x": 2, "X0": 1}),
    ("CASAL X0,X1,[X20]", "int64_t x=1; 0:X0=3; 0:X1=2;", {"x": 1, "X0": 1}),
    ("CASB W0,W1,[X20]", "uint8_t x=0xff; 0:X0=0xff; 0:X1=2;", {"x": 2, "X0": 0xFF}),
    ("STXR W0,W1,[X20]", "0:X1=1;", {"x": 0, "X0": 1}),
    ("LDXP W0,W1,[X20]", "int64_t x=0x200000001;", {"X0": 1, "X1": 2}),
    ("LDAXP W0,W1,[X20]", "int64_t x=-2;", {"X0": 0xFFFFFFFE, "X1": 0xFFFFFFFF}),
    ("LDXP WZR,W1,[X20]", "int64_t x=0x200000001;", {"X1": 2}),
    ("LDXP W0,WZR,[X20]", "int64_t x=0x200000001;", {"X0": 1}),
    ("LDXP W20,W1,[X20]", "int64_t x=0x200000001;", {"X20": 1, "X1": 2}),
    ("STXP W5,W0,W1,[X20]", "int64_t x=7;", {"x": 7, "X5": 1}),
    ("CASP W0,W1,W2,W3,[X20]", "int64_t x=0x200000001; 0:X0=1; 0:X1=2; 0:X2=3; 0:X3=4;",
     {"x": 0x400000003, "X0": 1, "X1": 2}),
    ("CASPAL W0,W1,W2,W3,[X20]", "int64_t x=0x200000001; 0:X0=1; 0:X1=3; 0:X2=3; 0:X3=4;",
     {"x": 0x200000001, "X0": 1, "X1": 2}),
    ("CASP W0,W1,W2,W3,[X20]", "int64_t x=-1; 0:X0=-1; 0:X1=0xffffffff; 0:X2=-1;",
     {"x": 0xFFFFFFFF, "X0": 0xFFFFFFFF, "X1": 0xFFFFFFFF}),
    ("LDR W0,[X20,X1,SXTW]", "x=5; 0:X1=0x700000000;", {"X0": 5}),
]  # fmt: skip


@pytest.mark.parametrize(("code", "initial", "expected"), TABLE, ids=[row[0] for row in TABLE])
def test_computes(code: str, initial: str, expected: dict[str, int]) -> None:
    data = run(code, initial)
    found = {name: value & ONES for name, value in data.registers[0].items()} | memory(data)
    assert {name: found[name] for name in expected} == expected


def test_exclusives() -> None:
    for load, store in (("LDXR", "STXR"), ("LDAXR", "STLXR")):
        found = runs(f"{load} W0,[X20]; {store} W1,W2,[X20]", "x=1; 0:X2=0x80000000;")
        outcomes = {(d.registers[0]["X1"], memory(d)["x"]) for d in found}
        assert outcomes == {(0, -(1 << 31)), (1, 1)}
        assert all(d.registers[0]["X0"] == 1 for d in found)
    other = runs("LDXR W0,[X20]; STXR W1,W2,[X21]")
    assert [d.registers[0]["X1"] for d in other] == [1]
    assert len(runs("LDXRH W0,[X20]; STXRH W1,W2,[X20]", "uint16_t x;")) == 2
    assert len(runs("LDXR X0,[X20]; STXR W1,X2,[X20]", "uint64_t x;")) == 2


def test_exclusive_pairs() -> None:
    for load, store in (("LDXP", "STXP"), ("LDAXP", "STLXP")):
        code = f"{load} W0,W1,[X20]; {store} W2,W1,W3,[X20]"
        found = runs(code, "int64_t x=0x200000001; 0:X3=5;")
        outcomes = {(d.registers[0]["X2"], memory(d)["x"]) for d in found}
        assert outcomes == {(0, 0x500000002), (1, 0x200000001)}
        assert {edges(d) for d in found} == {"data ab", ""}


# Annotations of the memory events, in order; events of an atomic instruction have the same.
TAGS: list[tuple[str, str]] = [
    ("LDR W0,[X20]; STR W0,[X20]", "NA NA"),
    ("LDAR W0,[X20]; LDAPR W0,[X20]; LDAPUR W0,[X20]", "A Q Q"),
    ("STLR W0,[X20]; STLUR W0,[X20]", "L L"),
    ("LDAR WZR,[X20]", "A"),
    ("SWP W0,W1,[X20]", "NA NA"),
    ("SWPA W0,W1,[X20]; SWPL W0,W1,[X20]", "A A L L"),
    ("SWPAL W0,W1,[X20]", "A.L A.L"),
    ("SWPAL W0,WZR,[X20]", "L.NoRet L.NoRet"),
    ("SWPA W0,WZR,[X20]", "NoRet NoRet"),
    ("LDADDA W0,W1,[X20]", "A A"),
    ("STADD W0,[X20]; STADDL W0,[X20]", "NoRet NoRet L.NoRet L.NoRet"),
    ("CASAL W0,W1,[X20]", "A.L A.L"),
    ("CASAL W2,W1,[X20]", "A.L"),  # it fails
    ("CASA WZR,W1,[X20]", "NoRet NoRet"),
    ("LDAXP W0,W1,[X22]", "A.X"),
    ("CASPAL W0,W1,W4,W5,[X22]", "A.L A.L"),
    ("LDAXR W0,[X20]; STXR W1,W2,[X21]", "A.X"),
    ("DMB ISH; DMB OSHLD; DMB ST; DSB SY; DSB LD; DSB ISHST; ISB",
     "DMB.SY DMB.LD DMB.ST DSB.SY DSB.LD DSB.ST ISB"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), TAGS, ids=[row[0] for row in TAGS])
def test_annotations(code: str, expected: str) -> None:
    data = run(code, "0:X2=1;")
    tags = [".".join(sorted(e.tags)) for e in data.events if e.thread == 0 and e.kind in "RWF"]
    assert tags == expected.split()


def edges(data: TraceData) -> str:
    """Dependencies between memory events, which are called a, b, c, … in program order."""
    events = [e for e in data.events if e.thread == 0 and e.kind in "RW"]
    letter = {event.id: "abcdefgh"[place] for place, event in enumerate(events)}
    found = [
        f"{name} {letter[source]}{letter[target]}"
        for name, pairs in (
            ("addr", data.addr),
            ("data", data.data),
            ("ctrl", data.ctrl),
            ("pick", data.pick),
        )
        for source, target in sorted(pairs)
        if target in letter
    ]
    return ", ".join(found)


# code; dependencies. a, b, c, … are the memory events in program order.
DEPENDENCIES: list[tuple[str, str]] = [
    ("LDR W0,[X20]; STR W0,[X21]", "data ab"),
    ("LDR W0,[X20]; EOR W1,W0,W0; ADD W1,W1,#1; STR W1,[X21]", "data ab"),
    ("LDR W0,[X20]; EOR W1,W0,W0; LDR W2,[X21,W1,SXTW]", "addr ab"),
    ("LDR W0,[X20]; EOR W1,W0,W0; LDR W2,[X21,X1,SXTW]", "addr ab"),
    ("LDR W0,[X20]; REV W1,W0; UBFM W1,W1,#1,#2; RBIT W1,W1; STR W1,[X21]", "data ab"),
    ("LDR W0,[X20]; AND X1,X0,XZR; ADD X2,X21,X1; STR WZR,[X2]", "addr ab"),
    ("LDR W0,[X20]; EOR X1,X0,X0; ADD X2,X21,X1; STR WZR,[X2]", "addr ab"),
    ("LDR W0,[X20]; MOV W0,#1; STR W0,[X21]", ""),
    ("LDR W0,[X20]; MOVK W0,#1; STR W0,[X21]", "data ab"),
    ("LDR W0,[X20]; MOV WZR,W0; STR WZR,[X21]", ""),
    ("LDR W0,[X20]; MUL W1,W0,WZR; STR W1,[X21]", "data ab"),
    ("LDR WZR,[X20]; STR WZR,[X21]", ""),
    ("LDR W0,[X20]; CBNZ W0,L; L: STR W1,[X21]; LDR W2,[X22]", "ctrl ab, ctrl ac"),
    ("LDR W0,[X20]; TBZ W0,#0,L; L: STR W1,[X21]", "ctrl ab"),
    ("LDR W0,[X20]; CMP W0,#1; B.EQ L; L: STR W1,[X21]", "ctrl ab"),
    ("LDR W0,[X20]; CMP W0,#1; CMP W1,#1; B.EQ L; L: STR W1,[X21]", ""),
    ("LDR W0,[X20]; SUBS W1,W0,W0; B.EQ L; L: STR W1,[X21]", "data ab, ctrl ab"),
    ("LDR W0,[X20]; ADDS W1,W0,W0; MOV W1,#1; B.VS L; L: STR W1,[X21]", "ctrl ab"),
    ("LDR W0,[X20]; TST W0,W0; B.VS L; L: STR W1,[X21]", ""),
    ("LDR W0,[X20]; CMP W0,#0; CSEL W1,W2,W3,EQ; STR W1,[X21]", "data ab, pick ab"),
    ("LDR W0,[X20]; CMP W0,#0; CSEL W1,W2,W3,EQ; STR W4,[X21]", ""),
    ("LDR W0,[X20]; CMP W0,#0; CSEL W1,W0,W0,EQ; STR W1,[X21]", "data ab"),
    ("LDR W0,[X20]; CMP W0,#0; CSET W1,EQ; CMP W1,#0; CINC W2,W2,NE; STR W2,[X21]",
     "data ab, pick ab"),
    ("LDR W0,[X20]; CMP W0,#0; CSEL W1,W2,W3,EQ; ADD W1,W1,W0; STR W1,[X21]", "data ab"),
    ("LDR W0,[X20]; CMP W0,#0; CSEL X1,X21,X22,EQ; LDR W2,[X1]", "addr ab, pick ab"),
    ("LDR W0,[X20]; CMP W0,#0; CSEL W1,W2,W3,EQ; CBZ W1,L; L: STR W4,[X21]", "ctrl ab"),
    ("LDR W0,[X20]; CAS W0,W1,[X21]; STR W0,[X22]",
     "data ab, data ac, data bc, data bd, pick ab, pick ac, pick bc, pick bd"),
    ("LDR W0,[X20]; MOV W2,#5; CAS W2,W0,[X21]; STR W2,[X22]", "data ab, data bc"),
    ("LDR W0,[X20]; CMP W5,#0; CSEL W1,W0,W3,EQ; STR W1,[X21]", "data ab"),
    ("LDR W0,[X20]; CMP W5,#0; CSEL W1,W3,W0,EQ; STR W1,[X21]", ""),
    ("LDR W0,[X20]; ADD X21,X21,W0,UXTW; ADD X1,X21,#0; STR WZR,[X1]", "addr ab"),
    ("LDR W0,[X20]; LDR W1,[X21],#0; STR W1,[X22]", "data bc"),
    ("LDR W0,[X20]; SUB X1,X0,X0; ADD X21,X21,X1; LDR W2,[X21,#0]!; STR WZR,[X21]",
     "addr ab, addr ac"),
    ("LDR W0,[X20]; SUB X1,X0,X0; ADD X21,X21,X1; STP W2,W2,[X21]", "addr ab, addr ac"),
    ("LDR W0,[X20]; SWP W0,W1,[X21]; STR W1,[X22]", "data ab, data ac, data bd"),
    ("LDR W0,[X20]; STADD W0,[X21]", "data ab, data ac, data bc"),
    ("LDR W0,[X20]; CAS W1,W0,[X21]; STR W1,[X22]",
     "data ab, data ac, data bc, data bd, pick bc, pick bd"),
    ("LDR W0,[X20]; CASP W2,W3,W0,W1,[X21]; STR W3,[X22]",
     "data ab, data ac, data bc, data bd, pick bc, pick bd"),
    ("LDR W0,[X20]; EOR W1,W0,W0; ADD X2,X21,W1,SXTW; LDADD W3,W4,[X2]",
     "addr ab, addr ac, data bc"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), DEPENDENCIES, ids=[row[0] for row in DEPENDENCIES])
def test_dependencies(code: str, expected: str) -> None:
    assert edges(run(code, "int y[2];" if "STP" in code else "")) == expected


def test_the_status_of_a_store_exclusive_carries_no_dependency() -> None:
    code = "LDR W9,[X20]; LDXR W0,[X21]; STXR W1,W9,[X21]; CBNZ W1,L; L: STR W1,[X22]"
    assert {edges(data) for data in runs(code)} == {"data ac", ""}
