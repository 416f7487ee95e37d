"""Runs the programs of litmus/programs/awaits/ and writes godot.txt: Tables I and II of Jonsson,
Lång and Sagonas, "Awaiting for Godot" (FMCAD 2022), with what odpor finds beside the paper's
numbers. With --engines it writes godot-engines.txt, what other engines count; with --bug
safestack.txt, how long it takes to find the bug of safestack.

    python results/godot_tables.py HYBRID [-o FILE] [--timeout SECONDS] [PROGRAM …]
    python results/godot_tables.py HYBRID --engines|--bug [-o FILE] [--timeout SECONDS]

PROGRAM is the beginning of a name in the tables; without it all. Nothing else should run meanwhile.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import resource
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

RESULTS = Path(__file__).resolve().parent
ROOT = RESULTS.parent
AWAITS = "litmus/programs/awaits/"
LATE = "late"
SOME_GIVEN_UP = "-DGIVE_UP"
# by what is asked for: the file, and the seconds that each run gets
FILES = {None: ("godot.txt", 60.0), "--engines": ("godot-engines.txt", 60.0)}
FILES["--bug"] = ("safestack.txt", 7200.0)


class Row(NamedTuple):
    """A program of the paper; `paper` is its Nidhugg: baseline, PLP, PLP+Await, …+IFAA."""

    name: str
    file: str
    flags: tuple[str, ...]
    bound: int  # --unroll
    paper: tuple[str, str, str, str]
    gives_up: bool = False  # whether -DGIVE_UP says what the paper's tool does not wait for


def sized(name: str, file: str, size: int, paper: tuple[str, str, str, str], *more: str) -> Row:
    """The loop bound is that of the paper: one more than there are threads."""
    gives_up = file in ("qspinlock-2", "mutex-2", "seqlock-2", "mpmc-queue-2")
    flags = (f"-DN={size}", *more)
    return Row(f"{name}({size})", file, flags, size + 1, paper, gives_up)


def safestack(operations: str, paper: tuple[str, str, str, str]) -> Row:
    flags = (f"-DOPS={','.join(operations)}",)
    return Row(f"safestack-{operations}", "safestack-21", flags, 4, paper, True)


def same(number: str) -> tuple[str, str, str, str]:
    return (number, number, number, number)


ROWS = [
    sized("qspinlock", "qspinlock-2", 2, same("6+2")),
    sized("qspinlock", "qspinlock-2", 3, ("564+462", "564+462", "564+456", "564+456")),
    sized("mcslock", "mcslock-2", 3, ("336+426", "336+426", "336+72", "336+72")),
    sized("twalock", "twalock-2", 3, ("96+90", "96+90", "96", "96")),
    sized("twalock", "twalock-2", 4, ("6144+7224", "6144+7224", "6144", "6144")),
    sized("mutex-musl", "mutex-musl-2", 2, ("20+2", "20+2", "20", "20")),
    sized("mutex", "mutex-2", 2, ("12+2", "12+2", "12", "10")),
    sized("mutex", "mutex-2", 3, ("9486+1236", "6582+1188", "6582+336", "3618+312")),
    sized("ms-queue", "ms-queue-2", 3, same("901+374")),
    sized("linuxrwlocks", "linuxrwlocks-2", 3, ("38033+31993", "38033+31993", "38033", "3840")),
    sized("ttaslock", "ttaslock-2", 3, ("162+183", "36+81", "36", "36")),
    sized("ttaslock", "ttaslock-2", 4, ("20760+29440", "576+2308", "576", "576")),
    sized("seqlock", "seqlock-2", 3, ("147+230", "9+83", "9+36", "9+36")),
    sized("seqlock", "seqlock-2", 4, ("87980+104583", "88+2769", "88+729", "88+729")),
    sized("mpmc-queue", "mpmc-queue-2", 3, ("11206+8188", "166+840", "166+517", "76+421")),
    sized("treiber-stack", "treiber-stack-2", 3, ("426", "274+80", "274+60", "274+60")),
    sized("sortnet", "sortnet-2", 4, ("1+312", "1+312", "1", "1")),
    sized("sortnet", "sortnet-2", 5, ("1+4517", "1+4517", "1", "1")),
    sized("sortnet", "sortnet-2", 6, ("1+38285", "1+38285", "1", "1")),
    safestack("21", ("119+6", "34+2", "34+1", "19+1")),
    safestack("31", ("928+107", "103+27", "103+25", "56+25")),
    safestack("32", ("7189+296", "1073+27", "1073+12", "463+12")),
    safestack("33", ("121334+12652", "6434+1636", "6434+1584", "2600+1160")),
    safestack("211", ("1259280+324382", "2690+1126", "2690+928", "962+686")),
    safestack("311", ("-", "0+26536", "0+24078", "0+14960")),
]
# (--loops, --equivalence), for each column of the paper
COLUMNS = (("keep", "trace"), ("assume", "trace"), ("await", "trace"), ("await", "faa"))
OTHERS = ("trust", "rsmc", "bmc:sat")  # on the traces with --loops await
WIDTHS = (17, 15, *(22 for _ in COLUMNS))
AGREEING = (17, *(20 for _ in range(1 + len(OTHERS))), 5)

NOTES = """\
Complete+blocked executions under sc, and seconds of processor time. Paper: Nidhugg's columns
Baseline, PLP, PLP+Await and …+IFAA. Ours: --engine odpor with --loops keep, assume, await, and
await with --equivalence faa; blocked are all that are not complete, those that reach the loop bound
and those that wait for ever included. late: not finished in time.

