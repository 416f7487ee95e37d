"""The end of a run: what is counted and shown when an explorer can add nothing more to its execution."""

from __future__ import annotations

from collections.abc import Sequence

from hybrid.engine.api import Counters
from hybrid.errors import InputError, InternalError
from hybrid.execution.execution import Execution
from hybrid.execution.snapshot import Snapshot
from hybrid.execution.trace import Status, Trace
from hybrid.model.core import RACE, Model
from hybrid.model.reach import base_names
from hybrid.oracle.api import Oracle, RfOracle
from hybrid.program.condition import LocationTerm
from hybrid.program.program import Program


def end_of_run(
    execution: Execution, oracle: Oracle, counters: Counters, has_flags: bool
) -> Sequence[Trace]:
    """Counts the trace, and shows it unless it is blocked and neither an assert fails nor a race shows in it."""
    if not oracle.settled(execution):
        counters.stuck += 1
        return ()
    status = execution.status()
    _count(status, counters)
    flags = oracle.flags() if has_flags else ()
    trace = Snapshot(execution, status, flags)
    return (trace,) if _tells(trace) else ()


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
        if _tells(trace):
            found.append(trace)
    return found


def check_classes(model: Model) -> None:
    """Raises an InputError when one coherence order per reads-from class does not show whether there is a race."""
    for flag in model.races:
        if base_names(model, (flag.expr,)) & {"co", "FW"}:
            raise InputError(
                f"the flag {flag.name} of {model.name} depends on coherence, of which a reads-from "
                "class shows one order only",
                flag.span,
                hint="Use --equivalence trace.",
            )


def _tells(trace: Trace) -> bool:
    """Whether a run is shown: a blocked one is when an assert fails or accesses race in it."""
    return trace.status is not Status.BLOCKED or bool(trace.failed) or RACE in trace.flags


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
