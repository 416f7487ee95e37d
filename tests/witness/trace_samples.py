"""Traces made by hand, for the witness tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hybrid.execution.trace import Event, EventId, Pairs, Status, TraceData
from hybrid.program.condition import (
    And,
    Compare,
    Condition,
    LocationTerm,
    Quantifier,
    RegisterTerm,
    Term,
    Value,
)
from hybrid.program.expr import Binary, Const, Expr, Register
from hybrid.program.instructions import (
    Assert,
    Branch,
    Fence,
    Instruction,
    Load,
    Rmw,
    Store,
    StoreConditional,
)
from hybrid.program.program import Location, Program, Thread
from hybrid.source import nowhere

HERE = nowhere("<sample>")
PLAIN = frozenset({"NA"})
PLACES = {name: 0x1000 + 8 * index for index, name in enumerate("xyzw")}


def place(name: str) -> Const:
    return Const(HERE, PLACES[name], f"&{name}")


def num(value: int) -> Const:
    return Const(HERE, value)


def reg(name: str) -> Register:
    return Register(HERE, name)


def plus(left: Expr, right: Expr) -> Binary:
    return Binary(HERE, "+", left, right)


def load(label: str, register: str, name: str, *tags: str) -> Load:
    return Load(HERE, label, register, place(name), frozenset(tags) or PLAIN)


def store(label: str, name: str, value: Expr | int, *tags: str) -> Store:
    stored = num(value) if isinstance(value, int) else value
    return Store(HERE, label, place(name), stored, frozenset(tags) or PLAIN)


def fence(label: str, tag: str) -> Fence:
    return Fence(HERE, label, frozenset({tag}))


def program(
    name: str, threads: Mapping[str, Sequence[Instruction]], locations: str = "xy"
) -> Program:
    cells = tuple(Location(HERE, n, PLACES[n], 0) for n in locations)
    return Program(name, cells, tuple(Thread(HERE, n, tuple(c)) for n, c in threads.items()))


def asking(base: Program, quantifier: Quantifier, **values: int) -> Program:
    """`base` with a condition; a name is `P_r0` for a register of thread P, or a location."""
    parts: list[Compare] = []
    for name, value in values.items():
        term: Term
        if "_" in name:
            thread, register = name.split("_")
            index = [t.name for t in base.threads].index(thread)
            term = RegisterTerm(HERE, index, register, f"{thread}:{register}")
        else:
            term = LocationTerm(HERE, PLACES[name], name)
        parts.append(Compare(HERE, "==", term, Value(HERE, value)))
    return replace(base, condition=Condition(HERE, quantifier, And(HERE, tuple(parts))))


def trace(
    base: Program,
    events: Sequence[tuple[EventId, str, str, str | None, int | None]],
    rf: Mapping[EventId, EventId],
    co: Mapping[str, Sequence[EventId]],
    registers: Sequence[Mapping[str, int]],
    *,
    addr: Pairs = frozenset(),
    data: Pairs = frozenset(),
    ctrl: Pairs = frozenset(),
    amo: Pairs = frozenset(),
    lxsx: Pairs = frozenset(),
    failed: tuple[str, ...] = (),
    status: Status = Status.COMPLETE,
    run: tuple[tuple[EventId, EventId | int | None], ...] = (),
    flags: tuple[str, ...] = (),
    error: str = "",
) -> TraceData:
    """Events are (id, kind, label, location, value); the rest of a trace follows."""
    tags = {i.label: getattr(i, "tags", frozenset()) for t in base.threads for i in t.code}
    found = [
        Event((-1, i), "W", f"init {c.name}", c.address, c.initial, frozenset({"IW"}))
        for i, c in enumerate(base.locations)
    ]
    for event_id, kind, label, name, value in sorted(events):
        address = None if name is None else PLACES[name]
        found.append(Event(event_id, kind, label, address, value, tags[label]))
    values = {event.id: event.value for event in found}
    orders = {c.address: tuple(co.get(c.name, ())) for c in base.locations}
    memory: dict[int, int] = {}
    for index, cell in enumerate(base.locations):
        final = values[(orders[cell.address] or ((-1, index),))[-1]]
        assert final is not None
        memory[cell.address] = final
    return TraceData(
        base, tuple(found), rf, orders, addr, data, ctrl, amo, lxsx, tuple(registers), memory,
        failed, status, error, run, flags,
    )  # fmt: skip


def pairs(*found: tuple[EventId, EventId]) -> Pairs:
    return frozenset(found)


X, Y = (-1, 0), (-1, 1)  # the initial writes of the first two locations


def lb_data(with_run: bool = True) -> TraceData:
    """The trace of Fig. 2 of the RSMC paper."""
    base = program(
        "LB+data",
        {
            "P": [load("L0", "r0", "x"), store("L1", "y", plus(reg("r0"), num(1)))],
            "Q": [load("L2", "r1", "y"), store("L3", "x", 1)],
        },
    )
    order: tuple[tuple[EventId, EventId | int | None], ...] = (
        ((1, 1), 0), ((0, 0), (1, 1)), ((0, 1), 0), ((1, 0), (0, 1)),
    )  # fmt: skip
    return trace(
        asking(base, Quantifier.EXISTS, P_r0=1, Q_r1=2),
        [
            ((0, 0), "R", "L0", "x", 1), ((0, 1), "W", "L1", "y", 2),
            ((1, 0), "R", "L2", "y", 2), ((1, 1), "W", "L3", "x", 1),
        ],
        {(0, 0): (1, 1), (1, 0): (0, 1)},
        {"x": [(1, 1)], "y": [(0, 1)]},
        [{"r0": 1}, {"r1": 2}],
        data=pairs(((0, 0), (0, 1))),
        run=order if with_run else (),
    )  # fmt: skip


def mp() -> TraceData:
    """MP with a lwsync and an address dependency that is a plain one here: the second load reads
    0."""
    base = program(
        "MP+lwsync+po",
        {
            "P": [store("L0", "x", 1), fence("L1", "LWSYNC"), store("L2", "y", 1)],
            "Q": [load("L3", "r0", "y"), load("L4", "r1", "x")],
        },
    )
    return trace(
        asking(base, Quantifier.EXISTS, Q_r0=1, Q_r1=0),
        [
            ((0, 0), "W", "L0", "x", 1), ((0, 1), "F", "L1", None, None), ((0, 2), "W", "L2", "y",
             1),
            ((1, 0), "R", "L3", "y", 1), ((1, 1), "R", "L4", "x", 0),
        ],
        {(1, 0): (0, 2), (1, 1): X},
        {"x": [(0, 0)], "y": [(0, 2)]},
        [{}, {"r0": 1, "r1": 0}],
    )  # fmt: skip


def iriw() -> TraceData:
    base = program(
        "IRIW+addrs",
        {
            "P": [store("L0", "x", 1)],
            "Q": [load("L1", "r0", "x"), load("L2", "r1", "y")],
            "R": [store("L3", "y", 1)],
            "S": [load("L4", "r2", "y"), load("L5", "r3", "x")],
        },
    )
    return trace(
        asking(base, Quantifier.NOT_EXISTS, Q_r0=1, Q_r1=0, S_r2=1, S_r3=0),
        [
            ((0, 0), "W", "L0", "x", 1), ((1, 0), "R", "L1", "x", 1), ((1, 1), "R", "L2", "y", 0),
            ((2, 0), "W", "L3", "y", 1), ((3, 0), "R", "L4", "y", 1), ((3, 1), "R", "L5", "x", 0),
        ],
        {(1, 0): (0, 0), (1, 1): Y, (3, 0): (2, 0), (3, 1): X},
        {"x": [(0, 0)], "y": [(2, 0)]},
        [{}, {"r0": 1, "r1": 0}, {}, {"r2": 1, "r3": 0}],
        addr=pairs(((1, 0), (1, 1)), ((3, 0), (3, 1))),
    )  # fmt: skip


def wrc() -> TraceData:
    base = program(
        "WRC+data+po",
        {
            "P": [store("L0", "x", 1)],
            "Q": [load("L1", "r0", "x"), store("L2", "y", reg("r0"))],
            "R": [load("L3", "r1", "y"), load("L4", "r2", "x")],
        },
    )
    return trace(
        asking(base, Quantifier.EXISTS, Q_r0=1, R_r1=1, R_r2=0),
        [
            ((0, 0), "W", "L0", "x", 1), ((1, 0), "R", "L1", "x", 1), ((1, 1), "W", "L2", "y", 1),
            ((2, 0), "R", "L3", "y", 1), ((2, 1), "R", "L4", "x", 0),
        ],
        {(1, 0): (0, 0), (2, 0): (1, 1), (2, 1): X},
        {"x": [(0, 0)], "y": [(1, 1)]},
        [{}, {"r0": 1}, {"r1": 1, "r2": 0}],
        data=pairs(((1, 0), (1, 1))),
    )  # fmt: skip


def two_plus_two_w() -> TraceData:
    base = program(
        "2+2W",
        {
            "P": [store("L0", "x", 1), store("L1", "y", 2)],
            "Q": [store("L2", "y", 1), store("L3", "x", 2)],
        },
    )
    return trace(
        asking(base, Quantifier.EXISTS, x=1, y=1),
        [
            ((0, 0), "W", "L0", "x", 1), ((0, 1), "W", "L1", "y", 2),
            ((1, 0), "W", "L2", "y", 1), ((1, 1), "W", "L3", "x", 2),
        ],
        {},
        {"x": [(1, 1), (0, 0)], "y": [(0, 1), (1, 0)]},
        [{}, {}],
    )  # fmt: skip


def loop_rmw() -> TraceData:
    """A spin lock of sorts: a loop around a compare-and-swap, an exclusive pair that fails once, a
    failed assert."""
    spin = [
        Rmw(HERE, "L0", "r0", "cas", place("x"), num(1), num(0), frozenset({"ACQ"})),
        Branch(HERE, "L1", Binary(HERE, "!=", reg("r0"), num(0)), 0),
        Assert(HERE, "L2", Binary(HERE, "==", reg("r0"), num(1))),
    ]
    exclusive = [
        store("L3", "x", 5),
        Load(HERE, "L4", "r1", place("y"), PLAIN, exclusive=True),
        StoreConditional(HERE, "L5", "r2", place("y"), plus(reg("r1"), num(1)), PLAIN),
        Branch(HERE, "L6", Binary(HERE, "!=", reg("r2"), num(0)), 1),
        store("L7", "x", 0, "REL"),
    ]
    base = program("loop & <rmw>", {"P": spin, "Q": exclusive})
    return trace(
        asking(base, Quantifier.FORALL, P_r0=1, x=1),
        [
            ((0, 0), "R", "L0", "x", 5), ((0, 2), "B", "L1", None, None),
            ((0, 3), "R", "L0", "x", 0), ((0, 4), "W", "L0", "x", 1), ((0, 5), "B", "L1", None,
             None),
            ((1, 0), "W", "L3", "x", 5),
            ((1, 1), "R", "L4", "y", 0), ((1, 3), "B", "L6", None, None),
            ((1, 4), "R", "L4", "y", 0), ((1, 5), "W", "L5", "y", 1), ((1, 6), "B", "L6", None,
             None),
            ((1, 7), "W", "L7", "x", 0),
        ],
        {(0, 0): (1, 0), (0, 3): (1, 7), (1, 1): Y, (1, 4): Y},
        {"x": [(1, 0), (1, 7), (0, 4)], "y": [(1, 5)]},
        [{"r0": 0}, {"r1": 0, "r2": 0}],
        data=pairs(((1, 4), (1, 5)), ((0, 3), (0, 4))),
        ctrl=pairs(
            *(((0, 0), (0, i)) for i in (3, 4, 5)),
            *(((1, 1), (1, i)) for i in (4, 5, 6, 7)), ((1, 4), (1, 7)),
        ),
        amo=pairs(((0, 3), (0, 4))),
        lxsx=pairs(((1, 4), (1, 5))),
        failed=("L2",),
        flags=("race",),
    )  # fmt: skip


def long_one() -> TraceData:
    """Three threads with ten events each: stores to x, loads of x, and a mix with dependencies."""
    writer: list[Instruction] = []
    reader: list[Instruction] = []
    mixed: list[Instruction] = []
    events: list[tuple[EventId, str, str, str | None, int | None]] = []
    rf: dict[EventId, EventId] = {}
    co: dict[str, list[EventId]] = {"x": [], "y": [], "z": []}
    values: dict[str, int] = {}
    for i in range(10):
        if i == 5:
            writer.append(fence("A5", "SYNC"))
            events.append(((0, i), "F", "A5", None, None))
        else:
            name = "xyz"[i % 3]
            writer.append(store(f"A{i}", name, i + 1))
            events.append(((0, i), "W", f"A{i}", name, i + 1))
            co[name].append((0, i))
    for i in range(10):
        name = "xyz"[i // 4]
        reader.append(load(f"B{i}", f"r{i}", name))
        source = co[name][min(i % 4, len(co[name])) - 1] if i % 4 else (-1, "xyz".index(name))
        value = 0 if source[0] < 0 else source[1] + 1
        events.append(((1, i), "R", f"B{i}", name, value))
        values[f"r{i}"] = value
        rf[1, i] = source
    for i in range(0, 10, 2):
        name = "xyz"[i % 3]
        mixed.append(load(f"C{i}", f"s{i}", name))
        mixed.append(store(f"C{i + 1}", name, plus(reg(f"s{i}"), num(100))))
        source = co[name][-1]
        value = next(e[4] for e in events if e[0] == source)
        assert value is not None
        events.append(((2, i), "R", f"C{i}", name, value))
        events.append(((2, i + 1), "W", f"C{i + 1}", name, value + 100))
        co[name].append((2, i + 1))
        rf[2, i] = source
    base = program("long", {"Writer": writer, "Reader": reader, "Mixed": mixed}, "xyz")
    return trace(
        asking(base, Quantifier.EXISTS, x=1),
        events,
        rf,
        co,
        [{}, values, {}],
        data=pairs(*(((2, i), (2, i + 1)) for i in range(0, 10, 2))),
        addr=pairs(((1, 0), (1, 3)), ((1, 2), (1, 9))),
    )


SAMPLES = {
    "lb_data": lb_data,
    "mp": mp,
    "iriw": iriw,
    "wrc": wrc,
    "two_plus_two_w": two_plus_two_w,
    "loop_rmw": loop_rmw,
    "long_one": long_one,
}
