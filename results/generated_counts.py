"""Counts the traces of generated programs by several engines and writes litmus/generated.csv: the
numbers on which at least two of them agree, with their names.

    python results/generated_counts.py [--limit SECONDS] [FAMILY …]

With families the lines of the others stay as they are. Two engines that disagree end it. odpor
shares no reasoning with trust and rsmc, nor does bmc; where only trust and rsmc are named the
program is too large for bmc and the model is none of odpor's.
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
ENGINES = ("trust", "rsmc", "odpor", "bmc:sat")
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
    "indexer": (2, 12, 13),
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


def agreed(case: KernelCase, size: int, limit: float) -> tuple[int, str] | None:
    """The number on which engines agree, and their names; None when there are not two of them."""
    numbers: dict[str, int] = {}
    for engine in ENGINES:
        if engine == "rsmc" and (case.program, case.orders) == ("indexer", "ordered"):
            continue  # it guesses whether each compare-and-swap will store
        if engine == "bmc:sat" and numbers and max(numbers.values()) > FEW:
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


def main(families: list[str], limit: float) -> None:
    rows: dict[Row, tuple[int, str]] = {}
    if FILE.exists() and families:
        with FILE.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                if row["program"] not in families:
                    key = (row["program"], row["orders"], int(row["size"]), row["model"])
                    rows[key] = int(row["traces"]), row["engines"]
    for family in families or SIZES:
        for orders, model in VARIANTS:
            for size in SIZES[family]:
                found = agreed(KernelCase(family, orders, model, ""), size, limit)
                print(family, orders, size, model, found, flush=True)
                if found is None:
                    break
                rows[family, orders, size, model] = found
        write(rows)


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
    parser.add_argument("--limit", type=float, default=15.0)
    asked = parser.parse_args()
    main(asked.families, asked.limit)
