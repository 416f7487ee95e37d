"""Which values terms can have: small sets of numbers, or intervals, and which truths can be true or
false.

In a run whose values do not justify themselves in a circle each value is computed by
going from load to source at most as often as there are loads; after so many rounds every value of
such a run is in its range, whether or not the ranges have come to rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Final

from hybrid.bmc.slots import Slot, Symbolic
from hybrid.engine.api import Limits
from hybrid.program import values

Interval = tuple[int, int]  # lowest, highest
Range = frozenset[int] | Interval

NOTHING: Range = frozenset()
FULL: Interval = (-(1 << (values.BITS - 1)), (1 << (values.BITS - 1)) - 1)
CAN_BE_TRUE: Final = 1
CAN_BE_FALSE: Final = 2

_BOOLEAN: Range = frozenset((0, 1))
_MOST: Final = 40  # members of a set
_PAIRS: Final = 400  # of members that an operator is applied to
_STAGES: Final = 3
_TRUTHS: Final = frozenset(("false", "true", "not", "and", "or", "test", "located", "choice"))


def hull(values_of: Range) -> Interval:
    """The smallest interval around a range that is not empty."""
    if isinstance(values_of, tuple):
        return values_of
    return min(values_of), max(values_of)


def width(values_of: Range) -> int:
    """How many bits hold every value in two's complement; at least 1."""
    if not values_of:
        return 1
    return max(max(n, -n - 1).bit_length() for n in hull(values_of)) + 1


def join(left: Range, right: Range) -> Range:
    if not left or not right:
        return left or right
    if isinstance(left, frozenset) and isinstance(right, frozenset):
        return small(left | right)
    (a, b), (c, d) = hull(left), hull(right)
    return min(a, c), max(b, d)


def small(members: frozenset[int]) -> Range:
    return members if len(members) <= _MOST else hull(members)


def contains(values_of: Range, value: int) -> bool:
    if isinstance(values_of, tuple):
        return values_of[0] <= value <= values_of[1]
    return value in values_of


