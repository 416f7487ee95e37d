"""One thread of a C program: how its function, and all that it calls, becomes a list of
instructions.

The code is run with what is known: numbers are computed, calls are followed, branches on known
conditions are taken, private memory is read and written. What is not known, because it comes from
memory that threads share, becomes instructions. Where ways of a function come together, states meet
(state.py). A loop is run round by round as long as nothing that memory holds decides about its end;
one whose end depends on memory stays a loop.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterator
from itertools import count
from typing import Final, Protocol

from hybrid.frontend.c.captions import source_name
from hybrid.frontend.c.emitter import CodeEmitter, EndOfPath
from hybrid.frontend.c.private import Pieces
from hybrid.frontend.c.segments import Segment, Way, assemble, reachable
from hybrid.frontend.c.space import ThreadKey
from hybrid.frontend.c.state import Activation, Argument, LoweringState, Meeting, Path
from hybrid.frontend.c.values import (
    LlvmValue,
    Scalar,
    Unset,
)
from hybrid.frontend.c.world import World
from hybrid.frontend.llvm.module import LlvmFunction, LlvmInstruction, Phi, Type, Value
from hybrid.program import instructions as ins
from hybrid.program.expr import Expr

MOST_CODE: Final = 20_000  # instructions that a thread may become
MOST_CALLS: Final = 400  # calls within each other


class Meaning(Protocol):
    """What instructions and values of LLVM mean."""

    def execute(self, t: CThread, instruction: LlvmInstruction) -> bool:
        """Executes an instruction; False: the segment ends with it."""

    def evaluate(self, t: CThread, value: Value, type: Type) -> LlvmValue:
        """What an operand is worth."""


class CThread(CodeEmitter):
    """Lowers one thread; the library's functions work through it."""

    def __init__(
        self, world: World, key: ThreadKey, name: str, number: int, meaning: Meaning
    ) -> None:
        super().__init__(world, key, name, number)
        self.meaning = meaning
        self.segments: dict[Path, Segment] = {}
        self.root: Path = ()
        self.unsure: set[str] = set()  # registers that may hold what was never set
        # by meeting: what ways that came there before did not agree on
        self._apart = world.learnt.apart.setdefault(key, {})
        self._waiting: list[tuple[tuple[int, ...], int, Path]] = []
        self._meetings = count(1)
        self._pushed = count()
        self._steps = 0
        self._made = 0  # instructions, in the segments that are done
        # by register that says whether a compare-exchange stored: the old value and the expected
        self.exchanges: dict[str, tuple[Scalar, Scalar]] = {}
        self._prologue: Callable[[], bool] = lambda: True

    # ---- running

    def start(self, function: LlvmFunction, arguments: list[LlvmValue], memory: Pieces) -> None:
        self.state = LoweringState([], memory, shares=self.number != 0)
        self.push(function, arguments, "", "")

    def lower(self, prologue: Callable[[], bool]) -> list[ins.Instruction]:
        """The code of the thread, whose state is at its beginning. `prologue` makes what comes
        before its function; False: the segment ends there."""
        self._prologue = prologue
        self.root = ("begin",)
        meeting = Meeting(self.state, self.world.space)
        self.segments[self.root] = Segment(self.root, (), meeting)
        self._lower_segment(self.segments[self.root])
        while self._waiting:
            _, _, key = heapq.heappop(self._waiting)
            segment = self.segments.get(key)
            if segment is not None and segment.waiting:
                again = bool(segment.edges or segment.code)
                if again:
                    segment.code, segment.edges = [], []
                    segment.condition, segment.cut = None, ""
                    self._collect()
                self._lower_segment(segment)
                self._made += len(segment.code)
        return assemble(self.root, self.segments, self._made_labels())

    def _made_labels(self) -> Iterator[str]:
        while True:
            yield self.world.captions.label(None, "glue")

    def _collect(self) -> None:
        """Forgets segments that nothing leads to any more."""
        kept = {each.key for each in reachable(self.root, self.segments)}
        self.segments = {key: each for key, each in self.segments.items() if key in kept}
        self._made = sum(len(each.code) for each in self.segments.values())

    def _lower_segment(self, segment: Segment) -> None:
        segment.waiting = False
        self._segment = segment
        self.state = segment.meeting.state.copy()
        try:
            if segment.key == self.root and not self._prologue():
                return
            self.at = self.state.top.place
            while True:
                top = self.state.top
                instruction = top.code[top.index]
                self._steps += 1
                made = self._made + len(segment.code)
                if self._steps > self.world.most_steps or made > MOST_CODE:
                    self.world.hurried = True
                    self.cut("a loop that goes on for too long")
                self.at = self.world.captions.own(instruction.place) or self.at
                if not self.meaning.execute(self, instruction):
                    return
        except EndOfPath:
            return

    # ---- ways

    def go(self, block: str) -> bool:
        """Goes on at a block of the same function. False: that is where other ways may come in, and
        the segment ends here."""
        target = self._arrive(self.state, block)
        if target is None:
            return True
        assert self._segment is not None
        self._segment.edges = [Way(self.state, target, self.label())]
        self._reach(self._segment.edges[0])
        return False

    def part(self, condition: Scalar, yes: str, no: str) -> bool:
        """Goes on at one of two blocks."""
        if yes == no:
            return self.go(yes)
        self.passes_exit(isinstance(condition, int), {yes, no})
        if isinstance(condition, int):
            return self.go(yes if condition else no)
        self.state.branches += 1
        other = self.state.copy()
        self._branch(condition, [(self.state, yes), (other, no)])
        return False

    def passes_exit(self, known: bool, targets: set[str]) -> None:
        """A branch to several blocks: notes for the loops that it may leave, or whose round it may
        end, whether it was known where it goes."""
        top = self.state.top
        flow = top.flow
        left = {head for head in flow.around[top.block] if not targets <= flow.loops[head]}
        if known:
            top.counted |= left
        else:
            top.loops |= left
            deciding = flow.deciding.items()
            top.open |= {head for head, blocks in deciding if top.block in blocks}

    def _branch(self, condition: Expr, ways: list[tuple[LoweringState, str]]) -> None:
        segment = self._segment
        assert segment is not None
        self.emit(ins.Branch(self.span(), self.label(), condition, 0))
        segment.condition = condition
        edges: list[Way] = []
        for state, block in ways:
            target = self._arrive(state, block, alone=True)
            assert target is not None
            edges.append(Way(state, target, self.label()))
        segment.edges = edges
        for edge in edges:
            self._reach(edge)

    def fork(self, condition: Scalar, yes: Hashable, no: Hashable) -> bool:
        """Parts the way within this instruction, which is to be executed again with what was chosen
        (`Activation.choice`), unless the condition is known: then its choice is made and True is
        the answer, and the caller goes on."""
        top = self.state.top
        if isinstance(condition, int):
            top.choice = (*top.choice, yes if condition else no)
            return True
        segment = self._segment
        assert segment is not None
        self.state.branches += 1
        other = self.state.copy()
        self.emit(ins.Branch(self.span(), self.label(), condition, 0))
        segment.condition = condition
        top.choice = (*top.choice, yes)
        other.top.choice = (*other.top.choice, no)
        segment.edges = [Way(each, each.key(), self.label()) for each in (self.state, other)]
        for edge in segment.edges:
            self._reach(edge)
        return False

    def turn(self, chosen: Hashable) -> bool:
        """Ends the segment: this instruction is to be executed again with what was chosen, where
        other ways may come in."""
        segment = self._segment
        assert segment is not None
        top = self.state.top
        top.choice = (*top.choice, chosen)
        segment.edges = [Way(self.state, self.state.key(), self.label())]
        self._reach(segment.edges[0])
        return False

    def stop_unless(self, condition: Scalar) -> None:
        """Ends the segment: the thread goes on where it stands if the condition holds, else it
        ends."""
        segment = self._segment
        assert segment is not None and not isinstance(condition, int)
        other = self.state.copy()
        self.emit(ins.Branch(self.span(), self.label(), condition, 0))
        segment.condition = condition
        stop: Path = ("stop",)
        meeting = Meeting(other, self.world.space)
        self.segments[stop] = Segment(stop, (1 << 30,), meeting, waiting=False)
        segment.edges = [
            Way(self.state, self.state.key(), self.label()),
            Way(other, stop, self.label()),
        ]
        self._reach(segment.edges[0])

    def _arrive(self, state: LoweringState, block: str, alone: bool = False) -> Path | None:
        """Moves a state to the start of a block. The key of the meeting there, or None where no
        other way can come in."""
        top = state.top
        source = top.block
        flow = top.flow
        self._phis(state, source, block)
        known = block in top.counted or (block in flow.deciding and block not in top.open)
        top.counted -= {block}
        top.open -= {block}
        top.enter(block)
        state.forget_dead()
        goes_round = block in flow.loops and source in flow.loops[block]
        if goes_round and known and block not in top.loops and not self._stands_still(state):
            top.iterations[block] = top.iterations.get(block, 0) + 1
        if not alone and len(flow.before[block]) == 1:
            return None
        return state.key()

    def _stands_still(self, state: LoweringState) -> bool:
        """Whether a round of a loop, at whose head it is again, has changed nothing that is known:
        it goes on so for ever."""
        head = self.segments.get(state.key())
        return head is not None and head.meeting.state.knows_the_same(state)

    def _phis(self, state: LoweringState, source: str, block: str) -> None:
        """Gives the phis of a block the values that they have on the way from another."""
        top = state.top
        new: dict[str, LlvmValue] = {}
        for each in top.flow.function.blocks[block]:
            if not isinstance(each, Phi):
                break
            for value, label in each.incoming:
                if label == source:
                    kept, self.state = self.state, state
                    new[each.result] = self.meaning.evaluate(self, value, each.type)
                    self.state = kept
        top.locals.update(new)

    def _reach(self, edge: Way) -> None:
        """Lets a way arrive at its meeting."""
        segment = self.segments.get(edge.target)
        if segment is None:
            meeting = Meeting(edge.state.copy(), self.world.space)
            segment = Segment(edge.target, edge.state.top.rank(), meeting)
            self.segments[edge.target] = segment
            apart = self._apart.get(edge.target)
            if apart:
                meeting.set_apart(apart, self._meeting_registers())
                self._note(meeting, edge.state)
        else:
            before = len(segment.meeting.registers)
            changed = segment.meeting.take(edge.state, self._meeting_registers())
            self._note(segment.meeting, edge.state)
            if len(segment.meeting.registers) != before:
                self._apart.setdefault(edge.target, {}).update(
                    dict.fromkeys(segment.meeting.registers)
                )
                for other in segment.arrived:
                    self._note(segment.meeting, other)
            if not changed:
                segment.arrived.append(edge.state)
                return
            segment.waiting = True
        segment.arrived.append(edge.state)
        heapq.heappush(self._waiting, (segment.order, next(self._pushed), segment.key))

    def _note(self, meeting: Meeting, state: LoweringState) -> None:
        """What the registers of a meeting may hold."""
        for name, value in meeting.settings(state):
            self.world.hold(self.key, name, value)
        for variable, name in meeting.registers.items():
            if variable[0] == "cell" and isinstance(meeting.present(variable, state), Unset):
                self.unsure.add(name)

    def _meeting_registers(self) -> Iterator[str]:
        while True:
            yield f"m{next(self._meetings)}"

    # ---- calls

    def push(
        self,
        function: LlvmFunction,
        arguments: list[LlvmValue],
        result: str,
        resume: str,
        again: bool = False,
        rest: tuple[Argument, ...] = (),
    ) -> None:
        """Enters a function. `again`: when it returns, the instruction that called it is executed
        once more; `rest`: arguments that the function has no names for."""
        state = self.state
        flow = self.world.flow(function)
        if len(state.stack) >= MOST_CALLS:
            self.cut(f"{len(state.stack)} calls within each other")
        path: Path = ("start",)
        order: tuple[int, ...] = ()
        if state.stack:
            caller = state.top
            path = caller.here
            order = (*caller.rank(), caller.index)
            self._check_recursion(function)
        top = Activation(flow, path, order)
        top.result, top.call, top.place = result, resume, self.at
        top.branches = state.branches
        top.again, top.rest = again, rest
        for parameter, value in zip(function.parameters, arguments, strict=False):
            top.locals[parameter.name] = value
        for parameter in function.parameters[len(arguments) :]:
            top.locals[parameter.name] = 0
        state.stack.append(top)
        top.enter(flow.entry)

    def _check_recursion(self, function: LlvmFunction) -> None:
        same = [each for each in self.state.stack if each.flow.function is function]
        most = self.world.recursion
        if len(same) >= most and same[0].branches != self.state.branches:
            self.cut(
                f"{source_name(function)} calls itself more than {most} times, the bound on "
                f"recursion that depends on memory; //@ recursion {2 * most} in the file goes "
                "further"
            )

    def leave(self, value: LlvmValue) -> bool:
        """Returns from a function. False: from the thread's own."""
        state = self.state
        ended = state.stack.pop()
        self._release(ended)
        if not state.stack:
            state.stack.append(ended)
            return False
        top = state.top
        if ended.again:
            return True
        if ended.result:
            top.locals[ended.result] = value
        self.at = ended.place
        if ended.call:
            return self.go(ended.call)
        top.step()
        return True

    def _release(self, ended: Activation) -> None:
        """The private variables of a function are gone when it returns."""
        for name in ended.flow.allocas:
            address = ended.locals.get(name)
            found = self.world.space.find(address) if isinstance(address, int) else None
            if found is None or not self.world.is_private(found, self.key):
                continue
            for at in range(found.address, found.address + found.size):
                self.state.memory.pop(at, None)
