"""A whole program: locations, threads, the final condition and what its author expects.

Numbering of events, which every engine follows: within a thread each executed load, store, fence,
conditional branch and assume takes the next **po index**, from 0; a read-modify-write takes two
(its load, then its store; the second stays unused when a cas does not store); a store-conditional
takes one (unused when it fails). Assignments, selects, asserts, gotos and branches on constants
(hybrid.program.loops says which these are, and has the rule for loops) take none. The initial
writes are events of thread -1, numbered by the order of `Program.locations`.

Dependencies, which every engine follows: a register depends on the set of loads that its value
comes from. A load's register depends on that load alone; an assigned register on what the registers
in the expression depend on; the status of a store-conditional on its load-reserve and on what its
address and value depend on, that of a free one on nothing, and that of one `by_store` on its own
store, if it stores, and on nothing else. **addr** goes from what an address depends on to the
access (both events of an rmw); **data** from what the stored value depends on to the store. A
read-modify-write takes its operands when it executes, as one: what its operand, its `expected` and
its guard depend on is in data to both of its events, and, except for xchg, its own load is in data
to its store; the `success` of a cas depends on its load and on what `expected` depends on. **ctrl**
goes from what a branch or assume condition depends on, and from the load of an await (and what its
guard depends on), to every po-later event.

Some of these dependencies are by selection: a machine may guess which way a selection goes, and go
on before it is known. The register of a select depends on the operand that is selected as ever, on
the other one not at all, and by selection on what the condition depends on. A cas selects whether
to store: its events depend on its `expected` by selection, its store on its own load too. Where it
stores, its register depends on its load by selection; where it does not, as ever. What is made of
registers depends on a load by selection if every way from the load leads through one. **pick** goes
from a load to an access to which it is in addr or data by selection alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePath
from typing import ClassVar

from hybrid.program.addresses import Addresses
from hybrid.program.blocks import CompiledAddresses
from hybrid.program.condition import Condition, Formula, Term, terms
from hybrid.program.expr import Const
from hybrid.program.instructions import Store
from hybrid.program.memory import Location as Location
from hybrid.program.origin import ENDED, LEAK, RELEASED, MemoryBlock, Origin
from hybrid.program.reached import reached_locations
from hybrid.program.thread import Thread as Thread
from hybrid.source import Span


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the file says hybrid should answer under a model."""

    RACE: ClassVar[str] = "RACE"  # stands for a verdict: the program has a race

    span: Span
    model: str  # the name of a built-in one, or the path of a cat file
    verdict: str  # a name of hybrid.verdict.Verdict, or RACE
    traces: int | None = None  # how many complete traces, where the file says

    @property
    def model_name(self) -> str:
        """As a loaded model has it."""
        path = PurePath(self.model)
        return path.stem if path.suffix == ".cat" else self.model


@dataclass(frozen=True, slots=True)
class ProgramEnd:
    """When a program is over while some of its threads still wait: as a C program is when main
    returns, or somebody calls exit. A run in which these wait for ever is a complete one."""

    # The register that a thread sets to 1 at its end where the program ends with it, whatever the
    # others do; and the one that it sets where it has waited for some of them before.
    exits: str
    returns: str
    at_once: bool = False  # a thread without any code does the latter
    awaited: frozenset[int] = frozenset()  # the threads for which it has waited

    def is_over(self, exits: bool, returns: bool, waiting: Iterable[int]) -> bool:
        """Whether it is over in a run in which such threads have come to their ends, and these
        threads wait for ever."""
        if exits:
            return True
        return (returns or self.at_once) and self.awaited.isdisjoint(waiting)


