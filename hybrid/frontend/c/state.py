"""Where a thread stands while it is lowered, and what is known there.

States meet where ways of a function come together. What they agree on stays known; the rest goes
into registers, which each way sets before it gets there (`Meeting`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from hybrid.frontend.c.flow import Flow
from hybrid.frontend.c.private import Pieces, read
from hybrid.frontend.c.space import Space
from hybrid.frontend.c.values import (
    Aggregate,
    LlvmValue,
    Scalar,
    Unset,
    is_known,
    register,
)
from hybrid.frontend.llvm.module import DebugPlace, LlvmInstruction
from hybrid.program.origin import UNSET

_LARGEST_PIECE = 16  # bytes

Path = tuple[Hashable, ...]
Argument = tuple[int, LlvmValue]  # its size in bytes, and its value
# ("local", depth, name, *fields), ("cell", address, size), ("fact", key). A local that is a struct
# or an array has a variable for each part that is neither.
Variable = tuple[Hashable, ...]


class Activation:
    """One level of the call stack."""

    __slots__ = (
        "again",
        "block",
        "branches",
        "call",
        "choice",
        "code",
        "counted",
        "flow",
        "index",
        "iterations",
        "locals",
        "loops",
        "open",
        "order",
        "path",
        "place",
        "rest",
        "result",
    )

    def __init__(self, flow: Flow, path: Path, order: tuple[int, ...]) -> None:
        self.flow = flow
        self.path = path  # the calls that lead here: tells it from all other activations
        self.order = order  # of its call, for the order in which states are taken up
        self.block = ""
        self.code: tuple[LlvmInstruction, ...] = ()
        self.index = 0  # of the next instruction
        self.locals: dict[str, LlvmValue] = {}
        # of loops that run on constants, by head: how often they have been gone round
        self.iterations: dict[str, int] = {}
        self.loops: frozenset[str] = frozenset()  # heads of those whose end depends on memory
        # heads of those of which it was known, since the head, that they do not end there
        self.counted: frozenset[str] = frozenset()
        # heads of those of which memory has decided, since the head, how the round ends
        self.open: frozenset[str] = frozenset()
        self.result = ""  # the local of the caller that gets what it returns
        self.rest: tuple[Argument, ...] = ()  # the arguments that it has no names for
        self.call = ""  # of an invoke: the block at which the caller goes on
        self.place: DebugPlace | None = None  # of the call
        self.branches = 0  # on what memory holds, that the thread had passed when it was called
        self.again = False  # its caller executes the call once more when it returns
        self.choice: tuple[Hashable, ...] = ()  # how its next instruction goes, where it parts ways

    def copy(self) -> Activation:
        made = Activation(self.flow, self.path, self.order)
        made.block, made.code, made.index = self.block, self.code, self.index
        made.locals = self.locals.copy()
        made.iterations = self.iterations.copy()
        made.loops, made.counted, made.open = self.loops, self.counted, self.open
        made.result, made.call, made.place = self.result, self.call, self.place
        made.branches = self.branches
        made.choice, made.again = self.choice, self.again
        made.rest = self.rest
        return made

    def enter(self, block: str) -> None:
        """Goes on at the start of a block. Loops that it leaves are forgotten."""
        around = self.flow.around[block]
        if self.iterations:
            self.iterations = {h: n for h, n in self.iterations.items() if h in around}
        if self.loops:
            self.loops = frozenset(head for head in self.loops if head in around)
        if self.counted:
            self.counted = frozenset(head for head in self.counted if head in around)
        if self.open:
            self.open = frozenset(head for head in self.open if head in around)
        self.block = block
        self.code = self.flow.function.blocks[block]
        self.index = 0
        self.choice = ()

    def step(self) -> None:
        """Goes on to the next instruction of the block."""
        self.index += 1
        self.choice = ()

    @property
    def here(self) -> Path:
        """Which execution of its next instruction this is, of all in the thread, as far as that is
        known: those of a loop on memory are one."""
        rounds = tuple(sorted(self.iterations.items()))
        return (*self.path, (self.flow.function.name, self.block, self.index, rounds, self.choice))

    def rank(self) -> tuple[int, ...]:
        """Of its block, for the order in which states are taken up."""
        flow = self.flow
        found: list[int] = []
        for head in flow.around[self.block]:
            found += (flow.rank[head], self.iterations.get(head, 0))
        return (*self.order, *found, flow.rank[self.block])


@dataclass(slots=True)
class LoweringState:
    stack: list[Activation]
    memory: Pieces = field(default_factory=dict)  # what nobody else can reach
    facts: dict[Hashable, LlvmValue] = field(default_factory=dict)  # other things that change on
    # the way; what is not there is 0
    shares: bool = False  # other threads may run; before, all memory is its own
    branches: int = 0  # on what memory holds, passed so far

    def copy(self) -> LoweringState:
        stack = [each.copy() for each in self.stack]
        return LoweringState(
            stack, self.memory.copy(), self.facts.copy(), self.shares, self.branches
        )

    @property
    def top(self) -> Activation:
        return self.stack[-1]

    def key(self) -> Path:
        return self.top.here

    def forget_dead(self) -> None:
        """At the start of a block: drops what its function does not need any more."""
        top = self.top
        live = top.flow.live[top.block]
        simple = top.flow.simple
        for name in [n for n in top.locals if n not in live and n not in top.flow.allocas]:
            del top.locals[name]
        for name in simple:
            address = top.locals.get(name)
            if name not in live and isinstance(address, int):
                self.memory.pop(address, None)

    def variables(self) -> Iterator[tuple[Variable, LlvmValue]]:
        for depth, each in enumerate(self.stack):
            for name, value in each.locals.items():
                for fields, part in _parts(value):
                    yield ("local", depth, name, *fields), part
        for address, (size, value) in self.memory.items():
            yield ("cell", address, size), value
        for key, value in self.facts.items():
            yield ("fact", key), value

    def knows_the_same(self, other: LoweringState) -> bool:
        """Whether the two differ at most in values that are not known."""
        mine, theirs = dict(self.variables()), dict(other.variables())
        return mine.keys() == theirs.keys() and all(
            value == theirs[variable] or not (is_known(value) or is_known(theirs[variable]))
            for variable, value in mine.items()
        )

    def get(self, variable: Variable) -> LlvmValue | None:
        """None: it is not there."""
        if variable[0] == "local":
            _, depth, name, *fields = variable
            assert isinstance(depth, int) and isinstance(name, str)
            found = self.stack[depth].locals.get(name)
            return None if found is None else _part(found, fields)
        if variable[0] == "cell":
            _, address, size = variable
            assert isinstance(address, int)
            piece = self.memory.get(address)
            return piece[1] if piece is not None and piece[0] == size else None
        return self.facts.get(variable[1])

    def put(self, variable: Variable, value: LlvmValue) -> None:
        if variable[0] == "local":
            _, depth, name, *fields = variable
            assert isinstance(depth, int) and isinstance(name, str)
            names = self.stack[depth].locals
            names[name] = _with_part(names[name], fields, value) if fields else value
        elif variable[0] == "cell":
            _, address, size = variable
            assert isinstance(address, int) and isinstance(size, int)
            self.memory[address] = (size, value)
        else:
            self.facts[variable[1]] = value

    def drop(self, variable: Variable) -> None:
        if variable[0] == "local":
            _, depth, name, *_ = variable
            assert isinstance(depth, int) and isinstance(name, str)
            self.stack[depth].locals.pop(name, None)
        elif variable[0] == "cell":
            address = variable[1]
            assert isinstance(address, int)
            self.memory.pop(address, None)
        else:
            self.facts.pop(variable[1], None)


class Meeting:
    """Where ways come together: the state that holds for all of them, and the registers in which it
    has what they do not agree on."""

    def __init__(self, state: LoweringState, space: Space) -> None:
        self.state = state
        self.registers: dict[Variable, str] = {}
        self._space = space

    def take(self, other: LoweringState, names: Iterator[str]) -> bool:
        """Makes the state hold for another way too; whether it has changed by that. `names` gives
        new registers. Of the other state only the pieces of memory are cut, if need be."""
        changed = _cut_alike(self.state.memory, other.memory, self._space)
        _shape_alike(self.state, other)
        variables = dict.fromkeys(variable for variable, _ in self.state.variables())
        variables |= dict.fromkeys(variable for variable, _ in other.variables())
        for variable in variables:
            if variable in self.registers:
                continue
            if variable[0] == "local":
                if self.state.get(variable) is None:
                    continue
                if other.get(variable) is None:
                    self.state.drop(variable)
                    changed = True
                    continue
            if self.present(variable, self.state) != self.present(variable, other):
                name = next(names)
                self.registers[variable] = name
                self.state.put(variable, register(name))
                changed = True
        return changed

    def set_apart(self, variables: Iterable[Variable], names: Iterator[str]) -> None:
        """Has variables in registers from the start, of which it is known that ways will not agree
        on them."""
        for variable in variables:
            value = self.state.get(variable)
            if (variable[0] == "local" and value is None) or isinstance(value, Aggregate):
                continue
            if isinstance(value, Unset) and not self._is_shaped(variable):
                continue
            if variable[0] == "cell" and value is None and self._is_cut(variable):
                continue
            name = next(names)
            self.registers[variable] = name
            self.state.put(variable, register(name))

    def _is_shaped(self, variable: Variable) -> bool:
        """Whether a part of a local is one already, and not all of the local unset."""
        return variable[0] != "local" or any(variable == each for each, _ in self.state.variables())

    def _is_cut(self, variable: Variable) -> bool:
        """Whether some bytes of a cell are in other pieces."""
        _, address, size = variable
        assert isinstance(address, int) and isinstance(size, int)
        memory = self.state.memory
        near = range(address - _LARGEST_PIECE + 1, address + size)
        return any(at in memory and at + memory[at][0] > address for at in near)

    def present(self, variable: Variable, state: LoweringState) -> LlvmValue:
        """The value of a variable, or what stands for one that is not there."""
        value = state.get(variable)
        if value is not None:
            return value
        if variable[0] != "cell":
            return 0
        _, address, size = variable
        assert isinstance(address, int) and isinstance(size, int)
        found = self._space.find(address)
        return read(state.memory, address, size, found is not None and found.zeroed)

    def settings(self, arriving: LoweringState) -> list[tuple[str, Scalar]]:
        """The registers that a way has to set where it comes here, with their values."""
        found: list[tuple[str, Scalar]] = []
        for variable, name in self.registers.items():
            value = self.present(variable, arriving)
            if isinstance(value, Unset):
                value = UNSET
            assert not isinstance(value, Aggregate)
            if value != register(name):
                found.append((name, value))
        return found


# ---- structs and arrays that are values


def _parts(value: LlvmValue) -> Iterator[tuple[tuple[int, ...], LlvmValue]]:
    """The numbers and pointers in a value, each with the fields that lead to it."""
    if not isinstance(value, Aggregate):
        yield (), value
        return
    for at, field_ in enumerate(value.fields):
        for fields, part in _parts(field_):
            yield (at, *fields), part


def _part(value: LlvmValue, fields: Sequence[Hashable]) -> LlvmValue:
    for at in fields:
        if isinstance(value, Unset):
            return value
        assert isinstance(value, Aggregate) and isinstance(at, int)
        value = value.fields[at]
    return value


def _with_part(value: LlvmValue, fields: Sequence[Hashable], part: LlvmValue) -> LlvmValue:
    if not fields:
        return part
    at = fields[0]
    assert isinstance(value, Aggregate) and isinstance(at, int)
    made = _with_part(value.fields[at], fields[1:], part)
    return Aggregate((*value.fields[:at], made, *value.fields[at + 1 :]))


def _shape_alike(one: LoweringState, other: LoweringState) -> None:
    """Gives fields to locals that are not set in one of the states and are structs or arrays in the
    other."""
    for mine, theirs in zip(one.stack, other.stack, strict=True):
        for name in mine.locals.keys() & theirs.locals.keys():
            a, b = mine.locals[name], theirs.locals[name]
            if isinstance(a, Aggregate) != isinstance(b, Aggregate) or isinstance(a, Aggregate):
                mine.locals[name], theirs.locals[name] = _shaped(a, b), _shaped(b, a)


def _shaped(value: LlvmValue, like: LlvmValue) -> LlvmValue:
    if not isinstance(like, Aggregate):
        return value
    if isinstance(value, Unset):
        return Aggregate(tuple(_shaped(value, part) for part in like.fields))
    assert isinstance(value, Aggregate)
    pairs = zip(value.fields, like.fields, strict=True)
    return Aggregate(tuple(_shaped(part, other) for part, other in pairs))


def _cut_alike(one: Pieces, other: Pieces, space: Space) -> bool:
    """Cuts pieces of which the two memories hold the bytes in other sizes; whether the first has
    changed."""
    changed = False
    for mine, theirs in ((one, other), (other, one)):
        for start in list(mine):
            if start not in mine:
                continue
            size = mine[start][0]
            if start in theirs and theirs[start][0] == size:
                continue
            smaller = start in theirs and theirs[start][0] < size
            if smaller or any(at in theirs for at in range(start + 1, start + size)):
                _cut(mine, start, space)
                changed |= mine is one
    return changed


def _cut(memory: Pieces, start: int, space: Space) -> None:
    """Cuts a piece into bytes."""
    size, _ = memory[start]
    found = space.find(start)
    zeroed = found is not None and found.zeroed
    bytes_ = [read(memory, start + at, 1, zeroed) for at in range(size)]
    del memory[start]
    for at, value in enumerate(bytes_):
        memory[start + at] = (1, value)
