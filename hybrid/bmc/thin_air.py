"""Values that justify themselves in a circle: a load reads from a store whose value comes, by way
of other loads and stores, from that load.

Such runs are not executions; models that allow them are answered about the others, and that there
are some is counted. Most programs can have none, whatever the model, and some models allow none as
their text shows: then nothing here costs anything. Otherwise the model is asked about circles of rf
and data flow without regard to values; most models allow none. Where one does, another formula, in
full width, tells whether there are values to it, and circles are excluded one by one as solutions
show them.
"""

from __future__ import annotations

from collections.abc import Hashable

from hybrid.bmc.formula import Formula
from hybrid.bmc.ranges import Ranges
from hybrid.bmc.slots import Symbolic
from hybrid.bmc.solution import BmcTrace
from hybrid.bmc.terms import FALSE, TRUE
from hybrid.encoding.logic import Logic
from hybrid.engine.api import Limits, Stopped
from hybrid.errors import InternalError
from hybrid.model.commit_before import po_rf_acyclic
from hybrid.model.core import Model

Flows = dict[int, dict[int, int]]  # by slot of a store: the loads its value comes from, and when


def flows(program: Symbolic) -> Flows:
    """From which loads the stored values come: as written, a value that does not change the result
    counts too."""
    terms = program.terms
    below: dict[int, dict[int, int]] = {}
    for term, op in enumerate(terms.ops):
        args = terms.args[term]
        if op == "load":
            below[term] = {args[0]: TRUE}
        elif op == "mux":
            found: dict[int, list[int]] = {}
            for guard, value in zip(args[::2], args[1::2], strict=True):
                for load, when in below[value].items():
                    found.setdefault(load, []).append(terms.conjunction(guard, when))
            below[term] = {load: terms.disjunction(ways) for load, ways in found.items()}
        elif op not in ("const", "final", "false", "true", "choice", "not", "and", "or"):
            merged: dict[int, list[int]] = {}
            for arg in args:
                for load, when in below.get(arg, {}).items():
                    merged.setdefault(load, []).append(when)
            below[term] = {load: terms.disjunction(ways) for load, ways in merged.items()}
        else:
            below[term] = {}
    return {
        slot.number: below[slot.value]
        for slot in program.slots
        if slot.kind == "W" and slot.value is not None
    }


def can_be_circular(program: Symbolic, model: Model, limits: Limits) -> frozenset[int]:
    """The loads that some choice of sources would put into a circle, or before one, going by
    constant addresses alone; none if the model keeps po and rf acyclic, as data flows along po."""
    if po_rf_acyclic(model.axioms, model.definitions):
        return frozenset()
    known = program.terms.value
    stored = flows(program)
    after: dict[int, set[int]] = {}  # from loads to loads that may read what they led to
    loads = [slot for slot in program.slots if slot.kind == "R"]
    for store, sources in stored.items():
        limits.check_time()
        if not sources:
            continue
        there = program.slots[store].address
        place = None if there is None else known(there)
        for load in loads:
            here = None if load.address is None else known(load.address)
            if place is None or here is None or place == here:
                for source in sources:
                    after.setdefault(source, set()).add(load.number)
    alive = set(after)
    while True:
        left = {load for load in alive if after[load] & alive}
        if left == alive:
            return frozenset(alive)
        alive = left


def allows_circle(formula: Formula) -> bool:
    """Whether the formula has a solution with a circle, values left out; afterwards it speaks of
    values."""
    logic = formula.logic
    circle = circle_literal(formula)
    allowed = _solve(formula, (-formula.valued, circle))
    logic.add((-circle,))
    logic.add((formula.valued,))
    return allowed


def has_circle(program: Symbolic, model: Model, logic: Logic, limits: Limits) -> bool:
    """Whether the model allows a run with a circle."""
    everything = frozenset(slot.number for slot in program.slots if slot.kind == "R")
    formula = Formula(program, Ranges(program, limits, everything), model, logic, limits, False)
    looked_at = () if model.races else (formula.tells,)  # races count in blocked runs too
    return _solve(formula, (circle_literal(formula), *looked_at))


def _solve(formula: Formula, assumptions: tuple[int, ...]) -> bool:
    answer = formula.logic.solve(assumptions, formula.limits.deadline)
    if answer is None:
        raise Stopped
    return answer


def circle_literal(formula: Formula) -> int:
    """A literal that implies that there is a circle: a set of loads, each reading what comes from
    another of the set."""
    logic = formula.logic
    stored = flows(formula.program)
    circle = logic.variable("circle")
    members = {load.number: logic.variable(("circle", load.number)) for load in formula.loads}
    for load, member in members.items():
        ways: list[int] = []
        for store in formula.stores:
            rf = formula.rf.get((store.number, load))
            if rf is None:
                continue
            for source, when in stored[store.number].items():
                if when != FALSE and source in members:
                    literal = formula.truth(when)
                    ways.append(logic.conjunction((rf, literal, members[source])))
        logic.add((-member, *ways))
    logic.add((-circle, *members.values()))
    return circle


def exclude_circles(formula: Formula) -> None:
    """Adds clauses that leave out all runs with a circle at once."""
    logic = formula.logic
    stored = flows(formula.program)
    loads = {load.number for load in formula.loads}
    ways: dict[tuple[Hashable, Hashable], list[int]] = {}
    for (store, load), rf in formula.rf.items():
        for source, when in stored[store].items():
            if when != FALSE and source in loads:
                way = logic.conjunction((rf, formula.truth(when)))
                ways.setdefault((source, load), []).append(way)
    edges = {pair: logic.disjunction(found) for pair, found in ways.items()}
    logic.acyclic(edges, "circles")


def circle_clause(formula: Formula, trace: BmcTrace) -> list[int]:
    """A clause that excludes a circle of this solution, wherever else it occurs."""
    solution = trace.solution
    stored = flows(formula.program)
    found = trace.values()
    slots = formula.program.slots
    start = next(load for load in solution.rf if slots[load].value not in found)
    way: list[int] = []
    clause: dict[int, list[int]] = {}
    load = start
    while load not in clause:
        way.append(load)
        store = solution.rf[load]
        for source, when in stored[store].items():
            if slots[source].value not in found and trace.true(when):
                clause[load] = [-formula.rf[(store, load)], -formula.truth(when)]
                load = source
                break
        else:
            raise InternalError("a circle that is not one")
    return [literal for member in way[way.index(load) :] for literal in clause[member]]
