"""Where no numbers of traces are shown, auto counts by classes if these are fewer by far."""

from __future__ import annotations

import json

import pytest
from cli_helpers import Hybrid

MANY = "x = 0\nthread P: x := 1; x := 2; x := 3;\nthread Q: x := 4; x := 5; x := 6;\n{more}"
NOTE = "one run stands for all traces with the same reads-from"


def run(hybrid: Hybrid, *options: str, more: str = "") -> str:
    path = hybrid.folder / "many.prog"
    path.write_text(MANY.format(more=more))
    found = hybrid("verify", str(path), "--model", "sc", *options)
    assert found.code == 0
    return found.out


def test_text(hybrid: Hybrid) -> None:
    assert "Traces 20" in run(hybrid)
    out = run(hybrid, "--first", more="forall (x != 7)")
    assert "Traces 20" in out and NOTE not in out  # the condition tells the orders apart
    out = run(hybrid, "--first", more="thread R: assert 1;")
    assert "Classes 1" in out and NOTE in out
    out = run(hybrid, "--first", "--equivalence", "trace", more="thread R: assert 1;")
    assert "Traces 20" in out and NOTE not in out


def test_quiet(hybrid: Hybrid) -> None:
    more = "thread R: assert 1;"
    assert run(hybrid, "--quiet", more=more) == "many sc HOLDS  by reads-from classes\n"
    assert run(hybrid, "--quiet", "--equivalence", "trace", more=more) == "many sc HOLDS\n"


@pytest.mark.parametrize("more", ["--json", "--table", "--engine rsmc"])
def test_others_count_traces(more: str, hybrid: Hybrid) -> None:
    out = run(hybrid, "--first", *more.split())
    if more == "--json":
        assert json.loads(out)["equivalence"] == "trace"
    assert "20" in out and NOTE not in out


def test_numbers_that_the_file_states_are_compared(hybrid: Hybrid) -> None:
    path = hybrid.folder / "many.prog"
    path.write_text(MANY.format(more="thread R: assert 1;\nexpect sc: HOLDS 21 traces\n"))
    found = hybrid("verify", str(path), "--model", "sc", "--quiet")
    assert (found.code, found.out) == (1, "many sc VIOLATED\n")
