"""The status of `sc` depends on loads and that of `stx` does not, in every engine."""

from __future__ import annotations

import pytest
from enumerate_helpers import explore
from support import keys_of, model, program

from hybrid.bmc.engine import Bmc
from hybrid.engine.api import Engine
from hybrid.engine.rsmc.engine import Rsmc

# Load buffering: the store of x comes behind a branch on the status.
TEXT = """
x = 0; y = 0
thread P: r0 := x; sync; y := 1;
thread Q: L: r0 := lr(y); S: s := {name}(y, r0 + 1); B: if s goto E; W: x := 1; E:
exists (P:r0 = 1 /\\ Q:r0 = 1)
"""


@pytest.mark.parametrize(("name", "depends"), [("sc", True), ("stx", False)])
def test_dependencies(name: str, depends: bool) -> None:
    text, seen = TEXT.format(name=name), False
    first, second = program(text).terms
    for trace in explore(text, model("power"))[0]:
        seen |= (trace.value_of(first), trace.value_of(second)) == (1, 1)
        label = {event.id: event.label for event in trace.data().events}
        stores = "W" in label.values()
        edges = {(label[a], label[b]) for a, b in trace.data().ctrl}
        assert edges == ({("L", "W")} if depends and stores else set())
    assert seen is not depends


@pytest.mark.parametrize("engine", [Rsmc, Bmc])
@pytest.mark.parametrize("name", ["sc", "stx"])
def test_engines_agree(name: str, engine: type[Engine]) -> None:
    text, power = TEXT.format(name=name), model("power")
    expected = {trace.key() for trace in explore(text, power)[0]}
    found, _ = keys_of(engine(), text, power)
    assert len(found) == len(expected)
    assert set(found) == expected
