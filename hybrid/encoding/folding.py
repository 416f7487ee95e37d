"""From the ways to derive members and pairs to one literal for each."""

from __future__ import annotations

from collections.abc import Hashable

from hybrid.encoding.alternatives import (
    Alternatives,
    Map,
    alternatives_of,
    by_start,
    join,
    reach,
)
from hybrid.encoding.clauses import TRUE, Clauses

Name = tuple[Hashable, ...]  # tells the variables of one definition from those of others


def fold(logic: Clauses, alternatives: Alternatives, exact: bool, name: Name) -> Map:
    """One literal for each key, in place of its alternatives; unless `exact`, it may also be true
    where none of them is."""
    found: Map = {}
    for key, ways in alternatives.items():
        if () in ways:
            found[key] = TRUE
        elif exact:
            found[key] = logic.disjunction([logic.conjunction(p) for p in ways])
        elif len(ways) == 1 and len(first := next(iter(ways))) == 1:
            found[key] = first[0]
        else:
            head = found[key] = logic.variable((*name, key))
            for premises in ways:
                logic.add((*[-x for x in premises], head))
    return found


def imply(logic: Clauses, found: Map, alternatives: Alternatives) -> None:
    """Each way to derive a key implies its literal."""
    for key, ways in alternatives.items():
        head = found[key]
        if head != TRUE:
            for premises in ways:
                if head not in premises:
                    logic.add((*[-x for x in premises], head))


def certain_paths(edges: Map) -> Map:
    """The part of the transitive closure that is true whatever the solution."""
    certain = {key for key, x in edges.items() if x == TRUE}
    reach(certain)
    return dict.fromkeys(certain, TRUE)


def exact_closure(logic: Clauses, edges: Map) -> Map:
    """The transitive closure, by doubling the length of paths."""
    paths = {**edges, **certain_paths(edges)}
    nodes = {node for key in edges for node in key}
    for _ in range((len(nodes) - 1).bit_length() if nodes else 0):
        ways = alternatives_of(paths)
        join(alternatives_of(paths), by_start(alternatives_of(paths)), ways)
        paths = fold(logic, ways, True, ())
    return paths
