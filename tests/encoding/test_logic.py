"""The two back ends: gates, names, cores, and every encoding of acyclicity against a search for
cycles."""

from __future__ import annotations

import itertools
import random
import signal
import time

import pytest

from hybrid.encoding import z3_home
from hybrid.encoding.acyclic import cyclic_parts
from hybrid.encoding.clauses import FALSE, TRUE
from hybrid.encoding.logic import Logic
from hybrid.encoding.sat_logic import SAT_SOLVERS, SatLogic
from hybrid.encoding.z3_logic import Z3Logic
from hybrid.errors import InputError

pytestmark = pytest.mark.large


def make(back_end: str, acyclicity: str = "") -> Logic:
    return Z3Logic(acyclicity) if back_end == "z3" else SatLogic(back_end, acyclicity)


BACK_ENDS = ("z3", "cadical195", "glucose4", "minisat22")


def has_cycle(edges: list[tuple[int, int]]) -> bool:
    reach = set(edges)
    while more := {(a, d) for a, b in reach for c, d in reach if b == c} - reach:
        reach |= more
    return any(a == b for a, b in reach)


@pytest.mark.parametrize(
    ("back_end", "acyclicity"),
    [(b, a) for b in BACK_ENDS for a in (Z3Logic if b == "z3" else SatLogic).acyclicities()],
)
def test_acyclicity(back_end: str, acyclicity: str) -> None:
    rng = random.Random(3)
    answers = set()
    for _ in range(8):
        logic = make(back_end, acyclicity)
        pairs = [(a, b) for a in range(6) for b in range(6) if rng.random() < 0.4]
        edges = {pair: logic.variable(("edge", *pair)) for pair in pairs}
        when = logic.variable("when")
        logic.acyclic(edges, "graph", when)
        for _ in range(8):
            chosen = [pair for pair in pairs if rng.random() < 0.4]
            assumed = [x if pair in chosen else -x for pair, x in edges.items()]
            answer = logic.solve([when, *assumed])
            assert answer == (not has_cycle(chosen))
            answers.add(answer)
            assert logic.solve([-when, *assumed])
            if not answer:
                core = logic.small_core([when, *assumed])
                assert when in core
                assert has_cycle([pair for pair in pairs if edges[pair] in core])
                for x in core:
                    assert logic.solve([y for y in core if y != x])
    assert answers == {True, False}


@pytest.mark.parametrize("acyclicity", SatLogic.acyclicities())
def test_acyclicity_with_edges_that_are_always_there(acyclicity: str) -> None:
    rng = random.Random(5)
    answers = set()
    for number in range(60):
        logic = SatLogic(acyclicity=acyclicity)
        pairs = [(a, b) for a in range(7) for b in range(7) if rng.random() < 0.3]
        always = [(a, b) for a, b in pairs if rng.random() < 0.5 and (a < b or number % 9 == 0)]
        edges = {pair: TRUE if pair in always else logic.variable(pair) for pair in pairs}
        when = logic.variable("when")
        logic.acyclic(edges, "graph", when)
        free = [pair for pair in pairs if pair not in always]
        for _ in range(8):
            chosen = [pair for pair in free if rng.random() < 0.3]
            assumed = [edges[pair] if pair in chosen else -edges[pair] for pair in free]
            answer = logic.solve([when, *assumed])
            assert answer == (not has_cycle([*always, *chosen]))
            answers.add(answer)
            assert logic.solve([-when, *assumed])
    assert answers == {True, False}


@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_gates(back_end: str) -> None:
    logic = make(back_end)
    a, b, c = (logic.variable(name) for name in "abc")
    both, one = logic.conjunction([a, b, TRUE]), logic.disjunction([a, -c, FALSE])
    assert logic.conjunction([b, a]) == both
    assert logic.conjunction([a, -a]) == FALSE
    assert logic.conjunction([]) == TRUE
    assert logic.disjunction([b]) == b
    for signs in itertools.product((1, -1), repeat=3):
        assumed = [s * x for s, x in zip(signs, (a, b, c), strict=True)]
        assert logic.solve(assumed)
        assert logic.value(both) == (signs[0] > 0 and signs[1] > 0)
        assert logic.value(one) == (signs[0] > 0 or signs[2] < 0)
    assert logic.name_of(-b) == "b"
    logic.add((-a, FALSE))
    assert logic.solve([a]) is False
    assert logic.core() == [a]
    logic.add((FALSE,))
    assert logic.solve() is False


@pytest.mark.parametrize("back_end", ["cadical195", "glucose4", "minisat22"])
def test_propagation_decides_horn_clauses(back_end: str) -> None:
    rng = random.Random(5)
    answers = set()
    for _ in range(60):
        logic = make(back_end)
        xs = [logic.variable(i) for i in range(12)]
        for _ in range(25):
            premises = [-x for x in rng.sample(xs, rng.randint(1, 2))]
            logic.add([*premises, rng.choice(xs)] if rng.random() < 0.85 else premises)
        assumed = rng.sample(xs, 3)
        answers.add(answer := logic.solve(assumed))
        assert logic.propagate(assumed) == answer
        implied = logic.implied(assumed)
        assert (implied is not None) == answer
        for x in xs if implied is not None else []:
            assert (x in implied) == (logic.solve([*assumed, -x]) is False)
    assert answers == {True, False}


@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_a_deadline(back_end: str) -> None:
    """Ten pigeons in nine holes keep every solver busy."""
    logic = make(back_end)
    spots = [[logic.variable((p, h)) for h in range(12)] for p in range(13)]
    for spot in spots:
        logic.add(spot)
    for hole in range(12):
        for p, q in itertools.combinations(range(13), 2):
            logic.add((-spots[p][hole], -spots[q][hole]))
    start = time.monotonic()
    assert logic.solve(deadline=start + 0.2) is None
    assert time.monotonic() - start < 5
    assert logic.solve([spots[0][0]], deadline=time.monotonic() - 1) is None


def test_names_of_solvers() -> None:
    for name in SAT_SOLVERS:
        logic = SatLogic(name)
        x = logic.variable("x")
        logic.add((x,))
        assert logic.solve([]) and logic.value(x)
    with pytest.raises(InputError, match="no SAT solver"):
        SatLogic("zchaff")
    with pytest.raises(InputError, match="no encoding of acyclicity"):
        SatLogic(acyclicity="difference")


def test_cyclic_parts() -> None:
    edges = {(1, 2): 5, (2, 1): 6, (2, 3): 7, (3, 3): 8, (4, 5): -1, (5, 4): 9}
    parts = sorted(sorted(part.items()) for part in cyclic_parts(edges))
    assert parts == [[((1, 2), 5), ((2, 1), 6)], [((3, 3), 8)]]


def test_an_interrupt_waits_until_the_solver_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else Z3 prints a complaint about its half-made objects."""
    made: list[object] = []
    real = z3_home.z3.Context

    def interrupted() -> object:
        signal.raise_signal(signal.SIGINT)
        made.append(real())
        return made[-1]

    monkeypatch.setattr(z3_home.z3, "Context", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Z3Logic(own=True)
    assert made