- Baseline: the paper's tool gives up rounds of simple waiting loops there already, ours explores
  them up to the bound, so that the numbers do not compare.
- The programs are ours. The paper does not say which thread does what: for linuxrwlocks,
  treiber-stack, seqlock, mpmc-queue, ms-queue, mutex and qspinlock several variants were tried, and
  the one is here that has the paper's numbers (litmus/programs/README.md). For these, equal numbers
  show that such a program exists, not that ours is the paper's.
- GIVE_UP: with -DGIVE_UP we give up runs at places (litmus/programs/awaits/give-up.h) where the
  paper's tool seems to make no await; that is inferred from its numbers. Without it we wait there
  too, and fewer runs are blocked.
- mcslock: the paper's program has something that ours has not; we could not find out what. All
  engines agree on ours.
- mutex(3), PLP: whether a round is pure depends on a register that is set on one of two ways to
  the test. With awaits that is not so, as the inner loop has gone; with assumes there is no test.
- ms-queue: the paper's tool finds no pure rounds, ours some. 925+350 are GenMC's numbers.
- sortnet, PLP: how many are blocked depends on which thread runs which comparator, which the paper
  does not say.
- safestack-211, -311: pop's loop and the loop around it are one in ours, so that a round that finds
  too little on the stack is pure wherever it comes; in the paper only where pop has not gone round
  before.
