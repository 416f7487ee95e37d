"""Results as herd7 prints them, so that its comparison tools (mcompare, msum, …) and people's scripts read ours.

One test: `Test` with the kind of its condition, the states in herd's order (registers by thread and number, then locations), the
validation, witnesses, flags, condition, observation, time, the hash that the file gives, an empty line. Threads have numbers. Locations stand
without the brackets that herd7 puts around them since 7.56: the tools of all versions read that.
A test without a condition is one of `forall (true)`, as in herd.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from hybrid.cli.expected import KINDS
from hybrid.engine.summary import Result
from hybrid.model.core import RACE
from hybrid.printable import joined
from hybrid.program.condition import Quantifier, RegisterTerm, Term, show
from hybrid.program.program import Program


def herd_text(result: Result) -> str:
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
    lines += [f"Flag {flag}" for flag in flags_of(result)]
    formula = "true" if condition is None else show(condition.formula, _spell)
    lines.append(f"Condition {quantifier.value} ({formula})")
    observation = result.observation or observed(result, satisfying, others)
    lines.append(f"Observation {name} {observation} {satisfying} {others}")
    lines.append(f"Time {name} {result.seconds:.2f}")
    lines += [f"Hash={value}" for key, value in program.meta.items() if key == "Hash"]
    return lines


def flags_of(result: Result) -> tuple[str, ...]:
    """The flags that executions raise; a race also when it shows only in runs that do not come to their end."""
    return tuple(sorted({*result.flags, *([RACE] if result.race is not None else [])}))


def witnesses(quantifier: Quantifier, satisfying: int, others: int) -> tuple[int, int]:
    """herd's positive and negative witnesses: of a ~exists those that witness the claim come first."""
    if quantifier is Quantifier.NOT_EXISTS:
        return others, satisfying
    return satisfying, others


def validation(result: Result, quantifier: Quantifier) -> str:
    """herd's `Ok` or `No`, after `Loop` when runs were cut; `??` when the exploration does not show which."""
    if quantifier is Quantifier.FORALL:
        settled = result.negative > 0 and result.program.condition is not None
    else:
        settled = result.satisfying > 0
    usual = "No" if quantifier is Quantifier.EXISTS else "Ok"
    if not settled and result.unfinished:
        return "??"
    other = "No" if usual == "Ok" else "Ok"
    return ("Loop " if result.counters.cut else "") + (other if settled else usual)


def observed(result: Result, satisfying: int, others: int) -> str:
    """herd's observation of that many traces."""
    if satisfying and others:
        return "Sometimes"
    if result.unfinished:
        return "Unknown"
    return "Always" if satisfying else "Never"


def _states(result: Result) -> list[str]:
    """The distinct final states, each on a line: `0:r1=0; 1:r3=1; x=2;`."""
    terms = result.program.terms
    order = sorted(range(len(terms)), key=lambda place: _place(terms[place]))
    names = [_spell(terms[place]) for place in order]
    value = _values(result.program)
    states = sorted(tuple(outcome[place] for place in order) for outcome in result.outcomes)
    return [
        " ".join(f"{n}={value(v)};" for n, v in zip(names, state, strict=True)) for state in states
    ]


def _values(program: Program) -> Callable[[int], str]:
    """How a value is spelled: in litmus tests an address by the name of its location."""
    if not program.arch:
        return str
    names = {address: location.name for address, location in program.by_address.items()}
    return lambda value: names.get(value, str(value))


def _spell(term: Term) -> str:
    """`0:r1`, `x`"""
    return f"{term.thread}:{term.register}" if isinstance(term, RegisterTerm) else term.name


def _place(term: Term) -> tuple[int, int, list[tuple[str, int]]]:
    """Orders terms: registers first, by thread; `X9` before `X11`."""
    name = term.register if isinstance(term, RegisterTerm) else term.name
    parts = [(text, int(digits or 0)) for text, digits in re.findall(r"(\D*)(\d*)", name)]
    return (0, term.thread, parts) if isinstance(term, RegisterTerm) else (1, 0, parts)
