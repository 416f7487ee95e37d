"""Models on executions: the engine under random models against definitions by sets of pairs."""

from __future__ import annotations

import random
from functools import cache

import pytest
from enumerate_helpers import FREE, model_of, program
from hypothesis import given
from hypothesis import strategies as st

from hybrid.engine.api import Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.engine.enumerate import relations as rel
from hybrid.engine.enumerate.check import judge
from hybrid.execution.trace import EventId, Key, TraceData
from hybrid.model import core
from hybrid.model.core import Axiom, Definition, Kind, Model
from hybrid.source import nowhere

pytestmark = pytest.mark.large

HERE = nowhere()
SET, RELATION = Kind.SET, Kind.RELATION
SETS = ("_", "R", "W", "M", "F", "B", "IW", "FW", "RMW", "NA", "SYNC", "NOBODY")
RELATIONS = (
    "po", "rf", "co", "loc", "int", "ext", "id", "addr", "data", "ctrl", "amo", "lxsx", "rmw",
)  # fmt: skip

PROGRAMS = (
    "x = 0; y = 0 thread P: r := x; y := r + 1; sync; r := y; thread Q: r := y; x := 1; y := 3;",
    (
        "x = 0; y = 0 thread P: r := faa(x, 1); if r = 1 goto E; y := 1; E: x := 5; "
        "thread Q: y := 2; s := x;"
    ),
    (
        "x at 2 = 0; y at 3 = 0 thread P: r := x; [2 + (r & 1)] := 2; s := [2 + (r & 1)]; "
        "thread Q: x := 1; y := 4;"
    ),
    "x = 0; y = 0 thread P: r := lr(x); s := sc(x, 1); y := s; thread Q: x := 2; y := 2; t := y;",
)

Pairs = frozenset[tuple[EventId, EventId]]


class Naive:
    """A model's expressions on a trace, each by its definition."""

    def __init__(self, model: Model, data: TraceData) -> None:
        self.model = model
        self.data = data
        self.ids = [event.id for event in data.events]
        self.definitions: dict[int, frozenset] = {}  # type: ignore[type-arg]
        for index, definition in enumerate(model.definitions):
            if definition.group is None:
                self.definitions[index] = self.of(definition.expr)
                continue
            group = [i for i, d in enumerate(model.definitions) if d.group == definition.group]
            if index == group[0]:
                self.definitions.update((i, frozenset()) for i in group)
                while True:
                    found = {i: self.of(model.definitions[i].expr) for i in group}
                    if all(found[i] == self.definitions[i] for i in group):
                        break
                    self.definitions.update(found)

    def base(self, name: str, kind: Kind) -> frozenset:  # type: ignore[type-arg]
        data, events = self.data, self.data.by_id
        if kind is SET:
            last = {
                data.co[place.address][-1] if data.co[place.address] else (-1, i)
                for i, place in enumerate(data.program.locations)
            }
            rmw = {event for pair in data.amo | data.lxsx for event in pair}

            def member(event: EventId) -> bool:
                if name in ("R", "W", "F", "B"):
                    return events[event].kind == name
                if name == "M":
                    return events[event].kind in ("R", "W")
                if name == "IW":
                    return event[0] == -1
                if name in ("FW", "RMW"):
                    return event in (last if name == "FW" else rmw)
                return name == "_" or name in events[event].tags

            return frozenset(event for event in self.ids if member(event))
        stores = {
            place.address: [(-1, i), *data.co[place.address]]
            for i, place in enumerate(data.program.locations)
        }

        def related(a: EventId, b: EventId) -> bool:
            if name == "po":
                return a[0] == b[0] >= 0 and a[1] < b[1]
            if name == "rf":
                return data.rf.get(b) == a
            if name == "co":
                return any(a in s and b in s and s.index(a) < s.index(b) for s in stores.values())
            if name == "loc":
                return events[a].address is not None and events[a].address == events[b].address
            if name in ("int", "ext"):
                return (a[0] == b[0]) == (name == "int")
            if name == "id":
                return a == b
            if name == "rmw":
                return (a, b) in data.amo | data.lxsx
            return (a, b) in getattr(data, name)

        return frozenset((a, b) for a in self.ids for b in self.ids if related(a, b))

    def of(self, expr: core.Expr) -> frozenset:  # type: ignore[type-arg]
        if isinstance(expr, core.Base):
            return self.base(expr.name, expr.kind)
        if isinstance(expr, core.Ref):
            return self.definitions[expr.index]
        if isinstance(expr, core.Empty):
            return frozenset()
        args = [self.of(child) for child in core.children(expr)]
        every: frozenset = frozenset(self.ids)  # type: ignore[type-arg]
        same = frozenset((e, e) for e in every)
        if isinstance(expr, core.Union):
            return args[0] | args[1]
        if isinstance(expr, core.Inter):
            return args[0] & args[1]
        if isinstance(expr, core.Diff):
            return args[0] - args[1]
        if isinstance(expr, core.Complement):
            if expr.kind is SET:
                return every - args[0]
            return frozenset((a, b) for a in every for b in every) - args[0]
        if isinstance(expr, core.Seq):
            return self.compose(args[0], args[1])
        if isinstance(expr, core.Inverse):
            return frozenset((b, a) for a, b in args[0])
        if isinstance(expr, core.Plus | core.Star):
            closure = args[0]
            while not self.compose(closure, closure) <= closure:
                closure |= self.compose(closure, closure)
            return closure if isinstance(expr, core.Plus) else closure | same
        if isinstance(expr, core.Opt):
            return args[0] | same
        if isinstance(expr, core.Product):
            return frozenset((a, b) for a in args[0] for b in args[1])
        if isinstance(expr, core.Identity):
            return frozenset((e, e) for e in args[0])
        return frozenset(pair[0 if isinstance(expr, core.Domain) else 1] for pair in args[0])

    @staticmethod
    def compose(left: Pairs, right: Pairs) -> Pairs:
        return frozenset((a, d) for a, b in left for c, d in right if b == c)

    def satisfied(self, axiom: Axiom) -> bool:
        value = self.of(axiom.expr)
        if axiom.test is core.Test.EMPTY:
            holds = not value
        else:
            if axiom.test is core.Test.ACYCLIC:
                value = self.of(core.Plus(HERE, axiom.expr))
            holds = all(a != b for a, b in value)
        return holds != axiom.negated


