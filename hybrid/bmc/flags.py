"""Which flags a single run raises: the model's encoding over its events, with everything known.

A formula in which a flag is true exactly when it is raised can cost more than all the rest. So a
formula only tells which runs may raise it, and the runs are judged one by one.
"""

from __future__ import annotations

from dataclasses import replace

from hybrid.encoding.alternatives import Item
from hybrid.encoding.clauses import TRUE
from hybrid.encoding.logic import Logic
from hybrid.encoding.model import encode_model
from hybrid.errors import InternalError
from hybrid.execution.trace import TraceData
from hybrid.model.core import Model


def raised(data: TraceData, model: Model, logic: Logic) -> tuple[str, ...]:
    """The names of the flags of `model` that the run raises; `logic` is one without other
    clauses."""
    if not model.flags:
        return ()
    sets: dict[str, dict[Item, int]] = {}
    for event in data.events:
        for name in (event.kind, *event.tags, *(("IW",) if event.thread < 0 else ())):
            sets.setdefault(name, {})[event.id] = TRUE
    relations: dict[str, dict[Item, int]] = {
        name: dict.fromkeys(pairs, TRUE)
        for name, pairs in (
            ("addr", data.addr),
            ("data", data.data),
            ("ctrl", data.ctrl),
            ("pick", data.pick),
            ("amo", data.amo),
            ("lxsx", data.lxsx),
            ("rf", [(source, load) for load, source in data.rf.items()]),
            ("co", _coherence(data)),
        )
    }
    for name in ("po", "int", "ext", "loc"):
        relations[name] = {}
    for a in data.events:
        for b in data.events:
            pair = (a.id, b.id)
            inside = a.thread == b.thread
            relations["int" if inside else "ext"][pair] = TRUE
            if inside and a.thread >= 0 and a.id < b.id:
                relations["po"][pair] = TRUE
            if a.address is not None and a.address == b.address:
                relations["loc"][pair] = TRUE
    bare = replace(model, axioms=model.flags)
    events = [event.id for event in data.events]
    found = encode_model(bare, logic, events, sets, relations).flags
    if any(abs(literal) != TRUE for literal in found.values()):
        raise InternalError("a flag of a whole run is left open")
    return tuple(name for name, literal in found.items() if literal == TRUE)


def _coherence(data: TraceData) -> list[Item]:
    found: list[Item] = []
    for i, location in enumerate(data.program.locations):
        order = [(-1, i), *data.co[location.address]]
        found += [(a, b) for place, a in enumerate(order) for b in order[place + 1 :]]
    return found
