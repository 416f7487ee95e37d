"""Names and texts of known cycles."""

from __future__ import annotations

import pytest
from golden_files import check_golden

from hybrid.generate.cycle import parse_cycles
from hybrid.generate.litmus import litmus_test
from hybrid.generate.names import FAMILIES, name_of
from hybrid.generate.vocabularies import vocabulary_of

KNOWN = [
    ("PPC", "Rfe DpAddrdR Fre SyncdWW", "MP+sync+addr"),
    ("PPC", "PodWW Rfe PodRR Fre", "MP"),
    ("PPC", "PodRW Rfe PodRW Rfe", "LB"),
    ("PPC", "Wse PodWW Wse PodWW", "2+2W"),
    ("PPC", "Coe LwSyncdWW Coe PodWW", "2+2W+lwsync+po"),
    ("PPC", "PodWW Rfe PodRW Wse", "S"),
    ("PPC", "Fre PodWW Wse SyncdWR", "R+po+sync"),
    ("PPC", "DpAddrdW Rfe DpAddrdW Rfe", "LB+addrs"),
    ("PPC", "Rfe SyncdRR Fre Rfe SyncdRR Fre", "IRIW+syncs"),
    ("PPC", "Rfe PodRR Fre Rfe PodRW Wse", "IRRWIW"),
    ("PPC", "Rfe PodRW Wse Rfe PodRW Wse", "IRWIW"),
    ("PPC", "Rfe DpDatadW Rfe DpAddrdR Fre", "WRC+data+addr"),
    ("PPC", "Rfe PodRW Rfe PodRW Wse", "WWC"),
    ("PPC", "Rfe LwSyncdRR Fre SyncdWR Fre", "RWC+lwsync+sync"),
    ("PPC", "LwSyncdWW Rfe DpDatadW Rfe DpAddrdR Fre", "ISA2+lwsync+data+addr"),
    ("PPC", "PodWW Rfe PodRR Fre PodWR Fre", "W+RWC"),
    ("PPC", "PodWW Rfe PodRW Wse PodWR Fre", "Z6.0"),
    ("PPC", "PodWW Wse PodWW Rfe PodRW Wse", "Z6.1"),
    ("PPC", "PodWW Rfe PodRW Rfe PodRW Wse", "Z6.2"),
    ("PPC", "PodWW Wse PodWW Rfe PodRR Fre", "Z6.3"),
    ("PPC", "PodWW Wse PodWR Fre PodWR Fre", "Z6.4"),
    ("PPC", "PodWW Wse PodWW Wse PodWR Fre", "Z6.5"),
    ("PPC", "Rfe PodRW Wse PodWR Fre", "WRW+WR"),
    ("PPC", "Rfe PodRR Fre PodWW Wse", "WRR+2W"),
    ("PPC", "Rfe PodRW Wse PodWW Wse", "WRW+2W"),
    ("PPC", "DpCtrlIsyncdR Fre LwSyncdWW Rfe", "MP+lwsync+ctrlisync"),
    ("PPC", "SyncdWW Rfe DetourR DpAddrdR Fre", "MP+sync+[fr-rf]-addr"),
    ("PPC", "PosWW Wse", "CoWW"),
    ("PPC", "PosRW Rfe", "CoRW1"),
    ("PPC", "PosWR Fre", "CoWR0"),
    ("PPC", "Rfe PosRR Fre", "CoRR"),
    ("PPC", "Rfe PosRW Wse", "CoRW2"),
    ("PPC", "PosWR Fre Wse", "CoWR"),
    ("PPC", "Rfe PosRW Rfe PosRR Fre", "WRC+poss"),
    ("X86", "MFencedWR Fre MFencedWR Fre", "SB+mfences"),
    ("X86", "PodWR Fre MFencedWR Fre MFencedWR Fre", "3.SB+mfence+mfence+po"),
    ("X86", "Rfi PodRR Fre PodWR Fre", "SB+po+rfi-po"),
    ("X86", "Rmw PodWR Fre PodWR Rmw Rfe", "MP+po-rmw+rmw-po"),
    ("X86", "PodWWAA WseAA PodWWAA WseAA", "2+2W+poaas"),
    ("AArch64", "PodWWPL RfeLA PodRRAP Fre", "MP+popl+poap"),
    ("AArch64", "PodWW L Rfe A PodRR Fre", "MP+popl+poap"),
    ("AArch64", "RfeLA PodRRAA FreAL PodWRLA FreAP DMB.SYdWRPA FreAL",
     "W+RR+WR+WR+poaa+pola+dmb.sypa+L"),
    ("AArch64", "Rfe DMB.SYsRW Rfe DMB.SYsRR Fre", "WRC+dmb.syss"),
    ("AArch64", "DMB.SYdWW Rfe FrLeave RfBack DpAddrdR PosRR Fre", "MP+dmb.sy+[fr-rf]-addr-pos"),
    ("AArch64", "PodRW Rfe PodRW Rfe PodRW Rfe PodRW Rfe", "4.LB"),
    ("AArch64", "Amo.Swp PodWR Fre DMB.SYdWW Rfe", "MP+dmb.sy+amo.swp-po"),
    ("RISCV", "Fence.rw.rwdWW Rfe DpCtrlFenceIdR Fre", "MP+fence.rw.rw+ctrlfencei"),
    ("RISCV", "PodWWXX WseXX PodWWXX WseXX", "2+2W+poxxs"),
    ("RISCV", "RfeXP Fence.rw.rwsRWPX RfeXP PosRR FrePX", "WRC+fence.rw.rwspx+pos+X"),
    ("RISCV", "Fence.tsodWW Rfe [DpDatadW,Rfi] Fre", "MP+fence.tso+data-rfi"),
    ("C", "PodWWNaRel Rfe PodRRAcqNa Fre", "MP+ponarel+poacqna"),
    ("C", "FenceScdWR Fre FenceScdWR Fre", "SB+fencescs"),
]  # fmt: skip


