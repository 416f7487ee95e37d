"""Relations whose pairs end in new events: which they are, and what is judged by them, against the
relations that grow round by round."""

from __future__ import annotations

import pytest
from support import make_engine, model, model_of, program
from walks import TwoOracles, Walk

from hybrid.crosscheck.random_programs import Shape, random_program
from hybrid.engine.api import Limits
from hybrid.execution.execution import Execution
from hybrid.execution.trace import Status
from hybrid.execution.unfolding import Unfolding
from hybrid.oracle.graph import GraphOracle
from hybrid.oracle.onward import Onward
from hybrid.oracle.onward_axioms import is_kept_by_order, onward_axiom
from hybrid.oracle.onward_nodes import KINDS, LOADS, OTHERS, STORES, ends
from hybrid.oracle.plan import Plan
from hybrid.oracle.pointwise import Points
from hybrid.oracle.static import StaticTable
from hybrid.program.program import Program

FENCED = """
x = 0; y = 0
thread P: x := 1 @rlx; r := y @acq; fence @sc; s := x @sc; t := cas(x, 1, 5) @acqrel; y := 1 @rel;
thread Q: y := 2 @rlx; fence @rel; x := 2 @rlx; r := faa(y, 1) @rlx; fence @acq; s := x;
thread R: r := x @rlx; s := lr(y); fence @sc; t := sc(y, 7); x := r + 1 @sc; u := y @acq;
"""
# What a thread does next, a load or a store, depends on what it has read.
BRANCHING = """
x = 0; y = 0
thread P: r := x @acq; if r = 0 goto A; y := 1 @rel; s := x @acq; goto B;
A: s := y @acq; y := 2 @rel; B: x := 1 @rel;
thread Q: r := y @acq; if r = 1 goto C; x := 3 @rel; r := y @acq; goto D;
C: r := x @acq; D: y := 1 @rel;
thread R: r := cas(x, 1, 5) @acqrel; y := r + 4 @rel; s := cas(y, 2, 8) @acqrel;
"""
# A number that stands for a store on one path stands for a branch, or a fence, on another.
LOOPING = """
x = 0
thread P: x := 0;
thread Q: x := 1;
thread R: A: r := x; if r goto A; x := 0; x := 0;
"""
PASSING = """
x = 0; y = 0
thread P: r := x; if r goto A; x := 2; s := y; goto B; A: fence @sc; y := r; B: x := 3;
thread Q: x := 1; r := y; x := 4;
"""
# The number of a read-modify-write's store stands for a load elsewhere.
MODIFYING = """
x = 0; y = 0
thread Q: x := 1; y := 5; y := 6;
thread R: r := faa(y, 2);
thread P: r := x; if r = {} goto A; s := faa(y, 1); y := 2; goto B; A: s := y; s := y; y := 3; B:
"""
# A cas that may fail as it likes is committed anew after a revisit, and the fence behind it comes.
ANEW = """
x = 0; y = 0
thread P: y := 1 @rlx; r := cas_weak(y, 1, 2) @rlx; fence @sc; s := x @rlx;
thread Q: x := 1 @rlx; r := cas_weak(y, 1, 2) @rlx; fence @sc; s := y @rlx;
"""
REST = """acyclic po | rf as causal
empty rmw & (fre ; coe) as atomic
(*% commit-before (po | rf)+ *)
"""
# What communication is composed with, and which; what is not composed at all.
AXIOMS = (
    "irreflexive (po | rf)+ ; (rf | co | fr)+",
    "irreflexive (po | rf)+ ; (rf | co | fr)+?",
    "irreflexive (po | rf)+ ; co",
    "irreflexive fr ; (po | rf)+",
    "irreflexive po ; (co | fr)",
    "irreflexive (po | rf)+ ; (co | rf)+",
    "irreflexive (po | rf)+ ; (fr | rf)+",
    "irreflexive (po | rf)+ ; (co | (fr | rf)+)",
    "irreflexive ((po | rf)+ & ext) ; (rf | co | fr)+?",
    "irreflexive ((po | (rf ; rmw*))+ \\ po) ; (co | fr)+",
    "irreflexive ((rf ; rmw)* ; rfe ; (po & (R * M))?) ; (co | fr)",
    "let r = (po & loc) | (rfe ; [R] ; po)\nirreflexive r ; (co | fr)+",
    "irreflexive (po | rf | [W])+ ; (co | fr)",
    "irreflexive ((rf ; [R])* ; po ; (rf ; rmw)* ; [M & REL])+ ; (co | fr)+",
    "irreflexive ([range(rfe ; po)] ; rf) ; co",
    "empty (rfe ; po) & (rf ; rmw) & loc",
    "empty rfe ; po ; rfe",
    "irreflexive (rfe ; (po & (R * W)))+ & ~(rfe ; po)",
    "acyclic po | rf | co | fr",
    "acyclic rf | co | fr",
    "acyclic (po & loc) | rf | co | fr",
    "acyclic po | (rfe ; po & loc)+ | co | fr",
    "acyclic (po & (R * W)) | (rfe ; [R & ACQ] ; po) | co | fr",
    "acyclic (po ; (rf & ext) ; po) | co | (fr & ext)",
)


