"""Why a trace is refused: the axiom, the shortest cycle, and what each of its edges is made of.

An edge is labelled by the names of the model's text. A name that only joins other names (`hb = ppo
| fence | rfe`) is looked through; a derived relation is told with its derivation (`ppo: addr;po`);
what is known at fetch or a plain restriction (`sync`, `rfe`) is told by its name. If the caller
names fences, an edge that goes over one is told by that name: `lob: dmb.sy`, where the relations
alone would be `lob: po;po`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import assert_never

from hybrid.execution.bits import members
from hybrid.execution.step import FENCE
from hybrid.execution.trace import EventId
from hybrid.model import core
from hybrid.oracle.columns import FIXED, POINT, Node, Op
from hybrid.oracle.from_scratch import Fresh
from hybrid.oracle.plan import Plan
from hybrid.oracle.reason import Edge, Reason


def full_plan(model: core.Model) -> Plan:
    """A plan that has a node for every part of the model's text, as explanations need it."""
    plan = Plan(model)
    todo = [axiom.expr for axiom in model.axioms] + [d.expr for d in model.definitions]
    while todo:
        expr = todo.pop()
        plan.node(expr)
        todo.extend(core.children(expr))
    return plan


FenceName = Callable[[EventId], str]  # how a fence event is called in the labels of edges


def find_reason(
    model: core.Model, plan: Plan, fresh: Fresh, fence_name: FenceName | None = None
) -> Reason | None:
    """The first axiom that the trace violates, with the shortest cycle against it; `plan` is a full
    one."""
    return next(find_reasons(model, plan, fresh, fence_name), None)


def find_reasons(
    model: core.Model, plan: Plan, fresh: Fresh, fence_name: FenceName | None = None
) -> Iterator[Reason]:
    """One for each axiom that the trace violates, in the order of the model's text."""
    labels = _Labels(model, plan, fresh, fence_name)
    event_id = fresh.points.execution.event_id
    for axiom in model.constraints:
        if fresh.satisfies(axiom.test, axiom.negated, plan.node(axiom.expr)):
            continue
        pairs: list[tuple[int, core.Expr, int]] = []
        if not axiom.negated:
            columns = fresh.columns(plan.node(axiom.expr))
            if axiom.test is core.Test.ACYCLIC:
                cycle = _shortest_cycle(columns, fresh.events)
                pairs = [(start, axiom.expr, end) for start, end in cycle]
            else:
                loops = axiom.test is core.Test.IRREFLEXIVE
                for start, end in _first_pair(columns, fresh.events, loops):
                    pairs += labels.path(axiom.expr, start, end)
        edges: list[Edge] = []
        for start, expr, end in pairs:
            made_of = tuple(
                (event_id(a), label, event_id(b)) for a, label, b in labels.steps(expr, start, end)
            )
            label = labels.label(expr, start, end)
            edges.append(Edge(event_id(start), label, event_id(end), made_of))
        test = f"~{axiom.test.value}" if axiom.negated else axiom.test.value
        yield Reason(axiom.name, test, tuple(edges))


def _first_pair(columns: list[int], events: list[int], loops: bool) -> list[tuple[int, int]]:
    for end in events:
        for start in members(columns[end]):
            if start == end or not loops:
                return [(start, end)]
    return []


def _shortest_cycle(columns: list[int], events: list[int]) -> list[tuple[int, int]]:
    best: list[tuple[int, int]] = []
    for origin in events:
        ahead: dict[int, int] = {}  # event -> the next one on the way to origin
        queue = deque([origin])
        while queue and origin not in ahead:
            end = queue.popleft()
            for start in members(columns[end]):
                if start not in ahead:
                    ahead[start] = end
                    queue.append(start)
        if origin in ahead:
            cycle: list[tuple[int, int]] = []
            at = origin
            while not cycle or at != origin:
                cycle.append((at, ahead[at]))
                at = ahead[at]
            if not best or len(cycle) < len(best):
                best = cycle
    return best


