"""A litmus test from a cycle: header, meta lines, initial state, code, condition."""

from __future__ import annotations

from dataclasses import dataclass

from hybrid.generate.cycle import Cycle
from hybrid.generate.layout import lay_out
from hybrid.generate.names import name_of
from hybrid.generate.printed import AND
from hybrid.generate.printers import PRINTERS
from hybrid.generate.vocabulary import COMMUNICATION, INTERNAL


@dataclass(frozen=True, slots=True)
class GeneratedTest:
    name: str
    cycle: Cycle
    text: str


def litmus_test(cycle: Cycle, name: str = "") -> GeneratedTest:
    """The test whose condition is satisfied by the executions that have the cycle; the name is the
    canonical one unless given."""
    name = name or name_of(cycle)
    layout = lay_out(cycle)
    printed = PRINTERS[cycle.vocabulary.arch](layout)
    finals = [f"{location}={value}" for location, value in layout.finals]
    communication = " ".join(
        edge.kind for edge in cycle.edges if edge.kind in COMMUNICATION and edge.place != INTERNAL
    )
    lines = [
        f"{cycle.vocabulary.arch} {name}",
        f'"{cycle}"',
        f"Cycle={cycle}",
        f"Com={communication}",
        f"Orig={cycle}",
        printed.init,
        printed.code,
        "exists",
        f"({AND.join([*finals, *printed.checks])})",
    ]
    return GeneratedTest(name, cycle, "\n".join(lines) + "\n")
