"""A model whose commit-before does not fit its axioms: rsmc gets stuck, and `--engine auto` goes on
with another engine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_helpers import Hybrid

WEAK = """"weak"
include "power.cat"
(*% commit-before (addr | data | ctrl | rf)+ *)
"""
FIG5 = r"""
x = 0; y = 0
thread P: L0: r0 := y; L1: x := r0; L2: x := 2;
thread Q: L3: x := 3; L4: sync; L5: y := 1;
"""
QUESTION = FIG5 + r"exists (P:r0 = 1 /\ x = 3)"
MANY = FIG5 + "thread R: x := 4; x := 5; thread S: r0 := x; r1 := x; r2 := x;"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "weak.cat").write_text(WEAK, encoding="utf-8")
    (tmp_path / "fig5.prog").write_text(QUESTION, encoding="utf-8")
    return [str(tmp_path / "fig5.prog"), "--model", str(tmp_path / "weak.cat"), "--policy", "last"]


def test_auto_goes_on_with_another_engine(hybrid: Hybrid, files: list[str]) -> None:
    run = hybrid("verify", *files)
    assert run.code == 0
    assert "Verdict fig5 FORBIDDEN" in run.out
    assert "Note: enumerate answers, as rsmc got stuck: the commit-before of weak" in run.out
    assert "Engine enumerate\n" in run.out
    assert "has no effect" not in run.out


@pytest.mark.large
def test_a_large_program_goes_to_bmc(hybrid: Hybrid, files: list[str], tmp_path: Path) -> None:
    (tmp_path / "fig5.prog").write_text(MANY, encoding="utf-8")
    found = json.loads(hybrid("verify", *files, "--json", "--first").out)
    assert (found["engine"], found["verdict"], found["stuck"]) == ("bmc", "HOLDS", 0)
    assert any(note.startswith("bmc answers, as rsmc got stuck") for note in found["messages"])


@pytest.mark.parametrize("options", [["--engine", "rsmc"], ["--engine", "rsmc", "-j", "2"]])
def test_rsmc_by_name_stays_inconclusive(
    hybrid: Hybrid, files: list[str], options: list[str]
) -> None:
    run = hybrid("verify", *files, *options)
    assert run.code == 3
    assert "Verdict fig5 INCONCLUSIVE" in run.out and "1 stuck run" in run.out
    assert "Engine rsmc" in run.out and "answers" not in run.out


@pytest.mark.parametrize("options", [["-j", "2"], ["--checkpoint", "saved.json"]])
def test_an_exploration_that_is_shared_out(
    hybrid: Hybrid, files: list[str], options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(files[0]).parent)
    run = hybrid("verify", *files, *options)
    assert run.code == 0
    assert "Note: enumerate answers, as rsmc got stuck" in run.out


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_in_a_batch(hybrid: Hybrid, files: list[str], tmp_path: Path, jobs: str) -> None:
    other = tmp_path / "other.prog"
    other.write_text("x = 0 thread P: x := 1; forall (x = 1)", encoding="utf-8")
    run = hybrid("verify", str(other), *files, "-j", jobs, "--json")
    rows = {row["program"]: row for row in map(json.loads, run.out.splitlines())}
    assert run.code == 0
    assert (rows["other"]["engine"], rows["fig5"]["engine"]) == ("rsmc", "enumerate")
    assert rows["fig5"]["verdict"] == "FORBIDDEN"
    assert any("rsmc got stuck" in note for note in rows["fig5"]["messages"])
