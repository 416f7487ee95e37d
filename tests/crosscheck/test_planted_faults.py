"""The check checks: a fault planted in one executor is found on random programs, and shrunk to a
small program that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import model

from hybrid.bmc import engine as bmc
from hybrid.bmc.bits import Bits
from hybrid.bmc.formula import Formula
from hybrid.catalogue.spelling import parse_configurations
from hybrid.crosscheck import compare as comparing
from hybrid.crosscheck.compare import crosscheck
from hybrid.crosscheck.random_programs import Shape, random_program
from hybrid.crosscheck.shrink import Quarrel, save, shrink
from hybrid.engine.api import Limits
from hybrid.engine.enumerate.engine import Enumerate
from hybrid.engine.enumerate.evaluate import Evaluation
from hybrid.engine.enumerate.solve import Combination
from hybrid.engine.rsmc import explorer as rsmc
from hybrid.engine.rsmc.parameters import Parameters
from hybrid.engine.rsmc.race_detector import RaceDetector
from hybrid.execution.snapshot import Snapshot
from hybrid.execution.step import LOAD, Step
from hybrid.frontend.prog import load_prog
from hybrid.model.core import Model
from hybrid.oracle.graph import GraphOracle
from hybrid.oracle.graph_rf import RfGraphOracle
from hybrid.oracle.solver import SolverOracle
from hybrid.program.program import Program

pytestmark = pytest.mark.large

PROGRAMS = 120  # at most so many are tried
LIMITS = Limits(unroll=2)

Plant = Callable[[pytest.MonkeyPatch], None]


def around(owner: type, name: str, change: Callable[..., Any]) -> Plant:
    """`change` gets the real method and its arguments, and answers in its place."""

    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        real = getattr(owner, name)
        monkeypatch.setattr(owner, name, lambda *args: change(real, *args))

    return plant


def without_axiom(axiom: str) -> Plant:
    def start(real: Callable[..., None], oracle: GraphOracle) -> None:
        oracle._checks = [c for c in oracle._checks if c.axiom.name != axiom]
        oracle._onward_axioms = [a for a in oracle._onward_axioms if a.axiom.name != axiom]
        real(oracle)

    return around(GraphOracle, "_start", start)


def satisfied(real: Callable[..., bool], evaluation: Evaluation, axiom: int) -> bool:
    return evaluation.plan.axioms[axiom][0].name == "sc-per-location" or real(evaluation, axiom)


def lose_source(real: Callable[..., list[int]], self: Any, step: Step, *args: int) -> list[int]:
    found = real(self, step, *args)
    return found[1:] if step.kind == LOAD and len(found) > 2 else found


def forget(real: Callable[..., None], self: Any, *args: int) -> None:
    for frame in self.frame_of.values():
        if frame.known is not None and len(frame.templates or ()) < 6:
            frame.known.clear()
    real(self, *args)


def fewer_orders(real: Callable[..., Iterator[Any]], *args: Any) -> Iterator[Any]:
    for number, order in enumerate(real(*args)):
        if number != 1:
            yield order


def other_value(real: Callable[..., int], self: Snapshot, term: Any) -> int:
    value = real(self, term)
    return 0 if value == 2 else value


def last_unplaced(real: Callable[..., Any], self: RfGraphOracle, last: dict[int, int]) -> Any:
    """The right order, but its last two stores changed places."""
    orders = real(self, last)
    if orders is not None:
        for order in orders:
            if len(order) > 2:
                order[-1], order[-2] = order[-2], order[-1]
    return orders


def crash_at_three(real: Callable[..., list[int]], self: Any, step: Any, order: list[int]) -> Any:
    assert len(order) != 3
    return real(self, step, order)


def weaker(under: Model) -> Model:
    return replace(under, axioms=tuple(a for a in under.axioms if a.name != "sc-per-location"))


def weaker_oracle(real: Callable[..., None], *args: Any) -> None:
    real(*(weaker(arg) if isinstance(arg, Model) else arg for arg in args))


def weaker_formula(real: Callable[..., Any], self: Formula, under: Model, flags: bool) -> Any:
    return real(self, weaker(under), flags)


def fewer_sources(real: Callable[..., None], self: Formula, load: Any) -> None:
    stores = self.stores
    self.stores = stores[:-1] if len(stores) > 3 else stores
    real(self, load)
    self.stores = stores


def exclude_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a trace all those go that have the same rf."""
    real = bmc.blocking

    def block(formula: Formula, solution: Any) -> list[int]:
        return real(formula, solution)[: max(1, len(solution.rf))]

    monkeypatch.setattr(bmc, "blocking", block)