def onward_of(plan: Plan) -> Onward:
    return world(plan)[0]


def world(plan: Plan) -> tuple[Onward, Execution, Points]:
    execution = Execution(Unfolding(program("x = 0 thread P: x := 1;"), 0, False))
    points = Points(execution, StaticTable(plan, 0))
    return Onward(points, len(execution.steps)), execution, points


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("po | rf", True),
        ("(po | (rf ; rmw))+ & ext", True),
        ("rfe \\ (loc & po)", True),
        ("[W] ; (rf ; po)* ; [R & ACQ]", True),
        ("[range(rf ; rmw)] ; po", True),
        ("rf^-1", False),
        ("po ; co", False),
        ("loc & ext", False),
        ("W * R", False),
        ("[domain(rmw)] ; po", False),
        ("rfe \\ ((po ; rf)? & loc)", False),
        ("po \\ rf^-1", False),
    ],
)
def test_which_relations(text: str, taken: bool) -> None:
    under = model_of(f"acyclic {text}")
    plan = Plan(under)
    node = plan.node(under.constraints[0].expr)
    assert onward_of(plan).takes(node) is taken


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("rf", LOADS),
        ("(rf ; rmw)+", STORES),
        ("(rf ; rmw)*", KINDS),
        ("po", KINDS),
        ("[R] ; po ; [M & REL]", LOADS | STORES),
        ("po & (R * W)", STORES),
        ("(rf ; [R & ACQ]) | (po ; [F])", LOADS | OTHERS),
        ("po & (M * (F | IW))", STORES | OTHERS),
        ("[range(rf)] ; rf", LOADS),
        ("(po ; [_ \\ R]) \\ rf", KINDS),
        ("(po ; [W \\ RLX]) \\ rf", STORES),
    ],
)
def test_in_which_events_pairs_end(text: str, kinds: int) -> None:
    under = model_of(f"acyclic {text}")
    assert ends(Plan(under).node(under.constraints[0].expr)) == kinds


@pytest.mark.parametrize(
    ("text", "judged"),
    [
        *((axiom.rpartition("\n")[2], True) for axiom in AXIOMS[:6]),
        (AXIOMS[6], False),  # rf ; fr relates earlier events anew
        (AXIOMS[7], False),
        ("irreflexive (po | rf)+ ; (co ; po)", False),
        ("irreflexive (po | co)+ ; fr", False),
        ("acyclic po | rf | co | fr", True),
        ("acyclic rfe | (po ; (rf & ext))+ | co | fr", True),
        ("acyclic po | rf | co", False),
        ("acyclic po | rf | co | fre", False),
        ("acyclic po | rf | co | fr | (po ; co)", False),
        ("empty po ; co", False),
        ("~irreflexive po ; co", False),
    ],
)
def test_which_axioms(text: str, judged: bool) -> None:
    under = model_of(text)
    axiom = under.constraints[0]
    plan = Plan(under)
    found = onward_axiom(axiom, plan.node(axiom.expr), *world(plan))
    assert (found is not None) is judged


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("acyclic po | rf", True),
        ("acyclic (po & loc) | rfe | addr", True),
        ("irreflexive (po | rf)+", True),
        ("acyclic po | rf | co", False),
        ("acyclic po | fr", False),
        ("acyclic po | rf^-1", False),
        ("empty po & rf", False),
        ("~acyclic po | rf", False),
    ],
)
def test_what_the_order_of_commits_keeps(text: str, kept: bool) -> None:
    """Only of what is a part of (po | rf)+ the order of commits says anything."""
    under = model_of(text)
    axiom = under.constraints[0]
    plan = Plan(under)
    node = plan.node(axiom.expr)
    assert is_kept_by_order(axiom, node, onward_of(plan)) is kept


