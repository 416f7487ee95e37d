"""Which flags of a model a whole trace raises, for the solver oracles.

Most flags take away relations that only grow from one that the events alone decide (a conflict that
happens-before does not order). What events alone decide is kept row by row as occurrences appear;
for the few pairs that are left, the solver is asked whether the pair of a growing relation follows
from the assumptions. As the clauses are Horn it follows exactly when it holds.

Flags of other forms are encoded trace by trace: trace_flags.py.
"""

from __future__ import annotations

from hybrid.encoding import horn as h
from hybrid.encoding.logic import Consequences, Logic
from hybrid.execution.bits import members
from hybrid.execution.execution import Execution
from hybrid.model import core
from hybrid.oracle.columns import FREE, GROW, Node, Op
from hybrid.oracle.horn_relations import HornRelations
from hybrid.oracle.trace_flags import TraceFlags


class HornPairs(h.HornRelation):
    """The pairs of a relation with their literals."""

    def __init__(self, horn: h.Horn, source: h.HornRelation) -> None:
        super().__init__(horn, [source])
        self.literals = h.LiteralsOfPairs()

    def receive(self, which: int, a: int, b: int, literal: int) -> None:
        self.literals.add(h.key_of(a, b), literal)


class SolverFlags:
    """Made before the first occurrence, with a node of the plan for each flag."""

    def __init__(
        self, model: core.Model, nodes: list[Node], relations: HornRelations, logic: Logic
    ) -> None:
        self._relations = relations
        self._masks: dict[int, list[int]] = {}  # by index of a node that events decide: its rows
        self._pairs: dict[int, HornPairs] = {}  # by index of a node that grows
        self._flags: list[tuple[core.Axiom, Node]] = []
        others: list[core.Axiom] = []
        for flag, node in zip(model.flags, nodes, strict=True):
            if flag.test is not core.Test.ACYCLIC and _by_rows(node):
                self._flags.append((flag, node))
                self._prepare(node)
            else:
                others.append(flag)
        self.names = [flag.name for flag in model.flags]
        self._others = TraceFlags(model, others, logic)

    def raised(
        self, execution: Execution, orders: list[list[int]], numbers: list[int], true: Consequences
    ) -> tuple[str, ...]:
        """Of a trace: with coherence orders by location, the initial write first, the numbers of
        its occurrences, and what follows from its assumptions."""
        found = set(self._others.raised(execution, orders))
        bits = 0
        for number in numbers:
            bits |= 1 << number
        for flag, node in self._flags:
            if self._satisfied(flag, node, numbers, bits, true):
                found.add(flag.name)
        return tuple(name for name in self.names if name in found)

    def _satisfied(
        self, flag: core.Axiom, node: Node, numbers: list[int], bits: int, true: Consequences
    ) -> bool:
        for start in numbers:
            ends = bits if flag.test is core.Test.EMPTY else 1 << start
            if self._row(node, start, ends, true):
                return flag.negated
        return not flag.negated

    def _row(self, node: Node, start: int, ends: int, true: Consequences) -> int:
        """Which of these ends the node relates an occurrence to."""
        if not ends:
            return 0
        if node.level < GROW:
            return self._masks[node.index][start] & ends
        if node.level == GROW:
            return self._true_pairs(node, start, ends, true)
        if node.op == Op.COMPLEMENT:
            return ends & ~self._row(node.args[0], start, ends, true)
        left, right = node.args
        found = self._row(left, start, ends, true)
        if node.op == Op.UNION:
            return found | self._row(right, start, ends & ~found, true)
        if node.op == Op.DIFF:
            return found & ~self._row(right, start, found, true)
        return self._row(right, start, found, true)

    def _true_pairs(self, node: Node, start: int, ends: int, true: Consequences) -> int:
        turned = node.op == Op.INVERSE
        pairs = self._pairs[node.args[0].index if turned else node.index].literals
        found = 0
        for end in members(ends):
            key = h.key_of(end, start) if turned else h.key_of(start, end)
            if true.has_one(pairs.of(key)):
                found |= 1 << end
        return found

    def _prepare(self, node: Node) -> None:
        """Makes what `_row` looks at."""
        if node.level < GROW:
            self._masks[node.index] = self._relations.mask(node)
        elif node.level == GROW:
            if node.op == Op.INVERSE:
                node = node.args[0]
            relation = self._relations.relation(node)
            if node.index not in self._pairs:
                self._pairs[node.index] = HornPairs(self._relations.horn, relation)
        else:
            for arg in node.args:
                self._prepare(arg)


def _by_rows(node: Node) -> bool:
    """Whether `_row` can take the node apart."""
    if node.level < FREE:
        return not node.is_set
    return node.op in (Op.UNION, Op.INTER, Op.DIFF, Op.COMPLEMENT) and all(
        _by_rows(arg) for arg in node.args
    )
