"""Spelled-out traces as base sets and relations of an encoding: rf and co, and some of the rest, as
variables."""

from __future__ import annotations

from dataclasses import dataclass

from hybrid.encoding.clauses import TRUE
from hybrid.encoding.logic import Logic
from hybrid.execution.trace import EventId, TraceData

Pair = tuple[EventId, EventId]


@dataclass
class Given:
    events: list[EventId]
    sets: dict[str, dict[EventId, int]]
    relations: dict[str, dict[Pair, int]]
    assumptions: list[int]  # which make the trace


def given(data: TraceData, logic: Logic, constants: bool) -> Given:
    """All rf and co that could be, and assumptions for those that are. Without `constants` po, loc
    and the dependencies are variables too, true by assumption."""
    events = [e.id for e in data.events]
    assumptions: list[int] = []

    def literal(name: str, pair: Pair) -> int:
        if constants:
            return TRUE
        x = logic.variable((name, *pair))
        assumptions.append(x)
        return x

    sets: dict[str, dict[EventId, int]] = {}
    for event in data.events:
        names = {event.kind, *event.tags, *(["IW"] if event.thread < 0 else [])}
        for name in names:
            sets.setdefault(name, {})[event.id] = TRUE
    co = {(store, other) for o in orders(data) for i, store in enumerate(o) for other in o[i + 1 :]}
    rf = {(source, load) for load, source in data.rf.items()}
    pairs: dict[str, list[Pair]] = {name: [] for name in ("po", "loc", "int", "ext", "rf", "co")}
    for a in data.events:
        for b in data.events:
            pair = (a.id, b.id)
            pairs["int" if a.thread == b.thread else "ext"].append(pair)
            if a.thread == b.thread >= 0 and a.id < b.id:
                pairs["po"].append(pair)
            if a.address is not None and a.address == b.address:
                pairs["loc"].append(pair)
                if a.kind == "W" and b.kind in "RW" and a.id != b.id:
                    pairs["rf" if b.kind == "R" else "co"].append(pair)
    pairs |= {
        "addr": sorted(data.addr),
        "data": sorted(data.data),
        "ctrl": sorted(data.ctrl),
        "amo": sorted(data.amo),
        "lxsx": sorted(data.lxsx),
    }
    relations: dict[str, dict[Pair, int]] = {}
    for name, found in pairs.items():
        if name in ("rf", "co"):
            relations[name] = {pair: logic.variable((name, *pair)) for pair in found}
            there = rf if name == "rf" else co
            assumptions += [x if pair in there else -x for pair, x in relations[name].items()]
        elif name in ("int", "ext"):
            relations[name] = dict.fromkeys(found, TRUE)
        else:
            relations[name] = {pair: literal(name, pair) for pair in found}
    return Given(events, sets, relations, assumptions)


def orders(data: TraceData) -> list[list[EventId]]:
    """The coherence orders, the initial write first."""
    return [
        [(-1, i), *data.co.get(location.address, ())]
        for i, location in enumerate(data.program.locations)
    ]
