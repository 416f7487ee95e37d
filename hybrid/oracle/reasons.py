"""Why a trace is refused: the axiom, the shortest cycle, and what each of its edges is made of.

An edge is labelled by the names of the model's text. A name that only joins other names (`hb = ppo | fence | rfe`) is looked through; a derived
relation is told with its derivation (`ppo: addr;po`); what is known at fetch or a plain restriction (`sync`, `rfe`) is told by its name.
"""

from __future__ import annotations

from collections import deque

from hybrid.execution.bits import members
from hybrid.model import core
from hybrid.oracle.api import Edge, Reason
from hybrid.oracle.fresh import Fresh
from hybrid.oracle.plan import FIXED, POINT, Node, Op, Plan


def full_plan(model: core.Model) -> Plan:
    """A plan that has a node for every part of the model's text, as explanations need it."""
    plan = Plan(model)
    todo = [axiom.expr for axiom in model.axioms] + [d.expr for d in model.definitions]
    while todo:
        expr = todo.pop()
        plan.node(expr)
        todo.extend(core.children(expr))
    return plan


def find_reason(model: core.Model, plan: Plan, fresh: Fresh) -> Reason | None:
    """The first axiom that the trace violates, with the shortest cycle against it; `plan` is a full one."""
    for axiom in model.constraints:
        if fresh.satisfies(axiom.test, axiom.negated, plan.node(axiom.expr)):
            continue
        pairs: list[tuple[int, int]] = []
        if not axiom.negated:
            columns = fresh.columns(plan.node(axiom.expr))
            if axiom.test is core.Test.ACYCLIC:
                pairs = _shortest_cycle(columns, fresh.events)
            else:
                pairs = _first_pair(columns, fresh.events, axiom.test is core.Test.IRREFLEXIVE)
        labels = _Labels(model, plan, fresh)
        event_id = fresh.points.execution.event_id
        edges: list[Edge] = []
        for start, end in pairs:
            if axiom.test is core.Test.ACYCLIC:
                steps = [(start, labels.label(axiom.expr, start, end), end)]
            else:
                steps = labels.path(axiom.expr, start, end)
            edges.extend(Edge(event_id(a), label, event_id(b)) for a, label, b in steps)
        test = f"~{axiom.test.value}" if axiom.negated else axiom.test.value
        return Reason(axiom.name, test, tuple(edges))
    return None


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
    def __init__(self, model: core.Model, plan: Plan, fresh: Fresh) -> None:
        self.model = model
        self.plan = plan
        self.fresh = fresh

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
            return f"{definition.name}: {detail}"
        return ";".join(label for _, label, _ in self.steps(expr, start, end)) or "id"

    def path(self, expr: core.Expr, start: int, end: int) -> list[tuple[int, str, int]]:
        """The pair as a sequence of labelled edges, one for each factor of a composition."""
        if isinstance(expr, core.Seq):
            middle = self._middle(expr, start, end)
            return self.path(expr.left, start, middle) + self.path(expr.right, middle, end)
        if isinstance(expr, core.Star | core.Opt) and start == end:
            return []
        if isinstance(expr, core.Star | core.Plus):
            return [
                (a, self.label(expr.operand, a, b), b)
                for a, b in self._shortest_path(expr.operand, start, end)
            ]
        if isinstance(expr, core.Opt):
            return self.path(expr.operand, start, end)
        if isinstance(expr, core.Identity):
            return []
        if isinstance(expr, core.Inter):
            return self.path(self._main_side(expr), start, end)
        return [(start, self.label(expr, start, end), end)]

    def steps(
        self, expr: core.Expr, start: int, end: int, below: int | None = None
    ) -> list[tuple[int, str, int]]:
        """A derivation of the pair in named or base relations. `below` bounds the round in which a pair of a recursive
        relation may have come in, so that no pair justifies itself."""
        if isinstance(expr, core.Base):
            return [(start, expr.name, end)]
        if isinstance(expr, core.Ref):
            definition = self.model.definitions[expr.index]
            node = self.plan.node(expr)
            if definition.group is not None:
                return self.steps(definition.expr, start, end, self._stage(node, start, end))
            told = (
                node.level <= POINT or node.op == Op.FR or isinstance(definition.expr, core.Inter)
            )
            if told and not isinstance(definition.expr, core.Union):
                return [(start, definition.name, end)]
            return self.steps(definition.expr, start, end, below)
        if isinstance(expr, core.Union):
            for side in (expr.left, expr.right):
                if self._derivable(side, start, end, below):
                    return self.steps(side, start, end, below)
        if isinstance(expr, core.Seq):
            middle = self._middle(expr, start, end, below)
            return self.steps(expr.left, start, middle, below) + self.steps(
                expr.right, middle, end, below
            )
        if isinstance(expr, core.Inter):
            return self.steps(self._main_side(expr), start, end, below)
        if isinstance(expr, core.Diff):
            return self.steps(expr.left, start, end, below)
        if isinstance(expr, core.Star | core.Opt) and start == end:
            return []
        if isinstance(expr, core.Opt):
            return self.steps(expr.operand, start, end, below)
        if isinstance(expr, core.Plus | core.Star):
            found: list[tuple[int, str, int]] = []
            for a, b in self._shortest_path(expr.operand, start, end):
                found += self.steps(expr.operand, a, b, below)
            return found
        if isinstance(expr, core.Identity):
            return []
        if isinstance(expr, core.Inverse):
            turned = self.steps(expr.operand, end, start, below)
            return [(b, f"{label}^-1", a) for a, label, b in reversed(turned)]
        return [(start, "…", end)]

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