"""


def line(widths: tuple[int, ...], *cells: str) -> str:
    padded = (f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True))
    return " ".join(padded).rstrip()


class Answer(NamedTuple):
    """What a run says; `seconds` of processor time."""

    said: dict[str, Any] | None
    seconds: float
    error: str


class Asking:
    """Runs one hybrid."""

    def __init__(self, hybrid: str, seconds: float) -> None:
        self.hybrid = hybrid
        self.seconds = seconds

    def verify(self, row: Row, engine: str, *options: str, flags: tuple[str, ...] = ()) -> Answer:
        name, _, oracle = engine.partition(":")
        command = [self.hybrid, "verify", f"{AWAITS}{row.file}.c", "--model", "sc", "--json"]
        command += ["--engine", name, *(["--oracle", oracle] if oracle else [])]
        command += ["--unroll", str(row.bound), "--timeout", str(self.seconds), *options]
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run(
            [*command, "--", *row.flags, *flags],
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
        )
        spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        if not done.stdout:
            return Answer(None, spent, done.stderr.strip().splitlines()[-1])
        return Answer(json.loads(done.stdout), spent, "")


def executions(said: dict[str, Any]) -> str:
    """Complete+blocked, as the paper writes it."""
    blocked = sum(said[each] for each in ("blocked", "deadlocks", "livelocks", "cut"))
    return f"{said['traces']}+{blocked}" if blocked else str(said["traces"])


def cell(answer: Answer) -> str:
    if answer.said is None:
        return answer.error
    number = LATE if answer.said["partial"] else executions(answer.said)
    return f"{number}  {answer.seconds:.1f} s"


def table(asking: Asking, rows: list[Row]) -> Iterator[str]:
    yield line(WIDTHS, "program", "whose", "baseline", "PLP", "PLP+Await", "…+IFAA")
    for row in rows:
        yield line(WIDTHS, row.name, "paper", *row.paper)
        whose = [("ours", ())] + ([("ours, GIVE_UP", (SOME_GIVEN_UP,))] if row.gives_up else [])
        for who, flags in whose:
            cells = []
            for loops, equivalence in COLUMNS:
                if flags and loops != "await":
                    cells.append("")
                    continue
                options = ("--loops", loops, "--equivalence", equivalence)
                cells.append(cell(asking.verify(row, "odpor", *options, flags=flags)))
            yield line(WIDTHS, "", who, *cells)


def counted(answer: Answer) -> str:
    """Complete ones; and those in which threads wait for ever."""
    if answer.said is None:
        return answer.error
    said = answer.said
    if said["partial"]:
        return LATE
    waiting = said["deadlocks"] + said["livelocks"]
    return f"{said['traces']}" + (f", {waiting} wait" if waiting else "")


def agree(found: list[str]) -> str:
    """Whether they do, if there is anything to compare."""
    if len(set(found)) > 1:
        return "NO"
    return "yes" if len(found) > 1 else "alone" if found else "none"


def agreement(asking: Asking, rows: list[Row]) -> Iterator[str]:
    """The same traces by other engines."""
    yield line(AGREEING, "--loops await", "odpor", *OTHERS, "agree")
    for row in rows:
        found = [counted(asking.verify(row, e, "--loops", "await")) for e in ("odpor", *OTHERS)]
        yield line(AGREEING, row.name, *found, agree([each for each in found if each != LATE]))


# ---- the bug

BUG = safestack("331", ("-", "-", "-", "2+2453474"))
FINDERS = (
    ("odpor", 4, ("--equivalence", "faa")),
    ("bmc:sat", 2, ()),
    ("bmc:z3", 2, ()),
)
BUG_WIDTHS = (10, 8, 10, 18, 10, 10)


def replayed(asking: Asking, witness: str) -> str:
    command = [asking.hybrid, "replay", witness]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    lines = (done.stdout or done.stderr).strip().splitlines()
    return lines[-1].rpartition(": ")[2] if lines else f"exit code {done.returncode}"


def bug(asking: Asking) -> Iterator[str]:
    yield (
        "safestack with pop, push, pop; pop, push, pop; pop, by --loops await --first up to the\n"
        "failed assertion. Paper: 2+2453474 executions in 8 minutes; other tools: nothing in\n"
        "2,000 hours.\n"
    )
    yield line(BUG_WIDTHS, "engine", "unroll", "answer", "executions", "processor", "witness")
    for engine, bound, options in FINDERS:
        with tempfile.TemporaryDirectory() as folder:
            witness = str(Path(folder) / "witness.json")
            more = ("--loops", "await", "--first", "--no-liveness", "--witness", witness, *options)
            answer = asking.verify(BUG._replace(bound=bound), engine, *more)
            if answer.said is None:
                yield f"{engine}: {answer.error}"
                continue
            is_there = Path(witness).exists()
            number = "one formula" if engine.startswith("bmc") else executions(answer.said)
            yield line(
                BUG_WIDTHS,
                engine,
                str(bound),
                answer.said["answer"],
                number,
                f"{answer.seconds:.0f} s",
                replayed(asking, witness) if is_there else "none",
            )


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("hybrid")
    parser.add_argument("programs", nargs="*")
    parser.add_argument("-o", dest="output")
    parser.add_argument("--timeout", type=float)
    parser.add_argument("--engines", dest="what", action="store_const", const="--engines")
    parser.add_argument("--bug", dest="what", action="store_const", const="--bug")
    given = parser.parse_intermixed_args(arguments)
    name, default = FILES[given.what]
    seconds, output = given.timeout or default, given.output or str(RESULTS / name)
    asking = Asking(os.path.abspath(given.hybrid), seconds)
    names = tuple(given.programs)
    rows = [row for row in ROWS if not names or row.name.startswith(names)]
    make = runpy.run_path(str(RESULTS / "make.py"))
    command = ["python", "results/godot_tables.py", "hybrid", "--timeout", f"{seconds:g}"]
    command += [*([given.what] if given.what else []), *names]
    with open(output, "w", encoding="utf-8") as file:

        def tell(lines: Iterator[str]) -> None:
            for text in lines:
                print(text, flush=True)
                file.write(f"{text}\n")
                file.flush()

        file.write(make["head"](command, make["is_compiled"](asking.hybrid), datetime.date.today()))
        if given.what == "--bug":
            tell(bug(asking))
        elif given.what == "--engines":
            tell(agreement(asking, rows))
        else:
            tell(table(asking, rows))
            tell(iter(["", *NOTES.splitlines()]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
