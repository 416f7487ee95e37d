"""The estimator of the number of executions: its tree has one leaf for each, its walks have no
bias, and what it says does not depend on when it was interrupted."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from support import model, model_of, program

from hybrid.crosscheck.random_programs import random_program
from hybrid.data import bundled
from hybrid.engine.api import FAA, RF, TRACE, WITNESS, Counters, Limits
from hybrid.engine.prepare import prepared
from hybrid.engine.probes.commit_tree import CommitTree
from hybrid.engine.probes.estimate import Estimate, estimate_from, executions
from hybrid.engine.probes.estimator import FIRST, Estimator
from hybrid.engine.probes.make import make_estimator
from hybrid.engine.probes.thinned_walk import ThinnedWalk
from hybrid.engine.probes.tree_profile import TreeProfile
from hybrid.engine.probes.writes_to_come import WritesToCome
from hybrid.engine.rsmc.engine import Rsmc, check_supported
from hybrid.errors import InputError
from hybrid.frontend.generators import exp_mem, fib_bench, fig11, lastzero
from hybrid.frontend.load import load_program
from hybrid.model.core import Model
from hybrid.program.program import Program

FOR_EVER = float("inf")
LIMITS = Limits(unroll=2)
WEAK = ("sc", "tso", "rc11", "power", "armv7", "aarch64", "riscv")
PAPERS = sorted(Path(str(bundled("litmus"))).glob("papers/*.prog"))


# ---- the tree


def leaves(tree: CommitTree) -> int:
    """Of the whole tree."""
    node = tree.expand()
    if not node.children:
        return tree.ends()
    found = 0
    for child in node.children:
        tree.enter(node, child)
        found += tree.ends() if child.frame is None else leaves(tree)
        tree.leave(child)
    return found


def compared(source: Program, under: Model, equivalence: str) -> tuple[int, int] | None:
    """What RSMC finds, and the leaves of the tree; None: RSMC does not take it, or not well."""
    engine = Rsmc(equivalence=equivalence)
    try:
        check_supported(source, under)
        for _ in engine.explore(source, under, LIMITS):
            pass
    except InputError:
        return None
    if engine.counters.stuck or engine.counters.thin_air:
        return None
    other = Rsmc(equivalence=equivalence).exploration(source, under, LIMITS)
    return executions(engine.counters), leaves(CommitTree(other, source))


@pytest.mark.large
@pytest.mark.sample(6)
@pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.stem)
def test_one_leaf_for_each_execution(path: Path) -> None:
    source = load_program(path)
    seen = 0
    for name, equivalence in product(WEAK, (TRACE, RF)):
        found = compared(prepared(source, model(name), "await"), model(name), equivalence)
        if found is not None:
            seen += 1
            assert found[0] == found[1], (name, equivalence)
    assert seen


@pytest.mark.large
def test_one_leaf_for_each_execution_of_random_programs() -> None:
    seen = 0
    for number in range(60):
        name = WEAK[number % len(WEAK)]
        loops = ("keep", "await", "dynamic")[number % 3]
        source = prepared(random_program(11, number), model(name), loops)
        found = compared(source, model(name), (TRACE, RF)[number % 2])
        if found is not None:
            seen += 1
            assert found[0] == found[1], number
    assert seen > 40


def test_a_run_that_a_bound_ends_counts_only_where_nothing_can_go_on() -> None:
    """The await of Q may be passed, and can go on at the end all the same."""
    text = """
    x = 1
    thread P: L2: r2 := await(x = 0);
    thread Q: L5: r1 := fetch_or(x, 3) await = 1;
    thread R: L7: r0 := x; L8: if r0 = 1 goto L7;
    """
    found = compared(program(text), model("sc"), TRACE)
    assert found is not None
    assert found[0] == found[1]


def test_writes_to_come() -> None:
    text = """
    x = 0; y = 0; z = 0
    thread P: L0: r0 := x; L1: if r0 = 1 goto L3; L2: y := 1; L3: r1 := z;
    thread Q: L4: x := 1; L5: z := 2;
    """
    source = program(text)
    exploration = Rsmc().exploration(source, model("sc"), LIMITS)
    execution = exploration.execution
    to_come = WritesToCome(source, execution)
    places = {place.name: number for number, place in enumerate(execution.numbering.locations)}

    def who_may(name: str) -> list[bool]:
        to_come.look()
        return [to_come.may_come(places[name], reader) for reader in (0, 1)]  # P, Q

    assert who_may("x") == [True, False]
    assert who_may("y") == [False, True]  # behind a branch that is not decided
    assert who_may("z") == [True, False]
    tree = CommitTree(exploration, source)
    node = tree.expand()
    tree.enter(node, node.children[0])  # P reads 0, or Q writes x
    assert who_may("y") == [False, True]


# ---- walks


@dataclass
class ToyChild:
    tree: Any  # a list of further trees, or the number of executions at a leaf
    waiting: int = 0
    frame: object = field(default_factory=object)


@dataclass
class ToyNode:
    children: list[ToyChild]


class ToyTree:
    """A tree given as nested lists."""

    def __init__(self, tree: Any) -> None:
        self.at = [tree]

    def expand(self) -> ToyNode:
        here = self.at[-1]
        return ToyNode([ToyChild(each) for each in here] if isinstance(here, list) else [])

    def enter(self, node: ToyNode, child: ToyChild) -> None:
        self.at.append(child.tree)

    def leave(self, child: ToyChild) -> None:
        self.at.pop()

    def ends(self) -> int:
        return self.at[-1] if isinstance(self.at[-1], int) else 0


class Given(random.Random):
    """Numbers that are not random."""

    def __new__(cls, *_: object) -> Given:
        return super().__new__(cls)

    def __init__(self, numbers: tuple[float, ...]) -> None:
        super().__init__()
        self.numbers = list(numbers)

    def random(self) -> float:
        return self.numbers.pop(0)


class Targets(TreeProfile):
    """A profile that wants the same weight of all nodes of a depth."""

    def __init__(self, targets: tuple[float, ...]) -> None:
        super().__init__()
        self.targets = targets

    def target(self, stratum: tuple[int, int], width: int) -> float:
        return self.targets[stratum[0]]


# 15 executions: nodes with one, two and four children, dead ends, ends of several executions
SKEWED = [[[1, 1], [1, [0, 1, 1, 2]]], [0], [[1], 0, [1, 1], [[1, 1], 3]], 0]
GRID = [(2 * number + 1) / 16 for number in range(8)]  # no sum of eighths comes near a whole number


def walked(tree: Any, draw: random.Random, known: TreeProfile, width: int) -> ThinnedWalk:
    walk = ThinnedWalk(ToyTree(tree), draw, known, width)  # type: ignore[arg-type]
    assert walk.work(FOR_EVER)
    return walk


@pytest.mark.large
@pytest.mark.parametrize(
    ("targets", "width"),
    [
        ((), 1),
        ((1, 1, 1, 1, 1), 2),
        ((1, 2, 4, 4, 8), 2),
        ((1, 4, 4, 2, 8), 2),
        ((1, 1, 8, 8, 8), 2),
    ],
)
def test_walks_have_no_bias(targets: tuple[float, ...], width: int) -> None:
    """The mean over all random numbers: the probabilities are eighths, so that those of a grid
    stand for all."""
    found = [
        walked(SKEWED, Given((0.5, *drawn, 0.5)), Targets(targets), width)
        for drawn in product(GRID, repeat=4)
    ]
    assert sum(walk.leaves for walk in found) / len(found) == pytest.approx(15)
    nodes = [sum(walk.profile.nodes.values()) for walk in found]
    assert sum(nodes) / len(nodes) == pytest.approx(27)  # all nodes, too
    if targets == (1, 1, 1, 1, 1):
        assert {walk.leaves for walk in found} == {15.0}  # everything is kept


def test_a_walk_goes_on_where_it_was_interrupted() -> None:
    whole = walked(SKEWED, random.Random(3), Targets((1, 2, 2, 2, 2)), 2)
    tree = ToyTree(SKEWED)
    targets = Targets((1, 2, 2, 2, 2))
    walk = ThinnedWalk(tree, random.Random(3), targets, 2)  # type: ignore[arg-type]
    times = 1
    while not walk.work(0.0):
        times += 1
    assert times > 20
    assert (walk.leaves, walk.nodes) == (whole.leaves, whole.nodes)
    assert tree.at == [SKEWED]


def test_a_walk_does_not_become_too_long() -> None:
    """Targets that are far too small: all of 4,096 leaves would be kept. There is no bias still."""
    tree: Any = 1
    for _ in range(12):
        tree = [tree, tree]
    found = [walked(tree, random.Random(seed), Targets((1,) * 13), 4) for seed in range(300)]
    assert max(walk.nodes for walk in found) < 12 * 4 * 15
    mean = sum(walk.leaves for walk in found) / len(found)
    assert 0.95 * 4096 < mean < 1.05 * 4096


# ---- estimates


def estimator(text: str, name: str, seed: int = 0) -> Estimator:
    found = make_estimator(program(text), model(name), LIMITS, TRACE, seed)
    assert found is not None
    return found


def after(walks: int, made: Estimator) -> Estimate:
    """What it says after so many walks that count."""
    for _ in range(100_000):
        made.work(time.monotonic())
        found = made.estimate
        if found is not None and found.walks >= walks:
            return found
    raise AssertionError("no estimate")


@pytest.mark.large
@pytest.mark.parametrize(
    ("text", "name", "number"),
    [
        (lastzero(8), "sc", 704),
        (exp_mem(6), "sc", 1440),
        (fib_bench(3), "sc", 1698),
        (fig11(6, fences=False), "power", 927),
    ],
    ids=["lastzero", "exp-mem", "fib-bench", "fig11"],
)
def test_estimates_are_close(text: str, name: str, number: int) -> None:
    found = after(24, estimator(text, name))
    assert number / 1.5 < found.executions < number * 1.5
    assert found.low < found.executions < found.high
    assert found.high < 3 * found.low


def test_the_same_seed_gives_the_same_estimate() -> None:
    text = fib_bench(3)
    one, same, other = (after(8, estimator(text, "sc", seed)) for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_a_program_without_choices_is_known_exactly() -> None:
    found = after(4, estimator("x = 0\nthread P: L0: x := 1; L1: r0 := x;", "sc"))
    assert (found.executions, found.low, found.high) == (1, 1, 1)


def test_no_estimate_before_there_are_enough_walks() -> None:
    made = estimator(fib_bench(3), "sc")
    assert made.estimate is None
    assert len(FIRST) > 1
    assert estimate_from([(8, 5.0)] * 3) is None
    assert estimate_from([(8, 0.0)] * 9) is None


def test_wider_walks_count_for_more() -> None:
    found = estimate_from([(8, 10.0), (8, 30.0), (16, 20.0), (32, 50.0)])
    assert found is not None
    assert found.executions == pytest.approx((80 + 240 + 320 + 1600) / 64)
    assert found.low < found.executions < found.high
    assert found.executions**2 == pytest.approx(found.low * found.high)
    assert found.at_least(40).low == 40
    assert found.at_least(10**6).executions == 10**6


def test_what_counts_as_an_execution() -> None:
    counters = Counters(complete=1, blocked=2, deadlocks=4, livelocks=8, cut=16, errors=32)
    assert executions(counters) == 61


def test_where_there_is_no_estimator() -> None:
    source = program("x = 0\nthread P: L0: x := 1;")
    for equivalence in (FAA, WITNESS):
        assert make_estimator(source, model("sc"), LIMITS, equivalence) is None
    without = model_of("let r = po | rf\nempty r & 0 as nothing")
    assert make_estimator(source, without, LIMITS, TRACE) is None
