"""Encoded models: on whole candidates they say what the enumerator's checker says, whatever the
back end."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache

import pytest
from encoded_traces import given
from support import MODELS, model, model_of

from hybrid.crosscheck.random_programs import Shape, random_program
from hybrid.encoding.logic import Logic
from hybrid.encoding.model import Flags, encode_model
from hybrid.encoding.sat_logic import SatLogic
from hybrid.encoding.z3_logic import Z3Logic
from hybrid.engine.api import Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.engine.enumerate.check import judge
from hybrid.execution.trace import TraceData
from hybrid.model.core import Model

pytestmark = pytest.mark.sample(8)

BACK_ENDS: dict[str, Callable[[], Logic]] = {
    "sat": SatLogic,
    "cadical": lambda: SatLogic("cadical195"),
    "z3": Z3Logic,
    "lazy": lambda: SatLogic(acyclicity="lazy"),
}

ODD_MODELS = {
    "differences": (
        "let far = rf \\ po-loc\nacyclic (far | co) \\ (far ; co) | (po & ~rf)\n"
        "empty [FW] ; co ; [FW]"
    ),
    "exact closure": (
        "let reach = (po-loc | rf | co)+\nirreflexive reach ; (fr \\ reach)\n"
        "empty (po & (W * R)) \\ reach"
    ),
    "exact recursion": (
        "let rec a = rf | (a ; b) | po-loc\nand b = co | (b ; a) | (a & b)\n"
        "empty (co ; rf) \\ b as one\nempty (po ; co) \\ (a | b) as two\n"
        "flag ~empty b \\ co as more"
    ),
    "recursion through a closure": (
        "let rec a = rf | (a ; co)+ | (po-loc ; a*)\nirreflexive (fr \\ a) ; po\n"
        "empty (co ; co) \\ a ; a as two"
    ),
    "recursive sets": (
        "let rec seen = [IW] | ([range(seen ; (rf | po-loc))])\n"
        "acyclic co | (seen ; po ; seen) | rf^-1 ; co\n"
        "empty (W * R) & rf \\ (_ * range(seen))"
    ),
    "negated": (
        "~empty rf & ext as some\n~acyclic rf | co | fr | po as weak\n"
        "flag ~irreflexive fr ; po-loc as stale\nflag acyclic rf | po as tidy"
    ),
    "rmw": (
        "empty rmw & (fre ; coe)\nacyclic [RMW] ; po | po ; [_ \\ RMW] ; po | com\n"
        "flag ~empty domain(rmw) * range(rmw) & loc & ext as two"
    ),
}


@cache
def candidates(number: int, names: str) -> list[TraceData]:
    """Executions of a random program, whatever rf and co; with the flags of the model in
    question."""
    under = odd(names)
    free = dataclasses.replace(under, axioms=under.flags)
    source = random_program(31, number, Shape((2, 3), (2, 3), (2, 2), 60))
    return [trace.data() for trace in Enumerate().explore(source, free, Limits(unroll=1))]


def odd(name: str) -> Model:
    return model_of(ODD_MODELS[name]) if name in ODD_MODELS else model(name)


@pytest.mark.large
@pytest.mark.parametrize("back_end", BACK_ENDS)
@pytest.mark.parametrize("name", [*MODELS, *ODD_MODELS])
def test_whole_candidates(name: str, back_end: str) -> None:
    under = odd(name)
    refused = allowed = 0
    for number in range(10 if back_end == "z3" else 14):
        for data in candidates(number, name)[:: 4 if back_end == "z3" else 3]:
            logic = BACK_ENDS[back_end]()
            base = given(data, logic, constants=number % 2 == 0)
            encoded = encode_model(under, logic, base.events, base.sets, base.relations)
            refusal = judge(data, under)
            assumptions = [*base.assumptions, *encoded.axioms.values()]
            assert logic.solve(assumptions) == (refusal is None)
            if refusal is not None:
                refused += 1
                core = logic.small_core(assumptions)
                assert any(x in core for x in encoded.axioms.values())
                one = encoded.axioms[refusal.axiom or ""]
                assert logic.solve([*base.assumptions, one]) is False
            else:
                allowed += 1
            assert logic.solve(base.assumptions)
            raised = [name for name, x in encoded.flags.items() if logic.value(x)]
            assert sorted(raised) == sorted(data.flags)
    assert refused
    assert allowed


@pytest.mark.parametrize("name", ["rc11", "rc20", "exact recursion", "negated"])
def test_flags_that_are_asked_for(name: str) -> None:
    """A solution in which the literal is true has the flag, and each flag has such a solution."""
    under = odd(name)
    seen: set[tuple[str, bool | None]] = set()
    for number in range(14):
        for data in candidates(number, name)[::3]:
            logic = SatLogic()
            base = given(data, logic, constants=number % 2 == 0)
            sets, relations = base.sets, base.relations
            encoded = encode_model(under, logic, base.events, sets, relations, Flags.ASKED)
            for flag, literal in encoded.flags.items():
                found = logic.solve([*base.assumptions, literal])
                assert found == (flag in data.flags), (number, flag)
                seen.add((flag, found))
    assert len(seen) == 2 * len(under.flags)
