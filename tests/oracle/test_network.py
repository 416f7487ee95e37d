"""The network of growing relations, against sets of pairs: random expressions over the events of a
program, which come in in any order, with any rf, co and fr."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest
from fetched_worlds import events_of, step_of, world_of
from naive_relations import Pairs, RandomExpressions, World, pairs_of, random_pairs
from support import model_of, program

from hybrid.execution.execution import Execution
from hybrid.execution.unfolding import Unfolding
from hybrid.model import core
from hybrid.oracle.columns import GROW, Node
from hybrid.oracle.network import Network
from hybrid.oracle.plan import Plan
from hybrid.oracle.pointwise import Points
from hybrid.oracle.relations import Log, Relation
from hybrid.oracle.static import StaticTable

# All addresses are constants, so that all events are fetched with their locations.
PROGRAM = """
x = 0 y = 0
thread P: r0 := x; y := r0 + 1; sync; r1 := faa(x, r0);
thread Q: r0 := y; x := r0; r1 := xchg(y, r0);
"""
SETS = ["_", "R", "W", "M", "F", "IW"]
RELATIONS = ["rf", "co", "rf", "co", "po", "po", "loc", "ext", "int", "id", "data", "amo"]
OPERATORS = ["Union", "Inter", "Seq", "Seq", "Plus", "Star", "Opt", "Inverse", "Diff"]
OPERATORS += ["Identity", "Domain", "Range", "Product", "Complement"]


class Rounds:
    """A network of some expressions, to which rounds add events and pairs."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.execution = Execution(Unfolding(program(PROGRAM), 2, True))
        self.fetched = world_of(self.execution)
        plan = Plan(model_of("acyclic po"))
        made = RandomExpressions(self.rng, SETS, RELATIONS, OPERATORS)
        expressions = [made.relation(depth) for depth in (1, 2, 2, 3, 3, 3)]
        self.nodes: list[tuple[core.Expr, Node]] = []
        for expr in expressions:
            node = plan.node(expr)
            if node.level <= GROW and not node.is_set:
                self.nodes.append((expr, node))
        table = StaticTable(plan, self.execution.numbering.initial_writes)
        for event in events_of(self.execution):
            step = step_of(self.execution, event)
            if step is not None and event == step.event:
                table.fetch(step)
        self.points = Points(self.execution, table)
        self.network = Network(self.points)
        self.relations = [self.network.relation(node) for _, node in self.nodes]
        for relation in self.relations:  # what these are made of may not be
            relation.stored = relation.asked = True
        self.network.number()
        self.network.grow(max(self.fetched.events) + 1)
        self.committed: list[int] = []
        self.rf: Pairs = set()
        self.co: Pairs = set()

    def add(self, events: Iterable[int], rf: Pairs, co: Pairs) -> Log:
        """One round. What it adds to fr follows from rf and co, as the oracles have it."""
        log = Log()
        for event in events:
            location = self.execution.location[event]
            self.points.committed |= 1 << event
            if location >= 0:
                log.note(self.points.by_location, location)
                self.points.by_location[location] |= 1 << event
            self.network.insert(event, log)
            self.committed.append(event)
        self.rf |= rf
        self.co |= co
        network = self.network
        fr = {(load, after) for a, load in self.rf for b, after in self.co if a == b}
        leaves = (network.reads_from, rf), (network.coherence, co), (network.from_read, fr)
        for leaf, pairs in leaves:
            for a, b in sorted(pairs):
                network.leaf_gains(leaf, b, 1 << a, log)
        network.propagate(log)
        network.settle()
        return log

    def world(self) -> World:
        """The committed events alone."""
        inside = set(self.committed)
        sets = {name: values & inside for name, values in self.fetched.sets.items()}
        relations = {
            name: {(a, b) for a, b in pairs if a in inside and b in inside}
            for name, pairs in self.fetched.relations.items()
        }
        return World(sorted(inside), sets, {**relations, "rf": self.rf, "co": self.co})

    def check(self) -> int:
        """Compares all relations; how many hold a pair."""
        filled = 0
        for (expr, node), relation in zip(self.nodes, self.relations, strict=True):
            expected = _over_committed(expr, self.world(), self.fetched)
            assert pairs_of(relation.columns, self.committed) == expected, node
            filled += bool(expected)
        return filled


def _over_committed(expr: core.Expr, world: World, fetched: World) -> Pairs:
    """What is made of po, dependencies and sets alone is evaluated over fetched events, and then
    restricted to committed ones."""
    plan = Plan(model_of("acyclic po"))

    def value(at: core.Expr) -> Pairs:
        inside = set(world.events)
        node = plan.node(at)
        if node.level == 0 and not node.is_set:  # STATIC
            found: Pairs = fetched.value(at)
            return {(a, b) for a, b in found if a in inside and b in inside}
        if node.is_set or isinstance(at, core.Base):
            known: Pairs = world.value(at)
            return known
        # The operands take the place of base relations, so that one operator is evaluated here.
        names = {f"operand {i}": value(child) for i, child in enumerate(core.children(at))}
        return _applied(at, names, world)

    return value(expr)


def _applied(expr: core.Expr, operands: dict[str, Pairs], world: World) -> Pairs:
    sides: list[core.Expr] = []
    for name, child in zip(operands, core.children(expr), strict=True):
        sides.append(core.Base(child.span, child.kind, name))
    outer: core.Expr
    if isinstance(expr, core.Union | core.Inter | core.Diff):
        outer = type(expr)(expr.span, expr.kind, *sides)
    elif isinstance(expr, core.Complement):
        outer = core.Complement(expr.span, expr.kind, sides[0])
    else:
        outer = type(expr)(expr.span, *sides)  # type: ignore[call-arg, arg-type]
    sets = {**world.sets, **operands}
    relations = {**world.relations, **operands}
    result: Pairs = World(world.events, sets, relations).value(outer)  # type: ignore[arg-type]
    return result


def state(relations: list[Relation]) -> list[list[int]]:
    return [list(relation.columns) for relation in relations]


@pytest.mark.parametrize("number", range(10))
def test_network(number: int) -> None:
    filled = compared = 0
    for seed in range(8):
        rounds = Rounds(100 * number + seed)
        rng = rounds.rng
        waiting = rounds.fetched.events.copy()
        rng.shuffle(waiting)
        while waiting:
            events = [waiting.pop() for _ in range(min(len(waiting), rng.choice((1, 1, 2))))]
            there = [*rounds.committed, *events]
            new = {pair for pair in random_pairs(rng, there, 0.1) if set(pair) & set(events)}
            rf = {pair for pair in new if rng.random() < 0.5}
            before = state(rounds.relations)
            kept = rounds.points.committed, list(rounds.committed), set(rounds.rf), set(rounds.co)
            log = rounds.add(events, rf, new - rf)
            filled += rounds.check()
            compared += len(rounds.nodes)
            if rng.random() < 0.3:  # back, and once more
                log.undo_to(0)
                rounds.points.committed, rounds.committed, rounds.rf, rounds.co = kept
                assert state(rounds.relations) == before
                rounds.add(events, rf, new - rf)
                rounds.check()
    assert compared > 200
    assert filled > 100