class _Labels:
    def __init__(
        self,
        model: core.Model,
        plan: Plan,
        fresh: Fresh,
        fence_name: FenceName | None = None,
        deep: bool = False,
    ) -> None:
        self.model = model
        self.plan = plan
        self.fresh = fresh
        self.deep = deep  # no definition is told by its name
        self.fence_names: dict[int, str] = {}  # by event; none if the caller does not name them
        if fence_name is not None:
            execution = fresh.points.execution
            for event in fresh.events:
                step = execution.steps[event]
                if step is not None and step.kind == FENCE:
                    self.fence_names[event] = fence_name(execution.event_id(event))
        self.inside: _Labels | None = None  # the same, but deep; where there are fences
        if self.fence_names and not deep:
            self.inside = _Labels(model, plan, fresh, fence_name, deep=True)

    def _has(self, expr: core.Expr, start: int, end: int) -> bool:
        return bool(self.fresh.columns(self.plan.node(expr))[end] >> start & 1)

    def label(self, expr: core.Expr, start: int, end: int) -> str:
        """What the pair is called as a part of `expr`."""
        if isinstance(expr, core.Union):
            side = expr.left if self._has(expr.left, start, end) else expr.right
            return self.label(side, start, end)
        if isinstance(expr, core.Ref):
            definition = self.model.definitions[expr.index]
            if definition.group is None and _only_joins(definition.expr):
                return self.label(definition.expr, start, end)
            steps = self.steps(expr, start, end)
            detail = ";".join(label for _, label, _ in steps)
            if not detail or detail == definition.name:
                return definition.name
            if detail.startswith(f"{definition.name}["):  # a fence of that name, with its place
                return detail
            return f"{definition.name}: {detail}"
        return ";".join(label for _, label, _ in self.steps(expr, start, end)) or "id"

    def path(self, expr: core.Expr, start: int, end: int) -> list[tuple[int, core.Expr, int]]:
        """The pair as a sequence of pairs, one for each factor of a composition."""
        if isinstance(expr, core.Seq):
            middle = self._middle(expr, start, end)
            return self.path(expr.left, start, middle) + self.path(expr.right, middle, end)
        if isinstance(expr, core.Star | core.Opt) and start == end:
            return []
        if isinstance(expr, core.Star | core.Plus):
            return [(a, expr.operand, b) for a, b in self._shortest_path(expr.operand, start, end)]
        if isinstance(expr, core.Opt):
            return self.path(expr.operand, start, end)
        if isinstance(expr, core.Identity):
            return []
        if isinstance(expr, core.Inter):
            return self.path(self._main_side(expr), start, end)
        return [(start, expr, end)]

    def steps(
        self, expr: core.Expr, start: int, end: int, below: int | None = None
    ) -> list[tuple[int, str, int]]:
        """A derivation of the pair in named or base relations. `below` bounds the round in which a
        pair of a recursive relation may have come in, so that no pair justifies itself."""
        if isinstance(expr, core.Base):
            return [(start, expr.name, end)]
        if isinstance(expr, core.Ref):
            return self._steps_of_name(expr, start, end, below)
        if isinstance(expr, core.Union):
            for side in (expr.left, expr.right):
                if self._derivable(side, start, end, below):
                    return self.steps(side, start, end, below)
            return [(start, "…", end)]
        if isinstance(expr, core.Seq):
            return self._steps_of_sequence(expr, start, end, below)
        if isinstance(expr, core.Inter):
            return self.steps(self._main_side(expr), start, end, below)
        if isinstance(expr, core.Diff):
            return self.steps(expr.left, start, end, below)
        if isinstance(expr, core.Plus | core.Star | core.Opt):
            return self._steps_of_closure(expr, start, end, below)
        if isinstance(expr, core.Identity):
            return []
        if isinstance(expr, core.Inverse):
            turned = self.steps(expr.operand, end, start, below)
            return [(b, f"{label}^-1", a) for a, label, b in reversed(turned)]
        if isinstance(expr, core.Complement | core.Product | core.Domain | core.Range | core.Empty):
            return [(start, "…", end)]
        assert_never(expr)

    def _steps_of_name(
        self, expr: core.Ref, start: int, end: int, below: int | None
    ) -> list[tuple[int, str, int]]:
        definition = self.model.definitions[expr.index]
        node = self.plan.node(expr)
        if definition.group is not None:
            return self.steps(definition.expr, start, end, self._stage(node, start, end))
        told = node.level <= POINT or node.op == Op.FR or isinstance(definition.expr, core.Inter)
        if told and not self.deep and not isinstance(definition.expr, core.Union):
            over = self._over_fence(definition.expr, start, end)
            return over or [(start, definition.name, end)]
        return self.steps(definition.expr, start, end, below)

    def _steps_of_sequence(
        self, expr: core.Seq, start: int, end: int, below: int | None
    ) -> list[tuple[int, str, int]]:
        middle = self._middle(expr, start, end, below)
        left = self.steps(expr.left, start, middle, below)
        right = self.steps(expr.right, middle, end, below)
        return self._joined(left, middle, right)

    def _steps_of_closure(
        self, expr: core.Plus | core.Star | core.Opt, start: int, end: int, below: int | None
    ) -> list[tuple[int, str, int]]:
        if start == end and not isinstance(expr, core.Plus):
            return []
        if isinstance(expr, core.Opt):
            return self.steps(expr.operand, start, end, below)
        found: list[tuple[int, str, int]] = []
        for a, b in self._shortest_path(expr.operand, start, end):
            found += self.steps(expr.operand, a, b, below)
        return found

    def _joined(
        self,
        left: list[tuple[int, str, int]],
        middle: int,
        right: list[tuple[int, str, int]],
    ) -> list[tuple[int, str, int]]:
        """Two derivations that meet in an event. If that is a fence between po and po, or behind
        another relation and before po, its name stands for them: `po;po` becomes `sync`, `ctrl;po`
        becomes `ctrl;isync`."""
        name = self.fence_names.get(middle)
        if name is None or not left or not right or right[0][1] != "po":
            return left + right
        if left[-1][1] == "po":
            return [*left[:-1], (left[-1][0], name, right[0][2]), *right[1:]]
        return [*left, (middle, name, right[0][2]), *right[1:]]

    def _over_fence(self, expr: core.Expr, start: int, end: int) -> list[tuple[int, str, int]]:
        """The derivation of a pair, if it goes over a fence; else nothing."""
        if self.inside is None:
            return []
        steps = self.inside.steps(expr, start, end)
        names = set(self.fence_names.values())
        return steps if any(label in names for _, label, _ in steps) else []

    def _stage(self, node: Node, start: int, end: int) -> int:
        self.fresh.columns(node)
        return self.fresh.stages[node.index][(start, end)]

    def _derivable(self, expr: core.Expr, start: int, end: int, below: int | None) -> bool:
        """Whether the pair is in `expr` by recursive pairs of earlier rounds."""
        if not self._has(expr, start, end):
            return False
        if below is None:
            return True
        if isinstance(expr, core.Ref):
            definition = self.model.definitions[expr.index]
            if definition.group is not None:
                return self._stage(self.plan.node(expr), start, end) < below
            return self._derivable(definition.expr, start, end, below)
        if isinstance(expr, core.Union):
            return self._derivable(expr.left, start, end, below) or self._derivable(
                expr.right, start, end, below
            )
        if isinstance(expr, core.Inter):
            return self._derivable(expr.left, start, end, below) and self._derivable(
                expr.right, start, end, below
            )
        if isinstance(expr, core.Seq):
            return self._middle(expr, start, end, below) >= 0
        return True

    def _middle(self, expr: core.Seq, start: int, end: int, below: int | None = None) -> int:
        """A middle event of the composition; -1 when there is none."""
        for middle in members(self.fresh.columns(self.plan.node(expr.right))[end]):
            if self._derivable(expr.left, start, middle, below) and self._derivable(
                expr.right, middle, end, below
            ):
                return middle
        return -1

    def _main_side(self, expr: core.Inter) -> core.Expr:
        """The side of an intersection that tells more: not a mere product of sets, int, ext, …"""
        left, right = self.plan.node(expr.left), self.plan.node(expr.right)
        if right.level == FIXED or (left.level > right.level and left.level > FIXED):
            return expr.left
        return expr.right

    def _shortest_path(self, expr: core.Expr, start: int, end: int) -> list[tuple[int, int]]:
        columns = self.fresh.columns(self.plan.node(expr))
        ahead: dict[int, int] = {}
        queue = deque([end])
        while queue and start not in ahead:
            at = queue.popleft()
            for earlier in members(columns[at]):
                if earlier not in ahead:
                    ahead[earlier] = at
                    queue.append(earlier)
        path: list[tuple[int, int]] = []
        at = start
        while start in ahead and (not path or at != end):
            path.append((at, ahead[at]))
            at = ahead[at]
        return path


def _only_joins(expr: core.Expr) -> bool:
    """Whether an expression is a union of names, or one."""
    if isinstance(expr, core.Union):
        return _only_joins(expr.left) and _only_joins(expr.right)
    return isinstance(expr, core.Ref | core.Base)
