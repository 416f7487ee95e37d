"""Data races: every engine finds them in the same programs, however the run ends in which they
show."""

from __future__ import annotations

import pytest
from support import answer, model, model_of, program

from hybrid.catalogue.engines import make
from hybrid.catalogue.spelling import CONFIGURATIONS, not_applicable, parse_configuration, spelled
from hybrid.crosscheck.compare import crosscheck
from hybrid.engine.api import Limits
from hybrid.engine.races import Races
from hybrid.errors import InputError
from hybrid.report.result import Result
from hybrid.report.summary import summarise
from hybrid.verdict import Verdict

pytestmark = pytest.mark.sample(6)

RACES = {
    "complete": "x = 0 thread P: A: x := 1; thread Q: B: r := x @rlx; forall (x = 1)",
    "await": """x = 0; y = 0 thread P: A: x := 1; y := 1 @rel;
        thread Q: B: x := 2; await(y = 2) @rlx; forall (x = 1)""",
    "assume": """x = 0; y = 0 thread P: A: x := 1; y := 1 @rel;
        thread Q: r := y @rlx; assume r = 1; B: s := x; assume r = 2; forall (x = 1)""",
    "before the assume": """x = 0; y = 0 thread P: A: x := 1; y := 1 @rel; assume 0;
        thread Q: B: s := x; assume 0;""",
    "cut": """x = 0; y = 0 thread P: A: x := 1; y := 1 @rlx;
        thread Q: B: x := 2; L: r := y @rlx; goto L;""",
    "filter": """x = 0; y = 0 thread P: A: x := 1; y := 1 @rel;
        thread Q: r := y @acq; if r = 1 goto E; B: s := x; E: t := 0;
        filter (Q:r = 1) forall (x = 1)""",
    "rmw": "x = 0 thread P: A: r := faa(x, 1); thread Q: B: s := x @acq; forall (x = 1)",
}
CALM = {
    "atomic": "x = 0 thread P: x := 1 @rlx; thread Q: r := x @rlx; forall (x = 1)",
    "guarded": """x = 0; y = 0 thread P: A: x := 1; y := 1 @rel;
        thread Q: await(y = 1) @acq; B: r := x; forall (x = 1)""",
    "never": """x = 0; y = 0 thread P: A: x := 1; y := 1 @rlx;
        thread Q: await(y = 2) @rlx; B: x := 2; forall (x = 1)""",
}
ABLE = [spelled(each) for each in CONFIGURATIONS if not not_applicable(each, model("rc11"))]
configurations = pytest.mark.parametrize("name", ABLE)


def explore(name: str, text: str, races: Races | None = None) -> Result:
    configuration = parse_configuration(name)
    engine, how = make(configuration), configuration.equivalence
    return summarise(program(text), model("rc11"), engine, Limits(2), equivalence=how, races=races)


@configurations
@pytest.mark.parametrize("text", RACES.values(), ids=RACES)
def test_a_race_is_found(name: str, text: str) -> None:
    result = explore(name, text)
    assert result.races is Races.ERROR
    assert result.answer is Verdict.VIOLATED
    assert result.race is not None
    labels = {result.race.by_id[event].label for pair in result.race.races for event in pair}
    assert labels == {"A", "B"}


@configurations
@pytest.mark.parametrize("text", CALM.values(), ids=CALM)
def test_no_race_is_found(name: str, text: str) -> None:
    result = explore(name, text)
    assert result.race is None
    assert result.answer is Verdict.HOLDS


@pytest.mark.parametrize("solver", ["z3", "sat"])
@pytest.mark.parametrize("text", [*RACES.values(), *CALM.values()], ids=[*RACES, *CALM])
def test_the_answer_of_the_formula(solver: str, text: str) -> None:
    result = answer(program(text), model("rc11"), Limits(2), solver)
    assert (result.race is not None) == (text in RACES.values())
    assert result.answer is (Verdict.VIOLATED if text in RACES.values() else Verdict.HOLDS)


