"""Counts the traces of generated programs by several engines and writes litmus/generated.csv: the
numbers on which at least two of them agree, with their names.

    python results/generated_counts.py [--limit SECONDS] [--few N] [--missing] [FAMILY[(SIZE)] …]

With families the lines of the others stay as they are; with --missing all lines stay, and those
that the file lacks are looked for. Two engines that disagree end it. odpor shares no reasoning with
trust and rsmc, nor does bmc. Where the model is none of odpor's and the program too large for bmc,
rsmc counts once more with a SAT solver as its oracle, if there is time: it shares the explorer with
rsmc and the oracle with nobody, where trust and rsmc share the oracle of graphs.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from pathlib import Path

from hybrid.catalogue.engines import make, refusal
from hybrid.catalogue.spelling import parse_configuration
from hybrid.cli.bench_case import KernelCase, program_of
from hybrid.engine.api import Limits
from hybrid.errors import Stopped
from hybrid.execution.trace import Status
from hybrid.model.load import load_model

FILE = Path(__file__).resolve().parent.parent / "litmus" / "generated.csv"
COLUMNS = ("program", "orders", "size", "model", "traces", "engines")
APART = ("odpor", "bmc:sat")  # share no reasoning with the others
SOLVER = "rsmc:pysat"  # asked where none of them has an answer
ENGINES = ("trust", "rsmc", *APART, SOLVER)
FEW = 3000  # traces: more are not asked of bmc
SIZES = {
    "lastzero": (2, 3, 5, 8, 10, 12),
    "fib": (1, 2, 3, 4),
    "fib-bench": (1, 2, 3, 4),
    "exp-mem": (2, 3, 5, 6, 7),
    "exp-mem2": (2, 3, 4),
    "casrot": (2, 3, 5, 7, 9),
    "readers": (2, 4, 6, 8, 10),
    "sigma": (2, 3, 4, 5, 6),
    "indexer": (2, 12, 13, 14, 15),
    "mutex": (1, 2, 3),
    "ttaslock": (2, 3, 4),
    "twalock": (2, 3),
    "mcs": (2, 3),
    "seqlock": (2, 3, 4),
    "mpmc-queue": (2, 3),
    "fig11": (1, 2, 4, 6, 8),
    "private": (10, 80),
}
VARIANTS = (
    ("plain", "sc"),
    ("plain", "tso"),
    ("ordered", "rc11"),
    ("relaxed", "rc11"),
    ("ordered", "rc20"),
    ("relaxed", "rc20"),
    ("plain", "power"),
)
Row = tuple[str, str, int, str]


def counted(case: KernelCase, size: int, engine: str, limit: float) -> int | None:
    """The number of complete traces; None when the time is not enough, or the engine refuses."""
    program, model = program_of(case, size), load_model(case.model)
    configuration = parse_configuration(engine)
    if refusal(configuration.engine, model, program) is not None:
        return None
    maker = make(configuration)
    found = 0
    try:
        for trace in maker.explore(program, model, Limits(deadline=time.monotonic() + limit)):
            found += trace.status is Status.COMPLETE
    except Stopped:
        return None
    counters = maker.counters
    if counters.cut or counters.stuck or counters.errors or counters.thin_air:
        sys.exit(f"{case} of size {size}: {counters}")
    return found


def agreed(case: KernelCase, size: int, limit: float, few: int) -> tuple[int, str] | None:
    """The number on which engines agree, and their names; None when there are not two of them."""
    numbers: dict[str, int] = {}
    for engine in ENGINES:
        if (case.program, case.orders) == ("indexer", "ordered") and engine in ("rsmc", SOLVER):
            continue  # it guesses whether each compare-and-swap will store
        if engine == "bmc:sat" and numbers and max(numbers.values()) > few:
            continue
        if engine == SOLVER and any(apart in numbers for apart in APART):
            continue
        found = counted(case, size, engine, limit)
        if found is not None:
            numbers[engine] = found
        elif engine != "trust" and not numbers:
            return None  # too large
    if len(set(numbers.values())) > 1:
        sys.exit(f"{case} of size {size}: {numbers}")
    if len(numbers) < 2:
        return None
    return next(iter(numbers.values())), " ".join(numbers)


def main(names: list[str], limit: float, few: int, missing: bool) -> None:
    wanted = sizes_of(names or list(SIZES))
    rows = read()
    if not missing:
        rows = {row: found for row, found in rows.items() if row[2] not in wanted.get(row[0], ())}
    for family, sizes in wanted.items():
        for orders, model in VARIANTS:
            for size in sizes:
                if (family, orders, size, model) in rows:
                    continue
                found = agreed(KernelCase(family, orders, model, ""), size, limit, few)
                print(family, orders, size, model, found, flush=True)
                if found is None:
                    break
                rows[family, orders, size, model] = found
                write(rows)


def sizes_of(names: list[str]) -> dict[str, tuple[int, ...]]:
    """`mutex(3)` is one size of a family, `mutex` all of them."""
    found: dict[str, tuple[int, ...]] = {}
    for name in names:
        family, _, size = name.rstrip(")").partition("(")
        found[family] = (*found.get(family, ()), *((int(size),) if size else SIZES[family]))
    return found


def read() -> dict[Row, tuple[int, str]]:
    if not FILE.exists():
        return {}
    with FILE.open(encoding="utf-8", newline="") as lines:
        return {
            (row["program"], row["orders"], int(row["size"]), row["model"]): (
                int(row["traces"]),
                row["engines"],
            )
            for row in csv.DictReader(lines)
        }


def write(rows: dict[Row, tuple[int, str]]) -> None:
    order = list(SIZES)
    with FILE.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(COLUMNS)
        place = {variant: i for i, variant in enumerate(VARIANTS)}
        for row in sorted(rows, key=lambda r: (order.index(r[0]), place[r[1], r[3]], r[2])):
            writer.writerow((*row, *rows[row]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("families", nargs="*", metavar="FAMILY")
    parser.add_argument("--limit", type=float, default=15.0, help="seconds for each engine")
    parser.add_argument("--few", type=int, default=FEW, help="traces that bmc is to find at most")
    parser.add_argument("--missing", action="store_true", help="only what the file lacks")
    asked = parser.parse_args()
    main(asked.families, asked.limit, asked.few, asked.missing)
