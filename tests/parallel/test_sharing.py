"""Which explorations are shared out, and what is said where they cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import model, program

from hybrid.catalogue.engines import ENTRIES, entry_of
from hybrid.engine.configuration import Configuration
from hybrid.engine.entry import EngineEntry
from hybrid.errors import InputError
from hybrid.parallel.sharing import Sharing, divisible

CHECKPOINT = Sharing(checkpoint=Path("point"))
TEXT = "x = 0 thread P: x := 1; thread Q: r := x; exists (Q:r = 1)"


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_by_the_entry(entry: EngineEntry) -> None:
    name, asked = entry.name, Configuration(entry.name)
    assert Sharing().wanted(asked, limited=False) == (False, "")
    shared, note = Sharing(2).wanted(asked, limited=False)
    assert shared == entry.divisible == (not note)
    assert (name in divisible().split(", ")) == shared
    if shared:
        assert CHECKPOINT.wanted(asked, limited=False) == (True, "")
        return
    assert note == f"-j has no effect: {name} explores one program with one process"
    with pytest.raises(InputError, match=f"--checkpoint does not go with {name}") as caught:
        CHECKPOINT.wanted(asked, limited=False)
    assert caught.value.hint == f"engines that share their work out: {divisible()}"


def test_notes() -> None:
    asked = Configuration("rsmc")
    assert Sharing(2).wanted(asked, limited=True) == (False, "-j has no effect with --limit")
    shared, note = Sharing(2, "tcp://127.0.0.1:8786").wanted(asked, limited=False)
    assert shared and note.startswith("-j has no effect with --cluster")
    assert Sharing(1, "tcp://127.0.0.1:8786", Path("point")).demanded == ["cluster", "checkpoint"]


@pytest.mark.parametrize("engine", ["rsmc", "trust"])
def test_explore(engine: str, tmp_path: Path) -> None:
    configuration = entry_of(engine).completed(Configuration(engine))
    limits = configuration.limits()
    saved = Sharing(2, checkpoint=tmp_path / "point")
    result = saved.explore(program(TEXT), model("sc"), configuration, limits, False)
    assert (result.engine, result.oracle, result.traces) == (engine, "graph", 2)
    assert (tmp_path / "point").exists()
