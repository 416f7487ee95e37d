"""`--races`, and how a data race is reported: both accesses by name, in text, JSON, drawings;
`replay` confirms it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_helpers import Hybrid

PLAIN = "x = 0\nthread P: L0: x := 1;\nthread Q: L1: r := x;\nforall (x = 1)\n"
ATOMIC = PLAIN.replace("r := x", "r := x @acq")
BLOCKED = """x = 0; y = 0
thread P: A: x := 1; B: y := 1 @rel;
thread Q: C: x := 2; D: await(y = 2) @rlx;
forall (x = 1)
"""
C = """C race
{}
P0 (atomic_int* y, int* x) { *x = 1; atomic_store_explicit(y, 1, memory_order_relaxed); }
P1 (atomic_int* y, int* x) { int r0 = atomic_load_explicit(y, memory_order_acquire); int r1 = *x; }
exists (1:r0=2)
"""
RACE = "Race: P's L0 (x := 1) and Q's L1 (r := x @acq) on x, lines 2 and 3\n"


def put(folder: Path, text: str, name: str = "race.prog") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("text", "races", "code", "verdict"),
    [
        (PLAIN, "", 0, "HOLDS"),
        (PLAIN, "error", 1, "VIOLATED"),
        (PLAIN, "note", 0, "HOLDS"),
        (ATOMIC, "", 1, "VIOLATED"),
        (ATOMIC, "note", 0, "HOLDS"),
        (ATOMIC, "ignore", 0, "HOLDS"),
    ],
)
def test_the_option(hybrid: Hybrid, text: str, races: str, code: int, verdict: str) -> None:
    options = ["--races", races] if races else []
    found = hybrid("verify", put(hybrid.folder, text), "--model", "rc11", *options)
    assert found.code == code
    assert f"Verdict race {verdict}\n" in found.out
    assert ("Race: P's L0 (x := 1) and Q's L1" in found.out) == (races != "ignore")
    assert "Observation race Always 2 0" in found.out
    assert "Flag race\n" in found.out


def test_both_accesses_are_named(hybrid: Hybrid) -> None:
    found = hybrid("verify", put(hybrid.folder, ATOMIC), "--model", "rc11")
    assert RACE in found.out
    assert "Witness: an execution with a data race" in found.out
    found = hybrid("verify", put(hybrid.folder, ATOMIC), "--model", "rc11", "--json")
    fields = json.loads(found.out)
    assert fields["races"] == "error"
    assert fields["race"]["status"] == "complete"
    ((first, second),) = fields["race"]["accesses"]
    assert first == {
        "thread": "P", "label": "L0", "text": "x := 1", "kind": "W", "location": "x", "line": 2
    }  # fmt: skip
    assert (second["thread"], second["label"], second["kind"]) == ("Q", "L1", "R")


def test_a_c_test_with_a_race(hybrid: Hybrid) -> None:
    """FORBIDDEN becomes VIOLATED; a table of known answers is compared as ever."""
    path = put(hybrid.folder, C, "race.litmus")
    found = hybrid("verify", path)
    assert found.code == 1
    assert "Verdict race VIOLATED" in found.out
    assert "Race: P0's" in found.out
    assert "Observation race Never 0 4" in found.out
    put(hybrid.folder, "file,observation,states\nrace.litmus,Never,2\n", "expected.csv")
    found = hybrid("verify", str(hybrid.folder), "--table")
    assert found.code == 0
    assert "VIOLATED (as expected)" in found.out


def test_a_blocked_run(hybrid: Hybrid) -> None:
    path = put(hybrid.folder, BLOCKED)
    witness = str(hybrid.folder / "race.json")
    found = hybrid("verify", path, "--model", "rc11", "--witness", witness)
    assert "Race: P's A (x := 1) and Q's C (x := 2) on x, lines 2 and 3 (in a waiting run)" in (
        found.out
    )
    found = hybrid("verify", path, "--model", "rc11", "--format", "herd")
    assert "Flag race\n" in found.out
    assert "Race: P's A (x := 1) and Q's C (x := 2) on x" in found.err
    found = hybrid("replay", witness)
    assert found.code == 0
    assert "confirmed" in found.out
    forged = json.loads(Path(witness).read_text(encoding="utf-8"))
    assert forged["races"] == [[[0, 0], [1, 0]]]
    forged["races"] = [[[0, 1], [1, 0]]]
    Path(witness).write_text(json.dumps(forged), encoding="utf-8")
    found = hybrid("replay", witness)
    assert found.code == 1
    assert "the races: the witness says 1 of thread P and 0 of thread Q" in found.out


@pytest.mark.large
@pytest.mark.parametrize("text", [ATOMIC, BLOCKED, ATOMIC.replace("forall (x = 1)", "")])
def test_explain_draws_the_race(hybrid: Hybrid, text: str) -> None:
    path = put(hybrid.folder, text)
    found = hybrid("explain", path, "--model", "rc11")
    assert found.code == 1
    assert "race under rc11: VIOLATED, a data race\nRace: P's" in found.out
    assert "\nrace  " in found.out
    for name, edge in (("x.dot", 'label="race"'), ("x.svg", "url(#to-race)")):
        drawn = hybrid.folder / name
        assert hybrid("explain", path, "--model", "rc11", "-o", str(drawn)).code == 1
        assert edge in drawn.read_text(encoding="utf-8")


def test_an_expected_race(hybrid: Hybrid) -> None:
    path = put(hybrid.folder, f"{ATOMIC}expect rc11: RACE 2 traces\n")
    found = hybrid("verify", path, "--model", "rc11", "--quiet")
    assert (found.code, found.out) == (0, "race rc11 VIOLATED (as expected)  flags: race\n")
    calm = ATOMIC.replace("x := 1;", "x := 1 @rlx;")
    path = put(hybrid.folder, f"{calm}expect rc11: RACE\n")
    found = hybrid("verify", path, "--model", "rc11")
    assert found.code == 1
    assert "Note: the file expects a race, there is none" in found.out


def test_parallel(hybrid: Hybrid) -> None:
    for text in (ATOMIC, BLOCKED):
        found = hybrid("verify", put(hybrid.folder, text), "--model", "rc11", "-j", "2")
        assert found.code == 1
        assert "Race: P's" in found.out
