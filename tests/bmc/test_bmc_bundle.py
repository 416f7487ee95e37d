"""The bundled programs: bmc answers as the files expect, without enumerating, and counts as many
traces as they say."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import answer

from hybrid.bmc.engine import Bmc
from hybrid.bmc.solvers import SOLVERS
from hybrid.data import bundled
from hybrid.engine.api import Limits
from hybrid.frontend.prog import load_prog
from hybrid.model.load import load_model
from hybrid.report.summary import summarise
from hybrid.verdict import Verdict

FILES = sorted(bundled("litmus").rglob("*.prog"))
LOOPS = [path for path in FILES if "goto" in path.read_text(encoding="utf-8")]
MODELS = ("power", "tso", "rc11", "ra", "sc", "pso")


def check_answer(path: Path, name: str, solver: str) -> None:
    program = load_prog(path)
    result = answer(program, load_model(name), Limits(), solver)
    assert result.as_expected, (path.stem, name, result.messages)
    assert (result.witness is not None) == (result.answer in (Verdict.ALLOWED, Verdict.VIOLATED))
    if result.answer is Verdict.ALLOWED:
        assert result.satisfying


def check_count(path: Path, name: str, solver: str) -> None:
    program = load_prog(path)
    result = summarise(program, load_model(name), Bmc(solver), Limits(), duplicates=True)
    assert result.as_expected, (path.stem, name, result.messages)
    assert result.duplicates == 0
    assert not result.unfinished


@pytest.mark.large
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("number", range(len(MODELS)))
def test_answers(number: int, solver: str) -> None:
    """Every file under one of the models or another, half of them with each solver."""
    for path in FILES[2 * number + SOLVERS.index(solver) :: 2 * len(MODELS)]:
        check_answer(path, MODELS[number], solver)


@pytest.mark.large
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", MODELS[:3])
def test_counts(name: str, solver: str) -> None:
    start = 2 * MODELS.index(name) + SOLVERS.index(solver)
    for path in FILES[start :: 6 * len(SOLVERS)]:
        check_count(path, name, solver)


def test_programs_with_loops() -> None:
    assert len(LOOPS) >= 3
    for path in LOOPS:
        check_count(path, "tso", "sat")
