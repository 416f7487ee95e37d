"""A trace taken from a growing execution: copies of its lists, spelled out only when asked."""

from __future__ import annotations

from typing import Final

from hybrid.execution.binding import Registers
from hybrid.execution.bits import members
from hybrid.execution.execution import FAIL, Execution
from hybrid.execution.step import BRANCH, CHOICE, CONDITIONAL, RMW, End, Step
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
    class_key,
)
from hybrid.program.condition import RegisterTerm, Term
from hybrid.program.loops import CutPlace

_CUT: Final = Status.CUT  # looked up once


class Snapshot(Trace):
    """The execution as it was when this was made."""

    __slots__ = (
        "_beyond",
        "_co",
        "_committed",
        "_cut",
        "_errors",
        "_last_of",
        "_location",
        "_next",
        "_numbering",
        "_program",
        "_result",
        "_run",
        "_source",
        "_stands_at",
        "_steps",
        "_stored",
        "_thread_bits",
        "_unfolding",
        "_waiting",
        "failed",
        "flags",
        "status",
    )

    def __init__(
        self,
        execution: Execution,
        status: Status,
        flags: tuple[str, ...],
        co: list[list[int]] | None = None,
        last_of: tuple[int, ...] | None = None,
        waiting: tuple[Wait, ...] = (),
    ) -> None:
        """`co`, where given, takes the place of the execution's. With `last_of` the trace stands
        for its reads-from class: its key has the sources of loads and the co-last stores of these
        locations."""
        self._program = execution.unfolding.program
        self._unfolding = execution.unfolding
        self._numbering = execution.numbering
        self._beyond = beyond = execution.beyond()
        self._committed = execution.committed & ~execution.unfounded() & ~beyond
        self._steps = execution.steps.copy()
        self._result = execution.result.copy()
        self._stored = execution.stored.copy()
        self._location = execution.location.copy()
        self._source = execution.source.copy()
        self._co = [order.copy() for order in execution.co] if co is None else co
        if beyond:
            self._co = [[s for s in order if not beyond >> s & 1] for order in self._co]
        self._thread_bits = execution.thread_bits  # it only grows
        self._last_of = last_of
        self._next = execution.next.copy()
        self._run = execution.run.copy()
        self._errors = execution.reached_errors() if execution.errors else []
        self._stands_at: list[Step | None] = []  # by thread; empty: all have come to an end
        if execution.pending or execution.errors:
            self._stands_at = [execution.stands_at(t) for t in range(execution.numbering.threads)]
        self._cut = execution.cut() if status is _CUT else ()
        self._waiting = waiting
        self.status = status
        self.flags = flags
        self.failed = self._failed(execution)

    def _failed(self, execution: Execution) -> tuple[str, ...]:
        failed = {
            label
            for label, condition in execution.reached_asserts()
            if not condition.evaluate(self._result)
        }
        if not failed:
            return ()
        threads = self._program.threads
        return tuple(i.label for thread in threads for i in thread.code if i.label in failed)

    def _id(self, event: int) -> EventId:
        step = self._steps[event]
        if step is None:
            return self._numbering.initial_id(event)
        return (step.thread, step.index + (event == step.second))

    def value_of(self, term: Term) -> int:
        if isinstance(term, RegisterTerm):
            value = self._registers_of(term.thread).get(term.register)
            return 0 if value is None else value.bound.evaluate(self._result)
        location = self._numbering.number_of(term.address)
        if not 0 <= location < len(self._co):  # never touched
            return self._program.by_address[term.address].initial
        return self._stored[self._co[location][-1]]

    def key(self) -> Key:
        rf = sorted(
            (self._id(event), self._id(self._source[event]))
            for event in members(self._committed)
            if self._is_load(event)
        )
        locations = self._numbering.locations
        co = sorted(
            (location.address, tuple(self._id(event) for event in order[1:]))
            for location, order in zip(locations, self._co, strict=False)
            if len(order) > 1
        )
        key = (tuple(rf), tuple(co))
        if self._last_of is None:
            return key
        return class_key(key, {locations[i].address for i in self._last_of})

    def goes_before(self, other: Trace) -> bool:
        """As the comparison of keys, but only as far as they are equal: that is done for every
        trace of an exploration."""
        if (
            not isinstance(other, Snapshot)
            or other._numbering is not self._numbering
            or self._last_of is not None
        ):
            return self.key() < other.key()
        for thread, bits in enumerate(self._thread_bits):
            mine, theirs = self._committed & bits, other._committed & bits
            while True:
                own, its = self._first_load(mine), other._first_load(theirs)
                if own < 0 and its < 0:
                    break
                if own < 0:  # the next of its own loads, if there is one, is of a later thread
                    return not self._loads_after(thread)
                if its < 0:
                    return other._loads_after(thread)
                order = _compared(self._id(own), other._id(its))
                if order == 0:
                    order = _compared(self._id(self._source[own]), other._id(other._source[its]))
                if order != 0:
                    return order < 0
                mine &= -2 << own
                theirs &= -2 << its
        return self._orders_before(other)

    def _first_load(self, events: int) -> int:
        """The load of these events with the lowest number; -1: there is none."""
        while events:
            low = events & -events
            event = low.bit_length() - 1
            if self._is_load(event):
                return event
            events ^= low
        return -1

    def _loads_after(self, thread: int) -> bool:
        """Whether a later thread has loads."""
        later = self._thread_bits[thread + 1 :]
        return any(self._first_load(bits & self._committed) >= 0 for bits in later)

    def _orders_before(self, other: Snapshot) -> bool:
        """Whether the coherence orders of its key come before the other's."""
        for location in self._numbering.by_address:
            mine, theirs = self._order(location), other._order(location)
            if len(mine) == 1 or len(theirs) == 1:
                if len(mine) == len(theirs):
                    continue
                # One has stores here; the next of the other, if there is one, is of a higher
                # address.
                if len(theirs) == 1:
                    return other._stored_above(location)
                return not self._stored_above(location)
            for own, its in zip(mine, theirs, strict=False):
                order = _compared(self._id(own), other._id(its))
                if order != 0:
                    return order < 0
            if len(mine) != len(theirs):
                return len(mine) < len(theirs)
        return False

    def _order(self, location: int) -> list[int]:
        """The coherence order of a location; of one that had no number then, one like it."""
        return self._co[location] if location < len(self._co) else [-1]

    def _stored_above(self, location: int) -> bool:
        """Whether there are stores to a location with a higher address."""
        places = self._numbering.by_address
        return any(len(self._order(each)) > 1 for each in places[places.index(location) + 1 :])

    def late_stores(self) -> tuple[str, ...]:
        """As of its data, without spelling them out: that is done for every trace."""
        frees, from_start = self._program.frees, self._program.freed_from_start
        found: dict[EventId, str] = {}
        for place, order in zip(self._numbering.locations, self._co, strict=False):
            freed = place.address in from_start
            for event in order[1:]:
                step = self._steps[event]
                assert step is not None
                if step.label in frees:
                    freed = True
                elif freed:
                    found[self._id(event)] = step.label
        return tuple(dict.fromkeys(found[each] for each in sorted(found)))

    def _is_load(self, event: int) -> bool:
        step = self._steps[event]
        return step is not None and step.event == event and step.kind % 2 == 0 and step.kind <= RMW

    def data(self) -> TraceData:
        branches = self._branches()
        depends = self._dependencies(branches)
        memory = {place.address: place.initial for place in self._program.locations}
        co: dict[int, tuple[EventId, ...]] = dict.fromkeys(memory, ())
        for place, order in zip(self._numbering.locations, self._co, strict=False):
            memory[place.address] = self._stored[order[-1]]
            co[place.address] = tuple(self._id(event) for event in order[1:])
        return TraceData(
            program=self._program,
            events=tuple(sorted(self._events(branches), key=lambda event: event.id)),
            rf={
                self._id(event): self._id(self._source[event])
                for event in members(self._committed)
                if self._is_load(event)
            },
            co=co,
            addr=self._pairs(depends, "addr"),
            data=self._pairs(depends, "data"),
            ctrl=self._pairs(depends, "ctrl"),
            pick=self._pairs(depends, "pick"),
            amo=self._pairs(depends, "amo"),
            lxsx=self._pairs(depends, "lxsx"),
            registers=tuple(self._registers(t) for t in range(self._numbering.threads)),
            memory=memory,
            failed=self.failed,
            status=self.status,
            error=self._error(),
            run=tuple(self._run_steps()),
            flags=self.flags,
            cut=self._cut,
            waiting=self._waiting,
            strays=self.strays(),
        )

    def _branches(self) -> list[Step]:
        """The branches that the run has come to, where these have no numbers."""
        found: list[Step] = []
        if self._unfolding.branches:
            return found
        for thread, root in enumerate(self._unfolding.roots):
            end = self._stands_at[thread] if self._stands_at else None
            following = root
            while isinstance(following, Step) and following is not end:
                if following.kind == BRANCH:
                    found.append(following)
                outcome = self._outcome(following)
                if outcome < 0:
                    break
                following = self._unfolding.follow(following, outcome)
        return found

    def _outcome(self, step: Step) -> int:
        """How a step of the run has gone; -1: a choice that was not made, as the access erred."""
        if step.kind == BRANCH:
            return 1 if step.value.evaluate(self._result) else 0
        if not step.decides:
            return 0
        if step.kind == CONDITIONAL:
            return 1 - self._result[step.event]
        if step.kind == CHOICE:
            access = self._unfolding.follow(step, 1)
            assert isinstance(access, Step)
            made = self._steps[access.event]
            assert made is not None
            return made.guess if self._committed >> made.event & 1 else -1
        return self._committed >> step.second & 1

    def _events(self, branches: list[Step]) -> list[Event]:
        """The initial writes, those of locations that are never touched included, and what is
        committed."""
        found = [
            Event((step.thread, step.index), "B", step.label, None, None, step.tags)
            for step in branches
        ]
        for i, place in enumerate(self._program.locations):
            label = f"init {place.name}"
            found.append(Event((-1, i), "W", label, place.address, place.initial, frozenset()))
        for number in members(self._committed & ~self._numbering.initial_writes):
            step = self._steps[number]
            assert step is not None
            kind = "W" if number == step.second else "RWRWFB"[step.kind]
            address = value = None
            if kind in "RW":
                address = self._numbering.locations[self._location[step.event]].address
                value = self._stored[number] if kind == "W" else self._result[number]
            found.append(Event(self._id(number), kind, step.label, address, value, step.tags))
        return found

    def _dependencies(self, branches: list[Step]) -> list[tuple[str, int, EventId]]:
        """The name of a relation within a thread, an event, committed or not, and one that is in
        the trace to which it is related."""
        found: list[tuple[str, int, EventId]] = []
        for branch in branches:
            place = (branch.thread, branch.index)
            found.extend(("ctrl", source, place) for source in members(branch.depends.ctrl))
        for number in members(self._committed & ~self._numbering.initial_writes):
            step = self._steps[number]
            assert step is not None
            depends, place = step.depends_of(number), self._id(number)
            for name, sources in (
                ("addr", depends.addr),
                ("data", depends.data),
                ("ctrl", depends.ctrl),
                ("pick", depends.pick),
            ):
                found.extend((name, source, place) for source in members(sources))
            if number == step.second:
                found.append(("amo", step.event, place))
            if step.kind == CONDITIONAL and step.reserve is not None:
                found.append(("amo" if step.amo else "lxsx", step.reserve.event, place))
        return found

    def cut(self) -> tuple[CutPlace, ...]:
        return self._cut

    def _pairs(self, listed: list[tuple[str, int, EventId]], name: str) -> Pairs:
        """The committed ones of a relation."""
        return frozenset(
            (self._id(a), b) for each, a, b in listed if each == name and self._committed >> a & 1
        )

    def _registers_of(self, thread: int) -> Registers:
        step = self._stands_at[thread] if self._stands_at else None
        if step is not None:
            return step.before.registers
        following = self._next[thread]
        return following.registers if isinstance(following, End) else {}

    def _registers(self, thread: int) -> dict[str, int]:
        """What the registers of a thread hold where it stands."""
        registers = self._registers_of(thread)
        return {name: v.bound.evaluate(self._result) for name, v in sorted(registers.items())}

    def strays(self) -> tuple[StrayAccess, ...]:
        """What went wrong, thread by thread."""
        found = sorted(self._errors, key=lambda error: error[0].thread)
        return tuple(StrayAccess(step.thread, step.label, address) for step, address in found)

    def _error(self) -> str:
        """The same in words."""
        program = self._program
        return "; ".join(
            program.addresses.error(program.threads[stray.thread].name, stray.label, stray.address)
            for stray in self.strays()
        )

    def _run_steps(self) -> list[tuple[EventId, EventId | int | None]]:
        """The commits with their parameters; a store's is its place among the stores committed
        before it."""
        steps: list[tuple[EventId, EventId | int | None]] = []
        done: set[int] = set()
        for event, parameter in self._run:
            step = self._steps[event]
            assert step is not None
            if step.kind == CHOICE or self._beyond >> event & 1:
                continue
            if parameter == FAIL:
                steps.append((self._id(event), None))
            elif self._is_load(event):
                steps.append((self._id(event), self._id(parameter)))
                done.add(step.second)
            else:
                order = self._co[self._location[event]]
                place = sum(store in done for store in order[1 : order.index(event)])
                steps.append((self._id(event), place))
                done.add(event)
        return steps


def _compared(one: EventId, other: EventId) -> int:
    """Negative when the first comes before, 0 when they are equal."""
    return one[0] - other[0] if one[0] != other[0] else one[1] - other[1]
