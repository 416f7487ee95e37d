"""A64 instructions on registers: what they compute, and the flags, against sums of unbounded
numbers."""

from __future__ import annotations

from itertools import product

import pytest
from aarch64_helpers import registers, run

ONES = 0xFFFFFFFFFFFFFFFF
# code; registers at the start; registers at the end, as numbers without sign
TABLE: list[tuple[str, dict[str, int], dict[str, int]]] = [
    ("MOV W0,#1", {"X0": -1}, {"X0": 1}),
    ("MOV W0,#-1", {}, {"X0": 0xFFFFFFFF}),
    ("MOV X0,#-1", {}, {"X0": ONES}),
    ("mov w0,#0x10", {}, {"X0": 16}),
    ("MOV W0,W1", {"X1": -1}, {"X0": 0xFFFFFFFF}),
    ("MOV X0,X1", {"X1": -1}, {"X0": ONES}),
    ("MOV W0,WZR", {"X0": 5}, {"X0": 0}),
    ("MOV XZR,X1", {"X1": 5}, {"X1": 5}),
    ("MOVZ X0,#1,LSL #32", {"X0": -1}, {"X0": 1 << 32}),
    ("MOVZ W0,#2,LSL #16", {}, {"X0": 2 << 16}),
    ("MOVN W0,#0", {}, {"X0": 0xFFFFFFFF}),
    ("MOVN X0,#1", {}, {"X0": ONES - 1}),
    ("MOVK X0,#5,LSL #16", {"X0": 0x1234ABCD}, {"X0": 0x5ABCD}),
    ("MOVK W0,#5", {"X0": -1}, {"X0": 0xFFFF0005}),
    ("ADD W0,W1,W2", {"X1": 0xFFFFFFFF, "X2": 2}, {"X0": 1}),
    ("ADD X0,X1,X2", {"X1": 0xFFFFFFFF, "X2": 2}, {"X0": 0x100000001}),
    ("ADD W0,W1,#3", {"X1": 4}, {"X0": 7}),
    ("ADD X0,X1,#1,LSL #12", {"X1": 4}, {"X0": 4100}),
    ("ADD X0,X1,X2,LSL #3", {"X1": 1, "X2": 2}, {"X0": 17}),
    ("ADD W0,W1,W2,LSR #31", {"X1": 1, "X2": -1}, {"X0": 2}),
    ("ADD X0,X1,W2,SXTW", {"X1": 5, "X2": 0xFFFFFFFF}, {"X0": 4}),
    ("ADD X0,X1,W2,UXTW", {"X1": 5, "X2": -1}, {"X0": 0x100000004}),
    ("ADD X0,X1,W2,SXTB #2", {"X1": 5, "X2": 0xFF}, {"X0": 1}),
    ("ADD X0,X1,X2,SXTX #1", {"X1": 5, "X2": -1}, {"X0": 3}),
    ("SUB W0,W1,W2", {"X1": 1, "X2": 2}, {"X0": 0xFFFFFFFF}),
    ("SUB X0,X1,#2", {"X1": 1}, {"X0": ONES}),
    ("SUB W0,WZR,W1", {"X1": 1}, {"X0": 0xFFFFFFFF}),
    ("AND W0,W1,W2", {"X1": -1, "X2": -2}, {"X0": 0xFFFFFFFE}),
    ("AND X0,X1,#6", {"X1": 12}, {"X0": 4}),
    ("ORR W0,W1,W2", {"X1": 1, "X2": 6}, {"X0": 7}),
    ("ORN W0,W1,W2", {"X1": 0, "X2": 6}, {"X0": 0xFFFFFFF9}),
    ("EOR W0,W1,W1", {"X1": 12}, {"X0": 0}),
    ("EOR X0,X1,X2,ASR #1", {"X1": 1, "X2": -2}, {"X0": ONES - 1}),
    ("EON W0,W1,W2", {"X1": 1, "X2": 1}, {"X0": 0xFFFFFFFF}),
    ("BIC W0,W1,W2", {"X1": 7, "X2": 2}, {"X0": 5}),
    ("AND W0,W1,W2,ROR #1", {"X1": -1, "X2": 3}, {"X0": 0x80000001}),
    ("LSL W0,W1,#31", {"X1": 3}, {"X0": 0x80000000}),
    ("LSL X0,X1,X2", {"X1": 1, "X2": 65}, {"X0": 2}),
    ("LSL W0,W1,W2", {"X1": 1, "X2": 33}, {"X0": 2}),
    ("LSR W0,W1,#1", {"X1": -1}, {"X0": 0x7FFFFFFF}),
    ("LSR X0,X1,#1", {"X1": -1}, {"X0": ONES >> 1}),
    ("ASR W0,W1,#1", {"X1": 0x80000000}, {"X0": 0xC0000000}),
    ("ASR X0,X1,X2", {"X1": -8, "X2": 2}, {"X0": ONES - 1}),
    ("ROR X0,X1,#4", {"X1": 0x1F}, {"X0": 0xF000000000000001}),
    ("ROR W0,W1,W2", {"X1": 3, "X2": 32}, {"X0": 3}),
    ("NEG W0,W1", {"X1": 1}, {"X0": 0xFFFFFFFF}),
    ("NEG X0,X1,LSL #1", {"X1": 1}, {"X0": ONES - 1}),
    ("MVN W0,W1", {"X1": 0}, {"X0": 0xFFFFFFFF}),
    ("MUL W0,W1,W2", {"X1": 0x10000, "X2": 0x10001}, {"X0": 0x10000}),
    ("MNEG X0,X1,X2", {"X1": 2, "X2": 3}, {"X0": ONES - 5}),
    ("MADD X0,X1,X2,X3", {"X1": 2, "X2": 3, "X3": 4}, {"X0": 10}),
    ("MSUB W0,W1,W2,W3", {"X1": 2, "X2": 3, "X3": 4}, {"X0": 0xFFFFFFFE}),
    ("SMULL X0,W1,W2", {"X1": 0xFFFFFFFF, "X2": 2}, {"X0": ONES - 1}),
    ("UMULL X0,W1,W2", {"X1": 0xFFFFFFFF, "X2": 2}, {"X0": 0x1FFFFFFFE}),
    ("SDIV W0,W1,W2", {"X1": 0xFFFFFFF9, "X2": 2}, {"X0": 0xFFFFFFFD}),
    ("SDIV X0,X1,X2", {"X1": 7, "X2": 0}, {"X0": 0}),
    ("UDIV W0,W1,W2", {"X1": -1, "X2": 2}, {"X0": 0x7FFFFFFF}),
    ("SXTB W0,W1", {"X1": 0x80}, {"X0": 0xFFFFFF80}),
    ("SXTH X0,W1", {"X1": 0x18000}, {"X0": ONES - 0x7FFF}),
    ("SXTW X0,W1", {"X1": 0x80000000}, {"X0": ONES - 0x7FFFFFFF}),
    ("UXTB W0,W1", {"X1": 0x180}, {"X0": 0x80}),
    ("UXTH W0,W1", {"X1": 0x18000}, {"X0": 0x8000}),
    ("UXTW X0,W1", {"X1": -1}, {"X0": 0xFFFFFFFF}),
    ("UBFM W0,W1,#4,#11", {"X1": 0xF12345678}, {"X0": 0x67}),
    ("UBFM W0,W1,#28,#3", {"X1": 0x12345678}, {"X0": 0x80}),
    ("UBFM X0,X1,#0,#63", {"X1": -2}, {"X0": ONES - 1}),
    ("UBFM X0,X1,#60,#59", {"X1": -1}, {"X0": ONES - 15}),
    ("UBFM W0,W1,#31,#31", {"X1": 0x180000000}, {"X0": 1}),
    ("SBFM W0,W1,#4,#7", {"X1": 0x80}, {"X0": 0xFFFFFFF8}),
    ("SBFM X0,X1,#60,#3", {"X1": 8}, {"X0": ONES - 0x7F}),
    ("UBFX X0,X1,#8,#4", {"X1": 0x1F00}, {"X0": 0xF}),
    ("SBFX W0,W1,#8,#4", {"X1": 0x1800}, {"X0": 0xFFFFFFF8}),
    ("REV W0,W1", {"X1": 0x9911223344}, {"X0": 0x44332211}),
    ("REV X0,X1", {"X1": 0x1122334455667788}, {"X0": 0x8877665544332211}),
    ("REV16 W0,W1", {"X1": 0x11223344}, {"X0": 0x22114433}),
    ("REV32 X0,X1", {"X1": 0x1122334455667788}, {"X0": 0x4433221188776655}),
    ("RBIT W0,W1", {"X1": 0xFF00000001}, {"X0": 0x80000000}),
    ("RBIT X0,X1", {"X1": 0b1011}, {"X0": 0b1101 << 60}),
    ("RBIT X0,X0; RBIT X0,X0", {"X0": 0x123456789ABCDEF0}, {"X0": 0x123456789ABCDEF0}),
    ("RBIT WZR,W1; REV XZR,X1", {"X1": 5}, {"X1": 5}),
    ("SUBS W0,W0,#1; CSET W1,EQ", {"X0": 1}, {"X0": 0, "X1": 1}),
    ("ADDS X0,X0,X0; CSET W1,CS", {"X0": -1}, {"X0": ONES - 1, "X1": 1}),
    ("ANDS W0,W1,W2; CSET W3,MI", {"X1": -1, "X2": -1}, {"X0": 0xFFFFFFFF, "X3": 1}),
    ("BICS X0,X1,X1; CSET W3,EQ", {"X1": 5}, {"X0": 0, "X3": 1}),
    ("NEGS W0,W1; CSET W3,CS", {"X1": 0}, {"X0": 0, "X3": 1}),
    ("CMP W1,W2,LSL #1; CSET W3,EQ", {"X1": 6, "X2": 3}, {"X3": 1}),
    ("CMP X1,W2,SXTW; CSET W3,EQ", {"X1": -1, "X2": 0xFFFFFFFF}, {"X3": 1}),
    ("CMP W1,#1; CSEL X0,X2,X3,EQ", {"X1": 1, "X2": -5, "X3": 6}, {"X0": ONES - 4}),
    ("CMP W1,#1; CSEL W0,W2,W3,NE", {"X1": 1, "X2": 5, "X3": -1}, {"X0": 0xFFFFFFFF}),
    ("CMP W1,#1; CSINC W0,W2,W3,NE", {"X1": 1, "X2": 5, "X3": -1}, {"X0": 0}),
    ("CMP W1,#1; CSINV X0,X2,X3,NE", {"X1": 1, "X2": 5, "X3": 0}, {"X0": ONES}),
    ("CMP W1,#1; CSNEG W0,W2,W3,NE", {"X1": 1, "X2": 5, "X3": 1}, {"X0": 0xFFFFFFFF}),
    ("CMP W1,#1; CINC W0,W2,EQ", {"X1": 1, "X2": 5}, {"X0": 6}),
    ("CMP W1,#1; CINV W0,W2,NE", {"X1": 1, "X2": 5}, {"X0": 5}),
    ("CMP W1,#1; CNEG X0,X2,EQ", {"X1": 1, "X2": 5}, {"X0": ONES - 4}),
    ("CMP W1,#1; CSETM W0,EQ", {"X1": 1}, {"X0": 0xFFFFFFFF}),
    ("CMP W1,#1; CSEL WZR,W2,W3,EQ", {"X1": 1}, {"X1": 1}),
    ("CBZ W1,L; MOV W0,#1; L: NOP", {"X1": 1 << 32}, {"X0": 0}),
    ("CBZ X1,L; MOV W0,#1; L:", {"X1": 1 << 32}, {"X0": 1}),
    ("CBNZ W1,L; MOV W0,#1; L:", {"X1": 3}, {"X0": 0}),
    ("TBZ W1,#1,L; MOV W0,#1; L:", {"X1": 2}, {"X0": 1}),
    ("TBNZ X1,#63,L; MOV W0,#1; L:", {"X1": -1}, {"X0": 0}),
    ("B L; MOV W0,#1; L: ADD W0,W0,#2", {}, {"X0": 2}),
    ("B.AL L; MOV W0,#1; L:", {}, {"X0": 0}),
    ("B .+8; MOV W0,#1; ADD W0,W0,#2", {}, {"X0": 2}),
    ("B .+4; MOV W0,#1; ADD W0,W0,#2", {}, {"X0": 3}),
    ("CMP W0,W0; B.EQ . + 12; MOV W0,#1; CSEL W1,W2,W0,EQ; MOV W3,#7", {}, {"X0": 0, "X3": 7}),
    ("CBZ W0,.+8; MOV W0,#1", {}, {"X0": 0}),
    ("SUBS W0,W0,#1; ADD W1,W1,#2; B.NE .-8", {"X0": 3}, {"X1": 6}),
    ("L: SUBS W0,W0,#1; ADD W1,W1,#2; B.NE L", {"X0": 3}, {"X1": 6}),
    ("DMB SY; DSB ISHST; ISB; ISB SY; DMB OSHLD; NOP; MOV W0,#1", {}, {"X0": 1}),
]


