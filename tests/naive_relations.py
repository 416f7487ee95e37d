"""Sets of events and sets of pairs, computed in the plainest way: what clever versions are compared
with."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, assert_never

from hybrid.model import core
from hybrid.source import Source, Span

Pairs = set[tuple[int, int]]
SPAN = Span(Source("<test>", ""), 1, 1, 1, 1)


def compose(left: Pairs, right: Pairs) -> Pairs:
    return {(a, d) for a, b in left for c, d in right if b == c}


def turned(pairs: Pairs) -> Pairs:
    return {(b, a) for a, b in pairs}


def closed(pairs: Pairs) -> Pairs:
    found = set(pairs)
    while more := compose(found, found) - found:
        found |= more
    return found


def identity(events: Iterable[int]) -> Pairs:
    return {(e, e) for e in events}


def random_pairs(rng: random.Random, events: list[int], share: float) -> Pairs:
    return {(a, b) for a in events for b in events if rng.random() < share}


def columns_of(pairs: Pairs, size: int) -> list[int]:
    """By event: bits of the events that are related to it."""
    columns = [0] * size
    for a, b in pairs:
        columns[b] |= 1 << a
    return columns


def pairs_of(columns: list[int], events: Iterable[int]) -> Pairs:
    return {(a, b) for b in events for a in range(columns[b].bit_length()) if columns[b] >> a & 1}


@dataclass
class World:
    """Events, and what the base sets and relations hold of them."""

    events: list[int]
    sets: Mapping[str, set[int]]
    relations: Mapping[str, Pairs]

    def value(self, expr: core.Expr) -> Any:
        """A set of events or of pairs."""
        match expr:
            case core.Base(kind=core.Kind.SET, name=name):
                return set(self.sets[name])
            case core.Base(name=name):
                return set(self.relations[name])
            case core.Empty():
                return set()
            case core.Union():
                return self.value(expr.left) | self.value(expr.right)
            case core.Inter():
                return self.value(expr.left) & self.value(expr.right)
            case core.Diff():
                return self.value(expr.left) - self.value(expr.right)
            case core.Complement(kind=core.Kind.SET):
                return set(self.events) - self.value(expr.operand)
            case core.Complement():
                every = {(a, b) for a in self.events for b in self.events}
                return every - self.value(expr.operand)
            case core.Seq():
                return compose(self.value(expr.left), self.value(expr.right))
            case core.Inverse():
                return turned(self.value(expr.operand))
            case core.Plus():
                return closed(self.value(expr.operand))
            case core.Star():
                return closed(self.value(expr.operand)) | identity(self.events)
            case core.Opt():
                return self.value(expr.operand) | identity(self.events)
            case core.Product():
                left, right = self.value(expr.left), self.value(expr.right)
                return {(a, b) for a in left for b in right}
            case core.Identity():
                return identity(self.value(expr.operand))
            case core.Domain():
                return {a for a, _ in self.value(expr.operand)}
            case core.Range():
                return {b for _, b in self.value(expr.operand)}
            case core.Ref():
                raise NotImplementedError("the expressions of these tests use no names")
            case _:
                assert_never(expr)


class RandomExpressions:
    """Expressions over some base sets and relations, by some operators of the models (their names
    in core.py)."""

    def __init__(
        self, rng: random.Random, sets: list[str], relations: list[str], operators: list[str]
    ) -> None:
        self.rng = rng
        self.sets = sets
        self.relations = relations
        self.operators = operators

    def set(self, depth: int) -> core.Expr:
        kind = core.Kind.SET
        if depth == 0 or self.rng.random() < 0.4:
            return core.Base(SPAN, kind, self.rng.choice(self.sets))
        made = self.rng.choice((core.Union, core.Inter, core.Diff, core.Complement))
        if made is core.Complement:
            return core.Complement(SPAN, kind, self.set(depth - 1))
        return made(SPAN, kind, self.set(depth - 1), self.set(depth - 1))

    def relation(self, depth: int) -> core.Expr:
        if depth == 0:
            return core.Base(SPAN, core.Kind.RELATION, self.rng.choice(self.relations))
        name = self.rng.choice(self.operators)
        made: Any = getattr(core, name)
        if name == "Product":
            return core.Product(SPAN, self.set(1), self.set(1))
        if name == "Identity":
            return core.Identity(SPAN, self.set(2))
        if name in ("Domain", "Range"):
            return core.Identity(SPAN, made(SPAN, self.relation(depth - 1)))
        if name == "Complement":
            return core.Complement(SPAN, core.Kind.RELATION, self.relation(depth - 1))
        if name in ("Union", "Inter", "Diff"):
            left, right = self.relation(depth - 1), self.relation(depth - 1)
            return made(SPAN, core.Kind.RELATION, left, right)  # type: ignore[no-any-return]
        if name == "Seq":
            return core.Seq(SPAN, self.relation(depth - 1), self.relation(depth - 1))
        return made(SPAN, self.relation(depth - 1))  # type: ignore[no-any-return]
