"""Tests for RISC-V: plain, acquire and release accesses, AMOs in place of accesses, exclusive
pairs, fences, dependencies; lr/sc and AMOs for read-modify-writes."""

from __future__ import annotations

from collections.abc import Callable

from hybrid.generate import assembly
from hybrid.generate.assembly import AssemblySyntax, Lines, RmwSpelling
from hybrid.generate.layout import CycleLayout
from hybrid.generate.printed import Printed
from hybrid.generate.vocabularies import RISCV

_SETS = ("rw", "r", "w")

FENCES = {
    **{f"Fence.{before}.{after}": f"fence {before},{after}" for before in _SETS for after in _SETS},
    "Fence.tso": "fence.tso",
    "Fence.i": "fence.i",
}

_ORDER = {
    ("P", "P"): "",
    ("Aq", "P"): ".aq",
    ("P", "Rl"): ".rl",
    ("Aq", "Rl"): ".aq.rl",
    ("AR", "AR"): ".aq.rl",
}


def _exclusive(read: str, write: str) -> Lines | None:
    loads = {"P": "", "Aq": ".aq", "AR": ".aq.rl"}
    stores = {"P": "", "Rl": ".rl", "AR": ".aq.rl"}
    if read not in loads or write not in stores:
        return None
    return f"lr.w{loads[read]} {{d}},0({{a}})", f"sc.w{stores[write]} {{s}},{{v}},0({{a}})"


def _atomic(name: str) -> Callable[[str, str], Lines | None]:
    def lines(read: str, write: str) -> Lines | None:
        order = _ORDER.get((read, write))
        return None if order is None else (f"{name}.w{order} {{d}},{{v}},({{a}})",)

    return lines


_REGISTERS = tuple(f"x{number}" for number in range(5, 32))

MACHINE = AssemblySyntax(
    RISCV,
    _REGISTERS,
    _REGISTERS,
    constant="ori {d},x0,{n}",
    zero="xor {d},{r},{r}",
    plus="ori {d},{d},{n}",
    add="add {t},{a},{i}",
    branch=("bne {r},x0,{l}",),
    fences=FENCES,
    barriers={"CtrlFenceI": "fence.i"},
    reads={
        "P": ("lw {d},0({a})",),
        "Aq": ("lw.aq {d},0({a})",),
        "AR": ("amoor.w.aq.rl {d},x0,({a})",),
        "X": ("lr.w {d},0({a})", "sc.w {s},{d},0({a})"),
    },
    writes={
        "P": ("sw {v},0({a})",),
        "Rl": ("sw.rl {v},0({a})",),
        "AR": ("amoswap.w.aq.rl x0,{v},({a})",),
        "X": ("lr.w {d},0({a})", "sc.w {s},{v},0({a})"),
    },
    rmws={
        "Rmw": RmwSpelling(_exclusive),
        "LxSx": RmwSpelling(_exclusive),
        "Amo.Swap": RmwSpelling(_atomic("amoswap")),
        "Amo.Add": RmwSpelling(_atomic("amoadd"), lambda old, new: new - old),
        "Amo.Xor": RmwSpelling(_atomic("amoxor"), lambda old, new: old ^ new),
    },
)


def write(layout: CycleLayout) -> Printed:
    return assembly.write(layout, MACHINE)
