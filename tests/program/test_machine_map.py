"""C11's orders as machines have them: known answers, soundness against rc11, engines agree, labels
and jumps stay."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from support import choose_engine, make_engine, model, program

from hybrid.catalogue.spelling import parse_configurations
from hybrid.crosscheck.compare import crosscheck
from hybrid.data import bundled
from hybrid.engine.api import Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.frontend.load import load_program
from hybrid.model.core import Model
from hybrid.program.machine_map import MACHINES, map_program
from hybrid.program.program import Program
from hybrid.report.result import Outcome, Result
from hybrid.report.summary import summarise
from hybrid.verdict import Verdict

pytestmark = pytest.mark.sample(3)

MODELS = ("tso", "power", "armv7", "aarch64", "riscv")
MP = """x = 0; y = 0 thread P: x := 1 @rlx; y := 1 @{0};
    thread Q: r := y @{1}; s := x @rlx; exists (Q:r = 1 /\\ Q:s = 0)"""
MP_FENCED = """x = 0; y = 0 thread P: x := 1 @rlx; fence @rel; y := 1 @rlx;
    thread Q: r := y @rlx; fence @acq; s := x @rlx; exists (Q:r = 1 /\\ Q:s = 0)"""
MP_RMW = """x = 0; y = 0 thread P: x := 1 @rlx; _ := xchg(y, 1) @rel;
    thread Q: r := faa(y, 1) @acq; s := x @rlx; exists (Q:r = 1 /\\ Q:s = 0)"""
SB = """x = 0; y = 0 thread P: x := 1 @{0}; r := y @{1}; thread Q: y := 1 @{0}; s := x @{1};
    exists (P:r = 0 /\\ Q:s = 0)"""
SB_FENCED = """x = 0; y = 0 thread P: x := 1 @rlx; fence @{0}; r := y @rlx;
    thread Q: y := 1 @rlx; fence @{0}; s := x @rlx; exists (P:r = 0 /\\ Q:s = 0)"""
LB = """x = 0; y = 0 thread P: r := x @{1}; y := 1 @{0}; thread Q: s := y @{1}; x := 1 @{0};
    exists (P:r = 1 /\\ Q:s = 1)"""
IRIW = """x = 0; y = 0 thread A: x := 1 @{0}; thread B: y := 1 @{0};
    thread P: r := x @{1}; s := y @{1}; thread Q: t := y @{1}; u := x @{1};
    exists (P:r = 1 /\\ P:s = 0 /\\ Q:t = 1 /\\ Q:u = 0)"""
TWO = """x = 0; y = 0 thread P: x := 1 @{0}; y := 2 @{0}; thread Q: y := 1 @{0}; x := 2 @{0};
    exists (x = 1 /\\ y = 1)"""
ALL = set(MODELS)
WEAK = ALL - {"tso"}
ANSWERS: list[tuple[str, str, set[str]]] = [  # where it is allowed
    ("MP rlx", MP.format("rlx", "rlx"), WEAK),
    ("MP rel acq", MP.format("rel", "acq"), set()),
    ("MP rel rlx", MP.format("rel", "rlx"), WEAK),
    ("MP rel con", MP.format("rel", "con"), set()),
    ("MP fences", MP_FENCED, set()),
    ("MP rmws", MP_RMW, set()),
    ("SB rel acq", SB.format("rel", "acq"), ALL - {"aarch64"}),
    ("SB sc", SB.format("sc", "sc"), set()),
    ("SB fences acqrel", SB_FENCED.format("acqrel"), {"tso", "power", "riscv"}),
    ("SB fences sc", SB_FENCED.format("sc"), set()),
    ("LB rlx", LB.format("rlx", "rlx"), WEAK),
    ("LB rel acq", LB.format("rel", "acq"), set()),
    ("IRIW rel acq", IRIW.format("rel", "acq"), {"power"}),
    ("IRIW sc", IRIW.format("sc", "sc"), set()),
    ("2+2W rlx", TWO.format("rlx"), WEAK),
    ("2+2W sc", TWO.format("sc"), set()),
]
C_TESTS = sorted(bundled("litmus").joinpath("c").glob("*.litmus"))


def mapped(source: Program, name: str) -> Program:
    return map_program(source, model(name).machine)


def explore(source: Program, under: Model) -> Result:
    return summarise(source, under, make_engine(choose_engine(None, under, source)[0]), Limits())


def test_the_models_say_their_machines() -> None:
    assert {model(name).machine for name in MODELS} == set(MACHINES)
    assert not any(model(name).machine for name in ("sc", "pso", "ra", "rc11"))


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(("text", "allowed"), [a[1:] for a in ANSWERS], ids=[a[0] for a in ANSWERS])
def test_known_answers(name: str, text: str, allowed: set[str]) -> None:
    result = explore(mapped(program(text), name), model(name))
    assert result.answer is (Verdict.ALLOWED if name in allowed else Verdict.FORBIDDEN)


@cache
def without_thin_air() -> Model:
    """rc11 but for its axiom that program order and reads-from are acyclic, which the usual
    sequences do not keep for relaxed loads."""
    kept = tuple(a for a in model("rc11").axioms if a.name != "no-thin-air")
    return replace(model("rc11"), axioms=kept, commit_before=None)


def outcomes(source: Program) -> set[Outcome] | None:
    """Under C; None: it has a race."""
    result = summarise(source, without_thin_air(), Enumerate(), Limits())
    return None if result.race is not None else set(result.outcomes)


@pytest.mark.parametrize("path", C_TESTS[::23], ids=[path.stem for path in C_TESTS[::23]])
def test_nothing_new_on_machines(path: Path) -> None:
    """What a machine allows of a mapped test without a race, C allows of the test."""
    source = load_program(path)
    expected = outcomes(source)
    for name in MODELS if expected is not None else ():
        found = set(explore(mapped(source, name), model(name)).outcomes)
        assert found <= (expected or set()), name


@pytest.mark.parametrize("name", MODELS)
def test_engines_agree(name: str) -> None:
    texts = [text for title, text, _ in ANSWERS if title in ("MP rmws", "SB sc", "MP rel acq")]
    texts.append("""x = 0; l = 0
        thread P: await(x = 1) @acq; b := cas(l, 0, 1) @acqrel; L: l := 2 @rel;
        thread Q: x := 1 @rel; r := cas(l, 1, 3) @sc @fail.rlx; fence @acqrel;""")
    engines = parse_configurations("enumerate,rsmc,rsmc+rf,bmc:sat")
    for text in texts:
        result = crosscheck(mapped(program(text), name), model(name), engines, Limits())
        assert result.agree, result.differences


def test_labels_and_jumps() -> None:
    text = "x = 0 thread P: A: r := x @sc; B: if r = 0 goto A; C: x := 1 @sc; goto A; D: fence @sc;"
    (thread,) = mapped(program(text), "power").threads
    labels = [instruction.label for instruction in thread.code]
    assert labels[:5] == ["A.sync", "A", "A.bc", "A.isync", "B"]
    assert labels[5:7] == ["C.sync", "C"]
    jumps = [i.target for i in thread.code if hasattr(i, "target")]
    assert jumps == [3, 0, 0]
    (thread,) = mapped(program(text), "armv7").threads
    assert [i.label for i in thread.code][:6] == ["A", "A.dmb", "B", "C.dmb", "C", "C.dmb2"]
    (thread,) = mapped(program(text), "tso").threads
    assert [i.label for i in thread.code][:4] == ["A", "B", "C", "C.mfence"]


def test_expectations_are_of_the_program_as_written() -> None:
    text = program("x = 0 thread P: x := 1 @rel; exists (x = 1) expect power: FORBIDDEN")
    assert mapped(text, "power").expectations == ()
    assert mapped(text, "power").mapped == "power"
