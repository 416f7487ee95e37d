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

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from hybrid.program.addresses import Addresses
from hybrid.program.condition import Condition, Formula, Term, terms
from hybrid.program.memory import Location as Location
from hybrid.program.reached import reached_locations
from hybrid.program.thread import Thread as Thread
from hybrid.source import Span


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the file says hybrid should answer under a model."""

    RACE: ClassVar[str] = "RACE"  # stands for a verdict: the program has a race

    span: Span
    model: str
    verdict: str  # a name of hybrid.verdict.Verdict, or RACE
    traces: int | None = None  # how many complete traces, where the file says


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
    arch: str = ""  # PPC, X86, AArch64, RISCV, C or ARM; empty for a program of no machine
    meta: Mapping[str, str] = field(
        default_factory=dict
    )  # what else a litmus test says: `Hash`, `Cycle`, …
    mapped: str = ""  # the machine whose sequences stand for C11's orders; empty: it is as written
    filter: Formula | None = None  # an execution whose final state does not satisfy it is left out

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
        return Addresses(self.locations, self.threads)

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
        return next((e for e in self.expectations if e.model == model), None)
