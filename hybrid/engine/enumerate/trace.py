"""The events of one combination of paths in a row, and the traces made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hybrid.engine.enumerate.evaluate import Value, base_values
from hybrid.engine.enumerate.solve import Access, Combination, Solution
from hybrid.engine.enumerate.walk import PathEvent
from hybrid.execution.trace import (
    Event,
    EventId,
    Key,
    Pairs,
    Status,
    StrayAccess,
    Trace,
    TraceData,
    Wait,
    wait_at,
)
from hybrid.program.condition import RegisterTerm, Term
from hybrid.program.loops import CutPlace
from hybrid.program.program import Program


class EventLayout:
    """The events of a combination: the initial writes, then thread by thread. An event's position
    is its bit."""

    def __init__(self, program: Program, combination: Combination, status: Status) -> None:
        self.program = program
        self.combination = combination
        self.status = status
        self.events: list[tuple[EventId, PathEvent | None]] = [  # None: an initial write
            ((-1, i), None) for i in range(len(program.locations))
        ]
        for path in combination.paths:
            self.events.extend(((path.thread, event.index), event) for event in path.events)
        self.ids = tuple(event for event, _ in self.events)
        self.position = {event: i for i, event in enumerate(self.ids)}
        constant = combination.terms.constant
        self.address_terms = [
            constant(program.locations[number].address) if event is None else event.address
            for (_, number), event in self.events
        ]
        value = combination.terms.value
        self.fixed_addresses = all(t is None or value(t) is not None for t in self.address_terms)

    def pairs(self) -> dict[str, Pairs]:
        """addr, data, ctrl, pick, amo and lxsx."""
        found: dict[str, set[tuple[EventId, EventId]]] = {
            name: set() for name in ("addr", "data", "ctrl", "pick", "amo", "lxsx")
        }
        for path in self.combination.paths:
            t = path.thread
            for event in path.events:
                here = (t, event.index)
                found["addr"] |= {((t, load), here) for load in event.addr}
                found["data"] |= {((t, load), here) for load in event.data}
                found["ctrl"] |= {((t, load), here) for load in event.ctrl}
                found["pick"] |= {((t, load), here) for load in event.pick}
            found["amo"] |= {((t, load), (t, store)) for load, store in path.amo}
            found["lxsx"] |= {((t, load), (t, store)) for load, store in path.lxsx}
        return {name: frozenset(pairs) for name, pairs in found.items()}

    def base(self) -> dict[str, Value]:
        """The base sets and relations that the paths give."""
        kinds = ["W" if event is None else event.kind for _, event in self.events]
        tags = [frozenset[str]() if event is None else event.tags for _, event in self.events]
        return base_values(self.ids, kinds, tags, self.pairs())

    def rf(self, sources: Sequence[Access]) -> list[int]:
        """The sources of the first loads, or of all."""
        rows = [0] * len(self.ids)
        for load, source in zip(self.combination.loads, sources, strict=False):
            rows[self.position[source.event]] |= 1 << self.position[load.event]
        return rows

    def addresses(self, values: Mapping[int, int]) -> list[int | None]:
        """By event; None for fences and branches, and where there is no value."""
        return [None if term is None else values.get(term) for term in self.address_terms]

    def stores_by_location(self, addresses: Sequence[int | None]) -> list[list[int]]:
        """The positions of each location's stores, the initial write first."""
        stores: dict[int, list[int]] = {}
        for access in self.combination.stores:
            position = self.position[access.event]
            address = addresses[position]
            if address is not None:
                stores.setdefault(address, []).append(position)
        return list(stores.values())


