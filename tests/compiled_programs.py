"""Programs as a front end for C makes them, from .prog text: labels `L41` and `L41_2` become
`queue.c:41` and `queue.c:41#2`, locations cells of 4 bytes, or of 8 where so named, in objects."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from hybrid.frontend.prog import parse_program
from hybrid.program.expr import Binary, Const, Expr, Unary
from hybrid.program.instructions import Access, Instruction, Load
from hybrid.program.memory import Location
from hybrid.program.origin import (
    ASSERTION,
    DOUBLE_FREE,
    GLOBAL,
    LEAK,
    Frame,
    MemoryBlock,
    Origin,
    cell_address,
)
from hybrid.program.program import Program
from hybrid.source import Source, nowhere

FILE = "queue.c"
FIRST = 0x100000  # the byte at which the first object lies
APART = 0x100  # bytes from one object to the next
HERE = nowhere(FILE)
_LABEL = re.compile(r"L(\d+)(?:_(\d+))?")


def label_of(name: str) -> str:
    match = _LABEL.fullmatch(name)
    if match is None:
        return name
    return f"{FILE}:{match[1]}" + (f"#{match[2]}" if match[2] else "")


def origin(
    label: str, text: str = "", kind: str = "", message: str = "", *calls: tuple[str, int]
) -> Origin:
    """That of `L41`; `calls` are functions with lines, innermost first."""
    match = _LABEL.fullmatch(label)
    assert match is not None
    stack = tuple(Frame(function, FILE, line) for function, line in calls)
    return Origin(FILE, int(match[1]), 5, text, stack, kind, message)


def compiled(
    text: str,
    origins: Mapping[str, Origin],
    wide: str = "",
    blocks: tuple[MemoryBlock, ...] | None = None,
    threads: Mapping[str, str] | None = None,
) -> Program:
    """`origins` by the labels of the text; `wide` names locations of 8 bytes; `blocks` are by
    default one for each location; `threads` gives other names to threads."""
    program = parse_program(Source(FILE, text))
    bytes_ = {each.address: FIRST + i * APART for i, each in enumerate(program.locations)}
    sizes = {each.address: 8 if each.name in wide.split() else 4 for each in program.locations}
    cells = tuple(
        replace(
            each,
            address=cell_address(bytes_[each.address], sizes[each.address]),
            initial=bytes_.get(each.initial, each.initial) if each.initial_name else each.initial,
        )
        for each in program.locations
    )
    made = tuple(
        MemoryBlock(each.name, bytes_[each.address], sizes[each.address], GLOBAL, f"{FILE}:{i + 1}")
        for i, each in enumerate(program.locations)
    )

    def value(expression: Expr) -> Expr:
        if isinstance(expression, Const) and expression.name:
            return replace(expression, value=bytes_[expression.value])
        if isinstance(expression, Unary):
            return replace(expression, operand=value(expression.operand))
        if isinstance(expression, Binary):
            return replace(expression, left=value(expression.left), right=value(expression.right))
        return expression

    def address(expression: Expr) -> Expr:
        if isinstance(expression, Const) and expression.name:
            byte = bytes_[expression.value]
            return replace(expression, value=cell_address(byte, sizes[expression.value]))
        shifted = Binary(HERE, "<<", value(expression), Const(HERE, 2))
        return Binary(HERE, "|", shifted, Const(HERE, 2))  # cells of 4 bytes

    def changed(instruction: Instruction) -> Instruction:
        label = label_of(instruction.label)
        new = replace(instruction.with_expressions(value), label=label)
        if isinstance(new, Load) and new.guard is not None:  # a thread that joins another
            new = replace(new, guard=replace(new.guard, sleeps=True))
        if isinstance(new, Access) and isinstance(instruction, Access):
            return replace(new, address=address(instruction.address))
        return new

    return replace(
        program,
        name="queue",
        locations=cells,
        threads=tuple(
            replace(
                thread,
                name=(threads or {}).get(thread.name, thread.name),
                code=tuple(map(changed, thread.code)),
            )
            for thread in program.threads
        ),
        origins={label_of(label): each for label, each in origins.items()},
        blocks=made if blocks is None else blocks,
    )


def cell(name: str, byte: int, size: int, initial: int = 0) -> Location:
    return Location(HERE, name, cell_address(byte, size), initial)


def store(name: str, order: str = "relaxed") -> str:
    return f"atomic_store_explicit(&{name}, 1, memory_order_{order})"


def load(name: str, order: str) -> str:
    return f"atomic_load_explicit(&{name}, memory_order_{order})"


THREADS = {"P": "main", "Q": "worker#1", "R": "worker#2"}

# A consumer may see the flag and not the data.
CONSUME = ("worker", 31)
PASSING = compiled(
    """x = 0; flag = 0
