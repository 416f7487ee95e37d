"""Relations of a whole trace, evaluated anew: what is looked at for it. What comes out is compared
with other evaluators in the tests of the oracles, of reasons and of flags."""

from __future__ import annotations

from typing import Any

import pytest
from support import model, program

from hybrid.execution.execution import Execution
from hybrid.execution.step import LOAD
from hybrid.execution.unfolding import Unfolding
from hybrid.oracle.graph import GraphOracle


class _Counting(list[int]):
    looks = 0

    def __getitem__(self, index: Any) -> Any:
        self.looks += 1
        return super().__getitem__(index)


@pytest.mark.interpreted
@pytest.mark.parametrize("tag", ["na", "rlx"])
def test_whether_there_is_a_race_is_asked_of_conflicts_only(tag: str) -> None:
    """However many other accesses there are, happens-before is looked at for those to x alone."""
    looks = []
    for others in (2, 40):
        more = " ".join(f"y := {n} @rlx;" for n in range(others))
        source = program(
            f"x = 0 y = 0 z = 0 thread P: {more} x := 1 @{tag}; z := 1 @rel; "
            f"thread Q: {more} x := 2 @{tag}; r := z @acq;"
        )
        execution = Execution(Unfolding(source, 0, False))
        oracle = GraphOracle(model("rc11"), execution)
        while execution.pending:
            event = (execution.pending & -execution.pending).bit_length() - 1
            order = execution.co[execution.location[event]]
            step = execution.steps[event]
            assert step is not None
            place = order[0] if step.kind == LOAD else len(order)
            assert oracle.allowed(execution, event, [place])
            oracle.commit(event, place)
            execution.commit(event, place)
        oracle.settled(execution)
        kept = oracle._flags._known
        counting = [_Counting(columns) for columns in kept.values()]
        kept.update(zip(kept, counting, strict=True))
        assert oracle.flags() == (("race",) if tag == "na" else ())
        looks.append(sum(columns.looks for columns in counting))
    assert looks[0] == looks[1]
    assert bool(looks[0]) is (tag == "na")
