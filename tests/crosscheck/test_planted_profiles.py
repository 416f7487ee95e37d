"""Faults that random programs did not find once, planted again: with the profiles they are found
within 2,000 programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from support import model, program

from hybrid.catalogue.spelling import parse_configurations
from hybrid.crosscheck import compare as comparing
from hybrid.crosscheck import random_code
from hybrid.crosscheck.compare import crosscheck
from hybrid.crosscheck.random_programs import random_program
from hybrid.crosscheck.relocated import relocated
from hybrid.crosscheck.shape import PROFILES
from hybrid.crosscheck.shrink import Quarrel, shrink
from hybrid.crosscheck.vocabulary import vocabulary
from hybrid.engine.api import Limits
from hybrid.engine.rsmc import explorer as rsmc
from hybrid.execution import step
from hybrid.execution.execution import Execution
from hybrid.execution.snapshot import Snapshot
from hybrid.program import memory
from hybrid.program.program import Program

pytestmark = pytest.mark.sample(3)

PROGRAMS = 2000  # at most so many are tried
LIMITS = Limits(unroll=2, max_steps=60)

Plant = Callable[[pytest.MonkeyPatch], None]


def placed(first: int) -> Plant:
    """Locations without gaps, the first at this address."""

    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        def addresses(sizes: list[int]) -> tuple[int, ...]:
            return tuple(range(first, first + len(sizes)))

        monkeypatch.setattr(memory, "addresses", addresses)
        monkeypatch.setattr(random_code, "_PLACES", addresses([1] * 3))

    return plant


def listed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """An assert that fails in each turn of a loop is listed as often."""

    def failed(self: Any, execution: Execution) -> tuple[str, ...]:
        reached = execution.reached_asserts()
        return tuple(label for label, c in reached if not c.evaluate(execution.result))

    monkeypatch.setattr(step, "_is_news", lambda *_: True)
    monkeypatch.setattr(Snapshot, "_failed", failed)


def not_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run whose guesses did not come true counts."""
    monkeypatch.setattr(Execution, "unconfirmed", lambda _: False)


def no_look_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """A load for which earlier ones leave no source is an event that got stuck."""
    real = rsmc.RsmcExploration.__init__

    def init(self: Any, *args: Any) -> None:
        real(self, *args)
        self.looks_ahead = False

    monkeypatch.setattr(rsmc.RsmcExploration, "__init__", init)


# name: profile, configurations, model, the fault, what it shows as
FAULTS: dict[str, tuple[str, str, str, Plant, set[str]]] = {
    "null is a location": ("pointers", "enumerate,rsmc", "sc", placed(0), {comparing.PLACES}),
    "objects without gaps": ("pointers", "enumerate,rsmc", "sc", placed(4096), {comparing.PLACES}),
    "an assert in a loop is listed again": (
        "loops",
        "enumerate,rsmc",
        "power",
        listed_again,
        {comparing.OUTCOME, comparing.ENDING},
    ),
    "a guess that fails leaves a run": (
        "exclusives",
        "enumerate,rsmc",
        "power",
        not_confirmed,
        {comparing.ENDING},
    ),
    "a load without a source is stuck": (
        "long",
        "rsmc",
        "armv7",
        no_look_ahead,
        {comparing.STUCK},
    ),
}


def first_disagreement(
    profile: str, engines: str, name: str, programs: int
) -> tuple[Program, comparing.Comparison]:
    configurations = parse_configurations(engines)
    shape = replace(PROFILES[profile], candidates=500, words=vocabulary(model(name)))
    for number in range(programs):
        program = random_program(11, number, shape)
        result = crosscheck(program, model(name), configurations, LIMITS, relocate=True)
        if result.differences:
            return program, result
    raise AssertionError(f"not found on {programs} programs")


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.interpreted
def test_the_fault_is_found_and_shrunk(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    profile, engines, name, plant, kinds = FAULTS[fault]
    plant(monkeypatch)
    program, result = first_disagreement(profile, engines, name, PROGRAMS)
    difference = result.differences[0]
    assert difference.kind in kinds
    quarrel = Quarrel.about(difference, result, parse_configurations(engines))
    small = shrink(program, quarrel, seconds=20)
    assert len(small.program.threads) <= 3
    assert sum(len(thread.code) for thread in small.program.threads) <= 9


@pytest.mark.large
@pytest.mark.parametrize("profile", PROFILES)
def test_without_a_fault_they_agree(profile: str) -> None:
    with pytest.raises(AssertionError, match="not found"):
        first_disagreement(profile, "enumerate,rsmc,rsmc+rf", "sc", 30)


def test_waiting_runs_may_move_too() -> None:
    """A program with pointers whose threads wait for ever is the same wherever its locations
    lie."""
    source = program(
        "x = 0; p = &x\n"
        "thread P: L0: r0 := p; L1: r1 := await([r0] = 1);\n"
        "thread Q: L2: p := 0; L3: x := 2;"
    )
    configurations = parse_configurations("enumerate,rsmc")
    result = crosscheck(source, model("sc"), configurations, LIMITS, relocate=True)
    assert relocated(source) is not None
    assert result.findings[0].waiting and result.findings[0].endings
    assert result.agree
