"""Naive evaluation of a model on a complete execution.

A Plan lists the distinct expressions of a model, operands first, with what each depends on: the
paths, rf, the addresses, co. An Evaluation holds their values for one execution, each computed when
an axiom first asks for it and forgotten when what it depends on changes. Recursive definitions are
iterated from the empty relation until they stand still.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from hybrid.engine.enumerate import relations as rel
from hybrid.errors import InternalError
from hybrid.execution.trace import EventId
from hybrid.model import core
from hybrid.model.core import RACE, Kind, Model, Test

Value = int | list[int]  # a set or a relation

PATH, RF, LOC, CO = range(4)  # what a value depends on: each also on the ones before
CHEAP = 40  # in operators, a closure counting as 5 and a fixpoint as 20
_BASE_DEPENDS = {"rf": RF, "loc": LOC, "co": CO, "FW": CO}


@dataclass(slots=True)
class PlanStep:
    """One distinct expression."""

    op: str  # an operator, by its class in core; "Base", "Empty"; "rec": a recursive definition
    name: str  # of a base set or relation, else empty
    kind: Kind
    args: tuple[int, ...]  # earlier steps
    depends: int  # PATH … CO
    grows: bool  # whether more rf, loc and co never make it smaller
    # of the recursive definitions on which it depends, inside their bodies
    group: int | None = None


@dataclass(slots=True)
class Group:
    """Mutually recursive definitions."""

    heads: list[int] = field(default_factory=list)  # the "rec" steps, one a definition
    bodies: list[int] = field(default_factory=list)  # the step of each head's right side
    inside: list[int] = field(default_factory=list)  # steps that depend on heads, in order
    outside: list[int] = field(default_factory=list)  # steps that the bodies need and that do not
    depends: int = PATH


_SET, _RELATION = Kind.SET, Kind.RELATION
_OPERATORS: dict[tuple[str, Kind], Callable[..., Value]] = {  # n: the number of events
    ("Empty", _SET): lambda n: 0,
    ("Empty", _RELATION): lambda n: [0] * n,
    ("Union", _SET): lambda n, a, b: a | b,
    ("Union", _RELATION): lambda n, a, b: rel.union(a, b),
    ("Inter", _SET): lambda n, a, b: a & b,
    ("Inter", _RELATION): lambda n, a, b: rel.intersection(a, b),
    ("Diff", _SET): lambda n, a, b: a & ~b,
    ("Diff", _RELATION): lambda n, a, b: rel.difference(a, b),
    ("Complement", _SET): lambda n, a: rel.everything(n) & ~a,
    ("Complement", _RELATION): lambda n, a: rel.complement(a),
    ("Seq", _RELATION): lambda n, a, b: rel.compose(a, b),
    ("Inverse", _RELATION): lambda n, a: rel.inverse(a),
    ("Plus", _RELATION): lambda n, a: rel.plus(a),
    ("Star", _RELATION): lambda n, a: rel.opt(rel.plus(a)),
    ("Opt", _RELATION): lambda n, a: rel.opt(a),
    ("Product", _RELATION): lambda n, a, b: rel.product(a, b, n),
    ("Identity", _RELATION): lambda n, a: rel.identity(a, n),
    ("Domain", _SET): lambda n, a: rel.domain(a),
    ("Range", _SET): lambda n, a: rel.range_of(a),
}


def _none(size: int, *args: Value) -> Value:
    raise InternalError("a base set or relation, or a recursive definition, is not an operator")


class EvaluationPlan:
    """The steps of a model. `fixed_loc`: all addresses are known from the paths alone."""

    def __init__(self, model: Model, fixed_loc: bool) -> None:
        self.steps: list[PlanStep] = []
        self.groups: dict[int, Group] = {}
        self._fixed_loc = fixed_loc
        self._known: dict[tuple[str, str, Kind, tuple[int, ...]], int] = {}
        self._definitions: list[int] = []
        self._add_definitions(model)
        self.axioms = [(axiom, self._add(axiom.expr)) for axiom in model.axioms]
        self.needs = [self._needs(step) for _, step in self.axioms]
        self.functions = [_OPERATORS.get((step.op, step.kind), _none) for step in self.steps]
        self.forget = [  # by level: what a change of it makes stale
            [i for i, step in enumerate(self.steps) if step.depends >= level]
            for level in range(CO + 1)
        ]
        order = sorted(range(len(self.axioms)), key=lambda a: self._cost(self.needs[a]))
        self.constraints = [  # by level, cheap ones first
            [a for a in order if not self.axioms[a][0].flag and self._level(a) == level]
            for level in range(CO + 1)
        ]
        self.flags = [a for a, (axiom, _) in enumerate(self.axioms) if axiom.flag]
        # Constraints that, once broken, stay broken however much is added to rf, loc and co: those
        # that are cheap to judge, at least one.
        final = [a for a in order if self._level(a) != PATH and self._stays_broken(a)]
        self.final = [a for a in final if self._cost(self.needs[a]) <= CHEAP] or final[:1]

    def _level(self, axiom: int) -> int:
        return self.steps[self.axioms[axiom][1]].depends

    def _stays_broken(self, axiom: int) -> bool:
        constraint, step = self.axioms[axiom]
        return not constraint.flag and not constraint.negated and self.steps[step].grows

    def _cost(self, needs: Sequence[int]) -> int:
        """How much is to be computed anew when rf or co changes."""
        steps = [self.steps[s] for s in needs]
        weights = {"rec": 20, "Plus": 5, "Star": 5}
        return sum(weights.get(step.op, 1) for step in steps if step.depends != PATH)

    def _add_definitions(self, model: Model) -> None:
        for index, definition in enumerate(model.definitions):
            number = definition.group
            if number is None:
                self._definitions.append(self._add(definition.expr))
                continue
            if number in self.groups:
                continue  # came with the first of its group
            group = self.groups[number] = Group()
            members = [d for d in model.definitions[index:] if d.group == number]
            if members != list(model.definitions[index : index + len(members)]):
                raise InternalError(f"the group of {definition.name} is not in one piece")
            first = len(self.steps)
            for member in members:
                group.heads.append(len(self.steps))
                self.steps.append(PlanStep("rec", member.name, member.kind, (), PATH, True, number))
            self._definitions.extend(group.heads)
            group.bodies = [self._add(member.expr) for member in members]
            added = range(first + len(members), len(self.steps))
            group.inside = [s for s in added if self.steps[s].group == number]
            inside = {*group.inside, *group.heads}
            wanted = {a for s in group.inside for a in self.steps[s].args} | set(group.bodies)
            group.outside = sorted(wanted - inside)
            group.depends = max((self.steps[s].depends for s in group.outside), default=PATH)
            # The heads occur positively: when the bodies grow with rf, loc and co, so does the
            # fixpoint.
            grows = all(self.steps[s].grows for s in group.bodies)
            for s in sorted(inside):
                self.steps[s].depends = group.depends
            for s in sorted(inside):
                step = self.steps[s]
                step.grows = grows if step.op == "rec" else self._grows(step)

    def _grows(self, step: PlanStep) -> bool:
        """Whether more rf, loc and co never make `step` smaller, given what is known of its
        arguments."""
        if step.name == "FW":
            return False
        arguments = [self.steps[a] for a in step.args]
        if step.op in ("Diff", "Complement") and arguments[-1].depends != PATH:
            return False
        return all(argument.grows for argument in arguments)

    def _add(self, expr: core.Expr) -> int:
        """The step of `expr`, which may be there already."""
        if isinstance(expr, core.Ref):
            return self._definitions[expr.index]
        name = expr.name if isinstance(expr, core.Base) else ""
        depends = _BASE_DEPENDS.get(name, PATH)
        if name == "loc" and self._fixed_loc:
            depends = PATH
        args = tuple(self._add(child) for child in core.children(expr))
        key = (type(expr).__name__, name, expr.kind, args)
        if key in self._known:
            return self._known[key]
        arguments = [self.steps[a] for a in args]
        depends = max([depends, *(argument.depends for argument in arguments)])
        groups = [a.group for a in arguments if a.group is not None and self._open(a.group)]
        step = PlanStep(type(expr).__name__, name, expr.kind, args, depends, True)
        step.group = groups[0] if groups else None
        step.grows = self._grows(step)
        self._known[key] = len(self.steps)
        self.steps.append(step)
        return len(self.steps) - 1

    def _open(self, group: int) -> bool:
        """Whether the bodies of `group` are being read."""
        return not self.groups[group].bodies

    def _needs(self, target: int) -> tuple[int, ...]:
        """The steps to compute for `target`, in order: operands first, a group by its first head
        alone."""
        found: set[int] = set()
        pending = [target]
        while pending:
            step = pending.pop()
            number = self.steps[step].group
            if number is not None:
                group = self.groups[number]
                step = group.heads[0]
                following: Sequence[int] = group.outside
            else:
                following = self.steps[step].args
            if step not in found:
                found.add(step)
                pending.extend(following)
        return self._in_order(found)

    def _in_order(self, found: set[int]) -> tuple[int, ...]:
        """Operands before what needs them; a group counts where its last step stands."""

        def place(step: int) -> tuple[int, bool]:
            number = self.steps[step].group
            if number is None:
                return step, False
            group = self.groups[number]
            return max(*group.heads, *group.bodies, *group.inside, *group.outside, step), True

        return tuple(sorted(found, key=place))


@lru_cache(maxsize=32)
def plan_for(model: Model, fixed_loc: bool) -> EvaluationPlan:
    return EvaluationPlan(model, fixed_loc)


def base_values(
    ids: Sequence[EventId],
    kinds: Sequence[str],
    tags: Sequence[frozenset[str]],
    pairs: Mapping[str, Iterable[tuple[EventId, EventId]]],
) -> dict[str, Value]:
    """What the paths alone give: sets, po, int, ext, id, and addr, data, ctrl, pick, amo, lxsx from
    `pairs`."""
    size = len(ids)
    everything = rel.everything(size)
    position = {event: i for i, event in enumerate(ids)}
    sets = dict.fromkeys(("R", "W", "F", "B", "IW"), 0)
    threads: dict[int, int] = {}
    for i, event in enumerate(ids):
        bit = 1 << i
        sets[kinds[i]] |= bit
        threads[event[0]] = threads.get(event[0], 0) | bit
        if event[0] < 0:
            sets["IW"] |= bit
        for tag in tags[i]:
            sets[tag] = sets.get(tag, 0) | bit
    sets["_"] = everything
    sets["M"] = sets["R"] | sets["W"]
    rows: dict[str, list[int]] = {}
    for name in _PAIRS:
        rows[name] = [0] * size
        for source, target in pairs[name]:
            rows[name][position[source]] |= 1 << position[target]
    rows["rmw"] = rel.union(rows["amo"], rows["lxsx"])
    sets["RMW"] = rel.domain(rows["rmw"]) | rel.range_of(rows["rmw"])
    values: dict[str, Value] = dict(rows)
    values["id"] = [1 << i for i in range(size)]
    values["int"] = [threads[event[0]] for event in ids]
    values["ext"] = [everything & ~threads[event[0]] for event in ids]
    values["po"] = _program_order(ids)
    values.update(sets)
    return values


def _program_order(ids: Sequence[EventId]) -> list[int]:
    rows = [0] * len(ids)
    later: dict[int, int] = {}  # by thread: the events that come behind
    for place in sorted(range(len(ids)), key=ids.__getitem__, reverse=True):
        thread = ids[place][0]
        if thread >= 0:
            rows[place] = later.get(thread, 0)
            later[thread] = rows[place] | 1 << place
    return rows


_PAIRS = ("addr", "data", "ctrl", "pick", "amo", "lxsx")  # relations that the paths give
RELATIONS = frozenset(("po", "rf", "co", "loc", "int", "ext", "id", *_PAIRS, "rmw"))


class Evaluation:
    """The values of a plan's steps on one execution, whose rf, loc and co are set and set anew."""

    def __init__(self, plan: EvaluationPlan, size: int, base: dict[str, Value]) -> None:
        self.plan = plan
        self.size = size
        self.base = base
        self.values: list[Value | None] = [None] * len(plan.steps)
        self.inputs: dict[int, list[Value | None]] = {}  # by group: what it was last computed from
        self.results: dict[int, list[Value | None]] = {}  # by group: what came out

    def set_rf(self, rf: list[int]) -> None:
        self._change("rf", rf, RF)

    def set_addresses(self, addresses: Sequence[int | None]) -> None:
        """By event; None for fences and branches."""
        places: dict[int, int] = {}
        for i, address in enumerate(addresses):
            if address is not None:
                places[address] = places.get(address, 0) | 1 << i
        self._change("loc", [0 if a is None else places[a] for a in addresses], LOC)

    def set_co(self, co: list[int], last: int) -> None:
        """`last` is the set of the co-last stores."""
        self.base["FW"] = last
        self._change("co", co, CO)

    def _change(self, name: str, value: Value, level: int) -> None:
        self.base[name] = value
        for i in self.plan.forget[level]:
            self.values[i] = None

    def satisfied(self, axiom: int) -> bool:
        """Whether the axiom's test (with its negation) comes out true."""
        constraint, _ = self.plan.axioms[axiom]
        value = self.value(axiom)
        if constraint.test is Test.EMPTY:
            holds = not value if isinstance(value, int) else not any(value)
        elif isinstance(value, int):
            raise InternalError(f"{constraint.name}: {constraint.test.value} of a set")
        elif constraint.test is Test.ACYCLIC:
            holds = rel.acyclic(value)
        else:
            holds = rel.irreflexive(value)
        return holds != constraint.negated

    def value(self, axiom: int) -> Value:
        """The value of an axiom's expression."""
        values = self.values
        for step in self.plan.needs[axiom]:
            if values[step] is None:
                self._compute(step)
        value = values[self.plan.axioms[axiom][1]]
        if value is None:
            raise InternalError("a step was not planned")
        return value

    def all_satisfied(self, axioms: Iterable[int]) -> bool:
        return all(self.satisfied(axiom) for axiom in axioms)

    def raised(self) -> tuple[str, ...]:
        """The names of the flags that are raised."""
        plan = self.plan
        return tuple(plan.axioms[a][0].name for a in plan.flags if self.satisfied(a))

    def racing(self) -> list[tuple[int, int]]:
        """The pairs of events that a flag `race` of the form `~empty` speaks of."""
        found: list[tuple[int, int]] = []
        for axiom in self.plan.flags:
            flag, _ = self.plan.axioms[axiom]
            if flag.name == RACE and flag.test is Test.EMPTY and flag.negated:
                value = self.value(axiom)
                if isinstance(value, int):
                    found += [(i, i) for i in rel.members(value)]
                else:
                    found += [(i, j) for i, row in enumerate(value) for j in rel.members(row)]
        return found

    def offence(self, axiom: int) -> tuple[int, ...]:
        """Of a broken axiom: a shortest cycle, or the first event or pair that is wrong."""
        constraint, _ = self.plan.axioms[axiom]
        value = self.value(axiom)
        if constraint.negated:
            return ()
        if isinstance(value, int):
            return tuple(rel.members(value))
        if constraint.test is Test.ACYCLIC:
            return rel.shortest_cycle(value)
        if constraint.test is Test.IRREFLEXIVE:
            return next(((i,) for i, row in enumerate(value) if row >> i & 1), ())
        return next(((i, rel.members(row)[0]) for i, row in enumerate(value) if row), ())

    def _compute(self, number: int) -> None:
        group = self.plan.steps[number].group
        if group is None:
            self.values[number] = self._apply(number)
        else:
            self._iterate(group)

    def _iterate(self, number: int) -> None:
        """The least fixpoint of a group, from the empty relation upwards. The same inputs give the
        same again."""
        values = self.values
        group = self.plan.groups[number]
        inputs = [values[step] for step in group.outside]
        members = [*group.heads, *group.inside]
        if self.inputs.get(number) == inputs:
            for step, value in zip(members, self.results[number], strict=True):
                values[step] = value
            return
        for head in group.heads:
            relation = self.plan.steps[head].kind is Kind.RELATION
            values[head] = [0] * self.size if relation else 0
        for inside in group.inside:
            values[inside] = None
        changed = set(group.heads)  # since the last round
        while changed:
            for inside in group.inside:  # what depends on a change, operands first
                if not changed.isdisjoint(self.plan.steps[inside].args):
                    value = self._apply(inside)
                    if value != values[inside]:
                        values[inside] = value
                        changed.add(inside)
            found = [values[body] for body in group.bodies]
            changed = set()
            for head, value in zip(group.heads, found, strict=True):
                if value != values[head]:
                    values[head] = value
                    changed.add(head)
        self.inputs[number] = inputs
        self.results[number] = [values[step] for step in members]

    def _apply(self, number: int) -> Value:
        """The value of a step whose arguments have theirs."""
        step = self.plan.steps[number]
        if step.op == "Base":
            return self._base(step.name, step.kind)
        values, args = self.values, step.args
        if len(args) == 2:
            return self.plan.functions[number](self.size, values[args[0]], values[args[1]])
        return self.plan.functions[number](self.size, *[values[a] for a in args])

    def _base(self, name: str, kind: Kind) -> Value:
        if kind is Kind.SET:
            return self.base.get(name, 0)  # a tag that no event has is an empty set
        if name not in RELATIONS:
            raise InternalError(f"no base relation {name!r}")
        return self.base[name]
