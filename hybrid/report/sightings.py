"""Where executions go wrong, place by place: what kind of fault was seen there, and in how many of
them.

Kept without spelling out the executions, of which there may be many: an instruction and, of an
access to no location, its address say all that there is to say of a fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hybrid.execution.trace import Status, StrayAccess, Trace
from hybrid.printable import number_of
from hybrid.program.instructions import Assert, Instruction
from hybrid.program.origin import ASSERTION
from hybrid.program.program import Program
from hybrid.witness.faults import Fault, failed_fault, stray_fault

# The kind of a fault, the file and the line, and of an assertion which one of the line it is.
Site = tuple[str, str, int, str]


@dataclass(frozen=True, slots=True)
class Sighting:
    """What was seen at a place: in how many executions, and the smallest of them, so that it is the
    same however the exploration is shared out."""

    runs: int
    thread: int
    label: str
    address: int | None = None  # of an access to no location

    def merged(self, other: Sighting) -> Sighting:
        first = min(self, other, key=lambda each: (each.thread, each.label, each.address or 0))
        return Sighting(self.runs + other.runs, first.thread, first.label, first.address)


@dataclass(frozen=True, slots=True)
class Violation:
    """A fault, and how often it was seen."""

    fault: Fault
    executions: int | None  # None: not counted
    shown: bool  # the witness shows it
    witness: Trace | None = None  # an execution that has it; None: it was found elsewhere

    def lines(self) -> list[str]:
        """For people: what and where, then the calls that lead there."""
        fault = self.fault
        times = "" if self.executions is None else f" ({number_of(self.executions, 'execution')})"
        where = f" at {fault.where}" if fault.where else ""
        first = f"{fault.kind}{where}{times}" + (f": {fault.message}" if fault.message else "")
        calls = [
            f"  {'called from' if level else 'in'} {frame}"
            for level, frame in enumerate(fault.stack)
        ]
        return [first, *calls]


class Sightings:
    """Of one exploration."""

    def __init__(self, program: Program, smallest: bool = False) -> None:
        """`smallest`: of executions with the same fault the one with the smallest key is kept, else
        the first."""
        self.found: dict[Site, Sighting] = {}
        self.traces: dict[Site, Trace] = {}  # one for each place
        self._smallest = smallest
        self._program = program
        self._asserts: dict[str, tuple[int, Instruction]] = {
            instruction.label: (index, instruction)
            for index, thread in enumerate(program.threads)
            for instruction in thread.code
            if isinstance(instruction, Assert) or (program.freed_by and instruction.writes)
        }
        self._sites: dict[tuple[int, str, int | None], Site] = {}

    def add(self, trace: Trace, late: tuple[str, ...] = ()) -> None:
        """Leaks are of executions that come to their end. `late`: stores to freed memory."""
        whole = trace.status is Status.COMPLETE
        failed = (*(trace.failed if whole else self._program.faults(trace.failed)), *late)
        strays = trace.strays() if trace.status is Status.ERROR else ()
        seen: dict[Site, Sighting] = {}
        for label in filter(self._asserts.__contains__, failed):
            seen.setdefault(*self._sighted(self._asserts[label][0], label, None))
        for stray in strays:
            seen.setdefault(*self._sighted(stray.thread, stray.label, stray.address))
        self.merge(seen, dict.fromkeys(seen, trace))

    def merge(
        self, others: Mapping[Site, Sighting], traces: Mapping[Site, Trace] | None = None
    ) -> None:
        for site, trace in (traces or {}).items():
            other = self.traces.get(site)
            if other is None or (self._smallest and trace.goes_before(other)):
                self.traces[site] = trace
        for site, sighting in others.items():
            known = self.found.get(site)
            self.found[site] = sighting if known is None else known.merged(sighting)

    def faults(self) -> Iterator[tuple[Fault, int]]:
        """All of them by place, each with the number of executions that have it."""
        for _, sighting in sorted(self.found.items(), key=lambda each: (each[0][1:], each[0][0])):
            fault = self._fault(sighting.thread, sighting.label, sighting.address)
            yield fault, sighting.runs

    def _sighted(self, thread: int, label: str, address: int | None) -> tuple[Site, Sighting]:
        seen = (thread, label, address)
        if seen not in self._sites:
            self._sites[seen] = site_of(self._fault(*seen))
        return self._sites[seen], Sighting(1, thread, label, address)

    def _fault(self, thread: int, label: str, address: int | None) -> Fault:
        if address is None:
            return failed_fault(self._program, *self._asserts[label])
        return stray_fault(self._program, StrayAccess(thread, label, address))


def site_of(fault: Fault) -> Site:
    which = fault.message if fault.kind == ASSERTION else ""
    return fault.kind, fault.file, fault.line, which
