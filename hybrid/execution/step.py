"""Steps of threads, and what lies between them.

A step is one fetched event of a thread on one path (an rmw is one step with two events, or two
steps). Between two steps stands a cursor: the registers, the loops and what else the path so far
has left behind. hybrid.execution.unfolding makes both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hybrid.execution.binding import Registers, RegisterValue
from hybrid.execution.bound import Bound, Constant, ValueRead
from hybrid.execution.trace import Status
from hybrid.program import instructions as ins
from hybrid.program import values

LOAD: Final = 0
STORE: Final = 1
RMW: Final = 2
CONDITIONAL: Final = 3  # a store-conditional
FENCE: Final = 4
BRANCH: Final = 5  # also an assume
CHOICE: Final = 6  # whether the next instruction stores; no event of the trace
# that of a store-conditional that fails, which must be a location; no event of the trace
ADDRESS: Final = 7

_NOTHING: Final = Constant(0)


# ---- between steps


class LoopState:
    """What a path has done in loops, as hybrid.program.loops says; never changed."""

    __slots__ = ("jumps", "marks", "passed")

    def __init__(
        self, jumps: dict[int, int], marks: dict[int, int], passed: dict[int, tuple[int, ...]]
    ) -> None:
        self.jumps = jumps  # how often each backward jump was taken and counted
        self.marks = marks  # of backward jumps
        self.passed = passed  # of exits: the values of the condition's registers when last passed

    def after_head(self, jumps: Sequence[int]) -> LoopState:
        """At the target of these backward jumps."""
        if not any(jump in self.marks for jump in jumps):
            return self
        marks = {jump: mark for jump, mark in self.marks.items() if jump not in jumps}
        return LoopState(self.jumps, marks, self.passed)

    def after_jump(self, jump: int) -> LoopState:
        """After a backward jump that counts."""
        jumps = {**self.jumps, jump: self.jumps.get(jump, 0) + 1}
        return LoopState(jumps, self.marks, self.passed)

    def after_exit(self, at: int, held: tuple[int, ...]) -> LoopState:
        """After an exit with these values in its registers."""
        return LoopState(self.jumps, self.marks, {**self.passed, at: held})

    def marked(self, jumps: Sequence[int], mark: int) -> LoopState:
        """With a mark of these backward jumps."""
        new = {j: self.marks.get(j, 0) | mark for j in jumps if not self.marks.get(j, 0) & mark}
        return LoopState(self.jumps, {**self.marks, **new}, self.passed) if new else self


class Said:
    """What a path has said of values, to be checked when they are known; never changed."""

    __slots__ = ("asserts", "claims")

    def __init__(
        self,
        asserts: tuple[tuple[str, Bound], ...] = (),
        claims: tuple[tuple[Bound, int], ...] = (),
    ) -> None:
        self.asserts = asserts  # label and condition
        self.claims = claims  # conditions of selects, and how they were guessed

    def with_assert(self, label: str, condition: Bound) -> Said:
        if not _is_news(condition, label, self.asserts):
            return self
        return Said((*self.asserts, (label, condition)), self.claims)

    def with_claim(self, condition: Bound, outcome: int) -> Said:
        return Said(self.asserts, (*self.claims, (condition, outcome)))


def _is_news(condition: Bound, label: str, asserts: tuple[tuple[str, Bound], ...]) -> bool:
    """Whether an assert, of a loop perhaps, can fail and is not known to have failed before."""
    if not isinstance(condition, Constant):
        return True
    known = any(name == label and isinstance(other, Constant) for name, other in asserts)
    return not condition.value and not known


class Cursor:
    """A thread between two steps. Whoever makes one by `copy` or `own` may change it, and nobody
    does once it is in a step."""

    __slots__ = (
        "code_index",
        "control",
        "ctrl",
        "decided",
        "half",
        "index",
        "loops",
        "po",
        "registers",
        "reserve",
        "said",
        "slot",
        "steps",
    )

    def __init__(self, registers: Registers) -> None:
        """At the start of the code."""
        self.code_index = 0  # of the next instruction
        self.index = 0  # the next po index
        self.slot = 0  # the next slot
        self.steps = 0  # instructions executed so far
        self.po = 0  # events so far
        self.ctrl = 0  # loads that feed a branch so far
        self.control = 0  # events whose results the path so far was chosen by
        self.registers = registers
        self.loops = LoopState({}, {}, {})
        self.said = Said()
        self.reserve: Step | None = None  # the load-reserve that is open
        # for the next instruction only
        self.decided = -1  # after a choice: whether it stores
        self.half: Step | None = None  # the load of an rmw whose store comes next

    def copy(self) -> Cursor:
        """As it is, without what is for the next instruction only; the registers are shared."""
        made = Cursor(self.registers)
        made.code_index = self.code_index
        made.index = self.index
        made.slot = self.slot
        made.steps = self.steps
        made.po = self.po
        made.ctrl = self.ctrl
        made.control = self.control
        made.loops = self.loops
        made.said = self.said
        made.reserve = self.reserve
        return made

    def own(self) -> Cursor:
        """As it is, with registers of its own."""
        made = self.copy()
        made.registers = self.registers.copy()
        made.decided = self.decided
        made.half = self.half
        return made

    def set_register(self, name: str | None, value: RegisterValue) -> None:
        """The registers may be shared, so there are new ones then."""
        if name is not None:
            self.registers = {**self.registers, name: value}


# ---- parts of steps


class Dependencies:
    """The loads on which an event depends, by kind; as hybrid.program.program says."""

    __slots__ = ("addr", "ctrl", "data", "pick")

    def __init__(self, addr: int = 0, data: int = 0, ctrl: int = 0, pick: int = 0) -> None:
        self.addr = addr
        self.data = data
        self.ctrl = ctrl
        self.pick = pick


NO_DEPENDENCIES: Final = Dependencies()


class Modification:
    """What an rmw does with the value that it reads."""

    __slots__ = ("bits", "expected", "op", "operand")

    def __init__(self, op: str, bits: int, operand: Bound, expected: Bound) -> None:
        self.op = op  # as in hybrid.program.instructions
        self.bits = bits
        self.operand = operand
        self.expected = expected  # of a cas


class ReadTest:
    """What a value that is read must satisfy: it, or what `of` makes of it, is compared."""

    __slots__ = ("of", "op", "operand", "read", "slots")

    def __init__(
        self, op: str, operand: Bound, of: Bound | None = None, read: ValueRead | None = None
    ) -> None:
        self.op = op
        self.operand = operand
        self.of = of
        self.read = read  # what stands for the value in `of`
        self.slots = operand.slots | (0 if of is None else of.slots)

    def accepts(self, value: int, results: list[int]) -> bool:
        wanted = self.operand.evaluate(results)
        if self.of is not None and self.read is not None:
            self.read.value = value
            value = self.of.evaluate(results)
        return values.binary(self.op, value, wanted) != 0


Conditions = list[ReadTest]
Rereads = list[tuple[Bound, Bound]]  # addresses, and what is held there


# ---- steps


class Step:
    """One fetched step of a thread, on one path. What is of some kinds only has a neutral value in
    the others."""

    __slots__ = (
        "address",
        "after",
        "amo",
        "before",
        "cache",
        "cursor",
        "decides",
        "depends",
        "event",
        "guards",
        "guess",
        "index",
        "instruction",
        "kind",
        "late",
        "modifies",
        "needs",
        "po",
        "rereads",
        "reserve",
        "second",
        "second_depends",
        "tags",
        "thread",
        "value",
    )

    def __init__(self, thread: int, index: int, event: int, kind: int, before: Cursor) -> None:
        self.thread = thread
        self.index = index  # po index
        self.event = event
        self.kind = kind
        self.instruction: ins.Instruction | None = None
        self.tags: frozenset[str] = frozenset()
        self.decides = False  # what follows is known only after its commit
        # its place on the path
        self.before = before
        self.cursor: Cursor | None = None  # behind it
        self.after: list[Step | End | None] = [None, None]  # what follows, by outcome
        self.po = 0  # po-earlier events of the thread
        self.needs = 0  # events whose results must be known before it can commit
        self.depends = NO_DEPENDENCIES
        self.cache: dict[int, list[int]] = {}  # what owners of per-path data keep here, by owner
        # of accesses
        self.address: Bound = _NOTHING
        # of a store or store-conditional: what it stores; of a branch or assume: its condition
        self.value: Bound = _NOTHING
        self.guards: Conditions = []  # what the value read must satisfy …
        self.late: Conditions = []  # … and what it must turn out to have satisfied
        self.rereads: Rereads = []  # of an await or assume that stands for a loop, as in Guard
        self.guess = -1  # whether it stores, where a choice before it says so; -1: none does
        # of an rmw
        self.modifies: Modification | None = None
        self.second = -1  # its store's event …
        self.second_depends = NO_DEPENDENCIES  # … and what that depends on
        # of a store-conditional
        self.reserve: Step | None = None  # its load-reserve …
        self.amo = False  # … or rather, it is the store of an rmw in two steps, this its load

    @property
    def label(self) -> str:
        assert self.instruction is not None
        return self.instruction.label

    @property
    def is_await(self) -> bool:
        """Whether it waits for a value by its instruction, not by a guess alone."""
        instruction = self.instruction
        return instruction is not None and instruction.awaits is not None

    def depends_of(self, event: int) -> Dependencies:
        """What one of its events depends on."""
        return self.second_depends if event == self.second else self.depends


class End:
    """Where a path ends: complete, at a failed assume (BLOCKED), or at a bound (CUT)."""

    __slots__ = ("assume", "bound", "complete", "cut", "label", "registers", "said", "status")

    def __init__(
        self,
        status: Status,
        cursor: Cursor,
        label: str = "",
        bound: str = "",
        assume: Step | None = None,
    ) -> None:
        self.status = status
        self.complete = status is Status.COMPLETE
        self.cut = status is Status.CUT
        self.assume = assume  # of a BLOCKED: the one that waits, if it does
        self.registers = cursor.registers
        self.said = cursor.said
        self.label = label  # of a CUT: the instruction that was not executed, or jump not taken …
        self.bound = bound  # … and which bound it is, by its name in hybrid.program.loops
