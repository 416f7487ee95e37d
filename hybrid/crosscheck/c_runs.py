"""Runs of a program and of the C that it was written as, made comparable.

Both are told by what they have in common: threads and locations by their names, the accesses of a
thread by their number. A run has a key, where each load reads and in which order each location is
written, and facts: every access and fence with its location, value and order, the dependencies
among them, final memory, the asserts that fail, the flags that are raised. Branches and assumptions
count by the dependencies that they make: C may know beforehand how they turn out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields

from hybrid.crosscheck.relocated import has_pointers
from hybrid.engine.api import Counters, Engine, Limits
from hybrid.execution.trace import Event, EventId, Pairs, Status, TraceData
from hybrid.frontend.c_print import ARRAY, CText, bits_of
from hybrid.model.core import RACE, Model
from hybrid.program.origin import INTERNAL, byte_of
from hybrid.program.program import Program

Access = tuple[str, int]  # a thread, the number of the access; of the initial write the location, 0
RunKey = tuple[tuple[tuple[Access, Access], ...], tuple[tuple[str, tuple[Access, ...]], ...]]
Named = tuple[str, RunKey, tuple[str, ...]]  # how it ends, and, if not completely, what fails in it
Told = int | str | None  # a value, which may be an address
_SMALL = 0x40  # a number that is not so small is an address
_INITIAL = "initial "


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What there is to a run besides its key; compared field by field, in this order."""

    events: tuple[tuple[str, str, str, str, Told], ...]  # thread, kind, order, location, value
    addr: frozenset[tuple[Access, Access]]
    data: frozenset[tuple[Access, Access]]
    pick: frozenset[tuple[Access, Access]]
    ctrl: frozenset[tuple[Access, Access]]
    memory: tuple[tuple[str, Told], ...]
    failed: tuple[str, ...]  # asserts of the program
    flags: tuple[str, ...]

    def differs_in(self, other: RunFacts) -> str:
        """The first field in which they differ; empty: none."""
        names = [each.name for each in fields(self)]
        return next((n for n in names if getattr(self, n) != getattr(other, n)), "")


@dataclass(slots=True)
class Runs:
    """All runs of one program."""

    found: dict[Named, RunFacts] = field(default_factory=dict)
    data: dict[Named, TraceData] = field(default_factory=dict)
    counters: Counters = field(default_factory=Counters)
    raced: bool = False  # some run, however it ends
    again: int = 0  # complete runs that came twice

    @property
    def complete(self) -> int:
        return sum(status == Status.COMPLETE.value for status, *_ in self.found)


