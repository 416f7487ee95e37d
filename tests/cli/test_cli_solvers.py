"""Solvers from the command line: oracles, the formula of a whole program, reasons from cores."""

from __future__ import annotations

import json

import pytest
from cli_helpers import Hybrid


@pytest.mark.parametrize("oracle", ["graph", "z3", "pysat"])
@pytest.mark.parametrize("equivalence", ["trace", "rf"])
def test_oracles(hybrid: Hybrid, oracle: str, equivalence: str) -> None:
    options = ("--model", "tso", "--oracle", oracle, "--equivalence", equivalence, "--json")
    run = hybrid.on("verify", "sb", *options)
    fields = json.loads(run.out)
    assert (run.code, fields["traces"], fields["oracle"]) == (0, 4, oracle)
    assert (fields["verdict"], fields["equivalence"]) == ("ALLOWED", equivalence)


@pytest.mark.parametrize("solver", ["z3", "sat"])
def test_the_formula_lists_traces(hybrid: Hybrid, solver: str) -> None:
    run = hybrid.on(
        "verify", "sb", "--model", "sc", "--engine", "bmc", "--oracle", solver, "--json"
    )
    fields = json.loads(run.out)
    assert (run.code, fields["traces"], fields["verdict"]) == (0, 3, "FORBIDDEN")


@pytest.mark.parametrize("solver", ["z3", "sat"])
@pytest.mark.parametrize(("model", "verdict"), [("sc", "FORBIDDEN"), ("tso", "ALLOWED")])
def test_the_formula_answers(hybrid: Hybrid, solver: str, model: str, verdict: str) -> None:
    options = ("--model", model, "--engine", "bmc", "--first", "--oracle", solver)
    run = hybrid.on("verify", "sb", *options)
    assert run.code == 0
    assert f"Verdict sb {verdict}" in run.out
    assert "Answered by the formula" in run.out
    assert ("Witness" in run.out) or verdict == "FORBIDDEN"


def test_what_bmc_does_not_have_is_told(hybrid: Hybrid) -> None:
    run = hybrid.on("verify", "sb", "--engine", "bmc", "--oracle", "graph")
    message = "the oracle graph is for rsmc and the engines on graphs, not for bmc"
    assert (run.code, run.err) == (2, f"error: {message}\n  known: z3, sat\n")
    assert hybrid.on("verify", "sb", "--engine", "bmc", "--equivalence", "rf").code == 2
    noted = hybrid.on("verify", "sb", "--engine", "bmc", "--policy", "last")
    assert "--policy has no effect" in noted.out


@pytest.mark.parametrize("reasons", ["core", "both"])
def test_reasons_from_a_core(hybrid: Hybrid, reasons: str) -> None:
    run = hybrid.on("explain", "sb", "--model", "sc", "--reasons", reasons)
    assert run.code == 0
    lines = [line.strip() for line in run.out.splitlines()]
    cores = [line for line in lines if line.startswith("core   sc, acyclic: ")]
    graphs = [line for line in lines if line.startswith("graph  sc, acyclic: ")]
    assert len(cores) == 1 and len(graphs) == (reasons == "both")
    assert cores[0].count("--po-->") == cores[0].count("--fr-->") == 2
