"""Results as herd7 prints them, so that its comparison tools (mcompare, msum, …) and people's
scripts read ours.

One test: `Test` with the kind of its condition, the states in herd's order (registers by thread and
number, then locations), the validation, witnesses, flags, condition, observation, time, the hash
that the file gives, an empty line. Threads have numbers. Locations stand without the brackets that
herd7 puts around them since 7.56: the tools of all versions read that. Values are printed by the
types of the test: an int is signed, `uint8_t` is not, an array that is observed as a whole is
`x={1,2}`, an address is a location and bytes, `x+4`. Registers have the names that the test gives
them, the condition is what the test says. A test without a condition is one of `forall (true)`, as
in herd. What herd has no word for: a test with an execution that errs, or in which an assert fails,
is never `Ok`, nor is one with a run in which threads wait for ever where that violates the claim
(`--liveness`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hybrid.printable import joined
from hybrid.program.condition import (
    LocationTerm,
    Quantifier,
    RegisterTerm,
    Term,
    every_term,
    show_condition,
)
from hybrid.program.memory import GAP, objects
from hybrid.program.program import Program
from hybrid.report.output_format import Conclusion, OutputFormat
from hybrid.report.result import Result
from hybrid.report.row import Row

KINDS = {
    Quantifier.EXISTS: "Allowed",
    Quantifier.NOT_EXISTS: "Forbidden",
    Quantifier.FORALL: "Required",
}


class HerdFormat(OutputFormat):
    name = "herd"
    verdicts = False
    notes_aside = True
    conclusion = Conclusion.ASIDE

    def result(self, result: Result, path: str, row: Row) -> str:
        """One test's lines and the empty line after them."""
        return joined([*_lines(result), ""])


def _lines(result: Result) -> list[str]:
    program, condition = result.program, result.program.condition
    name = program.name
    quantifier = Quantifier.FORALL if condition is None else condition.quantifier
    satisfying, others = result.satisfying, result.negative
    if condition is None:
        satisfying, others = result.traces, 0
    positive, negative = witnesses(quantifier, satisfying, others)
    lines = [f"Test {name} {KINDS[quantifier]}", f"States {len(result.outcomes)}"]
    lines += _states(result)
    lines.append(validation(result, quantifier))
    lines += ["Witnesses", f"Positive: {positive} Negative: {negative}"]
    lines += [f"Flag {flag}" for flag in result.raised]
    spell = _spelling(program)
    shown = "forall (true)" if condition is None else show_condition(condition, spell)
    lines.append(f"Condition {shown}")
    observation = result.observation or observed(result, satisfying, others)
    lines.append(f"Observation {name} {observation} {satisfying} {others}")
    lines.append(f"Time {name} {result.seconds:.2f}")
    lines += [f"Hash={value}" for key, value in program.meta.items() if key == "Hash"]
    return lines


def witnesses(quantifier: Quantifier, satisfying: int, others: int) -> tuple[int, int]:
    """herd's positive and negative witnesses: of a ~exists those that witness the claim come
    first."""
    if quantifier is Quantifier.NOT_EXISTS:
        return others, satisfying
    return satisfying, others


def validation(result: Result, quantifier: Quantifier) -> str:
    """herd's `Ok` or `No`, after `Loop` when runs were cut; `??` when the exploration does not show
    which."""
    if quantifier is Quantifier.FORALL:
        settled = result.negative > 0 and result.program.condition is not None
    else:
        settled = result.satisfying > 0
    usual = "No" if quantifier is Quantifier.EXISTS else "Ok"
    other = "No" if usual == "Ok" else "Ok"
    answer = other if settled else usual
    waits = result.liveness and result.waiting is not None
    if result.unsupported:
        return "??"
    if result.counters.errors or result.failing or waits:
        answer = "No"
    elif not settled and result.unfinished:
        return "??"
    return ("Loop " if result.counters.cut else "") + answer


