"""Loops from the command line: `show --after dynamic`, `--loops dynamic` in the verbs that explore,
witnesses, checkpoints."""

from __future__ import annotations

import json

import pytest
from cli_helpers import Hybrid

CARRIED = """x = 0; y = 0
thread P: P0: b := a; P1: a := x; P2: if a = 0 goto P0; P3: y := b;
thread Q: Q0: x := 1;
~exists (y = 1)
"""
LONELY = "x = 0\nthread P: P0: b := a; P1: a := x; P2: if a = 0 goto P0; P3: x := b;\n"


@pytest.fixture
def carried(hybrid: Hybrid) -> str:
    path = hybrid.folder / "carried.prog"
    path.write_text(CARRIED)
    return str(path)


def test_show(hybrid: Hybrid, carried: str) -> None:
    run = hybrid("show", carried, "--after", "dynamic", "--model", "sc")
    assert run.code == 0
    assert "//   stops behind a round that has no effect, and leaves a as before" in run.out
    assert "assume a != P0_was_a else wait while (x = P0_P1_got);" in run.out
    again = hybrid.folder / "again.prog"
    again.write_text(run.out)
    shown, read = (
        hybrid("verify", str(path), "--model", "sc", "--loops", loops, "--json")
        for path, loops in ((again, "keep"), (carried, "dynamic"))
    )
    assert [json.loads(each.out)["traces"] for each in (shown, read)] == [1, 1]
    plain = hybrid("show", carried, "--model", "sc").out
    assert "P0_was_a" not in plain
    power = hybrid("show", carried, "--after", "dynamic", "--model", "power").out
    assert "not watched: the model knows dependencies, and the next round uses a" in power


def test_verdicts(hybrid: Hybrid, carried: str) -> None:
    for loops, verdict in (("keep", "BOUNDED"), ("await", "BOUNDED"), ("dynamic", "HOLDS")):
        run = hybrid("verify", carried, "--model", "sc", "--loops", loops, "--json")
        assert json.loads(run.out)["verdict"] == verdict
    run = hybrid("crosscheck", carried, "--model", "sc", "--loops", "dynamic", "--engines", "all")
    assert run.code == 0


def test_livelock_and_its_witness(hybrid: Hybrid) -> None:
    path, witness = hybrid.folder / "lonely.prog", hybrid.folder / "lonely.json"
    path.write_text(LONELY)
    given = ("verify", str(path), "--model", "sc", "--loops", "dynamic", "--liveness")
    run = hybrid(*given, "--witness", str(witness))
    assert run.code == 1
    assert "livelock" in run.out
    assert json.loads(witness.read_text())["program"]["loops"] == ["dynamic"]
    replayed = hybrid("replay", str(witness))
    assert replayed.code == 0
    assert "confirmed" in replayed.out


def test_checkpoint(hybrid: Hybrid, carried: str) -> None:
    kept = hybrid.folder / "kept"
    given = ("verify", carried, "--model", "sc", "--loops", "dynamic", "--engine", "trust")
    first = hybrid(*given, "--json")
    second = hybrid(*given, "--json", "--checkpoint", str(kept))
    assert (first.code, second.code) == (0, 0)
    assert json.loads(first.out)["traces"] == json.loads(second.out)["traces"] == 1