# name: configurations, model, the fault, what it shows as
FAULTS: dict[str, tuple[str, str, Plant, set[str]]] = {
    "an axiom dropped in the graph oracle": (
        "enumerate,rsmc",
        "power",
        without_axiom("sc-per-location"),
        {comparing.EXTRA},
    ),
    "an axiom dropped in the graph oracle, classes": (
        "enumerate,rsmc+rf",
        "tso",
        without_axiom("tso"),
        {comparing.EXTRA, comparing.WITNESS},
    ),
    "an axiom dropped in brute force": (
        "enumerate,rsmc",
        "power",
        around(Evaluation, "satisfied", satisfied),
        {comparing.MISSING},
    ),
    "a place in coherence skipped": (
        "enumerate,rsmc",
        "power",
        around(Parameters, "places", lambda real, *args: real(*args)[:1]),
        {comparing.MISSING, comparing.STUCK},
    ),
    "a coherence order skipped by brute force": (
        "rsmc,enumerate",
        "sc",
        around(Enumerate, "_coherence", fewer_orders),
        {comparing.MISSING},
    ),
    "a race not detected": (
        "enumerate,rsmc",
        "power",
        around(RaceDetector, "detect_under", lambda *_: None),
        {comparing.MISSING},
    ),
    "a race not detected, classes": (
        "enumerate,rsmc+rf",
        "ra",
        around(RaceDetector, "detect_under", lambda *_: None),
        {comparing.MISSING},
    ),
    "a source lost": (
        "enumerate,rsmc",
        "power",
        around(Parameters, "candidates", lose_source),
        {comparing.MISSING, comparing.STUCK},
    ),
    "a source lost by brute force": (
        "rsmc,enumerate",
        "pso",
        around(Combination, "candidates", lambda real, *args: real(*args)[:2]),
        {comparing.MISSING},
    ),
    "a duplicate explored": (
        "enumerate,rsmc",
        "power",
        around(RaceDetector, "detect_under", forget),
        {comparing.DUPLICATE},
    ),
    "a final value wrong": (
        "enumerate,rsmc",
        "sc",
        around(Snapshot, "value_of", other_value),
        {comparing.OUTCOME},
    ),
    "a last store forgotten, classes": (
        "enumerate,rsmc+rf",
        "sc",
        lambda monkeypatch: monkeypatch.setattr(rsmc, "observed_locations", lambda *_: ()),
        {comparing.MISSING, comparing.WITNESS},
    ),
    "a class shown by a wrong order": (
        "enumerate,rsmc+rf",
        "sc",
        around(RfGraphOracle, "witness", last_unplaced),
        {comparing.WITNESS, comparing.EXTRA, comparing.MISSING},
    ),
    "a coherence order not searched for": (
        "enumerate,rsmc+rf",
        "power",
        around(RfGraphOracle, "_search", lambda *_: None),
        {comparing.MISSING, comparing.STUCK},
    ),
    **{
        f"an axiom dropped in the solver oracle of {name}": (
            f"enumerate,{name}",
            "power",
            around(SolverOracle, "__init__", weaker_oracle),
            {comparing.EXTRA, comparing.WITNESS},
        )
        for name in ("rsmc:z3", "rsmc:pysat", "rsmc+rf:z3", "rsmc+rf:pysat")
    },
    "a candidate lost by a solver oracle": (
        "enumerate,rsmc:pysat",
        "sc",
        around(SolverOracle, "_judge", lambda real, self: real(self) and len(self._frames) != 3),
        {comparing.MISSING, comparing.STUCK},
    ),
    "a refused candidate taken by a solver oracle": (
        "enumerate,rsmc:z3",
        "sc",
        around(SolverOracle, "_judge", lambda real, self: real(self) or len(self._frames) == 2),
        {comparing.EXTRA, comparing.STUCK},
    ),
    **{
        f"an axiom dropped in bmc over {solver}": (
            f"rsmc,bmc:{solver}",
            "tso",
            around(Formula, "_model", weaker_formula),
            {comparing.EXTRA},
        )
        for solver in ("z3", "sat")
    },
    "a source lost by bmc": (
        "rsmc,bmc:sat",
        "sc",
        around(Formula, "_sources", fewer_sources),
        {comparing.MISSING},
    ),
    "a trace excluded with another by bmc": (
        "rsmc,bmc:z3",
        "sc",
        exclude_too_much,
        {comparing.MISSING},
    ),
    "wrong sums in bmc": (
        "rsmc,bmc:sat",
        "sc",
        around(Bits, "add", lambda real, self, left, right, *carry: real(self, left, left, *carry)),
        {comparing.CRASH, comparing.MISSING, comparing.EXTRA},
    ),
    "a coherence order skipped, against the formula": (
        "enumerate",
        "sc",
        around(Enumerate, "_coherence", fewer_orders),
        {comparing.INCOMPLETE},
    ),
    "a source lost in the formula": (
        "rsmc",
        "power",
        around(Formula, "_sources", fewer_sources),
        {comparing.REFUSED},
    ),
    "a crash": (
        "enumerate,rsmc",
        "power",
        around(Parameters, "places", crash_at_three),
        {comparing.CRASH},
    ),
}


def first_disagreement(
    engines: str, name: str, complete: bool = False
) -> tuple[Program, comparing.Comparison]:
    configurations = parse_configurations(engines)
    for number in range(PROGRAMS):
        program = random_program(11, number, Shape(candidates=300))
        result = crosscheck(program, model(name), configurations, LIMITS, complete=complete)
        assert not result.left_out
        if result.differences:
            return program, result
    raise AssertionError(f"not found on {PROGRAMS} programs")


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.interpreted
def test_a_fault_is_found_and_shrunk(
    fault: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    engines, name, plant, kinds = FAULTS[fault]
    complete = bool(kinds & {comparing.INCOMPLETE, comparing.REFUSED})
    with monkeypatch.context() as context:
        plant(context)
        program, result = first_disagreement(engines, name, complete)
        difference = result.differences[0]
        assert difference.kind in kinds
        quarrel = Quarrel.about(difference, result, parse_configurations(engines))
        small = shrink(program, quarrel, seconds=20)
        assert small.finished
        assert len(small.program.threads) <= 3
        assert sum(len(thread.code) for thread in small.program.threads) <= 6
        path = tmp_path / "small.prog"
        assert save(small.program, quarrel, path)[0].kind == difference.kind
    # It is the fault, nothing else, that the saved program shows.
    configurations = parse_configurations(engines)
    again = crosscheck(load_prog(path), model(name), configurations, LIMITS, complete=complete)
    assert again.agree


@pytest.mark.large
def test_without_a_fault_the_same_programs_agree() -> None:
    with pytest.raises(AssertionError, match="not found"):
        first_disagreement("enumerate,rsmc,rsmc+rf", "power", complete=True)
