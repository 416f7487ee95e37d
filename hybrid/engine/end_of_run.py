"""The end of a run: what is counted and shown when an explorer can add nothing more to its
execution."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final

from hybrid.engine.api import Counters
from hybrid.errors import InputError, InternalError
from hybrid.execution.execution import Execution
from hybrid.execution.numbering import Numbering
from hybrid.execution.snapshot import Snapshot
from hybrid.execution.step import BRANCH, End, Step
from hybrid.execution.trace import Status, Trace, Wait, wait_at
from hybrid.model.core import RACE, Model
from hybrid.model.reach import base_names
from hybrid.oracle.api import Oracle
from hybrid.program.condition import LocationTerm
from hybrid.program.instructions import Assume, Load, Rmw
from hybrid.program.program import Program

# looked up once: that takes long
_COMPLETE: Final = Status.COMPLETE
_BLOCKED: Final = Status.BLOCKED
_WAITING: Final = Status.WAITING
_CUT: Final = Status.CUT


def end_of_run(
    execution: Execution,
    oracle: Oracle,
    counters: Counters,
    has_flags: bool,
    by_source: bool = False,
) -> Sequence[Trace]:
    """Counts the trace, and shows it unless it is blocked, nothing in it is wrong (`_tells`) and it
    is not one that waits for ever. With `by_source` the explorer comes to such a run
    once for each store that an await might read: it counts where each await has the co-last one."""
    if not oracle.settled(execution):
        counters.stuck += 1
        return ()
    status = execution.status()
    if status is _BLOCKED and execution.unfolding.has_awaits:
        last = [order[-1] for order in execution.co]
        waiting = waiting_threads(execution, last)
        if waiting and by_source and not _at_its_sources(execution, last):
            counters.blocked += 1
            return ()
        if waiting:
            status = count_waiting(execution, waiting, counters)
            flags = oracle.flags() if has_flags else ()
            return (Snapshot(execution, status, flags, None, None, waiting),)
    count_run(status, counters)
    flags = oracle.flags() if has_flags else ()
    trace = Snapshot(execution, status, flags)
    return (trace,) if is_shown(trace, execution.unfolding.program) else ()


def end_of_class(
    execution: Execution,
    oracle: Oracle,
    counters: Counters,
    has_flags: bool,
    observed: Sequence[int],
    by_source: bool = False,
) -> Sequence[Trace]:
    """The same for a reads-from class: each choice of co-last stores at the observed locations that
    some coherence order allows, with that order. A class that waits for ever is one, whatever
    stores come last."""
    if not oracle.settled(execution):
        counters.stuck += 1
        return ()
    status = execution.status()
    if status is _BLOCKED and execution.unfolding.has_awaits:
        shown = _waiting_class(execution, oracle, counters, has_flags, by_source)
        if shown is not None:
            return shown
    found: list[Trace] = []
    chosen: list[dict[int, int]] = [{}]
    if status is _COMPLETE:
        for location in observed:
            stores = execution.co[location]
            candidates = stores[1:] or stores
            chosen = [{**last, location: store} for last in chosen for store in candidates]
            chosen = [last for last in chosen if oracle.witness(last) is not None]
    for last in chosen:
        orders = oracle.witness(last)
        if orders is None:
            raise InternalError("a run that was allowed has no coherence order")
        flags = oracle.flags_of(orders) if has_flags else ()
        trace = Snapshot(execution, status, flags, orders, tuple(observed))
        count_run(status, counters)
        if is_shown(trace, execution.unfolding.program):
            found.append(trace)
    return found


def check_classes(program: Program, model: Model) -> None:
    """Raises an InputError when one coherence order per reads-from class does not show whether
    there is a race, or whether freed memory is written: which is a race where the model has
    races."""
    if program.freed_by and not model.races:
        raise InputError(
            f"whether {program.name} writes to memory that it has freed depends on coherence, of "
            "which a reads-from class shows one order only",
            hint="Use --equivalence trace.",
        )
    for flag in model.races:
        if base_names(model, (flag.expr,)) & {"co", "FW"}:
            raise InputError(
                f"the flag {flag.name} of {model.name} depends on coherence, of which a reads-from "
                "class shows one order only",
                flag.span,
                hint="Use --equivalence trace.",
            )


def is_shown(trace: Trace, program: Program) -> bool:
    """Whether a run is shown: a blocked one is when an assert fails, accesses race or freed memory
    is written in it."""
    if trace.status is not _BLOCKED or trace.failed or RACE in trace.flags:
        return True
    return bool(program.freed_by) and bool(trace.late_stores())


def _at_its_sources(execution: Execution, last: Sequence[int]) -> bool:
    """Whether each await is noted as reading from the co-last store."""
    return all(
        execution.source[step.event] == last[execution.location[step.event]]
        for step in execution.waits()
        if step.kind != BRANCH
    )


def waiting_threads(execution: Execution, last: Sequence[int]) -> tuple[Wait, ...]:
    """The threads that wait for ever in a blocked run with these co-last stores, by location (-1:
    not asked); none unless each thread that has not come to its end does. Every store reaches every
    thread in the end, so what counts is whether the await would accept the co-last store, and
    whether the co-last stores still hold what else its loop has read.
    """
    found: list[tuple[Step, int | None]] = []
    for step in execution.waits():
        if not execution.holds(step.rereads, last):
            return ()
        address: int | None = None
        if step.kind != BRANCH:
            location = execution.location[step.event]
            store = last[location]
            if store < 0 or step.guards[0].accepts(execution.stored[store], execution.result):
                return ()
            address = execution.numbering.locations[location].address
        found.append((step, address))
    return tuple(_wait(execution, step, address) for step, address in found)


def count_waiting(execution: Execution, waiting: tuple[Wait, ...], counters: Counters) -> Status:
    """Counts a run in which these threads wait for ever: a complete one if the program is over."""
    end = execution.unfolding.program.end
    if end is not None:
        threads = [wait.thread for wait in waiting]
        ended = [
            each.registers
            for thread, each in enumerate(execution.next)
            if isinstance(each, End) and thread not in threads
        ]
        exits, returns = (
            any(name in each and each[name].bound.evaluate(execution.result) for each in ended)
            for name in (end.exits, end.returns)
        )
        if end.is_over(exits, returns, threads):
            counters.complete += 1
            return _COMPLETE
    counters.count_waiting(waiting)
    return _WAITING


def _wait(execution: Execution, step: Step, address: int | None) -> Wait:
    instruction = step.instruction
    assert isinstance(instruction, Load | Rmw | Assume)
    registers = step.before.registers
    held = {
        name: registers[name].bound.evaluate(execution.result) if name in registers else 0
        for name in instruction.uses
    }
    return wait_at(step.thread, instruction, address, held)


def may_wait_for_ever(execution: Execution, classes: bool) -> bool:
    """Whether the run as it is, with all events but those of waiting threads, may be one that waits
    for ever; of a reads-from class, going by values alone."""
    if not classes:
        last = [order[-1] for order in execution.co]
        return bool(waiting_threads(execution, last))
    waits = execution.waits()
    return bool(waits) and all(
        _could_be_last(execution, waits, place) for place in _read_in_vain(execution, waits)
    )


def _read_in_vain(execution: Execution, waits: Sequence[Step]) -> list[int]:
    """The locations on which it depends whether the threads wait for ever, ascending."""
    found = {execution.location[step.event] for step in waits if step.kind != BRANCH}
    for step in waits:
        for address, _ in step.rereads:
            found.add(execution.numbering.number_of(address.evaluate(execution.result)))
    return sorted(found - {-1})


def _last_where_waiting(execution: Execution, oracle: Oracle, waits: Sequence[Step]) -> list[int]:
    """By location on which it depends, a co-last store that keeps the threads waiting, elsewhere
    -1: the first choice, in order of the events, that some coherence order allows. Empty: there is
    no such, or no thread waits."""
    if not waits:
        return []
    locations = _read_in_vain(execution, waits)
    candidates = [_could_be_last(execution, waits, location) for location in locations]
    for stores in product(*candidates):
        chosen = dict(zip(locations, stores, strict=True))
        if oracle.witness(chosen) is not None:
            return [chosen.get(location, -1) for location in range(len(execution.co))]
    return []


def _could_be_last(execution: Execution, waits: Sequence[Step], location: int) -> list[int]:
    """The stores that can come last at a location and keep all threads waiting."""
    stores, stored, result = execution.co[location], execution.stored, execution.result
    found = sorted(stores[1:] or stores)
    for step in waits:
        if step.kind != BRANCH and execution.location[step.event] == location:
            found = [s for s in found if not step.guards[0].accepts(stored[s], result)]
        for address, value in step.rereads:
            if execution.numbering.number_of(address.evaluate(result)) == location:
                held = value.evaluate(result)
                found = [s for s in found if stored[s] == held]
    return found


def _waiting_class(
    execution: Execution, oracle: Oracle, counters: Counters, has_flags: bool, by_source: bool
) -> Sequence[Trace] | None:
    """A blocked class as one that waits for ever; None if no coherence order makes it so."""
    last = _last_where_waiting(execution, oracle, execution.waits())
    waiting = waiting_threads(execution, last) if last else ()
    if not waiting:
        return None
    if by_source and not _at_its_sources(execution, last):
        counters.blocked += 1
        return ()
    orders = oracle.witness({place: store for place, store in enumerate(last) if store >= 0})
    if orders is None:
        raise InternalError("a run that was allowed has no coherence order")
    status = count_waiting(execution, waiting, counters)
    flags = oracle.flags_of(orders) if has_flags else ()
    return (Snapshot(execution, status, flags, orders, (), waiting),)


def observed_locations(program: Program, numbering: Numbering) -> tuple[int, ...]:
    """The numbered locations whose final values outcomes show."""
    addresses = {term.address for term in program.asked if isinstance(term, LocationTerm)}
    return tuple(i for i, loc in enumerate(numbering.locations) if loc.address in addresses)


def count_run(status: Status, counters: Counters) -> None:
    if status is _COMPLETE:
        counters.complete += 1
    elif status is _BLOCKED:
        counters.blocked += 1
    elif status is _CUT:
        counters.cut += 1
    else:
        counters.errors += 1
