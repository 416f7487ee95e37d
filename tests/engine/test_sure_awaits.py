"""Waits that end cost no run of their own: trust puts them off, rsmc need not skip those that
nothing can spoil."""

from __future__ import annotations

import pytest
from support import model, program

from hybrid.catalogue.engines import make
from hybrid.catalogue.spelling import parse_configuration
from hybrid.engine.api import Limits
from hybrid.engine.rsmc.sure_awaits import sure_awaits

# One thread waits for the ends of the others, which have nothing to do with each other.
JOINS = """a = 0 b = 0 x = 0 y = 0
thread P: A: await(a = 1); B: await(b = 1); r := x;
thread Q: x := 1; a := 1;
thread R: y := 1; b := 1;"""
OWN_LOCKS = """l = 0 m = 0
thread P: A: xchgawait(l = 0, := 1); l := 0;
thread Q: B: xchgawait(m = 0, := 1); m := 0;"""
ONE_LOCK = """l = 0 x = 0
thread P: A: xchgawait(l = 0, := 1) @acq; x := 1; l := 0 @rel;
thread Q: B: xchgawait(l = 0, := 1) @acq; x := 2; l := 0 @rel;"""


def blocked(text: str, engine: str) -> tuple[int, int]:
    """How many runs are complete, and how many are not."""
    explorer = make(parse_configuration(engine))
    traces = list(explorer.explore(program(text), model("sc"), Limits()))
    return len(traces), explorer.counters.blocked


@pytest.mark.parametrize(
    ("text", "runs"),
    [(JOINS, (1, 0)), (OWN_LOCKS, (1, 0)), (ONE_LOCK, (2, 1))],
    ids=["joins", "own", "one"],
)
def test_trust_makes_no_run_for_a_wait_that_ends(text: str, runs: tuple[int, int]) -> None:
    """But one in which both want the lock that the other one had first."""
    assert blocked(text, "trust") == runs


@pytest.mark.parametrize("text", [JOINS, OWN_LOCKS], ids=["joins", "own"])
def test_rsmc_does_not_skip_what_nothing_can_spoil(text: str) -> None:
    assert blocked(text, "rsmc") == (1, 0)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        (JOINS, {"A", "B"}),
        (OWN_LOCKS, {"A", "B"}),
        (ONE_LOCK, set()),
        # the value comes and goes
        ("x = 0 thread P: A: await(x = 1); thread Q: x := 1; x := 0;", set()),
        ("x = 0 thread P: x := 0; A: await(x = 1); thread Q: x := 1;", set()),
        # another value that is accepted
        ("x = 0 thread P: A: await(x != 0); thread Q: x := 1; x := 2;", {"A"}),
        # a store that may go anywhere
        ("x = 0 p = &x thread P: A: await(x = 1); thread Q: x := 1; r := p; [r] := 1;", set()),
        # what is stored, or awaited, is not known
        ("x = 0 y = 0 thread P: A: await(x = 1); thread Q: r := y; x := r;", set()),
        ("x = 0 y = 0 thread P: r := y; A: await(x = r); thread Q: x := 1;", set()),
        ("x = 0 thread P: A: await(x = 1); thread Q: faa(x, 1);", set()),
    ],
)
def test_which_awaits_nothing_can_spoil(text: str, labels: set[str]) -> None:
    assert sure_awaits(program(text)) == labels