def observed(result: Result, satisfying: int, others: int) -> str:
    """herd's observation of that many traces."""
    if satisfying and others:
        return "Sometimes"
    if result.unfinished:
        return "Unknown"
    return "Always" if satisfying else "Never"


@dataclass(frozen=True, slots=True)
class _Item:
    """What a state shows of one register, location or array."""

    name: str
    places: tuple[int, ...]  # of the values in an outcome
    array: bool = False

    def show(self, values: Sequence[str]) -> str:
        held = ",".join(values[place] for place in self.places)
        return f"{self.name}={{{held}}};" if self.array else f"{self.name}={held};"


def _states(result: Result) -> list[str]:
    """The distinct final states, each on a line: `0:r1=0; 1:r3=1; x=2;`."""
    program = result.program
    items = _items(program)
    spell = _values(program)
    order = [place for item in items for place in item.places]
    outcomes = sorted(result.outcomes, key=lambda outcome: [outcome[place] for place in order])
    states: list[str] = []
    for outcome in outcomes:
        shown = [spell(t, v) for t, v in zip(program.terms, outcome, strict=True)]
        states.append(" ".join(item.show(shown) for item in items))
    return states


def _items(program: Program) -> list[_Item]:
    """What a state shows, in herd's order. An array that the test observes as a whole is one item;
    its cells are others if the test names them, too."""
    terms = program.terms
    place = {term.name: index for index, term in enumerate(terms)}
    spell = _spelling(program)
    asked = () if program.condition is None else every_term(program.condition.formula)
    arrays: dict[str, dict[str, int]] = {}
    found: dict[str, tuple[_Order, _Item]] = {}
    for term in (*asked, *program.observed):
        if isinstance(term, LocationTerm) and term.array:
            arrays.setdefault(term.array, {})[term.name] = place[term.name]
        else:
            item = _Item(spell(term), (place[term.name],))
            found.setdefault(term.name, (_place(term, program.arch), item))
    for name, cells in arrays.items():
        ordered = sorted(cells.items(), key=lambda cell: _natural(cell[0]))
        item = _Item(name, tuple(index for _, index in ordered), True)
        found[f"{name} whole"] = ((1, 0, 0, _natural(name)), item)
    return [item for _, item in sorted(found.values(), key=lambda pair: pair[0])]


def _values(program: Program) -> Callable[[Term, int], str]:
    """How a value is spelled: in litmus tests an address by its location and bytes, other values by
    their types; in `.prog` files an address by its name, without the `&`, other values as they are.
    """
    if not program.arch:
        show = program.addresses.show
        return lambda term, value: show(term, value).removeprefix("&")
    spans = [(each.address, each.last + GAP, each.name) for each in objects(program.locations)]

    def spelled(term: Term, value: int) -> str:
        for start, end, name in spans:
            if start <= value < end:
                return name if value == start else f"{name}+{value - start}"
        return str(term.look.cast(value))

    return spelled


def _spelling(program: Program) -> Callable[[Term], str]:
    """`0:r1`, `x`; in a litmus test as it is written there."""
    if program.arch:
        return lambda term: term.name
    return lambda term: (
        f"{term.thread}:{term.register}" if isinstance(term, RegisterTerm) else term.name
    )


_Natural = list[tuple[str, int]]
_Order = tuple[int, int, int, _Natural]


def _place(term: Term, arch: str) -> _Order:
    """Orders terms: registers first, by thread; `X9` before `X11`, x86's `EBX` before `ESI` before
    `EBP`."""
    if not isinstance(term, RegisterTerm):
        return (1, 0, 0, _natural(term.name))
    rank, number = 0, term.thread
    if arch:  # its number, not its place
        number = int(term.name.split(":")[0])
    if arch.startswith("X86"):
        rank = next((i for i, two in enumerate(_X86) if term.register.upper()[-2:] == two), 99)
    return (0, number, rank, _natural(term.register))


_X86 = ("AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP")


def _natural(name: str) -> _Natural:
    return [(text, int(digits or 0)) for text, digits in re.findall(r"(\D*)(\d*)", name)]