@pytest.mark.parametrize(("arch", "text", "name"), KNOWN, ids=[f"{a}-{n}" for a, _, n in KNOWN])
def test_name(arch: str, text: str, name: str) -> None:
    (cycle,) = parse_cycles(text, vocabulary_of(arch))
    assert name_of(cycle) == name
    assert litmus_test(cycle).text.startswith(f"{arch} {name}\n")


def test_every_family_is_reached_by_its_communications() -> None:
    """The ends of threads tell the communications, so each name comes from its own cycle alone."""
    between = {"WR": "Rfe", "RW": "Fre", "WW": "Wse"}
    for ends, name in FAMILIES.items():
        words = []
        for at, thread in enumerate(ends):
            words += [f"Pod{thread}"] if len(thread) == 2 else []
            words.append(between[thread[-1] + ends[(at + 1) % len(ends)][0]])
        (cycle,) = parse_cycles(" ".join(words), vocabulary_of("PPC"))
        assert name_of(cycle) == name


def test_wildcards_take_what_fits() -> None:
    found = parse_cycles("Rfe Pod** Fre LwSyncd**", vocabulary_of("PPC"))
    assert [name_of(cycle) for cycle in found] == ["MP+lwsync+po"]
    found = parse_cycles("Po*RW Rfe Po*RW Rfe", vocabulary_of("PPC"))
    assert {name_of(cycle) for cycle in found} == {"LB", "LB+poss"}


GOLDEN = [
    ("PPC", "Rfe DpAddrdR Fre SyncdWW"),
    ("PPC", "LwSyncdWW Rfe DpDatadW Rfi DpCtrlIsyncdR Fre"),
    ("PPC", "Rmw LwSyncdWW Rfe DpAddrdW Rfe"),
    ("PPC", "Wse Wse Rfe SyncdRW Rfe SyncdRR Fre"),
    ("X86", "Rmw MFencedWR Fre PodWW Rfe"),
    ("X86", "PodWWPA Rfe PodRR Fre"),
    ("AArch64", "PodWWPL Rfe DpAddrdRPA DpCtrlIsbdR Fre"),
    ("AArch64", "[Amo.CasAL,PodWWLP] Rfe LxSx DMB.SYdWR Fre PodWWXLP Rfe"),
    ("RISCV", "Fence.tsodWWPX RfeXX Fence.tsodRRXP Fre"),
    ("RISCV", "PodRWARAR Rfe DpAddrdW Rfe Amo.AddAqRl PodWW Rfe"),
    ("C", "PodWWNaRel Rfe PodRRAcqNa Fre"),
    ("C", "FetchAddAcqRel PodWR DpCtrldW Rfe DpDatadW Rfe FenceScdRW Rfe"),
]  # fmt: skip


def test_texts() -> None:
    texts = []
    for arch, text in GOLDEN:
        (cycle,) = parse_cycles(text, vocabulary_of(arch))
        texts.append(litmus_test(cycle).text)
    check_golden("generate/texts.txt", "\n".join(texts))