@dataclass(frozen=True)
class Program:
    """Invariants (made sure of by hybrid.program.check): labels are unique, targets lie within
    their code, addresses are distinct and not 0."""

    name: str
    locations: tuple[Location, ...]
    threads: tuple[Thread, ...]
    condition: Condition | None = None
    observed: tuple[Term, ...] = ()  # what outcomes show, next to the condition's terms
    expectations: tuple[Expectation, ...] = ()
    description: str = ""
    # PPC, X86, AArch64, RISCV, C or ARM of a litmus test; `C source`; empty: of no machine
    arch: str = ""
    # what else a litmus test says (`Hash`, `Cycle`, …); of a compiled program how it was compiled
    meta: Mapping[str, str] = field(default_factory=dict)
    mapped: str = ""  # the machine whose sequences stand for C11's orders; empty: it is as written
    filter: Formula | None = None  # an execution whose final state does not satisfy it is left out
    # Of a compiled program: where its instructions come from, by label, and its objects, by
    # address. Its locations then have the addresses of hybrid.program.origin.
    origins: Mapping[str, Origin] = field(default_factory=dict)
    blocks: tuple[MemoryBlock, ...] = ()
    # accesses by which threads start and end, by label: no model may reorder across them
    thread_edges: frozenset[str] = frozenset()
    end: ProgramEnd | None = None  # None: it is over when all its threads are
    remarks: tuple[str, ...] = ()  # what to tell with every answer about it
    unroll: int | None = None  # what its file says of loops, which --unroll overrides
    # what was done with its loops, in the words of hybrid.program.passes.setting; empty: nothing
    loops: tuple[str, ...] = ()

    @cached_property
    def by_address(self) -> dict[int, Location]:
        return {location.address: location for location in self.locations}

    @cached_property
    def reached(self) -> tuple[int, ...]:
        """The indices of the locations that some access may go to."""
        return reached_locations(self.locations, self.threads)

    @cached_property
    def addresses(self) -> Addresses:
        """What addresses are called, and which values are shown so."""
        if self.compiled:
            return CompiledAddresses(self.locations, self.blocks, self.origins)
        return Addresses(self.locations, self.threads)

    @property
    def compiled(self) -> bool:
        """Whether it was made from a source in another language."""
        return bool(self.origins or self.blocks)

    @cached_property
    def leaks(self) -> frozenset[str]:
        """The labels of asserts that tell of memory which is never freed."""
        return frozenset(label for label, origin in self.origins.items() if origin.kind == LEAK)

    @cached_property
    def frees(self) -> frozenset[str]:
        """The labels of stores by which memory is freed, or variables end."""
        return frozenset(label for labels in self.freed_by.values() for label in labels)

    @cached_property
    def freed_by(self) -> dict[int, frozenset[str]]:
        """The same by what they write: RELEASED or ENDED, what there is of them; also where only
        the initial memory has it."""
        found: dict[int, set[str]] = {
            each.initial: set() for each in self.locations if each.address in self.freed_from_start
        }
        for thread in self.threads if self.compiled else ():
            for each in thread.code:
                value = each.value if isinstance(each, Store) else None
                if isinstance(value, Const) and value.value in (RELEASED, ENDED):
                    found.setdefault(value.value, set()).add(each.label)
        return {value: frozenset(labels) for value, labels in found.items()}

    @cached_property
    def freed_from_start(self) -> frozenset[int]:
        """The addresses of locations that are freed, or have ended, before threads run."""
        return frozenset(
            each.address
            for each in self.locations
            if self.compiled and each.initial in (RELEASED, ENDED)
        )

    def faults(self, failed: tuple[str, ...]) -> tuple[str, ...]:
        """Of asserts that do not hold, those that are claims: leaks are none."""
        return tuple(label for label in failed if label not in self.leaks) if self.leaks else failed

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The registers and locations whose final values make up an outcome, each once."""
        found: dict[str, Term] = {}
        if self.condition is not None:
            for term in terms(self.condition.formula):
                found.setdefault(term.name, term)
        for term in self.observed:
            found.setdefault(term.name, term)
        return tuple(found.values())

    @cached_property
    def asked(self) -> tuple[Term, ...]:
        """The registers and locations whose final values are needed: the terms and those of the
        filter."""
        found = {term.name: term for term in self.terms}
        if self.filter is not None:
            for term in terms(self.filter):
                found.setdefault(term.name, term)
        return tuple(found.values())

    def expectation(self, model: str) -> Expectation | None:
        """What the file expects under the model of that name."""
        return next((e for e in self.expectations if e.model_name == model), None)