def random_expr(pick: random.Random, kind: Kind, refs: list[core.Ref], depth: int) -> core.Expr:
    """`refs` may occur anywhere."""

    def sub(kind: Kind) -> core.Expr:
        return random_expr(pick, kind, refs, depth - 1)

    if depth == 0 or pick.random() < 0.15:
        known = [ref for ref in refs if ref.kind is kind]
        if known and pick.random() < 0.4:
            return pick.choice(known)
        if pick.random() < 0.05:
            return core.Empty(HERE, kind)
        if kind is RELATION and pick.random() < 0.6:
            return core.Base(HERE, kind, pick.choice(("rf", "co", "po", "loc")))
        return core.Base(HERE, kind, pick.choice(SETS if kind is SET else RELATIONS))
    if kind is SET:
        choice = pick.choice(("union", "inter", "diff", "complement", "domain", "range"))
        if choice == "domain":
            return core.Domain(HERE, sub(RELATION))
        if choice == "range":
            return core.Range(HERE, sub(RELATION))
    else:
        choice = pick.choice(
            [
                "union",
                "union",
                "inter",
                "diff",
                "complement",
                "seq",
                "seq",
                "inverse",
                "plus",
                "star",
                "opt",
                "product",
                "identity",
            ]
        )
        if choice == "seq":
            return core.Seq(HERE, sub(RELATION), sub(RELATION))
        if choice == "inverse":
            return core.Inverse(HERE, sub(RELATION))
        if choice == "plus":
            return core.Plus(HERE, sub(RELATION))
        if choice == "star":
            return core.Star(HERE, sub(RELATION))
        if choice == "opt":
            return core.Opt(HERE, sub(RELATION))
        if choice == "product":
            return core.Product(HERE, sub(SET), sub(SET))
        if choice == "identity":
            return core.Identity(HERE, sub(SET))
    if choice == "union":
        return core.Union(HERE, kind, sub(kind), sub(kind))
    if choice == "inter":
        return core.Inter(HERE, kind, sub(kind), sub(kind))
    if choice == "diff":
        return core.Diff(HERE, kind, sub(kind), sub(kind))
    return core.Complement(HERE, kind, sub(kind))


