"""Small programs of the literature on partial order reduction with a parameter, as .prog text, and
two families for measuring: all but the latter are those of litmus/programs/dpor and trust."""

from __future__ import annotations

from hybrid.frontend.generated_text import (
    PLAIN,
    Orders,
    check_parameter,
    counted,
    program_text,
    thread_text,
)

_CELLS = 128  # of the table of indexer
_READERS = 6  # of private


def exp_mem2(n: int, orders: Orders = PLAIN) -> str:
    """exp-mem without read-modify-writes: n threads increment y by a load and a store, one thread
    stores n + 1 times to x, the first and the last of the n then load x. Under sc ((n + 2) · n!)²
    traces."""
    check_parameter("n", n, 2)
    load, store = orders.load, orders.store
    stores = [f"L{i}: x := {i}{store};" for i in range(1, n + 2)]
    threads = [thread_text("T0", stores)]
    for j in range(1, n + 1):
        lines = [f"r := y{load};", f"y := r + 1{store};"]
        if j in (1, n):
            lines.append(f"s := x{load};")
        threads.append(thread_text(f"T{j}", lines))
    about = f"exp-mem2 with {counted(n, 'thread')} that add to y. The program is a guess."
    return program_text(f"exp-mem2({n})", about, "x = 0; y = 0", threads)


def casrot(n: int, orders: Orders = PLAIN) -> str:
    """Thread i changes x from i − 1 to i, if it finds it so: 1 + Σ k · (k + 1)^(n − k − 1) traces
    for k = 1 … n − 1, the last of the threads before the first that fails."""
    check_parameter("n", n, 1)
    threads = [
        thread_text(f"T{i}", [f"L{i}: r := cas(x, {i - 1}, {i}){orders.cas};"])
        for i in range(1, n + 1)
    ]
    about = f"{counted(n, 'thread')}, each of which takes x one step on if it finds it there."
    return program_text(f"casrot({n})", about, "x = 0", threads)


def readers(n: int, orders: Orders = PLAIN) -> str:
    """One store and n loads of it: 2^n traces."""
    check_parameter("n", n, 1)
    about = f"A writer and {counted(n, 'reader')} of one location."
    return program_text(f"readers({n})", about, "x = 0", _readers(n, orders))


def _readers(n: int, orders: Orders) -> list[str]:
    threads = [thread_text("W", [f"L0: x := 1{orders.store};"])]
    threads += [thread_text(f"R{i}", [f"L{i}: r := x{orders.load};"]) for i in range(1, n + 1)]
    return threads


def sigma(n: int, orders: Orders = PLAIN) -> str:
    """One thread moves an index on, from 0 to n − 1; thread k waits until it has come to k and sets
    the cell that it names, which may by then be a later one: 1 · 3 · … · (2n − 1) traces under
    sc. In C the thread is not started earlier instead."""
    check_parameter("n", n, 1)
    moves = [f"L{k}: last := {k}{orders.store};" for k in range(1, n)]
    threads = [thread_text("M", [*moves, "E: skip;"])]
    threads += [
        thread_text(
            f"T{k}",
            [
                f"i := await(last satisfies _ >= {k}){orders.load};",
                f"values[i] := 1{orders.store};",
            ],
        )
        for k in range(n)
    ]
    about = f"{counted(n, 'thread')} set the cell that an index names, which moves on."
    return program_text(f"sigma({n})", about, f"last = 0; values[{n}] = 0", threads)


def indexer(n: int, orders: Orders = PLAIN) -> str:
    """n threads put four words each into a table of 128 cells; who finds a cell taken takes the
    next one. Up to 11 threads never meet; each one more meets another in three cells: 8^(n − 11)
    traces."""
    check_parameter("n", n, 1)
    threads: list[str] = []
    for i in range(n):
        lines: list[str] = []
        for word in range(11 + i, 55 + i, 11):
            lines += [
                f"h := {word * 7 % _CELLS};",
                "do {",
                f"  r := cas(table[h], 0, {word}){orders.cas};",
                f"  h := (h + 1) % {_CELLS};",
                "} while r != 0;",
            ]
        threads.append(thread_text(f"T{i}", lines))
    about = f"{counted(n, 'thread')} put four words each into a table of {_CELLS} cells."
    return program_text(f"indexer({n})", about, f"table[{_CELLS}] = 0", threads)


def private(m: int, orders: Orders = PLAIN) -> str:
    """A writer and six readers, 64 traces, and one more thread with m accesses to a location of its
    own, stores and loads in turn: what those cost a trace."""
    check_parameter("m", m, 0)
    lines = [f"r := p{orders.load};" if i % 2 else f"p := {i}{orders.store};" for i in range(m)]
    threads = [*_readers(_READERS, orders), thread_text("P", lines or ["skip;"])]
    about = f"A thread that accesses a location of its own {counted(m, 'time')}, and seven others."
    return program_text(f"private({m})", about, "x = 0; p = 0", threads)
