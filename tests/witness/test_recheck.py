"""Witnesses of all kinds of runs, by every engine, are confirmed when they are replayed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support import model

from hybrid.catalogue.engines import make
from hybrid.catalogue.spelling import parse_configuration
from hybrid.engine.api import Limits
from hybrid.execution.trace import Status, TraceData
from hybrid.frontend.prog import parse_program
from hybrid.source import Source
from hybrid.witness.recheck import recheck

ENGINES = (
    "enumerate",
    "rsmc",
    "rsmc+rf",
    "trust",
    "trust+rf",
    "trust-linear",
    "revisit",
    "stateful",
    "bmc:sat",
)
LIMITS = Limits(unroll=2)

# program, a register and what it holds in some run of this status
RUNS: dict[str, tuple[str, Status, dict[str, int]]] = {
    "a store-conditional that fails": (
        "x = 0\nthread P: L0: r0 := lr(x); L1: r1 := sc(x, 2);",
        Status.COMPLETE,
        {"r0": 0, "r1": 1},
    ),
    "a thread that stops at a stray access": (
        "x = 3; y = 0\nthread P: L0: r0 := x; L1: r1 := r0 + 4; L2: r0 := [r1 + 90000];\n"
        "thread Q: L3: y := 1;",
        Status.ERROR,
        {"r0": 3, "r1": 7},
    ),
    "a thread that waits for ever, where accesses race": (
        "x = 0\nthread P: L0: r0 := x; L1: r1 := await(x = 1);\nthread Q: L2: x := 0;",
        Status.WAITING,
        {"r0": 0},
    ),
    "a thread that is cut": (
        "x = 0\nthread P: L0: r0 := x; L1: if r0 = 0 goto L0;\nthread Q: L2: x := 1;",
        Status.CUT,
        {"r0": 0},
    ),
}


def runs(engine: str, text: str) -> list[TraceData]:
    program = parse_program(Source("<test>", text))
    explorer = make(parse_configuration(engine))
    return [trace.data() for trace in explorer.explore(program, model("rc11"), LIMITS)]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", RUNS)
def test_witnesses_are_confirmed(name: str, engine: str) -> None:
    text, status, registers = RUNS[name]
    found = runs(engine, text)
    assert any(
        data.status is status and data.registers[0].items() >= registers.items() for data in found
    )
    for data in found:
        assert recheck(data, model("rc11"), engine, LIMITS) == ()


def test_what_is_not_so_is_refuted() -> None:
    text, _, _ = RUNS["a store-conditional that fails"]
    data = runs("enumerate", text)[0]
    wrong = replace(data, registers=({**data.registers[0], "r0": 7},))
    differences = recheck(wrong, model("rc11"), "enumerate", LIMITS)
    assert differences == ("final register P:r0: the witness says 7, replay gives 0",)
