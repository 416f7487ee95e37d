"""Clauses that are kept: what is written of them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from hybrid.certificate import cnf
from hybrid.certificate.cnf import CnfLogic
from hybrid.errors import InputError, InternalError

FORMULA = """
from certificates import made, LOOP
print({name: data for name, data in made(LOOP, "power").items() if name.endswith(".cnf")})
"""


def test_dimacs(monkeypatch: pytest.MonkeyPatch) -> None:
    logic = CnfLogic()
    variables = [logic.variable(name) for name in "abcdefghijkl"]
    a, b, j = variables[0], variables[1], variables[9]
    for clause in ((a, -j, b), (), (a, -a), (b, b, -1), (1, a), (-j,)):
        logic.add(clause)
    expected = "p cnf 13 5\n1 0\n2 -11 3 0\n0\n3 0\n-11 0\n"
    assert logic.dimacs() == expected
    monkeypatch.setattr(cnf, "_PIECE", 3)
    assert logic.dimacs() == expected
    assert list(logic.each()) == [[1], [2, -11, 3], [], [3], [-11]]
    assert logic.name_of(-11) == "j"


def test_there_is_no_solver() -> None:
    logic = CnfLogic()
    for use in (logic.solve, logic.core, lambda: logic.value(1)):
        with pytest.raises(InternalError):
            use()
    with pytest.raises(InputError, match="lazy"):
        CnfLogic("lazy")


@pytest.mark.large
def test_the_formula_does_not_depend_on_the_order_of_sets() -> None:
    """Two processes, whose sets of texts are in different orders, write the same."""
    here = os.path.dirname(__file__)
    path = os.pathsep.join([here, os.path.dirname(here), *sys.path])
    found = {
        subprocess.run(
            [sys.executable, "-c", FORMULA],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1
    assert "p cnf" in found.pop()
