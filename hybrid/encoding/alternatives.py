"""Sets and relations whose members have literals, and those in the making, whose members have the
ways to derive them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from hybrid.encoding.clauses import FALSE, TRUE

Item = Any  # an event, or a pair of events
Map = dict[Item, int]  # key -> literal; a key that is not there is false
Alternatives = dict[Item, dict[tuple[int, ...], None]]  # key -> ways to derive it: sorted premises
Ahead = dict[
    Hashable, list[tuple[Hashable, dict[tuple[int, ...], None]]]
]  # by the first event of a pair


def is_loop(key: Item) -> bool:
    return isinstance(key, tuple) and len(key) == 2 and key[0] == key[1]


def alternatives_of(found: Map) -> Alternatives:
    return {key: {() if x == TRUE else (x,): None} for key, x in found.items() if x != FALSE}


def unless(literal: int) -> dict[tuple[int, ...], None]:
    """The ways in which the literal is false."""
    if literal == TRUE:
        return {}
    return {() if literal == FALSE else (-literal,): None}


def merge(into: Alternatives, more: Alternatives) -> None:
    for key, ways in more.items():
        here = into.get(key)
        if here is None:
            into[key] = dict(ways)
        else:
            here.update(ways)


def add(
    into: Alternatives,
    key: Item,
    first: dict[tuple[int, ...], None],
    second: dict[tuple[int, ...], None],
) -> None:
    """One more key, or more ways to it: a way of each kind together."""
    for p in first:
        for q in second:
            if not p or not q or p == q:
                way = p or q
            elif len(p) == 1 == len(q):  # the most common by far
                if p[0] == -q[0]:
                    continue
                way = (*p, *q) if p < q else (*q, *p)
            else:
                premises = {*p, *q}
                if any(-x in premises for x in premises):
                    continue
                way = tuple(sorted(premises))
            into.setdefault(key, {})[way] = None


def by_start(relation: Alternatives) -> Ahead:
    ahead: Ahead = {}
    for key, ways in relation.items():
        ahead.setdefault(key[0], []).append((key[1], ways))
    return ahead


def join(
    left: Alternatives,
    ahead: Ahead,
    into: Alternatives,
    loops: bool = False,
    only: Alternatives | None = None,
) -> None:
    """Adds the composition to `into`."""
    for key, first in left.items():
        start, middle = key
        for end, second in ahead.get(middle, ()):
            if loops and start != end:
                continue
            pair = (start, end)
            if only is None or pair in only:
                add(into, pair, first, second)


def reach(pairs: set[Item]) -> None:
    """Closes a relation transitively."""
    ahead: dict[Hashable, set[Hashable]] = {}
    for a, b in pairs:
        ahead.setdefault(a, set()).add(b)
    for start in list(ahead):
        todo = list(ahead[start])
        seen = set(todo)
        while todo:
            for end in ahead.get(todo.pop(), ()):
                if end not in seen:
                    seen.add(end)
                    todo.append(end)
        pairs.update((start, end) for end in seen)
