"""What is known of the events that an execution has fetched, as sets of events and of pairs."""

from __future__ import annotations

from naive_relations import World, identity

from hybrid.execution.bits import members
from hybrid.execution.execution import Execution
from hybrid.execution.step import CHOICE, CONDITIONAL, RMW, Step

SETS = ["_", "R", "W", "M", "F", "B", "IW", "sync", "sc"]
DEPENDENCIES = ["addr", "data", "ctrl", "pick"]


def step_of(execution: Execution, event: int) -> Step | None:
    return execution.steps[event]


def events_of(execution: Execution) -> list[int]:
    """The fetched events, the stores of read-modify-writes included; choices are not events."""
    found: set[int] = set()
    for event in members(execution.fetched):
        step = step_of(execution, event)
        if step is None or step.kind != CHOICE:
            found.add(event)
            if step is not None and step.second >= 0:
                found.add(step.second)
    return sorted(found)


def thread_of(execution: Execution, event: int) -> int:
    step = step_of(execution, event)
    return -1 if step is None else step.thread


def kind_of(execution: Execution, event: int) -> str:
    step = step_of(execution, event)
    if step is None or event == step.second:
        return "W"
    return "RWRWFB"[step.kind]


def tags_of(execution: Execution, event: int) -> frozenset[str]:
    step = step_of(execution, event)
    return frozenset() if step is None else step.tags


def location_of(execution: Execution, event: int) -> int | None:
    """None for a fence, a branch, or an access whose address is not known."""
    step = step_of(execution, event)
    access = event if step is None else step.event
    return execution.location[access] if execution.resolved >> access & 1 else None


def dependencies_of(execution: Execution, event: int) -> dict[str, set[int]]:
    """By name: the loads on which an event depends."""
    step = step_of(execution, event)
    if step is None:
        return {name: set() for name in DEPENDENCIES}
    depends = step.second_depends if event == step.second else step.depends
    return {name: set(members(getattr(depends, name))) for name in DEPENDENCIES}


def world_of(execution: Execution) -> World:
    """All events count, committed or not. Program order and threads are taken from the numbers of
    the events and from their steps, nothing from the tables of the oracles."""
    events = events_of(execution)
    threads = {e: thread_of(execution, e) for e in events}
    kinds = {e: kind_of(execution, e) for e in events}
    sets = {name: {e for e in events if name in tags_of(execution, e)} for name in SETS}
    for kind in "RWFB":
        sets[kind] = {e for e in events if kinds[e] == kind}
    sets |= {"_": set(events), "M": sets["R"] | sets["W"]}
    sets["IW"] = {e for e in events if threads[e] < 0}
    every = {(a, b) for a in events for b in events}
    relations = {
        "id": identity(events),
        "po": {(a, b) for a, b in every if threads[a] == threads[b] >= 0 and a < b},
        "int": {(a, b) for a, b in every if threads[a] == threads[b]},
        "ext": {(a, b) for a, b in every if threads[a] != threads[b]},
        "loc": {
            (a, b)
            for a, b in every
            if location_of(execution, a) == location_of(execution, b) is not None
        },
        "amo": set(),
        "lxsx": set(),
    }
    for name in DEPENDENCIES:
        relations[name] = {(a, b) for b in events for a in dependencies_of(execution, b)[name]}
    for event in events:
        step = step_of(execution, event)
        if step is not None and step.kind == RMW and event == step.second:
            relations["amo"].add((step.event, event))
        if step is not None and step.kind == CONDITIONAL and step.reserve is not None:
            relations["amo" if step.amo else "lxsx"].add((step.reserve.event, event))
    return World(events, sets, relations)
