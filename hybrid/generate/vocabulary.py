"""Edges of cycles in the vocabulary of diy, and what an architecture has of it.

After "Fences in weak memory models" (Alglave, Maranget, Sarkar, Sewell; CAV 2010), whose tool diy
names edges so:

    Rfe Fre Wse (Coe)        communication with another thread: reads-from, from-read, coherence
    Rfi Fri Wsi (Coi)        the same within a thread
    RfLeave … FrBack         communication with a thread visited in between, and back;
                             [DetourR] is FrLeave RfBack, [DetourW] WsLeave RfBack
    PodWR PosRR              program order, to a different or the same location, with the
                             directions of both accesses
    SyncdWW DMB.LDsRR        a fence between them
    DpAddrdR DpCtrlIsyncdW   a dependency from a read; the direction is that of the target
    Rmw LxSx Amo.Swp         the read and the write of one read-modify-write

An edge may end in the annotations of its two accesses (`PodWWPL`: plain, then release). `*` stands
for both directions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import product

from hybrid.errors import InputError
from hybrid.parsing import did_you_mean

RF, FR, WS, PO, FENCE, DEP, RMW = "Rf", "Fr", "Ws", "Po", "fence", "dependency", "rmw"
COMMUNICATION = (RF, FR, WS)

EXTERNAL, INTERNAL, LEAVE, BACK = "e", "i", "Leave", "Back"

DIRECTIONS = {"R": "read", "W": "write"}
ENDS = {RF: "WR", FR: "RW", WS: "WW"}
DETOURS = {"DetourR": ("FrLeave", "RfBack"), "DetourW": ("WsLeave", "RfBack")}


@dataclass(frozen=True, slots=True)
class CycleEdge:
    name: str  # as diy spells it, without annotations
    kind: str
    place: str  # EXTERNAL, LEAVE and BACK change the thread
    same: bool  # both accesses are to one location
    source: str  # "R" or "W"
    target: str
    detail: str = ""  # of a fence, a dependency or a read-modify-write: which
    before: str = ""  # the source's annotation; empty: not said
    after: str = ""

    @property
    def ordered(self) -> bool:
        """Program order that is not communication."""
        return self.kind in (PO, FENCE, DEP)


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """What an architecture has of the vocabulary. The first annotation is the plain one."""

    arch: str  # as in the first line of a .litmus file
    fences: tuple[str, ...]  # in the order in which names of tests prefer them
    dependencies: tuple[str, ...]
    rmws: tuple[str, ...]
    reads: dict[str, str]  # annotations that a read may have, with their meaning in words
    writes: dict[str, str]

    @property
    def plain(self) -> str:
        return next(iter(self.reads))

    def annotations(self, direction: str) -> dict[str, str]:
        return self.reads if direction == "R" else self.writes

    def spelled(self, edge: CycleEdge) -> str:
        """The edge with its annotations, unless both are plain."""
        return edge.name + self.suffix(edge)

    def suffix(self, edge: CycleEdge) -> str:
        before, after = edge.before or self.plain, edge.after or self.plain
        return "" if before == after == self.plain else before + after


_COMMUNICATION = re.compile(r"(?P<kind>Rf|Fr|Ws|Co)(?P<place>e|i|Leave|Back)(?P<rest>.*)")
_ORDER = re.compile(r"(?P<where>[ds*])(?P<source>[RW*])(?P<target>[RW*])(?P<rest>.*)")
_DEPENDENCY = re.compile(r"Dp(?P<what>[A-Za-z]+?)(?P<where>[ds*])(?P<target>[RW*])(?P<rest>.*)")


def read_edge(text: str, vocabulary: Vocabulary) -> list[tuple[CycleEdge, ...]]:
    """The edges that a word stands for: alternatives, each a sequence (of one, detours aside). An
    InputError without a span says why there are none."""
    if text in DETOURS:
        leave, back = DETOURS[text]
        return [(read_edge(leave, vocabulary)[0][0], read_edge(back, vocabulary)[0][0])]
    found: list[tuple[CycleEdge, ...]] = []
    unsplit = ""  # a suffix that is not a pair of annotations
    for edge, rest in _candidates(text, vocabulary):
        if not rest:
            found.append((edge,))
            continue
        pairs = _annotation_pairs(rest, edge, vocabulary)
        found += [((replace(edge, before=a, after=b)),) for a, b in pairs]
        unsplit = unsplit or ("" if pairs else rest)
    if found:
        return list(dict.fromkeys(found))
    if unsplit:
        raise InputError(
            f"`{unsplit}` at the end of `{text}` is not a pair of annotations of "
            f"{vocabulary.arch} that fits its accesses",
            hint=_known_annotations(vocabulary),
        )
    raise InputError(f"no edge is called `{text}`", hint=_known_edges(text, vocabulary))


def _candidates(text: str, vocabulary: Vocabulary) -> list[tuple[CycleEdge, str]]:
    """Edges that the word may begin with, with what is left of it."""
    found: list[tuple[CycleEdge, str]] = []
    if match := _COMMUNICATION.fullmatch(text):
        kind = WS if match["kind"] == "Co" else match["kind"]
        source, target = ENDS[kind][0], ENDS[kind][1]
        name = kind + match["place"]
        found.append((CycleEdge(name, kind, match["place"], True, source, target), match["rest"]))
    for word in sorted(vocabulary.rmws, key=len, reverse=True):
        if text.startswith(word):
            rest = text.removeprefix(word)
            found.append((CycleEdge(word, RMW, INTERNAL, True, "R", "W", word), rest))
            break
    found += _dependencies(text, vocabulary)
    for prefix, kind, detail in (("Po", PO, ""), *((f, FENCE, f) for f in vocabulary.fences)):
        match = _ORDER.fullmatch(text.removeprefix(prefix)) if text.startswith(prefix) else None
        if match is None:
            continue
        for where in _each(match["where"], "ds"):
            for ends in product(_each(match["source"], "RW"), _each(match["target"], "RW")):
                name = f"{prefix}{where}{''.join(ends)}"
                edge = CycleEdge(name, kind, INTERNAL, where == "s", *ends, detail)
                found.append((edge, match["rest"]))
    return found


def _dependencies(text: str, vocabulary: Vocabulary) -> list[tuple[CycleEdge, str]]:
    match = _DEPENDENCY.fullmatch(text)
    if match is None or match["what"] not in vocabulary.dependencies:
        return []
    what = match["what"]
    targets = "W" if what == "Data" else "RW"
    found: list[tuple[CycleEdge, str]] = []
    for where, target in product(_each(match["where"], "ds"), _each(match["target"], targets)):
        if target in targets:
            name = f"Dp{what}{where}{target}"
            edge = CycleEdge(name, DEP, INTERNAL, where == "s", "R", target, what)
            found.append((edge, match["rest"]))
    return found


def _each(letter: str, letters: str) -> str:
    return letters if letter == "*" else letter


def _annotation_pairs(text: str, edge: CycleEdge, vocabulary: Vocabulary) -> list[tuple[str, str]]:
    """All ways to read `text` as the annotations of the edge's two accesses."""
    return [
        (text[:cut], text[cut:])
        for cut in range(1, len(text))
        if text[:cut] in vocabulary.annotations(edge.source)
        and text[cut:] in vocabulary.annotations(edge.target)
    ]