def drawn(number: int) -> Program:
    shape = Shape(locations=(1, 2), exotic=(0.9,)) if number % 2 else None
    return random_program(47, number, shape) if number % 3 else program(FENCED)


@pytest.mark.interpreted
@pytest.mark.parametrize("under", ["sc", "tso", "pso", "ra", "rc11", "rc20", *AXIOMS])
def test_as_relations_that_grow(under: str) -> None:
    """Along random walks, fences fetched long before their turn: the same candidates and flags."""
    text = model(under) if under.isalnum() else model_of(f"{REST}{under} as a")
    compared = refused = 0
    for number in range(30):
        walk = Walk(drawn(number), text, number)
        one = TwoOracles(text, walk.execution, True)
        one.follow(GraphOracle(text, walk.execution))
        counted = one.compare(walk, 16)
        compared, refused = compared + counted[0], refused + counted[1]
    assert compared > 200
    assert refused > 3


@pytest.mark.parametrize("engine", ["trust", "rsmc"])
@pytest.mark.parametrize("text", [BRANCHING, LOOPING, PASSING, ANEW])
@pytest.mark.parametrize("under", ["sc", "rc11"])
def test_numbers_that_mean_another_thing_and_fences_behind_choices(
    engine: str, text: str, under: str
) -> None:
    keys = [
        sorted(
            trace.key()
            for trace in make_engine(name).explore(program(text), model(under), Limits(3))
            if trace.status is Status.COMPLETE
        )
        for name in (engine, "enumerate")
    ]
    assert keys[0] == keys[1]


@pytest.mark.parametrize("engine", ["trust", "rsmc"])
@pytest.mark.parametrize("first", [0, 1])
def test_what_leads_to_stores_alone_leads_to_no_load(engine: str, first: int) -> None:
    """A number that meant the store of a read-modify-write and means a load has nothing before it
    in (rf ; rmw)+."""
    text = model_of(f"{REST}irreflexive ((rf ; rmw)+ ; po) ; (co | fr) as a")
    source = program(MODIFYING.format(first))
    found = [
        sorted(trace.key() for trace in make_engine(name).explore(source, text, Limits()))
        for name in (engine, "rsmc:pysat")
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize("engine", ["trust", "rsmc"])
def test_a_closure_of_what_relates_events_to_themselves(engine: str) -> None:
    """What the number of an event had when it was another one is not a part of its column."""
    text = model_of(f"{REST}irreflexive (po | rf | [W])+ ; (co | fr) as a")
    for number in range(40):
        source = random_program(3, number)
        found = [
            sorted(trace.key() for trace in make_engine(name).explore(source, text, Limits(2)))
            for name in (engine, "rsmc:pysat")
        ]
        assert found[0] == found[1], number


@pytest.mark.parametrize("under", ["sc", "tso", "rc11", "rc20", "ra"])
def test_what_comes_back_after_a_revisit(under: str) -> None:
    """trust puts lifted events back as they were, after others have had their numbers."""
    for number in range(30):
        source = drawn(3 * number // 2 + 1) if number else program(BRANCHING)
        keys = [
            sorted(
                trace.key()
                for trace in make_engine(name).explore(source, model(under), Limits(2))
                if trace.status is Status.COMPLETE
            )
            for name in ("trust", "rsmc:pysat")
        ]
        assert keys[0] == keys[1], number
