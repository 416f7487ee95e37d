"""How wide the accesses of a test are: refuses mixed sizes, drops extensions that change nothing.

What registers and variables may hold is told by a range of numbers and a set of variables into which they may point, for all
points of the program at once, and grown until nothing changes. An access of another width than its variable's is unsupported. A variable
without a type, or a pointer, is as wide as its accesses, which then must agree. `s32(e)` and its kin are dropped where `e` fits anyway.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from hybrid.errors import Unsupported
from hybrid.frontend.litmus.state import INT, Memory, Variable
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program import values
from hybrid.program.program import Thread

_LOWEST, _HIGHEST = -(1 << 63), (1 << 63) - 1
_ROUNDS = 12  # after so many the ranges that still grow become full


@dataclass(frozen=True, slots=True)
class Held:
    """What a register or variable may hold."""

    low: int
    high: int
    points: frozenset[str] = frozenset()  # variables whose addresses the value may come from

    def join(self, other: Held) -> Held:
        if other.low >= self.low and other.high <= self.high and other.points <= self.points:
            return self
        return Held(
            min(self.low, other.low), max(self.high, other.high), self.points | other.points
        )

    def within(self, low: int, high: int) -> bool:
        return low <= self.low and self.high <= high


_ZERO = Held(0, 0)
_TRUTH = Held(0, 1)


def _full(points: frozenset[str]) -> Held:
    return Held(_LOWEST, _HIGHEST, points)


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
        self._held: dict[tuple[int, str], Held] = {}  # by variable (thread -1) or register
        for variable in memory.variables.values():
            whole = [value for value, _ in variable.initial.values()]
            widths = (8, 16, 32) if variable.bits is None else (variable.bits,)
            # What is given may be without sign; what is held has one.
            whole += [values.narrow(v, b) for v in whole for b in widths if v >> b == 0]
            self._held[-1, variable.name] = _joined([_ZERO, *map(self._number, whole)])
        for number, thread in enumerate(threads):
            for register, value in thread.initial.items():
                self._held[number, register] = self._number(value)
        self._run()
        self._accesses = accesses
        self._check()

    # The analysis

    def _run(self) -> None:
        rounds = 0
        changed = True
        while changed:
            changed = False
            rounds += 1
            for number, thread in enumerate(self.threads):
                for instruction in thread.code:
                    for key, held in self._effects(number, instruction):
                        before = self._held.get(key, _ZERO)
                        after = before.join(held)
                        if after is not before:
                            if rounds > _ROUNDS:
                                after = _full(after.points)
                            self._held[key] = after
                            changed = True

    def _effects(
        self, thread: int, instruction: ins.Instruction
    ) -> Iterator[tuple[tuple[int, str], Held]]:
        """What an instruction puts where."""
        if isinstance(instruction, ins.Assign):
            yield (thread, instruction.register), self._of(thread, instruction.value)
        elif isinstance(instruction, ins.Load | ins.Rmw):
            places = self.places(thread, instruction.address)
            found = _joined(self._held[-1, name] for name in places)
            if instruction.register is not None:
                yield (thread, instruction.register), found
            if isinstance(instruction, ins.Rmw) and instruction.success is not None:
                yield (thread, instruction.success), _TRUTH
            if isinstance(instruction, ins.Rmw):
                stored = operand = self._of(thread, instruction.operand)
                if instruction.op not in ("xchg", "cas"):
                    stored = _binary(instruction.op, found, operand)
                    if instruction.bits != values.BITS:
                        stored = _extended(f"s{instruction.bits}", stored)
                for name in places:
                    yield (-1, name), stored
        elif isinstance(instruction, ins.Store | ins.StoreConditional):
            stored = self._of(thread, instruction.value)
            for name in self.places(thread, instruction.address):
                yield (-1, name), stored
            if isinstance(instruction, ins.StoreConditional) and instruction.status is not None:
                yield (thread, instruction.status), _TRUTH

    def places(self, thread: int, address: ex.Expr) -> Iterable[str]:
        """The variables in which an address may lie; all, where nothing is known of it."""
        return self._of(thread, address).points or self.memory.variables.keys()

    def _number(self, value: int) -> Held:
        """A constant, which may be an address."""
        for start, end, name in self._starts:
            if start <= value < end:
                return Held(value, value, frozenset((name,)))
        return Held(value, value)

    def _of(self, thread: int, expr: ex.Expr) -> Held:
        if isinstance(expr, ex.Const):
            return self._number(expr.value)
        if isinstance(expr, ex.Register):
            return self._held.get((thread, expr.name), _ZERO)
        if isinstance(expr, ex.Unary):
            return _unary(expr.op, self._of(thread, expr.operand))
        if expr.op in ("^", "-") and _same_register(expr):
            return _ZERO
        return _binary(expr.op, self._of(thread, expr.left), self._of(thread, expr.right))

    # The widths of variables

    def _check(self) -> None:
        for number, thread in enumerate(self.threads):
            for instruction in thread.code:
                bits, mnemonic = self._accesses[number].get(instruction.label, (None, ""))
                if bits is None or not isinstance(instruction, ins.Access):
                    continue
                for name in self._of(number, instruction.address).points:
                    self._fit(instruction, mnemonic, bits, self.memory.variables[name])

    def _fit(self, access: ins.Access, mnemonic: str, bits: int, variable: Variable) -> None:
        known = variable.bits or self.bits.get(variable.name)
        if known is not None and known != bits:
            message = f"unsupported instruction `{mnemonic}`: an access of {bits} bits to {variable.show()}, which has {known}"
            raise Unsupported(message, access.span, "mixed sizes are not supported")
        if variable.cells is not None and variable.cell_bytes * 8 != bits:
            message = f"unsupported instruction `{mnemonic}`: an access of {bits} bits to {variable.show()}"
            raise Unsupported(message, access.span, "mixed sizes are not supported")
        self.bits[variable.name] = bits

    # Extensions

    def narrowed(self) -> list[Thread]:
        """The threads without the extensions that change nothing."""
        return [self._narrow_thread(number, t) for number, t in enumerate(self.threads)]

    def _narrow_thread(self, number: int, thread: Thread) -> Thread:
        code: list[ins.Instruction] = []
        moved: list[int] = []  # by old index
        for instruction in thread.code:
            moved.append(len(code))
            narrow = self._narrow(number, instruction)
            if not (
                isinstance(narrow, ins.Assign)
                and isinstance(narrow.value, ex.Register)
                and narrow.value.name == narrow.register
            ):
                code.append(replace(narrow, label=f"{thread.name}_{len(code)}"))
        moved.append(len(code))
        jumps = (
            replace(i, target=moved[i.target]) if isinstance(i, ins.Branch | ins.Goto) else i
            for i in code
        )
        return replace(thread, code=tuple(jumps))

    def _narrow(self, number: int, instruction: ins.Instruction) -> ins.Instruction:
        if isinstance(instruction, ins.Assign):
            return replace(instruction, value=self._drop(number, instruction.value))
        if isinstance(instruction, ins.Branch):
            return replace(instruction, condition=self._drop(number, instruction.condition))
        if isinstance(instruction, ins.Load):
            return replace(instruction, address=self._drop(number, instruction.address))
        if isinstance(instruction, ins.Store | ins.StoreConditional):
            if self._accesses[number].get(instruction.label) and isinstance(
                instruction.value, ex.Const
            ):
                instruction = self._as_wide_as_its_place(number, instruction)
            return replace(
                instruction,
                address=self._drop(number, instruction.address),
                value=self._drop(number, instruction.value),
            )
        if isinstance(instruction, ins.Rmw):
            expected = instruction.expected
            return replace(
                instruction,
                address=self._drop(number, instruction.address),
                operand=self._drop(number, instruction.operand),
                expected=None if expected is None else self._drop(number, expected),
            )
        return instruction

    def _as_wide_as_its_place(
        self, thread: int, store: ins.Store | ins.StoreConditional
    ) -> ins.Store | ins.StoreConditional:
        """A store of a number, held as the variable that it goes to holds it."""
        bits, mnemonic = self._accesses[thread][store.label]
        if bits is not None or not isinstance(store.value, ex.Const):
            return store
        found = {self.width(name) for name in self.places(thread, store.address)}
        if len(found) > 1:
            message = f"unsupported instruction `{mnemonic}`: how wide it is depends on its address"
            raise Unsupported(message, store.span)
        value = values.narrow(store.value.value, found.pop()) if found else store.value.value
        return replace(store, value=replace(store.value, value=value))

    def width(self, name: str) -> int:
        """The bits of a variable."""
        return self.bits.get(name) or self.memory.variables[name].bits or INT

    def _drop(self, thread: int, expr: ex.Expr) -> ex.Expr:
        if isinstance(expr, ex.Unary):
            operand = self._drop(thread, expr.operand)
            if expr.op in values.EXTENSIONS and self._of(thread, expr.operand).within(
                *_RANGES[expr.op]
            ):
                return operand
            return replace(expr, operand=operand)
        if isinstance(expr, ex.Binary):
            left, right = self._drop(thread, expr.left), self._drop(thread, expr.right)
            return replace(expr, left=left, right=right)
        return expr


def _joined(several: Iterable[Held]) -> Held:
    found: Held | None = None
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


def _extended(op: str, operand: Held) -> Held:
    low, high = _RANGES[op]
    return operand if operand.within(low, high) else Held(low, high, operand.points)


def _unary(op: str, operand: Held) -> Held:
    if op in _RANGES:
        return _extended(op, operand)
    if op == "!":
        return _TRUTH
    if op == "~":
        return Held(~operand.high, ~operand.low, operand.points)
    if operand.low == _LOWEST:
        return _full(operand.points)
    return Held(-operand.high, -operand.low, operand.points)


def _binary(op: str, left: Held, right: Held) -> Held:
    points = left.points | right.points
    if op in values.COMPARISONS or op in ("&&", "||"):
        return _TRUTH
    if op in ("+", "-"):
        if op == "+":
            low, high = left.low + right.low, left.high + right.high
        else:
            low, high = left.low - right.high, left.high - right.low
        return _full(points) if low < _LOWEST or high > _HIGHEST else Held(low, high, points)
    if op == "&" and (left.low >= 0 or right.low >= 0):
        return Held(0, min(h.high for h in (left, right) if h.low >= 0), points)
    if op in ("|", "^") and left.low >= 0 and right.low >= 0:
        return Held(0, (1 << max(left.high, right.high).bit_length()) - 1, points)
    if op in ("min", "max"):
        return left.join(right)
    if op in (">>", ">>>") and left.low >= 0:
        return Held(0, left.high, points)
    return _full(points)
