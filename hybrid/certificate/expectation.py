"""What to expect of a program's runs, so that its formulas are small: what the traces of an
explorer do, and whatever else a solver finds that the model allows. Kept in a certificate as
JSON; nothing in it has to be believed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise

from hybrid.bmc.bits import constant, number
from hybrid.bmc.expected import ADDRESS, ASPECTS, READ, ROUND, WRITTEN, Expected
from hybrid.bmc.formula import Formula
from hybrid.bmc.ranges import Ranges
from hybrid.bmc.symbolic import symbolic
from hybrid.bmc.unroll import CodeShape
from hybrid.catalogue.engines import make
from hybrid.certificate.claim import Subject
from hybrid.certificate.traces import MOST_TRACES
from hybrid.encoding.sat_logic import SatLogic
from hybrid.engine.configuration import Configuration
from hybrid.errors import InputError, Stopped
from hybrid.execution.trace import TraceData
from hybrid.model.prefixes import allows_prefixes
from hybrid.program.loops import is_backward
from hybrid.program.program import Program
from hybrid.witness.again import ThreadAgain
from hybrid.witness.json_node import JsonNode


def expected_runs(subject: Subject, configuration: Configuration) -> Expected | None:
    """An expectation that no run of the bounded program disappoints; None where the model gives no
    reason to believe in one."""
    if not allows_prefixes(subject.model):
        return None
    expected = Expected()
    shapes = [CodeShape(thread.code) for thread in subject.program.threads]
    engine = make(configuration)
    found = 0
    for trace in engine.explore(subject.program, subject.model, subject.limits):
        _learn(expected, trace.data(), shapes)
        found += 1
        if found >= MOST_TRACES:
            break
    while _add_surprises(subject, expected):
        pass
    return expected


# ---- what traces do


def _learn(expected: Expected, data: TraceData, shapes: list[CodeShape]) -> None:
    for index, thread in enumerate(data.program.threads):
        again = ThreadAgain(data, index, thread)
        rounds = _Rounds(shapes[index], again.path)
        for here, instruction in again.indexed():
            at = again.path[-1]
            expected.add(index, at, ROUND, rounds.now())
            event = data.by_id.get(here)
            stored = data.by_id.get((index, here[1] + 1)) if instruction.reads else None
            if stored is not None and (here, stored.id) not in data.amo:
                stored = None
            for each in (event, stored):
                if each is None or each.address is None or each.value is None:
                    continue
                expected.add(index, at, ADDRESS, each.address)
                expected.add(index, at, READ if each.kind == "R" else WRITTEN, each.value)


class _Rounds:
    """How many backward jumps a thread has taken since it came into the loop in which it is, as
    ThreadState counts them."""

    def __init__(self, shape: CodeShape, path: list[int]) -> None:
        self.shape = shape
        self.path = path  # the instructions executed; it grows
        self.seen = 0
        self.round = 0

    def now(self) -> int:
        rank = self.shape.rank
        for here, following in pairwise(self.path[self.seen :]):
            self.round += is_backward(self.shape.code, here) and following <= here
            if rank[here] != rank[following]:
                self.round = 0
        self.seen = len(self.path) - 1
        return self.round


# ---- what else is possible


def _add_surprises(subject: Subject, expected: Expected) -> bool:
    """Adds what runs do that are as expected up to there; whether there was anything."""
    limits = subject.limits
    runs = symbolic(subject.program, limits, expected)
    formula = Formula(runs, Ranges(runs, limits), subject.model, SatLogic(), limits, False)
    surprises = [
        (formula.truth(ending.when), surprise, vector)
        for ending in runs.surprises()
        if (surprise := ending.surprise) is not None
        for vector in [None if surprise.value is None else formula.vector(surprise.value)]
    ]
    formula.logic.add((formula.truth(runs.unexpected),))
    found = False
    while answer := formula.logic.solve((), limits.deadline):
        found = True
        value_of = formula.logic.value
        for when, surprise, vector in surprises:
            if not value_of(when):
                continue
            value, same = surprise.round, when
            if vector is not None:
                value = number([value_of(bit) for bit in vector])
                same = formula.bits.equal(vector, constant(value))
            expected.add(surprise.thread, surprise.at, surprise.aspect, value)
            formula.logic.add((-when, -same))
            break
    if answer is None:
        raise Stopped
    return found


# ---- JSON


def to_json(expected: Expected) -> str:
    """One line per place: thread, instruction, aspect, values."""
    lines = ",\n".join(json.dumps([*place, values]) for place, values in expected)
    return f"[\n{lines}\n]\n"


def from_json(text: str, program: Program, name: str) -> Expected:
    """What the file says; an InputError where it is not of the form."""
    try:
        top = JsonNode(json.loads(text), "$", name)
    except RecursionError:
        raise InputError(f"{name}: the JSON is nested too deeply") from None
    except ValueError as error:
        raise InputError(f"{name}: not JSON: {error}") from None
    expected = Expected()
    for thread, at, aspect, value in _entries(top):
        if thread not in range(len(program.threads)):
            raise InputError(f"{name}: there is no thread {thread}")
        if at not in range(len(program.threads[thread].code)) or aspect not in ASPECTS:
            raise InputError(f"{name}: there is no {aspect} of instruction {at} of {thread}")
        expected.add(thread, at, aspect, value)
    return expected


def _entries(top: JsonNode) -> Iterator[tuple[int, int, str, int]]:
    for node in top.items():
        parts = node.items()
        if len(parts) != 4:
            raise node.wrong("expected a thread, an instruction, an aspect and values")
        for value in parts[3].items():
            yield parts[0].integer(), parts[1].integer(), parts[2].string(), value.integer()
