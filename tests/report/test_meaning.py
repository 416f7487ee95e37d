"""The sentence after a verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hybrid.engine.api import Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.engine.races import Races
from hybrid.frontend.prog import parse_program
from hybrid.model.load import load_model
from hybrid.program.origin import GLOBAL, MemoryBlock
from hybrid.report.meaning import meaning
from hybrid.report.summary import summarise
from hybrid.source import Source

SB = r"""
x = 0; y = 0
thread P: x := 1; r0 := y;
thread Q: y := 1; r1 := x;
"""
BOTH = r"P:r0=0 /\ Q:r1=0"


def said(text: str, model: str = "sc", limit: int | None = None, liveness: bool = False) -> str:
    program = parse_program(Source("t.prog", text))
    found = load_model(model)
    result = summarise(
        program, found, Enumerate(), Limits(unroll=1), max_traces=limit, liveness=liveness
    )
    return meaning(result)


@pytest.mark.parametrize(
    ("claim", "model", "sentence"),
    [
        ("exists", "tso", f"Under tso, some execution ends with {BOTH}."),
        ("exists", "sc", f"Under sc, no execution ends with {BOTH}."),
        ("~exists", "sc", f"Under sc, no execution ends with {BOTH}, as the program claims."),
        (
            "~exists",
            "tso",
            f"Under tso, some execution ends with {BOTH}, and the program claims that none does.",
        ),
        (
            "forall",
            "sc",
            f"Under sc, some execution does not end with {BOTH}, "
            "and the program claims that all do.",
        ),
    ],
)
def test_conditions(claim: str, model: str, sentence: str) -> None:
    assert said(f"{SB}{claim} ({BOTH})", model) == sentence


def test_an_answer_that_is_not_expected() -> None:
    text = f"{SB}exists ({BOTH}) expect sc: ALLOWED"
    assert said(text) == f"Under sc, no execution ends with {BOTH}; this is not as expected."


def test_an_open_answer() -> None:
    cut = "x = 0 thread P: x := 1; thread Q: S: r := x; if r = 0 goto S; exists (Q:r = 2)"
    assert said(cut) == (
        "Under sc, no execution that was found ends with Q:r=2; "
        "runs that were cut at a bound might."
    )
    assert said(f"{SB}exists ({BOTH})", limit=1) == (
        f"Under sc, no execution that was found ends with {BOTH}; "
        "executions that were not looked at might."
    )


def test_asserts_errors_and_waiting() -> None:
    fails = "x = 0 thread P: x := 1; thread Q: r := x; A: assert r = 0;"
    assert said(fails) == "Under sc, some execution goes wrong: the assert A fails."
    assert said("x = 0 thread P: r := x; assert r = 0;") == "Under sc, no assert fails."
    stray = "x = 0 thread P: r := x; L: [r + 7] := 1;"
    assert said(stray).startswith("Under sc, some execution goes wrong: thread P, L: access to")
    waits = "x = 0 thread P: await(x = 1);"
    assert said(waits, liveness=True) == "Under sc, threads can wait for ever."
    assert said("x = 0 thread P: x := 1;") == "Under sc, no execution goes wrong."


def test_a_long_condition_is_not_repeated() -> None:
    long = " \\/ ".join(f"P:r0={n}" for n in range(30))
    sentence = said(f"{SB}exists ({long})")
    assert sentence == "Under sc, some execution ends in a state that satisfies the condition."


def test_a_compiled_program() -> None:
    text = "x = 0 thread P: x := 1 @rlx; thread Q: r := x @rlx; assert r < 2;"
    program = replace(parse_program(Source("t.c", text)), blocks=(MemoryBlock("x", 0, 4, GLOBAL),))

    def said_of(model: str, races: Races | None, liveness: bool) -> str:
        found = summarise(
            program, load_model(model), Enumerate(), Limits(), liveness=liveness, races=races
        )
        return meaning(found)

    wrong = "no assertion fails"
    assert said_of("sc", None, False) == f"Under sc, {wrong} and no access to memory goes wrong."
    assert said_of("rc11", Races.ERROR, True) == (
        f"Under rc11, {wrong}, no access to memory goes wrong, no accesses race and no thread "
        "waits for ever."
    )
    assert "race" not in said_of("rc11", Races.NOTE, True)
