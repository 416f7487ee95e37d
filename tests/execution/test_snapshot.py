"""What a trace tells without being spelled out."""

from __future__ import annotations

import pytest
from compiled_programs import compiled, origin
from support import make_engine, model

from hybrid.engine.api import Limits
from hybrid.execution.snapshot import Snapshot
from hybrid.execution.trace import TraceData, late_stores
from hybrid.program.origin import RELEASED

# Q's stores may come after the one that frees x, one of them or both; z is never freed.
FREED = compiled(
    f"""x = 0; y = 0; z = 0
thread P: L1: x := {RELEASED} @na; L2: y := {RELEASED} @na;
thread Q: L3: y := 1 @na; L4: x := 1 @na; L5: z := 1 @na; L6: x := 2 @na;
""",
    {name: origin(name, "free(p)") for name in ("L1", "L2", "L3", "L4", "L5", "L6")},
)


@pytest.mark.interpreted
@pytest.mark.parametrize("engine", ["rsmc", "trust"])
def test_stores_to_freed_memory(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    traces = list(make_engine(engine).explore(FREED, model("rc20"), Limits()))
    expected = [late_stores(trace.data()) for trace in traces]
    seen = {"", "queue.c:3", "queue.c:4 queue.c:6", "queue.c:3 queue.c:4 queue.c:6"}
    assert {" ".join(each) for each in expected} == seen | {"queue.c:6", "queue.c:3 queue.c:6"}

    def spelled_out(trace: Snapshot) -> TraceData:
        raise AssertionError("all of a trace is spelled out to find its late stores")

    monkeypatch.setattr(Snapshot, "data", spelled_out)
    assert [trace.late_stores() for trace in traces] == expected