@pytest.mark.large
def test_crosscheck_compares_races() -> None:
    for text in (*RACES.values(), *CALM.values()):
        result = crosscheck(program(text), model("rc11"), CONFIGURATIONS, Limits(2))
        assert result.agree, result.differences
        raced = text in RACES.values()
        assert all(found.raced == raced for found in result.findings)


@pytest.mark.parametrize(
    ("claim", "races", "answer"),
    [
        ("forall (x = 1)", Races.ERROR, Verdict.VIOLATED),
        ("forall (x = 1)", Races.NOTE, Verdict.HOLDS),
        ("forall (x = 1)", Races.IGNORE, Verdict.HOLDS),
        ("exists (x = 2)", Races.ERROR, Verdict.VIOLATED),
        ("exists (x = 2)", Races.NOTE, Verdict.FORBIDDEN),
        ("exists (x = 1)", Races.ERROR, Verdict.ALLOWED),
        ("~exists (x = 2)", Races.ERROR, Verdict.VIOLATED),
    ],
)
def test_what_a_race_does(claim: str, races: Races, answer: Verdict) -> None:
    text = f"x = 0 thread P: x := 1; thread Q: r := x; {claim}"
    result = explore("rsmc", text, races)
    assert result.answer is answer
    assert result.race is not None
    plain = explore("rsmc", text, Races.IGNORE)
    assert (result.outcomes, result.observation) == (plain.outcomes, plain.observation)
    assert result.flags == plain.flags


def test_the_default_is_the_programs() -> None:
    plain = "x = 0 thread P: x := 1; thread Q: r := x; forall (x = 1)"
    fenced = "x = 0 thread P: x := 1; fence @sc; thread Q: r := x; forall (x = 1)"
    assert explore("rsmc", plain).races is Races.NOTE
    assert explore("rsmc", plain).answer is Verdict.HOLDS
    assert explore("rsmc", fenced).races is Races.ERROR
    assert explore("rsmc", fenced).answer is Verdict.VIOLATED


def test_the_models_text_decides() -> None:
    text = program("x = 0 thread P: x := 1 @rlx; thread Q: r := x @rlx; forall (x = 1)")
    own = model_of("acyclic po | rf | co | fr\nflag ~empty rf & ext & (W * R) as race")
    result = summarise(text, own, make(parse_configuration("rsmc")), Limits())
    assert result.answer is Verdict.VIOLATED
    assert result.race is not None
    other = model_of("acyclic po | rf | co | fr\nflag ~empty rf & ext & (W * R) as other")
    result = summarise(text, other, make(parse_configuration("rsmc")), Limits())
    assert result.answer is Verdict.HOLDS
    assert result.race is None
    assert result.flags == {"other": 2}


@pytest.mark.parametrize("name", ["rsmc+rf", "trust+rf"])
def test_classes_refuse_a_race_that_depends_on_coherence(name: str) -> None:
    text = program("x = 0 thread P: x := 1 @rlx; thread Q: x := 2 @rlx; forall (x = 1)")
    own = model_of("acyclic po | rf | co | fr\nflag ~empty coe & (IW * W) as race")
    with pytest.raises(InputError, match="depends on coherence"):
        summarise(text, own, make(parse_configuration(name)), Limits(), equivalence="rf")


def test_first_stops_at_a_race() -> None:
    text = """x = 0; y = 0 thread P: q := 0; x := 1; y := 1 @rlx; thread Q: x := 2; r := y @rlx;
        forall (P:q = 0)"""
    engine = make(parse_configuration("rsmc"))
    result = summarise(program(text), model("rc11"), engine, Limits(), first=True)
    assert (result.answer, result.traces) == (Verdict.VIOLATED, 1)


@pytest.mark.parametrize(
    ("text", "fits"), [(RACES["await"], True), (RACES["complete"], True), (CALM["atomic"], False)]
)
def test_a_file_may_expect_a_race(text: str, fits: bool) -> None:
    result = explore("rsmc", f"{text} expect rc11: RACE")
    assert result.as_expected is fits
    assert result.exit_code == (0 if fits else 1)
    noted = explore("rsmc", f"{text} expect rc11: RACE", Races.NOTE)
    assert noted.as_expected is fits
