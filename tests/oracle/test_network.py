"""The network of growing relations, against sets of pairs: random expressions over the events of a
program, which come in in any order, with any rf, co and fr."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

import pytest
from fetched_worlds import events_of, step_of, world_of
from naive_relations import Pairs, RandomExpressions, World, compose, pairs_of, random_pairs
from support import model_of, program

from hybrid.execution.execution import Execution
from hybrid.execution.unfolding import Unfolding
from hybrid.model import core
from hybrid.oracle.columns import GROW, Node
from hybrid.oracle.network import Network
from hybrid.oracle.plan import Plan
from hybrid.oracle.pointwise import Points
from hybrid.oracle.relations import Log, Relation, SeqOf
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
    """A network of some relations, to which rounds add events and pairs."""

    def __init__(self, rng: random.Random, plan: Plan, nodes: list[Node]) -> None:
        self.rng = rng
        self.execution = Execution(Unfolding(program(PROGRAM), 2, True))
        self.fetched = world_of(self.execution)
        table = StaticTable(plan, self.execution.numbering.initial_writes)
        for event in events_of(self.execution):
            step = step_of(self.execution, event)
            if step is not None and event == step.event:
                table.fetch(step)
        self.points = Points(self.execution, table)
        self.network = Network(self.points)
        self.relations = [self.network.relation(node) for node in nodes]
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

    def pairs(self) -> list[Pairs]:
        """What the relations hold."""
        return [pairs_of(relation.columns, self.committed) for relation in self.relations]

    def run(self, check: Callable[[], None], density: float = 0.1) -> None:
        """Adds all events in any order, with any rf and co; now and then goes back and does a round
        again."""
        rng = self.rng
        waiting = self.fetched.events.copy()
        rng.shuffle(waiting)
        while waiting:
            events = [waiting.pop() for _ in range(min(len(waiting), rng.choice((1, 1, 2))))]
            there = [*self.committed, *events]
            new = {pair for pair in random_pairs(rng, there, density) if set(pair) & set(events)}
            rf = {pair for pair in new if rng.random() < 0.5}
            before = state(self.relations)
            kept = self.points.committed, list(self.committed), set(self.rf), set(self.co)
            log = self.add(events, rf, new - rf)
            check()
            if rng.random() < 0.3:
                log.undo_to(0)
                self.points.committed, self.committed, self.rf, self.co = kept
                assert state(self.relations) == before
                self.add(events, rf, new - rf)
                check()


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
        rng = random.Random(100 * number + seed)
        plan = Plan(model_of("acyclic po"))
        made = RandomExpressions(rng, SETS, RELATIONS, OPERATORS)
        nodes: list[tuple[core.Expr, Node]] = []
        for expr in [made.relation(depth) for depth in (1, 2, 2, 3, 3, 3)]:
            node = plan.node(expr)
            if node.level <= GROW and not node.is_set:
                nodes.append((expr, node))
        rounds = Rounds(rng, plan, [node for _, node in nodes])

        def check(rounds: Rounds = rounds, nodes: list[tuple[core.Expr, Node]] = nodes) -> None:
            nonlocal compared, filled
            for (expr, node), pairs in zip(nodes, rounds.pairs(), strict=True):
                assert pairs == _over_committed(expr, rounds.world(), rounds.fetched), node
                compared += 1
                filled += bool(pairs)

        rounds.run(check)
    assert compared > 200
    assert filled > 100


BASE = ["rf", "co", "po", "data", "loc"]
Terms = list[tuple[str, ...]]  # of a union: names, and pairs of names one after the other


# a absorbs nothing that follows it, though c is in it, or b
NO_COVER: list[dict[str, Terms]] = [
    {"a": [("rf",), ("b", "c")], "b": [("data",)], "c": [("co",), ("a", "c")]},
    {"a": [("rf",), ("c", "b")], "b": [("co",)], "c": [("data",), ("a", "b")]},
]


def _random_recursion(rng: random.Random) -> dict[str, Terms]:
    """Names that are defined by each other; each of them has something to begin with."""
    if rng.random() < 0.2:
        return rng.choice(NO_COVER)
    names = ["a", "b", "c"][: rng.choice((1, 2, 3))]
    found: dict[str, Terms] = {}
    for name in names:
        terms: Terms = [(rng.choice(BASE),)]
        for _ in range(rng.choice((1, 2, 3))):
            first, second = rng.choice(names), rng.choice([*names, rng.choice(BASE)])
            terms.append(rng.choice(((first, second), (second, first), (name, second), (first,))))
        found[name] = terms
    return found


def _least(definitions: dict[str, Terms], world: World) -> dict[str, Pairs]:
    """What the names stand for."""
    found: dict[str, Pairs] = {name: set() for name in definitions}
    while True:
        known = {**world.relations, **found}
        more = {
            name: set[tuple[int, int]]().union(
                *(compose(known[t[0]], known[t[1]]) if len(t) > 1 else known[t[0]] for t in terms)
            )
            for name, terms in definitions.items()
        }
        if more == found:
            return found
        found = more


@pytest.mark.large
@pytest.mark.parametrize("number", range(10))
def test_recursion(number: int) -> None:
    """Compositions in it leave out what others cover, whatever the order of events and however they
    are related."""
    covered = shared = 0
    for seed in range(40):
        rng = random.Random(1000 * number + seed)
        definitions = _random_recursion(rng)
        bodies = [" | ".join(map(" ; ".join, terms)) for terms in definitions.values()]
        let = " and ".join(map(" = ".join, zip(definitions, bodies, strict=True)))
        under = model_of(f"let rec {let}\n" + "\n".join(f"acyclic {n}" for n in definitions))
        plan = Plan(under)
        nodes = [plan.node(axiom.expr) for axiom in under.constraints]
        rounds = Rounds(rng, plan, nodes)

        def check(rounds: Rounds = rounds, definitions: dict[str, Terms] = definitions) -> None:
            found = dict(zip(definitions, rounds.pairs(), strict=True))
            assert found == _least(definitions, rounds.world())

        rounds.run(check, 0.2)
        joins = [each for each in rounds.network.order if isinstance(each, SeqOf)]
        covered += sum(each.cover is not None for each in joins)
        shared += sum(each.known is not each for each in joins)
    assert covered > 20
    assert shared > 20