def random_model(pick: random.Random) -> Model:
    """Two plain definitions, two mutually recursive ones (in which they occur positively), two
    axioms, a flag."""
    refs: list[core.Ref] = []
    definitions = []
    for name in ("a", "b"):
        kind = pick.choice((SET, RELATION, RELATION))
        definitions.append(Definition(HERE, name, kind, random_expr(pick, kind, refs, 3)))
        refs.append(core.Ref(HERE, kind, len(definitions) - 1))
    heads = [core.Ref(HERE, RELATION, 2), core.Ref(HERE, RELATION, 3)]
    for name in ("c", "d"):
        start = random_expr(pick, RELATION, refs, 2)
        step: core.Expr = core.Seq(HERE, pick.choice(heads), pick.choice(heads))
        if pick.random() < 0.5:
            step = core.Inter(HERE, RELATION, step, random_expr(pick, RELATION, refs, 1))
        if pick.random() < 0.3:
            other = core.Complement(HERE, RELATION, pick.choice(heads))
            step = core.Union(HERE, RELATION, step, core.Complement(HERE, RELATION, other))
        body = core.Union(HERE, RELATION, start, step)
        definitions.append(Definition(HERE, name, RELATION, body, 0))
    refs += heads
    axioms = []
    for number in range(3):
        test = pick.choice((core.Test.ACYCLIC, core.Test.IRREFLEXIVE, core.Test.EMPTY))
        kind = pick.choice((SET, RELATION)) if test is core.Test.EMPTY else RELATION
        expr = random_expr(pick, kind, refs, 3)
        negated = pick.random() < 0.25
        axioms.append(Axiom(HERE, test, negated, expr, f"axiom{number}", number == 2))
    return Model("random", "", "", tuple(definitions), tuple(axioms), None)


@cache
def candidates(text: str) -> list[tuple[Key, TraceData]]:
    found = Enumerate().explore(program(text), model_of(FREE), Limits(5))
    return [(trace.key(), trace.data()) for trace in found]


@pytest.mark.parametrize("seed", range(60))
def test_random_models(seed: int) -> None:
    """The first random model that allows some candidates and forbids others."""
    pick = random.Random(seed)
    text = PROGRAMS[seed % len(PROGRAMS)]
    chosen = pick.sample(candidates(text), 12)
    while True:
        model = random_model(pick)
        judged = [judge(data, model) for _, data in chosen]
        if None in judged and any(judged):
            break
    found = {t.key(): t for t in Enumerate().explore(program(text), model, Limits(5))}
    for (key, data), refusal in zip(chosen, judged, strict=True):
        naive = Naive(model, data)
        broken = [a.name for a in model.constraints if not naive.satisfied(a)]
        assert (refusal.axiom if refusal else None) == (broken[0] if broken else None)
        assert (key in found) == (not broken)
        if key in found:
            flags = tuple(a.name for a in model.flags if naive.satisfied(a))
            assert found[key].data().flags == flags
    # Nothing is found that is not a candidate or that judging it whole forbids.
    allowed = {key for key, data in candidates(text) if judge(data, model) is None}
    assert set(found) == allowed
    late = Enumerate(early=False).explore(program(text), model, Limits(5))
    assert {trace.key() for trace in late} == allowed


def relations(size: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, 2**size - 1), min_size=size, max_size=size)


@given(relations(6))
def test_cycles(relation: list[int]) -> None:
    closure = rel.plus(relation)
    cycle = rel.shortest_cycle(relation)
    assert rel.acyclic(relation) == rel.irreflexive(closure) == (not cycle)
    assert len(set(cycle)) == len(cycle)
    assert all(relation[a] >> b & 1 for a, b in zip(cycle, cycle[1:] + cycle[:1], strict=True))
    if cycle:  # no shorter one: no event reaches itself in fewer steps
        power, lengths = relation, []
        for length in range(1, len(cycle) + 1):
            if not rel.irreflexive(power):
                lengths.append(length)
            power = rel.compose(power, relation)
        assert lengths[0] == len(cycle)
