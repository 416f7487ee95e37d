"""`rsmc --equivalence rf`: each reads-from class once, equal to the projection of all traces."""

from __future__ import annotations

import dataclasses

import pytest
from support import MODELS, model, program
from test_engines import LB_DATA, RWW, WWRR, fig11

from hybrid.crosscheck.random_programs import Shape, random_program
from hybrid.engine.api import Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.engine.enumerate.check import Refusal, check_key
from hybrid.engine.rsmc.engine import Rsmc
from hybrid.errors import InputError
from hybrid.execution.trace import EventId, Status, class_key, key_of
from hybrid.frontend.prog_print import print_program
from hybrid.oracle.graph_rf import RfGraphOracle
from hybrid.program.condition import LocationTerm
from hybrid.program.program import Program

pytestmark = pytest.mark.sample(6)


def observing(source: Program, count: int) -> Program:
    """The program with its first locations observed."""
    terms = tuple(LocationTerm(x.span, x.address, x.name) for x in source.locations[:count])
    return dataclasses.replace(source, observed=terms)


@pytest.mark.parametrize(
    ("text", "name", "count"),
    [
        (LB_DATA, "power", 4),
        (RWW, "power", 3),
        (RWW, "sc", 3),
        (RWW + " locations [x]", "sc", 6),  # each of three sources, each of two stores last
        (WWRR, "sc", 4),
        (fig11(10, ""), "power", 4),
        (fig11(10, "sync;"), "power", 3),
    ],
)
def test_numbers_of_classes(text: str, name: str, count: int) -> None:
    engine = Rsmc(equivalence="rf")
    keys = [trace.key() for trace in engine.explore(program(text), model(name), Limits())]
    assert len(keys) == len(set(keys)) == engine.counters.complete == count
    assert engine.counters.blocked == engine.counters.stuck == 0


def test_the_run_gives_places_in_the_coherence_order_that_is_shown() -> None:
    text = "x = 0 thread P: x := 1; thread Q: r := x; x := 2; thread R: s := x; locations [x]"
    for trace in Rsmc(equivalence="rf").explore(program(text), model("power"), Limits()):
        data = trace.data()
        order: list[EventId] = []
        for event, place in data.run:
            if data.by_id[event].kind == "W":
                assert isinstance(place, int)
                order.insert(place, event)
        assert tuple(order) == data.co[data.program.locations[0].address]


@pytest.mark.large
@pytest.mark.parametrize("policy", ["first", "last", "random"])
@pytest.mark.parametrize("name", MODELS)
def test_classes_are_the_projection_of_all_traces(name: str, policy: str) -> None:
    under = model(name)
    for number in range(40):
        source = observing(random_program(13, number, Shape(candidates=1000)), number % 3)
        addresses = {term.address for term in source.observed if isinstance(term, LocationTerm)}
        expected = {
            class_key(trace.key(), addresses): trace.outcome(source.observed)
            for trace in Enumerate().explore(source, under, Limits(2))
            if trace.status is Status.COMPLETE
        }
        engine = Rsmc(equivalence="rf", policy=policy, seed=number)
        found = [
            trace
            for trace in engine.explore(source, under, Limits(2))
            if trace.status is Status.COMPLETE
        ]
        keys = [trace.key() for trace in found]
        assert len(keys) == len(set(keys)), print_program(source)
        assert set(keys) == expected.keys(), print_program(source)
        assert not engine.counters.stuck
        for trace in found:
            assert trace.outcome(source.observed) == expected[trace.key()]


@pytest.mark.large
def test_every_class_comes_with_a_coherence_order_that_allows_it() -> None:
    for name in ("power", "tso", "rc11"):
        for number in range(15):
            source = observing(random_program(14, number, Shape(candidates=1000)), 1)
            for trace in Rsmc(equivalence="rf").explore(source, model(name), Limits(2)):
                if trace.status is Status.COMPLETE:
                    checked = check_key(source, model(name), key_of(trace.data()), Limits(2))
                    assert not isinstance(checked, Refusal), checked.reason


@pytest.mark.interpreted
def test_a_coherence_order_that_is_not_found_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the search only the likeliest order is tried, and classes are lost."""
    monkeypatch.setattr(RfGraphOracle, "_search", lambda *_: None)
    with pytest.raises(AssertionError):
        for name in MODELS:
            test_classes_are_the_projection_of_all_traces(name, "last")


def test_flags_are_raised() -> None:
    text = "x = 0 thread P: x := 1; thread Q: r := x;"
    traces = list(Rsmc(equivalence="rf").explore(program(text), model("rc11"), Limits()))
    assert [trace.data().flags for trace in traces] == [("race",), ("race",)]


def test_unknown_equivalence() -> None:
    with pytest.raises(InputError, match="no equivalence"):
        Rsmc(equivalence="co")
