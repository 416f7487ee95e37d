"""What sharing out may cost: what is shown of many traces is chosen without spelling them out."""

from __future__ import annotations

import pytest
from support import make_engine, model, program

from hybrid.catalogue.spelling import parse_configuration
from hybrid.compiled import is_compiled
from hybrid.engine.api import Limits
from hybrid.execution.snapshot import Snapshot
from hybrid.execution.trace import Key
from hybrid.parallel.unit import Worker
from hybrid.parallel.work import Job, WorkUnit

TEXT = """x = 0 y = 0
thread P: x := 1; x := 2; x := 3;
thread Q: y := 1; y := 2;
thread R: a := x; b := y; c := x; d := y;
exists (R:a >= 0)"""


@pytest.mark.parametrize("engine", ["trust", "rsmc"])
def test_the_smallest_trace_is_found_without_the_keys_of_all(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_compiled():
        pytest.skip("compiled classes cannot be changed")
    source = program(TEXT)
    smallest = min(t.key() for t in make_engine(engine).explore(source, model("sc"), Limits()))
    made = []
    whole = Snapshot.key

    def key(self: Snapshot) -> Key:
        made.append(self)
        return whole(self)

    monkeypatch.setattr(Snapshot, "key", key)
    worker = Worker(Job(source, model("sc"), parse_configuration(engine)))
    part = worker(WorkUnit((worker.subtrees.root(),), 60.0, False))
    assert part.counts.satisfying == part.counts.traces > 50
    assert not made
    monkeypatch.undo()
    example = part.counts.example
    assert example is not None
    rf = tuple(sorted(example.rf.items()))
    assert rf == smallest[0]
