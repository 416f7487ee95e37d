"""Steps of threads, and what lies between them.

A step is one fetched event of a thread on one path (an rmw is one step with two events, or two
steps). Between two steps stands a cursor: the registers, the loops and what else the path so far
has left behind. hybrid.execution.unfolding makes both.
"""

from __future__ import annotations

from typing import Final

from hybrid.execution.bound import Bound, Constant
from hybrid.execution.trace import Status
from hybrid.program import instructions as ins

LOAD: Final = 0
STORE: Final = 1
RMW: Final = 2
CONDITIONAL: Final = 3  # a store-conditional
FENCE: Final = 4
BRANCH: Final = 5  # also an assume
CHOICE: Final = 6  # whether the next instruction stores; no event of the trace
# that of a store-conditional that fails, which must be a location; no event of the trace
ADDRESS: Final = 7


class RegisterValue:
    """What a register holds: an expression, and the loads it depends on (more than `slots` only for
    a status, which may also depend on its own store, and where a guess was made)."""

    __slots__ = ("bound", "pick", "taint", "varies")

    def __init__(self, bound: Bound, taint: int, varies: bool, pick: int = 0) -> None:
        self.bound = bound  # a Constant where it does not vary
        self.taint = taint
        self.varies = varies  # it comes from memory, as hybrid.program.loops says
        self.pick = pick  # a part of `taint`: by selection alone


ZERO: Final = RegisterValue(Constant(0), 0, False)
_NOTHING: Final = Constant(0)


class Cursor:
    """A thread between two steps; never changed once made."""

    __slots__ = (
        "asserts",
        "claims",
        "code_index",
        "control",
        "ctrl",
        "decided",
        "half",
        "index",
        "jumps",
        "marks",
        "passed",
        "po",
        "registers",
        "reserve",
        "slot",
        "steps",
    )

    def __init__(
        self,
        code_index: int,
        index: int,
        slot: int,
        po: int,
        ctrl: int,
        control: int,
        registers: dict[str, RegisterValue],
        jumps: dict[int, int],
        marks: dict[int, int],
        passed: dict[int, tuple[int, ...]],
        steps: int,
        reserve: Step | None,
        asserts: tuple[tuple[str, Bound], ...],
        claims: tuple[tuple[Bound, int], ...] = (),
    ) -> None:
        self.code_index = code_index  # of the next instruction
        self.index = index  # the next po index
        self.slot = slot  # the next slot
        self.po = po  # events so far
        self.ctrl = ctrl  # loads that feed a branch so far
        self.control = control  # events whose results the path so far was chosen by
        self.decided = -1  # after a choice: whether the next instruction stores
        self.half: Step | None = None  # the load of an rmw whose store comes next
        self.registers = registers
        self.jumps = jumps  # how often each backward jump was taken and counted
        self.marks = marks  # of backward jumps; as hybrid.program.loops says
        self.passed = passed  # of exits: the values of the condition's registers when last passed
        self.steps = steps  # instructions executed so far
        self.reserve = reserve  # the load-reserve that is open
        self.asserts = asserts  # so far: label and condition
        self.claims = claims  # so far: conditions of selects, and how they were guessed


class Step:
    """One fetched step of a thread, on one path."""

    __slots__ = (
        "addr",
        "address",
        "address_known",
        "address_value",
        "after",
        "amo",
        "cache",
        "condition",
        "control",
        "ctrl",
        "cursor",
        "data",
        "decides",
        "event",
        "expected",
        "guards",
        "guess",
        "index",
        "instruction",
        "kind",
        "late",
        "needs",
        "operand",
        "pick",
        "po",
        "registers",
        "reserve",
        "rmw_bits",
        "rmw_op",
        "second",
        "second_ctrl",
        "tags",
        "thread",
        "value",
    )

    def __init__(self, thread: int, index: int, event: int, kind: int) -> None:
        self.thread = thread
        self.index = index  # po index
        self.event = event
        self.kind = kind
        self.second = -1  # of an rmw: its store's event
        self.instruction: ins.Instruction | None = None
        self.tags: frozenset[str] = frozenset()
        self.po = 0  # po-earlier events of the thread
        self.addr = 0  # loads in addr to this event (both events of an rmw)
        self.data = 0  # loads in data to it (of an rmw: to both its events, its own load left out)
        self.ctrl = 0  # loads in ctrl to it
        self.pick = 0  # loads in pick to it (of an rmw: to both its events, its own load left out)
        self.second_ctrl = 0  # of an rmw: loads in ctrl to its store
        self.needs = 0  # events whose results must be known before it can commit
        self.control = 0  # events whose results led the path here
        self.decides = False  # what follows is known only after its commit
        self.address: Bound = _NOTHING
        self.address_known = True  # the address is a constant of the path …
        self.address_value = 0  # … namely this
        self.value: Bound = _NOTHING  # of a store or store-conditional: what it stores
        self.rmw_op = ""
        self.rmw_bits = 64
        self.operand: Bound = _NOTHING
        self.expected: Bound = _NOTHING
        self.guards: list[tuple[str, Bound]] = []  # what the value read must satisfy …
        self.late: list[tuple[str, Bound]] = []  # … and what it must turn out to have satisfied
        self.guess = -1  # whether it stores, where a choice before it says so; -1: none does
        self.condition: Bound = _NOTHING  # of a branch or assume
        self.reserve: Step | None = None  # of a store-conditional: its load-reserve …
        self.amo = False  # … or rather, it is the store of an rmw in two steps, this its load
        self.registers: dict[str, RegisterValue] = {}  # before it
        self.cursor: Cursor | None = None  # behind it
        self.after: list[Step | End | None] = [None, None]  # what follows, by outcome
        self.cache: dict[int, list[int]] = {}  # what owners of per-path data keep here, by owner

    @property
    def label(self) -> str:
        assert self.instruction is not None
        return self.instruction.label

    @property
    def is_await(self) -> bool:
        """Whether it waits for a value by its instruction, not by a guess alone."""
        instruction = self.instruction
        return isinstance(instruction, ins.Load | ins.Rmw) and instruction.guard is not None

    @property
    def is_assume(self) -> bool:
        return isinstance(self.instruction, ins.Assume)


class End:
    """Where a path ends: complete, at a failed assume (BLOCKED), or at a bound (CUT)."""

    __slots__ = ("asserts", "bound", "claims", "label", "registers", "status")

    def __init__(self, status: Status, cursor: Cursor, label: str = "", bound: str = "") -> None:
        self.status = status
        self.registers = cursor.registers
        self.asserts = cursor.asserts
        self.claims = cursor.claims
        self.label = label  # of a CUT: the instruction that was not executed, or jump not taken …
        self.bound = bound  # … and which bound it is, by its name in hybrid.program.loops
