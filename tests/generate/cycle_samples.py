"""Random valid cycles of each architecture, and running their tests."""

from __future__ import annotations

from functools import cache

from hypothesis import assume
from hypothesis import strategies as st
from support import answer, make_engine

from hybrid.engine.api import Limits
from hybrid.errors import InputError
from hybrid.frontend.load import parse_litmus
from hybrid.generate.bundle import FILLINGS, FILLINGS_HERE
from hybrid.generate.cycle import Cycle, make_cycle, misfit
from hybrid.generate.family import Unit, read_units
from hybrid.generate.litmus import GeneratedTest
from hybrid.generate.vocabularies import VOCABULARIES, vocabulary_of
from hybrid.model.core import Model
from hybrid.model.load import load_model, parse_model
from hybrid.program.program import Program
from hybrid.report.summary import Result, summarise
from hybrid.source import Source
from hybrid.verdict import Verdict

NAMES = tuple(VOCABULARIES)
_COMMUNICATION = {"WR": "Rfe", "RW": "Fre", "WW": "Wse"}
_MORE = {  # with annotations and steps that the bundle has not
    "PPC": (
        "PosWR PosRR PosWW DpAddrsR DpCtrlsW SyncsRW Fri Wsi Rfi Rmw [RfLeave,PodRR,FrBack] "
        "[FrLeave,WsBack] [WsLeave,RfBack]"
    ),
    "X86": "PosWR PosRR Fri Wsi Rfi Rmw MFencesWW WsiAP [RfLeave,PodRR,FrBack]",
    "AArch64": (
        "PosRRAQ DpAddrsRPA DpCtrlsWPL DSB.LDdRR Wsi Fri RmwAL Amo.CasAL Amo.LdEorPL "
        "PodRRXAP PodWWXLP DpAddrdRPX [WsLeave,RfBack]"
    ),
    "RISCV": (
        "PosRRAqX DpAddrdWPX DpAddrdRPAq LxSxAqRl Amo.AddAqRl Fri Wsi Rfi PodRWARX "
        "Fence.r.wdRW [RfLeave,DpAddrdR,FrBack]"
    ),
    "C": (
        "PosRRAcqSc Fri Wsi Rfi PodWWNaNa FenceRelsRW DpDatasW DpCtrlsR RmwRlxRel "
        "FetchAddAcqRel [FrLeave,RfBack]"
    ),
}


@cache
def units_of(arch: str) -> tuple[Unit, ...]:
    texts = [*FILLINGS[arch].values(), *FILLINGS_HERE[arch].values(), _MORE[arch]]
    return read_units(" ".join(texts), vocabulary_of(arch))


@cache
def _external(arch: str, ends: str) -> Unit:
    return read_units(_COMMUNICATION[ends], vocabulary_of(arch))[0]


@st.composite
def cycles(draw: st.DrawFn, most_steps: int = 2) -> Cycle:
    """Two or three threads of at most so many steps each; what links them is told by the directions
    of their ends."""
    arch = draw(st.sampled_from(NAMES))
    vocabulary = vocabulary_of(arch)
    threads: list[list[Unit]] = []
    ends: list[str] = []
    for _ in range(draw(st.integers(2, 3))):
        chain: list[Unit] = []
        for _ in range(draw(st.integers(0, most_steps))):
            fitting = [u for u in units_of(arch) if _fits(chain, u, vocabulary, ends)]
            chain.append(draw(st.sampled_from(fitting)))
        alone = "W" if ends and ends[-1][-1] == "R" else draw(st.sampled_from("RW"))
        threads.append(chain)
        ends.append(chain[0][0].source + chain[-1][-1].target if chain else alone)
    assume(ends[-1][-1] + ends[0][0] in _COMMUNICATION)
    edges = []
    for at, chain in enumerate(threads):
        following = ends[(at + 1) % len(ends)][0]
        edges += [
            edge for unit in [*chain, _external(arch, ends[at][-1] + following)] for edge in unit
        ]
    try:
        return make_cycle(edges, vocabulary)
    except InputError:
        assume(False)
        raise


def _fits(chain: list[Unit], unit: Unit, vocabulary: object, ends: list[str]) -> bool:
    if chain:
        return misfit(chain[-1][-1], unit[0], vocabulary) is None  # type: ignore[arg-type]
    return not (ends and ends[-1][-1] == "R" and unit[0].source == "R")


@cache
def sequential() -> Model:
    return load_model("sc")


@cache
def lawless() -> Model:
    """No axiom at all: every value that some store may give can be read, in any coherence order."""
    return parse_model(Source("lawless.cat", '"lawless"\n'), "lawless", [])


def program_of(test: GeneratedTest) -> Program:
    return parse_litmus(Source(f"{test.name}.litmus", test.text))


def explored(program: Program, under: Model) -> Result:
    return summarise(program, under, make_engine("rsmc"), Limits())


def impossible(program: Program, under: Model) -> bool:
    """Whether the condition cannot be true, by one formula. (Where values may justify themselves in
    a circle, that is not known.)"""
    return answer(program, under, Limits(), "sat").answer is Verdict.FORBIDDEN