@pytest.mark.parametrize(("code", "initial", "expected"), TABLE, ids=[row[0] for row in TABLE])
def test_computes(code: str, initial: dict[str, int], expected: dict[str, int]) -> None:
    found = run(code, registers(initial)).registers[0]
    assert {name: found.get(name, 0) & ONES for name in expected} == expected


CONDITIONS = (
    "EQ",
    "NE",
    "CS",
    "HS",
    "CC",
    "LO",
    "MI",
    "PL",
    "VS",
    "VC",
    "HI",
    "LS",
    "GE",
    "LT",
    "GT",
    "LE",
)
NUMBERS = {
    bits: (0, 1, 2, (1 << (bits - 1)) - 1, 1 << (bits - 1), (1 << bits) - 1) for bits in (32, 64)
}


def meaning(op: str, a: int, b: int, bits: int) -> set[str]:
    """The conditions that hold after a comparison of unsigned numbers, by what they say of
    unbounded numbers."""

    def signed(value: int) -> int:
        return value - (1 << bits) if value >> (bits - 1) else value

    if op == "TST":
        exact = unbounded = a & b
        exact = signed(exact)
        carry = False
    elif op == "CMN":
        exact, unbounded = signed(a) + signed(b), a + b
        carry = unbounded >> bits != 0
    else:
        exact, unbounded = signed(a) - signed(b), a - b
        carry = unbounded >= 0
    result = signed(unbounded & ((1 << bits) - 1))
    overflow = result != exact
    held = {
        "EQ": result == 0,
        "CS": carry,
        "MI": result < 0,
        "VS": overflow,
        "HI": carry and result != 0,
        "GE": exact >= 0,
        "GT": exact > 0,
    }
    opposite = {"EQ": "NE", "CS": "CC", "MI": "PL", "VS": "VC", "HI": "LS", "GE": "LT", "GT": "LE"}
    found = {name if holds else opposite[name] for name, holds in held.items()}
    return found | {"HS" if carry else "LO"}