def unary(op: str, operand: Range) -> Range:
    if not operand:
        return NOTHING
    if isinstance(operand, frozenset):
        return frozenset(values.unary(op, n) for n in operand)
    low, high = operand
    if op == "!":
        return _BOOLEAN
    bits = values.EXTENSIONS.get(op)
    if bits is not None:
        whole = (
            (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if op[0] == "s" else (0, (1 << bits) - 1)
        )
        return operand if whole[0] <= low and high <= whole[1] else whole
    return _fit(-high, -low) if op == "-" else (-high - 1, -low - 1)


def binary(op: str, left: Range, right: Range) -> Range:
    if not left or not right:
        return NOTHING
    sets = isinstance(left, frozenset) and isinstance(right, frozenset)
    if sets and len(left) * len(right) <= _PAIRS:
        return small(frozenset(values.binary(op, a, b) for a, b in product(left, right)))
    return _intervals(op, hull(left), hull(right))


def _intervals(op: str, left: Interval, right: Interval) -> Range:
    (a, b), (c, d) = left, right
    if op == "+":
        return _fit(a + c, b + d)
    if op == "-":
        return _fit(a - d, b - c)
    if op == "*":
        corners = (a * c, a * d, b * c, b * d)
        return _fit(min(corners), max(corners))
    if op in ("/", "%"):  # towards zero: no farther from it than the left side
        return _fit(-max(b, -a, 0), max(b, -a, 0))
    if op == "&" and (a >= 0 or c >= 0):
        return 0, min(n for low, n in (left, right) if low >= 0)
    if op == "nand":
        low, high = hull(_intervals("&", left, right))
        return -high - 1, -low - 1
    if op in ("&", "|", "^"):
        bits = max(width(left), width(right)) - 1
        return (0 if a >= 0 and c >= 0 else -(1 << bits)), (1 << bits) - 1
    if op == "<<":
        return FULL
    if op == ">>":
        return min(a, 0), max(b, 0)
    if op == ">>>":
        return (0, b) if a >= 0 else FULL
    if op in ("umin", "umax"):
        if a >= 0 and c >= 0:
            return _intervals(op[1:], left, right)
        return min(a, c), max(b, d)
    if op == "min":
        return min(a, c), min(b, d)
    if op == "max":
        return max(a, c), max(b, d)
    return _BOOLEAN


def _fit(low: int, high: int) -> Interval:
    return (low, high) if FULL[0] <= low and high <= FULL[1] else FULL


class Ranges:
    """The ranges of all terms of a program, in which the loads that are `free` can read anything.

    Computed in stages: in each, values start from nothing, while which truths are possible, where
    accesses can go and what awaits wait for is what the stage before found, at first everything. So
    nothing is assumed of a model: a branch may be taken because of a store behind it.
    """

    def __init__(
        self, program: Symbolic, limits: Limits, free: frozenset[int] = frozenset()
    ) -> None:
        self.terms = program.terms
        self.limits = limits
        size = len(self.terms.ops)
        self.of: list[Range] = [NOTHING] * size  # of values
        self.can = [self._possible_at_first(term) for term in range(size)]  # of truths
        self._stores = [slot for slot in program.slots if slot.kind == "W"]
        self._loads = [slot for slot in program.slots if slot.kind == "R"]
        self._guards = {slot.number: slot.guard[0] for slot in self._loads if slot.guard}
        accesses = (*self._stores, *self._loads)
        self.locations = {slot.number: self._places(slot, FULL) for slot in accesses}
        self._wanted: dict[int, Range] = {
            slot.number: FULL for slot in self._loads if slot.guard is not None
        }
        for _ in range(_STAGES):
            before = list(self.can), dict(self.locations), dict(self._wanted)
            self._values(free)
            self._truths()
            for slot in accesses:
                if slot.address is not None:
                    self.locations[slot.number] = self._places(slot, self.of[slot.address])
            for slot in self._loads:
                if slot.guard is not None:
                    self._wanted[slot.number] = self.of[slot.guard[1]]
            if before == (self.can, self.locations, self._wanted):
                break

    def may_happen(self, slot: Slot) -> bool:
        return bool(self.can[slot.happens] & CAN_BE_TRUE)

    def _possible_at_first(self, term: int) -> int:
        known = {"true": CAN_BE_TRUE, "false": CAN_BE_FALSE}
        return known.get(self.terms.ops[term], CAN_BE_TRUE | CAN_BE_FALSE)

    def _places(self, slot: Slot, found: Range) -> frozenset[int]:
        """The addresses of locations that an access with such an address can go to."""
        known = None if slot.address is None else self.terms.value(slot.address)
        if known is not None:
            found = frozenset((known,))
        if isinstance(found, frozenset):
            return found & self.terms.locations
        return frozenset(n for n in self.terms.locations if contains(found, n))

    # ---- values

    def _values(self, free: frozenset[int]) -> None:
        """The ranges of values, from nothing."""
        terms = self.terms
        self.of = [NOTHING] * len(terms.ops)
        readable = {
            load.number: self._readable(load) for load in self._loads if load.number not in free
        }
        read = dict.fromkeys(readable, NOTHING) | dict.fromkeys(free, FULL)
        changed = [op == "const" for op in terms.ops]
        order = [term for term, op in enumerate(terms.ops) if op not in _TRUTHS]  # operands first
        for rounds in range(len(self._loads) + 1):
            self.limits.check_time()
            self._round(order, changed, read)
            found = read | {n: self._union(n, stored) for n, stored in readable.items()}
            if found == read and rounds:
                break
            read = found
        self._round(order, changed, read)  # final values may stand before what is stored

    def _round(self, order: list[int], changed: list[bool], read: dict[int, Range]) -> None:
        """Each value once more, from what its operands can be; loads can read `read`."""
        terms, of = self.terms, self.of
        for term in order:
            op, args = terms.ops[term], terms.args[term]
            if op == "const":
                new: Range = frozenset(args)
            elif op == "load":
                new = read[args[0]]
            elif op == "final":
                new = self._union(-1, self._stored(args))
            elif any(changed[a] for a in (args[1::2] if op == "mux" else args)):
                new = self._apply(op, args)
            else:
                changed[term] = False
                continue
            changed[term] = new != of[term]
            of[term] = new

    def _readable(self, load: Slot) -> list[int]:
        """The values of the stores that `load` may read from."""
        return self._stored(self.locations[load.number]) if self.may_happen(load) else []

    def _stored(self, places: Iterable[int]) -> list[int]:
        """The values of the stores to these locations."""
        here = frozenset(places)
        return list(
            dict.fromkeys(
                store.value
                for store in self._stores
                if store.value is not None
                and self.may_happen(store)
                and here & self.locations[store.number]
            )
        )

    def _union(self, load: int, stored: list[int]) -> Range:
        """What is stored; to an await, only what it waits for."""
        found = NOTHING
        for value in stored:
            found = join(found, self.of[value])
        wanted = self._wanted.get(load)
        if wanted is not None and isinstance(found, frozenset):
            op = self._guards[load]
            found = frozenset(n for n in found if contains(binary(op, frozenset((n,)), wanted), 1))
        return found

    def _apply(self, op: str, args: tuple[int, ...]) -> Range:
        if op == "mux":
            found = NOTHING
            for guard, value in zip(args[::2], args[1::2], strict=True):
                if self.can[guard] & CAN_BE_TRUE:
                    found = join(found, self.of[value])
            return found
        if len(args) == 1:
            return unary(op, self.of[args[0]])
        return binary(op, self.of[args[0]], self.of[args[1]])

    # ---- truths

    def _truths(self) -> None:
        """Which truths are possible with these values."""
        for term, op in enumerate(self.terms.ops):
            args = self.terms.args[term]
            if op == "not":
                can = self.can[args[0]]
                self.can[term] = (can >> 1) | (can & 1) << 1
            elif op == "and":
                self.can[term] = self._all(args, CAN_BE_TRUE, CAN_BE_FALSE)
            elif op == "or":
                self.can[term] = self._all(args, CAN_BE_FALSE, CAN_BE_TRUE)
            elif op == "test":
                found = self.of[args[0]]
                some = isinstance(found, tuple) or any(found)
                self.can[term] = self._possible(some, contains(found, 0))
            elif op == "located":
                found, places = self.of[args[0]], self.terms.locations
                others = isinstance(found, tuple) or not found <= places
                self.can[term] = self._possible(any(contains(found, n) for n in places), others)

    def _possible(self, true: bool, false: bool) -> int:
        return (CAN_BE_TRUE if true else 0) | (CAN_BE_FALSE if false else 0)

    def _all(self, args: tuple[int, ...], whole: int, broken: int) -> int:
        """Whether all can be `whole`, and whether one can be `broken`."""
        parts = [self.can[a] for a in args]
        return (whole if all(p & whole for p in parts) else 0) | (
            broken if any(p & broken for p in parts) else 0
        )
