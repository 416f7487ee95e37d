"""Threads in assembly: one walk over the events, the instructions in one table per
architecture.

Templates use fields: {d} a loaded register, {v} the register of the value to store, {a} the
address, {i} an index (always 0, for a dependency), {t} address plus index, {s} the status of a
store-conditional, {n} a number, {r} the register a dependency starts from, {l} a label, {f} the
label to go to when a store-conditional fails. Registers are taken in order of need: dependency,
value or loaded register, address; of an exclusive pair the address comes first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from hybrid.errors import InputError
from hybrid.generate.layout import CycleEvent, CycleLayout
from hybrid.generate.printed import Printed, columns, seen
from hybrid.generate.vocabulary import DEP, FENCE, Vocabulary

Lines = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RmwSpelling:
    """How a read-modify-write is written."""

    # By the annotations of read and write; None: the machine has no such instruction.
    lines: Callable[[str, str], Lines | None]
    operand: Callable[[int, int], int] = lambda old, new: new  # what {v} holds


@dataclass(frozen=True, slots=True)
class AssemblySyntax:
    vocabulary: Vocabulary
    registers: Lines  # as operands, in the order in which they are taken
    addresses: Lines  # the same registers as addresses and in conditions
    constant: str
    zero: str  # makes {d} zero from {r}, in a way that depends on it
    plus: str  # adds {n} to {d}
    add: str  # makes {t} of {a} and {i}
    branch: Lines
    fences: dict[str, str]
    barriers: dict[str, str]  # what follows the branch, by dependency
    reads: dict[str, Lines]  # by annotation
    writes: dict[str, Lines]
    rmws: dict[str, RmwSpelling]
    indexed: dict[str, str] = field(default_factory=dict)  # "R", "W": plain access with {i}
    observer: Lines = ()  # before a read that observes


def write(layout: CycleLayout, machine: AssemblySyntax) -> Printed:
    labels = _Labels()
    threads = [_Thread(number, machine, labels) for number in range(len(layout.threads))]
    for thread, events in zip(threads, layout.threads, strict=True):
        for event in events:
            if event.previous is None or event.previous.rmw is not event:
                thread.event(event)
        for observer in layout.observers:
            if observer.thread == thread.number:
                thread.observe(observer.location, observer.values)
        thread.end()
    state = [" ".join(f"{thread.number}:{r}={x};" for x, r in thread.bases()) for thread in threads]
    init = "\n".join(["{", *filter(None, state), "}"])
    checks = tuple(check for thread in threads for check in thread.checks)
    return Printed(init, columns([thread.lines for thread in threads]), checks)


class _Labels:
    def __init__(self) -> None:
        self.count = 0

    def new(self) -> str:
        self.count += 1
        return f"LC{self.count - 1:02}"


class _Thread:
    def __init__(self, number: int, machine: AssemblySyntax, labels: _Labels) -> None:
        self.number = number
        self.machine = machine
        self.labels = labels
        self.lines: list[str] = []
        self.checks: list[str] = []
        self.taken = 0  # registers
        self.base: dict[str, int] = {}  # registers that hold a location's address
        self.loaded: dict[int, int] = {}  # registers into which events read
        self.failed = ""  # the label behind the code, where there is a jump to it

    def bases(self) -> list[tuple[str, str]]:
        return [(x, self.machine.addresses[r]) for x, r in self.base.items()]

    def _take(self) -> int:
        if self.taken == len(self.machine.registers):
            raise InputError(
                f"thread P{self.number} needs more registers than "
                f"{self.machine.vocabulary.arch} has",
                hint="a shorter cycle has fewer accesses per thread",
            )
        self.taken += 1
        return self.taken - 1

    def _address(self, location: str) -> int:
        if location not in self.base:
            self.base[location] = self._take()
        return self.base[location]

    def _emit(self, templates: Lines, **fields: int | str) -> None:
        """Adds instructions; a number of a field {a}, {t} or {n} is an address or a number, of
        another one a register."""
        shown = {
            name: self.machine.addresses[value]
            if name in "at" and isinstance(value, int)
            else self.machine.registers[value]
            if name != "n" and isinstance(value, int)
            else value
            for name, value in fields.items()
        }
        self.lines += [template.format(**shown) for template in templates]

    def _check(self, register: int, values: tuple[int, ...]) -> None:
        self.checks.append(seen(f"{self.number}:{self.machine.addresses[register]}", values))

    def event(self, event: CycleEvent) -> None:
        machine, edge = self.machine, event.incoming
        index: int | None = None  # the register of an address dependency
        stored: int | None = None  # of a data dependency
        if edge is not None and edge.kind == FENCE:
            self._emit((machine.fences[edge.detail],))
        elif edge is not None and edge.kind == DEP:
            assert event.previous is not None
            source = self.loaded[event.previous.index]
            if edge.detail == "Addr":
                index = self._take()
                self._emit((machine.zero,), d=index, r=source)
            elif edge.detail == "Data":
                stored = self._take()
                assert event.value is not None
                self._emit((machine.zero,), d=stored, r=source)
                self._emit((machine.plus,), d=stored, n=event.value)
            else:
                self._emit((*machine.branch, "{l}:"), r=source, l=self.labels.new())
                if edge.detail in machine.barriers:
                    self._emit((machine.barriers[edge.detail],))
        if event.rmw is not None:
            self._rmw(event, event.rmw, index)
        else:
            self._access(event, index, stored)

    def _access(self, event: CycleEvent, index: int | None, stored: int | None) -> None:
        machine, reads = self.machine, event.direction == "R"
        templates = (machine.reads if reads else machine.writes)[event.annotation]
        exclusive = any("{s}" in template for template in templates)
        base = self._address(event.location) if exclusive else None
        fields: dict[str, int | str] = {}
        if reads:
            self.loaded[event.index] = fields["d"] = self._take()
        elif stored is not None:
            fields["v"] = stored
        else:
            fields["v"] = self._constant(event.value)
        base = self._address(event.location) if base is None else base
        if (
            index is not None
            and not exclusive
            and event.annotation == machine.vocabulary.plain
            and machine.indexed
        ):
            self._emit((machine.indexed[event.direction],), a=base, i=index, **fields)
        else:
            fields["a"] = self._sum(base, index)
            self._pair(templates, fields, event.before if not reads else event.value, not reads)
        if reads and event.value is not None:
            self._check(self.loaded[event.index], (event.value,))

    def _pair(
        self, templates: Lines, fields: dict[str, int | str], old: int | None, both: bool
    ) -> None:
        """Emits an access; of an exclusive pair also takes its registers and checks that it
        succeeds and, if `both`, what it loads."""
        exclusive = any("{s}" in template for template in templates)
        if exclusive and "d" not in fields:
            fields["d"] = self._take()
        if exclusive:
            fields["s"] = self._take()
        self._emit(templates, **fields)
        if exclusive:
            self._check(_register(fields["s"]), (0,))
            if both and old is not None:
                self._check(_register(fields["d"]), (old,))

    def _rmw(self, read: CycleEvent, write: CycleEvent, index: int | None) -> None:
        machine = self.machine
        assert read.incoming is None or read.incoming.detail != "Data"
        kind = write.incoming.detail if write.incoming is not None else ""
        rmw = machine.rmws[kind]
        templates = rmw.lines(read.annotation, write.annotation)
        if templates is None:
            words = machine.vocabulary
            raise InputError(
                f"{words.arch} has no {kind} whose read is {words.reads[read.annotation]} "
                f"and whose write is {words.writes[write.annotation]}"
            )
        assert read.value is not None and write.value is not None
        base = self._address(read.location)
        value = self._constant(rmw.operand(read.value, write.value))
        loaded = self.loaded[read.index] = self._take()
        fields: dict[str, int | str] = {"v": value, "d": loaded, "a": self._sum(base, index)}
        if any("{s}" in template for template in templates):
            fields["s"] = self._take()
        if any("{f}" in template for template in templates):
            self.failed = self.failed or f"Fail{self.number}"
            fields["f"] = self.failed
        if any("{n}" in template for template in templates):
            fields["n"] = str(read.value)
        self._emit(templates, **fields)
        if "s" in fields:
            self._check(_register(fields["s"]), (0,))
        self._check(loaded, (read.value,))

    def _constant(self, value: int | None) -> int:
        assert value is not None
        register = self._take()
        self._emit((self.machine.constant,), d=register, n=value)
        return register

    def _sum(self, base: int, index: int | None) -> int:
        if index is None:
            return base
        total = self._take()
        self._emit((self.machine.add,), t=total, a=base, i=index)
        return total

    def observe(self, location: str, values: tuple[int, ...]) -> None:
        machine = self.machine
        self._emit(machine.observer)
        register = self._take()
        self._emit(machine.reads[machine.vocabulary.plain], d=register, a=self._address(location))
        self._check(register, values)

    def end(self) -> None:
        """Behind the code: a mark that is reached when every store-conditional with a jump
        succeeded."""
        if self.failed:
            self._check(self._constant(1), (1,))
            self.lines.append(f"{self.failed}:")


def _register(field: int | str) -> int:
    assert isinstance(field, int)
    return field
