"""Flags by the solver oracles: of every form, they are those of the graph oracle."""

from __future__ import annotations

import pytest
from support import model_of, program

from hybrid.crosscheck.random_programs import Shape, random_program
from hybrid.engine.api import Limits
from hybrid.engine.rsmc.engine import Rsmc
from hybrid.execution.trace import Status
from hybrid.model.core import Model
from hybrid.oracle import solver_flags
from hybrid.program.program import Program

pytestmark = pytest.mark.sample(4)

FLAGS = {
    "race": "flag ~empty (loc & ext & (W * M)) \\ (po | rf)+ \\ ((po | rf)+)^-1 as it",
    "no race": "flag empty (loc & ext & (W * M)) \\ (po | rf)+ \\ ((po | rf)+)^-1 as it",
    "what grows alone": "flag ~empty (rf & ext) ; po ; (rf & ext) as it",
    "what events decide": "flag ~empty loc & ext & ((W & ~IW) * R) as it",
    "a complement": "flag ~empty ~(rf | fr) & loc & ext & (R * (W & ~IW)) as it",
    "loops": "flag ~irreflexive (po ; fr ; po ; fr) \\ co as it",
    # of no such form, so encoded trace by trace
    "a cycle": "flag ~acyclic (po | fr) \\ rf as it",
    "a composition": "flag ~empty ([R] ; po ; [W] \\ (fr ; fr)) ; (rf & ext) as it",
    "the last stores": "flag ~empty [FW] ; co^-1 ; [FW] | (po & ([FW] ; po)) as it",
}
STORE_BUFFERING = "x = 0 y = 0 thread P: x := 1; r := y; thread Q: y := 1; s := x;"
BASE = "acyclic po-loc | com\nacyclic po | rf\n(*% commit-before (po | rf)+ *)\n"
BY_ROWS = set(FLAGS) - {"a cycle", "a composition", "the last stores"}


def flags_of(engine: Rsmc, source: Program, under: Model) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for trace in engine.explore(source, under, Limits(2)):
        if trace.status is Status.COMPLETE:
            data = trace.data()
            found.append((sorted(data.rf.items()), sorted(data.co.items()), data.flags))
    return sorted(found, key=str)


@pytest.mark.parametrize("oracle", ["pysat", "z3"])
@pytest.mark.parametrize("kind", FLAGS)
def test_every_form(kind: str, oracle: str) -> None:
    under = model_of(BASE + FLAGS[kind])
    seen: set[str] = set()
    sources = [random_program(31, n, Shape((2, 3), (2, 3), (2, 2), 100)) for n in range(16)]
    for source in [program(STORE_BUFFERING), *sources]:
        expected = flags_of(Rsmc(), source, under)
        assert flags_of(Rsmc(oracle), source, under) == expected
        seen.update(str(trace[2]) for trace in expected)
    assert len(seen) == 2  # raised in some traces, not in others


@pytest.mark.parametrize("kind", FLAGS)
def test_which_forms_are_taken_row_by_row(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    under = model_of(BASE + FLAGS[kind])
    real = solver_flags.TraceFlags
    encoded: list[int] = []

    def counted(model: Model, flags: list[object], logic: object) -> object:
        encoded.append(len(flags))
        return real(model, flags, logic)  # type: ignore[arg-type]

    monkeypatch.setattr(solver_flags, "TraceFlags", counted)
    flags_of(Rsmc("pysat"), random_program(31, 1), under)
    assert encoded == [0 if kind in BY_ROWS else 1]


@pytest.mark.parametrize("oracle", ["pysat", "z3"])
@pytest.mark.parametrize("kind", ["race", "a cycle"])
def test_classes(kind: str, oracle: str) -> None:
    """Each class has the flags of the coherence orders that it is shown with."""
    under = model_of(BASE + FLAGS[kind])
    for number in range(5):
        source = random_program(32, number, Shape((2, 3), (2, 3), (2, 2), 100))
        known = {str(found) for found in flags_of(Rsmc(), source, under)}
        found = flags_of(Rsmc(oracle, equivalence="rf"), source, under)
        assert found
        assert {str(one) for one in found} <= known
