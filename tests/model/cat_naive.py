"""A naive evaluator of models: relations are sets of pairs of event numbers. And a builder of small
executions.

Stores to a location come in the coherence order of their values; a load reads from the store of its
value, 0 being initial.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

from hybrid.model import core
from hybrid.model.core import Kind, Model

Pairs = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Op:
    """One instruction of a thread: R, W, F, B (a branch) or U (a read-modify-write, two events)."""

    kind: str
    loc: str = ""
    value: int = 0  # read or written; of U: read
    new: int = 0  # of U: written
    tags: tuple[str, ...] = ()
    addr: tuple[int, ...] = ()  # places in the thread of the loads it depends on
    data: tuple[int, ...] = ()
    ctrl: tuple[int, ...] = ()  # of a branch: the loads whose values it tests


def R(loc: str, value: int, *tags: str, **deps: tuple[int, ...]) -> Op:
    return Op("R", loc, value, 0, tags or ("RLX",), **deps)


def W(loc: str, value: int, *tags: str, **deps: tuple[int, ...]) -> Op:
    return Op("W", loc, value, 0, tags or ("RLX",), **deps)


def U(loc: str, value: int, new: int, *tags: str) -> Op:
    return Op("U", loc, value, new, tags or ("RLX",))


def F(*tags: str) -> Op:
    return Op("F", tags=tags)


def B(*ctrl: int) -> Op:
    return Op("B", ctrl=ctrl)


@dataclass(frozen=True)
class Event:
    thread: int
    kind: str
    loc: str
    value: int
    tags: frozenset[str]


@dataclass
class Execution:
    events: list[Event]
    base: dict[str, frozenset[int] | Pairs] = field(default_factory=dict)


def execution(*threads: list[Op], coherence: dict[str, list[int]] | None = None) -> Execution:
    """The execution of `threads`; `coherence` gives the order of the values of a location where it
    is not ascending."""
    locations = sorted({op.loc for ops in threads for op in ops if op.loc})
    events = [Event(-1, "W", loc, 0, frozenset()) for loc in locations]
    po: set[tuple[int, int]] = set()
    deps: dict[str, set[tuple[int, int]]] = {"addr": set(), "data": set(), "ctrl": set()}
    amo: set[tuple[int, int]] = set()
    for thread, ops in enumerate(threads):
        start = len(events)
        first: list[int] = []  # the first event of each op
        control: set[int] = set()
        for op in ops:
            first.append(len(events))
            new = [
                Event(
                    thread, "R" if op.kind == "U" else op.kind, op.loc, op.value, frozenset(op.tags)
                )
            ]
            if op.kind == "U":
                new.append(Event(thread, "W", op.loc, op.new, frozenset(op.tags)))
                amo.add((len(events), len(events) + 1))
            for event in new:
                number = len(events)
                po |= {(earlier, number) for earlier in range(start, number)}
                deps["addr"] |= {(first[place], number) for place in op.addr}
                deps["data"] |= {(first[place], number) for place in op.data}
                deps["ctrl"] |= {(load, number) for load in control}
                events.append(event)
            if op.kind == "B":
                control |= {first[place] for place in op.ctrl}
    everything = range(len(events))
    rank = {
        number: (coherence or {}).get(e.loc, []).index(e.value) + 1
        if e.value in (coherence or {}).get(e.loc, [])
        else e.value
        for number, e in enumerate(events)
        if e.kind == "W"
    }
    same_loc = {
        (a, b)
        for a in everything
        for b in everything
        if events[a].loc and events[a].loc == events[b].loc
    }
    rf = {
        (a, b)
        for a, b in same_loc
        if events[a].kind == "W" and events[b].kind == "R" and events[a].value == events[b].value
    }
    assert len(rf) == sum(e.kind == "R" for e in events), "every load reads from one store"
    co = {
        (a, b)
        for a, b in same_loc
        if a in rank
        and b in rank
        and (events[a].thread >= 0, rank[a]) < (events[b].thread >= 0, rank[b])
    }
    last = {a for a in rank if not any(x == a for x, _ in co)}
    internal = {
        (a, b) for a in everything for b in everything if events[a].thread == events[b].thread
    }
    base: dict[str, frozenset[int] | Pairs] = {
        "_": frozenset(everything),
        "IW": frozenset(n for n in everything if events[n].thread < 0),
        "FW": frozenset(last),
        "RMW": frozenset(n for pair in amo for n in pair),
        "M": frozenset(n for n in everything if events[n].kind in "RW"),
        **{k: frozenset(n for n in everything if events[n].kind == k) for k in "RWFB"},
        "po": frozenset(po),
        "rf": frozenset(rf),
        "co": frozenset(co),
        "loc": frozenset(same_loc),
        "int": frozenset(internal),
        "ext": frozenset((a, b) for a in everything for b in everything if (a, b) not in internal),
        "id": frozenset((a, a) for a in everything),
        **{name: frozenset(pairs) for name, pairs in deps.items()},
        "amo": frozenset(amo),
        "lxsx": frozenset(),
    }
    return Execution(events, base)


class Evaluator:
    """The values of a model's definitions in an execution."""

    def __init__(self, model: Model, run: Execution) -> None:
        self.run = run
        self.model = model
        self.all = range(len(run.events))
        self.values: list[frozenset] = []
        definitions = model.definitions
        self.values = [frozenset()] * len(definitions)
        done = 0
        while done < len(definitions):
            group = definitions[done].group
            end = done + 1
            while group is not None and end < len(definitions) and definitions[end].group == group:
                end += 1
            while True:
                new = [self.value(d.expr) for d in definitions[done:end]]
                if new == self.values[done:end]:
                    break
                self.values[done:end] = new
                if group is None:
                    break
            done = end

    def value(self, expr: core.Expr) -> frozenset:
        match expr:
            case core.Base():
                if expr.name in self.run.base:
                    return self.run.base[expr.name]
                return frozenset(n for n in self.all if expr.name in self.run.events[n].tags)
            case core.Ref():
                return self.values[expr.index]
            case core.Empty():
                return frozenset()
            case core.Union():
                return self.value(expr.left) | self.value(expr.right)
            case core.Inter():
                return self.value(expr.left) & self.value(expr.right)
            case core.Diff():
                return self.value(expr.left) - self.value(expr.right)
            case core.Complement():
                whole = frozenset(
                    self.all if expr.kind is Kind.SET else product(self.all, self.all)
                )
                return whole - self.value(expr.operand)
            case core.Seq():
                return _compose(self.value(expr.left), self.value(expr.right))
            case core.Inverse():
                return frozenset((b, a) for a, b in self.value(expr.operand))
            case core.Plus():
                return closure(self.value(expr.operand))
            case core.Star():
                return closure(self.value(expr.operand)) | self.run.base["id"]
            case core.Opt():
                return self.value(expr.operand) | self.run.base["id"]
            case core.Product():
                return frozenset(product(self.value(expr.left), self.value(expr.right)))
            case core.Identity():
                return frozenset((a, a) for a in self.value(expr.operand))
            case core.Domain():
                return frozenset(a for a, _ in self.value(expr.operand))
            case core.Range():
                return frozenset(b for _, b in self.value(expr.operand))

    def holds(self, axiom: core.Axiom) -> bool:
        value = self.value(axiom.expr)
        if axiom.test is core.Test.EMPTY:
            result = not value
        elif axiom.test is core.Test.IRREFLEXIVE:
            result = all(a != b for a, b in value)
        else:
            result = all(a != b for a, b in closure(value))
        return result != axiom.negated


def _compose(left: frozenset, right: frozenset) -> frozenset:
    after: dict[int, list[int]] = {}
    for a, b in right:
        after.setdefault(a, []).append(b)
    return frozenset((a, c) for a, b in left for c in after.get(b, ()))


def closure(relation: frozenset) -> frozenset:
    while True:
        larger = relation | _compose(relation, relation)
        if larger == relation:
            return relation
        relation = larger


def broken(model: Model, run: Execution) -> list[str]:
    """The names of the constraints that the execution breaks; none: it is allowed."""
    evaluator = Evaluator(model, run)
    return [axiom.name for axiom in model.constraints if not evaluator.holds(axiom)]


def raised(model: Model, run: Execution) -> list[str]:
    """The names of the flags that the execution raises."""
    evaluator = Evaluator(model, run)
    return [axiom.name for axiom in model.flags if evaluator.holds(axiom)]
