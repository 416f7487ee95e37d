"""Which models can tell that the pairs are missing by which they put initial writes first; and that
the others have the same traces, whether the oracle leaves these pairs out or not."""

from __future__ import annotations

import pytest
from support import make_engine, model, model_of

from hybrid.crosscheck.random_programs import random_program
from hybrid.engine.api import Limits
from hybrid.execution.trace import Status
from hybrid.model.initial_first import ignores_initial_first
from hybrid.oracle.columns import Op
from hybrid.oracle.plan import Plan

FIRST = "let first = IW * (_ \\ IW)\nlet sb = po | first\nlet fr = rf^-1 ; co\n"
IGNORES = (
    "acyclic sb | rf | co | fr",
    "irreflexive (sb | rf)+ ; (rf | co | fr)+?",
    "acyclic sb | rf\nempty rmw & ((fr & ext) ; (co & ext))",
    "let rec hb = sb | (hb ; rf) | (hb ; hb)\nirreflexive hb ; (co | fr)",
    "acyclic (sb & loc) | rf | co | fr",
    "irreflexive (~sb) & (po ; po)",
    "irreflexive sb^-1 ; po",
    "acyclic sb^-1 | (po ; fr)^-1",
    "empty (sb \\ loc) & (R * _)",
    "flag ~empty (loc & ((W \\ IW) * R)) \\ sb as unordered",
    "acyclic sb | ([R] ; po ; [W])",
)
TELLS = (
    "empty first",
    "empty first & rf",
    "flag ~empty sb & loc as some",
    "irreflexive sb ; rf^-1",  # a load must not read from an initial write
    "irreflexive rf^-1 ; sb",
    "acyclic (sb & loc) | rf^-1",
    "irreflexive sb ; loc",
    "acyclic sb | int",
    "empty (rf^-1 ; first) & po",  # goes through an initial write
    "empty ((rf^-1 | first)+) & (R * W) & po",
    "empty [domain(first)] ; co",
    "empty [R & range(first)]",
    "flag ~empty loc \\ first as others",
    "let rec r = first | (rf^-1 ; r)\nempty r & (R * R)",
    "irreflexive (first^-1 | po) ; rf",
)


@pytest.mark.parametrize("name", ["rc11", "rc20"])
def test_models_of_c_ignore_it(name: str) -> None:
    assert ignores_initial_first(model(name))


def test_a_model_without_such_pairs() -> None:
    assert not ignores_initial_first(model("sc"))
    assert not ignores_initial_first(model_of("acyclic po | (IW * _)"))


@pytest.mark.parametrize("text", IGNORES)
def test_ignores(text: str) -> None:
    assert ignores_initial_first(model_of(FIRST + text))


@pytest.mark.parametrize("text", TELLS)
def test_tells(text: str) -> None:
    assert not ignores_initial_first(model_of(FIRST + text))


def test_the_look_ahead_counts() -> None:
    base = FIRST + "acyclic sb | rf | co | fr as sc\n(*% commit-before (po | rf)+ *)\n"
    assert ignores_initial_first(model_of(base + "(*% look-ahead po & loc *)"))
    assert not ignores_initial_first(model_of(base + "(*% look-ahead sb & loc *)"))


def test_a_brief_plan_leaves_the_pairs_out() -> None:
    for brief in (True, False):
        plan = Plan(model("rc20"), brief=brief)
        for axiom in plan.model.constraints:
            plan.node(axiom.expr)
        assert any(node.op is Op.PRODUCT for node in plan.nodes) is not brief
    told = model_of(FIRST + "irreflexive sb ; rf^-1")
    plan = Plan(told, brief=True)
    plan.node(told.constraints[0].expr)
    assert any(node.op is Op.PRODUCT for node in plan.nodes)


@pytest.mark.parametrize("text", [*IGNORES, *TELLS])
def test_the_same_traces_as_on_whole_executions(text: str) -> None:
    """rsmc asks the oracle, enumerate evaluates the model as it is written. (Where a model forbids
    loads to read from initial writes, rsmc may get stuck, and says so.)"""
    axioms = "acyclic po | rf | co | fr\nempty rmw & ((fr & ext) ; (co & ext))"
    under = model_of(f"{FIRST}{axioms}\n{text}\n(*% commit-before (po | rf)+ *)")
    for number in range(4):
        source = random_program(17, number)
        found = []
        stuck = False
        for name in ("rsmc", "enumerate"):
            engine = make_engine(name)
            traces = engine.explore(source, under, Limits(1))
            whole = [trace for trace in traces if trace.status is Status.COMPLETE]
            found.append({(trace.key(), trace.flags) for trace in whole})
            stuck |= engine.counters.stuck > 0
        assert found[0] <= found[1] if stuck else found[0] == found[1]