@pytest.mark.parametrize("op", ["CMP", "CMN", "TST"])
@pytest.mark.parametrize("bits", [32, 64])
def test_flags(op: str, bits: int) -> None:
    kind = "X" if bits == 64 else "W"
    for a, b in product(NUMBERS[bits], repeat=2):
        sets = "; ".join(f"CSET W{place},{name}" for place, name in enumerate(CONDITIONS))
        upper = 0 if bits == 64 else -(1 << 32)  # what the upper half holds does not count
        values = {"X17": a + upper, "X18": b + upper}
        if bits == 64:
            values = {name: value - (value >> 63 << 64) for name, value in values.items()}
        found = run(f"{op} {kind}17,{kind}18; {sets}", registers(values)).registers[0]
        held = {name for place, name in enumerate(CONDITIONS) if found[f"X{place}"]}
        assert held == meaning(op, a, b, bits), (a, b)


@pytest.mark.parametrize("name", CONDITIONS)
def test_conditional_branches(name: str) -> None:
    found = run(f"CMP W1,#2; B.{name} L; MOV W0,#1; L:", "0:X1=1;").registers[0]
    assert (found.get("X0", 0) == 0) == (name in meaning("CMP", 1, 2, 32))


def test_only_the_flags_that_are_read_are_computed() -> None:
    code = run("CMP W1,W2; B.EQ L; MOV W0,#1; L:").program.threads[0].code
    assert [getattr(i, "register", "") for i in code] == ["Z", "", "X0"]
