"""Executed instructions of a trace, with names: `L1`, `L1#2` (the second time in its thread),
`init_x`.

A read-modify-write is one step with two events; a store-conditional that failed is a step without
an event, and so is an await at which its thread waits for ever.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from hybrid.errors import InternalError
from hybrid.execution.trace import DataTrace, Event, EventId, Status, TraceData, Wait
from hybrid.program.expr import evaluate
from hybrid.program.expr import registers as named
from hybrid.program.instructions import (
    Assert,
    Assign,
    Branch,
    Goto,
    Instruction,
    Load,
    Rmw,
    Select,
    StoreConditional,
)
from hybrid.program.program import Program, Thread
from hybrid.program.show import show_instruction


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
    wait: Wait | None = None  # an await that never happens

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
        label = instruction.label
        seen[label] += 1
        name = label if seen[label] == 1 else f"{label}#{seen[label]}"
        text = _text(data.program, thread, instruction)
        event = data.by_id.get(event_id)
        if event is None:
            found[event_id] = WitnessStep(event_id, name, text, failed=True)
        elif event.kind == "R":
            write = stored.get(event_id)
            step = WitnessStep(event_id, name, text, event, data.by_id[write] if write else None)
            found[event_id] = step
            if write is not None:
                found[write] = step
        elif event.kind == "W":
            found[event_id] = WitnessStep(event_id, name, text, write=event)
        else:
            found[event_id] = WitnessStep(event_id, name, text, other=event)
    for wait in data.waiting:
        if wait.thread == index:
            seen[wait.label] += 1
            times = seen[wait.label]
            name = wait.label if times == 1 else f"{wait.label}#{times}"
            event_id = (index, 1 + max((i for t, i in found if t == index), default=-1))
            text = _text(data.program, thread, by_label[wait.label])
            found[event_id] = WitnessStep(event_id, name, text, wait=wait)


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
        for event_id, instruction in _walk(data, index, thread)
        if isinstance(instruction, StoreConditional) and event_id not in data.by_id
    ]


def _walk(data: TraceData, index: int, thread: Thread) -> Iterator[tuple[EventId, Instruction]]:
    """The instructions of a thread that take a po index, in order, executed with the values of the
    trace. In a run that did not complete the walk ends with the last po index that is known to be
    used."""
    known = {event.id[1] for event in data.events if event.thread == index}
    known |= {event_id[1] for event_id, _ in data.run if event_id[0] == index}
    last = max(known, default=-1)
    registers: defaultdict[str, int] = defaultdict(int, thread.initial)
    varying: set[str] = set()  # the registers that hold what memory gave
    place = count = 0
    while place < len(thread.code) and (data.status is Status.COMPLETE or count <= last):
        instruction = thread.code[place]
        place += 1
        if isinstance(instruction, Assign):
            registers[instruction.register] = evaluate(instruction.value, registers)
            varying.discard(instruction.register)
            if not varying.isdisjoint(named(instruction.value)):
                varying.add(instruction.register)
        elif isinstance(instruction, Select):
            chosen = evaluate(instruction.condition, registers)
            operand = instruction.yes if chosen else instruction.no
            registers[instruction.register] = evaluate(operand, registers)
            operands = (instruction.condition, instruction.yes, instruction.no)
            varies = any(not varying.isdisjoint(named(each)) for each in operands)
            varying.discard(instruction.register)
            varying |= {instruction.register} if varies else set()
        elif isinstance(instruction, Goto):
            place = instruction.target
        elif isinstance(instruction, Branch) and varying.isdisjoint(named(instruction.condition)):
            if evaluate(instruction.condition, registers):  # on constants: no event
                place = instruction.target
        elif not isinstance(instruction, Assert):
            event = data.by_id.get((index, count))
            if event is not None and event.label != instruction.label:
                raise InternalError(
                    f"trace and program differ: {event.label} where {instruction.label} stands"
                )
            yield (index, count), instruction
            count += 2 if isinstance(instruction, Rmw) else 1
            if isinstance(instruction, Branch):
                if evaluate(instruction.condition, registers):
                    place = instruction.target
            elif isinstance(instruction, Load | Rmw):
                if event is None or event.value is None:
                    return
                if instruction.register is not None:
                    registers[instruction.register] = event.value
                    varying.add(instruction.register)
                if isinstance(instruction, Rmw) and instruction.success is not None:
                    registers[instruction.success] = int((index, count - 1) in data.by_id)
                    varying.add(instruction.success)
            elif isinstance(instruction, StoreConditional) and instruction.status is not None:
                registers[instruction.status] = int(event is None)
                varying.add(instruction.status)
