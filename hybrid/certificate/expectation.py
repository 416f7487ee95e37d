"""What to expect of a program's runs, so that its formulas are small: what the traces of an
explorer do, and whatever else a solver finds that the model allows. Kept in a certificate as
JSON; nothing in it has to be believed."""

from __future__ import annotations

import json
from itertools import islice, pairwise
from typing import Final

from hybrid.bmc.bits import Vector, constant, number
from hybrid.bmc.expected import ADDRESS, ASPECTS, READ, WRITTEN, Expected, Surprise, visit_of
from hybrid.bmc.formula import Formula
from hybrid.bmc.ranges import Ranges
from hybrid.bmc.symbolic import TooManyEvents, symbolic
from hybrid.bmc.unroll import CodeShape
from hybrid.catalogue.engines import make
from hybrid.certificate.claim import Subject
from hybrid.certificate.traces import MOST_TRACES
from hybrid.encoding.sat_logic import SatLogic
from hybrid.engine.configuration import Configuration
from hybrid.errors import InputError, Stopped
from hybrid.execution.trace import TraceData
from hybrid.model.prefixes import allows_prefixes
from hybrid.model.untouched import ignores_untouched
from hybrid.program.loops import is_backward
from hybrid.program.program import Program
from hybrid.program.values import BITS
from hybrid.witness.again import ThreadAgain
from hybrid.witness.json_node import JsonNode

MANY_EVENTS: Final = 200  # that may happen: with more, formulas are of what is expected


def has_many_events(subject: Subject) -> bool:
    try:
        symbolic(subject.program, subject.limits, most=MANY_EVENTS)
    except TooManyEvents:
        return True
    return False


def expected_runs(subject: Subject, configuration: Configuration) -> Expected | None:
    """What all runs of the bounded program do; None where a formula about it would not be about all
    of them, as the model may forbid what leads to a run that it allows."""
    if not allows_prefixes(subject.model):
        return None
    expected = Expected()
    shapes = [CodeShape(thread.code) for thread in subject.program.threads]
    engine = make(configuration)
    traces = engine.explore(subject.program, subject.model, subject.limits)
    for trace in islice(traces, MOST_TRACES):
        _learn(expected, trace.data(), shapes)
    while _add_surprises(subject, expected):
        pass
    return expected


# ---- what traces do


def _learn(expected: Expected, data: TraceData, shapes: list[CodeShape]) -> None:
    for index, thread in enumerate(data.program.threads):
        again = ThreadAgain(data, index, thread)
        visits = _Visits(shapes[index], again)
        for here, instruction in again.indexed():
            visit = index, again.path[-1], visits.now()
            expected.add(visit)
            event = data.by_id.get(here)
            stored = data.by_id.get((index, here[1] + 1)) if instruction.reads else None
            if stored is not None and (here, stored.id) not in data.amo:
                stored = None
            for each in (event, stored):
                if each is None or each.address is None or each.value is None:
                    continue
                expected.add(visit, ADDRESS, each.address)
                expected.add(visit, READ if each.kind == "R" else WRITTEN, each.value)


class _Visits:
    """How a thread comes to the instruction that it executed last, as Lookout counts it."""

    def __init__(self, shape: CodeShape, again: ThreadAgain) -> None:
        self.shape = shape
        self.again = again
        self.seen = 0  # of the path
        self.round = 0

    def now(self) -> int:
        shape, path = self.shape, self.again.path
        for here, following in pairwise(path[self.seen :]):
            self.round += is_backward(shape.code, here) and following <= here
            if shape.rank[here] != shape.rank[following]:
                self.round = 0
        self.seen = len(path) - 1
        return visit_of(self.round, [self.again.constant(r) for r in shape.ending[path[-1]]])


# ---- what else is possible


def _add_surprises(subject: Subject, expected: Expected) -> bool:
    """Adds what runs do that are as expected up to there; whether there was anything."""
    limits = subject.limits
    runs = symbolic(subject.program, limits, expected)
    ranges, logic = Ranges(runs, limits), SatLogic()
    touched = ignores_untouched(subject.model)
    formula = Formula(runs, ranges, subject.model, logic, limits, False, touched=touched)
    surprises = [
        (formula.truth(ending.when), surprise, _bits(formula, surprise))
        for ending in runs.surprises()
        if (surprise := ending.surprise) is not None
    ]
    logic.add((formula.truth(runs.unexpected),))
    found = False
    while answer := logic.solve((), limits.deadline):
        found = True
        seen = [
            (when, surprise, vector, number([logic.value(bit) for bit in vector]))
            for when, surprise, vector in surprises
            if logic.value(when)
        ]
        for when, surprise, vector, value in seen:
            expected.add(surprise.visit, surprise.aspect, value)
            logic.add((-when, -formula.bits.equal(vector, constant(value))))
    if answer is None:
        raise Stopped
    return found


def _bits(formula: Formula, surprise: Surprise) -> Vector:
    return constant(0) if surprise.value is None else formula.vector(surprise.value)


# ---- JSON


def to_json(expected: Expected) -> str:
    """One line per visit: thread, instruction, number; addresses, values read, values written."""
    lines = (
        json.dumps([*visit, *(expected.values(visit, aspect) for aspect in ASPECTS)])
        for visit in expected
    )
    return "[\n" + ",\n".join(lines) + "\n]\n"


def from_json(text: str, program: Program, name: str) -> Expected:
    """What the file says; an InputError where it is not of the form."""
    try:
        top = JsonNode(json.loads(text), "$", name)
    except RecursionError:
        raise InputError(f"{name}: the JSON is nested too deeply") from None
    except ValueError as error:
        raise InputError(f"{name}: not JSON: {error}") from None
    expected = Expected()
    codes = [thread.code for thread in program.threads]
    for node in top.items():
        parts = node.items()
        if len(parts) != 3 + len(ASPECTS):
            raise node.wrong("expected a visit with its addresses and values")
        thread, at, visit = (part.integer() for part in parts[:3])
        if thread not in range(len(codes)) or at not in range(len(codes[thread])):
            raise node.wrong("the program has no such instruction")
        expected.add((thread, at, visit))
        for aspect, values in zip(ASPECTS, parts[3:], strict=True):
            for value in values.items():
                number_ = value.integer()
                if not -(1 << BITS - 1) <= number_ < 1 << BITS - 1:
                    raise value.wrong(f"expected a number of {BITS} bits")
                expected.add((thread, at, visit), aspect, number_)
    return expected
