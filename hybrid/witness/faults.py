"""What is wrong in one execution, each thing with its place: asserts that fail, accesses to no
location, accesses that race, threads that wait for ever.

Of a compiled program the place is one of its source, with the calls that lead there; else it is
that of the instruction in the text of the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hybrid.execution.trace import StrayAccess, TraceData, late_stores
from hybrid.execution.wait_text import kind_of, wait_text
from hybrid.model.core import RACE
from hybrid.program.instructions import Assert, Instruction
from hybrid.program.origin import ASSERTION, ENDED, FREED, RELEASED
from hybrid.program.program import Program
from hybrid.source import Span
from hybrid.witness.races import Race, races_of


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong in an execution."""

    kind: str  # one of hybrid.program.origin, `race`, `deadlock`, `livelock`, `condition`
    file: str  # empty: unknown
    line: int  # 0: unknown
    thread: str  # empty: it is of no thread
    stack: tuple[str, ...]  # `pop (queue.c:41)`, innermost first; empty: unknown
    message: str

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file

    @property
    def where(self) -> str:
        """`queue.c:41 in worker#1`"""
        return " in ".join(filter(None, (self.place, self.thread)))

    def __str__(self) -> str:
        where = f" at {self.where}" if self.where else ""
        return f"{self.kind}{where}" + (f": {self.message}" if self.message else "")


def failed_faults(program: Program, failed: Iterable[str]) -> Iterator[Fault]:
    """Those of asserts that do not hold, and of stores to freed memory, in the order of the
    program."""
    labels = set(failed)
    for index, thread in enumerate(program.threads if labels else ()):
        for instruction in thread.code:
            if instruction.label in labels:
                yield failed_fault(program, index, instruction)


def failed_fault(program: Program, thread: int, instruction: Instruction) -> Fault:
    origin = program.origins.get(instruction.label)
    if not isinstance(instruction, Assert):
        return fault_at(program, FREED, thread, instruction, f"a write to {_freed(program)}")
    if origin is None:
        text = span_text(instruction.span) or f"the assert {instruction.label} fails"
        return fault_at(program, ASSERTION, thread, instruction, text)
    message = origin.message or " ".join(origin.text.split())
    return fault_at(program, origin.kind or ASSERTION, thread, instruction, message)


def _freed(program: Program) -> str:
    """What memory is that was freed, or whose end was written, before."""
    what = {
        RELEASED: "what was freed before",
        ENDED: "a variable that is gone: its function has returned",
    }
    return ", or ".join(text for value, text in what.items() if value in program.freed_by)


def stray_fault(program: Program, stray: StrayAccess) -> Fault:
    instruction = instruction_at(program, stray.thread, stray.label)
    kind = program.addresses.stray_kind(stray.address)
    message = f"access to {program.addresses.stray(stray.address)}"
    return fault_at(program, kind, stray.thread, instruction, message)


def faults_of(data: TraceData) -> list[Fault]:
    """The asserts that fail in an execution, leaks aside, and its accesses to no location."""
    program = data.program
    found = [stray_fault(program, stray) for stray in data.strays]
    failed = (*program.faults(data.failed), *late_stores(data))
    return [*failed_faults(program, failed), *found]


def race_faults(data: TraceData) -> list[Fault]:
    """One for each pair of accesses that race; the place is that of the first with one."""
    return [_race_fault(data.program, race) for race in races_of(data)]


def waiting_fault(data: TraceData) -> Fault:
    """That threads wait for ever; the place is where the first of them does."""
    program, first = data.program, data.waiting[0]
    message = ", ".join(wait_text(program, wait) for wait in data.waiting)
    instruction = instruction_at(program, first.thread, first.label)
    return fault_at(program, kind_of(data.waiting), first.thread, instruction, message)


def fault_at(
    program: Program, kind: str, thread: int, instruction: Instruction, message: str
) -> Fault:
    name = program.threads[thread].name
    origin = program.origins.get(instruction.label)
    if origin is not None:
        stack = tuple(map(str, origin.stack))
        return Fault(kind, origin.file, origin.line, name, stack, message)
    file, line = span_place(instruction.span)
    return Fault(kind, file, line, name, (), message)


def instruction_at(program: Program, thread: int, label: str) -> Instruction:
    return next(each for each in program.threads[thread].code if each.label == label)


def span_place(span: Span) -> tuple[str, int]:
    """File and line; 0 where there is no text."""
    return span.source.name, span.line if span.source.text else 0


def span_text(span: Span) -> str:
    """What is written there; empty where it is not to be shown."""
    if not span.source.shown:
        return ""
    return span.text.strip() + (" …" if span.end_line > span.line else "")


def _race_fault(program: Program, race: Race) -> Fault:
    first = race.first if race.first.line else race.second
    file = first.file or program.threads[0].span.source.name
    return Fault(RACE, file, first.line, first.thread, first.stack, str(race))
