"""Values, given one path a thread: every choice of a source for each load that the values of the
paths permit.

Loads get their sources one after another; after each, everything that follows is computed, and the
choice is given up when a condition of a path is false or a load and its source have different
addresses. What is still unknown when all loads have their sources depends on itself: a circle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hybrid.engine.api import Limits
from hybrid.engine.enumerate.terms import Terms
from hybrid.engine.enumerate.walk import Path
from hybrid.execution.trace import EventId
from hybrid.program.program import Program


@dataclass(frozen=True, slots=True)
class Access:
    event: EventId
    address: int  # term
    value: int  # term


@dataclass(frozen=True, slots=True)
class Solution:
    """A source for each load and the values that follow."""

    sources: tuple[Access, ...]  # by load, in the order of Combination.loads
    values: dict[int, int]  # by term
    circular: bool  # some terms have no value: they depend on themselves


class Combination:
    """One path a thread: their loads and stores."""

    def __init__(self, program: Program, terms: Terms, paths: Sequence[Path]) -> None:
        self.terms = terms
        self.paths = tuple(paths)
        self.locations = frozenset(program.by_address)
        self.loads: list[Access] = []
        self.stores: list[Access] = [
            Access((-1, i), terms.constant(place.address), terms.constant(place.initial))
            for i, place in enumerate(program.locations)
        ]  # the initial writes first
        self.all_terms: list[int] = [t for s in self.stores for t in (s.address, s.value)]
        self.conditions: list[tuple[int, bool]] = []
        self.addresses: list[tuple[int, bool]] = []
        for path in paths:
            self.all_terms.extend(path.terms)
            self.conditions.extend(path.conditions)
            self.addresses.extend(path.addresses)
            for event in path.events:
                if event.address is not None and event.value is not None:
                    access = Access((path.thread, event.index), event.address, event.value)
                    (self.loads if event.kind == "R" else self.stores).append(access)

    def constants(self) -> dict[int, int]:
        """The values of the constant terms."""
        pairs = ((term, self.terms.value(term)) for term in self.all_terms)
        return {term: value for term, value in pairs if value is not None}

    def candidates(self, load: Access) -> list[Access]:
        """The stores that `load` may read as far as constant addresses tell."""
        address = self.terms.value(load.address)
        if address is None:
            return list(self.stores)
        return [s for s in self.stores if self.terms.value(s.address) in (address, None)]

    def propagate(self, values: dict[int, int], sources: dict[int, int]) -> bool:
        """Adds to `values` all that follows when the load terms in `sources` equal those given.
        Whether all are known."""
        pending = [term for term in self.all_terms if term not in values]
        step = self.terms.step
        while pending:
            unknown = []
            for term in pending:
                source = sources.get(term)
                value = step(term, values) if source is None else values.get(source)
                if value is None:
                    unknown.append(term)
                else:
                    values[term] = value
            if len(unknown) == len(pending):
                return False
            pending = unknown
        return True

    def possible(self, values: dict[int, int], sources: Sequence[Access]) -> bool:
        """Whether no known value contradicts a path or a choice of source."""
        for term, truth in self.conditions:
            value = values.get(term)
            if value is not None and (value != 0) != truth:
                return False
        for term, good in self.addresses:
            value = values.get(term)
            if value is not None and (value in self.locations) != good:
                return False
        for load, source in zip(self.loads, sources, strict=False):
            here, there = values.get(load.address), values.get(source.address)
            if here is not None and there is not None and here != there:
                return False
        return True

    def solutions(
        self, limits: Limits, hopeless: Callable[[Sequence[Access], Mapping[int, int]], bool]
    ) -> Iterator[Solution]:
        """Every choice of sources that the values permit, circles included; except where the first
        loads' sources, and the values that they give, are `hopeless`."""
        values: dict[int, int] = {}
        known = self.propagate(values, {})
        if not self.possible(values, ()):
            return
        if not self.loads:
            yield Solution((), values, not known)
            return
        candidates = [self.candidates(load) for load in self.loads]
        chosen: list[Access] = []
        # One frame a load that has or gets its source: what is left to try, and the values before
        # it has one.
        frames = [(iter(candidates[0]), values)]
        while frames:
            left, before = frames[-1]
            depth = len(frames) - 1
            del chosen[depth:]
            source = next(left, None)
            if source is None:
                frames.pop()
                continue
            limits.check_time()
            chosen.append(source)
            values = dict(before)
            given = {
                load.value: chosen_source.value
                for load, chosen_source in zip(self.loads, chosen, strict=False)
            }
            known = self.propagate(values, given)
            if not self.possible(values, chosen):
                continue
            if depth + 1 == len(self.loads):
                yield Solution(tuple(chosen), values, not known)
            elif not hopeless(chosen, values):
                frames.append((iter(candidates[depth + 1]), values))
