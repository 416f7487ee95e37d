"""Checking a single trace, independent of how it was found: from its key (rf and co) alone, or
spelled out.

`check_key` runs the threads again and again, each time with what the stores of the last round have
written, until nothing new is known. Where a branch still waits for its condition, both ways are
tried. Then everything is compared with the key, and the axioms are judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hybrid.engine.api import Limits
from hybrid.engine.enumerate.evaluate import Evaluation, base_values, plan_for
from hybrid.engine.enumerate.rerun import Given, ThreadRun, rerun
from hybrid.execution.trace import Event, EventId, Key, Status, TraceData, Wait, wait_at
from hybrid.model.core import Model
from hybrid.program.expr import evaluate
from hybrid.program.instructions import Assume, Load, Rmw
from hybrid.program.loops import loops_of
from hybrid.program.program import Program


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a trace is not one of the program under the model."""

    reason: str
    axiom: str | None = None  # the name of the axiom that it breaks
    cycle: tuple[EventId, ...] = ()  # of an axiom: a cycle, or the event or pair at fault


def check_key(program: Program, model: Model, key: Key, limits: Limits) -> TraceData | Refusal:
    """The trace of `program` with this key, or why there is none that `model` allows.

    Threads may stop short of their end only where another one erred or was cut.
    """
    data = _execute(program, key, limits)
    if isinstance(data, Refusal):
        return data
    evaluation = _evaluation(data, model)
    broken = _broken(data, evaluation)
    if broken is not None:
        return broken
    ids = [event.id for event in data.events]
    races = {(min(ids[a], ids[b]), max(ids[a], ids[b])) for a, b in evaluation.racing()}
    return replace(data, flags=evaluation.raised(), races=tuple(sorted(races)))


def judge(data: TraceData, model: Model) -> Refusal | None:
    """Which axiom of `model` a spelled-out trace breaks, if any."""
    return _broken(data, _evaluation(data, model))


def _broken(data: TraceData, evaluation: Evaluation) -> Refusal | None:
    for number, (axiom, _) in enumerate(evaluation.plan.axioms):
        if not axiom.flag and not evaluation.satisfied(number):
            cycle = tuple(data.events[i].id for i in evaluation.offence(number))
            return Refusal(f"the axiom {axiom.name} forbids it", axiom.name, cycle)
    return None


def _evaluation(data: TraceData, model: Model) -> Evaluation:
    ids = [event.id for event in data.events]
    position = {event: i for i, event in enumerate(ids)}
    pairs = {
        "addr": data.addr,
        "data": data.data,
        "ctrl": data.ctrl,
        "pick": data.pick,
        "amo": data.amo,
        "lxsx": data.lxsx,
    }
    kinds = [event.kind for event in data.events]
    tags = [event.tags for event in data.events]
    evaluation = Evaluation(plan_for(model, True), len(ids), base_values(ids, kinds, tags, pairs))
    evaluation.set_addresses([event.address for event in data.events])
    rf = [0] * len(ids)
    for load, source in data.rf.items():
        rf[position[source]] |= 1 << position[load]
    evaluation.set_rf(rf)
    co, last = [0] * len(ids), 0
    for i, place in enumerate(data.program.locations):
        order = [(-1, i), *data.co.get(place.address, ())]
        last |= 1 << position[order[-1]]
        for rank, store in enumerate(order):
            for later in order[rank + 1 :]:
                co[position[store]] |= 1 << position[later]
    evaluation.set_co(co, last)
    return evaluation


def _execute(program: Program, key: Key, limits: Limits) -> TraceData | Refusal:
    rf = dict(key[0])
    co = dict(key[1])
    placed = [store for stores in co.values() for store in stores]
    if len(rf) != len(key[0]) or len(co) != len(key[1]) or len(set(placed)) != len(placed):
        return Refusal("the key names an event twice")
    for address in co:
        if address not in program.by_address:
            return Refusal(f"the key has stores to {address}, which is not a location")
    stores = {*placed, *((-1, i) for i in range(len(program.locations)))}
    for load, source in rf.items():
        if source not in stores:
            return Refusal(f"the load {load} reads from {source}, which is not a store of the key")
    refusal = Refusal("no run of the program has this key")
    loops = [loops_of(thread.code) for thread in program.threads]
    pending: list[dict[EventId, bool]] = [{}]  # guesses to try
    first = True
    while pending:
        guesses = pending.pop()
        bounds = limits.unroll, limits.max_steps
        given = Given(program, *bounds, frozenset(rf), frozenset(placed), {}, guesses, loops)
        runs = _settle(given, rf)
        undecided = next((r.undecided for r in runs if r.undecided is not None), None)
        outcome: TraceData | Refusal
        if wrong := next((run.wrong for run in runs if run.wrong), ""):
            outcome = Refusal(wrong)
        elif undecided is not None:
            pending.append({**guesses, undecided: False})
            pending.append({**guesses, undecided: True})
            continue
        else:
            outcome = _compare(program, rf, co, runs)
        if isinstance(outcome, TraceData):
            return outcome
        if first:
            refusal, first = outcome, False
    return refusal


def _settle(given: Given, rf: Mapping[EventId, EventId]) -> list[ThreadRun]:
    """Runs all threads until no load learns a value any more."""
    program = given.program
    written = {(-1, i): place.initial for i, place in enumerate(program.locations)}
    while True:
        runs = [rerun(given, thread) for thread in range(len(program.threads))]
        for run in runs:
            for event in run.events:
                if event.kind == "W" and event.value is not None:
                    written.setdefault(event.id, event.value)
        read = {load: written[source] for load, source in rf.items() if source in written}
        if len(read) == len(given.read):
            return runs
        given = replace(given, read=read)


