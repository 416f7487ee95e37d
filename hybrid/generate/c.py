"""Tests in C, in the dialect that herd reads: atomic accesses with their orders, plain ones,
fences, exchange and fetch-and-add; dependencies through values and `if`.

An access without annotation is atomic and relaxed. A location that is accessed plainly alone has
type int, others atomic_int.
"""

from __future__ import annotations

from hybrid.errors import InputError
from hybrid.generate.layout import CycleEvent, CycleLayout
from hybrid.generate.printed import Printed, seen
from hybrid.generate.vocabularies import PLAIN, C
from hybrid.generate.vocabulary import DEP, FENCE

ORDERS = {
    "Rlx": "memory_order_relaxed",
    "Acq": "memory_order_acquire",
    "Rel": "memory_order_release",
    "AcqRel": "memory_order_acq_rel",
    "Sc": "memory_order_seq_cst",
}
FENCES = {
    f"Fence{name}": f"atomic_thread_fence({ORDERS[name]});"
    for name in ("Sc", "AcqRel", "Acq", "Rel")
}

_RMW_ORDER = {
    ("Rlx", "Rlx"): "Rlx",
    ("Acq", "Rlx"): "Acq",
    ("Rlx", "Rel"): "Rel",
    ("Acq", "Rel"): "AcqRel",
    ("Sc", "Sc"): "Sc",
}


def write(layout: CycleLayout) -> Printed:
    atomic = {
        event.location for thread in layout.threads for event in thread if event.annotation != PLAIN
    }
    checks: list[str] = []
    texts: list[str] = []
    for number, events in enumerate(layout.threads):
        thread = _Thread(number, atomic)
        for event in events:
            thread.event(event)
        for observer in layout.observers:
            if observer.thread == number:
                thread.load(observer.location, "Rlx", observer.values)
        texts.append(thread.text())
        checks += thread.checks
    return Printed("{\n}", "\n".join(texts), tuple(checks))


class _Thread:
    def __init__(self, number: int, atomic: set[str]) -> None:
        self.number = number
        self.atomic = atomic
        self.lines: list[str] = []
        self.checks: list[str] = []
        self.locations: dict[str, None] = {}
        self.loaded: dict[int, str] = {}  # registers by the event that reads
        self.registers = 0
        self.depth = 0  # of open `if`s

    def event(self, event: CycleEvent) -> None:
        edge, value = event.incoming, str(event.value)
        if edge is not None and edge.kind == FENCE:
            self._line(FENCES[edge.detail])
        elif edge is not None and edge.kind == DEP:
            assert event.previous is not None
            source = self.loaded[event.previous.index]
            if edge.detail == "Data":
                value = f"{value} + ({source} ^ {source})"
            else:
                self._line(f"if ({source} >= 0) {{")
                self.depth += 1
        if event.rmw is not None:
            self._rmw(event, event.rmw)
        elif event.direction == "R":
            values = () if event.value is None else (event.value,)
            self.loaded[event.index] = self.load(event.location, event.annotation, values)
        elif event.previous is None or event.previous.rmw is not event:
            self.locations[event.location] = None
            if event.annotation == PLAIN:
                self._line(f"*{event.location} = {value};")
            else:
                order = ORDERS[event.annotation]
                self._line(f"atomic_store_explicit({event.location},{value},{order});")

    def load(self, location: str, annotation: str, values: tuple[int, ...]) -> str:
        self.locations[location] = None
        register = self._register()
        if annotation == PLAIN:
            self._line(f"int {register} = *{location};")
        else:
            order = ORDERS[annotation]
            self._line(f"int {register} = atomic_load_explicit({location},{order});")
        if values:
            self.checks.append(seen(f"{self.number}:{register}", values))
        return register

    def _rmw(self, read: CycleEvent, write: CycleEvent) -> None:
        order = _RMW_ORDER.get((read.annotation, write.annotation))
        if order is None:
            raise InputError(
                f"C has no read-modify-write whose read is {C.reads[read.annotation]} "
                f"and whose write is {C.writes[write.annotation]}"
            )
        assert write.incoming is not None and read.value is not None and write.value is not None
        register = self._register()
        self.loaded[read.index] = register
        self.locations[read.location] = None
        call, operand = "exchange", write.value
        if write.incoming.detail == "FetchAdd":
            call, operand = "fetch_add", write.value - read.value
        self._line(
            f"int {register} = atomic_{call}_explicit({read.location},{operand},{ORDERS[order]});"
        )
        self.checks.append(seen(f"{self.number}:{register}", (read.value,)))

    def _register(self) -> str:
        self.registers += 1
        return f"r{self.registers - 1}"

    def _line(self, text: str) -> None:
        self.lines.append("  " * (self.depth + 1) + text)

    def text(self) -> str:
        kinds = {True: "atomic_int*", False: "int*"}
        parameters = ", ".join(f"{kinds[x in self.atomic]} {x}" for x in self.locations)
        closing = ["  " * level + "}" for level in range(self.depth, 0, -1)]
        return "\n".join([f"P{self.number} ({parameters}) {{", *self.lines, *closing, "}"])
