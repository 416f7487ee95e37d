"""The programs of the bundle in C: under each model with a stated expectation the models of the
formula, decoded, are the traces of brute force, or of an explorer where brute force has too much to
do. For .prog and .litmus see test_formulas.py.

Of programs with many events (and of queue in any case) the formula is the one about what is
expected of runs, which certificates of them have. Some of the smaller programs; `make formulas`
takes all of at most 500 traces.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from decoded import MOST, differences, explored, solutions, traces

from hybrid.certificate.expectation import has_many_events
from hybrid.data import bundled
from hybrid.frontend.load import load_program
from hybrid.model.load import load_model
from hybrid.model.prefixes import allows_prefixes

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
    left_out = () if ALL else ("structures", "awaits")
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
    if allows_prefixes(about.model) and has_many_events(about):
        assert not differences(about, engine)
    else:
        assert solutions(about) == traces(about, engine)


def test_the_models_of_a_formula_of_what_is_expected_are_the_traces() -> None:
    chosen = explored(load_program(PROGRAMS / "structures" / "queue.c"), load_model("rc20"))
    assert chosen is not None
    assert not differences(*chosen)


def test_there_are_cases() -> None:
    assert len(cases()) > 10
