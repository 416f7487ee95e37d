"""Executed instructions of a trace, with names: `L1`, `L1#2` (the second time in its thread),
`init_x`. Of a compiled program they have the places and the words of its source: `queue.c:41`,
`queue.c:41(2)`.

A read-modify-write is one step with two events; a store-conditional that failed is a step without
an event, and so is an await at which its thread waits for ever.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from hybrid.execution.trace import DataTrace, Event, EventId, TraceData, Wait
from hybrid.printable import on_one_line
from hybrid.program.instructions import (
    Access,
    Instruction,
    StoreConditional,
)
from hybrid.program.origin import Origin
from hybrid.program.program import Program, Thread
from hybrid.program.show import show_instruction
from hybrid.witness.again import ThreadAgain


@dataclass(frozen=True, slots=True)
class WitnessStep:
    """One executed instruction (or an initial write) and the events that it made."""

    id: EventId  # of its first event; without one the po index that it would have
    name: str  # unique in the trace
    text: str  # the instruction in .prog spelling; `x = 0` for an initial write
    read: Event | None = None
    write: Event | None = None
    other: Event | None = None  # a fence or a branch
    failed: bool = False  # a store-conditional that stored nothing
    wait: Wait | None = None  # an await that never happens, or an assume that fails for ever
    label: str = ""  # of the instruction; empty for an initial write
    origin: Origin | None = None  # what it is in the source of a compiled program
    hidden: bool = False  # it is nothing there

    @property
    def head(self) -> str:
        """The name and the text: `L0: r0 := x`, `queue.c:41 atomic_load(&x)`."""
        if self.origin is None and self.text:
            return f"{self.name}: {self.text}"
        return f"{self.name} {self.text}".rstrip()

    @property
    def thread(self) -> int:
        return self.id[0]

    @property
    def initial(self) -> bool:
        return self.id[0] < 0

    @property
    def is_memory(self) -> bool:
        """Whether the step takes part in a run: accesses do, failed store-conditionals included."""
        return self.other is None and self.wait is None

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(e for e in (self.read, self.write, self.other) if e is not None)


def steps_of(data: TraceData) -> dict[EventId, WitnessStep]:
    """The step of every event id, in the order of ids; both events of a read-modify-write have the
    same step."""
    found: dict[EventId, WitnessStep] = {}
    for event in data.events:
        if event.thread < 0:
            location = data.program.locations[event.id[1]]
            text = f"{location.name} = {value_text(data, event)}"
            found[event.id] = WitnessStep(event.id, f"init_{location.name}", text, write=event)
    for index, thread in enumerate(data.program.threads):
        _thread_steps(data, index, thread, found)
    return dict(sorted(found.items()))


def location_name(data: TraceData, address: int | None) -> str:
    """The name of the location at `address`; the bare address where there is none."""
    location = None if address is None else data.program.by_address.get(address)
    return f"[{address}]" if location is None else location.name


def value_text(data: TraceData, event: Event) -> str:
    """What an event reads or writes, by name where it is an address."""
    return data.program.addresses.show_in_cell(event.address, event.value)


def final_values(data: TraceData) -> dict[str, int]:
    """The outcome: the program's terms with their final values."""
    trace = DataTrace(data)
    return {term.name: trace.value_of(term) for term in data.program.terms}


def _thread_steps(
    data: TraceData, index: int, thread: Thread, found: dict[EventId, WitnessStep]
) -> None:
    by_label = {instruction.label: instruction for instruction in thread.code}
    stored = dict(data.amo)
    stores = set(stored.values())
    made = [
        (event.id, by_label[event.label])
        for event in data.events
        if event.thread == index and event.id not in stores
    ]
    made += _failed_conditionals(data, index, thread)
    seen: Counter[str] = Counter()
    for event_id, instruction in sorted(made, key=lambda pair: pair[0]):
        seen[instruction.label] += 1
        step = _step(data.program, thread, instruction, event_id, seen[instruction.label])
        event = data.by_id.get(event_id)
        if event is None:
            found[event_id] = replace(step, failed=True)
        elif event.kind == "R":
            write = stored.get(event_id)
            step = replace(step, read=event, write=data.by_id[write] if write else None)
            found[event_id] = step
            if write is not None:
                found[write] = step
        elif event.kind == "W":
            found[event_id] = replace(step, write=event)
        else:
            found[event_id] = replace(step, other=event)
    for wait in data.waiting:
        if wait.thread == index:
            last = max((i for t, i in found if t == index), default=-1)
            if wait.address is None:  # an assume, which has its event
                found[index, last] = replace(found[index, last], wait=wait)
                continue
            seen[wait.label] += 1
            event_id = (index, last + 1)
            awaiting = by_label[wait.label]
            step = _step(data.program, thread, awaiting, event_id, seen[wait.label])
            found[event_id] = replace(step, wait=wait)


def _step(
    program: Program, thread: Thread, instruction: Instruction, event_id: EventId, times: int
) -> WitnessStep:
    """An instruction that is executed for the `times`-th time in its thread, without its events."""
    label = instruction.label
    origin = program.origins.get(label)
    again = f"({times})" if program.compiled else f"#{times}"  # labels of those have `#` themselves
    name = label if times == 1 else f"{label}{again}"
    hidden = program.compiled and origin is None and not isinstance(instruction, Access)
    text = _text(program, thread, instruction) if not program.compiled else ""
    if origin is not None:
        text = on_one_line(" ".join(origin.text.split()))
    return WitnessStep(event_id, name, text, label=label, origin=origin, hidden=hidden)


def _text(program: Program, thread: Thread, instruction: Instruction) -> str:
    """The instruction as the author of a litmus test wrote it; else in .prog spelling."""
    written = " ".join(instruction.span.text.split()) if program.arch else ""
    return written or show_instruction(instruction, thread.code)


def _failed_conditionals(
    data: TraceData, index: int, thread: Thread
) -> list[tuple[EventId, Instruction]]:
    """The store-conditionals of a thread that failed, with the po indexes that they left unused."""
    if not any(isinstance(instruction, StoreConditional) for instruction in thread.code):
        return []
    return [
        (event_id, instruction)
        for event_id, instruction in ThreadAgain(data, index, thread).indexed()
        if isinstance(instruction, StoreConditional) and event_id not in data.by_id
    ]
