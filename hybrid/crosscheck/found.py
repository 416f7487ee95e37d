"""What one configuration finds on a program: its complete traces, its waiting and other runs, and
what shows of faults."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hybrid.crosscheck.adds_classes import adds_class
from hybrid.crosscheck.endings import Ending, ending_of, waits
from hybrid.engine.api import FAA, RF, TRACE, Counters, Engine, Limits, Stopped
from hybrid.engine.odpor.independent_adds import independent_adds
from hybrid.errors import InputError
from hybrid.execution.trace import Key, Status, Trace, TraceData, Wait, class_key, key_of
from hybrid.memory import out_of_memory
from hybrid.model.core import RACE, Model
from hybrid.program.check import register_names
from hybrid.program.condition import LocationTerm, RegisterTerm, Term
from hybrid.program.program import Program
from hybrid.source import nowhere
from hybrid.time_limit import time_left, time_limit

REPLAYED = 2  # at most so many runs of each kind are replayed

# What `replay` does not confirm of a run: the run, the model, the configuration's name, the limits.
Recheck = Callable[[TraceData, Model, str, Limits], Sequence[str]]


class Facts(NamedTuple):
    """What else there is to a trace than its key."""

    finals: tuple[int, ...]  # of `final_terms`
    failed: tuple[str, ...]  # asserts, sorted
    flags: tuple[str, ...]


class Standing(NamedTuple):
    """The same for a run in which threads wait for ever."""

    waits: tuple[Wait, ...]
    failed: tuple[str, ...]
    flags: tuple[str, ...]


@dataclass(slots=True)
class Found:
    """What one configuration found."""

    name: str
    equivalence: str
    traces: dict[Key, Facts] = field(default_factory=dict)  # of classes: the trace shown for each
    waiting: dict[Key, Standing] = field(default_factory=dict)  # of classes: the run shown for each
    duplicates: list[Key] = field(default_factory=list)  # met again
    misnamed: list[Key] = field(default_factory=list)  # shown for a class that is not theirs
    counters: Counters = field(default_factory=Counters)
    endings: set[Ending] = field(default_factory=set)  # runs that are not complete traces
    replayed: int = 0  # runs whose witnesses were replayed
    refuted: list[str] = field(default_factory=list)  # what that did not confirm
    raced: bool = False  # some run has a race
    unfinished: str = ""  # why this is not everything; empty if it is
    crash: str = ""
    seconds: float = 0.0

    @property
    def failing(self) -> set[str]:
        """The asserts that fail in complete traces."""
        return {label for facts in self.traces.values() for label in facts.failed}

    @property
    def keys(self) -> set[Key]:
        return set(self.traces)


class Lens:
    """How the traces of one program are looked at: whole, by reads-from class, or, with `merge`, by
    class of those that differ in the order of independent fetch-and-adds."""

    def __init__(self, program: Program, merge: bool = False) -> None:
        self.terms = final_terms(program)
        self.adds = independent_adds(program) if merge else frozenset[str]()
        self._merged: dict[Key, Key] = {}  # from traces to the classes of the last kind
        set_by_adds = {
            (number, name)
            for number, thread in enumerate(program.threads)
            for instruction in thread.code
            if instruction.label in self.adds
            for name in instruction.sets
        }
        self._same = [
            i
            for i, term in enumerate(self.terms)
            if not isinstance(term, RegisterTerm) or (term.thread, term.register) not in set_by_adds
        ]
        self.waits = waits(program)
        self.observed = {t.address for t in program.asked if isinstance(t, LocationTerm)}
        self._kept = [
            i
            for i, term in enumerate(self.terms)
            if isinstance(term, RegisterTerm) or term.address in self.observed
        ]

    def meet(self, trace: Trace) -> None:
        """Notes the class of a trace that differs from others in the order of fetch-and-adds."""
        if self.adds:
            self._merged[trace.key()] = adds_class(trace.data(), self.adds)

    def class_of(self, key: Key, equivalence: str) -> Key:
        """The class of a trace that was met."""
        if equivalence == RF:
            return class_key(key, self.observed)
        return self._merged.get(key, key) if equivalence == FAA else key

    def waiting_class_of(self, key: Key, equivalence: str) -> Key:
        """The same of a waiting run: by reads-from class no store is told to be the last."""
        return class_key(key, set()) if equivalence == RF else self.class_of(key, equivalence)

    def classes(self, found: Found, equivalence: str) -> dict[Key, tuple[Key, Facts]]:
        """What is found, by class; of several traces of a class the smallest."""
        classes: dict[Key, tuple[Key, Facts]] = {}
        kept = self._kept if equivalence == RF else self._same
        for key, facts in found.traces.items():
            name = self.class_of(key, equivalence)
            if name not in classes or key < classes[name][0]:
                finals = tuple(facts.finals[i] for i in kept)
                classes[name] = (key, Facts(finals, facts.failed, ()))
        return classes

    def waiting_classes(self, found: Found, equivalence: str) -> dict[Key, tuple[Key, Standing]]:
        """The waiting runs by class; of several of a class the smallest."""
        classes: dict[Key, tuple[Key, Standing]] = {}
        for key, standing in found.waiting.items():
            name = self.waiting_class_of(key, equivalence)
            if name not in classes or key < classes[name][0]:
                classes[name] = (key, standing._replace(flags=()))
        return classes

    def has(self, found: Found, key: Key) -> bool:
        """Whether there is this trace or waiting run, or its class, among what was found."""
        how = found.equivalence
        if how == TRACE:
            return key in found.traces or key in found.waiting
        there = self.class_of(key, how) in self.classes(found, how)
        return there or self.waiting_class_of(key, how) in self.waiting_classes(found, how)


def final_terms(program: Program) -> tuple[Term, ...]:
    """Every register and every location."""
    here = nowhere()
    terms: list[Term] = [
        RegisterTerm(here, number, register, f"{thread.name}:{register}")
        for number, thread in enumerate(program.threads)
        for register in sorted(register_names(thread))
    ]
    terms += [LocationTerm(here, place.address, place.name) for place in program.locations]
    return tuple(terms)


def find(
    engine: Engine,
    name: str,
    program: Program,
    model: Model,
    limits: Limits,
    equivalence: str,
    lens: Lens,
    recheck: Recheck | None = None,
) -> Found:
    """All that an engine finds until its time is over. Lets InputErrors through: the engine does
    not take this."""
    found = Found(name, equivalence)
    start = time.monotonic()
    try:
        with time_limit(time_left(limits.deadline)):
            _collect(found, engine, program, model, limits, lens, recheck)
    except Stopped as stop:
        given = max((limits.deadline or start) - start, 0.0)
        found.unfinished = stop.told or f"time-out after {given:.3g} s"
    except RecursionError:
        found.unfinished = "out of stack: something in the program is nested too deeply"
    except InputError:
        raise
    except Exception as error:
        found.unfinished = out_of_memory(error)
        if not found.unfinished:
            found.crash = f"{type(error).__name__}: {error}".rstrip(": ")
    found.counters = engine.counters
    found.seconds = time.monotonic() - start
    if found.counters.thin_air and not found.unfinished:
        found.unfinished = (
            f"{count(found.counters.thin_air, 'execution')} left out: values that justify "
            "themselves in a circle"
        )
    return found


def _collect(
    found: Found,
    engine: Engine,
    program: Program,
    model: Model,
    limits: Limits,
    lens: Lens,
    recheck: Recheck | None,
) -> None:
    by_class = found.equivalence == RF
    seen: set[Key] = set()
    met: dict[tuple[Status, bool, bool], int] = {}  # kinds of runs to how many were replayed
    for trace in engine.explore(program, model, limits):
        if recheck is not None:
            kind = (trace.status, bool(trace.failed), bool(trace.flags))
            met[kind] = met.get(kind, 0) + 1
            if met[kind] <= REPLAYED:
                found.replayed += 1
                found.refuted += recheck(trace.data(), model, found.name, limits)
        found.raced = found.raced or RACE in trace.flags
        waits = trace.status is Status.WAITING
        ends = trace.status in (Status.CUT, Status.ERROR)
        wrong = trace.failed or (program.freed_by and trace.late_stores())
        if ends or (wrong and trace.status is not Status.COMPLETE):
            found.endings.add(ending_of(trace))
        if trace.status is not Status.COMPLETE and not waits:
            continue
        name = trace.key()
        key = key_of(trace.data()) if by_class else name
        lens.meet(trace)
        class_of = lens.waiting_class_of if waits else lens.class_of
        if by_class and class_of(key, RF) != name:
            found.misnamed.append(key)
        if found.equivalence == FAA:
            name = class_of(key, FAA)
        again = name in seen
        seen.add(name)
        if again:
            found.duplicates.append(key)
            continue
        flags = tuple(sorted(trace.flags))
        if waits:
            waiting, failed = trace.data().waiting, tuple(sorted(trace.failed))
            found.waiting[key] = Standing(waiting, failed, flags)
            continue
        found.traces[key] = Facts(trace.outcome(lens.terms), tuple(sorted(trace.failed)), flags)


def count(number: int, noun: str) -> str:
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun}{'es' if noun.endswith('s') else 's'}"
