"""Programs with a parameter, as .prog text.

`fig11` is SB+kW of Abdulla, Atig, Jonsson, Leonardsson, "Stateless model checking for POWER", CAV
2016, Fig. 11; `lastzero` and `exp_mem` are benchmarks of Kokologiannakis, Marmanis, Gladstein,
Vafeiadis, "Truly stateless, optimal dynamic partial order reduction", POPL 2022, §2.3 and Table 1.
Numbers of traces that are known:

| program | model | traces |
| --- | --- | --- |
| fig11(k, fences=False) | power | C(2k, k) + 3 |
| fig11(k) | power | 3 |
| lastzero(n) | sc | (n + 3) · 2^(n − 2) |
| exp_mem(n) | sc | 2 · n! |
| fib_bench(n) | sc | 1,698 for 3, 19,605 for 4 |

`fib` and `cells` are our own, for measuring.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hybrid.errors import InputError

_MOST = 1000  # a parameter beyond it makes a text that nobody explores
_RSMC = "Stateless model checking for POWER (CAV 2016)"
_TRUST = "Truly stateless, optimal dynamic partial order reduction (POPL 2022)"


def fig11(k: int, fences: bool = True) -> str:
    """Dekker's idea in front of a critical section of k stores to z; without fences both threads
    may enter."""
    _check("k", k, 0)
    name = f"SB+{k}W" + ("+syncs" if fences else "")
    about = (
        f"{_RSMC}, Fig. 11, with {_count(k, 'store')} in each critical section and "
        + ("syncs" if fences else "no fences")
        + "."
    )
    first = _fig11_thread("P", "L", "x", "r0", "y", k, fences)
    second = _fig11_thread("Q", "M", "y", "r1", "x", k, fences)
    return _program(name, about, "x = 0; y = 0; z = 0", [first, second])


def _fig11_thread(
    thread: str, label: str, mine: str, register: str, other: str, k: int, fences: bool
) -> str:
    """The labels are the paper's: without fences L1 is left out."""
    end = f"{label}{k + 4}"
    lines = [f"{label}0: {mine} := 1;"]
    if fences:
        lines.append(f"{label}1: sync;")
    lines.append(f"{label}2: {register} := {other};")
    lines.append(f"{label}3: if {register} = 1 goto {end};")
    lines += [f"{label}{i}: z := 1;" for i in range(4, k + 4)]
    lines.append(f"{end}: {register} := 0;")
    return _thread(thread, lines)


def lastzero(n: int, ordered: bool = False) -> str:
    """Thread T0 looks for the last cell that is 0, from the end; thread Tj sets cell j to its left
    neighbour's value plus 1. `ordered`: loads acquire and stores release.

    Cell 0 stays 0, so the search ends there; its loop is written out, and no unrolling is needed.
    """
    _check("n", n, 1)
    acquire, release = (" @acq", " @rel") if ordered else ("", "")
    search: list[str] = []
    for cell in range(n, -1, -1):
        search += [f"I{cell}: i := {cell};", f"S{cell}: r := a[{cell}]{acquire};"]
        search += [f"Z{cell}: if r = 0 goto E;"] if cell else []
    search.append("E: skip;")
    threads = [_thread("T0", search)]
    threads += [
        _thread(f"T{j}", [f"L{j}: r := a[{j - 1}]{acquire};", f"M{j}: a[{j}] := r + 1{release};"])
        for j in range(1, n + 1)
    ]
    about = (
        f"{_TRUST}, Table 1, lastzero({n}): T0 looks for the last cell of the array that "
        "is 0, while each of "
        f"{_count(n, 'thread')} sets a cell to its left neighbour's value plus 1. The "
        "search loop is written out."
    )
    return _program(f"lastzero({n})", about, f"a[{n + 1}] = 0", threads)


