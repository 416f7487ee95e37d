"""Evaluation of a plan's nodes from scratch over the committed events: for parts that are not
monotone, flags and reasons."""

from __future__ import annotations

from hybrid.errors import InternalError
from hybrid.execution.bits import members
from hybrid.model.core import Test
from hybrid.oracle.plan import GROW, Node, Op
from hybrid.oracle.pointwise import Points


class Fresh:
    """Values are kept for the life of the object: make a new one after every change."""

    def __init__(self, points: Points, rf: list[int], co: list[int], fr: list[int]) -> None:
        self.points = points
        self.events = list(members(points.committed))
        self._size = points.committed.bit_length()
        self._values: dict[int, list[int]] = {}
        self._base = {Op.RF: rf, Op.CO: co, Op.FR: fr}
        self.stages: dict[
            int, dict[tuple[int, int], int]
        ] = {}  # of recursive nodes: the round in which a pair came in

    def columns(self, node: Node) -> list[int]:
        """The columns of a relation (of a set: of the identity on it)."""
        value = self._values.get(node.index)
        if value is None:
            if node.op == Op.RECURSIVE:
                self._fixpoint(node)
                return self._values[node.index]
            value = self._compute(node)
            self._values[node.index] = value
        return value

    def satisfies(self, test: Test, negated: bool, node: Node) -> bool:
        columns = self.columns(node)
        if test is Test.EMPTY:
            holds = not any(columns)
        elif test is Test.IRREFLEXIVE:
            holds = not any(columns[e] >> e & 1 for e in self.events)
        else:
            closure = self._closure(columns)
            holds = not any(closure[e] >> e & 1 for e in self.events)
        return holds != negated

    def _compute(self, node: Node) -> list[int]:
        op, args = node.op, node.args
        committed = self.points.committed
        result = [0] * self._size
        if node.is_set:
            inside = self.points.members[node.index]
            for e in self.events:
                result[e] = inside & 1 << e
            return result
        if op in self._base:
            base = self._base[op]
            for e in self.events:
                result[e] = base[e] & committed
            return result
        if node.level < GROW:
            for e in self.events:
                result[e] = self.points.column(node, e) & committed
            return result
        if op == Op.FINAL:
            co = self.columns_of_co()
            overwritten = 0
            for e in self.events:
                overwritten |= co[e]
            for e in self.events:
                if self._is_store(e) and not overwritten >> e & 1:
                    result[e] = 1 << e
            return result
        if op == Op.FROM:
            inner, inside = self.columns(args[1]), self.points.members[args[0].index]
            for e in self.events:
                result[e] = inner[e] & inside
            return result
        first = self.columns(args[0])
        if op == Op.INTO:
            inside = self.points.members[args[1].index]
            for e in self.events:
                result[e] = first[e] if inside >> e & 1 else 0
        elif op in (Op.UNION, Op.INTER, Op.DIFF):
            second = self.columns(args[1])
            for e in self.events:
                if op == Op.UNION:
                    result[e] = first[e] | second[e]
                elif op == Op.INTER:
                    result[e] = first[e] & second[e]
                else:
                    result[e] = first[e] & ~second[e]
        elif op == Op.COMPLEMENT:
            for e in self.events:
                result[e] = committed & ~first[e]
        elif op == Op.SEQ:
            second = self.columns(args[1])
            for e in self.events:
                for m in members(second[e]):
                    result[e] |= first[m]
        elif op == Op.INVERSE:
            for e in self.events:
                for m in members(first[e]):
                    result[m] |= 1 << e
        elif op == Op.PLUS:
            result = self._closure(first)
        elif op == Op.STAR:
            result = self._closure(first)
            for e in self.events:
                result[e] |= 1 << e
        elif op == Op.OPT:
            for e in self.events:
                result[e] = first[e] | 1 << e
        elif op == Op.DOMAIN:
            for e in self.events:
                for m in members(first[e]):
                    result[m] = 1 << m
        elif op == Op.RANGE:
            for e in self.events:
                result[e] = 1 << e if first[e] else 0
        else:
            raise InternalError(f"cannot evaluate {node!r}")
        return result

    def columns_of_co(self) -> list[int]:
        return self._base[Op.CO]

    def _is_store(self, event: int) -> bool:
        return any(event in order for order in self.points.execution.co) or bool(
            self.columns_of_co()[event]
        )

    def _closure(self, columns: list[int]) -> list[int]:
        result = list(columns)
        for middle in self.events:
            past = result[middle]
            for e in self.events:
                if result[e] >> middle & 1:
                    result[e] |= past
        return result

    def _fixpoint(self, node: Node) -> None:
        """Least fixpoint of the recursive names that `node` leads to, by rounds from the empty
        relation."""
        names: dict[int, Node] = {}
        inside: dict[int, Node] = {}
        todo = [node]
        while todo:
            found = todo.pop()
            if (
                found.index in inside
                or found.index in self._values
                or not (found.recursive or found.op == Op.RECURSIVE)
            ):
                continue
            inside[found.index] = found
            if found.op == Op.RECURSIVE:
                names[found.index] = found
            todo.extend(found.args)
        for name in names.values():
            self._values[name.index] = [0] * self._size
            self.stages[name.index] = {}
        changed = True
        stage = 0
        while changed:
            changed = False
            stage += 1
            for index in inside:
                if index not in names:
                    self._values.pop(index, None)
            bodies = {name.index: list(self.columns(name.args[0])) for name in names.values()}
            for name in names.values():
                body = bodies[name.index]
                value = self._values[name.index]
                for e in self.events:
                    for m in members(body[e] & ~value[e]):
                        self.stages[name.index][(m, e)] = stage
                        changed = True
                self._values[name.index] = body
