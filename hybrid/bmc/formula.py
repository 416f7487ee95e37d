"""The formula: everything a bounded program can do, and the memory model, over the literals of a
Logic.

Variables have names: ("rf", w, r) and ("co", w, v) for slots of stores and loads, ("value", r, i)
for a bit of what a load reads, ("choice", s). A solution is a run in which each load that happens
has one source with its address and value, and the stores of each location have a total order.
Values that justify themselves in a circle are solutions too; hybrid.bmc.thin_air deals with them.

All that is said of values can be made to depend on one variable, `valued`. Without it, the formula
is about control flow, rf, co and the model alone; then what is known of values beforehand (`wide`)
must be so in circles too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hybrid.bmc.bits import Bits, Vector, constant, extend
from hybrid.bmc.given_order import with_given_order
from hybrid.bmc.loose_model import loosened
from hybrid.bmc.ranges import CAN_BE_FALSE, CAN_BE_TRUE, Ranges, width
from hybrid.bmc.slots import Slot, Symbolic
from hybrid.encoding.alternatives import Item, Map
from hybrid.encoding.clauses import FALSE, TRUE
from hybrid.encoding.logic import Logic
from hybrid.encoding.model import EncodedModel, Flags, encode_model
from hybrid.engine.api import Limits
from hybrid.errors import InternalError
from hybrid.model.core import Model

Pair = tuple[int, int]


class Formula:
    """The clauses of a program under a model. `slots` are those that can happen."""

    def __init__(
        self,
        program: Symbolic,
        ranges: Ranges,
        model: Model,
        logic: Logic,
        limits: Limits,
        flags: bool = True,
        wide: Ranges | None = None,
        touched: bool = False,
    ) -> None:
        """`touched`: there are no initial writes of locations to which no access goes, which must
        make no difference to the model; solutions cannot be read as traces."""
        self.program = program
        self.terms = program.terms
        self.ranges = ranges
        self.wide = wide or ranges
        self.logic = logic
        self.valued = TRUE if wide is None else logic.variable("valued")
        self.limits = limits
        self.bits = Bits(logic)
        self.truths: dict[int, int] = {}  # literals of truths
        self.vectors: dict[int, Vector] = {}  # of values
        self.slots = [slot for slot in program.slots if self._possible(slot)]
        if touched:
            self.slots = self._touched()
        self.loads = [slot for slot in self.slots if slot.kind == "R"]
        self.stores = [slot for slot in self.slots if slot.kind == "W"]
        self.at: dict[int, dict[int, int]] = {s.number: self._where(s) for s in self.slots}
        self.rf: dict[Pair, int] = {}  # (store, load)
        self.co: dict[Pair, int] = {}  # (store, store), initial writes included
        for truth in self._needed():
            self.truth(truth)
        for load in self.loads:
            limits.check_time()
            self._sources(load)
        self._coherence()
        self.late = self._late_stores()  # literals: one is true where freed memory is written
        # assumed of the runs that are looked at
        self.tells = logic.disjunction([self.truth(program.tells), *self.late])
        self.model = self._model(model, flags)

    def _needed(self) -> Iterator[int]:
        """What is read from a solution: which case a mux is, and how the threads run."""
        for op, args in zip(self.terms.ops, self.terms.args, strict=True):
            if op == "mux":
                yield from args[::2]
        for endings in self.program.endings:
            yield from (ending.when for ending in endings)
        for steps in self.program.steps:
            yield from (step.passed for step in steps)
        for asserts in self.program.asserts:
            yield from (fails for _, fails in asserts)

    # ---- truths and values

    def happens(self, slot: Slot) -> int:
        return self.truth(slot.happens)

    def truth(self, term: int) -> int:
        """The literal of a truth."""
        found = self.truths.get(term)
        if found is None:
            for part in self._open([term], self.truths, _TRUTHS):
                self.truths[part] = self._truth(part)
            found = self.truths[term]
        return found

    def vector(self, term: int) -> Vector:
        """The bits of a value."""
        found = self.vectors.get(term)
        if found is None:
            for part in self._open([term], self.vectors, None):
                if part not in self.vectors:
                    self.vectors[part] = self._vector(part)
            found = self.vectors[term]
        return found

    def _open(
        self,
        wanted: list[int],
        done: dict[int, int] | dict[int, Vector],
        ops: frozenset[str] | None,
    ) -> list[int]:
        """The terms of one sort below `wanted` that are not yet done, operands first."""
        found: set[int] = set()
        todo = list(wanted)
        while todo:
            term = todo.pop()
            if term in found or term in done:
                continue
            found.add(term)
            op, args = self.terms.ops[term], self.terms.args[term]
            if ops is not None:
                todo.extend(args if op in ops else ())
            elif self._settled(term) is None:
                if op == "mux":
                    todo.extend(args[1::2])
                elif op not in ("const", "load", "final"):
                    todo.extend(args)
        return sorted(found)

    def _truth(self, term: int) -> int:
        op, args = self.terms.ops[term], self.terms.args[term]
        if op in ("true", "false"):
            return TRUE if op == "true" else FALSE
        if op == "not":
            return -self.truths[args[0]]
        if op == "and":
            return self.logic.conjunction([self.truths[a] for a in args])
        if op == "or":
            return self.logic.disjunction([self.truths[a] for a in args])
        if op == "choice":
            return self.logic.variable(("choice", args[0]))
        can = self.wide.can[term]
        if can in (0, CAN_BE_FALSE):
            return FALSE
        if can == CAN_BE_TRUE:
            return TRUE
        vector = self.vector(args[0])
        if op == "test":
            return self._if_valued(("test", args[0]), self.bits.nonzero(vector))
        if op == "located":
            places = [self.bits.equal(vector, constant(a)) for a in sorted(self.terms.locations)]
            return self._if_valued(("located", args[0]), self.logic.disjunction(places))
        raise InternalError(f"no truth: {op}")

    def _if_valued(self, name: tuple[str, int] | tuple[str, int, int], literal: int) -> int:
        """A literal that is `literal` as far as values are spoken of."""
        if self.valued == TRUE:
            return literal
        free = self.logic.variable(name)
        self.logic.add((-self.valued, -free, literal))
        self.logic.add((-self.valued, free, -literal))
        return free

    def _settled(self, term: int) -> int | None:
        """The value of a term that has only one, or none at all."""
        found = self.ranges.of[term]
        if isinstance(found, frozenset) and len(found) < 2:
            return next(iter(found), 0)
        return None

    def _vector(self, term: int) -> Vector:
        settled = self._settled(term)
        if settled is not None:
            return constant(settled)
        op, args = self.terms.ops[term], self.terms.args[term]
        size = width(self.ranges.of[term])
        if op in ("load", "final"):
            name = "value" if op == "load" else "final"
            bits = [self.logic.variable((name, args[0], i)) for i in range(size)]
            if max(min_of(self.ranges, term), 0) == min_of(self.ranges, term):
                bits[-1] = FALSE
            vector = tuple(bits)
            if op == "final":
                self._last(args[0], vector)
            return vector
        if op == "mux":
            cases = list(zip(args[::2], args[1::2], strict=True))
            vector = self.vectors[cases[-1][1]]
            for guard, value in reversed(cases[:-1]):
                vector = self.bits.choose(self.truth(guard), self.vectors[value], vector)
        elif len(args) == 1:
            vector = self.bits.unary(op, self.vectors[args[0]])
        else:
            vector = self.bits.binary(op, self.vectors[args[0]], self.vectors[args[1]])
        return extend(vector, min(size, len(vector)))

    def _equal_if(self, condition: int, left: Vector, right: Vector) -> None:
        size = max(len(left), len(right))
        for a, b in zip(extend(left, size), extend(right, size), strict=True):
            if a != b:
                self.logic.add((-self.valued, -condition, -a, b))
                self.logic.add((-self.valued, -condition, a, -b))

    # ---- events

    def _possible(self, slot: Slot) -> bool:
        return self.wide.may_happen(slot) and self.happens(slot) != FALSE

    def _touched(self) -> list[Slot]:
        """The slots but for the initial writes of locations that no access goes to."""
        terms = self.terms
        asked = (args for op, args in zip(terms.ops, terms.args, strict=True) if op == "final")
        places = {args[0] for args in asked}
        for slot in self.slots:
            if slot.thread >= 0 and slot.address is not None:
                places |= self.wide.locations[slot.number]
        return [
            slot
            for slot in self.slots
            if slot.thread >= 0 or not places.isdisjoint(self.wide.locations[slot.number])
        ]

    def _where(self, slot: Slot) -> dict[int, int]:
        """Addresses, and whether the access goes there, given that it happens."""
        if slot.address is None:
            return {}
        places = sorted(self.wide.locations[slot.number])
        if len(places) == 1:
            return {places[0]: TRUE}
        vector = self.vector(slot.address)
        return {
            place: self._if_valued(
                ("at", slot.number, place), self.bits.equal(vector, constant(place))
            )
            for place in places
        }

    def together(self, a: Slot, b: Slot) -> int:
        """Both happen, at one location."""
        here, there = self.at[a.number], self.at[b.number]
        same = [
            self.logic.conjunction((here[place], there[place])) for place in here if place in there
        ]
        where = self.logic.disjunction(same)
        return FALSE if where == FALSE else self.logic.conjunction((self.both(a, b), where))

    def both(self, a: Slot, b: Slot) -> int:
        return self.truth(self.terms.conjunction(a.happens, b.happens))

    def _sources(self, load: Slot) -> None:
        """A load that happens has exactly one source."""
        add, here, happens = self.logic.add, self.at[load.number], self.happens(load)
        found: list[int] = []
        for store in self.stores:
            there = self.at[store.number]
            if here.keys().isdisjoint(there):
                continue
            rf = self.logic.variable(("rf", store.number, load.number))
            self.rf[(store.number, load.number)] = rf
            add((-rf, happens))
            add((-rf, self.happens(store)))
            for place, literal in here.items():
                add((-rf, -literal, there.get(place, FALSE)))
            if store.value is None or load.value is None:
                raise InternalError(f"{store.label}, {load.label}: an access without a value")
            self._equal_if(rf, self.vector(store.value), self.vector(load.value))
            for other in found:
                add((-rf, -other))
            found.append(rf)
        add((-happens, *found))
        if load.guard is not None and load.value is not None:
            # Not by way of terms, whose ranges take for granted what is said here.
            op, wanted = load.guard
            meets = self.bits.binary(op, self.vector(load.value), self.vector(wanted))
            add((-self.valued, -happens, self.bits.nonzero(meets)))
        if load.test is not None:
            add((-self.valued, -happens, self.truth(load.test)))

    def _coherence(self) -> None:
        """The stores of a location are totally ordered, the initial write first."""
        logic, co = self.logic, self.co
        initial = [store for store in self.stores if store.thread < 0]
        others = [store for store in self.stores if store.thread >= 0]
        for first in initial:
            (place,) = self.at[first.number]
            for store in others:
                literal = self.at[store.number].get(place, FALSE)
                literal = logic.conjunction((self.happens(store), literal))
                if literal != FALSE:
                    co[(first.number, store.number)] = literal
        after: dict[int, list[int]] = {store.number: [] for store in others}
        for i, store in enumerate(others):
            self.limits.check_time()
            for other in others[i + 1 :]:
                a, b = store.number, other.number
                together = self.together(store, other)
                if together == FALSE:
                    continue
                before = logic.variable(("co", a, b))
                if together == TRUE:
                    co[(a, b)], co[(b, a)] = before, -before
                else:
                    behind = logic.variable(("co", b, a))
                    co[(a, b)], co[(b, a)] = before, behind
                    logic.add((-before, together))
                    logic.add((-behind, together))
                    logic.add((-together, before, behind))
                    logic.add((-before, -behind))
                after[a].append(b)
                after[b].append(a)
        for a, following in after.items():
            for b in following:
                for c in after[b]:
                    if c != a and (a, c) in co:
                        logic.add((-co[(a, b)], -co[(b, c)], co[(a, c)]))

    def _late_stores(self) -> list[int]:
        """A store is late that comes, in coherence, after one that frees the memory, or whose
        memory is freed from the start."""
        freeing = {store.number for store in self.stores if store.label in self.program.frees}
        late = [co for (a, b), co in self.co.items() if a in freeing and b not in freeing]
        for store in self.stores:
            if store.thread >= 0 and store.number not in freeing:
                for address in self.program.freed_from_start:
                    literal = self.at[store.number].get(address, FALSE)
                    if literal != FALSE:
                        late.append(self.logic.conjunction((self.happens(store), literal)))
        return late

    def _last(self, address: int, vector: Vector) -> None:
        """The final value of a location is what its co-last store writes."""
        for store in self.stores:
            literal = self.at[store.number].get(address, FALSE)
            if literal == FALSE or store.value is None:
                continue
            later = [-co for (a, _), co in self.co.items() if a == store.number]
            last = self.logic.conjunction((self.happens(store), literal, *later))
            self._equal_if(last, self.vector(store.value), vector)

    # ---- the model

    def _model(self, model: Model, flags: bool) -> EncodedModel:
        loose = loosened(model, flags)
        used = loose.used
        sets: dict[str, dict[Item, int]] = {name: {} for name in ("_", "R", "W", "F", "B", "IW")}
        for slot in self.slots:
            names = ["_", slot.kind, *(["IW"] if slot.thread < 0 else [])]
            for name in names:
                sets.setdefault(name, {})[slot.number] = self.happens(slot)
            for name, literal in self._tags(slot).items():
                sets.setdefault(name, {})[slot.number] = literal
        relations: dict[str, Map] = self._dependencies()
        relations["rf"], relations["co"] = {**self.rf}, {**self.co}
        relations["po"] = {
            (a.number, b.number): TRUE for a, b in self._pairs() if a.number in b.after
        }
        everything = [(a, b) for a in self.slots for b in self.slots]
        for name, inside in (("int", True), ("ext", False)):
            if name in used:
                relations[name] = {
                    (a.number, b.number): TRUE
                    for a, b in everything
                    if (a.thread == b.thread) == inside
                }
        if "loc" in used:
            relations["loc"] = {
                (a.number, b.number): literal
                for a, b in everything
                if a.address is not None
                and b.address is not None
                and (literal := self._same(a, b)) != FALSE
            }
        numbers = [slot.number for slot in self.slots]
        model = with_given_order(loose.model, loose.tight, self.slots, relations)
        how = Flags.ASKED if flags else Flags.NONE
        encoded = encode_model(model, self.logic, numbers, sets, relations, how)
        for literal in encoded.axioms.values():
            self.logic.add((literal,))
        return encoded

    def _tags(self, slot: Slot) -> dict[str, int]:
        """The tags that the event can have, and when it has them."""
        happens = self.happens(slot)
        if slot.failed_tags is None or slot.failed_tags == slot.tags:
            return dict.fromkeys(slot.tags, happens)
        conjunction, negation = self.terms.conjunction, self.terms.negation
        stores = self.truth(conjunction(slot.happens, slot.stored))
        fails = self.truth(conjunction(slot.happens, negation(slot.stored)))
        found = dict.fromkeys(slot.tags, stores) | dict.fromkeys(slot.failed_tags, fails)
        return found | dict.fromkeys(slot.tags & slot.failed_tags, happens)

    def _same(self, a: Slot, b: Slot) -> int:
        """Of two that happen: whether they are at one location."""
        if a is b:
            return TRUE
        here, there = self.at[a.number], self.at[b.number]
        if len(here) == len(there) == 1:
            return TRUE if here.keys() == there.keys() else FALSE
        return self.together(a, b) if a.number < b.number else self.together(b, a)

    def _pairs(self) -> Iterable[tuple[Slot, Slot]]:
        """Of slots of the same thread, the first before the second in number."""
        for i, a in enumerate(self.slots):
            for b in self.slots[i + 1 :]:
                if a.thread != b.thread:
                    break
                yield a, b

    def _dependencies(self) -> dict[str, dict[Item, int]]:
        relations: dict[str, dict[Item, int]] = {
            name: {} for name in ("addr", "data", "ctrl", "pick", "amo", "lxsx")
        }
        conjunction = self.terms.conjunction
        for slot in self.slots:
            sources = {
                "addr": slot.addr, "data": slot.data, "ctrl": slot.ctrl, "pick": slot.pick,
                "lxsx": slot.lxsx,
            }  # fmt: skip
            for name, loads in sources.items():
                for load, when in loads.items():
                    literal = self.truth(conjunction(slot.happens, when))
                    if literal != FALSE:
                        relations[name][(load, slot.number)] = literal
            if slot.amo is not None:
                relations["amo"][(slot.amo, slot.number)] = self.happens(slot)
        return relations


_TRUTHS = frozenset(("not", "and", "or"))


def min_of(ranges: Ranges, term: int) -> int:
    """The smallest value of a term that has some."""
    found = ranges.of[term]
    return found[0] if isinstance(found, tuple) else min(found)
