"""Programs with a parameter, as .prog text, and all of them by name.

`fig11` is SB+kW of Abdulla, Atig, Jonsson, Leonardsson, "Stateless model checking for POWER", CAV
2016, Fig. 11; `lastzero`, `exp_mem` and `exp_mem2` are benchmarks of Kokologiannakis, Marmanis,
Gladstein, Vafeiadis, "Truly stateless, optimal dynamic partial order reduction", POPL 2022, §2.3
and Table 1. Numbers of traces that are known:

| program | model | traces |
| --- | --- | --- |
| fig11(k, fences=False) | power | C(2k, k) + 3 |
| fig11(k) | power | 3 |
| lastzero(n) | sc | (n + 3) · 2^(n − 2) |
| exp_mem(n) | sc | 2 · n! |
| fib_bench(n) | sc | 1,698 for 3, 19,605 for 4 |

`fib` and `cells` are our own, for measuring. docs/bench.md has all programs with their numbers.
"""

from __future__ import annotations

from collections.abc import Callable

from hybrid.errors import InputError
from hybrid.frontend import generated_dpor as dpor
from hybrid.frontend import generated_locks as locks
from hybrid.frontend.generated_text import (
    ORDERS,
    PLAIN,
    Orders,
    check_parameter,
    counted,
    program_text,
    thread_text,
)

_RSMC = "Stateless model checking for POWER (CAV 2016)"
_TRUST = "Truly stateless, optimal dynamic partial order reduction (POPL 2022)"


def fig11(k: int, fences: bool = True, orders: Orders = PLAIN) -> str:
    """Dekker's idea in front of a critical section of k stores to z; without fences both threads
    may enter."""
    check_parameter("k", k, 0)
    name = f"SB+{k}W" + ("+syncs" if fences else "")
    about = (
        f"{_RSMC}, Fig. 11, with {counted(k, 'store')} in each critical section and "
        + ("syncs" if fences else "no fences")
        + "."
    )
    threads = [
        # the labels are the paper's: without fences L1 is left out
        thread_text(thread, _fig11_lines(label, mine, register, other, k, fences, orders))
        for thread, label, mine, register, other in (
            ("P", "L", "x", "r0", "y"),
            ("Q", "M", "y", "r1", "x"),
        )
    ]
    return program_text(name, about, "x = 0; y = 0; z = 0", threads)


def _fig11_lines(
    label: str, mine: str, register: str, other: str, k: int, fences: bool, orders: Orders
) -> list[str]:
    end = f"{label}{k + 4}"
    lines = [f"{label}0: {mine} := 1{orders.store};"]
    if fences:
        lines.append(f"{label}1: sync;")
    lines.append(f"{label}2: {register} := {other}{orders.load};")
    lines.append(f"{label}3: if {register} = 1 goto {end};")
    lines += [f"{label}{i}: z := 1{orders.store};" for i in range(4, k + 4)]
    lines.append(f"{end}: {register} := 0;")
    return lines


def lastzero(n: int, orders: Orders = PLAIN) -> str:
    """Thread T0 looks for the last cell that is 0, from the end; thread Tj sets cell j to its left
    neighbour's value plus 1.

    Cell 0 stays 0, so the search ends there; its loop is written out, and no unrolling is needed.
    """
    check_parameter("n", n, 1)
    load, store = orders.load, orders.store
    search: list[str] = []
    for cell in range(n, -1, -1):
        search += [f"I{cell}: i := {cell};", f"S{cell}: r := a[{cell}]{load};"]
        search += [f"Z{cell}: if r = 0 goto E;"] if cell else []
    search.append("E: skip;")
    threads = [thread_text("T0", search)]
    threads += [
        thread_text(f"T{j}", [f"L{j}: r := a[{j - 1}]{load};", f"M{j}: a[{j}] := r + 1{store};"])
        for j in range(1, n + 1)
    ]
    about = (
        f"{_TRUST}, Table 1, lastzero({n}): T0 looks for the last cell of the array that "
        "is 0, while each of "
        f"{counted(n, 'thread')} sets a cell to its left neighbour's value plus 1. The "
        "search loop is written out."
    )
    return program_text(f"lastzero({n})", about, f"a[{n + 1}] = 0", threads)


def fib(n: int, orders: Orders = PLAIN) -> str:
    """Two threads add to each other's numbers, n times each."""
    check_parameter("n", n, 1)
    load, store = orders.load, orders.store
    threads: list[str] = []
    for thread, label, mine in (("P", "L", "x"), ("Q", "M", "y")):
        lines: list[str] = []
        for i in range(0, 3 * n, 3):
            lines += [f"{label}{i}: r := x{load};", f"{label}{i + 1}: s := y{load};"]
            lines.append(f"{label}{i + 2}: {mine} := r + s{store};")
        threads.append(thread_text(thread, lines))
    about = f"Two threads add to each other's numbers, {counted(n, 'time')} each."
    return program_text(f"fib({n})", about, "x = 1; y = 1", threads)


