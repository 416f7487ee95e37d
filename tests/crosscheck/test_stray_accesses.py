"""Null, the gaps between objects, and names of addresses: the same in every engine, with every
oracle."""

from __future__ import annotations

import json

import pytest
from support import model, program

from hybrid.catalogue.engines import make
from hybrid.catalogue.spelling import CONFIGURATIONS, not_applicable, spelled
from hybrid.engine.api import Limits
from hybrid.engine.configuration import Configuration
from hybrid.execution.trace import Status
from hybrid.report.result import Result
from hybrid.report.summary import summarise
from hybrid.verdict import Verdict
from hybrid.witness.as_json import from_json, to_json
from hybrid.witness.replay import replay

pytestmark = pytest.mark.large

# A message through a pointer: whether the reader may see the pointer and not the data.
MESSAGE = """
data = 0; p = 0
thread W: data := 42; p := &data;
thread R: q := p; if q != 0 { v := [q]; assert v = 42; }
"""
MESSAGE_ANSWERS = {
    "sc": Verdict.HOLDS,
    "tso": Verdict.HOLDS,
    "pso": Verdict.VIOLATED,
    "ra": Verdict.HOLDS,
    "rc11": Verdict.VIOLATED,
    "power": Verdict.VIOLATED,
    "armv7": Verdict.VIOLATED,
    "aarch64": Verdict.VIOLATED,
    "riscv": Verdict.VIOLATED,
}

# A program, and what is wrong with it: in every run that violates it, one of these.
STRAYS = {
    "null": (
        "x = 0; p = 0 thread P: q := p; L: r := [q]; thread Q: p := &x;",
        {"thread P, L: access to address 0 (null)"},
    ),
    "the cell after the last": (
        "a[2] = 1; b = 7 thread P: i := 2; L: r := a[i];",
        {"thread P, L: access to &a+2, which is past the end of a"},
    ),
    "the cell before the first": (
        "b = 7; a[2] = 1 thread P: i := 0; L: a[i - 1] := 3;",
        {"thread P, L: access to &a-1, which is before a"},
    ),
    "a number that was never an address": (
        "x = 3; y = 0 thread P: r := x; L: s := faa([r], 1);",
        {"thread P, L: access to address 3, which is not a location"},
    ),
    "two threads": (
        "x = 3; y = 0 thread P: r := x; L: s := [r]; thread Q: r := y; M: [&y + 1 + r] := 1;",
        {
            "thread P, L: access to address 3, which is not a location; "
            "thread Q, M: access to &y+1, which is past the end of y"
        },
    ),
    "while another thread waits": (
        "x = 0; y = 0 thread P: r := x; L: [r] := 1; thread Q: await(y = 1);",
        {"thread P, L: access to address 0 (null)"},
    ),
    "while another thread is cut": (
        "x = 0; y = 0 thread P: r := x; L: [r] := 1; thread Q: M: r := y; if r = 0 goto M;",
        {"thread P, L: access to address 0 (null)"},
    ),
    "after a failed assert": (
        "x = 0 thread P: r := x; assert r = 1; L: [r] := 1;",
        {"thread P, L: access to address 0 (null)"},
    ),
    "a cas": (
        "x = 1; y = 0 thread P: r := y; L: s := cas([&x + 1 + r], 1, 2);",
        {"thread P, L: access to &x+1, which is past the end of x"},
    ),
    "a store-conditional that could only fail": (
        "x = 0; y = 0 thread P: r := y; L: s := sc([r], 1);",
        {"thread P, L: access to address 0 (null)"},
    ),
}

# No run comes to the access: it is not an error.
HARMLESS = {
    "behind a test": "x = 0; p = 0 thread P: q := p; if q != 0 { r := [q]; } thread Q: p := &x;",
    "behind an await that never ends": "x = 0; z = 9 thread P: r := z; await(x = 1); [r] := 1;",
    "behind an assume": (
        "x = 0; p = 0 thread P: q := p; assume q != 0; r := [q]; thread Q: p := &x;"
    ),
    "addresses past the end are values": (
        "a[2] = 1 thread P: p := &a + 2; if p != &a { a[1] := 3; }"
    ),
}


def named(part: Configuration | str) -> str:
    return part if isinstance(part, str) else spelled(part)


def cases(*models: str) -> pytest.MarkDecorator:
    """Every configuration with every one of these models that it takes."""
    found = [(c, m) for m in models for c in CONFIGURATIONS if not not_applicable(c, model(m))]
    return pytest.mark.parametrize(("configuration", "under"), found, ids=named)


def result_of(configuration: Configuration, text: str, under: str) -> Result:
    return summarise(program(text), model(under), make(configuration), Limits(unroll=2))


def confirm(result: Result, text: str) -> None:
    """Replay has the same to say of the witness."""
    assert result.witness is not None
    data = result.witness.data()
    file = to_json(data, result.model.name, result.engine, text, 2)
    again = replay(from_json(json.dumps(file)), result.model)
    assert again.differences == ()
    assert again.data is not None and again.data.error == data.error


@cases(*MESSAGE_ANSWERS)
def test_a_message_through_a_pointer(configuration: Configuration, under: str) -> None:
    result = result_of(configuration, MESSAGE, under)
    assert result.verdict is MESSAGE_ANSWERS[under]
    assert result.counters.errors == 0
    if result.verdict is Verdict.VIOLATED:
        confirm(result, MESSAGE)


@cases("sc", "power", "aarch64")
@pytest.mark.parametrize("name", STRAYS)
def test_strays_violate(configuration: Configuration, name: str, under: str) -> None:
    text, wrong = STRAYS[name]
    result = result_of(configuration, text, under)
    assert result.verdict is Verdict.VIOLATED
    assert result.counters.errors > 0
    assert result.witness is not None and result.witness.status is Status.ERROR
    assert result.messages[0] in wrong
    confirm(result, text)


@cases("sc", "power", "aarch64")
@pytest.mark.parametrize("name", HARMLESS)
def test_no_stray_where_none_is_reached(
    configuration: Configuration, name: str, under: str
) -> None:
    result = result_of(configuration, HARMLESS[name], under)
    assert result.verdict is Verdict.HOLDS
    assert result.counters.errors == 0
