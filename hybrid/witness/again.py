"""A thread of a trace executed once more, with what its loads read there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import assert_never

from hybrid.errors import InternalError
from hybrid.execution.trace import Event, EventId, Status, TraceData
from hybrid.program.expr import evaluate
from hybrid.program.instructions import (
    Assert,
    Assign,
    Assume,
    Branch,
    Fence,
    Goto,
    Instruction,
    Load,
    Rmw,
    Select,
    Store,
    StoreConditional,
)
from hybrid.program.program import Thread


class ThreadAgain:
    """A thread executed once more with the values of the trace."""

    def __init__(self, data: TraceData, index: int, thread: Thread) -> None:
        self.data = data
        self.index = index
        self.code = thread.code
        self.registers: defaultdict[str, int] = defaultdict(int, thread.initial)
        self.varying: set[str] = set()  # the registers that hold what memory gave
        self.place = 0  # the next instruction
        self.path: list[int] = []  # the instructions that were executed
        self.count = 0  # the next po index

    def indexed(self) -> Iterator[tuple[EventId, Instruction]]:
        """The instructions that take a po index, in order. In a run that did not complete they end
        with the last po index that is known to be used."""
        data = self.data
        known = {event.id[1] for event in data.events if event.thread == self.index}
        known |= {event_id[1] for event_id, _ in data.run if event_id[0] == self.index}
        last = max(known, default=-1)
        waits = any(wait.thread == self.index for wait in data.waiting)
        complete = data.status is Status.COMPLETE and not waits
        while self.place < len(self.code) and (complete or self.count <= last):
            instruction = self.code[self.place]
            self.path.append(self.place)
            self.place += 1
            here = (self.index, self.count)
            event: Event | None = None
            width = self._width(instruction)
            if width:
                event = data.by_id.get(here)
                if event is not None and event.label != instruction.label:
                    message = f"{event.label} where {instruction.label} stands"
                    raise InternalError(f"trace and program differ: {message}")
                yield here, instruction
                self.count += width
            if not self._execute(instruction, event):
                return

    def constant(self, register: str) -> int | None:
        """What a register holds; None if memory gave it."""
        return None if register in self.varying else self.registers[register]

    def _width(self, instruction: Instruction) -> int:
        """How many po indices it takes."""
        match instruction:
            case Assign() | Select() | Goto() | Assert():
                return 0
            case Branch():
                return int(self._varies(instruction))  # on constants it is not an event
            case Load() | Store() | StoreConditional() | Fence() | Assume():
                return 1
            case Rmw():
                return 2
            case _:
                assert_never(instruction)

    def _execute(self, instruction: Instruction, event: Event | None) -> bool:
        """Executes it, with its first event if there is one; whether the thread goes on."""
        match instruction:
            case Assign():
                value = evaluate(instruction.value, self.registers)
                self._set(instruction.register, value, self._varies(instruction))
            case Select():
                chosen = evaluate(instruction.condition, self.registers)
                operand = instruction.yes if chosen else instruction.no
                value = evaluate(operand, self.registers)
                self._set(instruction.register, value, self._varies(instruction))
            case Load() | Rmw():
                if event is None or event.value is None:
                    return False
                self._set(instruction.register, event.value)
                if isinstance(instruction, Rmw):
                    stored = (self.index, self.count - 1) in self.data.by_id
                    self._set(instruction.success, int(stored))
            case StoreConditional():
                self._set(instruction.status, int(event is None))
            case Branch():
                if evaluate(instruction.condition, self.registers):
                    self.place = instruction.target
            case Goto():
                self.place = instruction.target
            case Store() | Fence() | Assume() | Assert():
                pass
            case _:
                assert_never(instruction)
        return True

    def _varies(self, instruction: Instruction) -> bool:
        return not self.varying.isdisjoint(instruction.uses)

    def _set(self, register: str | None, value: int, varies: bool = True) -> None:
        if register is None:
            return
        self.registers[register] = value
        if varies:
            self.varying.add(register)
        else:
            self.varying.discard(register)
