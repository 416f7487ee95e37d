"""What a thread becomes, instruction by instruction: labels, registers, checks, and the moment at
which other threads may run for the first time."""

from __future__ import annotations

from itertools import count
from typing import Final

from hybrid.errors import Unsupported
from hybrid.frontend.c.captions import source_name
from hybrid.frontend.c.segments import Segment
from hybrid.frontend.c.space import ThreadKey
from hybrid.frontend.c.state import LoweringState
from hybrid.frontend.c.values import (
    SPAN,
    Aggregate,
    LlvmValue,
    Scalar,
    Unset,
    as_expr,
    constants,
    register,
    size_of,
)
from hybrid.frontend.c.world import World
from hybrid.frontend.llvm.module import DebugPlace
from hybrid.program import instructions as ins
from hybrid.program.expr import Const, registers
from hybrid.program.origin import Frame
from hybrid.source import Span

CLOCK: Final = "time"  # how the names of registers begin that hold the time, which is not known
_LARGE: Final = 12  # nodes of an expression that is kept in a register


class EndOfPath(Exception):
    """The thread does not go on from here."""


class CodeEmitter:
    """Where the instructions of a thread go."""

    def __init__(self, world: World, key: ThreadKey, name: str, number: int) -> None:
        self.world = world
        self.key = key
        self.name = name
        self.number = number
        self.state = LoweringState([])
        self.at: DebugPlace | None = None  # of the instruction that is being lowered
        self.events_so_far = False  # whether something has become an event
        self.waited = False  # it has left out to wait for the end of another thread
        self._shared = False  # main's memory is not its own any more
        self._segment: Segment | None = None
        self._registers = count(1)

    def emit(self, instruction: ins.Instruction) -> None:
        assert self._segment is not None
        if not self.state.shares:
            self.share()
        self._segment.code.append(instruction)
        if not isinstance(instruction, ins.Assign | ins.Select):
            self.events_so_far = True
            if self.waited:
                self.world.learnt.busy.add(self.key)

    def share(self) -> None:
        """From here on other threads may run. What memory holds is what they start with."""
        self.state.shares = True
        if self._shared or self.number:
            return
        world, memory = self.world, self.state.memory
        self._shared = True
        for address in list(memory):
            found = world.space.find(address)
            assert found is not None
            if not world.is_private(found, self.key):
                world.image[address] = memory.pop(address)
                _, value = world.image[address]
                if isinstance(value, int) and not (found.constant and value in world.functions):
                    world.escapes(value)

    def fresh(self, beginning: str = "r") -> str:
        return f"{beginning}{next(self._registers)}"

    def label(self, word: str = "") -> str:
        """A new label for the instruction that is being lowered, described."""
        label = self.world.captions.label(self.at, word)
        self.world.captions.describe(label, self.at, self.frames())
        return label

    def described(self, text: str, kind: str = "", message: str = "") -> str:
        """A new label, for something that the text says."""
        label = self.world.captions.label(self.at)
        self.world.captions.describe(label, self.at, self.frames(), text, kind, message)
        return label

    def span(self) -> Span:
        return self.world.captions.span(self.at)

    def frames(self) -> list[Frame]:
        """The call stack, innermost first; functions of our own are left out."""
        found: list[Frame] = []
        captions = self.world.captions
        place = self.at
        for each in reversed(self.state.stack):
            function = each.flow.function
            if place is not None and captions.own(function.place) is not None:
                found.append(Frame(source_name(function), captions.file(place), place.line))
            place = each.place if each.place is not None else place
        return found

    def settle(self, value: LlvmValue) -> LlvmValue:
        """A value; a large expression goes into a register."""
        if isinstance(value, int | Unset | Aggregate | Const) or size_of(value) <= _LARGE:
            return value
        if any(name.startswith(CLOCK) for name in registers(value)):
            return value
        name = self.fresh()
        self.emit(ins.Assign(SPAN, self.label(), name, value))
        return register(name)

    def check(self, condition: Scalar, kind: str, message: str, text: str = "") -> None:
        """An assertion."""
        if isinstance(condition, int) and condition:
            return
        label = self.described(text, kind, message)
        self.emit(ins.Assert(self.span(), label, as_expr(condition)))

    def assume(self, condition: Scalar) -> None:
        if isinstance(condition, int) and condition:
            return
        self.emit(ins.Assume(self.span(), self.label(), as_expr(condition)))
        if isinstance(condition, int):
            self.end()

    def fail(self, kind: str, message: str) -> None:
        """Something that must not happen does, and the thread ends."""
        self.check(0, kind, message)
        self.end()

    def end(self) -> None:
        raise EndOfPath

    def cut(self, why: str) -> None:
        """A bound of ours is reached: what comes after is not explored."""
        assert self._segment is not None
        if not self.state.shares:
            self.share()
        self._segment.cut = self.described("", "", why)
        raise EndOfPath

    def refuse(self, what: str, hint: str = "") -> Unsupported:
        """To be raised: the program uses something that is not taken."""
        return Unsupported(f"unsupported: {what}", self.span() if self.at else None, hint)

    def escape(self, value: LlvmValue) -> None:
        """A value gets where others may see it."""
        if isinstance(value, Aggregate):
            for each in value.fields:
                self.escape(each)
        elif isinstance(value, int):
            self.world.escapes(value)
        elif not isinstance(value, Unset):
            for number in constants(value):
                self.world.escapes(number)
