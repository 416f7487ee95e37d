"""Which of two traces comes first is found without their whole keys, and as their keys say."""

from __future__ import annotations

import pytest
from support import make_engine, model, program

from hybrid.crosscheck.random_programs import random_program
from hybrid.engine.api import Limits
from hybrid.execution.trace import DataTrace
from hybrid.program.program import Program

LOOP = program(
    "x = 0 y = 0 thread P: L: r := x; y := r; if r = 0 goto L; "
    "thread Q: x := 1; s := faa(y, 2); x := 2;"
)


@pytest.mark.parametrize("engine", ["rsmc", "trust"])
@pytest.mark.parametrize("source", [LOOP, *(random_program(71, n) for n in range(12))])
def test_traces_are_ordered_as_their_keys(source: Program, engine: str) -> None:
    traces = list(make_engine(engine).explore(source, model("sc"), Limits(2, max_steps=60)))[:60]
    keys = [trace.key() for trace in traces]
    for trace, key in zip(traces, keys, strict=True):
        for other, its in zip(traces, keys, strict=True):
            assert trace.goes_before(other) is (key < its)
        assert trace.goes_before(DataTrace(traces[0].data())) is (key < keys[0])
