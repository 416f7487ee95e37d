"""Which tests litmus/ holds for each architecture: every classic family, its threads filled with
what the architecture has.

Each family gets its plain test, then tests in which every thread has the same kind of filling as
far as that exists, then mixed ones; all fillings are used about equally often. The choice is random
with a fixed seed, so it is the same on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from hybrid.generate.cycle import Cycle, parse_cycles
from hybrid.generate.family import numbered
from hybrid.generate.litmus import GeneratedTest, litmus_test
from hybrid.generate.names import FAMILIES, ONE_LOCATION, name_of
from hybrid.generate.vocabularies import vocabulary_of

SEED = 1
TESTS = 330  # about so many an architecture

MORE_SHAPES = (
    ("WR", "WR", "WR"),
    ("RW", "RW", "RW"),
    ("WW", "WW", "WW"),
    ("WW", "RR", "WR", "WR"),
    ("WW", "RW", "WW", "RR"),
    ("W", "RW", "RW", "RR"),
    ("W", "RR", "WR", "WR"),
)

# What may stand between the first and the last access of a thread, by their directions. Of a thread
# that stays at one location: FILLINGS_HERE.
FILLINGS = {
    "PPC": {
        "WW": (
            "PodWW SyncdWW LwSyncdWW EieiodWW ISyncdWW [Rfi,DpDatadW] [Rfi,DpAddrdW] "
            "[Rfi,DpCtrldW] [LwSyncdWW,Wsi] [DetourW,DpDatadW]"
        ),
        "WR": (
            "PodWR SyncdWR LwSyncdWR EieiodWR [Rfi,PodRR] [Rfi,DpAddrdR] [Rfi,DpCtrlIsyncdR] "
            "[Rfi,SyncdRR] [SyncdWW,Rfi] [Wsi,SyncdWR]"
        ),
        "RR": "PodRR SyncdRR LwSyncdRR ISyncdRR DpAddrdR DpCtrldR DpCtrlIsyncdR "
        "[DpDatadW,Rfi,DpAddrdR] [DpAddrdW,Rfi] [DpAddrdR,PosRR] [Fri,Rfi,DpAddrdR] "
        "[DetourR,DpAddrdR] [Rmw,SyncdWR] [Rmw,PodWR]",
        "RW": "PodRW SyncdRW LwSyncdRW DpAddrdW DpDatadW DpCtrldW DpCtrlIsyncdW "
        "[DpAddrdR,PodRW] [DpAddrdW,PodWW] [DpDatadW,Rfi,DpCtrldW] [PosRR,DpDatadW] "
        "[Fri,LwSyncdWW] [Rmw,LwSyncdWW] [DpDatadW,Wsi]",
    },
    "X86": {
        "WW": (
            "PodWW MFencedWW PodWWAP PodWWPA PodWWAA [Rfi,PodRW] [Wsi,PodWW] [PodWR,Rmw] "
            "[PodWW,Wsi] [MFencedWR,PodRW]"
        ),
        "WR": (
            "PodWR MFencedWR PodWRAP [Rfi,PodRR] [PodWW,Rfi] [Wsi,PodWR] [Rfi,MFencedRR] "
            "[PodWWPA,PodWRAP] [PosWR,PodRR] [RfiAP,PodRR]"
        ),
        "RR": (
            "PodRR MFencedRR [Rmw,PodWR] [Fri,PodWR] [PodRW,Rfi] [Fri,MFencedWR] "
            "[PosRR,PodRR] [PodRW,PodWR] [Fri,Rfi,PodRR] [DetourR,PodRR]"
        ),
        "RW": (
            "PodRW MFencedRW [Rmw,PodWW] [Fri,PodWW] [PodRR,Rmw] [PodRR,PodRW] [PodRW,Wsi] "
            "[PosRR,PodRW] PodRWPA [DetourR,PodRW]"
        ),
    },
    "AArch64": {
        "WW": (
            "PodWW DMB.SYdWW DMB.STdWW DMB.LDdWW DSB.SYdWW ISBdWW PodWWPL PodWWLL PodWWLP "
            "PodWWPX [Rfi,DpDatadW] [Rfi,DpAddrdW] [RfiLA,PodRWAP] [DMB.STdWW,Wsi]"
        ),
        "WR": (
            "PodWR DMB.SYdWR DMB.STdWR DSB.SYdWR PodWRLA PodWRLQ PodWRLP PodWRPA "
            "[Rfi,DpAddrdR] [Rfi,PodRR] [RfiLA,PodRRAP] [RfiLQ,PodRRQP] [PodWWPL,RfiLP] "
            "[Rfi,DpCtrlIsbdR]"
        ),
        "RR": "PodRR DMB.SYdRR DMB.LDdRR DMB.STdRR ISBdRR PodRRAP PodRRQP PodRRAA DpAddrdR "
        "DpCtrldR DpCtrlIsbdR DpAddrdRPA [DpDatadW,Rfi,DpAddrdR] [DpAddrdR,PosRR] "
        "[DpCtrldW,Rfi] "
        "[LxSx,DMB.SYdWR] [Amo.Swp,PodWR] [Amo.LdAddAP,PodWR] [Amo.SwpAL,PodWRLP] "
        "[DetourR,DpAddrdR] PodRRXP",
        "RW": "PodRW DMB.SYdRW DMB.LDdRW PodRWAP PodRWPL PodRWAL PodRWQP DpAddrdW DpDatadW "
        "DpCtrldW DpCtrlIsbdW DpDatadWPL [DpAddrdR,PodRW] [DpAddrdW,PodWW] "
        "[PodRR,DpDatadW] [Amo.Cas,PodWWPL] "
        "[LxSx,PodWWPL] [Amo.LdEor,DMB.STdWW] PodRWPX [DpDatadW,Wsi]",
    },
    "RISCV": {
        "WW": (
            "PodWW Fence.rw.rwdWW Fence.w.wdWW Fence.rw.wdWW Fence.tsodWW PodWWPRl PodWWRlRl "
            "PodWWRlP PodWWPX PodWWARAR [Rfi,DpDatadW] [Rfi,DpAddrdW] "
            "[PodWWPRl,RfiRlP,DpCtrldW] [Wsi,Fence.w.wdWW]"
        ),
        "WR": (
            "PodWR Fence.rw.rwdWR Fence.w.rdWR Fence.w.rwdWR Fence.tsodWR PodWRRlAq PodWRRlP "
            "PodWRPAR PodWRPAq [Rfi,DpAddrdR] [Rfi,PodRR] [RfiPAq,PodRRAqP] "
            "[PosWR,Fence.r.rdRR] [Rfi,DpCtrlFenceIdR]"
        ),
        "RR": "PodRR Fence.rw.rwdRR Fence.r.rdRR Fence.r.rwdRR Fence.tsodRR Fence.idRR "
        "PodRRAqP PodRRAqAq PodRRARAR DpAddrdR DpCtrldR DpCtrlFenceIdR "
        "[DpDatadW,Rfi,DpAddrdR] [DpAddrdR,PosRR] "
        "[LxSx,Fence.rw.rwdWR] [Amo.Swap,PodWR] [Amo.AddAqP,PodWR] "
        "[Amo.SwapARAR,PodWRARP] [DetourR,DpAddrdR] PodRRXP",
        "RW": "PodRW Fence.rw.rwdRW Fence.r.wdRW Fence.r.rwdRW Fence.rw.wdRW PodRWAqP PodRWPRl "
        "PodRWAqRl DpAddrdW DpDatadW DpCtrldW DpCtrlFenceIdW [DpAddrdR,PodRW] "
        "[DpAddrdW,PodWW] "
        "[PosRR,DpDatadW] [Amo.Xor,PodWWPRl] [LxSx,PodWW] [DpDatadW,Wsi] PodRWPX "
        "[Fri,Fence.w.wdWW]",
    },
    "C": {
        "WW": (
            "PodWW PodWWRlxRel PodWWScSc PodWWNaRel PodWWRelRel FenceReldWW FenceScdWW "
            "FenceAcqReldWW [Rfi,DpDatadW] [PodWWRlxRel,WsiRelRlx] PodWWNaSc "
            "[Rfi,FenceReldRW]"
        ),
        "WR": (
            "PodWR PodWRScSc PodWRRelAcq PodWRScRlx FenceScdWR FenceAcqReldWR [Rfi,PodRR] "
            "[RfiScSc,PodRRScSc] [RfiRelAcq,PodRRAcqRlx] [PodWWRlxSc,RfiScSc]"
        ),
        "RR": "PodRR PodRRAcqRlx PodRRScSc PodRRAcqAcq PodRRAcqNa FenceAcqdRR FenceScdRR "
        "DpCtrldR DpCtrldRAcqNa [Rmw,PodWR] [RmwAcqRel,PodWR] [RmwScSc,PodWRScSc] "
        "[FetchAddAcqRlx,PodWR] "
        "[PosRR,FenceAcqdRR] [FetchAdd,FenceScdWR]",
        "RW": "PodRW PodRWRlxRel PodRWAcqRlx PodRWAcqRel PodRWScSc FenceReldRW FenceAcqReldRW "
        "DpDatadW DpCtrldW DpDatadWAcqRel [Rmw,PodWW] [RmwAcqRel,PodWWRelRel] "
        "[FetchAddScSc,PodWW] "
        "[PodRRAcqRlx,Rmw] [PosRR,DpDatadW]",
    },
}

FILLINGS_HERE = {
    "PPC": {
        "WW": "PosWW SyncsWW",
        "WR": "PosWR SyncsWR",
        "RR": "PosRR LwSyncsRR DpAddrsR",
        "RW": "PosRW DpDatasW SyncsRW",
    },
    "X86": {
        "WW": "PosWW MFencesWW PosWWAP",
        "WR": "PosWR MFencesWR PosWRAP",
        "RR": "PosRR MFencesRR",
        "RW": "PosRW MFencesRW PosRWPA",
    },
    "AArch64": {
        "WW": "PosWW DMB.STsWW PosWWPL",
        "WR": "PosWR PosWRLA PosWRXP",
        "RR": "PosRR DMB.LDsRR PosRRAP DpAddrsR",
        "RW": "PosRW DpDatasW PosRWPL PosRWAP",
    },
    "RISCV": {
        "WW": "PosWW Fence.w.wsWW PosWWPX",
        "WR": "PosWR PosWRRlAq PosWRXP",
        "RR": "PosRR Fence.r.rsRR PosRRAqP DpAddrsR",
        "RW": "PosRW DpDatasW PosRWPRl PosRWXP",
    },
    "C": {
        "WW": "PosWW PosWWRlxRel PosWWScSc",
        "WR": "PosWR PosWRRelAcq",
        "RR": "PosRR PosRRAcqRlx PosRRScSc",
        "RW": "PosRW PosRWAcqRel DpDatasW",
    },
}

_COMMUNICATION = {"WR": "Rfe", "RW": "Fre", "WW": "Wse"}
SIMPLE_FROM = 4  # threads: then fillings of one edge alone, so that tests stay small


def bundle(arch: str) -> list[GeneratedTest]:
    """The tests of an architecture, sorted by name."""
    cycles = list(dict.fromkeys(_cycles(arch)))
    names = numbered([name_of(cycle) for cycle in cycles])
    tests = [litmus_test(cycle, name) for cycle, name in zip(cycles, names, strict=True)]
    return sorted(tests, key=lambda test: test.name)


def _cycles(arch: str) -> Iterator[Cycle]:
    chance = random.Random(SEED)
    shapes = [*FAMILIES, *MORE_SHAPES]
    each = -(-(TESTS - 20) // len(shapes))
    for shape in ONE_LOCATION:
        yield from _fill(arch, shape, FILLINGS_HERE[arch], chance, 6)
    for shape in shapes:
        yield from _fill(arch, shape, FILLINGS[arch], chance, each)


def _fill(
    arch: str, shape: tuple[str, ...], fillings: dict[str, str], chance: random.Random, count: int
) -> list[Cycle]:
    """At most `count` cycles of a shape."""
    units = {ends: text.split() for ends, text in fillings.items()}
    if len(shape) >= SIMPLE_FROM:
        units = {ends: [u for u in us if "[" not in u] for ends, us in units.items()}
    slots = [ends for ends in shape if len(ends) == 2]
    decks: dict[str, list[str]] = {ends: [] for ends in slots}
    found: dict[Cycle, None] = {}
    most = max(len(units[ends]) for ends in slots)
    for attempt in range(20 * count):
        if len(found) == count:
            break
        if attempt < min(most, count // 2):  # the same kind of filling everywhere
            chosen = [units[ends][min(attempt, len(units[ends]) - 1)] for ends in slots]
        else:
            chosen = []
            for ends in slots:
                if not decks[ends]:
                    decks[ends] = chance.sample(units[ends], len(units[ends]))
                chosen.append(decks[ends].pop())
        text = _text(shape, chosen)
        found |= dict.fromkeys(parse_cycles(text, vocabulary_of(arch)))
    return list(found)


def _text(shape: tuple[str, ...], chosen: list[str]) -> str:
    words: list[str] = []
    left = list(chosen)
    for at, ends in enumerate(shape):
        if len(ends) == 2:
            words.append(left.pop(0))
        following = shape[(at + 1) % len(shape)][0]
        words.append(_COMMUNICATION[ends[-1] + following])
    return " ".join(words)
