"""Runs of A64 code of one thread."""

from __future__ import annotations

from collections.abc import Mapping

from support import model

from hybrid.engine.api import Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.execution.trace import Status, TraceData
from hybrid.frontend.load import parse_litmus
from hybrid.source import Source

POINTERS = "0:X20=x; 0:X21=y; 0:X22=z;"


def litmus(code: str, initial: str) -> str:
    """A test of one thread; instructions are separated by semicolons, and X20, X21 and X22 point to
    x, y and z."""
    lines = "\n".join(f" {line.strip()} ;" for line in code.split(";"))
    return f"AArch64 Test\n{{ {POINTERS} {initial} }}\n P0 ;\n{lines}\nexists (true)\n"


def run(code: str, initial: str = "") -> TraceData:
    """The only complete execution of the code."""
    traces = runs(code, initial)
    assert len(traces) == 1
    return traces[0]


def runs(code: str, initial: str = "") -> list[TraceData]:
    """All complete executions."""
    program = parse_litmus(Source("test.litmus", litmus(code, initial)))
    traces = Enumerate().explore(program, model("aarch64"), Limits())
    return [trace.data() for trace in traces if trace.status is Status.COMPLETE]


def registers(initial: Mapping[str, int]) -> str:
    """An initial state that gives registers these values."""
    return " ".join(f"0:{name}={value};" for name, value in initial.items())


def memory(data: TraceData) -> dict[str, int]:
    """Final values by name."""
    return {place.name: data.memory[place.address] for place in data.program.locations}
