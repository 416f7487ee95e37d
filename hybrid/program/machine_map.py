"""C11's orders as machines have them: a program whose accesses and fences are the sequences that
compilers make of C11's.

The tables are the usual ones (Batty, Memarian, Owens, Sarkar, Sewell, "Clarifying and compiling
C/C++ concurrency", POPL 2012, for x86 and POWER with its sync before sequentially consistent
accesses; Arm's for ARMv7 and AArch64, the latter with LDAR, STLR and the instructions of FEAT_LSE;
table A.6 of the RISC-V manual). That of SPARC's partial store order is x86's with a store barrier,
sfence here, before what must not pass earlier stores. An access has fences before and behind it and
the machine's own annotations; `BRANCH` stands for a branch on what it has read. Consume counts as
acquire.

What an instruction becomes has its label (the access) or its label with a word behind it
(`L1.lwsync`, numbered where the program has that label already), so that a trace of the new program
can be read beside the old one. A cas is fenced by the stronger of its two orders, whether it stores
or not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.c11 import ATOMIC_ORDERS, C_SOURCE
from hybrid.program.check import register_names
from hybrid.program.program import Program, Thread
from hybrid.program.tags import FENCES, ORDERS, PLAIN, STORE_ONLY
from hybrid.source import nowhere

BRANCH = "branch"


@dataclass(frozen=True, slots=True)
class Sequence:
    """What an access or a fence becomes."""

    before: tuple[str, ...] = ()  # fences, as .prog spells them
    tags: tuple[str, ...] = ()  # of the access
    after: tuple[str, ...] = ()  # fences, or BRANCH


PLAIN_ACCESS = Sequence()
Table = Mapping[str, Sequence]  # by order; what is missing is plain


@dataclass(frozen=True, slots=True)
class MachineMapping:
    """How a machine has C11's accesses and fences; the orders of `fences` become nothing where they
    are missing."""

    loads: Table
    stores: Table
    rmws: Table
    fences: Mapping[str, tuple[str, ...]]


def _each(orders: str, sequence: Sequence) -> dict[str, Sequence]:
    return dict.fromkeys(orders.split(), sequence)


_ISYNC = (BRANCH, "isync")
_ALL = "NA RLX ACQ REL ACQ_REL SC CON"

MACHINES: Mapping[str, MachineMapping] = {
    "x86": MachineMapping(
        loads={},
        stores={"SC": Sequence(after=("mfence",))},
        rmws=_each(_ALL, Sequence(tags=("LOCK",))),
        fences={"SC": ("mfence",)},
    ),
    "sparc": MachineMapping(
        loads={},
        stores={
            "REL": Sequence(before=("sfence",)),
            "SC": Sequence(before=("sfence",), after=("mfence",)),
        },
        rmws=_each(_ALL, Sequence(tags=("LOCK",))),
        fences=dict.fromkeys(("REL", "ACQ_REL"), ("sfence",)) | {"SC": ("mfence",)},
    ),
    "power": MachineMapping(
        loads=_each("ACQ CON", Sequence(after=_ISYNC))
        | {"SC": Sequence(before=("sync",), after=_ISYNC)},
        stores={"REL": Sequence(before=("lwsync",)), "SC": Sequence(before=("sync",))},
        rmws=_each("ACQ CON", Sequence(after=_ISYNC))
        | {
            "REL": Sequence(before=("lwsync",)),
            "ACQ_REL": Sequence(before=("lwsync",), after=_ISYNC),
            "SC": Sequence(before=("sync",), after=_ISYNC),
        },
        fences=dict.fromkeys(("ACQ", "REL", "ACQ_REL"), ("lwsync",)) | {"SC": ("sync",)},
    ),
    "arm": MachineMapping(
        loads=_each("ACQ CON SC", Sequence(after=("dmb",))),
        stores={
            "REL": Sequence(before=("dmb",)),
            "SC": Sequence(before=("dmb",), after=("dmb",)),
        },
        rmws=_each("ACQ CON", Sequence(after=("dmb",)))
        | {"REL": Sequence(before=("dmb",))}
        | _each("ACQ_REL SC", Sequence(before=("dmb",), after=("dmb",))),
        fences=dict.fromkeys(("ACQ", "REL", "ACQ_REL", "SC"), ("dmb",)),
    ),
    "aarch64": MachineMapping(
        loads=_each("ACQ CON SC", Sequence(tags=("A",))),
        stores=_each("REL SC", Sequence(tags=("L",))),
        rmws=_each("ACQ CON", Sequence(tags=("A",)))
        | {"REL": Sequence(tags=("L",))}
        | _each("ACQ_REL SC", Sequence(tags=("A", "L"))),
        fences={"ACQ": ("dmb.ld",)} | dict.fromkeys(("REL", "ACQ_REL", "SC"), ("dmb",)),
    ),
    "riscv": MachineMapping(
        loads=_each("ACQ CON", Sequence(after=("fence.r.rw",)))
        | {"SC": Sequence(before=("fence.rw.rw",), after=("fence.r.rw",))},
        stores=_each("REL SC", Sequence(before=("fence.rw.w",))),
        rmws=_each("ACQ CON", Sequence(tags=("Acq",)))
        | {"REL": Sequence(tags=("Rel",))}
        | _each("ACQ_REL SC", Sequence(tags=("AcqRel",))),
        fences={
            "ACQ": ("fence.r.rw",),
            "REL": ("fence.rw.w",),
            "ACQ_REL": ("fence.tso",),
            "SC": ("fence.rw.rw",),
        },
    ),
}


def map_program(program: Program, machine: str) -> Program:
    """The program with the sequences of `machine`, one of MACHINES. What its file expects is of the
    program as it is written, and left out, but for a C program, which always runs so."""
    labels = {each.label for thread in program.threads for each in thread.code}
    edges = program.thread_edges
    mappings = [_Mapping(thread, MACHINES[machine], labels, edges) for thread in program.threads]
    threads = tuple(mapping.mapped() for mapping in mappings)
    made = {label: of for mapping in mappings for label, of in mapping.made.items()}
    origins = {label: program.origins[of] for label, of in made.items() if of in program.origins}
    return replace(
        program,
        threads=threads,
        expectations=program.expectations if program.arch == C_SOURCE else (),
        mapped=machine,
        origins={**program.origins, **origins},
    )


class _Mapping:
    """One thread."""

    def __init__(
        self, thread: Thread, machine: MachineMapping, labels: set[str], edges: frozenset[str]
    ) -> None:
        self.thread = thread
        self.machine = machine
        self.labels = labels  # of the whole program; grows
        self.edges = edges  # labels of accesses with a full fence on their outer side
        self.registers = set(register_names(thread))
        self.made: dict[str, str] = {}  # labels of new instructions, with those that they are for
        self.code: list[ins.Instruction] = []

    def mapped(self) -> Thread:
        starts: list[int] = []  # of what the instructions have become
        for instruction in self.thread.code:
            starts.append(len(self.code))
            self._add(instruction)
        starts.append(len(self.code))
        code = tuple(
            i if i.span.source.name == _BEHIND else i.with_targets(starts.__getitem__)
            for i in self.code
        )
        return replace(self.thread, code=code)

    def _add(self, instruction: ins.Instruction) -> None:
        machine = self.machine
        if isinstance(instruction, ins.Fence):
            order = instruction.tags & ATOMIC_ORDERS
            if not order:
                self.code.append(instruction)
            for fence in machine.fences.get("".join(order), ()):
                self.code.append(replace(instruction, tags=FENCES[fence], span=nowhere()))
        elif isinstance(instruction, ins.Load):
            self._access(instruction, machine.loads)
        elif isinstance(instruction, ins.Store | ins.StoreConditional):
            self._access(instruction, machine.stores)
        elif isinstance(instruction, ins.Rmw):
            self._access(instruction, machine.rmws)
        elif isinstance(
            instruction,
            ins.Assign | ins.Select | ins.Branch | ins.Goto | ins.Assume | ins.Assert,
        ):
            self.code.append(instruction)
        else:
            assert_never(instruction)

    def _access(self, access: ins.Access, table: Table) -> None:
        before: list[str] = []
        after: list[str] = []
        for order in sorted(_orders(access), key=ORDERS.index):
            sequence = table.get(order, PLAIN_ACCESS)
            before = [*sequence.before] or before
            after = [*sequence.after] or after
        if access.label in self.edges:  # of threads: a full fence keeps all that is outside apart
            full = [*self.machine.fences["SC"]]
            before, after = (full, []) if isinstance(access, ins.Store) else ([], full)
        if BRANCH in after:
            access = self._with_register(access)
        for fence in before:
            self._fence(access, fence)
        self.code.append(_tagged(access, table))
        for word in after:
            if word == BRANCH:
                self._branch(access)
            else:
                self._fence(access, word)

    def _fence(self, access: ins.Access, fence: str) -> None:
        self.code.append(ins.Fence(nowhere(), self._label(access, fence), FENCES[fence]))

    def _branch(self, access: ins.Access) -> None:
        """A branch on what was read, to what follows either way. An await needs none: it is one
        itself."""
        if not isinstance(access, ins.Load | ins.Rmw) or access.register is None:
            return
        span = nowhere(_BEHIND)
        read = ex.Register(span, access.register)
        condition = ex.Binary(span, "==", read, read)
        label = self._label(access, "bc")
        self.code.append(ins.Branch(span, label, condition, len(self.code) + 1))

    def _label(self, access: ins.Access, word: str) -> str:
        label = _unused(f"{access.label}.{word}", self.labels)
        self.made[label] = access.label
        return label

    def _with_register(self, access: ins.Access) -> ins.Access:
        """With a register to branch on, unless it waits for a value, which is a branch."""
        if not isinstance(access, ins.Load | ins.Rmw) or access.register or access.guard:
            return access
        return replace(access, register=_unused(f"{access.label}.read", self.registers))


_BEHIND = "<mapped>"  # the source of branches made here, whose targets are right


def _orders(access: ins.Access) -> frozenset[str]:
    return access.event_tags & frozenset(ORDERS)


def _unused(name: str, taken: set[str]) -> str:
    """`name`, with a number behind it if it is taken; it is taken then."""
    found, number = name, 2
    while found in taken:
        found, number = f"{name}{number}", number + 1
    taken.add(found)
    return found


def _tagged(access: ins.Access, table: Table) -> ins.Access:
    """With the machine's annotations instead of C11's. Those of a cas that fails are the same as of
    one that stores (locked, on x86), or those that a load can have."""
    tags = _own(access.tags, table)
    if isinstance(access, ins.Rmw) and access.failed_tags is not None:
        failed: frozenset[str] | None = _own(access.failed_tags, table, STORE_ONLY)
        return replace(access, tags=tags, failed_tags=None if failed == tags else failed)
    return replace(access, tags=tags)


def _own(
    tags: frozenset[str], table: Table, without: frozenset[str] = frozenset()
) -> frozenset[str]:
    orders = tags & frozenset(ORDERS)
    own = {tag for order in orders for tag in table.get(order, PLAIN_ACCESS).tags}
    rest = tags - orders
    return frozenset(rest | own) - without or frozenset({PLAIN})
