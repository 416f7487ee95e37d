"""The programs of the bundle in C: under each model with a stated expectation the models of the
formula, decoded, are the traces of brute force, or of an explorer where brute force has too much to
do. For .prog and .litmus see test_formulas.py.

Some of the smaller ones; `make formulas` takes all of at most 500 traces, but for the folder
structures, some of whose formulas are too large: see docs/certificates.md.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from decoded import MOST, explored, solutions, traces

from hybrid.data import bundled
from hybrid.frontend.load import load_program
from hybrid.model.load import load_model

ALL = os.environ.get("HYBRID_FORMULAS") == "all"
PROGRAMS = bundled("litmus") / "programs"
FEW = 40  # traces of a program that is quick enough for a test
EVERY = 1 if ALL else 6
SIZES = re.compile(r"(\w+): \w+ ([0-9]+) traces")

pytestmark = pytest.mark.large


def expected(path: Path) -> dict[str, int]:
    """Under which models it has expectations, and of how many traces."""
    lines = re.findall(r"^//@ expect (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: int(number) for name, number in SIZES.findall(", ".join(lines))}


def cases() -> list[tuple[Path, str]]:
    files = sorted(path for path in PROGRAMS.rglob("*") if path.suffix in (".c", ".cpp"))
    most = MOST if ALL else FEW
    found = [(p, name) for p in files for name, number in expected(p).items() if number <= most]
    left_out = ("structures",) if ALL else ("structures", "awaits")
    small = [case for case in found if case[0].parent.name not in left_out]
    return small[::EVERY]


@pytest.mark.parametrize(
    ("path", "name"), cases(), ids=lambda it: it if isinstance(it, str) else it.stem
)
def test_the_models_of_the_formula_are_the_traces(path: Path, name: str) -> None:
    chosen = explored(load_program(path), load_model(name))
    if chosen is None:
        pytest.skip(f"more than {MOST} traces")
    about, engine = chosen
    print(f"{path.parent.name}/{path.stem} under {name}: {engine}")
    assert solutions(about) == traces(about, engine)


def test_there_are_cases() -> None:
    assert len(cases()) > 10
