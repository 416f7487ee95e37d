"""Families of cycles: all that can be built from given edges, each once, or a sample of them.

Cycles are enumerated up to rotation. Unless they are asked to be free, only critical ones count: no
two units of program order in a row (bring a bracket `[A,B]` for that), and no two communications in
a row that one communication could replace (Rf;Fr, Fr;Ws and Ws;Ws are Ws, Fr and Ws), as diy has
it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hybrid.errors import InputError
from hybrid.generate.cycle import Cycle, make_cycle, misfit, read_words
from hybrid.generate.vocabulary import EXTERNAL, LEAVE, RF, CycleEdge, Vocabulary

Unit = tuple[CycleEdge, ...]  # one edge, or a composed one

ATTEMPTS = 200  # walks for each cycle that a sample is to have, before it stays smaller


@dataclass(frozen=True, slots=True)
class Family:
    vocabulary: Vocabulary
    units: tuple[Unit, ...]
    sizes: range  # how many units a cycle has
    threads: range
    free: bool = False  # cycles need not be critical

    def cycles(self) -> Iterator[Cycle]:
        """All cycles, the smaller first, each once."""
        for size in self.sizes:
            seen: set[tuple[CycleEdge, ...]] = set()
            for first in range(len(self.units)):
                for chosen in self._closings([first], size, range(first, len(self.units))):
                    cycle = self._cycle(chosen)
                    if cycle is not None and cycle.edges not in seen:
                        seen.add(cycle.edges)
                        yield cycle

    def sample(self, count: int, seed: int) -> Iterator[Cycle]:
        """At most `count` different cycles, found by random walks; the same for the same seed."""
        chance = random.Random(seed)
        seen: set[tuple[CycleEdge, ...]] = set()
        sizes = list(self.sizes)
        for _ in range(count * ATTEMPTS):
            if len(seen) == count:
                return
            chosen = self._walk(chance, chance.choice(sizes))
            cycle = None if chosen is None else self._cycle(chosen)
            if cycle is not None and cycle.edges not in seen:
                seen.add(cycle.edges)
                yield cycle

    def _walk(self, chance: random.Random, size: int) -> list[int] | None:
        everything = range(len(self.units))
        chosen = [chance.choice(everything)]
        while len(chosen) < size:
            fitting = [u for u in everything if self._follows(chosen[-1], u)]
            if not fitting:
                return None
            chosen.append(chance.choice(fitting))
        return chosen if self._follows(chosen[-1], chosen[0]) else None

    def _closings(self, start: list[int], size: int, allowed: range) -> Iterator[list[int]]:
        """All closed sequences of `size` units that begin with `start`."""
        chosen = list(start)
        todo: list[Iterator[int]] = [iter(allowed)]
        if size == 1:
            if self._follows(chosen[0], chosen[0]):
                yield chosen
            return
        while todo:
            unit = next(todo[-1], None)
            if unit is None:
                todo.pop()
                chosen.pop()
                continue
            if not self._follows(chosen[-1], unit):
                continue
            chosen.append(unit)
            if self._visited(chosen) >= self.threads.stop:
                chosen.pop()
            elif len(chosen) == size:
                if self._follows(unit, chosen[0]):
                    yield list(chosen)
                chosen.pop()
            else:
                todo.append(iter(allowed))

    def _visited(self, chosen: Sequence[int]) -> int:
        places = (edge.place for unit in chosen for edge in self.units[unit])
        return sum(place in (EXTERNAL, LEAVE) for place in places)

    def _follows(self, left: int, right: int) -> bool:
        before, after = self.units[left][-1], self.units[right][0]
        if misfit(before, after, self.vocabulary) is not None:
            return False
        if self.free:
            return True
        if before.place == EXTERNAL and after.place == EXTERNAL:
            return before.kind != RF and after.kind == RF
        return before.place == EXTERNAL or after.place == EXTERNAL

    def _cycle(self, chosen: Sequence[int]) -> Cycle | None:
        edges = [edge for unit in chosen for edge in self.units[unit]]
        try:
            cycle = make_cycle(edges, self.vocabulary)
        except InputError:  # one change of location, communication alone, an unmatched way back
            return None
        return cycle if cycle.threads in self.threads else None


def read_units(text: str, vocabulary: Vocabulary, name: str = "--edges") -> tuple[Unit, ...]:
    """The units that a list of edges spells; wildcards stand for all that fit."""
    units: dict[Unit, None] = {}
    for word in read_words(text, vocabulary, name):
        if not word.choices:
            raise InputError(
                f"`{word.text}` is an annotation, no edge",
                word.span,
                "annotate edges, as in PodWWPL",
            )
        units |= dict.fromkeys(word.choices)
    if not units:
        raise InputError(
            "no edges to build cycles from", hint='as in --edges "PodWR PodWW Rfe Fre Wse"'
        )
    return tuple(units)


def numbered(names: Sequence[str]) -> list[str]:
    """The names, made different: cycles that share one (their inner directions differ) get 001,
    002, … from the second on."""
    count: dict[str, int] = {}
    taken = set(names)
    found: list[str] = []
    for name in names:
        number = count[name] = count.get(name, -1) + 1
        new = name
        while number and new in taken:
            new = f"{name}{number:03}"
            number += 1
        taken.add(new)
        found.append(new)
    return found
