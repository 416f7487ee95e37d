"""The runs that bmc shows are whole witnesses: written, read, judged again by the enumerator's
checker, and drawn."""

from __future__ import annotations

import json

import pytest
from bmc_programs import assert_same
from support import answer, model, model_of, program

from hybrid.bmc.formula import Formula
from hybrid.bmc.ranges import Ranges
from hybrid.bmc.solvers import SOLVERS
from hybrid.bmc.symbolic import symbolic
from hybrid.data import bundled
from hybrid.encoding.sat_logic import SatLogic
from hybrid.engine.api import Limits
from hybrid.frontend.prog import load_prog
from hybrid.verdict import Verdict
from hybrid.witness.as_json import from_json, to_json
from hybrid.witness.dot import draw_dot
from hybrid.witness.replay import replay
from hybrid.witness.svg import draw_svg

pytestmark = pytest.mark.sample(2)

NAMES = ("MP", "SB+mfences", "2+2W", "LRSC+LRSC", "spinlock-plain", "trylock", "godot-fig1-await")


@pytest.mark.large
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("under", ["power", "rc11"])
def test_witnesses_replay_and_draw(under: str, solver: str) -> None:
    shown = 0
    for path in sorted(bundled("litmus").rglob("*.prog")):
        if path.stem not in NAMES:
            continue
        result = answer(load_prog(path), model(under), Limits(), solver)
        if result.witness is None:
            continue
        shown += 1
        data = result.witness.data()
        source = path.read_text(encoding="utf-8")
        text = json.dumps(to_json(data, under, "bmc", source))
        again = replay(from_json(text), model(under))
        assert again.agrees, (path.stem, again.differences)
        assert "digraph" in draw_dot(data, path.stem)
        assert "<svg" in draw_svg(data, path.stem)
    assert shown >= 4


def test_flags_of_an_answer() -> None:
    """A race is seen in the run that is shown, though the formula leaves flags out."""
    racy = program("x = 0; thread P: A: x := 1; thread Q: B: r := x; exists (Q:r = 1)")
    calm = program("x = 0; thread P: A: x := 1 @rlx; thread Q: B: r := x @rlx; exists (Q:r = 1)")
    for solver in SOLVERS:
        for text, flags in ((racy, ("race",)), (calm, ())):
            result = answer(text, model("rc11"), Limits(), solver)
            assert result.answer is Verdict.ALLOWED
            assert result.witness is not None
            assert result.witness.data().flags == flags


def test_flags_are_those_of_enumerate() -> None:
    last = model_of("acyclic po-loc | com\nflag ~empty [FW] ; rf as last\nflag empty rmw as none")
    text = program("x = 0; thread P: A: x := 1; B: r := faa(x, 1); thread Q: C: s := x;")
    for solver in SOLVERS:
        found = assert_same(text, last, solver)
        assert len({data.flags for data in found.values()}) > 1
        result = answer(text, last, Limits(), solver)
        assert result.answer is Verdict.HOLDS


def test_a_race_costs_few_clauses() -> None:
    """happens-before, a closure, is encoded in one direction, as the axioms need it."""
    accesses = " ".join(f"x := {n}; y := {n} @rel; r{n} := y @acq;" for n in range(3))
    racy = symbolic(program(f"x = 0; y = 0; thread P: {accesses} thread Q: {accesses}"), Limits())
    formulas = [
        Formula(racy, Ranges(racy, Limits()), model("rc11"), SatLogic(), Limits(), flags)
        for flags in (False, True)
    ]
    without, with_race = (formula.logic.clauses for formula in formulas)
    assert without < with_race < 1.1 * without
