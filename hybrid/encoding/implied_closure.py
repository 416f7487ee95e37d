"""The transitive closure of a relation, in one direction: where there is a path, its literal is
true.

Edges that are there whatever the solution, program order above all, make a skeleton: a strict
order, of which only the steps from an event to those right behind it are looked at. The other edges
begin at some events, the starts, and end at some, the ends. A path that is not all skeleton has a
literal of its own only from a start to an end:

- from an event that is no start, it goes by a step to one right behind, so that it is one of the
  paths from there;
- from a start to an event that is no end, it comes by a step from one right before, so that it is
  one of the paths to there;
- from a start to an end: it is an edge; or begins with a step; or ends with a step; or ends with an
  edge, behind a path to where this begins, which is not all skeleton as the path would begin with
  a step.

Where there is one such way, and it has one literal, no other literal is made: the paths of a thread
share those of its starts and ends. Each clause is one of these ways, so that in the least solution
a literal is true where there is a path, by induction over its length, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from hybrid.encoding.alternatives import Map
from hybrid.encoding.clauses import TRUE, Clauses
from hybrid.encoding.folding import Name, certain_paths

Node = Hashable
Steps = dict[Node, list[Node]]


def shortest_steps(certain: Map) -> tuple[Steps, Steps]:
    """Of a strict order: from each event to those right behind it, and right before it."""
    after: dict[Node, set[Node]] = {}
    for a, b in certain:
        after.setdefault(a, set()).add(b)
    behind: Steps = {}
    before: Steps = {}
    for a, ends in after.items():
        far = {c for b in ends for c in after.get(b, ())}
        for b in ends:
            if b not in far:
                behind.setdefault(a, []).append(b)
                before.setdefault(b, []).append(a)
    return behind, before


def implied_closure(logic: Clauses, edges: Map, name: Name) -> Map:
    """At least the transitive closure."""
    certain = certain_paths(edges)
    if any(a == b for a, b in certain):
        certain = {}  # no order: all edges are taken for edges that may be there
    return _Closure(logic, edges, certain, name).run()


class _Closure:
    def __init__(self, logic: Clauses, edges: Map, certain: Map, name: Name) -> None:
        self.logic = logic
        self.name = name
        self.certain = certain
        self.behind, self.before = shortest_steps(certain)
        self.into: dict[Node, list[tuple[Node, int]]] = {}
        self.starts: dict[Node, list[Node]] = {}
        for (a, b), literal in edges.items():
            if (a, b) not in certain:
                self.into.setdefault(b, []).append((a, literal))
                self.starts.setdefault(a, []).append(b)
        self.found: Map = dict(certain)
        nodes = list(dict.fromkeys(node for key in edges for node in key))
        self.order = _ordered(nodes, self.behind, self.before)

    def run(self) -> Map:
        reached = self._reached()
        for a in reversed(self.order):
            if a in self.starts:
                self._from_start(a, reached[a])
            else:
                for b in reached[a]:
                    self._either((a, b), ((c, b) for c in self.behind.get(a, ())))
        return self.found

    def _reached(self) -> dict[Node, list[Node]]:
        """From each event, the ends of paths that are not all skeleton, in order."""
        order = self.order
        bit = {node: 1 << i for i, node in enumerate(order)}
        there = [
            sum({bit[b] for b in (*self.behind.get(a, ()), *self.starts.get(a, ()))}) for a in order
        ]
        found: dict[Node, list[Node]] = {}
        for i, a in enumerate(order):
            seen, todo = 0, there[i]
            while todo:
                seen |= todo
                rest, todo = todo, 0
                while rest:
                    low = rest & -rest
                    rest ^= low
                    todo |= there[low.bit_length() - 1]
                todo &= ~seen
            found[a] = [b for b in order if seen & bit[b] and (a, b) not in self.certain]
        return found

    def _from_start(self, a: Node, reached: list[Node]) -> None:
        found, logic = self.found, self.logic
        ends = [b for b in reached if b in self.into]
        for b in ends:
            found[(a, b)] = logic.variable((*self.name, (a, b)))
        for b in reached:
            if b not in self.into:
                self._either((a, b), ((a, c) for c in self.before.get(b, ())))
        for b in ends:
            steps = [(c, b) for c in self.behind.get(a, ())]
            steps += [(a, c) for c in self.before.get(b, ())]
            ways: dict[tuple[int, ...], None] = {}
            ways.update(((found[step],), None) for step in steps if step in found)
            for middle, edge in self.into[b]:
                path = TRUE if middle == a else found.get((a, middle))
                if path is not None and (path != TRUE or middle == a):
                    ways[(edge,) if path == TRUE else (path, edge)] = None
            head = found[(a, b)]
            for way in ways:
                if head not in way:
                    logic.add((*[-x for x in way], head))

    def _either(self, key: tuple[Node, Node], ways: Iterable[tuple[Node, Node]]) -> None:
        """A pair that is there where one of others is."""
        literals = dict.fromkeys(self.found[way] for way in ways if way in self.found)
        if len(literals) == 1:
            (self.found[key],) = literals
            return
        head = self.found[key] = self.logic.variable((*self.name, key))
        for literal in literals:
            self.logic.add((-literal, head))


def _ordered(nodes: list[Node], behind: Steps, before: Steps) -> list[Node]:
    """The events in an order in which steps go forward."""
    missing = {node: len(before.get(node, ())) for node in nodes}
    ready = [node for node in nodes if not missing[node]]
    for node in ready:  # it grows
        for after in behind.get(node, ()):
            missing[after] -= 1
            if not missing[after]:
                ready.append(after)
    return ready
