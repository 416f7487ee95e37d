"""The end of a run: what is counted and shown when an explorer can add nothing more to its execution."""

from __future__ import annotations

from collections.abc import Sequence

from hybrid.engine.api import Counters
from hybrid.errors import InternalError
from hybrid.execution.execution import Execution
from hybrid.execution.snapshot import Snapshot
from hybrid.execution.trace import Status, Trace
from hybrid.oracle.api import Oracle, RfOracle
from hybrid.program.condition import LocationTerm
from hybrid.program.program import Program


def end_of_run(
    execution: Execution, oracle: Oracle, counters: Counters, has_flags: bool
) -> Sequence[Trace]:
    """Counts the trace, and shows it unless it is blocked and no assert fails in it."""
    if not oracle.settled(execution):
        counters.stuck += 1
        return ()
    status = execution.status()
    _count(status, counters)
    if status is Status.BLOCKED:
        trace = Snapshot(execution, status, ())
        return (trace,) if trace.failed else ()
    flags = oracle.flags() if has_flags else ()
    return (Snapshot(execution, status, flags),)


def end_of_class(
    execution: Execution,
    oracle: RfOracle,
    counters: Counters,
    has_flags: bool,
    observed: Sequence[int],
) -> Sequence[Trace]:
    """The same for a reads-from class: each choice of co-last stores at the observed locations that some coherence order
    allows, with that order."""
    if not oracle.settled(execution):
        counters.stuck += 1
        return ()
    status = execution.status()
    found: list[Trace] = []
    chosen: list[dict[int, int]] = [{}]
    if status is Status.COMPLETE:
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
        _count(status, counters)
        if status is not Status.BLOCKED or trace.failed:
            found.append(trace)
    return found


def observed_locations(program: Program) -> tuple[int, ...]:
    """The locations whose final values outcomes show."""
    addresses = {term.address for term in program.asked if isinstance(term, LocationTerm)}
    return tuple(i for i, loc in enumerate(program.locations) if loc.address in addresses)


def _count(status: Status, counters: Counters) -> None:
    if status is Status.COMPLETE:
        counters.complete += 1
    elif status is Status.BLOCKED:
        counters.blocked += 1
    elif status is Status.CUT:
        counters.cut += 1
    else:
        counters.errors += 1
