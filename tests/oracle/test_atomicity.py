"""Atomicity read off the coherence orders, against the relations of the axiom's text."""

from __future__ import annotations

import pytest
from support import model, model_of, program
from walks import TwoOracles, Walk

from hybrid.crosscheck.random_programs import Shape, random_program
from hybrid.oracle.atomicity import is_atomicity
from hybrid.oracle.graph import GraphOracle
from hybrid.oracle.plan import Plan
from hybrid.program.program import Program

LOOSE = """acyclic rf | co | fr as order
empty rmw & (fr ; co) as atomic
(*% commit-before (po | rf)+ *)"""
SPLIT = """
x = 0; y = 0
thread P: r := cas(x, 0, 1); s := faa(x, 1); x := 5; t := faa(y, 1);
thread Q: r := faa(x, 2); x := 7; s := xchg(x, 9); y := 1;
thread R: r := lr(x); s := sc(x, r + 1); t := lr(y); u := sc(y, 3); x := 2;
"""


@pytest.mark.parametrize(
    ("text", "is_it"),
    [
        ("empty rmw & (fre ; coe)", True),
        ("empty rmw & (fr ; co)", True),
        ("empty amo & (fre ; co)", True),
        ("empty rmw & (fre ; rf)", False),
        ("empty po & (fre ; coe)", False),
        ("irreflexive rmw & (fre ; coe)", False),
        ("~empty rmw & (fre ; coe)", False),
    ],
)
def test_shape(text: str, is_it: bool) -> None:
    under = model_of(text)
    axiom = under.constraints[0]
    assert is_atomicity(axiom, Plan(under).node(axiom.expr)) is is_it


@pytest.mark.large
@pytest.mark.interpreted
@pytest.mark.parametrize("name", ["sc", "tso", "loose"])
def test_orders_and_relations_agree(name: str) -> None:
    under = model_of(LOOSE) if name == "loose" else model(name)
    compared = refused = 0
    for number in range(60):
        shape = Shape(locations=(1, 2), exotic=(0.9,)) if number % 2 else None
        source: Program = random_program(31, number, shape) if number % 3 else program(SPLIT)
        walk = Walk(source, under, number)
        one = TwoOracles(under, walk.execution)
        one.follow(GraphOracle(under, walk.execution, False, True))
        counted = one.compare(walk, 20)
        compared, refused = compared + counted[0], refused + counted[1]
    assert compared > 300
    assert refused > 30
