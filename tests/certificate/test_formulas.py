"""The formulas: what each has solutions for, and that these are the traces of the ground truth."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from certificates import COUNTER, LOOP, SB
from decoded import solutions, traces
from support import model, program

from hybrid.certificate.claim import Subject, excluded
from hybrid.certificate.formulas import (
    CIRCLES,
    CIRCLES_OF_VALUES,
    VERDICT,
    make_formula,
    may_be_circular,
)
from hybrid.certificate.prove import prove
from hybrid.data import bundled
from hybrid.encoding.acyclic import ENCODINGS
from hybrid.engine.api import Limits
from hybrid.engine.prepare import prepared
from hybrid.engine.races import Races, default_races
from hybrid.frontend.load import load_program, model_of
from hybrid.program.program import Program
from hybrid.verdict import Verdict

MODELS = ("sc", "tso", "pso", "ra", "rc11", "power")
FILES = [
    path for kind in ("prog", "litmus") for path in sorted(bundled("litmus").rglob(f"*.{kind}"))
]
TOO_MANY = frozenset({"rsmc-fig11-5"})  # candidates, for brute force; an explorer lists them
LB_DATA = """x = 0; y = 0
thread P: L0: r0 := x; L1: y := r0;
thread Q: L2: r1 := y; L3: x := r1;
exists (P:r0 = 1)
"""
NO_AXIOM = '"nothing"\n'


def subject(
    source: str | Program,
    under: str,
    liveness: bool = False,
    races: Races | None = None,
    loops: str = "",
) -> Subject:
    read_ = program(source) if isinstance(source, str) else source
    judged = model(under)
    ready = prepared(read_, judged, loops)
    limits = Limits(read_.unroll or 5)
    return Subject(ready, judged, limits, races or default_races(ready), liveness)


def impossible(about: Subject, answer: Verdict, acyclicity: str = "") -> bool:
    """Whether the formula shows the answer."""
    words = excluded(about, answer, False)
    return prove(make_formula(about, VERDICT, acyclicity, words).logic) is not None


def test_a_question() -> None:
    assert impossible(subject(SB, "sc"), Verdict.FORBIDDEN)
    assert not impossible(subject(SB, "tso"), Verdict.FORBIDDEN)


@pytest.mark.parametrize("acyclicity", ENCODINGS)
def test_every_encoding_of_acyclicity(acyclicity: str) -> None:
    assert impossible(subject(SB, "sc"), Verdict.FORBIDDEN, acyclicity)
    assert not impossible(subject(SB, "tso"), Verdict.FORBIDDEN, acyclicity)


@pytest.mark.parametrize(
    ("text", "under", "wrong"),
    [
        (COUNTER, "sc", False),
        (COUNTER.replace("x = 1)", "x = 2)"), "sc", True),
        ("x = 0\nthread P: L0: x := 1;\nforall (x = 1)\n", "sc", False),
        ("x = 0\nthread P: L0: x := 1;\nforall (x = 2)\n", "sc", True),
        # an assert; one that fails only before the thread is blocked
        ("x = 0\nthread P: r0 := x; assert r0 = 0;\n", "sc", False),
        ("x = 0\nthread P: r0 := x; assert r0 = 0;\nthread Q: x := 1;\n", "sc", True),
        ("x = 0\nthread P: r0 := x; assert r0 = 0; assume 0;\nthread Q: x := 1;\n", "sc", True),
        # an access to no location
        ("x = 0\nthread P: r0 := x; r1 := [&x + r0];\n", "sc", False),
        ("x = 0\nthread P: r0 := x; r1 := [&x + r0];\nthread Q: x := 1;\n", "sc", True),
        # what the filter leaves out does not count
        ("x = 0\nthread P: L0: x := 1;\nfilter (x = 2)\n~exists (x = 1)\n", "sc", False),
    ],
)
def test_what_makes_a_claim_wrong(text: str, under: str, wrong: bool) -> None:
    assert impossible(subject(text, under), Verdict.HOLDS) is not wrong


def test_a_bound_that_is_reached() -> None:
    kept = subject(LOOP, "sc", loops="keep")
    assert not impossible(kept, Verdict.HOLDS)
    assert impossible(kept, Verdict.BOUNDED)
    assert impossible(subject(LOOP, "sc"), Verdict.HOLDS)


def test_a_thread_that_waits_for_ever() -> None:
    text = "x = 0\nthread P: r0 := await(x = 1);\n~exists (x = 1)\n"
    assert impossible(subject(text, "sc"), Verdict.HOLDS)
    assert not impossible(subject(text, "sc", liveness=True), Verdict.HOLDS)


def test_races() -> None:
    text = "x = 0\nthread P: x := 1 @na;\nthread Q: r0 := x @na;\n~exists (x = 2)\n"
    assert not impossible(subject(text, "rc11", races=Races.ERROR), Verdict.HOLDS)
    assert impossible(subject(text, "rc11", races=Races.NOTE), Verdict.HOLDS)
    atomic = text.replace("@na", "@rlx")
    assert impossible(subject(atomic, "rc11", races=Races.ERROR), Verdict.HOLDS)


def test_circles() -> None:
    """Power forbids them by its axioms; a model that says nothing allows them, without values too,
    unless no value can go round."""
    about = subject(LB_DATA, "power")
    assert may_be_circular(about)
    assert prove(make_formula(about, CIRCLES, "").logic) is not None
    assert impossible(about, Verdict.FORBIDDEN)
    lawless = replace(about, model=replace(about.model, axioms=()))
    assert prove(make_formula(lawless, CIRCLES, "").logic) is None
    assert prove(make_formula(lawless, CIRCLES_OF_VALUES, "").logic) is None
    assert impossible(lawless, Verdict.FORBIDDEN)  # a value that justifies itself is none
    assert not may_be_circular(subject(LB_DATA, "sc"))


@pytest.mark.sample(64)
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_models_of_the_formula_are_the_traces(path: Path) -> None:
    """Under each model with a stated expectation, and all MODELS of those of no machine. C is in
    test_bundled_formulas.py."""
    read_ = load_program(path)
    names = {each.model for each in read_.expectations} or {model_of(read_)}
    if path.suffix == ".prog":
        names |= set(MODELS)
    for name in sorted(names):
        about = subject(read_, name)
        engine = "rsmc" if read_.name in TOO_MANY else "enumerate"
        assert solutions(about) == traces(about, engine), name


@pytest.mark.parametrize("acyclicity", ENCODINGS)
@pytest.mark.parametrize("under", ["tso", "power"])
def test_the_same_by_every_encoding(acyclicity: str, under: str) -> None:
    for text in (SB, COUNTER, LOOP, LB_DATA):
        about = subject(text, under)
        assert solutions(about, acyclicity) == traces(about)
