"""Which models see branches; and that traces are the same, branches included, where they do not."""

from __future__ import annotations

import pytest
from support import model, model_of, program

from hybrid.crosscheck.random_programs import random_program
from hybrid.engine.api import Limits
from hybrid.engine.enumerate.engine import Enumerate
from hybrid.engine.trust.engine import Trust
from hybrid.engine.trust.graph import dense_unfolding
from hybrid.execution.trace import Status
from hybrid.oracle.sees_branches import sees_branches

NOTHING: frozenset[str] = frozenset()


@pytest.mark.parametrize(
    ("text", "sees"),
    [
        ("acyclic po | com", False),
        ("acyclic po-loc | com", False),
        ("let hb = (po | rf)+ irreflexive hb ; co", False),
        ("acyclic ([W] ; fencerel(F) ; [R]) | com", False),
        ("acyclic (po & (R * M)) | rf | co | fr", False),
        ("flag ~empty (po & (W * R)) as odd", False),
        # they lead through an event that may be a branch
        ("acyclic (po ; po) | com", True),
        ("acyclic (po \\ loc) | com", True),
        ("irreflexive po ; ctrl^-1", True),
        # they ask for branches, or for all events
        ("empty [B]", True),
        ("acyclic (po ; [B] ; po) | com", True),
        ("empty po ; [R & ~M]", True),
        ("acyclic po | ext", True),
        ("empty po", True),
        ("flag ~empty (po & (_ * R)) as odd", True),
        # they relate a branch to itself
        ("acyclic (rfe* \\ loc)", True),
        ("acyclic rf?", True),
        ("irreflexive (po | rf)* ; co?", True),
        ("irreflexive (po | id)+", True),
        ("irreflexive po & id", False),
        ("irreflexive (po | rf)+ ; co?", False),
        ("irreflexive (po | rf)* ; co", False),
        ("irreflexive (po ; rf?) ; (co? ; po)", True),
        # who is there because of them
        ("irreflexive [domain(po)] ; rf ; fr", True),
        ("irreflexive [range(po)] ; rf ; fr", True),
        ("irreflexive [range(rf)] ; po ; co", False),
        ("let rec r = po | (r ; po) acyclic r", True),
    ],
)
def test_texts(text: str, sees: bool) -> None:
    assert sees_branches(model_of(text), NOTHING) is sees


@pytest.mark.parametrize("name", ["sc", "tso", "pso", "ra", "rc11", "rc20"])
def test_bundled(name: str) -> None:
    source = program("x = 0 thread P: r := x; if r = 0 goto E; x := 1; E: skip;")
    assert not dense_unfolding(source, model(name), 1, 100, "graph").branches


@pytest.mark.large
@pytest.mark.parametrize("name", ["sc", "tso", "rc11"])
def test_traces_have_their_branches(name: str) -> None:
    """All about each trace is the same as the ground truth says it is, dependencies on branches
    among it."""
    branches = 0
    under = model(name)
    for number in range(40):
        source = random_program(61, number)
        if dense_unfolding(source, under, 2, 100, "graph").branches:
            continue
        found, expected = (
            {
                t.key(): t.data()
                for t in engine.explore(source, under, Limits(2))
                if t.status is Status.COMPLETE
            }
            for engine in (Trust(), Enumerate())
        )
        assert found.keys() == expected.keys()
        for key, data in found.items():
            assert data.events == expected[key].events
            assert data.ctrl == expected[key].ctrl
            branches += sum(event.kind == "B" for event in data.events)
    assert branches > 50
