"""What is asked of an engine, how one is chosen, and how often it is asked whether it takes it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import model, model_of, program

from hybrid.api.options import configuration_of
from hybrid.bmc.engine import Bmc
from hybrid.catalogue.choice import AUTO, check, choose
from hybrid.catalogue.engines import ENGINES, ENTRIES, make, refusal
from hybrid.cli import verify
from hybrid.cli.main import main
from hybrid.engine.api import EQUIVALENCES, RF, TRACE, WITNESS
from hybrid.engine.configuration import Configuration
from hybrid.engine.entry import Role
from hybrid.engine.enumerate import Enumerate
from hybrid.engine.graphs.revisit import Revisit
from hybrid.engine.graphs.stateful import Stateful
from hybrid.engine.rsmc import engine as rsmc
from hybrid.engine.subtrees import Divisible
from hybrid.engine.trust import engine as trust
from hybrid.errors import InputError, Unsupported
from hybrid.model.core import Model
from hybrid.report.explored import explore

SB = "x = 0; y = 0 thread P: x := 1; r := y; thread Q: y := 1; s := x; exists (P:r = 0)"
MANY = "x = 0; y = 0 " + " ".join(
    f"thread T{i}: x := {i}; r := y; y := {i}; s := x;" for i in range(1, 5)
)
NO_ORDER = "acyclic co as c"  # no commit-before


def test_entries_and_engines_fit() -> None:
    assert len(ENGINES) == len(ENTRIES)
    for entry in ENTRIES:
        engine = make(Configuration(entry.name))
        assert engine.name == entry.name
        assert entry.title
        assert set(entry.equivalences) <= set(EQUIVALENCES)
        assert entry.equivalences[0] == TRACE
        if entry.divisible:
            assert isinstance(engine, Divisible)
        assert not entry.memories or entry.name in dict(entry.memories).values()
    roles = [entry.auto.role for entry in ENTRIES if entry.auto is not None]
    assert sorted(roles, key=list(Role).index) == list(Role)


def test_a_configuration_is_completed() -> None:
    chosen = choose(Configuration("rsmc"), program(SB), model("sc")).configuration
    assert (chosen.oracle, chosen.policy) == ("graph", "first")
    chosen = choose(Configuration("enumerate", oracle="z3"), program(SB), model("sc")).configuration
    assert (chosen.oracle, chosen.policy) == ("", "")
    chosen = choose(Configuration("bmc"), program(SB), model("sc")).configuration
    assert chosen.oracle == "z3"
    assert check(Configuration("trust", memory="linear")).engine == "trust-linear"


def test_auto() -> None:
    def chosen(text: str, under: str, **asked: str) -> Configuration:
        configuration = Configuration(AUTO, **asked)  # type: ignore[arg-type]
        return choose(configuration, program(text), model_of(under)).configuration

    assert chosen(SB, "acyclic po | rf").engine == "trust"
    assert chosen(SB, "acyclic po | rf", oracle="graph").engine == "trust"
    assert chosen(SB, "acyclic po | rf", oracle="z3").engine == "rsmc"
    loose = "acyclic po & loc | rf (*% commit-before (po & loc | rf)+ *)"
    assert chosen(SB, loose).engine == "rsmc"
    assert chosen(SB, NO_ORDER).engine == "enumerate"
    many = chosen(MANY, NO_ORDER)
    assert (many.engine, many.oracle) == ("bmc", "sat")
    assert chosen(MANY, NO_ORDER, oracle="z3").oracle == "z3"
    assert chosen(MANY, NO_ORDER, oracle="graph").engine == "enumerate"  # bmc does not know it
    with pytest.raises(InputError, match="enumerate does not count by the equivalence rf"):
        chosen(MANY, NO_ORDER, equivalence=RF)
    with pytest.raises(InputError, match="the oracle sat is for bmc, not for rsmc"):
        chosen(SB, "acyclic po | rf", oracle="sat")


MANY_ORDERS = "x = 0 thread P: x := 1; x := 2; x := 3; thread Q: x := 4; x := 5; x := 6;"


@pytest.mark.parametrize("name", ["sc", "rc11", "power"])
def test_auto_where_nothing_is_counted(name: str) -> None:
    def chosen(text: str, under: Model | None = None, engine: str = AUTO) -> tuple[str, bool]:
        choice = choose(Configuration(engine), program(text), under or model(name), counted=False)
        note = "one run stands for all traces with the same reads-from"
        return choice.configuration.equivalence, any(note in each for each in choice.notes)

    assert chosen(MANY_ORDERS) == (RF, True)
    assert chosen(MANY_ORDERS, engine="rsmc") == (TRACE, False)
    assert chosen(SB) == (TRACE, False)  # each location has one store
    assert chosen(MANY_ORDERS + " exists (x = 3)") == (TRACE, False)  # which tells them apart
    flag = "let fr = rf^-1;co acyclic po | rf | co | fr flag ~empty co & ext as odd"
    assert chosen(MANY_ORDERS, model_of(flag)) == (TRACE, False)
    assert chosen(MANY_ORDERS, model_of(NO_ORDER)) == (TRACE, False)
    counted = choose(Configuration(AUTO), program(MANY_ORDERS), model(name))
    assert counted.configuration.equivalence == TRACE


def test_stuck() -> None:
    choice = choose(Configuration(AUTO, policy="last"), program(SB), model("sc"), stuck=True)
    assert choice.configuration.engine == "enumerate"
    assert choice.notes[-1].startswith("enumerate answers, as trust got stuck")
    asked = Configuration(AUTO, oracle="z3")
    choice = choose(asked, program(SB), model("sc"), stuck=True)
    assert "answers, as rsmc got stuck" in choice.notes[-1]
    with pytest.raises(Unsupported) as caught:
        choose(Configuration("trust"), program(SB), model("power"))
    assert caught.value.hint == "engines that take it: enumerate, rsmc, bmc"


def test_options_without_effect() -> None:
    def notes(asked: Configuration) -> tuple[str, ...]:
        return choose(asked, program(SB), model("sc")).notes

    assert notes(Configuration("rsmc", policy="random", seed=1, oracle="z3")) == ()
    assert notes(Configuration("rsmc", seed=1)) == ("--seed has no effect without --policy random",)
    assert notes(Configuration("bmc", policy="last", seed=1)) == (
        "--policy has no effect: bmc has none",
        "--seed has no effect: bmc has none",
    )
    assert notes(Configuration("enumerate", oracle="z3", policy="last")) == (
        "--oracle has no effect: enumerate has none",
        "--policy has no effect: enumerate has none",
    )
    assert notes(Configuration("bmc", sat_solver="glucose4")) == (
        "--sat-solver has no effect without --oracle sat",
    )
    assert notes(Configuration("trust", sat_solver="glucose4")) == (
        "--sat-solver has no effect without --oracle pysat",
    )


def test_only_some_answer_by_witnesses() -> None:
    for entry in ENTRIES:
        result = explore(Configuration(entry.name), program(SB), model("sc"), first=True)
        assert result.equivalence == (WITNESS if entry.name == "bmc" else TRACE)
    with pytest.raises(InputError, match="no equivalence is called 'witness'"):
        check(Configuration("bmc", WITNESS))


@pytest.fixture
def no_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    def built(*_: object) -> None:
        raise AssertionError("an engine is built")

    for made in (Enumerate, rsmc.Rsmc, trust.Trust, Revisit, Stateful, Bmc):
        monkeypatch.setattr(made, "__init__", built)


@pytest.mark.usefixtures("no_engines")
@pytest.mark.parametrize("engine", [AUTO, *ENGINES])
def test_no_engine_is_built_to_check_options(engine: str) -> None:
    parser = argparse.ArgumentParser()
    verify.configure(parser)
    args = parser.parse_args(["--engine", engine, "--policy", "last", "--sat-solver", "glucose4"])
    assert configuration_of(vars(args)).engine == engine
    if engine != AUTO:
        choose(Configuration(engine), program(SB), model("sc"))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The engines that were asked whether they take a program, in this process."""
    found: list[str] = []
    by_rsmc, by_trust = rsmc.check_supported, trust.check_supported

    def ask_rsmc(*given: object) -> None:
        found.append("rsmc")
        by_rsmc(*given)  # type: ignore[arg-type]

    def ask_trust(*given: object) -> None:
        found.append("trust")
        by_trust(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(rsmc, "check_supported", ask_rsmc)
    monkeypatch.setattr(trust, "check_supported", ask_trust)
    yield found


@pytest.mark.parametrize("engine", ["rsmc", "trust", "stateful"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_engine_is_asked_once(
    engine: str, jobs: int, asked: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "sb.prog"
    path.write_text(SB)
    options = f"verify {path} --model sc --engine {engine} -j {jobs} --quiet"
    assert main(options.split()) == 0
    assert asked == ["rsmc" if engine == "rsmc" else "trust"]
    asked.clear()
    main(f"crosscheck {path} --model sc --engines enumerate,{engine}".split())
    assert len(asked) == 1
    capsys.readouterr()


def test_refusals_are_found() -> None:
    """With what `explore` no longer looks at."""
    rmw = program("x = 0 thread P: r := xchg(x, 1);")
    loose = model_of("acyclic po | rf | co | fr as sc")
    for entry in ENTRIES:
        assert (refusal(entry.name, loose, rmw) is None) == (entry.name in ("enumerate", "bmc"))