def edge_names(vocabulary: Vocabulary) -> list[str]:
    """All edges without annotations."""
    names = [f"{kind}{place}" for kind in COMMUNICATION for place in ("e", "i", "Leave", "Back")]
    names += ["Coe", "Coi", *DETOURS]
    for prefix in ("Po", *vocabulary.fences):
        names += [f"{prefix}{w}{s}{t}" for w in "ds" for s in "RW" for t in "RW"]
    for what in vocabulary.dependencies:
        names += [f"Dp{what}{w}{t}" for w in "ds" for t in ("W" if what == "Data" else "RW")]
    return [*names, *vocabulary.rmws]


def _known_edges(text: str, vocabulary: Vocabulary) -> str:
    names = edge_names(vocabulary)
    alike = [name for name in names if name.lower() == text.lower()]
    guess = f"did you mean `{alike[0]}`?" if alike else did_you_mean(text, names)
    parts = ["Rfe Fre Wse Rfi Fri Wsi", "PodRW PosWW"]
    if vocabulary.fences:
        parts.append(f"fences {' '.join(vocabulary.fences)} (as in {vocabulary.fences[0]}dWR)")
    if vocabulary.dependencies:
        deps = " ".join(f"Dp{d}" for d in vocabulary.dependencies)
        parts.append(f"dependencies {deps} (as in Dp{vocabulary.dependencies[0]}dW)")
    parts.append(" ".join(vocabulary.rmws))
    return f"{guess} {vocabulary.arch} has: {'; '.join(parts)}".strip()


def _known_annotations(vocabulary: Vocabulary) -> str:
    if len(vocabulary.reads) == len(vocabulary.writes) == 1:
        return f"{vocabulary.arch} has no annotations"
    reads = ", ".join(f"{name} ({words})" for name, words in vocabulary.reads.items())
    writes = ", ".join(f"{name} ({words})" for name, words in vocabulary.writes.items())
    return f"of a read: {reads}; of a write: {writes}"
