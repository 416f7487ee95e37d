"""Encodings of "these edges have no cycle" as clauses, one function each; README.md says how they
compare.

- closure: a variable for each pair that is connected by a path. n³ clauses, Horn.
- elimination: nodes are taken out one by one and paths through them become edges; a cycle ends as a
  pair of opposite edges. M. Rankooh and J. Rintanen, "Propositional encodings of acyclicity and
  reachability by using vertex elimination", AAAI 2022. Horn.
- order: a variable for each pair says which comes first in a total order; transitive. n³ clauses.
- numbers: each node has a number in binary; an edge goes to a greater one. n·log n variables.
- lazy (AcyclicEdges): no clauses; each cycle that a solution has is excluded by one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Mapping

from hybrid.encoding.clauses import FALSE, TRUE, Clauses

Node = Hashable
Edges = dict[tuple[Node, Node], int]


def cyclic_parts(edges: Mapping[tuple[Node, Node], int]) -> list[Edges]:
    """The edges that can lie on a cycle, those of each strongly connected component together;
    literals that are false left out."""
    after: dict[Node, list[Node]] = {}
    for (a, b), literal in edges.items():
        if literal != FALSE:
            after.setdefault(a, []).append(b)
            after.setdefault(b, [])
    part = _components(after)
    parts: dict[int, Edges] = {}
    for (a, b), literal in edges.items():
        if literal != FALSE and part[a] == part[b]:
            parts.setdefault(part[a], {})[(a, b)] = literal
    return list(parts.values())


def _components(after: Mapping[Node, list[Node]]) -> dict[Node, int]:
    """The number of each node's strongly connected component, by Tarjan's algorithm with a stack of
    its own."""
    number: dict[Node, int] = {}
    low: dict[Node, int] = {}
    part: dict[Node, int] = {}
    components = 0
    stack: list[Node] = []
    for root in after:
        if root in number:
            continue
        number[root] = low[root] = len(number)
        stack.append(root)
        work = [(root, iter(after[root]))]
        while work:
            node, rest = work[-1]
            for following in rest:
                if following not in number:
                    number[following] = low[following] = len(number)
                    stack.append(following)
                    work.append((following, iter(after[following])))
                    break
                if following not in part:
                    low[node] = min(low[node], number[following])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == number[node]:
                    _close_component(node, stack, part, components)
                    components += 1
    return part


def _close_component(root: Node, stack: list[Node], part: dict[Node, int], number: int) -> None:
    """Takes the component of its first node off the stack."""
    while True:
        member = stack.pop()
        part[member] = number
        if member == root:
            return


def _nodes(edges: Edges) -> list[Node]:
    return list(dict.fromkeys(node for pair in edges for node in pair))


def closure(clauses: Clauses, edges: Edges, name: Hashable, when: int) -> None:
    nodes = _nodes(edges)
    path = {(a, b): clauses.variable(("path", name, a, b)) for a in nodes for b in nodes}
    for (b, c), literal in edges.items():
        clauses.add((-literal, path[(b, c)]))
        for a in nodes:
            if a != b:
                clauses.add((-path[(a, b)], -literal, path[(a, c)]))
    for a in nodes:
        clauses.add((-when, -path[(a, a)]))


def elimination(clauses: Clauses, edges: Edges, name: Hashable, when: int) -> None:
    left = _Elimination(clauses, edges, name, when)
    while left.after:
        left.eliminate(min(left.after, key=left.pairs))


class _Elimination:
    """What is left of a graph. Edges that are always there make an order, of which only the steps
    to what is right behind are kept: an edge along the order adds nothing, one against it closes a
    cycle."""

    def __init__(self, clauses: Clauses, edges: Edges, name: Hashable, when: int) -> None:
        self.clauses = clauses
        self.name = name
        self.when = when
        self.after: dict[Node, dict[Node, int]] = {node: {} for node in _nodes(edges)}
        self.before: dict[Node, dict[Node, int]] = {node: {} for node in self.after}
        self.bit = {node: 1 << i for i, node in enumerate(self.after)}
        self.behind = _always_behind(self.bit, edges)  # by node: bits
        self.filled: set[tuple[Node, Node]] = set()  # pairs that have a variable of their own
        if any(self.behind[node] & self.bit[node] for node in self.after):
            clauses.add((-when,))
            self.after = {}
            return
        ahead = dict.fromkeys(self.bit, 0)
        for a, bits in self.behind.items():
            for b, bit in self.bit.items():
                if bits & bit:
                    ahead[b] |= self.bit[a]
        self.ahead = ahead
        self.left = (1 << len(self.bit)) - 1
        for (a, b), literal in edges.items():
            self._edge(a, b, (literal,) if literal != TRUE else ())

    def pairs(self, node: Node) -> int:
        return len(self.after[node]) * len(self.before[node])

    def eliminate(self, node: Node) -> None:
        """Paths through the node become edges."""
        ends, starts = self.after.pop(node), self.before.pop(node)
        self.left &= ~self.bit[node]
        for b in ends:
            del self.before[b][node]
        for a, first in starts.items():
            del self.after[a][node]
            for b, second in ends.items():
                self._edge(a, b, tuple(x for x in (first, second) if x != TRUE))

    def _edge(self, a: Node, b: Node, way: tuple[int, ...]) -> None:
        """Where these literals are true, there is an edge."""
        negated = tuple(-x for x in way)
        if a == b or self.behind[b] & self.bit[a]:
            self.clauses.add((-self.when, *negated))
            return
        if self.behind[a] & self.bit[b]:
            if not way and not self.behind[a] & self.ahead[b] & self.left:
                self.after[a][b] = self.before[b][a] = TRUE
            return
        known = self.after[a].get(b)
        if known in way:
            return
        if known is None and len(way) == 1:
            self.after[a][b] = self.before[b][a] = way[0]
            return
        if (a, b) not in self.filled:
            self.filled.add((a, b))
            path = self.clauses.variable(("path", self.name, a, b))
            if known is not None:
                self.clauses.add((-known, path))
            self.after[a][b] = self.before[b][a] = path
        self.clauses.add((*negated, self.after[a][b]))


def _always_behind(bit: dict[Node, int], edges: Edges) -> dict[Node, int]:
    """By node, the bits of those to which a path of edges leads that are always there."""
    step: dict[int, int] = dict.fromkeys(bit.values(), 0)
    for (a, b), literal in edges.items():
        if literal == TRUE:
            step[bit[a]] |= bit[b]
    found: dict[Node, int] = {}
    for node, own in bit.items():
        seen, todo = 0, step[own]
        while todo:
            low = todo & -todo
            seen |= low
            todo = (todo | step[low]) & ~seen
        found[node] = seen
    return found


def order(clauses: Clauses, edges: Edges, name: Hashable, when: int) -> None:
    nodes = _nodes(edges)
    place = {node: i for i, node in enumerate(nodes)}
    size = len(nodes)
    before = [[0] * size for _ in nodes]
    for i in range(size):
        for j in range(i + 1, size):
            before[i][j] = clauses.variable(("before", name, nodes[i], nodes[j]))
            before[j][i] = -before[i][j]
    for (a, b), literal in edges.items():
        clauses.add((-when, -literal, before[place[a]][place[b]]))
    for i in range(size):
        for j in range(i + 1, size):
            for k in range(j + 1, size):
                clauses.add((-before[i][j], -before[j][k], before[i][k]))
                clauses.add((before[i][j], before[j][k], -before[i][k]))


def numbers(clauses: Clauses, edges: Edges, name: Hashable, when: int) -> None:
    nodes = _nodes(edges)
    size = max(1, (len(nodes) - 1).bit_length())
    bits = {a: [clauses.variable(("bit", name, a, i)) for i in range(size)] for a in nodes}
    for (a, b), literal in edges.items():
        above = [
            -when,
            -literal,
        ]  # given that, the bits from i down make a smaller number at a than at b
        for i in range(size - 1, -1, -1):
            x, y = bits[a][i], bits[b][i]
            clauses.add((*above, -x, y))
            if i == 0:
                clauses.add((*above, x, y))
                clauses.add((*above, -x, -y))
                break
            lower = clauses.variable(("less", name, a, b, i))
            clauses.add((*above, x, y, lower))
            clauses.add((*above, -x, -y, lower))
            above = [-lower]


ENCODINGS: dict[str, Callable[[Clauses, Edges, Hashable, int], None]] = {
    "elimination": elimination,
    "closure": closure,
    "order": order,
    "numbers": numbers,
}


class AcyclicEdges:
    """Edges that must have no cycle, looked at after each solution."""

    def __init__(self, edges: Edges, when: int) -> None:
        self._edges = edges
        self._when = when

    def broken(self, value: Callable[[int], bool]) -> list[tuple[int, ...]]:
        """Clauses that exclude cycles of this solution: a shortest one through each node that is on
        one."""
        if not value(self._when):
            return []
        chosen = {pair: literal for pair, literal in self._edges.items() if value(literal)}
        found: dict[tuple[int, ...], None] = {}
        for part in cyclic_parts(chosen):
            after: dict[Node, list[Node]] = {}
            for a, b in part:
                after.setdefault(a, []).append(b)
            for root in after:
                cycle = _cycle_through(root, after)
                found[(-self._when, *sorted(-part[pair] for pair in cycle))] = None
        return list(found)


def _cycle_through(root: Node, after: dict[Node, list[Node]]) -> list[tuple[Node, Node]]:
    """A shortest cycle through a node that is on one."""
    came: dict[Node, Node] = {}
    queue = deque([root])
    while root not in came:
        node = queue.popleft()
        for following in after[node]:
            if following not in came:
                came[following] = node
                queue.append(following)
    cycle = [(came[root], root)]
    while cycle[-1][0] != root:
        node = cycle[-1][0]
        cycle.append((came[node], node))
    return cycle
