"""Tests for Power: plain accesses, its fences, dependencies; lwarx and stwcx. for
read-modify-writes."""

from __future__ import annotations

from hybrid.generate import assembly
from hybrid.generate.assembly import AssemblySyntax, RmwSpelling
from hybrid.generate.layout import CycleLayout
from hybrid.generate.printed import Printed
from hybrid.generate.vocabularies import PPC

FENCES = {"Sync": "sync", "LwSync": "lwsync", "Eieio": "eieio", "ISync": "isync"}

_REGISTERS = tuple(f"r{number}" for number in range(1, 32))

MACHINE = AssemblySyntax(
    PPC,
    _REGISTERS,
    _REGISTERS,
    constant="li {d},{n}",
    zero="xor {d},{r},{r}",
    plus="addi {d},{d},{n}",
    add="add {t},{a},{i}",
    branch=("cmpw {r},{r}", "beq {l}"),
    fences=FENCES,
    barriers={"CtrlIsync": "isync"},
    reads={"P": ("lwz {d},0({a})",)},
    writes={"P": ("stw {v},0({a})",)},
    indexed={"R": "lwzx {d},{i},{a}", "W": "stwx {v},{i},{a}"},
    rmws={
        "Rmw": RmwSpelling(lambda read, write: ("lwarx {d},r0,{a}", "stwcx. {v},r0,{a}", "bne {f}"))
    },
    observer=("sync",),
)


def write(layout: CycleLayout) -> Printed:
    return assembly.write(layout, MACHINE)
