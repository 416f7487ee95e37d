"""Names of cycles: the classic family by the directions of each thread's ends, then what stands
between them.

The families are those of "Herding cats" (Alglave, Maranget, Tautschnig; TOPLAS 2014, Tables III and
VI) and of diy: since rf, fr and co are told by the directions of their ends, a cycle's
communications are known from the ends of its threads. `MP+sync+addr` has a sync in its first thread
and an address dependency in its second, `LB+addrs` two address dependencies, `MP` nothing but
program order.
"""

from __future__ import annotations

from hybrid.generate.cycle import Cycle, directions, thread_parts
from hybrid.generate.vocabulary import BACK, DEP, FENCE, LEAVE, PO, RMW, CycleEdge, Vocabulary

FAMILIES = {
    ("WW", "RR"): "MP",
    ("WW", "RW"): "S",
    ("WW", "WR"): "R",
    ("WR", "WR"): "SB",
    ("RW", "RW"): "LB",
    ("WW", "WW"): "2+2W",
    ("W", "RW", "RR"): "WRC",
    ("W", "RW", "RW"): "WWC",
    ("W", "RR", "WR"): "RWC",
    ("W", "RW", "WR"): "WRW+WR",
    ("W", "RR", "WW"): "WRR+2W",
    ("W", "RW", "WW"): "WRW+2W",
    ("WW", "RW", "RR"): "ISA2",
    ("WW", "RR", "WR"): "W+RWC",
    ("WW", "RW", "WR"): "Z6.0",
    ("WW", "WW", "RW"): "Z6.1",
    ("WW", "RW", "RW"): "Z6.2",
    ("WW", "WW", "RR"): "Z6.3",
    ("WW", "WR", "WR"): "Z6.4",
    ("WW", "WW", "WR"): "Z6.5",
    ("W", "RR", "W", "RR"): "IRIW",
    ("W", "RR", "W", "RW"): "IRRWIW",
    ("W", "RW", "W", "RW"): "IRWIW",
}

ONE_LOCATION = {
    ("WW",): "CoWW",
    ("RW",): "CoRW1",
    ("WR",): "CoWR0",
    ("W", "RR"): "CoRR",
    ("W", "RW"): "CoRW2",
    ("W", "WR"): "CoWR",
}

_REPEATED = {"WR": "SB", "RW": "LB", "WW": "2W"}


def name_of(cycle: Cycle) -> str:
    """The name of a cycle's test; the cycle is canonical, so every rotation of it has this name."""
    vocabulary, edges = cycle.vocabulary, cycle.edges
    ends = directions(edges)
    one_location = all(edge.same for edge in edges)
    family = _family(ends, one_location)
    parts = [part for part in thread_parts(edges) if part]
    shown = ["-".join(_steps(part, vocabulary)) for part in parts]
    usual = "pos" if family in ONE_LOCATION.values() else "po"
    if all(text == usual for text in shown):
        shown = []
    elif len(shown) > 1 and len(set(shown)) == 1:
        shown = [f"{shown[0]}s"]
    alone = _lone_annotations(cycle)
    if all(annotation == vocabulary.plain for annotation in alone):
        alone = []
    return "+".join([family, *shown, *alone])


def _family(ends: tuple[str, ...], one_location: bool) -> str:
    if one_location and ends in ONE_LOCATION:
        return ONE_LOCATION[ends]
    if ends in FAMILIES:
        return FAMILIES[ends]
    if len(ends) > 2 and len(set(ends)) == 1 and ends[0] in _REPEATED:
        return f"{len(ends)}.{_REPEATED[ends[0]]}"
    return "+".join(ends)


def _steps(part: tuple[CycleEdge, ...], vocabulary: Vocabulary) -> list[str]:
    """The edges of one thread; a visit to another thread is one step, in brackets."""
    steps: list[str] = []
    away: list[str] | None = None
    for edge in part:
        text = _short(edge) + vocabulary.suffix(edge).lower()
        if edge.place == LEAVE:
            away = [text]
        elif edge.place == BACK:
            assert away is not None  # a cycle's Leave and Back match
            steps.append(f"[{'-'.join([*away, text])}]")
            away = None
        else:
            (steps if away is None else away).append(text)
    return steps


def _short(edge: CycleEdge) -> str:
    if edge.kind == RMW:
        return edge.name.lower()
    if edge.kind in (PO, FENCE, DEP):
        word = {PO: "po"}.get(edge.kind, edge.detail.lower())
        return word + ("s" if edge.same else "")
    return edge.kind.lower() + ("" if edge.place in (LEAVE, BACK) else edge.place)


def _lone_annotations(cycle: Cycle) -> list[str]:
    """The annotations of threads that are one access."""
    edges = cycle.edges
    return [
        edge.before
        for at, edge in enumerate(edges)
        if edge.place == "e" and edges[at - 1].place == "e"
    ]
