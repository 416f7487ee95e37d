"""The base sets and relations of a model as maps to literals: those that the caller gives, and
those that are made of them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from hybrid.encoding.alternatives import Item, Map
from hybrid.encoding.clauses import FALSE, TRUE, Clauses
from hybrid.encoding.folding import certain_paths
from hybrid.errors import InternalError
from hybrid.model import core

Event = Any  # whatever names an event; hashable

_REQUIRED = frozenset(
    {"po", "rf", "co", "loc", "int", "ext", "addr", "data", "ctrl", "pick", "amo", "lxsx"}
)


class BaseMaps:
    """`id` and `rmw` are made here when they are missing, as are the sets `_` (all events), `M`,
    `RMW` and `FW`; other sets that are missing are empty."""

    def __init__(
        self,
        logic: Clauses,
        events: Sequence[Event],
        sets: Mapping[str, Mapping[Event, int]],
        relations: Mapping[str, Mapping[tuple[Event, Event], int]],
    ) -> None:
        self._logic = logic
        self._events = events
        self._sets = sets
        self._relations = relations
        # the part of program order that is there whatever the solution, closed
        order = certain_paths({**relations.get("po", {})})
        self.order: Map = {} if any(a == b for a, b in order) else order

    def of(self, base: core.Base) -> Map:
        if base.kind is core.Kind.SET:
            return self.set_of(base.name)
        if base.name in self._relations:
            return {key: x for key, x in self._relations[base.name].items() if x != FALSE}
        if base.name == "id":
            return self.identity()
        if base.name == "rmw":
            return self._rmw()
        if base.name in _REQUIRED:
            raise InternalError(f"the relation {base.name} was not given")
        raise InternalError(f"the base relation {base.name} is unknown")

    def set_of(self, name: str) -> Map:
        if name in self._sets:
            return {key: x for key, x in self._sets[name].items() if x != FALSE}
        if name == "_":
            return dict.fromkeys(self._events, TRUE)
        if name == "M":
            return self._either(self.set_of("R"), self.set_of("W"))
        if name == "RMW":
            return self._in_rmw()
        if name == "FW":
            return self._final_writes()
        return {}

    def identity(self) -> Map:
        return {(a, a): x for a, x in self.set_of("_").items()}

    def _rmw(self) -> Map:
        return self._either(self._relations["amo"], self._relations["lxsx"])

    def _in_rmw(self) -> Map:
        ways: dict[Item, list[int]] = {}
        for pair, x in self._rmw().items():
            for event in pair:
                ways.setdefault(event, []).append(x)
        return {event: self._logic.disjunction(found) for event, found in ways.items()}

    def _final_writes(self) -> Map:
        followed: dict[Hashable, list[int]] = {}
        for (a, _), x in self._relations["co"].items():
            followed.setdefault(a, []).append(-x)
        return {
            a: self._logic.conjunction([x, *followed.get(a, [])])
            for a, x in self.set_of("W").items()
        }

    def _either(self, first: Mapping[Item, int], second: Mapping[Item, int]) -> Map:
        return {
            key: self._logic.disjunction([first.get(key, FALSE), second.get(key, FALSE)])
            for key in [*first, *second]
        }
