"""Configurations: spelling, errors, what is applicable."""

from __future__ import annotations

import pytest
from golden_files import check_golden
from support import model, model_of, program

from hybrid.catalogue.engines import ENGINES, make
from hybrid.catalogue.spelling import (
    CONFIGURATIONS,
    not_applicable,
    parse_configuration,
    parse_configurations,
    spelled,
)
from hybrid.engine.api import RF, TRACE
from hybrid.engine.configuration import Configuration
from hybrid.errors import InputError
from hybrid.oracle.make import ORACLES

SPELLINGS = {
    "enumerate": Configuration("enumerate"),
    "rsmc": Configuration("rsmc", TRACE, "graph", "first"),
    "rsmc/last": Configuration("rsmc", TRACE, "graph", "last"),
    "rsmc:z3": Configuration("rsmc", TRACE, "z3", "first"),
    "rsmc+rf": Configuration("rsmc", RF, "graph", "first"),
    "rsmc+rf:pysat/random": Configuration("rsmc", RF, "pysat", "random"),
    "bmc:z3": Configuration("bmc", TRACE, "z3"),
    "bmc:sat": Configuration("bmc", TRACE, "sat"),
}

ERRORS = (
    "rmsc",
    "enumerate,",
    "enumerate,,rsmc",
    "",
    "+rf",
    "rsmc+",
    "rsmc:",
    "rsmc/",
    "rsmc:cvc5",
    "rsmc+so",
    "rsmc/best",
    "enumerate:z3",
    "enumerate/last",
    "bmc:graph",
    "bmc:z3/first",
    "bmc+rf",
    "rsmc:z3+rf",
    "rsmc/last:z3",
    "enumerate, rsmc:graph:z3",
    "RSMC",
    "réseau",
    "x" * 50,
)


@pytest.mark.parametrize("text", SPELLINGS)
def test_spelling(text: str) -> None:
    assert parse_configuration(text) == SPELLINGS[text]
    assert spelled(SPELLINGS[text]) == text


def test_defaults_may_be_spelled_out() -> None:
    assert spelled(parse_configuration("rsmc+trace:graph/first")) == "rsmc"
    assert spelled(parse_configuration("bmc")) == "bmc:z3"


def test_lists() -> None:
    assert parse_configurations("all") == CONFIGURATIONS
    found = parse_configurations(" rsmc/last , all,rsmc")
    assert spelled(found[0]) == "rsmc/last"
    assert found[1:] == CONFIGURATIONS
    assert len(set(map(spelled, CONFIGURATIONS))) == len(CONFIGURATIONS)


def test_errors() -> None:
    texts = []
    for text in ERRORS:
        with pytest.raises(InputError) as error:
            parse_configurations(text)
        texts.append(f"--engines '{text}'\n{error.value.render()}\n")
    check_golden("crosscheck/configuration_errors.txt", "\n".join(texts))


def test_every_engine_and_oracle_is_in_the_grammar() -> None:
    assert {c.engine for c in CONFIGURATIONS} >= set(ENGINES)
    assert {c.oracle for c in CONFIGURATIONS if c.engine == "rsmc"} >= set(ORACLES)


def test_what_exists_is_applicable_and_made() -> None:
    for configuration in CONFIGURATIONS:
        if not not_applicable(configuration, model("power")):
            assert make(configuration).name == configuration.engine


def test_reasons_for_not_being_applicable() -> None:
    no_order = model_of("acyclic co as c")
    assert "commit-before" in not_applicable(parse_configuration("rsmc"), no_order)
    assert not not_applicable(parse_configuration("enumerate"), no_order)
    not_atomic = model_of("acyclic po | rf | co | fr as sc")
    rmw = program("x = 0\nthread P: r := xchg(x, 1);")
    assert "atomic" in not_applicable(parse_configuration("rsmc"), not_atomic, rmw)
    assert not not_applicable(parse_configuration("rsmc"), not_atomic)
