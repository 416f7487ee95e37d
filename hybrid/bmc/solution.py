"""A solution of the formula read back as a trace: the same, in every detail, as an explorer's.

What the solver says of rf, co, choices and guards is copied when it has answered; values follow
from them and are computed by hybrid.program.values, not read from bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from hybrid.bmc.bits import number
from hybrid.bmc.formula import Formula
from hybrid.bmc.slots import Slot, Sources, Symbolic, SymbolicStop, ThreadEnding
from hybrid.errors import InternalError
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
from hybrid.program import values
from hybrid.program.condition import RegisterTerm, Term
from hybrid.program.loops import CutPlace
from hybrid.program.program import Program

_VALUELESS = frozenset(("false", "true", "not", "and", "or", "test", "located", "choice"))


@dataclass(slots=True)
class FormulaSolution:
    """What was read from the solver."""

    truths: dict[int, bool]  # of the truths that have literals
    happening: list[Slot]  # in order
    rf: dict[int, int]  # from loads to their sources
    co: dict[int, tuple[int, ...]]  # by address: the stores in order, the initial write left out
    bits: dict[int, int]  # what loads read, by the solver


def read(formula: Formula) -> FormulaSolution:
    """The solution that the solver found last."""
    value = formula.logic.value
    truths = {term: value(literal) for term, literal in formula.truths.items()}
    happening = [slot for slot in formula.slots if truths[slot.happens]]
    rf = {load: store for (store, load), literal in formula.rf.items() if value(literal)}
    co: dict[int, tuple[int, ...]] = {}
    for initial in formula.stores:
        if initial.thread >= 0:
            break
        (address,) = formula.at[initial.number]
        stores = [
            slot.number
            for slot in happening
            if slot.kind == "W"
            and slot.thread >= 0
            and value(formula.at[slot.number].get(address, -1))
        ]
        earlier = {
            b: sum(a != b and value(formula.co[(a, b)]) for a in stores) for b in stores
        }  # how many come before it
        if sorted(earlier.values()) != list(range(len(stores))):
            raise InternalError("a coherence order that is not an order")
        co[address] = tuple(sorted(stores, key=earlier.__getitem__))
    bits = {
        slot.number: number([value(bit) for bit in formula.vector(slot.value)])
        for slot in happening
        if slot.kind == "R" and slot.value is not None
    }
    return FormulaSolution(truths, happening, rf, co, bits)


def blocking(formula: Formula, solution: FormulaSolution) -> list[int]:
    """A clause that excludes the runs with this rf and co, and no others."""
    clause = [-formula.rf[(store, load)] for load, store in solution.rf.items()]
    for stores in solution.co.values():
        clause += [-formula.co[pair] for pair in pairwise(stores)]
    for slot in formula.slots:
        if slot.optional:
            literal = formula.happens(slot)
            clause.append(-literal if solution.truths[slot.happens] else literal)
    return clause


def evaluate(program: Symbolic, solution: FormulaSolution) -> dict[int, int]:
    """The values of all terms, as far as they follow from rf; a load whose value does not follow is
    one of a circle."""
    terms = program.terms
    found: dict[int, int] = {}
    truths = solution.truths
    sources = {load: program.slots[store].value for load, store in solution.rf.items()}
    open_ = [term for term, op in enumerate(terms.ops) if op not in _VALUELESS and op != "final"]
    while open_:
        left: list[int] = []
        for term in open_:
            op, args = terms.ops[term], terms.args[term]
            value: int | None = None
            if op == "const":
                value = args[0]
            elif op == "load":
                source = sources.get(args[0])
                value = None if source is None else found.get(source)
            elif op == "mux":
                case = next(
                    (v for g, v in zip(args[::2], args[1::2], strict=True) if truths[g]), None
                )
                value = None if case is None else found.get(case)
            elif len(args) == 1:
                if args[0] in found:
                    value = values.unary(op, found[args[0]])
            elif args[0] in found and args[1] in found:
                value = values.binary(op, found[args[0]], found[args[1]])
            if value is None:
                left.append(term)
            else:
                found[term] = value
        if len(left) == len(open_):
            break
        open_ = left
    return found


class BmcTrace(Trace):
    """A solution as a trace."""

    def __init__(self, program: Program, symbolic: Symbolic, solution: FormulaSolution) -> None:
        self._program = program
        self._symbolic = symbolic
        self.solution = solution
        self.flags = ()  # whoever looks for some judges the trace: flags.py
        self._found: dict[int, int] | None = None
        self.endings = [self._ending(endings) for endings in symbolic.endings]
        statuses = {ending.status for ending in self.endings}
        order = (Status.ERROR, Status.CUT, Status.BLOCKED, Status.COMPLETE)
        self.status = next(status for status in order if status in statuses)
        self.waiting = self._waiting() if self.status is Status.BLOCKED else ()
        if self.waiting:
            over = self.true(symbolic.over())
            self.status = Status.COMPLETE if over else Status.WAITING
        self.failed = self._failed()
        self._ids = self._identities()

    def true(self, truth: int) -> bool:
        """Whether a truth is true; what has no literal is put together."""
        known = self.solution.truths.get(truth)
        if known is not None:
            return known
        terms = self._symbolic.terms
        op, args = terms.ops[truth], terms.args[truth]
        if op in ("true", "false"):
            return op == "true"
        if op == "not":
            return not self.true(args[0])
        if op == "and":
            return all(self.true(a) for a in args)
        if op == "or":
            return any(self.true(a) for a in args)
        if op == "test":
            return self._value(args[0]) != 0
        if op == "located":
            return self._value(args[0]) in terms.locations
        return False  # a choice on which nothing depends

    def _failed(self) -> tuple[str, ...]:
        """An assert of a loop is listed once for each iteration in which it can fail."""
        failed: list[str] = []
        for thread, listed in zip(self._program.threads, self._symbolic.asserts, strict=True):
            labels = {label for label, fails in listed if self.true(fails)}
            failed += [i.label for i in thread.code if i.label in labels] if labels else []
        return tuple(failed)

    def _waiting(self) -> tuple[Wait, ...]:
        """The threads that wait for ever, by the values that follow from rf and co; none where a
        thread stops for another reason, or where values justify themselves in a circle."""
        found: list[Wait] = []
        for thread, ending in enumerate(self.endings):
            stop = ending.stops_at
            if stop is None:
                if ending.status is not Status.COMPLETE:
                    return ()
                continue
            known, read = self.values(), stop.address
            held = {name: known[term] for name, term in stop.held.items() if term in known}
            if len(held) < len(stop.held) or (read is not None and read not in known):
                return ()
            address = None if read is None else known[read]
            if not self._in_vain(stop, address, held):
                return ()
            found.append(wait_at(thread, stop.instruction, address, held))
        return tuple(found)

    def _in_vain(self, stop: SymbolicStop, address: int | None, held: Mapping[str, int]) -> bool:
        """Whether what memory holds in the end keeps a thread there."""
        guard, known = stop.instruction.awaits, self.values()
        if guard is not None:
            last = self._last(address)
            if last is None or guard.accepts(last, held):
                return False
        return all(
            at in known and value in known and self._last(known[at]) == known[value]
            for at, value in stop.rereads
        )

    def _last(self, address: int | None) -> int | None:
        """What the co-last store of a location writes; None where that is part of a circle, or
        there is no location."""
        if address not in self._program.by_address:
            return None
        stores = self.solution.co.get(address, ())
        if not stores:
            return self._program.by_address[address].initial
        value = self._symbolic.slots[stores[-1]].value
        return None if value is None else self.values().get(value)

    def _ending(self, endings: list[ThreadEnding]) -> ThreadEnding:
        for ending in endings:
            if self.true(ending.when):
                return ending
        raise InternalError("a thread that does not end")

    def _identities(self) -> dict[int, EventId]:
        """The events' names: their po indices are counted along the run."""
        solution = self.solution
        happening = {slot.number for slot in solution.happening}
        ids: dict[int, EventId] = {
            slot.number: (-1, slot.number) for slot in solution.happening if slot.thread < 0
        }
        for thread, steps in enumerate(self._symbolic.steps):
            index = 0
            for step in steps:
                if self.true(step.passed):
                    for offset, slot in enumerate(step.slots):
                        if slot in happening:
                            ids[slot] = (thread, index + offset)
                    index += step.width
        if len(ids) != len(happening):
            raise InternalError("an event outside its thread's run")
        return ids

    def key(self) -> Key:
        ids, solution = self._ids, self.solution
        rf = tuple(sorted((ids[load], ids[store]) for load, store in solution.rf.items()))
        co = tuple(
            (address, tuple(ids[store] for store in stores))
            for address, stores in sorted(solution.co.items())
            if stores
        )
        return rf, co

    def values(self) -> dict[int, int]:
        if self._found is None:
            self._found = evaluate(self._symbolic, self.solution)
        return self._found

    def _value(self, term: int) -> int:
        return self.values()[term]

    @property
    def circular(self) -> bool:
        """Whether values justify themselves. If not, they are those of the solver, or one of us is
        wrong."""
        found = self.values()
        for load, bits in self.solution.bits.items():
            value = self._symbolic.slots[load].value
            if value not in found:
                return True
            if found[value] != bits:
                raise InternalError(f"slot {load} reads {found[value]}, the solver says {bits}")
        return False

    def value_of(self, term: Term) -> int:
        if isinstance(term, RegisterTerm):
            held = self.endings[term.thread].registers.get(term.register)
            return 0 if held is None or not self.true(held.assigned) else self._value(held.value)
        return self._memory()[term.address]

    def _memory(self) -> dict[int, int]:
        memory = {place.address: place.initial for place in self._program.locations}
        for address, stores in self.solution.co.items():
            if stores:
                memory[address] = self._of(self._symbolic.slots[stores[-1]].value)
        return memory

    def _of(self, term: int | None) -> int:
        if term is None:
            raise InternalError("an access without address or value")
        return self._value(term)

    def data(self) -> TraceData:
        solution, ids = self.solution, self._ids
        events = []
        storing = {slot.amo for slot in solution.happening}
        for slot in solution.happening:
            tags = slot.tags
            if slot.failed_tags is not None and slot.number not in storing:
                tags = slot.failed_tags
            memory = slot.kind in "RW"
            address = self._of(slot.address) if memory else None
            value = self._of(slot.value) if memory else None
            events.append(Event(ids[slot.number], slot.kind, slot.label, address, value, tags))
        program = self._program
        strays = tuple(
            StrayAccess(thread, ending.label, self._value(ending.address))
            for thread, ending in enumerate(self.endings)
            if ending.status is Status.ERROR
        )
        errors = [
            program.addresses.error(program.threads[each.thread].name, each.label, each.address)
            for each in strays
        ]
        empty: dict[int, tuple[EventId, ...]] = {
            place.address: () for place in self._program.locations
        }
        rf, stored = self.key()
        return TraceData(
            program=self._program,
            events=tuple(sorted(events, key=lambda event: event.id)),
            rf=dict(rf),
            co=empty | dict(stored),
            addr=self._edges("addr"),
            data=self._edges("data"),
            ctrl=self._edges("ctrl"),
            pick=self._edges("pick"),
            amo=frozenset(
                (ids[slot.amo], ids[slot.number])
                for slot in solution.happening
                if slot.amo is not None
            ),
            lxsx=self._edges("lxsx"),
            registers=tuple(
                {
                    name: self._value(held.value)
                    for name, held in ending.registers.items()
                    if self.true(held.assigned)
                }
                for ending in self.endings
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
        return tuple(
            (thread, ending.label, ending.bound)
            for thread, ending in enumerate(self.endings)
            if ending.status is self.status is Status.CUT
        )

    def _edges(self, name: str) -> Pairs:
        def found() -> Iterator[tuple[EventId, EventId]]:
            for slot in self.solution.happening:
                sources: Sources = getattr(slot, name)
                for load, when in sources.items():
                    if self.true(when):
                        yield self._ids[load], self._ids[slot.number]

        return frozenset(found())
