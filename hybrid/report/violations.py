"""What violates the claims of a program, each kind once for each place; and what is told beside.

What the witness shows comes first. A leak of memory violates nothing. An access of another size
than the cell's is nothing that hybrid can judge.
"""

from __future__ import annotations

from collections.abc import Iterable

from hybrid.engine.api import WITNESS
from hybrid.execution.trace import DataTrace, Trace, TraceData
from hybrid.execution.wait_text import DEADLOCK
from hybrid.printable import number_of
from hybrid.program.blocks import CompiledAddresses
from hybrid.program.condition import Quantifier, show_condition
from hybrid.program.expr import evaluate, registers
from hybrid.program.instructions import Access
from hybrid.program.origin import LEAK, MIXED_SIZES, size_of
from hybrid.program.program import Program
from hybrid.report.result import FORALL_BROKEN, NOT_EXISTS_BROKEN, Result
from hybrid.report.sightings import Sightings, Violation, site_of
from hybrid.verdict import Verdict
from hybrid.witness.faults import (
    Fault,
    faults_of,
    race_faults,
    span_place,
    stray_fault,
    waiting_fault,
)

CONDITION = "condition"  # the kind of a violation of the final condition
_BESIDE = (LEAK, MIXED_SIZES)  # kinds that violate nothing


def violations_of(result: Result, sightings: Sightings) -> list[Violation]:
    """Those of a result whose answer and witness are known, the ones that its witness shows
    first."""
    counted = result.equivalence != WITNESS
    own = {site_of(fault): fault for fault in reversed(_shown(result))}
    found = [*_of_condition(result)]
    for fault, runs in sightings.faults():
        if fault.kind not in _BESIDE:
            site = site_of(fault)
            told = own.get(site, fault)  # as it is in the witness
            trace = result.witness if site in own else sightings.traces.get(site)
            found.append(Violation(told, runs if counted else None, site in own, trace))
    if result.wrong_race and result.race is not None and result.answer is Verdict.VIOLATED:
        raced = result.witness is not None and result.witness.data() is result.race
        trace = DataTrace(result.race)
        found += [Violation(fault, None, raced, trace) for fault in race_faults(result.race)]
    if result.liveness and result.waiting is not None:
        fault = waiting_fault(result.waiting.data())
        counters = result.counters
        runs = counters.deadlocks if fault.kind == DEADLOCK else counters.livelocks
        waits = result.witness is result.waiting
        found.append(Violation(fault, runs if counted else None, waits, result.waiting))
    return sorted(found, key=lambda violation: not violation.shown)


def _shown(result: Result) -> list[Fault]:
    """What the witness of a violation shows, but for races and waiting threads."""
    if result.witness is None or result.answer is not Verdict.VIOLATED:
        return []
    return faults_of(result.witness.data())


def _of_condition(result: Result) -> list[Violation]:
    condition = result.program.condition
    if condition is None:
        return []
    runs = 0
    if condition.quantifier is Quantifier.NOT_EXISTS:
        runs = result.satisfying
    elif condition.quantifier is Quantifier.FORALL:
        runs = result.negative
    if not runs:
        return []
    file, line = span_place(condition.span)
    fault = Fault(CONDITION, file, line, "", (), show_condition(condition))
    shown = result.offence in (NOT_EXISTS_BROKEN, FORALL_BROKEN)
    trace = result.witness if shown else None
    return [Violation(fault, runs if result.equivalence != WITNESS else None, shown, trace)]


def told_beside(result: Result, sightings: Sightings) -> list[Violation]:
    """What was seen that violates nothing."""
    counted = result.equivalence != WITNESS
    return [
        Violation(fault, runs if counted else None, False)
        for fault, runs in sightings.faults()
        if fault.kind in _BESIDE
    ]


def beside_text(note: Violation) -> str:
    """As `memory allocated at queue.c:30 is never freed in 2 executions`."""
    fault, runs = note.fault, note.executions
    times = "" if runs is None else number_of(runs, "execution")
    if fault.kind == LEAK:
        return f"memory allocated at {fault.place} is never freed" + (times and f" in {times}")
    return f"{fault}" + (times and f" ({times})")


def notes_beside(result: Result) -> list[str]:
    """What was seen that violates nothing, but for what the answer says."""
    told = [note for note in result.beside if str(note.fault) not in result.unsupported]
    return [beside_text(note) for note in told]


# ---- sizes


def mixes_sizes(trace: Trace) -> bool:
    """Whether what ends a run are accesses of other sizes than the cells', and nothing else."""
    kind_of = trace.data().program.addresses.stray_kind
    return {kind_of(stray.address) for stray in trace.strays()} == {MIXED_SIZES}


def mixed_text(data: TraceData) -> str:
    """Which access has another size than the cell, and where the cell is accessed with its own."""
    program = data.program
    parts: list[str] = []
    for stray in data.strays:
        fault = stray_fault(program, stray)
        if fault.kind == MIXED_SIZES:
            parts.append("; ".join([str(fault), *_others(data, stray.address)]))
    return "; ".join(parts)


def _others(data: TraceData, address: int) -> Iterable[str]:
    """`n.next is accessed with 8 bytes at queue.c:12`, for each cell that an access overlaps."""
    addresses = data.program.addresses
    if not isinstance(addresses, CompiledAddresses):
        return
    for cell in addresses.overlapped(address):
        place = _accessed_at(data, cell.address)
        if place:
            yield f"{cell.name} is accessed with {size_of(cell.address)} bytes at {place}"


def _accessed_at(data: TraceData, address: int) -> str:
    """A place where a cell is accessed: in the execution, else by its name in the code; empty:
    none is known."""
    origins = data.program.origins
    labels = [e.label for e in data.events if e.address == address and e.thread >= 0]
    labels += _naming(data.program, address)
    return next((origins[label].place for label in labels if label in origins), "")


def _naming(program: Program, address: int) -> list[str]:
    """The accesses that are to this cell whatever registers hold."""
    accesses = [i for thread in program.threads for i in thread.code if isinstance(i, Access)]
    fixed = [access for access in accesses if not registers(access.address)]
    return [access.label for access in fixed if evaluate(access.address, {}) == address]