class View:
    """How the runs of a program are told; one for the program itself, one for its C."""

    def __init__(
        self,
        program: Program,
        places: Mapping[int, str],
        value: Callable[[int], Told],
        label: Callable[[str], str],
        start: Mapping[str, Told],
    ) -> None:
        self.names = [thread.name for thread in program.threads]
        self.initial = [places.get(each.address, "") for each in program.locations]
        self.places = places  # names by address; others are not told
        self.value = value
        self.label = label  # of an assert, as the program has it
        self.start = start  # what locations hold at first

    def tell(self, run: TraceData) -> tuple[RunKey, RunFacts]:
        numbers = self._numbers(run)

        def pairs(these: Pairs) -> frozenset[tuple[Access, Access]]:
            return frozenset(
                (numbers[a], numbers[b]) for a, b in these if a in numbers and b in numbers
            )

        rf = tuple(
            sorted((numbers[load], numbers[source]) for load, source in run.rf.items()
                   if load in numbers)
        )  # fmt: skip
        co = tuple(
            sorted(
                (self.places[address], tuple(numbers[store] for store in stores))
                for address, stores in run.co.items()
                if stores and address in self.places
            )
        )
        memory = dict(self.start)
        memory |= {
            self.places[address]: self.value(value)
            for address, value in run.memory.items()
            if address in self.places
        }
        facts = RunFacts(
            tuple(self._event(each) for each in run.events if self._is_told(each)),
            pairs(run.addr),
            pairs(run.data),
            pairs(run.pick),
            pairs(run.ctrl),
            tuple(sorted(memory.items())),
            tuple(sorted({self.label(label) for label in run.failed})),
            tuple(sorted(run.flags)),
        )
        return (rf, co), facts

    def _is_told(self, event: Event) -> bool:
        if event.id[0] < 0 or event.kind == "B":
            return False
        return event.kind == "F" or event.address in self.places

    def _event(self, event: Event) -> tuple[str, str, str, str, Told]:
        place = "" if event.address is None else self.places[event.address]
        value = None if event.value is None else self.value(event.value)
        tags = " ".join(sorted(event.tags))
        return (self.names[event.thread], event.kind, tags, place, value)

    def _numbers(self, run: TraceData) -> dict[EventId, Access]:
        """Accesses and fences by their numbers, each kind with its own."""
        found: dict[EventId, Access] = {}
        next_number: dict[str, int] = {}
        for event in run.events:
            thread, index = event.id
            if thread < 0:
                found[event.id] = (f"{_INITIAL}{self.initial[index]}", 0)
            elif self._is_told(event):
                word = self.names[thread] + (" fence" if event.kind == "F" else "")
                number = next_number.get(word, 0)
                next_number[word] = number + 1
                found[event.id] = (word, number)
        return found


def view_of_program(program: Program) -> View:
    places = {each.address: each.name for each in program.locations}
    pointers = has_pointers(program)

    def value(number: int) -> Told:
        if not pointers or -_SMALL < number < _SMALL:
            return number
        for address, name in places.items():
            if address <= number < address + _SMALL:
                return f"&{name} + {number - address}"
        return "something computed from addresses"

    start = {each.name: value(each.initial) for each in program.locations}
    return View(program, places, value, lambda label: label, start)


def view_of_c(compiled: Program, program: Program, text: CText) -> View:
    """Of the C program that `program` was written as."""
    objects: dict[int, str] = {}  # by first byte
    internal: list[range] = []
    for block in compiled.blocks:
        if block.kind == INTERNAL:
            internal.append(range(block.address, block.address + block.size))
        elif text.array and block.name == ARRAY:
            for number, each in enumerate(program.locations):
                objects[block.address + bits_of(each.name) // 8 * number] = each.name
        elif any(each.name == block.name for each in program.locations):
            objects[block.address] = block.name
    places: dict[int, str] = {}
    for each in compiled.locations:
        byte = byte_of(each.address)
        if not any(byte in bytes_ for bytes_ in internal):
            places[each.address] = objects.get(byte, f"unknown {each.name}")
    pointers = has_pointers(program)

    def value(number: int) -> Told:
        if not pointers or -_SMALL < number < _SMALL:
            return number
        for address, name in objects.items():
            if address <= number < address + _SMALL:
                return f"&{name} + {number - address}"
        return "something computed from addresses"

    def label(name: str) -> str:
        origin = compiled.origins.get(name)
        return name if origin is None else text.labels.get(origin.line, name)

    start = dict(view_of_program(program).start)
    return View(compiled, places, value, label, start)


def runs_of(program: Program, view: View, model: Model, engine: Engine, limits: Limits) -> Runs:
    """All runs of a program, told by the view."""
    runs = Runs()
    for trace in engine.explore(program, model, limits):
        runs.raced = runs.raced or RACE in trace.flags
        if trace.status is Status.BLOCKED and not trace.failed:
            continue
        run = trace.data()
        key, facts = view.tell(run)
        whole = trace.status is Status.COMPLETE
        named = trace.status.value, key, () if whole else facts.failed
        runs.again += whole and named in runs.found
        runs.found[named] = facts
        runs.data[named] = run
    runs.counters = engine.counters
    return runs
