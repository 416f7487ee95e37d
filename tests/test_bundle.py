"""The bundled programs: each says what it is and what it expects, and every engine confirms it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from support import make_engine

from hybrid.data import bundled
from hybrid.engine.api import Limits
from hybrid.engine.prepare import prepared
from hybrid.frontend.prog import load_prog
from hybrid.model.core import Model
from hybrid.model.load import load_model
from hybrid.program.program import Program
from hybrid.report.result import Result
from hybrid.report.summary import summarise

pytestmark = pytest.mark.sample(16)

MODELS = ("sc", "tso", "pso", "ra", "rc11", "power")
FILES = sorted(bundled("litmus").rglob("*.prog"))
# deadlocks and livelocks, of the programs that have some; `sleepers` has none under sc
WAITING = {
    "locks-crossed": (1, 0), "wake-up-lost": (0, 1), "sleepers": (0, 1), "godot-fig5": (0, 6),
    "godot-fig5-sums": (0, 6),
}  # fmt: skip
TOO_MANY = frozenset({"rsmc-fig11-5"})  # candidates, for brute force in a test

model = cache(load_model)
program_of = cache(load_prog)


def name_of(path: Path) -> str:
    return path.stem


def explore(program: Program, under: Model, engine: str) -> Result:
    program = prepared(program, under, "")
    return summarise(program, under, make_engine(engine), Limits(), duplicates=True)


def check(program: Program, engine: str) -> None:
    """What the file expects comes out under every model, without a duplicate or a run that got
    stuck."""
    for name in MODELS:
        result = explore(program, model(name), engine)
        assert result.as_expected, (name, result.messages)
        assert result.duplicates == 0, name
        assert not result.unfinished, name
        waiting = (0, 0) if (program.name, name) == ("sleepers", "sc") else None
        waiting = waiting or WAITING.get(program.name, (0, 0))
        assert (result.counters.deadlocks, result.counters.livelocks) == waiting, name


def test_there_is_a_bundle() -> None:
    folders = {path.parent.name for path in FILES}
    assert folders == {"classic", "papers"}
    assert len(FILES) > 250


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_file_says_what_it_is(path: Path) -> None:
    program = program_of(path)
    assert program.name == path.stem
    assert program.description.endswith(".")
    expected = {expectation.model: expectation for expectation in program.expectations}
    assert tuple(expected) == MODELS
    assert all(expectation.traces for expectation in expected.values())


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_rsmc(path: Path) -> None:
    check(program_of(path), "rsmc")


@pytest.mark.parametrize("path", [p for p in FILES if p.stem not in TOO_MANY], ids=name_of)
def test_enumerate(path: Path) -> None:
    check(program_of(path), "enumerate")


def test_a_wrong_expectation_is_noticed(tmp_path: Path) -> None:
    text = next(path for path in FILES if path.stem == "SB").read_text(encoding="utf-8")
    for right, wrong in (("sc: FORBIDDEN", "sc: ALLOWED"), ("3 traces", "4 traces")):
        assert right in text
        path = tmp_path / "SB.prog"
        path.write_text(text.replace(right, wrong, 1), encoding="utf-8")
        with pytest.raises(AssertionError):
            check(load_prog(path), "rsmc")


@pytest.mark.large
def test_stronger_models_have_fewer_outcomes() -> None:
    """What sc allows every model allows; what tso allows pso allows."""
    for path in FILES:
        if path.parent.name != "classic":
            continue
        program = program_of(path)
        counts = {e.model: e.traces or 0 for e in program.expectations}
        assert counts["sc"] == min(counts.values()), path.stem
        assert counts["tso"] <= counts["pso"], path.stem
        if program.expectations[0].verdict in ("ALLOWED", "VIOLATED"):
            assert len({e.verdict for e in program.expectations}) == 1, path.stem
