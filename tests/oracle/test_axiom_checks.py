"""The checks of axioms on what a round has gained: each shape against the brute force."""

from __future__ import annotations

from typing import Any

import pytest
from support import make_engine, model_of, program

from hybrid.crosscheck.random_programs import Shape, random_program
from hybrid.engine.api import Limits
from hybrid.execution.execution import Execution
from hybrid.execution.trace import Key, Status, class_key
from hybrid.execution.unfolding import Unfolding
from hybrid.model.core import Model
from hybrid.oracle.axiom_checks import _close_cycle
from hybrid.oracle.columns import Op
from hybrid.oracle.graph import GraphOracle
from hybrid.oracle.relations import Log, Relation
from hybrid.program.condition import LocationTerm
from hybrid.program.program import Program

# what rsmc needs in any case
REST = """acyclic po | rf as causal
acyclic (po & loc) | rf | co | fr as local
empty rmw & (fre ; coe) as atomic
"""

# Compositions: of two closures; of what is fixed at fetch, on either side, with what grows; of more
# than two; with `?` on either side, and of one that has the identity already. A long one is taken
# apart, unless a name keeps it together.
COMPOSED = (
    "irreflexive (po | rf)+ ; (rf | co | fr)+ as a",
    "irreflexive (po | rf)+ ; (fr ; po ; fr)? as a",
    "irreflexive (fr ; po ; fr)? ; po as a",
    "irreflexive po ; (fr ; po ; fr) as a",
    "irreflexive (co ; po ; co) ; po as a",
    "irreflexive fr ; (po ; fr) ; po as a",
    "let r = fr ; po ; fr ; po\nirreflexive r ; co? as a",
    "let r = co ; po ; co ; po\nirreflexive fr? ; r as a",
    "let s = fr ; po ; fr\nirreflexive (po & (W * R)) ; s as a",
    "let r = co ; po ; co\nirreflexive r ; (po & (W * W)) as a",
    "irreflexive ((po | rf)+ & ext) ; fr as a",
    "irreflexive (po | rf)+ ; fr* as a",
    "irreflexive (loc & ext) ; (fr ; (po | rf)+) as a",
    "irreflexive ((rf | po)+ \\ po) ; fr as a",
)
# Ways from one end of a pair to the other, through relations that are filtered or not.
WAYS = (
    "empty po & (fre ; rfe) as a",
    "empty (po \\ loc) & ((fr & ext) ; (po ; rf)) as a",
    "empty (loc & ext & (W * W)) & (co ; (rf | po)+) as a",
    "empty (R * R) & ((fr & ext) ; (rf & ext)) as a",
    "empty (loc & (R * W)) & ((fr & ext) ; (co \\ ext)) as a",
    "empty (po^-1) & ((fr ; po ; rf) ; po) as a",
)
OTHERS = (
    "irreflexive (po & loc) | (fr ; po ; fr ; po) as a",
    "empty (fr ; po ; fr) & (po^-1) as a",
    "acyclic po | rf | co | fr as a",
)

# store buffering, two threads that store in opposite orders, message passing
CYCLES = (
    "x = 0 y = 0 thread P: x := 1; r := y; thread Q: y := 1; s := x; thread R: t := x;",
    "x = 0 y = 0 thread P: x := 1; y := 2; r := y; thread Q: y := 1; x := 2; locations [x]",
    "x = 0 y = 0 thread P: r := x; s := y; x := 3; t := x; thread Q: x := 1; y := 1;",
)


def keys(engine: str, source: Program, under: Model) -> list[Key]:
    traces = make_engine(engine).explore(source, under, Limits(2))
    return sorted(trace.key() for trace in traces if trace.status is Status.COMPLETE)


@pytest.mark.large
@pytest.mark.parametrize("axiom", [*COMPOSED, *WAYS, *OTHERS])
def test_as_the_brute_force(axiom: str) -> None:
    """Traces, and reads-from classes, for which coherence is completed afterwards."""
    under = model_of(f"let fr = rf^-1 ; co\n{REST}{axiom}")
    allowing = model_of(f"let fr = rf^-1 ; co\n{REST}")
    refused = 0
    drawn = [random_program(17, number, Shape(candidates=120)) for number in range(25)]
    for number, source in enumerate([*map(program, CYCLES), *drawn]):
        truth = keys("enumerate", source, under)
        assert keys("rsmc", source, under) == truth, f"program {number}"
        refused += bool(truth) and len(truth) < len(keys("rsmc", source, allowing))
        seen = {term.address for term in source.asked if isinstance(term, LocationTerm)}
        classes = {class_key(key, seen) for key in truth}
        assert set(keys("rsmc+rf", source, under)) == classes, f"program {number}"
    assert refused


@pytest.mark.parametrize("axiom", COMPOSED)
def test_compositions_are_not_stored(axiom: str) -> None:
    under = model_of(f"let fr = rf^-1 ; co\n{axiom}")
    source = program("x = 0 thread P: x := 1; r := x; thread Q: x := 2; s := x;")
    oracle = GraphOracle(under, Execution(Unfolding(source, 0, False)))
    root = oracle.plan.node(under.constraints[0].expr)
    assert root.op == Op.SEQ
    assert root.index not in oracle.network.built


@pytest.mark.parametrize("axiom", WAYS)
def test_ways_are_not_stored(axiom: str) -> None:
    """Nor are parts of rf, co or fr."""
    under = model_of(f"let fr = rf^-1 ; co\n{axiom}")
    source = program("x = 0 thread P: x := 1; r := faa(x, 1); thread Q: x := 2; s := x;")
    oracle = GraphOracle(under, Execution(Unfolding(source, 0, False)))
    root = oracle.plan.node(under.constraints[0].expr)
    assert root.op == Op.INTER
    way = root.args[1]
    assert way.op == Op.SEQ
    parts = [node for node in way.args if node.op == Op.INTER]
    assert not {node.index for node in (root, way, *parts)} & oracle.network.built.keys()


class _Counting(list[int]):
    """Columns that count how often they are looked at."""

    looks = 0

    def __getitem__(self, index: Any) -> Any:
        self.looks += 1
        return super().__getitem__(index)


@pytest.mark.interpreted
@pytest.mark.parametrize("cycle", [False, True])
def test_new_events_are_not_looked_for_behind_old_ones(cycle: bool) -> None:
    """Two new events at the end of a thread: no way leads from them back into its past."""
    looks = []
    for length in (10, 80):
        relation = Relation([], False)
        relation.stored = True
        first = 2 + length
        relation.grow(first + 2)
        for event in range(3, first):
            relation.add(event, (1 << event) - 4, Log())
        relation.forget()
        relation.add(first, (1 << first) - 4, Log())
        relation.add(first + 1, (2 << first) - 4, Log())
        if cycle:
            relation.add(first, 2 << first, Log())
        relation.columns = counting = _Counting(relation.columns)
        assert _close_cycle([relation], 3 << first) is cycle
        looks.append(counting.looks)
    assert looks[0] == looks[1]