def fib(n: int) -> str:
    """Two threads add to each other's numbers, n times each; loads acquire and stores release."""
    _check("n", n, 1)
    threads: list[str] = []
    for thread, label, mine in (("P", "L", "x"), ("Q", "M", "y")):
        lines: list[str] = []
        for i in range(0, 3 * n, 3):
            lines += [f"{label}{i}: r := x @acq;", f"{label}{i + 1}: s := y @acq;"]
            lines.append(f"{label}{i + 2}: {mine} := r + s @rel;")
        threads.append(_thread(thread, lines))
    about = f"Two threads add to each other's numbers, {_count(n, 'time')} each."
    return _program(f"fib({n})", about, "x = 1; y = 1", threads)


def fib_bench(n: int) -> str:
    """The benchmark of the literature on DPOR: two threads add each other's number to their own, n
    times each, while a third looks at both."""
    _check("n", n, 1)
    threads: list[str] = []
    for thread, label, mine, other in (("P", "L", "i", "j"), ("Q", "M", "j", "i")):
        lines: list[str] = []
        for k in range(0, 3 * n, 3):
            lines += [f"{label}{k}: r := {mine};", f"{label}{k + 1}: s := {other};"]
            lines.append(f"{label}{k + 2}: {mine} := r + s;")
        threads.append(_thread(thread, lines))
    threads.append(_thread("O", ["N0: r := i;", "N1: s := j;"]))
    about = (
        f"fib_bench({n}): two threads add to each other's numbers, {_count(n, 'time')} each, and "
        "another one looks."
    )
    return _program(f"fib-bench({n})", about, "i = 1; j = 1", threads)


def cells(n: int) -> str:
    """Three threads that find cells of an array by computed addresses; n more cells that none of
    them ever touches, which no look at the text can tell."""
    _check("n", n, 0)
    threads = [
        _thread(
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
    about = f"Computed addresses in an array with {_count(n, 'cell')} that nobody touches."
    return _program(f"cells({n})", about, f"k = 0; x = 0; a[{n + 3}] = 0", threads)


def exp_mem(n: int) -> str:
    """One thread adds to x, n threads add to y, the last of them then adds to x too."""
    _check("n", n, 1)
    threads = [_thread("T0", ["L0: faa(x, 1);"])]
    for j in range(1, n + 1):
        lines = [f"L{j}: r := faa(y, 1);"]
        if j == n:
            lines.append(f"M{j}: faa(x, 1);")
        threads.append(_thread(f"T{j}", lines))
    about = f"{_TRUST}, §2.3, EXP-MEM with {_count(n, 'thread')} that add to y."
    condition = f"forall (x = 2 /\\ y = {n})"
    return _program(f"exp-mem({n})", about, "x = 0; y = 0", threads, condition)


# By the name that a command line gives; the parameter counts stores, cells or threads.
GENERATORS: dict[str, Callable[[int], str]] = {
    "fig11": lambda k: fig11(k, fences=False),
    "fig11-syncs": lambda k: fig11(k, fences=True),
    "lastzero": lastzero,
    "lastzero-ordered": lambda n: lastzero(n, ordered=True),
    "exp-mem": exp_mem,
    "fib": fib,
    "fib-bench": fib_bench,
    "cells": cells,
}


def generate(name: str, parameter: int) -> str:
    """The text of a generated program."""
    generator = GENERATORS.get(name)
    if generator is None:
        raise InputError(
            f"there is no generator {name}", hint=f"generators: {', '.join(GENERATORS)}"
        )
    return generator(parameter)


def _check(name: str, value: int, least: int) -> None:
    if not least <= value <= _MOST:
        raise InputError(f"{name} = {value}: expected a number from {least} to {_MOST}")


def _program(
    name: str, about: str, declarations: str, threads: Sequence[str], condition: str = ""
) -> str:
    parts = [f'program "{name}"\n"{about}"', declarations, *threads]
    if condition:
        parts.append(condition)
    return "\n\n".join(parts) + "\n"


def _thread(name: str, lines: Sequence[str]) -> str:
    return "\n".join([f"thread {name}:", *(f"  {line}" for line in lines)])


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
