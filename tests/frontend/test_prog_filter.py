"""`filter` of .prog: read, printed, and executions that it leaves out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support import answer, make_engine

from hybrid.bmc.engine import Bmc
from hybrid.crosscheck.reduce import without_condition, without_threads
from hybrid.crosscheck.rename import renamed
from hybrid.engine.api import Engine, Limits
from hybrid.errors import InputError
from hybrid.frontend.prog import parse_program
from hybrid.frontend.prog_print import print_program
from hybrid.model.load import load_model
from hybrid.program.condition import show
from hybrid.report.summary import summarise
from hybrid.source import Source
from hybrid.verdict import Verdict

SB = """x = 0; y = 0
thread P: x := 1; r0 := y;
thread Q: y := 1; r1 := x;
exists (P:r0 = 0)
"""


def program(text: str = SB + "filter (Q:r1 = 0 /\\ x = 1)"):
    return parse_program(Source("filter.prog", text))


def test_is_printed() -> None:
    text = print_program(program())
    assert "filter (Q:r1 = 0 /\\ x = 1)" in text
    again = parse_program(Source("again.prog", text))
    assert again.filter is not None
    assert show(again.filter) == "Q:r1=0 /\\ x=1"
    assert [t.name for t in again.terms] == ["P:r0"]
    assert [t.name for t in again.asked] == ["P:r0", "Q:r1", "x"]


@pytest.mark.parametrize("engine", [make_engine("rsmc"), make_engine("enumerate"), Bmc("sat")])
def test_leaves_executions_out(engine: Engine) -> None:
    result = summarise(program(), load_model("tso"), engine, Limits())
    assert (result.traces, result.filtered, result.satisfying) == (2, 2, 1)
    assert result.observation == "Sometimes"
    assert "2 executions left out by the filter" in result.messages


def test_forbids_what_only_others_show() -> None:
    never = program(SB.replace("P:r0 = 0", "Q:r1 = 1") + "filter (Q:r1 = 0)")
    for result in (
        summarise(never, load_model("sc"), make_engine("rsmc"), Limits()),
        answer(never, load_model("sc"), Limits(), "sat"),
    ):
        assert result.verdict is Verdict.FORBIDDEN
    assert (
        answer(replace(never, filter=None), load_model("sc"), Limits()).verdict is Verdict.ALLOWED
    )


def test_classes_of_traces_know_its_locations() -> None:
    text = "x = 0\nthread P: x := 1;\nthread Q: x := 2;\nfilter (x = 2)"
    engine = make_engine("rsmc+rf")
    result = summarise(program(text), load_model("sc"), engine, Limits(), equivalence="rf")
    assert (result.traces, result.filtered) == (1, 1)


def test_shrinking_keeps_or_drops_it() -> None:
    found = program()
    assert renamed(found).filter is not None
    assert any(p.filter is None for p in without_condition(found))
    kept = [p.filter for p in without_threads(found)]
    assert [None if f is None else show(f) for f in kept] == ["Q:r1=0 /\\ x=1", "x=1"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SB + "filter (Q:r9 = 0)", "thread Q has no register `r9`"),
        (SB + "filter (x = 1)\nfilter (x = 1)", "a program has one filter"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        program(text)
