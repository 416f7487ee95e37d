"""Checkers of proofs: who is there, and what they say."""

from __future__ import annotations

import importlib.util
import os
import shutil
import time
from pathlib import Path

import pytest

from hybrid.certificate import checkers
from hybrid.certificate.checkers import DRAT_TRIM, DRATIFY, DRATIFY_PYTHON, NoChecker, find_checker
from hybrid.certificate.cnf import CnfLogic
from hybrid.certificate.prove import prove
from hybrid.errors import Stopped

SQUARE = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n"  # no solution
OPEN = "p cnf 2 3\n1 2 0\n-1 2 0\n1 -2 0\n"  # has one
PROOF = "2 0\n0\n"
SOON = 60.0  # seconds, more than enough

there = pytest.mark.skipif(importlib.util.find_spec("dratify") is None, reason="no dratify here")


@pytest.mark.large
@there
@pytest.mark.parametrize("name", [DRATIFY, DRATIFY_PYTHON])
@pytest.mark.parametrize("apart", [False, True])
def test_right_and_wrong_proofs(name: str, apart: bool) -> None:
    checker = find_checker(name)
    deadline = time.monotonic() + SOON if apart else None
    assert checker.check(SQUARE, PROOF, deadline) == ""
    assert "never derives the empty clause" in checker.check(SQUARE, "", deadline)
    assert "neither RUP nor RAT" in checker.check(OPEN, "0\n", deadline)
    assert "neither RUP nor RAT" in checker.check(OPEN, "2 0\n-2 0\n0\n", deadline)
    for text in ("2 0", "2 x 0\n0\n", "2\n", f"{'9' * 5000} 0\n0\n", "d d 0\n", "٢ 0\n0\n"):
        if text != "2 0":
            assert checker.check(OPEN, text, deadline) != ""


@there
def test_the_version_is_told() -> None:
    assert str(find_checker(DRATIFY_PYTHON)).startswith("dratify 0.")
    assert find_checker().name == DRATIFY


def test_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(NoChecker, match="there is no checker") as error:
        find_checker()
    assert error.value.exit_code == 3
    assert "proofs" in error.value.hint
    with pytest.raises(NoChecker, match="drat-trim is not installed"):
        find_checker(DRAT_TRIM)


def drat_trim(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts a program of that name on the PATH."""
    path = folder / "drat-trim"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ('grep -q "^p cnf" "$1" && grep -q "^0" "$2" && echo "s VERIFIED"', ""),
        ('echo "c ERROR"; echo "s NOT VERIFIED"; exit 1', "does not verify it: s NOT VERIFIED"),
        ("exit 1", "it says nothing"),
    ],
)
def test_drat_trim(script: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drat_trim(tmp_path, script, monkeypatch)
    found = find_checker(DRAT_TRIM).check(SQUARE, PROOF, None)
    assert found == said if not said else said in found


@pytest.mark.parametrize("script", ["sleep 60", 'echo "s TIMEOUT"'])
def test_drat_trim_takes_too_long(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drat_trim(tmp_path, script, monkeypatch)
    with pytest.raises(Stopped):
        find_checker(DRAT_TRIM).check(SQUARE, PROOF, time.monotonic() + 0.2)


@there
def test_dratify_takes_too_long() -> None:
    with pytest.raises(Stopped):
        find_checker(DRATIFY).check(SQUARE, PROOF, time.monotonic())


def pigeons(holes: int) -> CnfLogic:
    """One pigeon more than holes."""
    logic = CnfLogic()
    sits = [[logic.variable((p, h)) for h in range(holes)] for p in range(holes + 1)]
    for each in sits:
        logic.add(each)
    for hole in range(holes):
        for a in range(holes + 1):
            for b in range(a):
                logic.add((-sits[a][hole], -sits[b][hole]))
    return logic


@there
@pytest.mark.parametrize("name", [DRATIFY, DRATIFY_PYTHON])
def test_proofs_of_the_solver(name: str) -> None:
    logic = pigeons(5)
    proof = prove(logic)
    assert proof is not None
    assert proof.endswith("\n0\n")
    assert find_checker(name).check(logic.dimacs(), proof, None) == ""
    lines = proof.split("\n")
    assert checkers.find_checker(name).check(logic.dimacs(), "\n".join(lines[-3:]), None) != ""


def test_no_proof_where_there_is_a_solution() -> None:
    logic = CnfLogic()
    logic.add((logic.variable("a"),))
    assert prove(logic) is None


def test_a_proof_takes_too_long() -> None:
    with pytest.raises(Stopped):
        prove(pigeons(11), time.monotonic() + 0.3)