class Candidate(Trace):
    """An allowed execution."""

    def __init__(
        self,
        layout: EventLayout,
        solution: Solution,
        co: tuple[tuple[int, ...], ...],
        flags: tuple[str, ...],
    ) -> None:
        self._layout = layout
        self._solution = solution
        self._co = co
        self.flags = flags
        self.waiting: tuple[Wait, ...] = ()
        self.status = layout.status
        values = solution.values
        failed = {
            label
            for path in layout.combination.paths
            for label, condition in path.asserts
            if values[condition] == 0
        }
        self.failed = tuple(
            instruction.label
            for thread in layout.program.threads
            for instruction in thread.code
            if instruction.label in failed
        )

    def wait_for_ever(self) -> None:
        """Makes a blocked execution, all of whose blocked threads stand at awaits, or at assumes
        that stand for loops, a WAITING one if none of the awaits would accept what its location
        holds in the end, and memory holds what else the loops have read."""
        values, memory = self._solution.values, self._memory()
        found: list[Wait] = []
        for path in self._layout.combination.paths:
            stop = path.stops_at
            if stop is None:
                continue
            if any(memory.get(values[place]) != values[held] for place, held in stop.rereads):
                return
            held = {name: values[term] for name, term in stop.held.items()}
            address = None if stop.address is None else values[stop.address]
            guard = stop.instruction.awaits
            if guard is not None and address is not None and guard.accepts(memory[address], held):
                return
            found.append(wait_at(path.thread, stop.instruction, address, held))
        self.waiting = tuple(found)
        self.status = Status.COMPLETE if self._is_over() else Status.WAITING

    def _is_over(self) -> bool:
        """Whether the program is over, though threads wait."""
        end, values = self._layout.program.end, self._solution.values
        if end is None:
            return False
        ended = [p.registers for p in self._layout.combination.paths if p.stops_at is None]
        exits, returns = (
            any(name in each and values[each[name]] for each in ended)
            for name in (end.exits, end.returns)
        )
        return end.is_over(exits, returns, [wait.thread for wait in self.waiting])

    def key(self) -> Key:
        ids, events = self._layout.ids, self._solution
        loads = self._layout.combination.loads
        rf = sorted(
            (load.event, source.event) for load, source in zip(loads, events.sources, strict=True)
        )
        locations = self._layout.program.locations
        co = sorted(
            (locations[ids[order[0]][1]].address, tuple(ids[store] for store in order[1:]))
            for order in self._co
            if len(order) > 1
        )
        return tuple(rf), tuple(co)

    def value_of(self, term: Term) -> int:
        values = self._solution.values
        if isinstance(term, RegisterTerm):
            held = self._layout.combination.paths[term.thread].registers.get(term.register)
            return 0 if held is None else values[held]
        return self._memory()[term.address]

    def _memory(self) -> dict[int, int]:
        locations = self._layout.program.locations
        memory = {}
        for order in self._co:
            place = locations[self._layout.ids[order[0]][1]]
            event = self._layout.events[order[-1]][1]
            if event is None or event.value is None:
                memory[place.address] = place.initial
            else:
                memory[place.address] = self._solution.values[event.value]
        return memory

    def data(self) -> TraceData:
        layout, values = self._layout, self._solution.values
        program, paths = layout.program, layout.combination.paths
        events = []
        for identity, event in layout.events:
            if event is None:
                place = program.locations[identity[1]]
                events.append(
                    Event(
                        identity,
                        "W",
                        f"init {place.name}",
                        place.address,
                        place.initial,
                        frozenset(),
                    )
                )
            else:
                address = None if event.address is None else values[event.address]
                value = None if event.value is None else values[event.value]
                events.append(Event(identity, event.kind, event.label, address, value, event.tags))
        strays = tuple(
            StrayAccess(path.thread, path.error[0], values[path.error[1]])
            for path in paths
            if path.error is not None
        )
        errors = [
            program.addresses.error(program.threads[each.thread].name, each.label, each.address)
            for each in strays
        ]
        pairs = layout.pairs()
        rf, stored = self.key()
        co = {place.address: () for place in program.locations} | dict(stored)
        return TraceData(
            program=program,
            events=tuple(events),
            rf=dict(rf),
            co=co,
            addr=pairs["addr"],
            data=pairs["data"],
            ctrl=pairs["ctrl"],
            pick=pairs["pick"],
            amo=pairs["amo"],
            lxsx=pairs["lxsx"],
            registers=tuple(
                {name: values[term] for name, term in path.registers.items()} for path in paths
            ),
            memory=self._memory(),
            failed=self.failed,
            status=self.status,
            error="; ".join(errors),
            flags=self.flags,
            cut=self.cut(),
            waiting=self.waiting,
            strays=strays,
        )

    def cut(self) -> tuple[CutPlace, ...]:
        paths = self._layout.combination.paths if self.status is Status.CUT else ()
        return tuple(path.cut for path in paths if path.cut is not None)