def _compare(
    program: Program,
    rf: Mapping[EventId, EventId],
    co: Mapping[int, tuple[EventId, ...]],
    runs: Sequence[ThreadRun],
) -> TraceData | Refusal:
    """The trace that the runs make up, if it is the key's."""
    status = _status(runs)
    missing = next((run.missing for run in runs if run.missing), "")
    if missing and status not in (Status.ERROR, Status.CUT):
        return Refusal(missing)
    events = {
        (-1, i): Event(
            (-1, i), "W", f"init {place.name}", place.address, place.initial, frozenset()
        )
        for i, place in enumerate(program.locations)
    }
    for run in runs:
        events.update((event.id, event) for event in run.events)
    wrong = _not_happening(rf, co, events)
    if not wrong and any(run.unknown for run in runs):
        wrong = "its values depend on themselves in a circle"
    wrong = wrong or _at_odds(rf, co, events)
    if wrong:
        return Refusal(wrong)
    memory = {place.address: place.initial for place in program.locations}
    for address, stores in co.items():
        if stores:
            memory[address] = events[stores[-1]].value or 0
    waiting = _waiting(runs, memory) if status is Status.BLOCKED else ()
    edges = {
        name: frozenset(edge for run in runs for edge in run.edges[name])
        for name in ("addr", "data", "ctrl", "pick", "amo", "lxsx")
    }
    return TraceData(
        program=program,
        events=tuple(events[event] for event in sorted(events)),
        rf=dict(rf),
        co={place.address: tuple(co.get(place.address, ())) for place in program.locations},
        addr=edges["addr"],
        data=edges["data"],
        ctrl=edges["ctrl"],
        pick=edges["pick"],
        amo=edges["amo"],
        lxsx=edges["lxsx"],
        registers=tuple({n: value or 0 for n, value in run.registers.items()} for run in runs),
        memory=memory,
        failed=_failed(program, runs),
        status=_status_waiting(program, runs, waiting) if waiting else status,
        error="; ".join(run.error for run in runs if run.error),
        cut=tuple(r.cut for r in runs if r.cut is not None and status is Status.CUT),
        waiting=waiting,
        strays=tuple(run.stray for run in runs if run.stray is not None),
    )


def _not_happening(
    rf: Mapping[EventId, EventId],
    co: Mapping[int, tuple[EventId, ...]],
    events: Mapping[EventId, Event],
) -> str:
    """Which event of the key the runs do not have, in words."""
    for load in rf:
        if load not in events or events[load].kind != "R":
            return f"the key has a load {load} that does not happen"
    for stores in co.values():
        for store in stores:
            if store not in events or events[store].kind != "W":
                return f"the key has a store {store} that does not happen"
    return ""


def _at_odds(
    rf: Mapping[EventId, EventId],
    co: Mapping[int, tuple[EventId, ...]],
    events: Mapping[EventId, Event],
) -> str:
    """Where the key does not fit the addresses and values of the runs, in words."""
    for load, source in rf.items():
        if events[load].address != events[source].address:
            return f"the load {load} reads from a store to another location"
        if events[load].value != events[source].value:
            return f"the load {load} does not read what its source writes"
    for address, stores in co.items():
        for store in stores:
            if events[store].address != address or store[0] < 0:
                return f"the store {store} is in the coherence order of another location"
    return ""


def _failed(program: Program, runs: Sequence[ThreadRun]) -> tuple[str, ...]:
    """The labels of the asserts that do not hold, in the order of the program."""
    return tuple(
        instruction.label
        for thread, run in zip(program.threads, runs, strict=True)
        for instruction in thread.code
        if instruction.label in run.failed
    )


def _waiting(runs: Sequence[ThreadRun], memory: Mapping[int, int]) -> tuple[Wait, ...]:
    """The threads that wait for ever. None do if some other thread stopped elsewhere than at its
    end, or if what memory holds in the end lets one of them go on."""
    found: list[Wait] = []
    for thread, run in enumerate(runs):
        if run.status is Status.COMPLETE:
            continue
        if run.stops_at is None:
            return ()
        instruction, address = run.stops_at
        held = {name: run.registers.get(name, 0) for name in instruction.uses}
        known = {name: value for name, value in held.items() if value is not None}
        if len(known) < len(held) or not _stays(instruction, address, known, memory):
            return ()
        found.append(wait_at(thread, instruction, address, known))
    return tuple(found)


def _stays(
    instruction: Load | Rmw | Assume,
    address: int | None,
    held: Mapping[str, int],
    memory: Mapping[int, int],
) -> bool:
    """Whether what memory holds in the end keeps a thread there."""
    guard = instruction.awaits
    if guard is not None and (address is None or guard.accepts(memory[address], held)):
        return False
    return all(
        memory.get(evaluate(each.address, held)) == evaluate(each.value, held)
        for each in instruction.rereads
    )


def _status_waiting(
    program: Program, runs: Sequence[ThreadRun], waiting: tuple[Wait, ...]
) -> Status:
    """How a run ends in which these threads wait for ever."""
    end = program.end
    if end is None:
        return Status.WAITING
    ended = [run.registers for run in runs if run.status is Status.COMPLETE]
    exits, returns = (any(each.get(name) for each in ended) for name in (end.exits, end.returns))
    over = end.is_over(exits, returns, [wait.thread for wait in waiting])
    return Status.COMPLETE if over else Status.WAITING


def _status(runs: Sequence[ThreadRun]) -> Status:
    endings = {run.status for run in runs}
    for status in (Status.ERROR, Status.CUT, Status.BLOCKED):
        if status in endings:
            return status
    return Status.COMPLETE