thread P: L10: x := 1 @rlx; L11: flag := 1 @rlx;
thread Q: L20: r := flag @acq; if r = 0 goto E; L21: s := x @rlx; L22: assert s = 1; E: skip;
""",
    {
        "L10": origin("L10", store("x"), "", "", ("main", 10)),
        "L11": origin("L11", store("flag"), "", "", ("main", 11)),
        "L20": origin("L20", load("flag", "acquire"), "", "", ("consume", 20), CONSUME),
        "L21": origin("L21", load("x", "relaxed"), "", "", ("consume", 21), CONSUME),
        "L22": origin("L22", "assert(s == 1)", ASSERTION, "s == 1", ("consume", 22), CONSUME),
    },
    threads=THREADS,
)
# The same with release and a loop: nothing goes wrong.
SAFE = compiled(
    """x = 0; flag = 0
thread P: L10: x := 1 @rlx; L11: flag := 1 @rel;
thread Q: L20: r := flag @acq; if r = 0 goto E; L21: s := x @rlx; L22: assert s = 1; E: skip;
""",
    {
        **{f"{FILE}:{line}": PASSING.origins[f"{FILE}:{line}"] for line in (10, 20, 21, 22)},
        "L11": origin("L11", store("flag", "release"), "", "", ("main", 11)),
    },
    threads=THREADS,
)

RACING = compiled(
    """x = 0
thread P: L10: x := 1;
thread Q: L20: r := x;
""",
    {
        "L10": origin("L10", "x = 1", "", "", ("main", 10)),
        "L20": origin("L20", "r = x", "", "", ("read", 20), ("worker", 31)),
    },
    threads=THREADS,
)

# Two locks in two orders; main joins both.
LOCKING = compiled(
    """m = 0; n = 0; done = 0
thread P: L10: await(done = 2) @acq;
thread Q: L20: xchgawait(m = 0, := 1) @acq; L21: xchgawait(n = 0, := 1) @acq; L22: n := 0 @rel;
  L23: m := 0 @rel; L24: faa(done, 1) @rel;
thread R: L30: xchgawait(n = 0, := 1) @acq; L31: xchgawait(m = 0, := 1) @acq; L32: m := 0 @rel;
  L33: n := 0 @rel; L34: faa(done, 1) @rel;
""",
    {
        "L10": origin("L10", "pthread_join(t1, 0)", "", "joins worker#1"),
        "L20": origin("L20", "pthread_mutex_lock(&m)", "", "waits for the lock m"),
        "L21": origin("L21", "pthread_mutex_lock(&n)", "", "waits for the lock n"),
        "L22": origin("L22", "pthread_mutex_unlock(&n)"),
        "L23": origin("L23", "pthread_mutex_unlock(&m)"),
        "L30": origin("L30", "pthread_mutex_lock(&n)", "", "waits for the lock n"),
        "L31": origin("L31", "pthread_mutex_lock(&m)", "", "waits for the lock m"),
        "L32": origin("L32", "pthread_mutex_unlock(&m)"),
        "L33": origin("L33", "pthread_mutex_unlock(&n)"),
    },
    threads=THREADS,
)

# p is null, or points behind x, as flag is 0, 1 or 2.
STRAYING = compiled(
    """x = 0; p = 0; flag = 0
thread P: L10: p := &x @rlx; L11: p := &x + 4 @rlx; L12: assert 1 = 0;
thread Q: L20: r := p @rlx; L21: [r] := 7 @rlx;
""",
    {
        "L10": origin("L10", "p = &x"),
        "L11": origin("L11", "p = &x + 1"),
        "L12": origin("L12", "free(q)", DOUBLE_FREE, "q was freed at queue.c:9", ("main", 12)),
        "L20": origin("L20", "int *q = p", "", "", ("worker", 20)),
        "L21": origin("L21", "*q = 7", "", "", ("put", 21), ("worker", 22)),
    },
    wide="p",
    threads=THREADS,
)

LEAKING = compiled(
    """x = 0
thread P: L10: x := 1 @rlx;
thread Q: L20: r := x @rlx; L5: assert r = 1;
""",
    {
        "L10": origin("L10", "atomic_store(&x, 1)"),
        "L20": origin("L20", "atomic_load(&x)"),
        "L5": origin("L5", "malloc(8)", LEAK, "", ("worker", 5)),
    },
    threads=THREADS,
)

SPINNING = compiled(
    """x = 0
thread P: L10: x := 1 @rlx;
thread Q: L20: r := x @rlx; L21: if r = 0 goto L20;
""",
    {
        "L10": origin("L10", "atomic_store(&x, 1)"),
        "L20": origin("L20", "atomic_load(&x)"),
        "L21": origin("L21", "while (!atomic_load(&x))"),
    },
    threads=THREADS,
)

# The second half of a cell of 8 bytes is accessed as 4 bytes.
MIXING = compiled(
    """x = 0; y = 0
thread P: L10: x := 1 @rlx; L11: y := 1 @rlx;
thread Q: L20: r := y @rlx; if r = 0 goto E; L21: s := [&x + 4 * r] @rlx; E: skip;
""",
    {
        "L10": origin("L10", "atomic_store(&x, 1)"),
        "L11": origin("L11", "atomic_store(&y, 1)"),
        "L20": origin("L20", "atomic_load(&y)"),
        "L21": origin("L21", "atomic_load((_Atomic int *)&x + 1)", "", "", ("worker", 21)),
    },
    wide="x",
    threads=THREADS,
)
