"""The status of `sc_store` depends on its own store, if it stores, and on nothing else, in every
engine."""

from __future__ import annotations

import pytest
from enumerate_helpers import explore
from support import keys_of, model, program

from hybrid.bmc.engine import Bmc
from hybrid.engine.api import Engine, Limits
from hybrid.engine.enumerate.check import check_key
from hybrid.engine.rsmc.engine import Rsmc
from hybrid.execution.trace import TraceData
from hybrid.frontend.prog_print import print_program
from hybrid.program.instructions import StoreConditional
from hybrid.program.show import show_instruction

# A branch, an address and a value depend on the status.
TEXT = """
x = 0; y = 0; z = 0
thread P: r0 := x; sync; y := 1;
thread Q: A: a := z; L: r0 := lr(y); S: s := sc_store(y, r0 + a + 1);
  D: x := s; E: t := [&z + s - s];
    B: if s goto end; W: x := 1; end:
exists (P:r0 = 1 /\\ Q:r0 = 1)
"""


def edges(data: TraceData, name: str) -> set[tuple[str, str]]:
    label = {event.id: event.label for event in data.events}
    pairs = {"addr": data.addr, "data": data.data, "ctrl": data.ctrl}[name]
    return {(label[a], label[b]) for a, b in pairs}


def test_dependencies() -> None:
    succeeded = set()
    for trace in explore(TEXT, model("power"))[0]:
        data = trace.data()
        stores = "S" in {event.label for event in data.events}
        succeeded.add(stores)
        operands = {("A", "S"), ("L", "S")}
        assert edges(data, "data") == (operands | {("S", "D")} if stores else set())
        assert edges(data, "addr") == ({("S", "E")} if stores else set())
        assert edges(data, "ctrl") == ({("S", "W")} if stores else set())
        judged = check_key(program(TEXT), model("power"), trace.key(), Limits(5))
        assert isinstance(judged, TraceData)
        assert (judged.addr, judged.data, judged.ctrl) == (data.addr, data.data, data.ctrl)
    assert succeeded == {False, True}


@pytest.mark.parametrize("engine", [Rsmc, Bmc])
def test_engines_agree(engine: type[Engine]) -> None:
    power = model("power")
    expected = {trace.key() for trace in explore(TEXT, power)[0]}
    found, _ = keys_of(engine(), TEXT, power)
    assert len(found) == len(expected)
    assert set(found) == expected


def test_printed_and_read_again() -> None:
    parsed = program(TEXT)
    printed = print_program(parsed)
    assert "s := sc_store(y, " in printed
    (conditional,) = (
        i for i in program(printed).threads[1].code if isinstance(i, StoreConditional)
    )
    assert (conditional.by_store, conditional.free) == (True, False)
    assert show_instruction(conditional).startswith("s := sc_store(y, ")