def fib_bench(n: int, orders: Orders = PLAIN) -> str:
    """The benchmark of the literature on DPOR: two threads add each other's number to their own, n
    times each, while a third looks at both."""
    check_parameter("n", n, 1)
    load, store = orders.load, orders.store
    threads: list[str] = []
    for thread, label, mine, other in (("P", "L", "i", "j"), ("Q", "M", "j", "i")):
        lines: list[str] = []
        for k in range(0, 3 * n, 3):
            lines += [f"{label}{k}: r := {mine}{load};", f"{label}{k + 1}: s := {other}{load};"]
            lines.append(f"{label}{k + 2}: {mine} := r + s{store};")
        threads.append(thread_text(thread, lines))
    threads.append(thread_text("O", [f"N0: r := i{load};", f"N1: s := j{load};"]))
    about = (
        f"fib_bench({n}): two threads add to each other's numbers, {counted(n, 'time')} each, and "
        "another one looks."
    )
    return program_text(f"fib-bench({n})", about, "i = 1; j = 1", threads)


def cells(n: int) -> str:
    """Three threads that find cells of an array by computed addresses; n more cells that none of
    them ever touches, which no look at the text can tell."""
    check_parameter("n", n, 0)
    threads = [
        thread_text(
            f"T{j}",
            [
                f"L{j}: i := faa(k, 1) @rlx;",
                f"M{j}: a[i] := {j + 1} @rel;",
                f"N{j}: r := a[0] @acq;",
                f"O{j}: s := x @rlx;",
                f"S{j}: x := s + 1 @rlx;",
            ],
        )
        for j in range(3)
    ]
    about = f"Computed addresses in an array with {counted(n, 'cell')} that nobody touches."
    return program_text(f"cells({n})", about, f"k = 0; x = 0; a[{n + 3}] = 0", threads)


def exp_mem(n: int, orders: Orders = PLAIN) -> str:
    """One thread adds to x, n threads add to y, the last of them then adds to x too."""
    check_parameter("n", n, 1)
    threads = [thread_text("T0", [f"L0: faa(x, 1){orders.rmw};"])]
    for j in range(1, n + 1):
        lines = [f"L{j}: r := faa(y, 1){orders.rmw};"]
        if j == n:
            lines.append(f"M{j}: faa(x, 1){orders.rmw};")
        threads.append(thread_text(f"T{j}", lines))
    about = f"{_TRUST}, §2.3, EXP-MEM with {counted(n, 'thread')} that add to y."
    condition = f"forall (x = 2 /\\ y = {n})"
    return program_text(f"exp-mem({n})", about, "x = 0; y = 0", threads, condition)


Generator = Callable[[int], str]

# With the annotations of their accesses to choose.
FAMILIES: dict[str, Callable[[int, Orders], str]] = {
    "lastzero": lastzero,
    "fib": fib,
    "fib-bench": fib_bench,
    "exp-mem": exp_mem,
    "exp-mem2": dpor.exp_mem2,
    "casrot": dpor.casrot,
    "readers": dpor.readers,
    "sigma": dpor.sigma,
    "indexer": dpor.indexer,
    "mutex": locks.mutex,
    "ttaslock": locks.ttaslock,
    "twalock": locks.twalock,
    "mcs": locks.mcs,
    "seqlock": locks.seqlock,
    "mpmc-queue": locks.mpmc_queue,
    "fig11": lambda k, orders: fig11(k, fences=False, orders=orders),
    "private": dpor.private,
}


def name_of(family: str, orders: Orders) -> str:
    """As in GENERATORS."""
    return family if orders is PLAIN else f"{family}-{orders.name}"


def _annotated(family: str, orders: Orders) -> Generator:
    return lambda parameter: FAMILIES[family](parameter, orders)


# By the name that a command line gives; the parameter counts stores, cells or threads.
GENERATORS: dict[str, Generator] = {
    **{name_of(f, orders): _annotated(f, orders) for f in FAMILIES for orders in ORDERS},
    "fig11-syncs": lambda k: fig11(k, fences=True),
    "cells": cells,
}


def generate(name: str, parameter: int) -> str:
    """The text of a generated program."""
    generator = GENERATORS.get(name)
    if generator is None:
        raise InputError(
            f"there is no generator {name}",
            hint=f"generators: {', '.join([*FAMILIES, 'fig11-syncs', 'cells'])}; with -ordered or "
            "-relaxed behind the name, but for the last two, all accesses are annotated",
        )
    return generator(parameter)
