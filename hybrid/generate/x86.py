"""Tests for x86: plain accesses by name, MFENCE, and XCHG for atomic writes and for
read-modify-writes."""

from __future__ import annotations

from hybrid.errors import InputError
from hybrid.generate.layout import CycleEvent, CycleLayout
from hybrid.generate.printed import Printed, columns, seen
from hybrid.generate.vocabulary import FENCE

FENCES = {"MFence": "MFENCE"}
REGISTERS = ("EAX", "EBX", "ECX", "EDX", "ESI", "EDI")


def write(layout: CycleLayout) -> Printed:
    threads = [_Thread(number) for number in range(len(layout.threads))]
    for thread, events in zip(threads, layout.threads, strict=True):
        for event in events:
            thread.event(event)
        for observer in layout.observers:
            if observer.thread == thread.number:
                thread.load(observer.location, observer.values)
    checks = tuple(check for thread in threads for check in thread.checks)
    return Printed("{\n}", columns([thread.lines for thread in threads]), checks)


class _Thread:
    def __init__(self, number: int) -> None:
        self.number = number
        self.lines: list[str] = []
        self.checks: list[str] = []
        self.taken = 0  # registers

    def event(self, event: CycleEvent) -> None:
        edge = event.incoming
        if edge is not None and edge.kind == FENCE:
            self.lines.append(FENCES[edge.detail])
        if event.rmw is not None:
            self._exchange(event.location, event.rmw.value, event.value)
        elif event.direction == "R":
            self.load(event.location, () if event.value is None else (event.value,))
        elif event.previous is not None and event.previous.rmw is event:
            return
        elif event.annotation == "A":
            self._exchange(event.location, event.value, event.before)
        else:
            self.lines.append(f"MOV [{event.location}],${event.value}")

    def _exchange(self, location: str, new: int | None, old: int | None) -> None:
        register = self._take()
        self.lines += [f"MOV {register},${new}", f"XCHG [{location}],{register}"]
        assert old is not None
        self.checks.append(seen(f"{self.number}:{register}", (old,)))

    def load(self, location: str, values: tuple[int, ...]) -> None:
        register = self._take()
        self.lines.append(f"MOV {register},[{location}]")
        if values:
            self.checks.append(seen(f"{self.number}:{register}", values))

    def _take(self) -> str:
        if self.taken == len(REGISTERS):
            raise InputError(
                f"thread P{self.number} reads more often than X86 has registers ({len(REGISTERS)})",
                hint="a shorter cycle has fewer accesses per thread",
            )
        self.taken += 1
        return REGISTERS[self.taken - 1]
