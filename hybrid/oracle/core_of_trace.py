"""Reasons for whole traces from an unsat core: which reads-from and coherence pairs, none of them
dispensable, break which axiom.

The trace's events and dependencies are facts, its rf and co assumptions, each axiom stands under an
assumption of its own. The solver decides and the core says what is needed; only the labels of the
edges come from the graphs.
"""

from __future__ import annotations

from hybrid.encoding.clauses import TRUE
from hybrid.encoding.logic import Logic
from hybrid.encoding.model import Flags, encode_model
from hybrid.encoding.sat_logic import SatLogic
from hybrid.errors import InternalError
from hybrid.execution.trace import EventId, TraceData
from hybrid.model import core
from hybrid.oracle.core_reason import core_reason
from hybrid.oracle.of_trace import TracedExecution
from hybrid.oracle.reason import Reason

Pairs = dict[tuple[EventId, EventId], int]


def explain_by_core(
    data: TraceData, model: core.Model, logic: Logic | None = None
) -> Reason | None:
    """Why the trace is refused, by a solver (a SAT solver unless `logic` is given); None when it is
    allowed."""
    logic = logic or SatLogic()
    events = [event.id for event in data.events]
    relations = _facts(data)
    chosen = {"rf": _reads_from(data), "co": _coherence(data)}
    for name, pairs in chosen.items():
        relations[name] = {pair: logic.variable((name, pair)) for pair in pairs}
    encoded = encode_model(model, logic, events, _sets(data), relations, Flags.NONE)
    assumptions = [x for name in chosen for x in relations[name].values()]
    if logic.solve([*encoded.axioms.values(), *assumptions]):
        return None
    needed = set(logic.small_core([*encoded.axioms.values(), *assumptions]))
    axioms = [a for a in model.constraints if encoded.axioms[a.name] in needed]
    execution = TracedExecution(data)
    everyone = [execution.number(event) for event in events]

    def numbers(name: str, within: set[int] | None) -> list[tuple[int, int]]:
        return [
            (execution.number(a), execution.number(b))
            for (a, b), literal in relations[name].items()
            if within is None or literal in within
        ]

    # In a model that is not monotone a pair can matter by being there no longer: then all of them
    # are shown.
    for within in (needed, None):
        try:
            return core_reason(
                model, axioms, execution, everyone, numbers("rf", within), numbers("co", within)
            )
        except InternalError:
            if within is None:
                raise
    return None


def _sets(data: TraceData) -> dict[str, dict[EventId, int]]:
    sets: dict[str, dict[EventId, int]] = {}
    for event in data.events:
        names = {event.kind, *event.tags} | ({"IW"} if event.thread < 0 else set())
        for name in names:
            sets.setdefault(name, {})[event.id] = TRUE
    return sets


def _facts(data: TraceData) -> dict[str, Pairs]:
    relations: dict[str, Pairs] = {
        name: dict.fromkeys(pairs, TRUE)
        for name, pairs in (
            ("addr", data.addr),
            ("data", data.data),
            ("ctrl", data.ctrl),
            ("pick", data.pick),
            ("amo", data.amo),
            ("lxsx", data.lxsx),
        )
    }
    for name in ("po", "int", "ext", "loc"):
        relations[name] = {}
    for a in data.events:
        for b in data.events:
            pair = (a.id, b.id)
            relations["int" if a.thread == b.thread else "ext"][pair] = TRUE
            if a.thread == b.thread >= 0 and a.id < b.id:
                relations["po"][pair] = TRUE
            if a.address is not None and a.address == b.address:
                relations["loc"][pair] = TRUE
    return relations


def _reads_from(data: TraceData) -> list[tuple[EventId, EventId]]:
    return [(source, load) for load, source in sorted(data.rf.items())]


def _coherence(data: TraceData) -> list[tuple[EventId, EventId]]:
    pairs: list[tuple[EventId, EventId]] = []
    for i, location in enumerate(data.program.locations):
        order: list[EventId] = [(-1, i), *data.co.get(location.address, ())]
        pairs += [(a, b) for at, a in enumerate(order) for b in order[at + 1 :]]
    return pairs
