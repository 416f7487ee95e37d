"""How wide the accesses of a test are: refuses mixed sizes, drops extensions that change nothing.

What registers and variables may hold is described by a range of numbers and a set of variables into
which they may point: of registers before each instruction, of variables for all times at once,
grown until nothing changes. An access of another width than its variable's is unsupported. A
variable without a type, or a pointer, is as wide as its accesses, which then must agree. `s32(e)`
and its kin are dropped where `e` fits anyway.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import assert_never

from hybrid.errors import Unsupported
from hybrid.frontend.litmus.state import INT, Memory, Variable
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program import values
from hybrid.program.loops import successors
from hybrid.program.program import Thread

_LOWEST, _HIGHEST = -(1 << 63), (1 << 63) - 1
WIDEST = 8  # bytes of a location
_ROUNDS = 12  # after so many the ranges that still grow become full


@dataclass(frozen=True, slots=True)
class ValueRange:
    """What a register or variable may hold."""

    low: int
    high: int
    points: frozenset[str] = frozenset()  # variables whose addresses the value may come from

    def join(self, other: ValueRange) -> ValueRange:
        if other.low >= self.low and other.high <= self.high and other.points <= self.points:
            return self
        return ValueRange(
            min(self.low, other.low), max(self.high, other.high), self.points | other.points
        )

    def within(self, low: int, high: int) -> bool:
        return low <= self.low and self.high <= high


_ZERO = ValueRange(0, 0)
_TRUTH = ValueRange(0, 1)


State = dict[str, ValueRange]  # by registers; 0 where they are not named


def _join_states(old: State | None, new: State, wide: bool) -> State:
    """What either holds; with `wide`, everything where they differ."""
    if old is None:
        return new
    found: State = {}
    for name in old.keys() | new.keys():
        before = old.get(name, _ZERO)
        after = before.join(new.get(name, _ZERO))
        found[name] = _full(after.points) if wide and after is not before else after
    return found


def _full(points: frozenset[str]) -> ValueRange:
    return ValueRange(_LOWEST, _HIGHEST, points)


class Widths:
    """The analysis of one test. `bits` tells the width of each variable that is accessed."""

    def __init__(
        self,
        memory: Memory,
        threads: list[Thread],
        accesses: list[dict[str, tuple[int | None, str]]],
    ) -> None:
        self.memory = memory
        self.threads = threads
        self.bits: dict[str, int] = {}
        self._starts = sorted(
            (v.address, v.address + (v.cells or 1) * v.cell_bytes, v.name)
            for v in memory.variables.values()
        )
        self._held: dict[str, ValueRange] = {}  # by variables
        for variable in memory.variables.values():
            given = [value for value, _ in variable.initial.values()]
            numbers = [n for value in given for n in _as_held(value, variable.bits)]
            self._held[variable.name] = _joined([_ZERO, *map(self._number, numbers)])
        # What registers hold before each instruction, and at the end; None where nothing comes.
        self._before: list[list[State | None]] = []
        self._run()
        self._accesses = accesses
        self._check()

    # The analysis

    def _run(self) -> None:
        rounds = 0
        before: dict[str, ValueRange] | None = None
        while before != self._held:
            before = dict(self._held)
            rounds += 1
            self._before = [self._follow(thread) for thread in self.threads]
            if rounds > _ROUNDS:
                for name, held in self._held.items():
                    if held != before[name]:
                        self._held[name] = _full(held.points)

    def _follow(self, thread: Thread) -> list[State | None]:
        """One thread, as memory is known so far; what it stores is added to that."""
        code = thread.code
        states: list[State | None] = [None] * (len(code) + 1)
        states[0] = {name: self._number(value) for name, value in thread.initial.items()}
        visits = [0] * len(code)
        todo = {0}
        while todo:
            at = min(todo)
            todo.remove(at)
            state = states[at]
            if at == len(code) or state is None:
                continue
            visits[at] += 1
            instruction = code[at]
            after = self._effect(state, instruction)
            for target in successors(code, at):
                joined = _join_states(states[target], after, visits[at] > _ROUNDS)
                if joined != states[target]:
                    states[target] = joined
                    todo.add(target)
        return states

    def _effect(self, state: State, instruction: ins.Instruction) -> State:
        """The registers after an instruction; what it stores is put into memory."""
        match instruction:
            case ins.Assign():
                return {**state, instruction.register: self._of(state, instruction.value)}
            case ins.Select():
                either = self._of(state, instruction.yes).join(self._of(state, instruction.no))
                return {**state, instruction.register: either}
            case ins.Load():
                found = self._read(self.places(state, instruction.address))
                return {**state, **dict.fromkeys(instruction.sets, found)}
            case ins.Rmw():
                return {**state, **self._modify(state, instruction)}
            case ins.Store() | ins.StoreConditional():
                stored = self._of(state, instruction.value)
                self._put(self.places(state, instruction.address), stored)
                return {**state, **dict.fromkeys(instruction.sets, _TRUTH)}
            case ins.Fence() | ins.Branch() | ins.Goto() | ins.Assume() | ins.Assert():
                return state
            case _:
                assert_never(instruction)

    def _modify(self, state: State, rmw: ins.Rmw) -> State:
        """The registers that a read-modify-write sets."""
        places = self.places(state, rmw.address)
        found = self._read(places)
        stored = operand = self._of(state, rmw.operand)
        if rmw.op not in ("xchg", "cas"):
            stored = _binary(rmw.op, found, operand)
            if rmw.bits != values.BITS:
                stored = _extended(f"s{rmw.bits}", stored)
        self._put(places, stored)
        written = {} if rmw.register is None else {rmw.register: found}
        return written if rmw.success is None else {**written, rmw.success: _TRUTH}

    def _read(self, places: Iterable[str]) -> ValueRange:
        return _joined(self._held[name] for name in places)

    def _put(self, places: Iterable[str], stored: ValueRange) -> None:
        for name in places:
            self._held[name] = self._held[name].join(stored)

    def places(self, state: State, address: ex.Expr) -> Iterable[str]:
        """The variables in which an address may lie; all, where nothing is known of it."""
        return self._of(state, address).points or self.memory.variables.keys()

    def _number(self, value: int) -> ValueRange:
        """A constant, which may be an address."""
        for start, end, name in self._starts:
            if start <= value < end:
                return ValueRange(value, value, frozenset((name,)))
        return ValueRange(value, value)

    def _of(self, state: State, expr: ex.Expr) -> ValueRange:
        if isinstance(expr, ex.Const):
            return self._number(expr.value)
        if isinstance(expr, ex.Register):
            return state.get(expr.name, _ZERO)
        if isinstance(expr, ex.Unary):
            return _unary(expr.op, self._of(state, expr.operand))
        if expr.op in ("^", "-") and _same_register(expr):
            return _ZERO
        return _binary(expr.op, self._of(state, expr.left), self._of(state, expr.right))

    # The widths of variables

    def _check(self) -> None:
        for number, thread in enumerate(self.threads):
            for at, instruction in enumerate(thread.code):
                bits, mnemonic = self._accesses[number].get(instruction.label, (None, ""))
                if bits is None or not isinstance(instruction, ins.Access):
                    continue
                state = self._before[number][at] or {}
                address = self._of(state, instruction.address)
                for name in sorted(address.points):
                    self._fit(instruction, mnemonic, bits, self.memory.variables[name])
                    if address.low == address.high:
                        self._hit(instruction, mnemonic, address.low, self.memory.variables[name])

    def _fit(self, access: ins.Access, mnemonic: str, bits: int, variable: Variable) -> None:
        known = variable.bits or self.bits.get(variable.name)
        if known is not None and known != bits:
            message = (
                f"unsupported instruction `{mnemonic}`: an access of {bits} bits to "
                f"{variable.show()}, which has {known}"
            )
            raise Unsupported(message, access.span, "mixed sizes are not supported")
        if variable.cells is not None and variable.cell_bytes * 8 != bits:
            message = (
                f"unsupported instruction `{mnemonic}`: an access of {bits} bits to "
                f"{variable.show()}"
            )
            raise Unsupported(message, access.span, "mixed sizes are not supported")
        self.bits[variable.name] = bits

    def _hit(self, access: ins.Access, mnemonic: str, address: int, variable: Variable) -> None:
        """Refuses an access that begins within a location, or just behind one that its accesses
        made narrow."""
        offset = address - variable.address
        if variable.cells is not None:
            within = (
                offset % variable.cell_bytes != 0 and offset < variable.cells * variable.cell_bytes
            )
        else:
            within = 0 < offset < WIDEST
        if within:
            message = (
                f"unsupported instruction `{mnemonic}`: an access to {variable.show()} from "
                f"byte {offset} on"
            )
            raise Unsupported(message, access.span, "mixed sizes are not supported")

    # Extensions

    def narrowed(self) -> list[Thread]:
        """The threads without the extensions that change nothing."""
        return [self._narrow_thread(number, t) for number, t in enumerate(self.threads)]

    def _narrow_thread(self, number: int, thread: Thread) -> Thread:
        code: list[ins.Instruction] = []
        moved: list[int] = []  # by old index
        for at, instruction in enumerate(thread.code):
            moved.append(len(code))
            state = self._before[number][at] or {}
            if isinstance(instruction, ins.Store):
                width = self._accesses[number].get(instruction.label)
                if width is not None and width[0] is None:
                    instruction = self._as_wide_as_its_place(state, instruction, width[1])
            narrow = instruction.with_expressions(partial(self._drop, state))
            if not (
                isinstance(narrow, ins.Assign)
                and isinstance(narrow.value, ex.Register)
                and narrow.value.name == narrow.register
            ):
                code.append(replace(narrow, label=f"{thread.name}_{len(code)}"))
        moved.append(len(code))
        return replace(thread, code=tuple(i.with_targets(moved.__getitem__) for i in code))

    def _as_wide_as_its_place(self, state: State, store: ins.Store, mnemonic: str) -> ins.Store:
        """A store of a number, held as the variable that it goes to holds it."""
        found = {self.width(name) for name in self.places(state, store.address)}
        if len(found) > 1:
            message = f"unsupported instruction `{mnemonic}`: how wide it is depends on its address"
            raise Unsupported(message, store.span)
        value = store.value
        if isinstance(value, ex.Const) and found:
            value = replace(value, value=values.narrow(value.value, found.pop()))
        return replace(store, value=value)

    def width(self, name: str) -> int:
        """The bits of a variable."""
        return self.bits.get(name) or self.memory.variables[name].bits or INT

    def _drop(self, state: State, expr: ex.Expr) -> ex.Expr:
        if isinstance(expr, ex.Unary):
            operand = self._drop(state, expr.operand)
            if expr.op in values.EXTENSIONS:
                low, high = _RANGES[expr.op]
                if self._of(state, expr.operand).within(low, high):
                    return operand
            return replace(expr, operand=operand)
        if isinstance(expr, ex.Binary):
            left, right = self._drop(state, expr.left), self._drop(state, expr.right)
            return replace(expr, left=left, right=right)
        return expr


def _as_held(value: int, bits: int | None) -> list[int]:
    """What a variable of that width holds for an initial value; without a width, for any."""
    widths = (8, 16, 32, 64) if bits is None else (bits,)
    return [values.narrow(value, width) for width in widths]


def _joined(several: Iterable[ValueRange]) -> ValueRange:
    found: ValueRange | None = None
    for held in several:
        found = held if found is None else found.join(held)
    return found or _ZERO


def _same_register(expr: ex.Binary) -> bool:
    left, right = expr.left, expr.right
    return (
        isinstance(left, ex.Register) and isinstance(right, ex.Register) and left.name == right.name
    )


_RANGES: Mapping[str, tuple[int, int]] = {
    op: (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if op[0] == "s" else (0, (1 << bits) - 1)
    for op, bits in values.EXTENSIONS.items()
}


def _extended(op: str, operand: ValueRange) -> ValueRange:
    low, high = _RANGES[op]
    return operand if operand.within(low, high) else ValueRange(low, high, operand.points)


def _unary(op: str, operand: ValueRange) -> ValueRange:
    if op in _RANGES:
        return _extended(op, operand)
    if op == "!":
        return _TRUTH
    if op == "~":
        return ValueRange(~operand.high, ~operand.low, operand.points)
    if operand.low == _LOWEST:
        return _full(operand.points)
    return ValueRange(-operand.high, -operand.low, operand.points)


def _binary(op: str, left: ValueRange, right: ValueRange) -> ValueRange:
    points = left.points | right.points
    if op in values.COMPARISONS or op in ("&&", "||"):
        return _TRUTH
    if op in ("+", "-"):
        if op == "+":
            low, high = left.low + right.low, left.high + right.high
        else:
            low, high = left.low - right.high, left.high - right.low
        return _full(points) if low < _LOWEST or high > _HIGHEST else ValueRange(low, high, points)
    if op == "&" and (left.low >= 0 or right.low >= 0):
        return ValueRange(0, min(h.high for h in (left, right) if h.low >= 0), points)
    if op in ("|", "^") and left.low >= 0 and right.low >= 0:
        return ValueRange(0, (1 << max(left.high, right.high).bit_length()) - 1, points)
    if op in ("min", "max"):
        return left.join(right)
    if op in (">>", ">>>") and left.low >= 0:
        return ValueRange(0, left.high, points)
    return _full(points)
