"""Relations that are given loosely: models that look at middles, ends and paths of events that may
not happen, and what is added to their tests, against brute force."""

from __future__ import annotations

import pytest
from bmc_programs import assert_same
from support import model, model_of, program

from hybrid.bmc.communication import without_closure
from hybrid.bmc.engine import make_logic
from hybrid.bmc.formula import Formula
from hybrid.bmc.loose_model import loosened
from hybrid.bmc.ranges import Ranges
from hybrid.bmc.symbolic import symbolic
from hybrid.crosscheck.random_programs import Shape, random_program
from hybrid.engine.api import Limits
from hybrid.model import core
from hybrid.program.program import Program

# Events in the middle, at the front and at the end that may not happen.
BRANCHES = """x = 0; y = 0
thread P: L0: r0 := x; L1: if r0 = 0 goto L3; L2: y := 1; L3: r1 := y; L4: x := 2;
thread Q: K0: r0 := y; K1: if r0 = 0 goto K3; K2: y := 2; K3: x := 1; K4: r1 := cas(x, 2, 3);
"""
# Of these, each says another thing when events that do not happen count.
ODD = {
    "a middle": "irreflexive (po ; po) ; com",
    "next to each other": "acyclic (po \\ (po ; po)) | com",
    "an end": "empty rf ; [_ \\ domain(po)]",
    "a beginning": "empty [_ \\ range(po)] ; rf ; [range(po)]",
    "of the same thread": "empty domain(int \\ id \\ po \\ po^-1) * _",
    "a location": "empty rf & (range(po & loc) * domain(po & loc))",
    "a path": "irreflexive (po | rf)+ ; (co | fr)",
    "a path by int": "irreflexive ((int \\ id) | rf)+ ; co ; rf",
    "a path by loc": "acyclic (po & loc)+ | rf | fr",
    "all are empty": "empty ((po ; [W]) \\ (po ; po)) ; rf ; po",
    "empty but for": "~empty po & loc & (R * W)",
    "recursive": "let rec a = po | (a ; b) and b = rf | (b ; a)\nirreflexive a ; fr",
    "recursive and loose": "let rec a = po | (a ; a) | (po ; a)\nacyclic (a ; a) | com",
    "a difference": "empty (po ; rf) \\ (po ; po ; rf)",
    "no difference": "irreflexive fr ; ((po ; [_]) | (ext & loc & rf)+)",
    "fences": "acyclic [SC] ; (po | (po ; com ; po)) ; [SC]\nacyclic (po ; [W]) | com",
}


def pytest_name(text: str) -> str:
    return next(name for name, it in ODD.items() if it == text)


@pytest.mark.large
@pytest.mark.parametrize("text", ODD.values(), ids=pytest_name)
def test_odd_models(text: str) -> None:
    under = model_of(text)
    assert_same(program(BRANCHES), under, "sat", unroll=1)
    shape = Shape(threads=(2, 2), instructions=(2, 4), candidates=100)
    for number in range(12):
        assert_same(random_program(41, number, shape), under, "sat", unroll=1)


def written(text: str) -> core.Expr:
    """How the last axiom is written."""
    return loosened(model_of(text), False).model.axioms[-1].expr


def guards(expr: core.Expr) -> int:
    """How often `[_]` is in it."""
    own = isinstance(expr, core.Identity) and isinstance(expr.operand, core.Base)
    return int(own) + sum(guards(child) for child in core.children(expr))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("acyclic po | com", 0),
        ("acyclic (po | rf)+ | co", 0),
        ("irreflexive po ; rf ; po", 1),
        ("irreflexive po ; po ; rf", 1),
        ("empty po ; rf", 1),
        ("empty po", 2),
        ("acyclic po & loc", 2),
        ("empty rf & (domain(po) * domain(rf))", 2),
        ("irreflexive rf ; (po \\ (po ; po))", 1),
        ("irreflexive ((po & loc) | rf)+ ; rf", 1),
    ],
)
def test_where_events_must_happen(text: str, number: int) -> None:
    assert guards(written(text)) == number


def closure_of(text: str) -> core.Expr:
    found = model_of(text)
    expr = found.axioms[0].expr
    assert isinstance(expr, core.Plus | core.Star)
    return without_closure(found, expr)


@pytest.mark.large
def test_the_closure_of_communication() -> None:
    assert isinstance(closure_of("irreflexive com+"), core.Union)
    assert isinstance(closure_of("let a = fr | rf\nirreflexive (a | co)*"), core.Opt)
    for other in ("rf | co", "rf | co | fr | po", "rf | co | (rf ; co)", "rf | co | (co^-1 ; rf)"):
        assert isinstance(closure_of(f"irreflexive ({other})+"), core.Plus), other
    same = "(rf | co | fr)+"
    plain = "rf | co | fr | (co ; rf) | (fr ; rf)"
    for text in (f"empty {same} \\ ({plain})", f"empty ({plain}) \\ {same}"):
        assert_same(program(BRANCHES), model_of(text), "sat", unroll=1)
        nothing = model_of("~empty po")
        assert_same(program(BRANCHES), nothing, "sat", unroll=1)


def clauses(source: Program, under: core.Model) -> int:
    limits = Limits()
    runs = symbolic(source, limits)
    logic = make_logic("sat")
    Formula(runs, Ranges(runs, limits), under, logic, limits, False)
    return logic.clauses


def threads(order: str, stores: int) -> Program:
    """Two threads that store to two locations in turn, where they read something else than 7."""
    parts = [
        "".join(
            f"r{i} := {'xy'[i % 2]} @{order}; if r{i} = 7 goto {name}{i}; "
            f"{'yx'[i % 2]} := {i + 1} @{order}; {name}{i}: z{name} := {i};"
            for i in range(stores)
        )
        for name in "PQ"
    ]
    return program(f"x=0; y=0; zP=0; zQ=0\nthread P: {parts[0]}\nthread Q: {parts[1]}\n")


@pytest.mark.large
def test_formulas_do_not_grow_as_closures_do() -> None:
    """With twice as many sequentially consistent events a formula grows to between four and eight
    times the size, nearer to the number of pairs than to that of triples."""
    small, large = (clauses(threads("sc", size), model("rc20")) for size in (6, 12))
    assert large < 6 * small
