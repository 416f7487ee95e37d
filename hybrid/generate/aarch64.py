"""Tests for AArch64: plain, acquire, acquirePC and release accesses, exclusive pairs, barriers,
dependencies; exclusives and LSE atomics for read-modify-writes."""

from __future__ import annotations

from collections.abc import Callable

from hybrid.generate import assembly
from hybrid.generate.assembly import AssemblySyntax, Lines, RmwSpelling
from hybrid.generate.layout import CycleLayout
from hybrid.generate.printed import Printed
from hybrid.generate.vocabularies import AARCH64

FENCES = {
    **{
        f"{kind}.{domain}": f"{kind} {domain}"
        for kind in ("DMB", "DSB")
        for domain in ("SY", "LD", "ST")
    },
    "ISB": "ISB",
}

_LOADS = {"P": "LDXR", "A": "LDAXR"}
_STORES = {"P": "STXR", "L": "STLXR"}
_ORDER = {("P", "P"): "", ("A", "P"): "A", ("P", "L"): "L", ("A", "L"): "AL"}


def _exclusive(read: str, write: str) -> Lines | None:
    if read not in _LOADS or write not in _STORES:
        return None
    return f"{_LOADS[read]} {{d}},[{{a}}]", f"{_STORES[write]} {{s}},{{v}},[{{a}}]"


def _atomic(name: str, *before: str) -> Callable[[str, str], Lines | None]:
    operands = "{d},{v}" if name == "CAS" else "{v},{d}"

    def lines(read: str, write: str) -> Lines | None:
        order = _ORDER.get((read, write))
        return None if order is None else (*before, f"{name}{order} {operands},[{{a}}]")

    return lines


MACHINE = AssemblySyntax(
    AARCH64,
    tuple(f"W{number}" for number in range(31)),
    tuple(f"X{number}" for number in range(31)),
    constant="MOV {d},#{n}",
    zero="EOR {d},{r},{r}",
    plus="ADD {d},{d},#{n}",
    add="ADD {t},{a},{i},SXTW",
    branch=("CBNZ {r},{l}",),
    fences=FENCES,
    barriers={"CtrlIsb": "ISB"},
    reads={
        "P": ("LDR {d},[{a}]",),
        "A": ("LDAR {d},[{a}]",),
        "Q": ("LDAPR {d},[{a}]",),
        "X": ("LDXR {d},[{a}]", "STXR {s},{d},[{a}]"),
        "XA": ("LDAXR {d},[{a}]", "STXR {s},{d},[{a}]"),
    },
    writes={
        "P": ("STR {v},[{a}]",),
        "L": ("STLR {v},[{a}]",),
        "X": ("LDXR {d},[{a}]", "STXR {s},{v},[{a}]"),
        "XL": ("LDXR {d},[{a}]", "STLXR {s},{v},[{a}]"),
    },
    indexed={"R": "LDR {d},[{a},{i},SXTW]", "W": "STR {v},[{a},{i},SXTW]"},
    rmws={
        "Rmw": RmwSpelling(_exclusive),
        "LxSx": RmwSpelling(_exclusive),
        "Amo.Swp": RmwSpelling(_atomic("SWP")),
        "Amo.Cas": RmwSpelling(_atomic("CAS", "MOV {d},#{n}")),
        "Amo.LdAdd": RmwSpelling(_atomic("LDADD"), lambda old, new: new - old),
        "Amo.LdEor": RmwSpelling(_atomic("LDEOR"), lambda old, new: old ^ new),
    },
)


def write(layout: CycleLayout) -> Printed:
    return assembly.write(layout, MACHINE)
