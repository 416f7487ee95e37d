"""Cycles that are refused: each with its place, what is wrong and, where there is something to say,
a hint."""

from __future__ import annotations

import random

import pytest

from hybrid.errors import InputError
from hybrid.generate.cycle import parse_cycles
from hybrid.generate.litmus import litmus_test
from hybrid.generate.vocabularies import vocabulary_of

pytestmark = pytest.mark.large

# architecture, cycle, column of the fault (None: no place), message, part of the hint
ERRORS = [
    ("PPC", "Rfe SyncdWW Fre PodWR", 5, "Rfe ends in a read and SyncdWW starts with a write", ""),
    ("PPC", "SyncdWW Rfe PodRR Rfe", 19, "PodRR ends in a read and Rfe starts with a write", ""),
    ("PPC", "PodRR Fre PodWW Rfe PodRW", 1,
     "PodRW ends in a write and PodRR starts with a read, at which the cycle closes", ""),
    ("PPC", "Rfe Podrr Fre PodWW", 5, "no edge is called `Podrr`", "did you mean `PodRR`?"),
    ("PPC", "Rfe DMB.SYdRR Fre PodWW", 5, "PPC has no edge `DMB.SYdRR`: it is one of AArch64",
     "fences Sync"),
    ("X86", "Rfe DpAddrdR Fre PodWW", 5,
     "X86 has no edge `DpAddrdR`: it is one of PPC and AArch64 and RISCV", "fences MFence"),
    ("PPC", "Rfe DpDatadR Fre PodWW", 5, "no edge is called `DpDatadR`",
     "did you mean `DpDatadW`?"),
    ("PPC", "PodWW PodWR PodRW", 1, "no edge leads to another thread", "Rfe, Fre, Wse"),
    ("PPC", "Rfe Fre", 1, "nothing but communication: such a cycle contradicts itself", "PodWR"),
    ("PPC", "Rfe PodRR Fre", 5,
     "only PodRR changes the location, and the cycle must come back to the first", "at least two"),
    ("PPC", "", None, "a cycle without edges", "as in"),
    ("PPC", "Rfe PodRRAA Fre PodWW", 5, "PPC has no edge `PodRRAA`: it is one of AArch64",
     "PPC has no annotations"),
    ("AArch64", "Rfe PodRRLA Fre PodWW", 5,
     "`LA` at the end of `PodRRLA` is not a pair of annotations of AArch64 that fits its accesses",
     "of a read: P (plain), A (acquire)"),
    ("AArch64", "PodWWPL RfePA PodRRAP Fre", 9,
     "PodWWPL ends in a write that is release and RfePA starts with a write that is plain", ""),
    ("AArch64", "PodWWPL L RfeLA PodRRAP Fre A", 29,
     "`A` annotates no write, and PodWWPL starts with one", ""),
    ("AArch64", "PodWWPP L Rfe PodRR Fre", 9, "this access is already annotated, with P", ""),
    ("AArch64", "L", 1, "a cycle without edges", ""),
    ("AArch64", "AmoSwpAP PodWR Fre PodWW Rfe", 1, "no edge is called `AmoSwpAP`", "Amo.Swp"),
    ("PPC", "Fre PodWW Rfe [DpAddrdR,PosRR", 15, "this bracket is never closed", "`]`"),
    ("PPC", "PodWW Rfe DpAddrdR] Fre", 19, "`]` outside a bracket", "`[A,B]`"),
    ("PPC", "PodWW, Rfe", 6, "`,` outside a bracket", "`[A,B]`"),
    ("PPC", "PodWW Rfe [DpAddrdR PosRR] Fre", 21, "a comma is missing before this edge", ""),
    ("PPC", "PodWW Rfe [DpAddrdR,] Fre", 21, "an edge is missing here", ""),
    ("PPC", "PodWW Rfe [] Fre", 12, "an edge is missing here", ""),
    ("PPC", "PodWW Rfe [[PosRR]] Fre", 12, "a bracket within a bracket", ""),
    ("AArch64", "[PodWW,L,PodWW] Rfe PodRR Fre", 8, "an annotation within a bracket", "PodRRAA"),
    ("PPC", "PodWW Rfe [DpAddrdR,DpDatadW,PodRR] Fre", 30,
     "DpDatadW ends in a write and PodRR starts with a read", ""),
    ("PPC", "PodWW Rfe RfBack PodRR Fre", 11, "Rfe ends in a read and RfBack starts with a write",
     ""),
    ("PPC", "PodWW WsBack Rfe PodRR Fre", 7, "WsBack comes back, but nothing left before it",
     "WsLeave leave"),
    ("PPC", "PodWW WsLeave Rfe PodRR Fre", 15, "Rfe before the way back of WsLeave", "come back"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("arch", "text", "column", "message", "hint"), ERRORS, ids=[text for _, text, *_ in ERRORS]
)
def test_error(arch: str, text: str, column: int | None, message: str, hint: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_cycles(text, vocabulary_of(arch))
    error = caught.value
    assert error.message == message
    assert (None if error.span is None else error.span.column) == column
    assert hint in error.hint


WITHOUT_CODE = [
    ("AArch64", "LxSxQP PodWR Fre PodWW Rfe",
     "AArch64 has no LxSx whose read is acquirePC and whose write is plain"),
    ("C", "RmwScRel PodWR Fre PodWW Rfe",
     "C has no read-modify-write whose read is seq_cst and whose write is release"),
    ("X86", "PodWR PosRR PosRR PosRR PosRR PosRR PosRR Fre PodWR Fre",
     "thread P1 reads more often than X86 has registers (6)"),
]  # fmt: skip


@pytest.mark.parametrize(("arch", "text", "message"), WITHOUT_CODE)
def test_cycle_that_the_architecture_cannot_write(arch: str, text: str, message: str) -> None:
    (cycle,) = parse_cycles(text, vocabulary_of(arch))
    with pytest.raises(InputError) as caught:
        litmus_test(cycle)
    assert caught.value.message == message


def test_a_hundred_edges_and_no_more() -> None:
    words = "PodWW Wse " * 50
    assert len(parse_cycles(words, vocabulary_of("PPC"))) == 1
    with pytest.raises(InputError, match="more than 100 edges"):
        parse_cycles(words + "PodWW Wse", vocabulary_of("PPC"))


def test_unknown_architecture() -> None:
    with pytest.raises(InputError, match="no architecture is called 'MIPS'"):
        vocabulary_of("MIPS")
    assert vocabulary_of("aarch64").arch == "AArch64"


@pytest.mark.large
def test_wildcards_without_end() -> None:
    with pytest.raises(InputError, match="too many wildcards"):
        parse_cycles("Pod** " * 60 + "Rfe", vocabulary_of("PPC"))


def test_damaged_cycles_are_refused_or_taken() -> None:
    """Whatever is written: cycles or an InputError."""
    chance = random.Random(3)
    whole = "PodWW Rfe [DpAddrdR,PosRR] Fre Pod** DetourW PodRW Wse"
    taken = 0
    for _ in range(400):
        text = list(whole)
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(text))
            text[at : at + chance.randint(0, 4)] = chance.choice(
                ["", " ", "*", "RW", "[", ",", "P"]
            )
        for arch in ("PPC", "AArch64"):
            try:
                taken += len(parse_cycles("".join(text), vocabulary_of(arch)))
            except InputError as error:
                assert error.render().startswith("cycle:1:")
    assert taken > 0
