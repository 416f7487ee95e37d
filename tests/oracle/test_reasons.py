"""Reasons: every refused candidate has one, on partial traces and on whole ones, and it says what
is there."""

from __future__ import annotations

import dataclasses

import pytest
from support import MODELS, model, program
from walks import Walk

from hybrid.crosscheck.random_programs import Shape, random_program
from hybrid.engine.api import Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.engine.enumerate.check import judge
from hybrid.execution.step import CHOICE
from hybrid.model.core import Model
from hybrid.oracle.core_of_trace import explain_by_core
from hybrid.oracle.of_trace import explain_trace
from hybrid.oracle.reason import Reason

pytestmark = pytest.mark.sample(3)


def check_form(reason: Reason, under: Model) -> None:
    axiom = next(a for a in under.constraints if a.name == reason.axiom)
    assert reason.test == axiom.test.value
    assert reason.edges
    for edge, following in zip(reason.edges, reason.edges[1:], strict=False):
        assert edge.end == following.start
    if axiom.test.value in ("acyclic", "irreflexive"):
        assert reason.edges[0].start == reason.edges[-1].end
    assert all(edge.label and "…" not in edge.label for edge in reason.edges)


@pytest.mark.parametrize("name", MODELS)
def test_whole_candidates(name: str) -> None:
    """A candidate has a reason exactly when the enumerator's own checker refuses it, and they name
    an axiom that is broken."""
    under = model(name)
    refused = 0
    for number in range(12):
        source = random_program(9, number, Shape((2, 3), (2, 3), (2, 2), 60))
        free = dataclasses.replace(under, axioms=())
        for trace in Enumerate().explore(source, free, Limits(unroll=1)):
            data = trace.data()
            reason, refusal = explain_trace(data, under), judge(data, under)
            assert (reason is None) == (refusal is None)
            if reason is not None:
                check_form(reason, under)
                refused += 1
    assert refused > 20


@pytest.mark.parametrize("name", MODELS)
def test_cores_of_whole_candidates(name: str) -> None:
    """A solver refuses what the graphs refuse, and what it needs breaks an axiom by itself."""
    under = model(name)
    refused = 0
    for number in range(8):
        source = random_program(9, number, Shape((2, 3), (2, 3), (2, 2), 40))
        free = dataclasses.replace(under, axioms=())
        for trace in Enumerate().explore(source, free, Limits(unroll=1)):
            data = trace.data()
            reason = explain_by_core(data, under)
            assert (reason is None) == (explain_trace(data, under) is None)
            if reason is not None:
                check_form(reason, under)
                refused += 1
    assert refused > 10


@pytest.mark.parametrize("name", ["power", "tso", "rc11"])
def test_partial_traces(name: str) -> None:
    under = model(name)
    explained = 0
    for number in range(25):
        walk = Walk(random_program(10, number), under, number)
        for _ in walk.steps(12):
            execution, oracle = walk.execution, walk.oracle
            walk.before.take_in(0)
            for step in {s.event: s for s in execution.steps if s is not None}.values():
                pending = execution.pending >> step.event & 1 and step.kind != CHOICE
                if not pending or not walk.before.enabled(step):
                    continue
                for candidate in (c for c in walk.candidates(step) if c >= 0):
                    if not oracle.allowed(execution, step.event, [candidate]):
                        check_form(oracle.reason(), under)
                        explained += 1
    assert explained > 20


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        (
            "x = 0 y = 0 thread A: x := 1; thread B: r0 := x; sync; r1 := y; "
            "thread C: y := 1; thread D: r2 := y; sync; r3 := x;",
            "power",
            "propagation (acyclic): 1.2 --prop: fr;rf;sync--> 3.2 --prop: fr;rf;sync--> 1.2",
        ),
        (
            "x = 0 y = 0 thread P: r := x; [&y + (r ^ r)] := 1; thread Q: s := y; x := s;",
            "power",
            (
                "no-thin-air (acyclic): 0.0 --ppo: addr--> 0.1 --rfe--> 1.0 --ppo: data--> "
                "1.1 --rfe--> 0.0"
            ),
        ),
        (
            "x = 0 thread P: r := faa(x, 1); thread Q: x := 5;",
            "sc",
            "atomic (empty): 0.0 --fre--> 1.0 --coe--> 0.1",
        ),
    ],
)
def test_labels(text: str, name: str, reason: str) -> None:
    under = model(name)
    free = dataclasses.replace(under, axioms=())
    found = {
        str(r)
        for trace in Enumerate().explore(program(text), free, Limits())
        if (r := explain_trace(trace.data(), under)) is not None
    }
    assert reason in found
